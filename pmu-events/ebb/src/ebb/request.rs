use super::attr::{BranchAttr, BranchTarget, MAX_EVENTS};
use super::check::check;
use super::rule::{Broken, Rule};
use crate::power::{BHRB, EBB, Fields, Generation, IFM};
use pmu_events_core::format::{Word, Words};
use pmu_events_core::perf_type;
use pmu_events_core::{Event, pmu};

/// The branches that the branch history records (`IFM` of `MMCRA`; the names
/// are those of `power10_bhrb_filter_map` in
/// `arch/powerpc/perf/power10-pmu.c`).
///
/// ```
/// use pmu_events::ebb::{BranchFilter, Builder};
/// use pmu_events::power::Generation;
///
/// let calls = Builder::new(Generation::Power10).raw(0x1e).on(1).bhrb(BranchFilter::Calls);
/// assert!(calls.build().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum BranchFilter {
    /// All branches.
    All = 0,
    /// Calls.
    Calls = 1,
    /// Indirect calls.
    IndirectCalls = 2,
    /// Conditional branches.
    Conditional = 3,
}

/// Builds the attributes of an event-based branch, or of a group of them, whose
/// leader is the first event.
///
/// Per-event methods apply to the most recently added event. Errors are
/// collected, and [`build`](Self::build) reports all of them.
///
/// ```
/// use pmu_events::ebb::Builder;
/// use pmu_events::power::Generation;
/// let group = Builder::new(Generation::Power10).raw(0x1e).on(2).user_only().build()?;
/// let [cycles] = group.attributes() else { panic!() };
/// assert_eq!((cycles.kind, cycles.config), (4, 0x8000_0000_0002_001e));
/// assert!(cycles.exclude_kernel && cycles.exclude_hv);
/// # Ok::<(), pmu_events::ebb::Broken>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Builder {
    generation: Generation,
    events: [BranchAttr; MAX_EVENTS],
    /// The number of events added, even if there is no room for all, which is
    /// an error.
    len: usize,
    target: BranchTarget,
    broken: Broken,
}

impl Builder {
    /// Makes a request without events, for the calling thread.
    pub const fn new(generation: Generation) -> Builder {
        Builder {
            generation,
            events: [NONE; MAX_EVENTS],
            len: 0,
            target: BranchTarget::THIS_THREAD,
            broken: Broken::NONE,
        }
    }

    /// Adds an event by its raw code. Sets bit 63.
    pub const fn raw(self, code: u64) -> Builder {
        self.words(Words::new(code))
    }

    /// Adds an event of a table. If its code does not name a counter, call
    /// [`on`](Self::on).
    pub const fn event(self, event: Event) -> Builder {
        if !event.pmu().is_empty() && !pmu::is_core(event.pmu()) {
            return self.raw(0).broken(Rule::NotCore);
        }
        match event.encode(self.generation.formats()) {
            Ok(encoded) => self.words(encoded.words()),
            Err(_) => self.raw(0).broken(Rule::Terms),
        }
    }

    /// Adds a software event (`PERF_COUNT_SW_…`), which counts together with
    /// the others.
    pub const fn software(self, config: u64) -> Builder {
        self.attr(BranchAttr { kind: perf_type::SOFTWARE, config, ..NONE })
    }

    /// Adds an event with unchanged attributes: they are only checked.
    pub const fn attr(mut self, attr: BranchAttr) -> Builder {
        if self.len < MAX_EVENTS {
            self.events[self.len] = attr;
        }
        self.len += 1;
        self
    }

    const fn words(self, words: Words) -> Builder {
        let is_leader = self.len == 0;
        self.attr(BranchAttr {
            kind: perf_type::RAW,
            config: words.config() | EBB,
            config1: words.get(Word::Config1),
            pinned: is_leader,
            exclusive: is_leader,
            disabled: is_leader,
            ..NONE
        })
    }

    /// Counts the event on a counter, 1 to 6. It is an error if the event's
    /// code names another: there it would be a different event.
    pub const fn on(mut self, pmc: u8) -> Builder {
        let Some(last) = self.last() else { return self.broken(Rule::NoEvent) };
        let attr = self.events[last];
        let fields = Fields::decode(self.generation, attr.words());
        if fields.pmc != 0 && fields.pmc != pmc as u64 {
            return self.broken(Rule::OtherCounter);
        }
        match (Fields { pmc: pmc as u64, ..fields }).encode() {
            Ok(words) => self.events[last].config = words.config(),
            Err(_) => return self.broken(Rule::NoSuchCounter),
        }
        self
    }

    /// Records branches.
    pub const fn bhrb(mut self, filter: BranchFilter) -> Builder {
        let Some(last) = self.last() else { return self.broken(Rule::NoEvent) };
        let config = self.events[last].config & !IFM;
        self.events[last].config = config | BHRB | (filter as u64) << IFM.trailing_zeros();
        self
    }

    /// Counts in user mode only, for all events added so far; the kernel
    /// requires this of unprivileged users (`kernel.perf_event_paranoid`).
    pub const fn user_only(mut self) -> Builder {
        let mut n = 0;
        while n < self.len && n < MAX_EVENTS {
            self.events[n].exclude_kernel = true;
            self.events[n].exclude_hv = true;
            n += 1;
        }
        self
    }

    /// Counts another thread than the calling one.
    pub const fn target(mut self, target: BranchTarget) -> Builder {
        self.target = target;
        self
    }

    /// The index of the most recently added event.
    const fn last(&self) -> Option<usize> {
        match self.len {
            0 => None,
            len if len > MAX_EVENTS => Some(MAX_EVENTS - 1),
            len => Some(len - 1),
        }
    }

    const fn broken(mut self, rule: Rule) -> Builder {
        let event = match self.last() {
            Some(last) => last,
            None => 0,
        };
        self.broken.of[event] = self.broken.of[event].with(rule);
        self
    }

    /// Returns the group if it breaks no rule.
    ///
    /// # Errors
    ///
    /// Returns an error with all broken rules, by the event that breaks them.
    pub const fn build(self) -> Result<BranchGroup, Broken> {
        let mut broken = self.broken;
        let len = if self.len < MAX_EVENTS { self.len } else { MAX_EVENTS };
        let events = self.events.split_at(len).0;
        if let Err(more) = check(self.generation, events, self.target) {
            let mut n = 0;
            while n < MAX_EVENTS {
                // Rules about an event that could not be encoded would refer to
                // a code that nobody requested.
                let known = broken.of[n];
                if !known.contains(Rule::NotCore) && !known.contains(Rule::Terms) {
                    broken.of[n] = known.union(more.of[n]);
                }
                n += 1;
            }
        }
        broken.of[0] = broken.of[0].with_if(Rule::TooMany, self.len > MAX_EVENTS);
        if !broken.rules().is_empty() {
            return Err(broken);
        }
        Ok(BranchGroup {
            generation: self.generation,
            events: self.events,
            len,
            target: self.target,
        })
    }
}

const NONE: BranchAttr = BranchAttr {
    kind: 0,
    config: 0,
    config1: 0,
    sample_period: 0,
    sample_type: 0,
    read_format: 0,
    freq: false,
    inherit: false,
    pinned: false,
    exclusive: false,
    enable_on_exec: false,
    disabled: false,
    exclude_user: false,
    exclude_kernel: false,
    exclude_hv: false,
};

/// Attributes that obey the rules, as returned by [`Builder::build`].
///
/// ```
/// use pmu_events::ebb::{BranchGroup, Builder};
/// use pmu_events::power::Generation;
///
/// let group: BranchGroup = Builder::new(Generation::Power9).raw(0x1e).on(1).build()?;
/// assert_eq!((group.generation(), group.attributes().len()), (Generation::Power9, 1));
/// # Ok::<(), pmu_events::ebb::Broken>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchGroup {
    generation: Generation,
    events: [BranchAttr; MAX_EVENTS],
    len: usize,
    target: BranchTarget,
}

impl BranchGroup {
    /// Returns the generation whose rules it obeys.
    #[must_use]
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// Returns the attributes, the leader's first.
    #[must_use]
    pub const fn attributes(&self) -> &[BranchAttr] {
        self.events.split_at(self.len).0
    }

    /// Returns what is counted.
    #[must_use]
    pub const fn target(&self) -> BranchTarget {
        self.target
    }
}
