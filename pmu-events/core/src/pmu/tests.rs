extern crate std;

use std::vec::Vec;

use core::cmp::Ordering;

use super::instance::*;

/// perf's answers. The head of the file says what its rows mean.
const RECORDED: &str = include_str!("recorded.txt");

/// The fields of all rows of one kind: names, separated by spaces.
fn rows(kind: &str) -> impl Iterator<Item = Vec<Vec<&'static str>>> {
    let fields = |row: &'static str| -> Vec<Vec<&'static str>> {
        row.split('|').map(|field| field.split_whitespace().collect()).collect()
    };
    let rows = RECORDED.lines().filter(|row| !row.starts_with('#')).map(fields);
    rows.filter(move |row| row[0] == [kind]).map(|mut row| row.split_off(1))
}

#[test]
fn base_names() {
    let mut count = 0;
    for row in rows("base") {
        let [names, base] = &row[..] else { panic!("{row:?}") };
        for name in names {
            assert_eq!(base_name(name), base[0], "{name}");
            count += 1;
        }
    }
    assert_eq!(count, 33);
}

#[test]
fn orders() {
    let mut count = 0;
    for row in rows("order") {
        let [a, sign, b] = row.concat()[..] else { panic!("{row:?}") };
        let expected = if sign == "<" { Ordering::Less } else { Ordering::Equal };
        assert_eq!(cmp(a, b), expected, "{a} {b}");
        assert_eq!(cmp(b, a), expected.reverse(), "{b} {a}");
        count += 1;
    }
    assert_eq!(count, 6);
}

/// Asks about each pair of a row; the number of pairs.
fn assert_answers(kind: &str, answer: fn(&str, &str) -> bool) -> usize {
    let mut count = 0;
    for row in rows(kind) {
        let [pmu, those, others] = &row[..] else { panic!("{row:?}") };
        for (texts, expected) in [(those, true), (others, false)] {
            for text in texts {
                assert_eq!(answer(pmu[0], text), expected, "{} {text}", pmu[0]);
                count += 1;
            }
        }
    }
    count
}

#[test]
fn texts_of_users() {
    assert_eq!(assert_answers("means", matches), 134);
}

#[test]
fn units() {
    assert_eq!(assert_answers("unit", is_of_unit), 14);
}

/// Names that no kernel gives.
#[test]
fn odd_names() {
    assert!(!is_of_unit("", "imx8_ddr"));
    assert!(!is_of_unit("\u{e4}rm", "arm"));
}
