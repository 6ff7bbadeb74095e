//! Products and what they support.

extern crate std;

use std::collections::BTreeMap;
use std::format;
use std::string::ToString;

use crate::*;

#[test]
fn what_a_product_cannot_count() {
    let event = |node, id| MeshEvent::from(NodeEvent::new(node, id).unwrap());
    let watchpoint = |port, group| {
        MeshEvent::from(
            Watchpoint::new(Direction::Up, port, Match::all(Channel::Req, group)).unwrap(),
        )
    };
    use Product::{Ci700, Cmn600, Cmn650, Cmn700, CmnS3, CmnS3R2};
    let second = NodeEvent::new(NodeType::HnS, 0x7).unwrap().with_filter2(1).unwrap();
    let cases: &[(MeshEvent, &[Product])] = &[
        (MeshEvent::Cycles, &[]),
        (event(NodeType::HnF, 0xff), &[]),
        (event(NodeType::HnF, 0x100), Product::ALL),
        // The second channel of snoops.
        (event(NodeType::Xp, 0x101), &[Cmn600, Cmn650, Ci700]),
        (second.into(), &[Cmn600, Cmn650, Ci700, Cmn700, CmnS3]),
        (watchpoint(0, MatchGroup::Secondary), &[]),
        (watchpoint(0, MatchGroup::Tertiary), &[Cmn600]),
        (watchpoint(2, MatchGroup::Primary), &[Cmn600, Cmn650]),
        (watchpoint(5, MatchGroup::Primary), &[Cmn600, Cmn650]),
    ];
    for (event, refused) in cases {
        for product in [Cmn600, Cmn650, Ci700, Cmn700, CmnS3, CmnS3R2] {
            let found = event.check(product).is_err();
            assert_eq!(found, refused.contains(&product), "{event} on {product}");
        }
    }
}

#[test]
fn identities() {
    let cases: &[(&str, Option<(Product, u8, Option<&str>)>)] = &[
        ("43400", Some((Product::Cmn600, 0, Some("r1p0")))),
        ("43406\n", Some((Product::Cmn600, 6, Some("r3p1")))),
        ("43800", Some((Product::Cmn600, 0, Some("r1p0")))),
        ("43604", Some((Product::Cmn650, 4, Some("r1p2")))),
        ("43a02", Some((Product::Ci700, 2, Some("r2p0")))),
        ("43c03", Some((Product::Cmn700, 3, Some("r3p0")))),
        ("43C0f", Some((Product::Cmn700, 15, None))),
        ("43e02", Some((Product::CmnS3, 2, Some("r1p0")))),
        ("43e03", Some((Product::CmnS3R2, 3, Some("r2p0")))),
        ("43e06", Some((Product::CmnS3R2, 6, Some("r2p5")))),
        ("43e07", Some((Product::CmnS3R2, 7, None))),
        ("43500", None),
        ("43c3", None),
        ("43c033", None),
        ("0x43c03", None),
        ("", None),
        ("\u{e4}\u{e4}\u{e4}", None),
    ];
    for &(text, expected) in cases {
        let found = Identity::parse(text);
        let parts = found.map(|found| (found.product, found.revision, found.release()));
        assert_eq!(parts, expected, "{text:?}");
        if let Some(identity) = found {
            assert_eq!(Identity::parse(&identity.to_string()), Some(identity));
        }
    }
    for &product in Product::ALL {
        // A later release of CMN S3 has the same part number.
        let by_part = if product == Product::CmnS3R2 { Product::CmnS3 } else { product };
        assert_eq!(Product::of_part(product.part()), Some(by_part));
    }
}

#[test]
fn names_of_the_driver() {
    /// What they count on CMN S3 r2 is selected by another number.
    const RENUMBERED: [&str; 4] = [
        "hns_pocq_retry_hbt",
        "hns_pocq_retry_lbt",
        "hns_pocq_reqs_recvd_hbt",
        "hns_pocq_reqs_recvd_lbt",
    ];
    /// Linux 7.3 names them `_all`.
    const OLDER: [&str; 2] = ["hns_pocq_addrhaz", "hns_pocq_atomic_addrhaz"];
    let mut names = BTreeMap::new();
    for named in named::all() {
        let name = named.to_string();
        for product in named.products().iter() {
            assert_eq!(named::find_on(&name, product), Some(named), "{name}");
            assert_eq!(named::find_on(&name.to_uppercase(), product), Some(named), "{name}");
        }
        let others = Product::ALL.iter().copied().filter(|&one| !named.products().contains(one));
        let is_elsewhere = |product| named::find_on(&name, product).is_some();
        let renumbered = RENUMBERED.contains(&name.as_str());
        assert_eq!(
            others.filter(|&product| is_elsewhere(product)).count() > 0,
            renumbered,
            "{name}"
        );
        if !renumbered || named.products().contains(Product::CmnS3) {
            assert_eq!(named::find(&name), Some(named), "{name}");
            assert_eq!(named::find(&name.to_uppercase()), Some(named), "{name}");
        }
        assert_eq!(named::find(&format!("{name}_")), None, "{name}");
        assert!(named.products().iter().count() > 0, "{name}");
        let text = named.event_string().to_string();
        match named.event() {
            Some(event) => {
                assert_eq!(MeshEvent::parse(&text), Ok(event), "{name}");
                let newer = text.replace("occupid", "filter");
                assert_eq!(MeshEvent::parse(&newer), Ok(event), "{name}");
                if named::find(&name) == Some(named) {
                    assert_eq!(MeshEvent::parse(&name), Ok(event), "{name}");
                }
                for product in named.products().iter() {
                    assert_eq!(event.check(product).is_ok(), is_wide_enough(&event, product));
                    let found = named::of(&event, product).unwrap();
                    if OLDER.contains(&name.as_str()) {
                        assert_eq!(found.to_string(), format!("{name}_all"));
                    } else {
                        assert_eq!(found, named, "{name} on {product}");
                    }
                }
            }
            None => assert!(named.watchpoint().is_some() && text.ends_with("wp_mask=?")),
        }
        let is_second = names.insert(name.clone(), text).is_some();
        assert_eq!(
            is_second,
            RENUMBERED.contains(&name.as_str()) && named.products().iter().count() == 1
        );
    }
    let nothing = ["", "_", "hnf", "hnf_", "dn_", "mxp_", "mxp_e_", "mxp_e_req", "\u{e4}_x"];
    for name in nothing {
        assert_eq!(named::find(name), None, "{name:?}");
    }
}

/// All products have names for the second snoop channel, but not all have the
/// channel.
fn is_wide_enough(event: &MeshEvent, product: Product) -> bool {
    let MeshEvent::Node(node) = event else {
        return true;
    };
    node.id() < 0x100 || matches!(product, Product::Cmn700 | Product::CmnS3 | Product::CmnS3R2)
}
