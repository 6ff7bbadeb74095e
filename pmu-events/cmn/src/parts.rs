//! The driver's names, which consist of parts joined by underscores.

use core::fmt;

/// Strips a first part and the underscore after it.
pub(super) const fn part<'a>(name: &'a [u8], first: &str) -> Option<&'a [u8]> {
    if name.len() <= first.len() || name[first.len()] != b'_' {
        return None;
    }
    let (head, tail) = name.split_at(first.len());
    if is(head, first) { Some(tail.split_at(1).1) } else { None }
}

/// Whether names are equal, ignoring case.
pub(super) const fn is(name: &[u8], expected: &str) -> bool {
    name.eq_ignore_ascii_case(expected.as_bytes())
}

/// Writes parts joined by underscores.
pub(super) fn join<const N: usize>(
    parts: [&'static str; N],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (n, part) in parts.into_iter().enumerate() {
        write!(f, "{}{part}", if n == 0 { "" } else { "_" })?;
    }
    Ok(())
}
