//! The shortest question that differs in the same way.

/// What parts of a question begin and end with.
const SIGNS: &str = ",/:{}=-()+*";

/// Leaves out of a text whatever can be left out while `holds` is still true of
/// what remains: parts of the grammar first, longer ones before shorter ones,
/// then single characters.
pub fn shrink(text: &str, mut holds: impl FnMut(&str) -> bool) -> String {
    let mut text: Vec<char> = text.chars().collect();
    loop {
        let signs = text.iter().enumerate().filter(|(_, c)| SIGNS.contains(**c));
        let mut places: Vec<usize> = signs.flat_map(|(at, _)| [at, at + 1]).collect();
        places.extend([0, text.len()]);
        if !leave_out(&mut text, places, &mut holds) {
            let shorter = (0..text.len()).any(|at| without(&mut text, at, at + 1, &mut holds));
            if !shorter {
                return text.into_iter().collect();
            }
        }
    }
}

/// Leaves out the longest part between two places that can be.
fn leave_out(
    text: &mut Vec<char>,
    mut places: Vec<usize>,
    holds: &mut impl FnMut(&str) -> bool,
) -> bool {
    places.sort_unstable();
    places.dedup();
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for (n, &start) in places.iter().enumerate() {
        parts.extend(places[n + 1..].iter().map(|&end| (start, end)));
    }
    parts.sort_by_key(|&(start, end)| std::cmp::Reverse(end - start));
    parts.into_iter().any(|(start, end)| without(text, start, end, holds))
}

fn without(
    text: &mut Vec<char>,
    start: usize,
    end: usize,
    holds: &mut impl FnMut(&str) -> bool,
) -> bool {
    let rest: String = text[..start].iter().chain(&text[end..]).collect();
    let is_shorter = !rest.is_empty() && holds(&rest);
    if is_shorter {
        text.drain(start..end);
    }
    is_shorter
}

#[test]
fn leaves_what_is_needed() {
    let holds = |text: &str| text.contains('b') && text.matches('(').count() == 1;
    assert_eq!(shrink("aaa(bbb)cc", holds), "(b");
    assert_eq!(shrink("cs,cpu/x/", |text| text.contains("cpu/x/")), "cpu/x/");
    assert_eq!(shrink("x", |_| true), "x");
}
