//! A kind of cores, and its counts, whatever they are called.

use pmu_events::__private::name;
use pmu_events::expr::EventValue;
use pmu_events::metric::{Latencies, LatencyOf};
use pmu_events::{Metric, Model, arch};

use crate::counts::Counts;
use crate::models::Pair;
use crate::same::Spellings;
use crate::spelling::spelt;
use crate::toplev::Question;

/// One kind of cores of a model.
pub struct Kind {
    pub model: Model,
    pub pmu: &'static str,
    spellings: Spellings,
    metrics: Vec<Metric>,
}

impl Kind {
    /// `None` if `arch/x86` has no such model.
    #[must_use]
    pub fn of(pair: Pair) -> Option<Self> {
        let mut models = arch::TREES.iter().flat_map(|(_, tree)| tree.models());
        let model = models.find(|model| model.name() == pair.model)?;
        let metrics = model.metrics().filter(|metric| metric.pmu() == pair.pmu).collect();
        Some(Kind { model, pmu: pair.pmu, spellings: Spellings::of(model, pair.pmu), metrics })
    }

    /// Finds a metric by its name, in any letter case.
    #[must_use]
    pub fn metric(&self, wanted: &str) -> Option<Metric> {
        self.metrics.iter().copied().find(|metric| name::eq(metric.name(), wanted))
    }
}

/// The counts of a run on a kind of cores.
pub struct Core<'a> {
    pub kind: &'a Kind,
    pub counts: &'a Counts<'a>,
}

impl Core<'_> {
    /// What a formula takes for an event, or for the retirement latency of one.
    #[must_use]
    pub fn operand(&self, identifier: &str) -> EventValue {
        match LatencyOf::parse(identifier) {
            Some(of) => self.latency(of.event()).into(),
            None => self.count(identifier),
        }
    }

    fn count(&self, identifier: &str) -> EventValue {
        self.kind.spellings.operand(identifier, self.counts)
    }

    /// Cycles of an event's retirement latency: toplev and the tables state different ones.
    fn latency(&self, event: &str) -> f64 {
        self.count(&format!("{event}:R")).value()
    }

    /// Those of all metrics, as a caller states them.
    #[must_use]
    pub fn latencies(&self) -> Latencies {
        let mut all = Latencies::new();
        for operand in self.kind.metrics.iter().flat_map(|metric| metric.latencies()) {
            if let Some(of) = LatencyOf::parse(operand.as_str()) {
                all = all.with_cycles(&of.to_string(), self.latency(of.event()));
            }
        }
        all
    }

    /// The value that other formulas see.
    #[must_use]
    pub fn value(&self, metric: Metric) -> f64 {
        metric.unscaled_on(self.counts, |identifier| self.operand(identifier.as_str()))
    }

    /// NaN if it is unknown.
    #[must_use]
    pub fn threshold_value(&self, metric: Metric) -> f64 {
        metric.threshold_value_on(self.counts, |identifier| self.operand(identifier.as_str()))
    }

    /// Answers what toplev asks.
    ///
    /// # Errors
    ///
    /// Says which event is unknown.
    pub fn answer(&self, question: Question<'_>) -> Result<f64, String> {
        let event = match question {
            Question::Latency(event) => return Ok(self.latency(event)),
            Question::Event(event) => event,
        };
        let seconds = || self.count("duration_time").value();
        Ok(match event {
            "interval-s" => seconds(),
            "interval-ms" => seconds() * 1e3,
            "interval-ns" => seconds() * 1e9,
            "msr/tsc/" => self.count(event).value(),
            _ => self.count(&spelt(&event.to_ascii_lowercase(), self.kind.model)?).value(),
        })
    }
}
