//! Patterns of map files, compiled: expressions become one automaton.

mod automaton;
mod expression;

pub(crate) use automaton::{Automaton, Pattern, Use, build};
pub(crate) use expression::parse;
