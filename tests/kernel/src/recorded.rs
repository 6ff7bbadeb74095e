//! What perf answered, recorded.

/// Event strings and what perf opens, as they stand in the file.
pub const LISTS: &str = include_str!("../cases/attributes/lists.txt");

/// The event strings of `cases/attributes/lists.txt`, each behind its machine,
/// and the fields of what is opened: none where perf refuses it.
///
/// # Panics
///
/// When the file begins with an attribute.
#[must_use]
pub fn lists() -> Vec<(&'static str, Vec<Vec<String>>)> {
    let mut cases: Vec<(&str, Vec<Vec<String>>)> = Vec::new();
    for line in LISTS.lines() {
        match line.strip_prefix('\t') {
            Some(attribute) => {
                let fields = attribute.split('\t').map(String::from).collect();
                cases.last_mut().expect("a case stands before its attributes").1.push(fields);
            }
            None => cases.push((line, Vec::new())),
        }
    }
    cases
}
