//! Finding names similar to a written one.

use crate::name;

/// The most similar of some names, if it is similar enough: at most a third of
/// its letters may be wrong, and never more than three.
pub(super) fn among(
    written: &str,
    names: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let limit = (written.len() / 3).min(3);
    let near = names.into_iter().filter_map(|known| {
        let distance = name::distance(written, known, limit)?;
        Some((distance, known))
    });
    near.min_by_key(|&(distance, _)| distance).map(|(_, known)| known)
}
