use crate::event_list::Tool;

/// The maximum number of operators, parentheses, functions, `if`s and `else`s
/// that may be open at once.
///
/// No metric of Linux 6.12 needs more than 15.
///
/// Each of them holds back at most one value, so evaluating the
/// [`Item`]s in order never needs more than `MAX_DEPTH + 1`
/// values.
pub const MAX_DEPTH: usize = 64;

/// A step of an expression in postfix order: a value to push, or an operation
/// on the values pushed last.
///
/// `N` represents names. `parse` writes them as
/// `Spelling`s, which borrow from the text; a program that
/// keeps an expression can replace them by numbers ([`Item::with_name`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<N> {
    /// Pushes a number, which may be NaN.
    Number(f64),
    /// Pushes a fact of the running machine.
    Literal(Tool),
    /// Pushes the value of an event or of another metric.
    Identifier(N),
    /// Pushes the answer of a function about an event or a CPUID.
    Query(Query, N),
    /// Negates the last value.
    Negate,
    /// Replaces the last two values, left and right, by the operator's result.
    Binary(Operator),
    /// Replaces the function's arguments, which are the last values, by its
    /// result.
    Function(Function),
    /// Replaces the last three values by the first if the second, the
    /// condition, is not zero, otherwise by the third.
    IfElse,
}

impl<N: Copy> Item<N> {
    /// Returns the identifier that the item refers to, with the query if the
    /// item is one.
    ///
    /// ```
    /// use pmu_events::__private::expr::{self, Query};
    ///
    /// let text = r"cycles\-t if has_event(cycles\-ct) else 0";
    /// let mut seen = Vec::new();
    /// expr::parse(text, |item, span| {
    ///     if let Some((identifier, query)) = item.identifier() {
    ///         seen.push((identifier.to_string(), query, span));
    ///     }
    /// })?;
    /// assert_eq!(seen[0], ("cycles-t".into(), None, 0..9));
    /// assert_eq!(seen[1], ("cycles-ct".into(), Some(Query::HasEvent), 23..33));
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    #[must_use]
    pub const fn identifier(&self) -> Option<(N, Option<Query>)> {
        match *self {
            Self::Identifier(identifier) => Some((identifier, None)),
            Self::Query(query, identifier) => Some((identifier, Some(query))),
            _ => None,
        }
    }

    /// The number of values that the item replaces by one.
    pub(crate) const fn takes(&self) -> usize {
        match self {
            Self::Number(_) | Self::Literal(_) | Self::Identifier(_) | Self::Query(..) => 0,
            Self::Negate => 1,
            Self::Binary(_) | Self::Function(_) => 2,
            Self::IfElse => 3,
        }
    }

    /// Returns the item with another name. `name` is called with the name of an
    /// identifier, or with that of a query and the query.
    #[must_use]
    pub fn with_name<M>(self, name: impl FnOnce(N, Option<Query>) -> M) -> Item<M> {
        match self {
            Self::Number(number) => Item::Number(number),
            Self::Literal(literal) => Item::Literal(literal),
            Self::Identifier(own) => Item::Identifier(name(own, None)),
            Self::Query(query, own) => Item::Query(query, name(own, Some(query))),
            Self::Negate => Item::Negate,
            Self::Binary(operator) => Item::Binary(operator),
            Self::Function(function) => Item::Function(function),
            Self::IfElse => Item::IfElse,
        }
    }
}

/// A binary operator. `|`, `^` and `&` test whether their operands are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&`
    And,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`, with the operands truncated to integers
    Remainder,
}

impl Operator {
    /// All operators.
    pub const ALL: &'static [Self] = &[
        Self::Or,
        Self::Xor,
        Self::And,
        Self::Less,
        Self::Greater,
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
    ];

    /// Returns the operator's character.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Self::Or => '|',
            Self::Xor => '^',
            Self::And => '&',
            Self::Less => '<',
            Self::Greater => '>',
            Self::Add => '+',
            Self::Subtract => '-',
            Self::Multiply => '*',
            Self::Divide => '/',
            Self::Remainder => '%',
        }
    }

    /// Returns how tightly the operator binds, from 1: the order of `%left` in
    /// `tools/perf/util/expr.y`. Operators of the same precedence are
    /// left-associative.
    #[must_use]
    pub const fn precedence(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::Xor => 2,
            Self::And => 3,
            Self::Less | Self::Greater => 4,
            Self::Add | Self::Subtract => 5,
            Self::Multiply | Self::Divide | Self::Remainder => 6,
        }
    }
}

/// A function of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `d_ratio(a, b)`: `a / b`, or 0 if `b` is 0
    DRatio,
}

impl Function {
    /// All functions.
    pub const ALL: &'static [Self] = &[Self::Min, Self::Max, Self::DRatio];

    /// Returns the name of the function.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::DRatio => "d_ratio",
        }
    }

    /// Returns the number of arguments.
    #[must_use]
    pub const fn arity(self) -> u8 {
        match self {
            Self::Min | Self::Max | Self::DRatio => 2,
        }
    }
}

/// A function of one identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Query {
    /// `source_count(event)`: the number of counters whose counts are summed in
    /// the event's value
    SourceCount,
    /// `aggr_nr(event)`: the number of counts aggregated in the event's value;
    /// newer than perf 6.12
    AggrNr,
    /// `has_event(event)`: 1 if the machine has the event, otherwise 0
    HasEvent,
    /// `strcmp_cpuid_str(cpuid)`: 1 if the machine's CPUID matches, otherwise
    /// 0
    StrcmpCpuidStr,
}

impl Query {
    /// All queries.
    pub const ALL: &'static [Self] =
        &[Self::SourceCount, Self::AggrNr, Self::HasEvent, Self::StrcmpCpuidStr];

    /// Returns the name of the function.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SourceCount => "source_count",
            Self::AggrNr => "aggr_nr",
            Self::HasEvent => "has_event",
            Self::StrcmpCpuidStr => "strcmp_cpuid_str",
        }
    }
}

/// The literals: facts about the running machine (`expr__get_literal` in
/// `tools/perf/util/expr.c`), which are tool events, too. The tables have their places here.
pub const LITERALS: &[Tool] = &[
    Tool::NumCpus,
    Tool::NumCpusOnline,
    Tool::NumCores,
    Tool::NumDies,
    Tool::NumPackages,
    Tool::SmtOn,
    Tool::CoreWide,
    Tool::SystemTscFreq,
    Tool::Slots,
    Tool::HasPmem,
    Tool::TargetCpu,
];

/// Finds a literal by its name, which begins with `#`. As in perf, case matters except for
/// `#smt_on` and `#system_tsc_freq`.
///
/// ```
/// use pmu_events::__private::expr::literal_named;
/// use pmu_events::event_list::Tool;
///
/// assert_eq!(literal_named("#SMT_on"), Some(Tool::SmtOn));
/// assert_eq!(literal_named("#Slots"), None);
/// ```
#[must_use]
pub fn literal_named(name: &str) -> Option<Tool> {
    LITERALS.iter().copied().find(|&literal| match literal {
        Tool::SmtOn | Tool::SystemTscFreq => literal_name(literal).eq_ignore_ascii_case(name),
        _ => literal_name(literal) == name,
    })
}

/// Returns the name of a literal, with its `#`; of a time, which is none, that of the event.
#[must_use]
pub const fn literal_name(literal: Tool) -> &'static str {
    match literal {
        Tool::NumCpus => "#num_cpus",
        Tool::NumCpusOnline => "#num_cpus_online",
        Tool::NumCores => "#num_cores",
        Tool::NumDies => "#num_dies",
        Tool::NumPackages => "#num_packages",
        Tool::SmtOn => "#smt_on",
        Tool::CoreWide => "#core_wide",
        Tool::SystemTscFreq => "#system_tsc_freq",
        Tool::Slots => "#slots",
        Tool::HasPmem => "#has_pmem",
        Tool::TargetCpu => "#target_cpu",
        Tool::DurationTime | Tool::UserTime | Tool::SystemTime => literal.name(),
    }
}
