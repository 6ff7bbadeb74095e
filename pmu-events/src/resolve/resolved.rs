//! What resolution gives.

use std::path::Path;

use crate::config::Attributes;
use crate::event_list::{Breakpoint, Settings, Tool};
use crate::sysfs::{CpuSet, Pmu, Problem, Sysfs, Tracepoint};

use super::terms::{AttributeTerm, ItsTerms};

/// What one `perf_event_attr` would hold, and what belongs to it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Resolved<'a> {
    /// What perf calls it: its `name` term, else its text.
    pub name: &'a str,
    /// The number of the event among the events of the list.
    pub event: usize,
    /// The PMU; `None` for a generic event that the kernel gives to whichever
    /// has it.
    pub pmu: Option<&'a Pmu>,
    /// `perf_event_attr.type`
    pub kind: u32,
    /// `config`, `config1`, `config2` and `config3`. For a breakpoint, its
    /// address and length are `config1` and `config2`.
    pub config: [u64; 4],
    /// A breakpoint, whose access is `bp_type`.
    pub breakpoint: Option<Breakpoint>,
    /// A tracepoint, whose number is the config.
    pub tracepoint: Option<&'a Tracepoint>,
    /// A number that the program has to measure itself: what would be opened
    /// is a software event that counts nothing.
    pub tool: Option<Tool>,
    /// What its modifiers and its group's come to.
    pub settings: Settings,
    /// What its terms say besides: the sampling period or frequency, and more.
    pub attributes: Attributes<'a>,
    /// Whether period or frequency are those of the event's description, which
    /// yield to what the user asks of the program (perf's `weak`).
    pub has_default_sampling: bool,
    /// The unit of the scaled count; empty without one.
    pub unit: &'a str,
    /// What the count is multiplied by.
    pub scale: f64,
    /// Whether the count is of the whole package.
    pub is_per_package: bool,
    /// Whether the value is one of now, not to be added up.
    pub is_snapshot: bool,
    /// The place of its group's leader among all; its own if it leads, or is
    /// in no group.
    pub leader: usize,
    /// How many the group has, itself included.
    pub group_len: usize,
    /// What the PMU says, or the core PMU for a generic event.
    pub(super) max_precise: Option<u8>,
    /// What stands for `/sys` where it was resolved: its CPUs are those of that
    /// machine.
    pub root: &'a Path,
    pub(super) terms: ItsTerms<'a>,
}

impl<'a> Resolved<'a> {
    /// Nothing but its terms and words.
    pub(super) fn start(
        sysfs: &'a Sysfs,
        name: &'a str,
        terms: ItsTerms<'a>,
        pmu: Option<&'a Pmu>,
        kind: u32,
        config: [u64; 4],
    ) -> Self {
        Resolved {
            name,
            event: 0,
            pmu,
            kind,
            config,
            breakpoint: None,
            tracepoint: None,
            tool: None,
            settings: Settings::default(),
            attributes: Attributes::default(),
            has_default_sampling: false,
            unit: "",
            scale: 1.0,
            is_per_package: false,
            is_snapshot: false,
            leader: 0,
            group_len: 1,
            max_precise: None,
            root: sysfs.root(),
            terms,
        }
    }

    /// The CPUs on which it is to be opened; `None` for all, or those of the
    /// task.
    ///
    /// # Errors
    ///
    /// When its PMU has a list of CPUs that cannot be read ([`Pmu::cpus`]).
    pub fn cpus(&self) -> Result<Option<&'a CpuSet>, &'a Problem> {
        self.pmu.map_or(Ok(None), Pmu::cpus)
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
    /// use pmu_events::{resolve::resolve, sysfs::Sysfs};
    ///
    /// let sysfs = Sysfs::at("/nonexistent");
    /// let resolved = resolve("cycles:pp,cycles:P", None, &sysfs)?;
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

    /// What `attributes` is made of: perf's own terms (`period`, `percore`, …)
    /// in the order in which they count, those of the event's description among
    /// them. Of several with one name, the last counts; of `name` and `metric-id`, the
    /// first.
    ///
    /// ```
    /// use pmu_events::{resolve::resolve, sysfs::Sysfs};
    ///
    /// let sysfs = Sysfs::at("/nonexistent");
    /// let resolved = resolve("cycles/period=5,config1=1,period=7/", None, &sysfs)?;
    /// let terms: Vec<String> =
    ///     resolved[0].attribute_terms().map(|term| term.term.to_string()).collect();
    /// assert_eq!(terms, ["period=5", "period=7"]);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    pub fn attribute_terms(&self) -> impl Iterator<Item = AttributeTerm<'a>> + use<'a> {
        self.terms.iter().filter(|term| Attributes::has(term.term.name))
    }
}
