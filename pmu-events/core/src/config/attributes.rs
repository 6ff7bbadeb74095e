//! Terms that are perf's own and set no bits.

use super::error::{Error, ErrorKind};
use crate::format::Word;
use crate::term::Term;

/// What a list of terms says besides the config words. `None` is what it does
/// not say.
///
/// The terms are those of `tools/perf/util/parse-events.l`; what `perf record`
/// does with them is in `perf-list(1)` and `perf-record(1)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attributes<'a> {
    /// `name=…`: what to call the event.
    pub name: Option<&'a str>,
    /// `metric-id=…`: what a metric's expression calls the event.
    pub metric_id: Option<&'a str>,
    /// `period=…` or `freq=…`, whichever is last. A period of a table's event
    /// yields to one that the user gave otherwise (perf's `weak`).
    pub sampling: Option<Sampling>,
    /// `percore=…`: the count is of the core, all its threads.
    pub percore: Option<bool>,
    /// `time=…`: samples have a time.
    pub time: Option<bool>,
    /// `call-graph=…`: how to record the call chain (`fp`, `dwarf`, `lbr`,
    /// `no`).
    pub call_graph: Option<&'a str>,
    /// `stack-size=…`: bytes of the user's stack to dump.
    pub stack_size: Option<u64>,
    /// `max-stack=…`: the most frames of a call chain.
    pub max_stack: Option<u64>,
    /// `nr=…`: how many samples to take.
    pub max_events: Option<u64>,
    /// `branch_type=…`: which branches to record.
    pub branch_type: Option<&'a str>,
    /// `inherit`, `no-inherit`: whether children are counted.
    pub inherit: Option<bool>,
    /// `overwrite`, `no-overwrite`: whether a full buffer is written over.
    pub overwrite: Option<bool>,
    /// `aux-output`: samples go to the AUX area.
    pub aux_output: Option<bool>,
    /// `aux-sample-size=…`: bytes of the AUX area to a sample.
    pub aux_sample_size: Option<u32>,
    /// `@…`: a setting of the PMU's driver, without the `@`.
    pub driver: Option<Term<'a>>,
}

/// When a sample is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// After so many events.
    Period(u64),
    /// So many times a second.
    Frequency(u64),
}

impl<'a> Attributes<'a> {
    pub(super) const NONE: Self = Attributes {
        name: None,
        metric_id: None,
        sampling: None,
        percore: None,
        time: None,
        call_graph: None,
        stack_size: None,
        max_stack: None,
        max_events: None,
        branch_type: None,
        inherit: None,
        overwrite: None,
        aux_output: None,
        aux_sample_size: None,
        driver: None,
    };

    /// Whether a term of this name is one of these: perf's own, which sets no
    /// bits.
    ///
    /// ```
    /// use pmu_events::config::Attributes;
    /// assert!(Attributes::has("period") && Attributes::has("@sink"));
    /// assert!(!Attributes::has("umask") && !Attributes::has("config1"));
    /// ```
    #[must_use]
    pub const fn has(name: &str) -> bool {
        matches!(Own::named(name), Some(Own::Text(_) | Own::Number(_) | Own::Driver))
    }

    /// The period, where that is what the terms say of sampling.
    #[must_use]
    #[inline]
    pub const fn period(&self) -> Option<u64> {
        match self.sampling {
            Some(Sampling::Period(period)) => Some(period),
            _ => None,
        }
    }

    /// The frequency, where that is what the terms say of sampling.
    #[must_use]
    #[inline]
    pub const fn frequency(&self) -> Option<u64> {
        match self.sampling {
            Some(Sampling::Frequency(frequency)) => Some(frequency),
            _ => None,
        }
    }

    /// Takes over what a term says.
    #[inline]
    pub(super) const fn set(&mut self, own: Own, term: Term<'a>) -> Result<(), Error<'a>> {
        match own {
            Own::Text(text) => {
                let Some(value) = term.value else {
                    return Err(Error::new(ErrorKind::NoText, term));
                };
                match text {
                    // Of names the first counts (`get_config_str` in
                    // `tools/perf/util/parse-events.c`).
                    Text::Name if self.name.is_none() => self.name = Some(value),
                    Text::MetricId if self.metric_id.is_none() => self.metric_id = Some(value),
                    Text::Name | Text::MetricId => {}
                    Text::CallGraph => self.call_graph = Some(value),
                    Text::BranchType => self.branch_type = Some(value),
                }
            }
            Own::Number(number) => {
                let Some(value) = term.number() else {
                    return Err(Error::new(ErrorKind::NotANumber, term));
                };
                if value > number.max() {
                    return Err(Error::too_large(value, number.max(), term));
                }
                let yes = value != 0;
                match number {
                    Number::Period => self.sampling = Some(Sampling::Period(value)),
                    Number::Frequency => self.sampling = Some(Sampling::Frequency(value)),
                    Number::Percore => self.percore = Some(yes),
                    Number::Time => self.time = Some(yes),
                    Number::StackSize => self.stack_size = Some(value),
                    Number::MaxStack => self.max_stack = Some(value),
                    Number::MaxEvents => self.max_events = Some(value),
                    Number::Inherit => self.inherit = Some(yes),
                    Number::NoInherit => self.inherit = Some(!yes),
                    Number::Overwrite => self.overwrite = Some(yes),
                    Number::NoOverwrite => self.overwrite = Some(!yes),
                    Number::AuxOutput => self.aux_output = Some(yes),
                    Number::AuxSampleSize => self.aux_sample_size = Some(value as u32),
                }
            }
            Own::Driver => {
                let (_, name) = term.name.split_at(1);
                self.driver = Some(Term { name, value: term.value });
            }
            Own::Word(_) => {}
        }
        Ok(())
    }
}

/// One of perf's own terms.
#[derive(Clone, Copy)]
pub(super) enum Own {
    Word(Word),
    Text(Text),
    Number(Number),
    Driver,
}

#[derive(Clone, Copy)]
pub(super) enum Text {
    Name,
    MetricId,
    CallGraph,
    BranchType,
}

#[derive(Clone, Copy)]
pub(super) enum Number {
    Period,
    Frequency,
    Percore,
    Time,
    StackSize,
    MaxStack,
    MaxEvents,
    Inherit,
    NoInherit,
    Overwrite,
    NoOverwrite,
    AuxOutput,
    AuxSampleSize,
}

impl Own {
    /// The term of a name (`config_term_names` in
    /// `tools/perf/util/parse-events.c`).
    #[inline]
    pub(super) const fn named(name: &str) -> Option<Own> {
        Some(match name.as_bytes() {
            b"config" => Own::Word(Word::Config),
            b"config1" => Own::Word(Word::Config1),
            b"config2" => Own::Word(Word::Config2),
            b"config3" => Own::Word(Word::Config3),
            b"name" => Own::Text(Text::Name),
            b"metric-id" => Own::Text(Text::MetricId),
            b"call-graph" => Own::Text(Text::CallGraph),
            b"branch_type" => Own::Text(Text::BranchType),
            b"period" => Own::Number(Number::Period),
            b"freq" => Own::Number(Number::Frequency),
            b"percore" => Own::Number(Number::Percore),
            b"time" => Own::Number(Number::Time),
            b"stack-size" => Own::Number(Number::StackSize),
            b"max-stack" => Own::Number(Number::MaxStack),
            b"nr" => Own::Number(Number::MaxEvents),
            b"inherit" => Own::Number(Number::Inherit),
            b"no-inherit" => Own::Number(Number::NoInherit),
            b"overwrite" => Own::Number(Number::Overwrite),
            b"no-overwrite" => Own::Number(Number::NoOverwrite),
            b"aux-output" => Own::Number(Number::AuxOutput),
            b"aux-sample-size" => Own::Number(Number::AuxSampleSize),
            [b'@', ..] => Own::Driver,
            _ => return None,
        })
    }
}

impl Number {
    /// The largest number that perf takes (`config_term_common`).
    const fn max(self) -> u64 {
        match self {
            Number::Percore | Number::Time => 1,
            Number::AuxSampleSize => u32::MAX as u64,
            _ => u64::MAX,
        }
    }
}
