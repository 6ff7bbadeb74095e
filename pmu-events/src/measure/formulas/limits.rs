//! How much a user may write.

/// The maximum length of a text of formulas in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// The maximum number of formulas in a text.
pub const MAX_FORMULAS: usize = 1024;

/// The maximum number of names in a formula, as in a formula of a tree.
pub const MAX_NAMES: usize = 255;
