extern crate std;
use std::vec::Vec;

use super::made::{Maker, PLAIN, named};
use crate::metric::siblings::Siblings;
use crate::wire::made::Made;
use crate::wire::record::{MetricRecord, ReferenceRecord};
use crate::wire::{Section, WIDE, Wire, member_numbers};

/// A reference means the model's own metric of the name: the one on the PMU of
/// the referring metric if there is one, otherwise the first.
#[test]
fn the_metric_that_is_meant() {
    const TREE: u16 = 200;
    // First metric of the name and their number; those that the model has, each
    // on the PMU with its number; the PMU of the referring metric; the answer.
    type Case = ((u32, u16), &'static [u16], u16, Option<u32>);
    let cases: &[Case] = &[
        ((3, 1), &[3], 3, Some(3)),
        ((3, 1), &[3], 9, Some(3)),
        ((3, 1), &[2, 4], 3, None),
        ((3, 0), &[3], 3, None),
        ((0, 1), &[0], 0, Some(0)),
        ((7, 2), &[7], 0, Some(7)),
        ((7, 2), &[8], 0, Some(8)),
        ((7, 2), &[7, 8], 8, Some(8)),
        ((7, 2), &[7, 8], 7, Some(7)),
        ((7, 2), &[7, 8], 9, Some(7)),
        ((7, 2), &[6, 9], 9, None),
        // As many as are inspected in one step, and more.
        ((1, 56), &[56], 0, Some(56)),
        ((1, 56), &[57], 57, None),
        ((7, 56), &[62], 62, Some(62)),
        ((1, 57), &[57], 57, Some(57)),
        ((1, 57), &[57], 1, Some(57)),
        ((1, 57), &[58], 58, None),
        ((1, 57), &[2, 57], 57, Some(57)),
        ((1, 57), &[2, 57], 3, Some(2)),
        ((1, 57), &[2], 57, Some(2)),
        ((2, 190), &[5, 60, 110, 170], 170, Some(170)),
        ((2, 190), &[5, 60, 110, 170], 110, Some(110)),
        ((2, 190), &[5, 60, 110, 170], 60, Some(60)),
        ((2, 190), &[5, 60, 110, 170], 5, Some(5)),
        ((2, 190), &[60, 110, 170], 1, Some(60)),
        ((2, 190), &[192], 192, None),
        ((2, 190), &[191], 191, Some(191)),
        // Beyond all metrics.
        ((u32::MAX, 1), &[3], 3, None),
        ((u32::MAX - 70, u16::MAX), &[3], 3, None),
    ];
    for (flags, members_at) in [(0, 5u32), (WIDE, 3)] {
        let mut tree = Made { flags, ..Made::default() };
        for pmu in 0..TREE {
            tree.put(Section::Metrics, |put| MetricRecord { pmu, ..PLAIN }.write(put));
        }
        for &((first, count), members, pmu, expected) in cases {
            let mut made = tree.clone();
            let size = if flags == WIDE { 4 } else { 2 };
            let start = size * members_at as usize;
            let lists = made.section(Section::Lists);
            lists.resize(start, 0xff);
            lists.resize(start + size * member_numbers(TREE.into(), flags), 0);
            members.iter().for_each(|&n| lists[start + usize::from(n) / 8] |= 1 << (n % 8));
            lists.extend([0; 8]);
            let tables = made.tables();
            let wire = Wire::read("", &tables).expect("the header is whole");
            let siblings = Siblings { wire: &wire, members: members_at };
            let found = siblings.resolve(ReferenceRecord { first, count }, pmu);
            assert_eq!(found, expected, "{first}, {count} of {members:?} for {pmu}");
        }
    }
}

/// Two models of one tree, with metrics of one name on two PMUs.
#[test]
fn models_have_their_own() {
    let mut maker = Maker::new([("a", 0), ("a", 1), ("b", 0), ("b", 1)]);
    for (number, formula) in ["E0", "E1", "a", "a * 10"].into_iter().enumerate() {
        maker.record(number).expression = maker.formula(formula);
    }
    let models: [(&[usize], &[u16]); 4] =
        [(&[0, 1, 2, 3], &[]), (&[0, 2, 3], &[]), (&[1, 2, 3], &[]), (&[2, 3], &[])];
    let expected = [[1.0, 20.0], [1.0, 10.0], [2.0, 20.0], [f64::NAN, f64::NAN]];
    for (metrics, expected) in maker.models(models).into_iter().zip(expected) {
        let own: Vec<_> = metrics.filter(|metric| metric.name() == "b").collect();
        let values = own
            .iter()
            .map(|metric| metric.evaluate(|event| if event.as_str() == "E0" { 1.0 } else { 2.0 }));
        for (value, expected) in values.zip(expected) {
            assert!(
                value == expected || value.is_nan() && expected.is_nan(),
                "{value}, {expected}"
            );
        }
    }
}

/// Metrics of different models or trees are not equal.
#[test]
fn equal_metrics() {
    let maker = || Maker::of(&[("a", "1"), ("b", "2")]);
    let [one, other] = maker().models([(&[0, 1], &[]), (&[0, 1], &[])]);
    let [another] = maker().models([(&[0, 1], &[])]);
    let [a, b] = ["a", "b"].map(|name| named(&one, name));
    assert_eq!(a, named(&one, "A"));
    assert_ne!(a, b);
    assert_ne!(a, named(&other, "a"));
    assert_ne!(a, named(&another, "a"));
}
