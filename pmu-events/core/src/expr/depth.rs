/// The maximum number of operators, parentheses, functions, `if`s and `else`s
/// that may be open at once. No metric of Linux 6.12 needs more than 15.
///
/// Each of them holds back at most one value, so evaluating the
/// [`Item`](super::Item)s in order never needs more than `MAX_DEPTH + 1`
/// values.
pub const MAX_DEPTH: usize = 64;
