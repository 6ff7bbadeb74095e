//! Descriptions.

use super::fields::Metric;

/// Brief and public description: the first sentence, and all sentences plus the
/// metrics to look at next.
pub(super) fn descriptions(
    metric: &Metric<'_>,
    name: &str,
    related: Vec<String>,
) -> (String, Option<String>) {
    let whole = metric.description.text.trim();
    let first = first_sentence(whole);
    let mut public = whole.to_owned();
    let events: Vec<&str> = metric.sample_with().filter(|event| *event != name).collect();
    for (what, names) in
        [("Sample with", events.join(", ")), ("Related metrics", related.join(", "))]
    {
        if !names.is_empty() {
            let space = if public.ends_with('.') { " " } else { ". " };
            public = format!("{public}{space}{what}: {names}");
        }
    }
    let brief = first.strip_suffix('.').unwrap_or(first).to_owned();
    let is_more = public.trim_end_matches('.') != brief;
    (brief, is_more.then_some(public))
}

/// A sentence ends with a full stop and a space, unless it is part of `i.e.` or
/// the like.
fn first_sentence(text: &str) -> &str {
    const ABBREVIATIONS: [&str; 4] = ["i.e.", "e.g.", "etc.", "vs."];
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let is_end = |end: &usize| !ABBREVIATIONS.iter().any(|word| text[..*end].ends_with(word));
    ends.into_iter().find(is_end).map_or(text, |end| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn sentences() {
        let cases = [
            ("One. Two.", "One."),
            ("One", "One"),
            ("One, i.e. the first. Two.", "One, i.e. the first."),
            ("Of 3.5 parts. Two", "Of 3.5 parts."),
        ];
        for (text, expected) in cases {
            assert_eq!(first_sentence(text), expected, "{text}");
        }
    }
}
