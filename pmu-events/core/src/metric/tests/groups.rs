extern crate std;
use std::string::ToString;
use std::vec::Vec;

use super::made::{Maker, named};
use crate::Tree;
use crate::metric::Metrics;
use crate::metric::group::MetricGroups;
use crate::metric::names::Names;

/// Metrics `a` to `d`, in groups; three models: with all of them, with a part,
/// with none.
fn models() -> [Metrics; 3] {
    let mut maker = Maker::of(&[("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")]);
    for (number, groups) in ["One;Two", "two", "", ";ONE;;Three;"].into_iter().enumerate() {
        maker.traits(number).groups = maker.long(groups);
    }
    maker.group("One", "About one.");
    maker.group("Three", "");
    maker.group("Two", "About two.");
    maker.models([(&[0, 1, 2, 3], &[0, 1, 2]), (&[1, 2], &[2]), (&[], &[])])
}

fn tree_of(metrics: &Metrics) -> &'static Tree {
    named(metrics, "a").tree
}

#[test]
fn names() {
    for (rest, expected) in [
        ("", &[][..]),
        (";", &[]),
        (";;", &[]),
        ("a", &["a"]),
        ("a;", &["a"]),
        (";a", &["a"]),
        ("a;b c;;d", &["a", "b c", "d"]),
    ] {
        let names: Vec<_> = Names { rest }.collect();
        assert_eq!(names, expected, "{rest:?}");
        let mut names = Names { rest };
        let in_steps: Vec<_> = core::iter::from_fn(|| names.step()).collect();
        assert_eq!(in_steps, expected, "{rest:?}");
    }
}

#[test]
fn metrics_in_groups() {
    let [all, part, none] = models();
    for (metrics, group, expected) in [
        (&all, "one", &["a", "d"][..]),
        (&all, "TWO", &["a", "b"]),
        (&all, "Three", &["d"]),
        (&all, "", &[]),
        (&all, "On", &[]),
        (&all, "One;Two", &[]),
        (&part, "two", &["b"]),
        (&part, "one", &[]),
        (&none, "one", &[]),
    ] {
        let names: Vec<_> = metrics.clone().in_group(group).map(|metric| metric.name()).collect();
        assert_eq!(names, expected, "{group}");
    }
    let d = named(&all, "d");
    assert_eq!(d.group_string(), ";ONE;;Three;");
    assert!(d.groups().eq(["ONE", "Three"]));
    assert!(d.is_in("one") && d.is_in("THREE") && !d.is_in("two") && !d.is_in(""));
}

#[test]
fn groups_of_models() {
    let [all, part, none] = models();
    let groups = MetricGroups::new;
    for (metrics, expected) in
        [(&all, &["One", "Three", "Two"][..]), (&part, &["Two"]), (&none, &[])]
    {
        let mut found = groups(metrics);
        for (number, name) in expected.iter().enumerate() {
            assert_eq!(found.len(), expected.len() - number);
            assert_eq!(found.next().expect("there is one").name(), *name);
        }
        assert_eq!((found.len(), found.next().is_none()), (0, true));
    }
    let members: Vec<Vec<_>> =
        groups(&all).map(|group| group.metrics().map(|metric| metric.name()).collect()).collect();
    assert_eq!(members, [&["a", "d"][..], &["d"], &["a", "b"]]);
    let descriptions: Vec<_> =
        groups(&all).map(|group| group.description().map(|text| text.to_string())).collect();
    assert_eq!(descriptions, [Some("About one.".into()), None, Some("About two.".into())]);
}

#[test]
fn groups_of_a_tree() {
    let [all, ..] = models();
    let tree = tree_of(&all);
    // The groups with a description.
    assert!(tree.groups().eq(["One", "Two"]));
    for (group, expected) in [
        ("one", Some("About one.")),
        ("TWO", Some("About two.")),
        ("Three", None),
        ("", None),
        ("Onf", None),
        ("Z", None),
    ] {
        let found = tree.group_description(group).map(|text| text.to_string());
        assert_eq!(found.as_deref(), expected, "{group}");
    }
}

#[test]
fn metrics_by_name() {
    let [all, part, none] = models();
    for (metrics, expected) in [(all, &["a", "b", "c", "d"][..]), (part, &["b", "c"]), (none, &[])]
    {
        let mut rest = metrics.clone();
        for (number, name) in expected.iter().enumerate() {
            assert_eq!(rest.size_hint(), (expected.len() - number, Some(expected.len() - number)));
            let mut behind = rest.clone();
            let metric = behind.step().expect("there is one");
            assert_eq!(metric.name(), *name);
            assert_eq!(rest.next(), Some(metric));
            assert_eq!(rest.len(), behind.len());
        }
        assert!(rest.step().is_none() && rest.next().is_none());
        for name in ["a", "B", "c", "D", "", "aa", "e"] {
            let is_there = expected.iter().any(|known| known.eq_ignore_ascii_case(name));
            let found = metrics.find(name).map(|metric| metric.name().to_ascii_uppercase());
            assert_eq!(found, is_there.then(|| name.to_ascii_uppercase()), "{name}");
        }
    }
    // The first of several.
    let twice = Maker::new([("a", 0), ("m", 1), ("m", 2), ("m", 3), ("z", 0)]).metrics();
    assert_eq!(twice.find("M").map(|metric| metric.number), Some(1));
}
