//! Why a metric has its place.

use std::fmt;

/// The rule that gives a metric its place in the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// Its groups make it a node of the first level.
    FirstLevel,
    /// A group names its parent: `tma_frontend_bound_group`.
    Group,
    /// Its threshold names the metric above.
    Threshold,
    /// A sum or difference of metrics or events has it as a part.
    Formula,
    /// It is divided by what the metric above is.
    Divisor,
    /// Its name begins like that of the metric above.
    Name,
    /// Its group names a part of the core: `Topdown_Frontend`.
    PartOfCore,
    /// It is in a CPI stack, which has one top.
    Stack,
    /// It explains the metric above, of which it is no part.
    Indicator,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::FirstLevel => "first level",
            Rule::Group => "group",
            Rule::Threshold => "threshold",
            Rule::Formula => "formula",
            Rule::Divisor => "divisor",
            Rule::Name => "name",
            Rule::PartOfCore => "part of the core",
            Rule::Stack => "stack",
            Rule::Indicator => "indicator",
        })
    }
}
