//! Products and what they support.

extern crate std;

use std::collections::BTreeMap;
use std::format;
use std::string::ToString;

use crate::cmn::*;

#[test]
fn what_a_product_cannot_count() {
    let event = |node, id| MeshEvent::from(NodeEvent::new(node, id).unwrap());
    let watchpoint = |port, group| {
        MeshEvent::from(
            Watchpoint::new(Direction::Up, port, Match::all(Channel::Req, group)).unwrap(),
        )
    };
    use Product::{Ci700, Cmn600, Cmn650, Cmn700, CmnS3};
    let cases: &[(MeshEvent, &[Product])] = &[
        (MeshEvent::Cycles, &[]),
        (event(NodeType::HnF, 0xff), &[]),
        (event(NodeType::HnF, 0x100), &Product::ALL),
        // The second channel of snoops.
        (event(NodeType::Xp, 0x101), &[Cmn600, Cmn650, Ci700]),
        (watchpoint(0, MatchGroup::Secondary), &[]),
        (watchpoint(0, MatchGroup::Tertiary), &[Cmn600]),
        (watchpoint(2, MatchGroup::Primary), &[Cmn600, Cmn650]),
        (watchpoint(5, MatchGroup::Primary), &[Cmn600, Cmn650]),
    ];
    for (event, refused) in cases {
        for product in [Cmn600, Cmn650, Ci700, Cmn700, CmnS3] {
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
    for product in Product::ALL {
        assert_eq!(Product::of_part(product.part()), Some(product));
    }
}

#[test]
fn names_of_the_driver() {
    let mut names = BTreeMap::new();
    for named in named::all() {
        let name = named.to_string();
        assert_eq!(named::find(&name), Some(named), "{name}");
        assert_eq!(named::find(&name.to_uppercase()), Some(named), "{name}");
        assert_eq!(named::find(&format!("{name}_")), None, "{name}");
        assert!(named.products().iter().count() > 0, "{name}");
        let text = named.event_string().to_string();
        match named.event() {
            Some(event) => {
                assert_eq!(MeshEvent::parse(&text), Ok(event), "{name}");
                assert_eq!(MeshEvent::parse(&name), Ok(event), "{name}");
                for product in named.products().iter() {
                    assert_eq!(event.check(product).is_ok(), is_wide_enough(&event, product));
                    assert_eq!(named::of(&event, product), Some(named), "{name} on {product}");
                }
            }
            None => assert!(named.watchpoint().is_some() && text.ends_with("wp_mask=?")),
        }
        assert_eq!(names.insert(name, text), None);
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
    node.id() < 0x100 || matches!(product, Product::Cmn700 | Product::CmnS3)
}
