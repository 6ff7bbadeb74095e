//! Sorting, compiled once.
//!
//! The standard library's sort is some two thousand lines of intermediate code for each type
//! and comparison, which every first build of a program would wait for. This one sorts
//! numbers of items, and only moves the items for each type.

use core::cmp::Ordering;
use std::vec::Vec;

/// Sorts items; equal ones keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let swaps = swaps(items.len(), &|a, b| compare(&items[a], &items[b]));
    let mut place = 0;
    while place < swaps.len() {
        items.swap(place, swaps[place]);
        place += 1;
    }
}

/// For each place in turn, the place whose item belongs there at that moment.
fn swaps(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order = sorted(0, len, compare);
    for place in 0..len {
        // What was in an earlier place has been swapped away from it, perhaps several times.
        let mut from = order[place];
        while from < place {
            from = order[from];
        }
        order[place] = from;
    }
    order
}

/// The numbers of a range in their order, by merging.
fn sorted(start: usize, end: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut merged = Vec::with_capacity(end - start);
    if end - start < 2 {
        merged.extend(start..end);
        return merged;
    }
    let middle = start + (end - start) / 2;
    let (left, right) = (sorted(start, middle, compare), sorted(middle, end, compare));
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        // Of equal ones, the left comes first.
        if compare(left[l], right[r]).is_le() {
            merged.push(left[l]);
            l += 1;
        } else {
            merged.push(right[r]);
            r += 1;
        }
    }
    merged.extend_from_slice(&left[l..]);
    merged.extend_from_slice(&right[r..]);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order of up to seven items, some of which are equal.
    #[test]
    fn as_the_standard_library_sorts() {
        fn check(items: &mut Vec<(u8, usize)>, rest: usize) {
            let (mut ours, mut theirs) = (items.clone(), items.clone());
            sort_by(&mut ours, |a, b| a.0.cmp(&b.0));
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs, "{items:?}");
            if rest > 0 {
                for key in 0..4 {
                    items.push((key, items.len()));
                    check(items, rest - 1);
                    items.pop();
                }
            }
        }
        check(&mut Vec::new(), 7);
        let rotated = |by: usize| (0..1000).map(move |n| (n + by) % 1000);
        for mut items in [1, 500, 999].map(|by| rotated(by).collect::<Vec<usize>>()) {
            sort_by(&mut items, Ord::cmp);
            assert!(items.is_sorted());
        }
    }
}
