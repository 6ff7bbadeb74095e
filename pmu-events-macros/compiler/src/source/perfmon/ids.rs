//! One pattern for the CPUIDs of a model.

/// The pattern that perf's script writes for some CPUIDs: what they begin with
/// alike, and then their ends, as a set if the first has one character and as
/// alternatives otherwise. What a CPUID has of brackets stays.
pub(super) fn pattern(ids: &[&str]) -> String {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let [first, others @ ..] = &sorted[..] else {
        return String::new();
    };
    let Some(last) = others.last() else {
        return (*first).to_owned();
    };
    // Sorted: what the first and the last share, all share.
    let common = first.bytes().zip(last.bytes()).take_while(|(a, b)| a == b).count();
    let common = (0..=common).rev().find(|&at| first.is_char_boundary(at)).unwrap_or(0);
    let ends: Vec<&str> = sorted.iter().map(|id| &id[common..]).collect();
    let prefix = &first[..common];
    if ends[0].len() > 1 {
        format!("{prefix}({})", ends.join("|"))
    } else {
        format!("{prefix}[{}]", ends.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let cases: &[(&[&str], &str)] = &[
            (&["GenuineIntel-6-BE"], "GenuineIntel-6-BE"),
            (&["GenuineIntel-6-55-[01234]"], "GenuineIntel-6-55-[01234]"),
            (&["GenuineIntel-6-AE", "GenuineIntel-6-AD"], "GenuineIntel-6-A[DE]"),
            (&["GenuineIntel-18-1", "GenuineIntel-18-3"], "GenuineIntel-18-[13]"),
            (&["X-6-97", "X-6-BA", "X-6-B7"], "X-6-(97|B7|BA)"),
            (&["X-6-9C", "X-6-96", "X-6-9C"], "X-6-9[6C]"),
            // The first decides.
            (&["X-1", "X-12"], "X-1[2]"),
            (&[], ""),
        ];
        for (ids, expected) in cases {
            assert_eq!(pattern(ids), *expected, "{ids:?}");
        }
    }
}
