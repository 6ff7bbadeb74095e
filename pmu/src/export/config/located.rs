//! Values that know their place.

/// A value, and the offset of its first byte in the configuration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Located<T> {
    pub(crate) value: T,
    pub(crate) at: usize,
}
