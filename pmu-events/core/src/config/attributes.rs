//! perf's own terms that set no bits.

use super::error::{Error, ErrorKind};
use crate::format::Word;
use crate::term::{PerfTerm, Takes, Term};

/// The settings in a list of terms other than config words. `None` means that
/// no term sets it.
///
/// The terms are those of `tools/perf/util/parse-events.l`; what `perf record`
/// does with them is in `perf-list(1)` and `perf-record(1)`.
///
/// ```
/// use pmu_events::{builtin, config, term::Terms};
///
/// let encoded = config::encode(Terms::new("event=0x3c,period=1000"), builtin::INTEL)?;
/// assert_eq!(encoded.attributes().period(), Some(1000));
/// # Ok::<(), config::Error<'static>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attributes<'a> {
    pub(crate) name: Option<&'a str>,
    pub(crate) metric_id: Option<&'a str>,
    pub(crate) sampling: Option<Sampling>,
    pub(crate) percore: Option<bool>,
    pub(crate) time: Option<bool>,
    pub(crate) call_graph: Option<&'a str>,
    pub(crate) stack_size: Option<u64>,
    pub(crate) max_stack: Option<u64>,
    pub(crate) max_events: Option<u64>,
    pub(crate) branch_type: Option<&'a str>,
    pub(crate) inherit: Option<bool>,
    pub(crate) overwrite: Option<bool>,
    pub(crate) aux_output: Option<bool>,
    pub(crate) aux_action: Option<&'a str>,
    pub(crate) aux_sample_size: Option<u32>,
    pub(crate) cpu: Option<&'a str>,
    pub(crate) ratio_to_prev: Option<&'a str>,
    pub(crate) driver: Option<Term<'a>>,
}

impl<'a> Attributes<'a> {
    /// Returns `name=…`: the displayed name of the event.
    #[must_use]
    pub const fn name(&self) -> Option<&'a str> {
        self.name
    }

    /// Returns `metric-id=…`: the name of the event in a metric's expression.
    #[must_use]
    pub const fn metric_id(&self) -> Option<&'a str> {
        self.metric_id
    }

    /// Returns `period=…` or `freq=…`, whichever comes last. The period of a table's
    /// event yields to one that the user sets elsewhere (perf's `weak`).
    #[must_use]
    pub const fn sampling(&self) -> Option<Sampling> {
        self.sampling
    }

    /// Returns `percore=…`: the count covers all hardware threads of the core.
    #[must_use]
    pub const fn percore(&self) -> Option<bool> {
        self.percore
    }

    /// Returns `time=…`: samples have a time stamp.
    #[must_use]
    pub const fn time(&self) -> Option<bool> {
        self.time
    }

    /// Returns `call-graph=…`: how to record the call chain (`fp`, `dwarf`, `lbr`,
    /// `no`).
    #[must_use]
    pub const fn call_graph(&self) -> Option<&'a str> {
        self.call_graph
    }

    /// Returns `stack-size=…`: the number of bytes of the user stack to dump.
    #[must_use]
    pub const fn stack_size(&self) -> Option<u64> {
        self.stack_size
    }

    /// Returns `max-stack=…`: the maximum number of frames in a call chain.
    #[must_use]
    pub const fn max_stack(&self) -> Option<u64> {
        self.max_stack
    }

    /// Returns `nr=…`: the number of samples to take.
    #[must_use]
    pub const fn max_events(&self) -> Option<u64> {
        self.max_events
    }

    /// Returns `branch_type=…`: which branches to record.
    #[must_use]
    pub const fn branch_type(&self) -> Option<&'a str> {
        self.branch_type
    }

    /// Returns `inherit`, `no-inherit`: whether children are counted.
    #[must_use]
    pub const fn inherit(&self) -> Option<bool> {
        self.inherit
    }

    /// Returns `overwrite`, `no-overwrite`: whether a full buffer is overwritten.
    #[must_use]
    pub const fn overwrite(&self) -> Option<bool> {
        self.overwrite
    }

    /// Returns `aux-output`: samples go to the AUX area.
    #[must_use]
    pub const fn aux_output(&self) -> Option<bool> {
        self.aux_output
    }

    /// Returns `aux-action=…`: what the event does to the trace into the AUX area (`pause`,
    /// `resume`, `start-paused`).
    #[must_use]
    pub const fn aux_action(&self) -> Option<&'a str> {
        self.aux_action
    }

    /// Returns `aux-sample-size=…`: the number of bytes of the AUX area per sample.
    #[must_use]
    pub const fn aux_sample_size(&self) -> Option<u32> {
        self.aux_sample_size
    }

    /// Returns `cpu=…`: the CPUs on which the event is opened: a number, a range, or the name of
    /// a PMU that has such a list. All terms together make up the CPUs; this is the
    /// last.
    #[must_use]
    pub const fn cpu(&self) -> Option<&'a str> {
        self.cpu
    }

    /// Returns `ratio-to-prev=…`: the sampling period, divided by that of the previous event of
    /// the group.
    #[must_use]
    pub const fn ratio_to_prev(&self) -> Option<&'a str> {
        self.ratio_to_prev
    }

    /// Returns `@…`: a setting of the PMU's driver, without the `@`.
    #[must_use]
    pub const fn driver(&self) -> Option<Term<'a>> {
        self.driver
    }
}

/// When a sample is taken.
///
/// ```
/// use pmu_events::{arch::x86, builtin, config::Sampling};
///
/// let event = x86::SILVERMONT.require("INST_RETIRED.ANY");
/// let encoded = event.encode(builtin::INTEL)?;
/// assert_eq!(encoded.attributes().sampling(), Some(Sampling::Period(2_000_003)));
/// # Ok::<(), pmu_events::config::Error<'static>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// After this number of events.
    Period(u64),
    /// This number of times a second.
    Frequency(u64),
}

impl<'a> Attributes<'a> {
    /// Replaces the period or frequency.
    #[must_use]
    pub const fn with_sampling(mut self, sampling: Option<Sampling>) -> Self {
        self.sampling = sampling;
        self
    }

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
        aux_action: None,
        aux_sample_size: None,
        cpu: None,
        ratio_to_prev: None,
        driver: None,
    };

    /// Returns the sampling period, if the terms set one.
    #[must_use]
    #[inline]
    pub const fn period(&self) -> Option<u64> {
        match self.sampling {
            Some(Sampling::Period(period)) => Some(period),
            _ => None,
        }
    }

    /// Returns the sampling frequency, if the terms set one.
    #[must_use]
    #[inline]
    pub const fn frequency(&self) -> Option<u64> {
        match self.sampling {
            Some(Sampling::Frequency(frequency)) => Some(frequency),
            _ => None,
        }
    }

    /// Stores the setting of a term that is not a config word.
    #[inline]
    pub(super) const fn set(&mut self, own: PerfTerm, term: Term<'a>) -> Result<(), Error<'a>> {
        let max = match own.takes() {
            Takes::Text | Takes::Cpus | Takes::Ratio => return self.set_text(own, term),
            Takes::Number { max } => max,
        };
        let Some(value) = term.number() else {
            return Err(Error::new(ErrorKind::NotANumber, term));
        };
        if value > max {
            return Err(Error::too_large(max, term));
        }
        let yes = value != 0;
        match own {
            PerfTerm::Period => self.sampling = Some(Sampling::Period(value)),
            PerfTerm::Freq => self.sampling = Some(Sampling::Frequency(value)),
            PerfTerm::Percore => self.percore = Some(yes),
            PerfTerm::Time => self.time = Some(yes),
            PerfTerm::StackSize => self.stack_size = Some(value),
            PerfTerm::MaxStack => self.max_stack = Some(value),
            PerfTerm::MaxEvents => self.max_events = Some(value),
            PerfTerm::Inherit => self.inherit = Some(yes),
            PerfTerm::NoInherit => self.inherit = Some(!yes),
            PerfTerm::Overwrite => self.overwrite = Some(yes),
            PerfTerm::NoOverwrite => self.overwrite = Some(!yes),
            PerfTerm::AuxOutput => self.aux_output = Some(yes),
            PerfTerm::AuxSampleSize => self.aux_sample_size = Some(value as u32),
            PerfTerm::Config
            | PerfTerm::Config1
            | PerfTerm::Config2
            | PerfTerm::Config3
            | PerfTerm::Config4
            | PerfTerm::Name
            | PerfTerm::MetricId
            | PerfTerm::CallGraph
            | PerfTerm::BranchType
            | PerfTerm::AuxAction
            | PerfTerm::Cpu
            | PerfTerm::RatioToPrev => {}
        }
        Ok(())
    }

    const fn set_text(&mut self, own: PerfTerm, term: Term<'a>) -> Result<(), Error<'a>> {
        let Some(value) = term.value else {
            return Err(Error::new(ErrorKind::NoText, term));
        };
        match own {
            // The first of several names takes effect (`get_config_str` in
            // `tools/perf/util/parse-events.c`).
            PerfTerm::Name if self.name.is_none() => self.name = Some(value),
            PerfTerm::MetricId if self.metric_id.is_none() => self.metric_id = Some(value),
            PerfTerm::CallGraph => self.call_graph = Some(value),
            PerfTerm::BranchType => self.branch_type = Some(value),
            PerfTerm::AuxAction => self.aux_action = Some(value),
            PerfTerm::Cpu => self.cpu = Some(value),
            PerfTerm::RatioToPrev => self.ratio_to_prev = Some(value),
            _ => {}
        }
        Ok(())
    }

    /// Stores a setting of the PMU's driver, with the `@`.
    #[inline]
    pub(super) const fn set_driver(&mut self, term: Term<'a>) {
        let (_, name) = term.name.split_at(1);
        self.driver = Some(Term::new(name, term.value));
    }
}

/// Whether a term is a setting of the PMU's driver.
#[inline]
pub(super) const fn is_of_driver(name: &str) -> bool {
    matches!(name.as_bytes(), [b'@', ..])
}

/// Whether this is the name of one of perf's own terms that set no bits.
///
/// ```
/// use pmu_events::__private::config::is_attribute;
///
/// assert!(is_attribute("period") && is_attribute("@sink"));
/// assert!(!is_attribute("umask") && !is_attribute("config1"));
/// ```
#[must_use]
pub const fn is_attribute(name: &str) -> bool {
    match PerfTerm::named(name) {
        Some(own) => word_of(own).is_none(),
        None => is_of_driver(name),
    }
}

/// The word that one of perf's own terms assigns.
#[inline]
pub(super) const fn word_of(own: PerfTerm) -> Option<Word> {
    Some(match own {
        PerfTerm::Config => Word::Config,
        PerfTerm::Config1 => Word::Config1,
        PerfTerm::Config2 => Word::Config2,
        PerfTerm::Config3 => Word::Config3,
        PerfTerm::Config4 => Word::Config4,
        _ => return None,
    })
}
