//! Watchpoints and what they compare with.

extern crate std;

use std::format;
use std::string::{String, ToString};

use crate::error::Fault;
use crate::*;

#[test]
fn pairs() {
    use MatchGroup::{Primary, Secondary, Tertiary};
    let all = |channel, group| Match::all(channel, group);
    let req = |group| all(Channel::Req, group);
    let cases = [
        ([req(Primary), req(Secondary)], 1, None),
        ([req(Secondary), req(Primary)], 15, None),
        ([req(Tertiary), req(Primary)], 2, None),
        ([all(Channel::Snp, Primary), all(Channel::Snp, Secondary)], 1, None),
        ([req(Primary), req(Secondary)], 0, Some(Error::new(Fault::CombineZero))),
        ([req(Primary), req(Primary)], 1, Some(Error::new(Fault::SameGroup))),
        (
            [req(Primary), all(Channel::Snp, Secondary)],
            1,
            Some(Error::new(Fault::DifferentChannels)),
        ),
        (
            [all(Channel::Rsp, Primary), all(Channel::Rsp, Secondary)],
            1,
            Some(Error::new(Fault::NotCombined)),
        ),
        (
            [all(Channel::Dat, Primary), all(Channel::Dat, Secondary)],
            1,
            Some(Error::new(Fault::NotCombined)),
        ),
        (
            [req(Primary), req(Secondary)],
            16,
            Some(Error::new(Fault::TooLarge { what: "wp_combine", value: 16, max: 15 })),
        ),
    ];
    for (matches, combine, expected) in cases {
        let pair = Watchpoint::pair(Direction::Down, 1, matches, combine);
        assert_eq!(pair.err(), expected, "{matches:?} {combine}");
        let Ok([first, second]) = pair else {
            continue;
        };
        assert!(first.matching().group() < second.matching().group());
        for watchpoint in [first, second] {
            assert_eq!((watchpoint.combine(), watchpoint.port()), (combine, 1));
            let text = MeshEvent::from(watchpoint).to_string();
            assert!(text.contains(&format!("wp_combine={combine:#x}")), "{text}");
        }
    }
}

#[test]
fn fields_of_flits() {
    for &product in Product::ALL {
        for &channel in Channel::ALL {
            for &group in MatchGroup::ALL {
                let all = Match::all(channel, group);
                for &field in Field::ALL {
                    let Some(width) = field.width(product, channel, group) else {
                        let error = Error::new(Fault::NoField(field.name()));
                        assert_eq!(all.with(product, field, 0), Err(error));
                        assert_eq!(all.field(product, field), None);
                        continue;
                    };
                    assert!(u32::from(product.match_groups()) > group as u32);
                    let max = u64::MAX >> (64 - width);
                    for value in [0, 1, max] {
                        let one = all.with(product, field, value).unwrap();
                        assert_eq!(one.field(product, field), Some((value, max)));
                        assert_eq!(one.mask().count_zeros(), width);
                        assert_eq!(one.value() & one.mask(), 0);
                        // The last value takes effect.
                        let other = one.with(product, field, max).unwrap();
                        assert_eq!(other, all.with(product, field, max).unwrap());
                        // An empty mask of bits: nothing changes.
                        assert_eq!(one.with_bits(product, field, value, 0), Ok(all));
                    }
                    let error = all.with(product, field, max + 1);
                    let what = field.name();
                    assert_eq!(
                        error,
                        Err(Error::new(Fault::TooLarge { what, value: max + 1, max }))
                    );
                }
            }
        }
    }
}

/// Watchpoints as documented by Arm's tools and as used in practice.
#[test]
fn known_watchpoints() {
    let cases: &[(Product, Channel, MatchGroup, &[(Field, u64)], u64, u64)] = &[
        // cmn-tools' documentation: ReadNoSnp.
        (
            Product::Cmn700,
            Channel::Req,
            MatchGroup::Primary,
            &[(Field::Opcode, 0x4)],
            0x8000_0000,
            0xffff_fff0_1fff_ffff,
        ),
        // Tertiary group: the same opcode is in another position.
        (
            Product::Cmn650,
            Channel::Req,
            MatchGroup::Tertiary,
            &[(Field::Opcode, 0x4)],
            0x2000,
            !0x3f800,
        ),
        (
            Product::Cmn600,
            Channel::Req,
            MatchGroup::Primary,
            &[(Field::Opcode, 0x4), (Field::SrcId, 0x24)],
            0x2_0000_0024,
            !0x1f_8000_07ff,
        ),
        (
            Product::Ci700,
            Channel::Dat,
            MatchGroup::Secondary,
            &[(Field::TagOp, 2)],
            0x20_0000,
            !0x30_0000,
        ),
        (Product::CmnS3, Channel::Req, MatchGroup::Secondary, &[(Field::Qos, 0xf)], 0xf, !0xf),
    ];
    for &(product, channel, group, fields, value, mask) in cases {
        let mut matching = Match::all(channel, group);
        for &(field, value) in fields {
            matching = matching.with(product, field, value).unwrap();
        }
        let label: String = format!("{product} {channel:?} {fields:x?}");
        assert_eq!((matching.value(), matching.mask()), (value, mask), "{label}");
        assert_eq!(matching, Match::raw(channel, group, value, mask));
    }
}
