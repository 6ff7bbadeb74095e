//! Side by side with perf, in quantity: random questions, asked of both.
//!
//! | module | has |
//! |---|---|
//! | [`perf`] | perf's answers |
//! | [`random`] | chance that a seed repeats |
//! | [`events`], [`patterns`], [`formulas`] | the grammars that questions come from |
//! | [`differences`] | the table of deliberate differences |

pub mod differences;
pub mod events;
pub mod formulas;
pub mod patterns;
pub mod perf;
pub mod random;
