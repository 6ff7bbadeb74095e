/// How many operators, parentheses, functions, `if`s and `else`s may wait for
/// their end at once. No metric of Linux 6.12 needs more than 15.
///
/// Each of them holds back one value at most, so whoever evaluates the
/// [`Item`](super::Item)s in order never has more than `MAX_DEPTH + 1` values.
pub const MAX_DEPTH: usize = 64;
