//! What keeps the compiler fast in a dev build, which does not optimise it: several
//! threads, numbers instead of strings, and steps that tests count.

pub(crate) mod intern;
pub(crate) mod parallel;
pub(crate) mod steps;
