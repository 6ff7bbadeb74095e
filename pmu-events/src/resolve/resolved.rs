//! What resolution gives.

use std::boxed::Box;
use std::sync::Arc;

use super::draft::Draft;
use super::terms::AttributeTerm;
use crate::config::{self, Attributes, Sampling};
use crate::event_list::{Breakpoint, Settings, Tool};
use crate::sysfs::{CpuSet, Pmu, Problem};
use crate::term::Term;

/// What one `perf_event_attr` holds, and what belongs to it.
///
/// It borrows nothing: it can be kept, sent and opened at any time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resolved {
    name: Arc<str>,
    /// The number of the event among the events that were asked for.
    pub event: usize,
    pmu: Option<Pmu>,
    /// `perf_event_attr.type`
    pub type_: u32,
    /// `config`, `config1`, `config2` and `config3`. For a breakpoint, its
    /// address and length are `config1` and `config2`.
    pub config: [u64; 4],
    /// A breakpoint, whose access is `bp_type`.
    pub breakpoint: Option<Breakpoint>,
    /// Whether it is a tracepoint, whose number is the config.
    pub is_tracepoint: bool,
    /// A number that the program has to measure itself: what would be opened
    /// is a software event that counts nothing.
    pub tool: Option<Tool>,
    /// The effect of its modifiers and of those of its group.
    pub settings: Settings,
    sampling: Option<Sampling>,
    /// Whether period or frequency are those of the event's description, which
    /// yield to what the user asks of the program (perf's `weak`).
    pub has_default_sampling: bool,
    unit: Arc<str>,
    /// What the count is multiplied by.
    pub scale: f64,
    /// Whether the count is of the whole package.
    pub is_per_package: bool,
    /// Whether the value is one of now, not to be added up.
    pub is_snapshot: bool,
    /// What the PMU says, or the core PMU for a generic event.
    max_precise: Option<u8>,
    /// Those of perf's own.
    terms: Box<[OwnTerm]>,
}

/// An [`AttributeTerm`] that borrows nothing.
#[derive(Clone, Debug)]
struct OwnTerm {
    name: Box<str>,
    value: Option<Box<str>>,
    is_default: bool,
}

impl Resolved {
    pub(super) fn of(draft: &Draft<'_>) -> Self {
        // Each of perf's own terms says something; most events have none.
        let terms = (draft.attributes != Attributes::default()).then(|| draft.terms.iter());
        let own = terms.into_iter().flatten().filter(|one| Attributes::has(one.term.name));
        Resolved {
            name: draft.name.into(),
            event: draft.event,
            pmu: draft.pmu.cloned(),
            type_: draft.type_,
            config: draft.config,
            breakpoint: draft.breakpoint,
            is_tracepoint: draft.is_tracepoint,
            tool: draft.tool,
            settings: draft.settings,
            sampling: draft.attributes.sampling,
            has_default_sampling: draft.has_default_sampling,
            unit: if draft.unit.is_empty() { Arc::default() } else { draft.unit.into() },
            scale: draft.scale,
            is_per_package: draft.is_per_package,
            is_snapshot: draft.is_snapshot,
            max_precise: draft.max_precise,
            terms: own
                .map(|AttributeTerm { term, is_default }| OwnTerm {
                    name: term.name.into(),
                    value: term.value.map(Into::into),
                    is_default,
                })
                .collect(),
        }
    }

    /// What perf calls it: its `name` term, else its text.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[cfg(feature = "open")]
    pub(crate) fn shared_name(&self) -> Arc<str> {
        self.name.clone()
    }

    /// The PMU; `None` for a generic event that the kernel gives to whichever has
    /// it.
    #[must_use]
    pub fn pmu(&self) -> Option<&Pmu> {
        self.pmu.as_ref()
    }

    /// The unit of the scaled count; empty without one.
    #[must_use]
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// The CPUs on which it is to be opened; `None` for all, or those of the
    /// task.
    ///
    /// # Errors
    ///
    /// Returns an error if its PMU has a list of CPUs that cannot be read
    /// ([`Pmu::cpus`]).
    pub fn cpus(&self) -> Result<Option<&CpuSet>, &Problem> {
        self.pmu().map_or(Ok(None), Pmu::cpus)
    }

    /// What its terms say besides the config words: the sampling period or
    /// frequency, and more.
    #[must_use]
    pub fn attributes(&self) -> Attributes<'_> {
        let terms = self.attribute_terms().map(|one| one.term);
        // They were accepted when the event was resolved.
        let mut attributes = config::encode_with(terms, |_| None)
            .map(|encoded| encoded.attributes)
            .unwrap_or_default();
        attributes.sampling = self.sampling;
        attributes
    }

    /// What [`attributes`](Self::attributes) is made of: perf's own terms
    /// (`period`, `percore`, …) in the order in which they count, those of the
    /// event's description among them. Of several with one name, the last counts;
    /// of `name` and `metric-id`, the first.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let system = System::at("/nonexistent");
    /// let resolved = system.resolve("cycles/period=5,config1=1,period=7/")?;
    /// let terms: Vec<String> =
    ///     resolved[0].attribute_terms().map(|term| term.term.to_string()).collect();
    /// assert_eq!(terms, ["period=5", "period=7"]);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    pub fn attribute_terms(&self) -> impl Iterator<Item = AttributeTerm<'_>> + Clone {
        self.terms.iter().map(|OwnTerm { name, value, is_default }| AttributeTerm {
            term: Term::new(name, value.as_deref()),
            is_default: *is_default,
        })
    }

    /// `perf_event_attr.precise_ip` for taking samples: as many as there are
    /// `p`, and for `P` as much as the PMU says that it can do
    /// (`caps/max_precise`). For counting, `P` changes nothing in perf:
    /// `settings.precise` is what `perf stat` opens.
    ///
    /// Where the PMU says nothing, `P` is 3, as perf begins with: whoever opens
    /// the event lowers it as long as the kernel refuses it
    /// (`evsel__precise_ip_fallback` in `tools/perf/util/evsel.c`). So may
    /// anyone else: not every event can do what the PMU can.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let resolved = System::at("/nonexistent").resolve("cycles:pp,cycles:P")?;
    /// assert_eq!((resolved[0].precise_ip(), resolved[1].precise_ip()), (2, 3));
    /// assert!(resolved[1].settings.precise_max);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn precise_ip(&self) -> u8 {
        const MOST: u8 = 3;
        if !self.settings.precise_max {
            return self.settings.precise;
        }
        self.max_precise.unwrap_or(MOST).min(MOST)
    }
}
