//! Models, events and metrics as maps, with the keys that `pmu list --json` has.

use core::fmt;

use serde_core::Serializer;
use serde_core::ser::{Serialize, SerializeMap, SerializeStruct};

use crate::event::{CountScope, CountUnit, CounterConstraint, Msr, PerfDiffers, RetirementLatency};
use crate::flags::Flag;
use crate::perf_differs::confidence;
use crate::term::Terms;
use crate::text::Text;
use crate::{Event, Metric, Model, spelling};

/// As a map of what is known of the model: `model` (its directory), `sys`, `cpuids`, the numbers of
/// its `events` and `metrics`, and `source`.
///
/// Needs the feature `serde`.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use pmu_events::arch::x86;
///
/// let json = serde_json::to_value(x86::SILVERMONT).unwrap();
/// assert_eq!((&json["model"], &json["sys"]), (&"silvermont".into(), &false.into()));
/// # }
/// ```
impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut model = serializer.serialize_struct("Model", 6)?;
        // The directory, which may have a sys table beside it.
        let name = self.name();
        model.serialize_field("model", name.strip_suffix("/sys").unwrap_or(name))?;
        model.serialize_field("sys", &self.is_sys())?;
        model.serialize_field("cpuids", &Seq(self.cpuids()))?;
        model.serialize_field("events", &self.event_count())?;
        model.serialize_field("metrics", &self.metrics().len())?;
        model.serialize_field("source", &self.source())?;
        model.end()
    }
}

/// As a map with the keys of an event in `pmu list --json`, without those of its model and
/// machine: `name`, `topic`, `pmu`, `event_string`, `terms`, `vendor_event_string`, `brief` and
/// `public` (the descriptions), `counters`, `sample_after`, `precise`, `msr`,
/// `retirement_latency`, `scale_unit`, `count_unit`, `scope`, `successor`, `errata`, `compat`,
/// `perf_differs`, and the flags, such as `deprecated` and `per_package`. What the tree does not
/// state is none.
///
/// Needs the feature `serde`.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use pmu_events::arch::x86;
///
/// let event = x86::SAPPHIRERAPIDS.require("L2_LINES_IN.ALL");
/// let json = serde_json::to_value(event).unwrap();
/// assert_eq!(json["name"], event.name());
/// assert_eq!(json["terms"]["event"], 0x25);
/// assert_eq!(json["counters"]["kind"], "general");
/// # }
/// ```
impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("Event", 20 + Flag::ALL.len())?;
        event.serialize_field("name", self.name())?;
        event.serialize_field("topic", self.topic())?;
        event.serialize_field("pmu", self.pmu())?;
        event.serialize_field("event_string", self.event_string())?;
        event.serialize_field("terms", &ByName(self.terms()))?;
        event.serialize_field("vendor_event_string", self.vendor_event_string())?;
        event.serialize_field("brief", &self.description().map(Shown::<Text>))?;
        event.serialize_field("public", &self.long_description().map(Shown::<Text>))?;
        event.serialize_field("counters", &counters(self.counters()))?;
        event.serialize_field("sample_after", &self.sample_after())?;
        event.serialize_field("precise", spelling::precise(self.precise()))?;
        event.serialize_field("msr", &self.msr().map(Part))?;
        event.serialize_field("retirement_latency", &self.retirement_latency().map(Part))?;
        event.serialize_field("scale_unit", &self.scale_unit())?;
        event.serialize_field("count_unit", &self.count_unit().map(Part))?;
        event.serialize_field("scope", &self.count_scope().map(CountScope::name))?;
        event.serialize_field("successor", &self.successor())?;
        event.serialize_field("errata", &self.errata())?;
        event.serialize_field("compat", &self.compat())?;
        event.serialize_field("perf_differs", &self.perf_differs().map(Part))?;
        for flag in Flag::ALL {
            event.serialize_field(flag.name(), &flag.is_of(*self))?;
        }
        event.end()
    }
}

/// As a map with the keys of a metric in `pmu list --json`, without those of its model: `name`,
/// `topic`, `pmu`, `groups`, `expression`, `events` (those that it needs), `threshold`, `brief`
/// and `public` (the descriptions), `scale_unit`, `compat`, `aggregation`, `constraint`,
/// `no_group`, `default_group`, `sample_with`, `difference`, `shows_events`. What the tree does not state is
/// none.
///
/// Needs the feature `serde`.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use pmu_events::arch::x86;
///
/// let json = serde_json::to_value(x86::SKYLAKE.metric("tma_dram_bound").unwrap()).unwrap();
/// assert_eq!((&json["name"], &json["scale_unit"]), (&"tma_dram_bound".into(), &"100%".into()));
/// # }
/// ```
impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut metric = serializer.serialize_struct("Metric", 18)?;
        metric.serialize_field("name", self.name())?;
        metric.serialize_field("topic", self.topic())?;
        metric.serialize_field("pmu", self.pmu())?;
        metric.serialize_field("groups", &Seq(self.groups()))?;
        metric.serialize_field("expression", &Shown(self.expression()))?;
        metric.serialize_field("events", &Seq(self.events().map(Shown)))?;
        metric.serialize_field("threshold", &self.threshold().map(Shown))?;
        metric.serialize_field("brief", &self.description().map(Shown::<Text>))?;
        metric.serialize_field("public", &self.long_description().map(Shown::<Text>))?;
        metric.serialize_field("scale_unit", &self.scale_unit())?;
        metric.serialize_field("compat", &self.compat())?;
        metric.serialize_field("aggregation", &self.aggregation().map(spelling::aggregation))?;
        metric.serialize_field("constraint", &self.constraint().map(spelling::constraint))?;
        metric.serialize_field("no_group", &self.no_group())?;
        metric.serialize_field("default_group", &self.default_group())?;
        metric.serialize_field("sample_with", &Seq(self.sample_with()))?;
        metric.serialize_field("difference", &self.difference())?;
        metric.serialize_field("shows_events", &self.shows_events())?;
        metric.end()
    }
}

/// What displays itself, as a string.
struct Shown<T>(T);

impl<T: fmt::Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

struct Seq<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Seq<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// The last value of each term, as a number if it is one.
struct ByName(Terms<'static>);

impl Serialize for ByName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut map, mut rest) = (serializer.serialize_map(None)?, self.0.clone());
        while let Some(term) = rest.next() {
            if rest.last_named(term.name()).is_some() {
                continue;
            }
            match term.number() {
                Some(number) => map.serialize_entry(term.name(), &number)?,
                None => map.serialize_entry(term.name(), &term.value())?,
            }
        }
        map.end()
    }
}

/// A part of an event, which has no form of its own.
struct Part<T>(T);

struct Counters {
    kind: &'static str,
    constraint: CounterConstraint,
}

fn counters(constraint: CounterConstraint) -> Option<Counters> {
    let kind = match constraint {
        CounterConstraint::General(_) => "general",
        CounterConstraint::Fixed(_) => "fixed",
        CounterConstraint::FreeRunning => "free running",
        CounterConstraint::Unstated => return None,
    };
    Some(Counters { kind, constraint })
}

impl Serialize for Counters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut counters = serializer.serialize_struct("Counters", 2)?;
        counters.serialize_field("kind", self.kind)?;
        match self.constraint {
            CounterConstraint::General(set) => counters.serialize_field("numbers", &Each(set))?,
            CounterConstraint::Fixed(Some(number)) => {
                counters.serialize_field("numbers", &[number])?;
            }
            _ => counters.serialize_field::<[u8; 0]>("numbers", &[])?,
        }
        counters.end()
    }
}

struct Each(crate::event::CounterSet);

impl Serialize for Each {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

impl Serialize for Part<Msr> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut msr = serializer.serialize_struct("Msr", 3)?;
        msr.serialize_field("index", &self.0.index())?;
        msr.serialize_field("other", &self.0.other())?;
        msr.serialize_field("value", &self.0.value())?;
        msr.end()
    }
}

impl Serialize for Part<RetirementLatency> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut latency = serializer.serialize_struct("RetirementLatency", 3)?;
        latency.serialize_field("mean", &self.0.mean())?;
        latency.serialize_field("min", &self.0.min())?;
        latency.serialize_field("max", &self.0.max())?;
        latency.end()
    }
}

impl Serialize for Part<CountUnit> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut unit = serializer.serialize_struct("CountUnit", 2)?;
        unit.serialize_field("quantity", &Shown(InLowerCase(self.0.quantity().name())))?;
        unit.serialize_field("factor", &self.0.factor())?;
        unit.end()
    }
}

struct InLowerCase(&'static str);

impl fmt::Display for InLowerCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        self.0.chars().try_for_each(|c| f.write_char(c.to_ascii_lowercase()))
    }
}

impl Serialize for Part<PerfDiffers> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let evidence = self.0.evidence();
        let mut differs = serializer.serialize_struct("PerfDiffers", 10)?;
        differs.serialize_field("event_string", self.0.event_string())?;
        differs.serialize_field("versions", self.0.versions())?;
        let degree = evidence.map(|evidence| confidence(evidence).word());
        differs.serialize_field("confidence", &degree)?;
        differs.serialize_field("evidence", &evidence.map(Shown))?;
        differs.serialize_field("loses_umask_extension", &self.0.loses_umask_extension())?;
        differs.serialize_field("loses_ext_sel", &self.0.loses_ext_sel())?;
        differs.serialize_field("loses_precision", &self.0.loses_precision())?;
        differs.serialize_field("has_other_register", &self.0.has_other_register())?;
        differs.serialize_field("has_other_filter", &self.0.has_other_filter())?;
        differs.serialize_field("has_fixed_string", &self.0.has_fixed_string())?;
        differs.end()
    }
}
