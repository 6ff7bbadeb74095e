//! Tests of the whole pipeline.

mod large;
mod linear;
pub(crate) mod random;
