//! Which series count an event, and how a rule selects those of one scope.

use pmu_events::__private::planner::{Place, event_of, is_of_msr};
use pmu_events::__private::{pmu, scale};
use pmu_events::{Event, Model};

use super::promql::{Labels, Operator, Query};
use super::refusal::Refusal;
use crate::export::config::ScopeKind;
use crate::export::names::{self, Series};

/// What counts an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    /// The kernel.
    Software,
    /// A register that each CPU has, but no task.
    OfCpu,
    Core,
    /// A PMU outside the cores, of which there may be several instances.
    Outside,
}

/// The series of one scope, and the level at which a rule adds them up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selection<'r> {
    /// What the exporter counts.
    pub(crate) counted: ScopeKind,
    /// What has one value.
    pub(crate) level: ScopeKind,
    /// The length of time over which rates are taken, as PromQL writes it.
    pub(crate) range: &'r str,
}

/// An event as a formula spells it.
#[derive(Clone, Copy)]
pub(super) struct Spelled<'t> {
    text: &'t str,
    event: Option<Event>,
    counter: Counter,
    /// The kind of core whose counts are meant, where there are several.
    kind: Option<&'static str>,
}

impl<'t> Spelled<'t> {
    /// An event in a formula of a metric of a PMU.
    pub(super) fn new(text: &'t str, model: Model, pmu: &'static str) -> Self {
        let counter = match Place::of(text, model, pmu) {
            Place::Anywhere if is_of_msr(text) => Counter::OfCpu,
            Place::Anywhere => Counter::Software,
            Place::On(pmu) if pmu::is_core(pmu) => Counter::Core,
            Place::On(_) | Place::Other(_) => Counter::Outside,
        };
        let kind = kind_of_core(pmu).filter(|_| counter == Counter::Core);
        Spelled { text, event: event_of(model, pmu, text), counter, kind }
    }

    /// How often the event happens in a second, before its scale.
    pub(super) fn rate(&self, selection: &Selection<'_>) -> Result<Query, Refusal> {
        let one = self.exported(selection)?;
        let (_, scale) = self.series();
        // Reciprocals of scales such as 2^-32 and 1e-9 are exact, or nearer.
        Ok(match scale {
            1.0 => one,
            scale if scale < 1.0 => {
                one.with(Operator::Multiply, Query::number((1.0 / scale).round()))
            }
            scale => one.with(Operator::Divide, Query::number(scale)),
        })
    }

    /// The same in the unit of its series.
    pub(super) fn exported(&self, selection: &Selection<'_>) -> Result<Query, Refusal> {
        let (series, _) = self.series();
        let rate = format!("rate({}[{}])", self.selector(&series, selection)?, selection.range);
        Ok(Query::whole(self.summed(&rate, selection), Labels::Scope))
    }

    /// The number of PMUs that count the event, which only that scope shows.
    pub(super) fn sources(&self, selection: &Selection<'_>) -> Result<Query, Refusal> {
        if selection.counted != ScopeKind::Instance {
            return Err(Refusal::Sources(self.text.into()));
        }
        let (series, _) = self.series();
        let selector = self.selector(&series, selection)?;
        // The same PMU counts on each socket.
        let parts = format!("sum without (socket) ({selector})");
        Ok(Query::whole(format!("count without (event, pmu) ({parts})"), Labels::Scope))
    }

    #[cfg(test)]
    pub(super) fn counter(&self) -> Counter {
        self.counter
    }

    #[cfg(test)]
    pub(super) fn kind_of_core(&self) -> Option<&'static str> {
        self.kind
    }

    fn summed(&self, what: &str, selection: &Selection<'_>) -> String {
        // Only what is counted apart has labels of parts.
        let parts = if selection.counted == selection.level {
            ""
        } else {
            match selection.counted {
                ScopeKind::Cpu => ", cpu",
                ScopeKind::Core => ", core, die, socket",
                ScopeKind::Socket | ScopeKind::Instance => ", socket",
                _ => "",
            }
        };
        format!("sum without (event, pmu{parts}) ({what})")
    }

    fn selector(&self, series: &Series, selection: &Selection<'_>) -> Result<String, Refusal> {
        self.is_within(selection)?;
        let mut matchers = vec![format!("{}={}", names::EVENT, quoted(self.text))];
        if let Some(kind) = self.kind {
            matchers.push(format!("{}={}", names::PMU, quoted(kind)));
        }
        let whole = "cgroup=\"\",core=\"\",cpu=\"\",process=\"\",socket=\"\"";
        matchers.push(
            match selection.counted {
                ScopeKind::Machine => whole,
                ScopeKind::Cpu => "cpu!=\"\"",
                ScopeKind::Core => "core!=\"\"",
                ScopeKind::Socket | ScopeKind::Instance => "core=\"\",socket!=\"\"",
                ScopeKind::Cgroup => "cgroup!=\"\"",
                ScopeKind::Process => "process!=\"\"",
            }
            .into(),
        );
        Ok(format!("{}_total{{{}}}", series.family, matchers.join(",")))
    }

    fn is_within(&self, selection: &Selection<'_>) -> Result<(), Refusal> {
        let is_within = match selection.counted {
            ScopeKind::Machine | ScopeKind::Socket => true,
            ScopeKind::Instance => self.counter == Counter::Outside,
            ScopeKind::Cpu | ScopeKind::Core => self.counter != Counter::Outside,
            ScopeKind::Cgroup | ScopeKind::Process => {
                matches!(self.counter, Counter::Core | Counter::Software)
            }
        };
        if is_within { Ok(()) } else { Err(Refusal::Elsewhere(self.text.into())) }
    }

    /// The series of the event, and what a count is multiplied by there.
    pub(super) fn series(&self) -> (Series, f64) {
        // The kernel's clocks count nanoseconds. The driver of energy counters (`rapl.c`) has
        // units of 2^-32 joules.
        let (scale, unit) = match self.text {
            "task-clock" | "cpu-clock" => (1e-9, "s"),
            text if text.starts_with("power/energy-") => (1.0 / 4_294_967_296.0, "Joules"),
            _ => self.event.and_then(Event::scale_unit).map_or((1.0, ""), scale::split),
        };
        let series = Series::of_unit(unit);
        let scale = scale * series.factor;
        (series, scale)
    }
}

/// The kind of core whose metrics a PMU has, on machines that have several.
pub(super) fn kind_of_core(pmu: &'static str) -> Option<&'static str> {
    (pmu::is_core(pmu) && pmu != pmu::DEFAULT_CORE).then_some(pmu)
}

/// The value of a label, as PromQL quotes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use pmu_events::arch::{common, x86};

    use super::*;

    const MACHINE: Selection<'_> =
        Selection { counted: ScopeKind::Machine, level: ScopeKind::Machine, range: "1m" };

    #[test]
    fn selectors() {
        let cpu = Selection { counted: ScopeKind::Cpu, level: ScopeKind::Machine, ..MACHINE };
        let cgroup =
            Selection { counted: ScopeKind::Cgroup, level: ScopeKind::Cgroup, range: "5m" };
        let all = "cgroup=\"\",core=\"\",cpu=\"\",process=\"\",socket=\"\"";
        let cases = [
            (
                "INST_RETIRED.ANY",
                x86::SAPPHIRERAPIDS,
                "default_core",
                MACHINE,
                format!("sum without (event, pmu) (rate(pmu_events_total{{event=\"INST_RETIRED.ANY\",{all}}}[1m]))"),
            ),
            (
                "INST_RETIRED.ANY",
                x86::SAPPHIRERAPIDS,
                "default_core",
                cpu,
                "sum without (event, pmu, cpu) (rate(pmu_events_total{event=\"INST_RETIRED.ANY\",cpu!=\"\"}[1m]))".into(),
            ),
            (
                "cpu_core/INST_RETIRED.ANY/",
                x86::ALDERLAKE,
                "cpu_core",
                cgroup,
                "sum without (event, pmu) (rate(pmu_events_total{event=\"cpu_core/INST_RETIRED.ANY/\",pmu=\"cpu_core\",cgroup!=\"\"}[5m]))".into(),
            ),
            (
                "task-clock",
                x86::SAPPHIRERAPIDS,
                "default_core",
                cgroup,
                "sum without (event, pmu) (rate(pmu_events_seconds_total{event=\"task-clock\",cgroup!=\"\"}[5m])) * 1000000000".into(),
            ),
            // No core counts it, whichever kind of core the metric is of.
            (
                "TSC",
                x86::LUNARLAKE,
                "cpu_atom",
                MACHINE,
                format!("sum without (event, pmu) (rate(pmu_events_total{{event=\"TSC\",{all}}}[1m]))"),
            ),
            // The table has it, with a PMU of its own.
            (
                "context-switches",
                common::COMMON,
                "default_core",
                cgroup,
                "sum without (event, pmu) (rate(pmu_events_total{event=\"context-switches\",cgroup!=\"\"}[5m]))".into(),
            ),
            (
                "power/energy-pkg/",
                x86::SAPPHIRERAPIDS,
                "default_core",
                MACHINE,
                format!("sum without (event, pmu) (rate(pmu_events_joules_total{{event=\"power/energy-pkg/\",{all}}}[1m])) * 4294967296"),
            ),
        ];
        for (text, model, pmu, selection, expected) in cases {
            let query = Spelled::new(text, model, pmu).rate(&selection).expect(text);
            assert_eq!(query.to_string(), expected);
        }
    }

    #[test]
    fn parts_of_a_machine_lack_what_is_outside() {
        let cgroup =
            Selection { counted: ScopeKind::Cgroup, level: ScopeKind::Cgroup, range: "1m" };
        for text in ["msr/tsc/", "TSC", "power/energy-pkg/", "UNC_CHA_CLOCKTICKS"] {
            let spelled = Spelled::new(text, x86::SAPPHIRERAPIDS, "default_core");
            assert_eq!(spelled.rate(&cgroup), Err(Refusal::Elsewhere(text.into())));
            assert!(spelled.rate(&MACHINE).is_ok());
        }
    }

    #[test]
    fn quotes() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c\\nd\"");
    }
}
