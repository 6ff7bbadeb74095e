//! Patterns of map files, compiled: plain text becomes a sorted list, and
//! everything else one automaton.

mod expression;
mod machine;
mod naive;
mod set;
#[cfg(test)]
mod tests;
mod uses;

pub(crate) use machine::Machine;
pub(crate) use set::{Builder, Set};
pub(crate) use uses::Use;
