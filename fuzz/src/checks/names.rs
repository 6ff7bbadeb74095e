//! Names, patterns and PMUs: three lines of any text.

use core::cmp::Ordering;

use pmu_events::__private::{glob, name, pmu};

pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let mut lines = text.split('\n');
    let [a, b, c] = [(); 3].map(|()| lines.next().unwrap_or_default());
    orders(name::cmp, [a, b, c]);
    orders(pmu::cmp, [a, b, c]);
    assert_eq!(name::eq(a, b), name::cmp(a, b) == Ordering::Equal);
    assert_eq!(name::eq(a, b), a.eq_ignore_ascii_case(b));
    assert!(!name::eq(a, b) || name::hash(a) == name::hash(b));
    near(a, b);
    patterns(a, b);
    pmus(a, b);
}

/// An order for sorting: of any three, too.
fn orders(cmp: fn(&str, &str) -> Ordering, [a, b, c]: [&str; 3]) {
    assert_eq!(cmp(a, a), Ordering::Equal);
    assert_eq!(cmp(a, b), cmp(b, a).reverse());
    let le = |x, y| cmp(x, y) != Ordering::Greater;
    assert!(!(le(a, b) && le(b, c)) || le(a, c), "{a:?} {b:?} {c:?}");
}

fn near(a: &str, b: &str) {
    let longest = a.len().max(b.len());
    let distance = name::distance(a, b, longest);
    assert_eq!(distance, name::distance(b, a, longest));
    if let Some(distance) = distance {
        assert!(distance <= longest && a.len().abs_diff(b.len()) <= distance);
        assert_eq!(distance == 0, name::eq(a, b));
        assert_eq!(name::distance(a, b, distance), Some(distance));
        assert!(distance == 0 || name::distance(a, b, distance - 1).is_none());
    }
}

fn patterns(pattern: &str, text: &str) {
    let matches = glob::matches(pattern, text);
    // Without regard to case, `[!a]` leaves out `A` as well.
    assert!(matches || pattern.contains('[') || !glob::matches_case(pattern, text));
    assert!(glob::matches_case("*", text));
    if !glob::is_pattern(pattern) && !pattern.contains('\\') {
        assert_eq!(glob::matches_case(pattern, text), pattern == text);
    }
}

fn pmus(pmu: &str, written: &str) {
    let base = pmu::base_name(pmu);
    assert!(pmu.starts_with(base));
    // `uncore_7` is not meant by `uncore`: perf drops the prefix first.
    let keeps_prefix = base.starts_with("uncore_") || !pmu.starts_with("uncore_");
    assert!(pmu::matches(pmu, pmu) && (pmu::matches(pmu, base) || !keeps_prefix));
    let _ = (pmu::matches(pmu, written), pmu::is_of_unit(pmu, written), pmu::of_unit(written));
    if !pmu.contains(',') {
        assert!(pmu::is_of_unit(pmu, pmu) && pmu::is_of_unit(pmu, base));
    }
}
