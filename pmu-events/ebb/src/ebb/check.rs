//! Checking attributes against the rules.

use super::attr::{BranchAttr, BranchTarget, MAX_EVENTS};
use super::rule::{Broken, Rule, Rules};
use crate::power::{BHRB, EBB, Fields, Generation, IFM};
use pmu_events_core::format::{Word, Words};
use pmu_events_core::perf_type;

/// Checks a group, whose leader is the first event, against the rules.
///
/// # Errors
///
/// Returns an error with all broken rules, by the event that breaks them; if
/// two events conflict, this is the later one.
pub const fn check(
    generation: Generation,
    group: &[BranchAttr],
    target: BranchTarget,
) -> Result<(), Broken> {
    let mut broken = Broken::NONE;
    if group.is_empty() {
        broken.of[0] = Rules::NONE.with(Rule::NoEvent);
        return Err(broken);
    }
    let mut taken = Taken::NOTHING;
    let mut n = 0;
    while n < group.len() && n < MAX_EVENTS {
        let attr = &group[n];
        let mut rules = position(attr, &group[0], n == 0);
        if !attr.is_software() {
            rules = rules.union(attributes(attr));
            let fields = Fields::decode(generation, attr.words());
            rules = rules.union(code(fields, attr.config));
            rules = rules.union(taken.take(fields));
        }
        broken.of[n] = rules;
        n += 1;
    }
    broken.of[0] = broken.of[0]
        .with_if(Rule::NotTask, target.pid() < 0)
        .with_if(Rule::TooMany, group.len() > MAX_EVENTS);
    if broken.rules().is_empty() { Ok(()) } else { Err(broken) }
}

/// Whether events can be on the PMU at the same time, given their config words.
/// They need not be event-based branches: the rules are those of
/// `power_check_constraints` in `arch/powerpc/perf/core-book3s.c` for any group.
///
/// The kernel checks a group each time that it grows, so that on POWER9 an event of the L2
/// or L3 on counter 4 has to be opened before the others of these caches.
///
/// ```
/// use pmu_events::ebb::can_share;
/// use pmu_events::format::Words;
/// use pmu_events::power::Generation;
///
/// // Two counters of one event each, and two events on counter 1.
/// assert!(can_share(Generation::Power9, &[0x500fa, 0x600f4, 0x1001e].map(Words::new)));
/// assert!(!can_share(Generation::Power9, &[0x1001e, 0x1002e].map(Words::new)));
/// ```
#[must_use]
pub const fn can_share(generation: Generation, events: &[Words]) -> bool {
    let mut taken = Taken::NOTHING;
    // Those that leave the counter to the kernel get one of the first four.
    let mut programmed = 0;
    let mut is_other = 0;
    while is_other < 2 {
        let mut n = 0;
        while n < events.len() {
            let fields = Fields::decode(generation, events[n]);
            let comes_first = is_outer_cache(fields) && fields.pmc == 4;
            if comes_first == (is_other == 0) {
                let broken = code(fields, events[n].config()).union(taken.take(fields));
                // Only event-based branches must name a counter.
                let allowed = broken.contains(Rule::NoCounter) as u32;
                if broken.len() > allowed {
                    return false;
                }
                programmed += (fields.pmc < 5) as u32;
            }
            n += 1;
        }
        is_other += 1;
    }
    programmed <= 4
}

/// The rules about the position in the group. For every PMU, only a leader may
/// be pinned or exclusive (`perf_event_open` in `kernel/events/core.c`).
const fn position(attr: &BranchAttr, leader: &BranchAttr, is_leader: bool) -> Rules {
    if is_leader {
        let software = attr.is_software();
        return Rules::NONE
            .with_if(Rule::SoftwareLeader, software)
            .with_if(Rule::NotRequested, !software && attr.config & EBB == 0)
            .with_if(Rule::NotPinned, !attr.pinned)
            .with_if(Rule::NotExclusive, !attr.exclusive);
    }
    let disagrees = !attr.is_software() && attr.wants_ebb() != leader.wants_ebb();
    Rules::NONE
        .with_if(Rule::Disagree, disagrees)
        .with_if(Rule::MemberPinned, attr.pinned)
        .with_if(Rule::MemberExclusive, attr.exclusive)
}

/// The rules of `ebb_event_check`, and the type with which
/// `power_pmu_event_init` reads the code.
const fn attributes(attr: &BranchAttr) -> Rules {
    Rules::NONE
        .with_if(Rule::Type, attr.kind != perf_type::RAW)
        .with_if(Rule::Inherit, attr.inherit)
        .with_if(Rule::SamplePeriod, attr.sample_period != 0 && !attr.freq)
        .with_if(Rule::Frequency, attr.freq)
        .with_if(Rule::SampleType, attr.sample_type != 0)
        .with_if(Rule::EnableOnExec, attr.enable_on_exec)
}

/// The rules for a single code: `isa207_get_constraint`, and the
/// `check_attr_config` of POWER9 and POWER10.
const fn code(fields: Fields, config: u64) -> Rules {
    let is_8 = matches!(fields.generation, Generation::Power8);
    let mut rules = Rules::NONE
        .with_if(Rule::NoCounter, fields.pmc == 0)
        .with_if(Rule::NoSuchCounter, fields.pmc > 6)
        .with_if(Rule::Reserved, fields.reserved.config() != 0 || has_reserved_threshold(fields))
        .with_if(Rule::HistoryAlone, fields.bhrb && !fields.ebb)
        .with_if(Rule::FilterAlone, fields.ifm != 0 && !fields.bhrb);
    if !is_8 {
        rules = rules.with_if(Rule::ReservedSampling, is_reserved_sampling(fields)).with_if(
            Rule::ReservedThreshold,
            fields.thresh_start == 15 || fields.thresh_stop == 15,
        );
    }
    // There are no further rules for the counters that count one event each.
    if fields.pmc == 5 || fields.pmc == 6 {
        let event = config & !(EBB | BHRB | IFM);
        return rules.with_if(Rule::FixedCounter, event != 0x5_00fa && event != 0x6_00f4);
    }
    let is_threshold = fields.thresh_sel != 0;
    let is_small = fields.thresh_cmp >> 7 != 0 && fields.thresh_cmp & 0x60 == 0;
    let mantissa = match fields.generation {
        Generation::Power8 => is_small && !fields.is_fabric_match(),
        Generation::Power9 => is_small && is_threshold,
        Generation::Power10 => false,
    };
    rules
        .with_if(Rule::Mantissa, mantissa)
        .with_if(Rule::CacheSelector, is_8 && is_outer_cache(fields) && fields.cache_sel & 7 != 0)
}

/// POWER10 has a threshold in `config1`, and takes one that is too large for
/// its largest; other generations ignore that word.
const fn has_reserved_threshold(fields: Fields) -> bool {
    matches!(fields.generation, Generation::Power10) && fields.reserved.get(Word::Config1) != 0
}

const fn is_reserved_sampling(fields: Fields) -> bool {
    fields.sample_mode & 3 == 3
        || match fields.sample_mode {
            0x05 | 0x09 | 0x0d | 0x19 | 0x1a | 0x1d | 0x1e => true,
            0x0c => matches!(fields.generation, Generation::Power9),
            0x10 => matches!(fields.generation, Generation::Power10),
            _ => false,
        }
}

/// Whether the event belongs to a unit of the L2 or L3.
const fn is_outer_cache(fields: Fields) -> bool {
    6 <= fields.unit && fields.unit <= 9
}

/// What the events of a group so far determine for those after them: each field
/// is a register, or a part of one, that they share.
struct Taken {
    counters: u64,
    qualifier: Option<u64>,
    outer: Option<u64>,
    has_outer_on_4: bool,
    radix_scope: Option<u64>,
    sampling: Option<u64>,
    threshold: Option<u64>,
    fabric: Option<u64>,
    filter: Option<u64>,
}

impl Taken {
    const NOTHING: Taken = Taken {
        counters: 0,
        qualifier: None,
        outer: None,
        has_outer_on_4: false,
        radix_scope: None,
        sampling: None,
        threshold: None,
        fabric: None,
        filter: None,
    };

    /// Adds an event; returns the rules it breaks.
    const fn take(&mut self, fields: Fields) -> Rules {
        use Generation::{Power8, Power9, Power10};
        let counter = 1 << fields.pmc & 0x7e;
        let mut rules = Rules::NONE.with_if(Rule::SharedCounter, self.counters & counter != 0);
        self.counters |= counter;
        if fields.bhrb {
            rules = rules.with_if(Rule::Filter, differs(&mut self.filter, fields.ifm));
        }
        if fields.pmc == 5 || fields.pmc == 6 {
            return rules;
        }

        match (fields.generation, is_outer_cache(fields)) {
            (Power9, true) => {
                self.has_outer_on_4 |= fields.pmc == 4;
                rules = rules
                    .with_if(Rule::CacheGroup, differs(&mut self.outer, fields.pmcxsel))
                    .with_if(Rule::CacheCounter, !self.has_outer_on_4);
            }
            (Power10, true) if fields.unit == 6 => {
                let selector = fields.l2l3_sel;
                rules = rules.with_if(Rule::CacheGroup, differs(&mut self.outer, selector));
            }
            (Power8 | Power10, true) => {}
            // POWER8's bit 2 means that the event belongs to the L1.
            (Power8, false) if fields.cache_sel & 4 == 0 => {}
            (_, false) => {
                let qualifier = fields.cache_sel & 3;
                rules =
                    rules.with_if(Rule::CacheQualifier, differs(&mut self.qualifier, qualifier));
            }
        }
        if matches!(fields.generation, Power10) {
            let scope = fields.radix_scope;
            rules = rules.with_if(Rule::RadixScope, differs(&mut self.radix_scope, scope));
        }
        if fields.mark != 0 {
            let sampling = fields.sample_mode;
            rules = rules.with_if(Rule::Sampling, differs(&mut self.sampling, sampling));
        }
        if fields.is_fabric_match() {
            let response = fields.thresh_start << 4 | fields.thresh_stop;
            return rules.with_if(Rule::FabricMatch, differs(&mut self.fabric, response));
        }
        if matches!(fields.generation, Power8) || fields.thresh_sel != 0 {
            let threshold = threshold(fields);
            rules = rules.with_if(Rule::Threshold, differs(&mut self.threshold, threshold));
        }
        rules
    }
}

/// Sets a value if it is unset; returns whether it had been set to another.
const fn differs(settled: &mut Option<u64>, value: u64) -> bool {
    match *settled {
        Some(before) => before != value,
        None => {
            *settled = Some(value);
            false
        }
    }
}

/// The whole threshold as one number, as in `MMCRA`.
const fn threshold(fields: Fields) -> u64 {
    let compare = match fields.generation {
        Generation::Power10 => power10_compare(fields),
        _ => fields.thresh_cmp,
    };
    compare << 11 | fields.thresh_start << 7 | fields.thresh_stop << 3 | fields.thresh_sel
}

/// POWER10's threshold as eight mantissa bits below an exponent to base four:
/// numbers that only differ below that are equal (`p10_thresh_cmp_val`).
const fn power10_compare(fields: Fields) -> u64 {
    let (mut mantissa, mut exponent) = (fields.threshold(), 0);
    while mantissa > 0xff {
        mantissa >>= 2;
        exponent += 1;
    }
    exponent << 8 | mantissa
}
