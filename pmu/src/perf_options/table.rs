//! The options of perf, and what becomes of each. The manual, the options that are accepted without
//! effect, and those that are refused are made from the tables of the commands.

/// An option of a command of perf.
#[derive(Debug)]
pub struct PerfOption {
    /// Empty if it has only a letter.
    pub long: &'static str,
    pub short: Option<char>,
    /// What its value is called; empty without one.
    pub value: &'static str,
    /// Whether the value may be left out.
    pub is_optional: bool,
    /// Whether only a perf after that of Linux 6.12 has it.
    pub is_later: bool,
    pub verdict: Verdict,
}

/// What becomes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// How it differs, and why.
    Differs(&'static str),
    /// It is accepted, and has no effect: why.
    Accepted(&'static str),
    /// Why it is refused.
    Refused(&'static str),
}

pub const fn flag(long: &'static str, short: Option<char>, verdict: Verdict) -> PerfOption {
    PerfOption { long, short, value: "", is_optional: false, is_later: false, verdict }
}

pub const fn with(
    long: &'static str,
    short: Option<char>,
    value: &'static str,
    verdict: Verdict,
) -> PerfOption {
    PerfOption { long, short, value, is_optional: false, is_later: false, verdict }
}

pub const fn optional(option: PerfOption) -> PerfOption {
    PerfOption { is_optional: true, ..option }
}

pub const fn later(option: PerfOption) -> PerfOption {
    PerfOption { is_later: true, ..option }
}
