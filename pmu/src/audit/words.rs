//! The words of names: `IntelSandyBridge`, `L1_Any_Fills_DRAM`, `cas_count.rd`.

/// The words in lower case. A capital letter begins a word behind a small one, and before one.
pub(crate) fn of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let characters: Vec<char> = text.chars().collect();
    for (n, &c) in characters.iter().enumerate() {
        if !c.is_ascii_alphanumeric() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        let before = n.checked_sub(1).map(|n| characters[n]);
        let after = characters.get(n + 1);
        let is_after_small = before.is_some_and(|before| before.is_ascii_lowercase());
        let is_before_small = before.is_some_and(|before| before.is_ascii_uppercase())
            && after.is_some_and(char::is_ascii_lowercase);
        if c.is_ascii_uppercase() && (is_after_small || is_before_small) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.push(c.to_ascii_lowercase());
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn words_of_names() {
        for (text, expected) in [
            ("IntelSandyBridge", "intel sandy bridge"),
            ("perfmon_skylakeX_events", "perfmon skylake x events"),
            ("haswellEP", "haswell ep"),
            ("ARMNeoverseN1", "arm neoverse n1"),
            ("L1_Any_Fills_DRAM", "l1 any fills dram"),
            ("cas_count.rd", "cas count rd"),
            ("zen4c", "zen4c"),
            ("", ""),
            ("µ--", ""),
        ] {
            assert_eq!(of(text).join(" "), expected, "{text}");
        }
    }
}
