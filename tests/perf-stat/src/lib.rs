//! `pmu` under the name `perf`, beside perf 6.12.
//!
//! | module | contents |
//! |---|---|
//! | [`combinations`] | the command lines |
//! | [`run`] | what a program writes, and where |
//! | [`mask`] | the same without measured numbers |
//! | [`differences`] | what remains, with reasons |
//! | [`options`] | the options in the source of perf |

pub mod combinations;
pub mod differences;
pub mod mask;
pub mod options;
pub mod run;
