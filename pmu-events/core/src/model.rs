//! The events and metrics of one CPU model.
//!
//! Use it to list or look up the events of a CPU, and to learn whether its table was made for
//! it.

mod iter;
mod made_for;

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ptr;

pub use iter::{Events, EventsNamed, EventsOfTopic, Models, PmuTable, PmuTables};
pub use made_for::{MadeFor, Note};

use crate::event::Event;
use crate::message::Message;
use crate::metric::group::MetricGroups;
use crate::metric::{LatencyOf, Metric, MetricGroup, Metrics};
use crate::name;
use crate::packed::Tree;
use crate::pmu;
use crate::wire::record::{ModelRecord, NodeRecord, RunRecord};
use crate::wire::{BROKEN, Section, index, read_u8};

/// A CPU model (or family), which is a directory of the tree, or a sys table.
///
/// The macro emits a static for each model of the map file. All look-ups are
/// `const fn`.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let model = x86::model("AuthenticAMD-25-97-2").unwrap();
/// assert_eq!(model.name(), "amdzen4");
/// for event in model.events().filter(|event| event.topic() == "cache").take(3) {
///     println!("{}: {}", event.name(), event.event_string());
/// }
/// for metric in model.metrics().take(3) {
///     println!("{} = {}", metric.name(), metric.expression());
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Model {
    tree: &'static Tree,
    number: u16,
    record: ModelRecord,
}

impl Model {
    /// Returns the model with this number in a tree.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(tree: &'static Tree, number: usize) -> Self {
        let models = tree.wire.section(Section::Models);
        let mut record = ModelRecord::nth(models, number);
        // Everything that is counted takes at least one byte. The counts of
        // damaged tables may be in the billions, and iterating over them would
        // hardly end.
        record.run_count = at_most(record.run_count, tree.size());
        record.entry_count = at_most(record.entry_count, tree.size());
        record.metric_count = at_most(record.metric_count, tree.size());
        record.node_count = at_most(record.node_count, tree.size());
        // Rows count models in two bytes.
        Model { tree, number: number as u16, record }
    }

    /// Returns the directory relative to the tree: `silvermont`,
    /// `arm/neoverse-n1`, or `arm/cmn/sys` for a sys table.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert_eq!(x86::model("GenuineIntel-6-37-8").unwrap().name(), "silvermont");
    /// ```
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        self.tree.wire.str(self.record.name)
    }

    /// Returns the publication that the model's facts come from, with its version
    /// and date, if the tree says so: `perfmon V1.40 (2026-08-13)`,
    /// `Linux 6.17 (2025-09-28)`. A tree says it in `sources.csv`, beside its map
    /// file, with the columns directory, source, version and date.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let source = x86::SAPPHIRERAPIDS.source().unwrap();
    /// assert!(source.starts_with("perfmon "), "{source}");
    /// ```
    #[must_use]
    pub const fn source(self) -> Option<&'static str> {
        self.tree.wire.optional(self.record.origin)
    }

    /// Returns the tree that contains this model.
    #[must_use]
    pub const fn tree(self) -> &'static Tree {
        self.tree
    }

    /// Whether this is a sys table: events of system PMUs, which belong to no
    /// CPU.
    #[must_use]
    pub const fn is_sys(self) -> bool {
        self.record.sys != 0
    }

    /// Finds an event by name, ignoring case. If several PMUs have an event of
    /// this name, the core PMU's is returned, otherwise the first PMU's.
    ///
    /// Costs one read of a perfect hash and one comparison, whether or not the
    /// event exists.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let event = x86::SILVERMONT.event("inst_retired.any").unwrap();
    /// assert_eq!(event.name(), "INST_RETIRED.ANY");
    /// assert!(x86::SILVERMONT.event("no.such.event").is_none());
    /// ```
    #[must_use]
    #[inline]
    pub const fn event(self, name: &str) -> Option<Event> {
        if self.record.bucket_count == 0 {
            return None;
        }
        let wire = &self.tree.wire;
        let hash = name::hash(name);
        let bucket =
            self.record.buckets.wrapping_add(index::bucket(hash, self.record.bucket_count));
        let displacement = read_u8(wire.section(Section::Buckets), bucket as usize);
        let slot =
            self.record.slots.wrapping_add(index::slot(hash, displacement, self.record.slot_count));
        // A free slot holds a number no event has, which reads as an empty
        // name.
        let event = Event::new(self.tree, wire.number(Section::Slots, slot as usize));
        if name::eq(name, event.name()) && !name.is_empty() { Some(event) } else { None }
    }

    /// Returns the event with this name, which must exist.
    ///
    /// # Panics
    ///
    /// Panics if there is no such event. In a `const`, this is a compile error
    /// that states the name, the model and the most similar name:
    ///
    /// ```compile_fail
    /// use pmu_events::{Event, arch::x86};
    ///
    /// const WRONG: Event = x86::SILVERMONT.require("inst_retierd.any");
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn require(self, name: &str) -> Event {
        match self.event(name) {
            Some(event) => event,
            // The macro has already reported the cause: avoid a second error
            // for each name.
            None if self.tree.wire.has(BROKEN) => Event::new(self.tree, 0),
            None => panic!("{}", self.unknown_event(name).as_str()),
        }
    }

    /// Finds an event by name on one PMU, ignoring the case of both. The PMU
    /// name is the tree's: `default_core`, `uncore_cha`.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// // The cores of a hybrid CPU differ.
    /// let model = x86::model("GenuineIntel-6-97-2").unwrap();
    /// let event = model.event_on("cpu_atom", "inst_retired.any").unwrap();
    /// assert_eq!(event.pmu(), "cpu_atom");
    /// ```
    #[inline]
    #[must_use]
    pub const fn event_on(self, pmu: &str, name: &str) -> Option<Event> {
        // The index holds one PMU's event for each name, and usually that is
        // the one.
        match self.event(name) {
            Some(event) if name::eq(pmu, event.pmu()) => Some(event),
            Some(_) => self.event_on_another(pmu, name),
            None => None,
        }
    }

    /// Finds the event of which an operand of a formula is the retirement latency.
    ///
    /// A PMU that the operand names is that of the tree; the core PMU is also called
    /// `cpu`, as in sysfs.
    #[doc(hidden)]
    #[must_use]
    pub fn event_of_latency(self, of: LatencyOf<'_>) -> Option<Event> {
        match of.pmu {
            None => self.event(of.event),
            Some(pmu) if name::eq(pmu, "cpu") => self.event_on(pmu::DEFAULT_CORE, of.event),
            Some(pmu) => self.event_on(pmu, of.event),
        }
    }

    /// Finds an event on a PMU other than the one in the index.
    #[cold]
    const fn event_on_another(self, pmu: &str, name: &str) -> Option<Event> {
        let mut n = 0;
        while n < self.record.run_count as usize {
            let run = self.run(n);
            if name::eq(self.tree.wire.nth_str(Section::Pmus, run.pmu as usize), pmu) {
                return self.find_in(run, name);
            }
            n += 1;
        }
        None
    }

    /// Returns all events with this name, one for each PMU that has it, in the
    /// order of the PMUs.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let model = x86::model("GenuineIntel-6-97-2").unwrap();
    /// assert_eq!(model.events_named("inst_retired.any").count(), 2); // on either kind of core
    /// ```
    #[must_use]
    pub const fn events_named<'n>(self, name: &'n str) -> EventsNamed<'n> {
        EventsNamed::new(self, name)
    }

    /// Returns all events, by PMU and name as in perf's tables.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// for event in x86::SILVERMONT.events().topic("cache") {
    ///     println!("{} {}", event.name(), event.event_string());
    /// }
    /// ```
    #[must_use]
    #[inline]
    pub const fn events(self) -> Events {
        Events::new(self)
    }

    /// Returns the number of events.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert_eq!(x86::SILVERMONT.event_count(), x86::SILVERMONT.events().count());
    /// ```
    #[must_use]
    #[inline]
    pub const fn event_count(self) -> usize {
        self.record.entry_count as usize
    }

    /// Returns the PMUs on which this model has events.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// for pmu in x86::SAPPHIRERAPIDS.pmus() {
    ///     println!("{}: {} events", pmu.name(), pmu.events().count());
    /// }
    /// ```
    #[must_use]
    pub const fn pmus(self) -> PmuTables {
        PmuTables::new(self)
    }

    /// Returns the metrics, sorted by name.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// for metric in x86::SAPPHIRERAPIDS.metrics().in_group("TopdownL1") {
    ///     println!("{}: {}", metric.name(), metric.description().unwrap());
    /// }
    /// ```
    #[must_use]
    pub const fn metrics(self) -> Metrics {
        Metrics::new(self.tree, self.record.metrics as usize, self.record.metric_count as usize)
    }

    /// Finds a metric by name, ignoring case; the first one if several PMUs
    /// have it. If no metric has exactly this name, finds one that has it among
    /// its several names ([`Metric::is_called`]).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert_eq!(x86::SAPPHIRERAPIDS.metric("IPC").unwrap().name(), "ipc"); // ignoring case
    /// ```
    #[must_use]
    pub const fn metric(self, name: &str) -> Option<Metric> {
        let found = self.metrics().find(name);
        if found.is_some() {
            return found;
        }
        let mut metrics = self.metrics();
        while let Some(metric) = metrics.step() {
            // Most of those that are asked for are events, and hardly any has several names.
            if metric.name().len() > name.len() && metric.is_called(name) {
                return Some(metric);
            }
        }
        None
    }

    /// Returns the metrics of other CPUs that this model cannot have, by name, each with the
    /// reason. A tree says it in `lacks.csv`, beside its map file, with the columns metric,
    /// models and reason; the bundled trees do for all quantities that have one name on every
    /// CPU, so that a model either has such a metric or says here why not.
    ///
    /// ```
    /// use pmu_events::arch::arm64;
    ///
    /// let lacking = arm64::ARM_NEOVERSE_N1.lacking();
    /// for (metric, reason) in lacking {
    ///     println!("{metric}: {reason}");
    /// }
    /// ```
    pub fn lacking(
        self,
    ) -> impl Iterator<Item = (&'static str, &'static str)> + Clone + fmt::Debug {
        self.tree.wire.long(self.record.lacks).lines().filter_map(|line| line.split_once('\t'))
    }

    /// The records of the model's hierarchy, by number.
    pub(crate) fn nodes(self) -> impl Iterator<Item = NodeRecord> {
        let records = self.tree.wire.section(Section::Nodes);
        let ModelRecord { nodes: first, node_count, .. } = self.record;
        (0..node_count).map(move |n| NodeRecord::nth(records, first.saturating_add(n) as usize))
    }

    /// Returns the groups that this model's metrics belong to, sorted by name.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// for group in x86::SAPPHIRERAPIDS.metric_groups() {
    ///     println!("{}: {} metrics", group.name(), group.metrics().count());
    /// }
    /// ```
    #[must_use]
    pub const fn metric_groups(
        self,
    ) -> impl ExactSizeIterator<Item = MetricGroup> + Clone + fmt::Debug {
        MetricGroups::new(&self.metrics())
    }

    /// Finds a metric group by name, ignoring case.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let group = x86::SAPPHIRERAPIDS.metric_group("TopdownL1").unwrap();
    /// assert_eq!(group.metrics().count(), 4);
    /// ```
    #[must_use]
    pub const fn metric_group(self, name: &str) -> Option<MetricGroup> {
        let mut groups = MetricGroups::new(&self.metrics());
        while let Some(group) = groups.step() {
            if name::eq(group.name(), name) {
                return Some(group);
            }
        }
        None
    }

    /// Returns the event or metric name most similar to the given one, or
    /// `None` if nothing is similar enough. Meant for “did you mean” hints.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert_eq!(x86::SILVERMONT.nearest("inst_retierd.any"), Some("INST_RETIRED.ANY"));
    /// ```
    #[must_use]
    pub const fn nearest(self, name: &str) -> Option<&'static str> {
        // First select the few names that share most letters at both ends, then
        // compute the real distance for those only. The first pass must be
        // cheap because it may run in the compiler.
        const FEW: usize = 8;
        let mut few: [&str; FEW] = [""; FEW];
        let mut likeness = [0usize; FEW];
        let mut least = 0;
        let total = self.record.entry_count as usize + self.record.metric_count as usize;
        let mut n = 0;
        while n < total {
            let known = if n < self.record.entry_count as usize {
                self.entry(n).name()
            } else {
                match self.metrics().nth_metric(n - self.record.entry_count as usize) {
                    Some(metric) => metric.name(),
                    None => "",
                }
            };
            let shared = name::shared(name, known);
            if shared > likeness[least] {
                likeness[least] = shared;
                few[least] = known;
                let mut i = 0;
                while i < FEW {
                    if likeness[i] < likeness[least] {
                        least = i;
                    }
                    i += 1;
                }
            }
            n += 1;
        }
        let mut nearest = name::Nearest::to(name);
        let mut i = 0;
        while i < FEW {
            if likeness[i] > 0 {
                nearest.offer(few[i], few[i]);
            }
            i += 1;
        }
        nearest.found()
    }

    /// The message of [`Model::require`] for an unknown name.
    const fn unknown_event(self, name: &str) -> Message {
        let message =
            Message::new().push("model `").push(self.name()).push("` has no event `").push(name);
        match self.nearest(name) {
            Some(nearest) => message.push("`; did you mean `").push(nearest).push("`?"),
            None => message.push("`, nor one of a similar name"),
        }
    }

    #[inline]
    const fn entry(self, entry: usize) -> Event {
        let number = self
            .tree
            .wire
            .number(Section::Entries, (self.record.entries as usize).saturating_add(entry));
        Event::new(self.tree, number)
    }

    #[inline]
    const fn run(self, n: usize) -> RunRecord {
        let runs = self.tree.wire.section(Section::Runs);
        let mut run = RunRecord::nth(runs, (self.record.runs as usize).saturating_add(n));
        run.count = at_most(run.count, self.record.entry_count as usize);
        run
    }

    /// Finds a name among the events of one PMU, which are sorted.
    const fn find_in(self, run: RunRecord, name: &str) -> Option<Event> {
        let mut low = run.first as usize;
        let mut high = low.saturating_add(run.count as usize);
        // The names of one PMU's events share a prefix: most other names sort
        // before the first of them.
        if low < high && name::cmp(self.entry(low).name(), name).is_gt() {
            return None;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            let event = self.entry(middle);
            match name::cmp(event.name(), name) {
                Ordering::Equal => return Some(event),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }
}

const fn at_most(count: u32, most: usize) -> u32 {
    if count as usize > most { most as u32 } else { count }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("name", &self.name())
            .field("events", &self.record.entry_count)
            .field("metrics", &self.record.metric_count)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.tree, other.tree) && self.record == other.record
    }
}

impl Eq for Model {}

impl Hash for Model {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.tree, state);
        self.number.hash(state);
    }
}

/// By name; only then by place in memory.
impl Ord for Model {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |model: &Self| (ptr::from_ref(model.tree), model.number);
        self.name().cmp(other.name()).then_with(|| place(self).cmp(&place(other)))
    }
}

impl PartialOrd for Model {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The name.
///
/// ```
/// use pmu_events::arch::x86;
///
/// assert_eq!(x86::SKYLAKE.to_string(), "skylake");
/// ```
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
