//! The formulas, and the values of their events.

use pmu_events::__private::expr::{Identifier, Item, Spelling, UnknownMachine};
use pmu_events::__private::items;
use pmu_events::metric::Expression;
use pmu_events::{Metric, metric};

mod tree {
    pmu_events::pmu_events!("tree");
}

/// Of `e0` to `e7`.
pub const VALUES: [f64; 8] = [3e6, 2e6, 5e5, 7e5, 9e5, 1.2e6, 4e5, 1.1e6];

/// The same formulas where another grammar is not perf's.
const ELSEWHERE: &[Elsewhere] = &[
    Elsewhere {
        perf: "(e2 / e1 > 0.1) & ((e3 / e1 > 0.2) & (e4 / e1 > 0.05))",
        fasteval: Some("e2 / e1 > 0.1 && (e3 / e1 > 0.2 && e4 / e1 > 0.05)"),
        // Its comparisons are no numbers.
        evalexpr: "if(e2 / e1 > 0.1 && (e3 / e1 > 0.2 && e4 / e1 > 0.05), 1, 0)",
    },
    Elsewhere {
        perf: "100 * (1 - e2 / (e3 + e4) if e5 > e4 else min(e6, e7) / e0)",
        fasteval: None,
        evalexpr: "100 * if(e5 > e4, 1 - e2 / (e3 + e4), min(e6, e7) / e0)",
    },
    Elsewhere {
        perf: "max(0, 1 - bound) * hit_rate / ipc",
        fasteval: Some(INLINED),
        evalexpr: INLINED,
    },
];

/// Nobody else has references.
const INLINED: &str = "max(0, 1 - (1 - (e0 - e1) / (4 * e2) - (e3 + e4) / (4 * e2))) \
                       * (100 * e0 / (e0 + e1)) / (e0 / e1)";

struct Elsewhere {
    perf: &'static str,
    /// `None` where it has no way to say it.
    fasteval: Option<&'static str>,
    evalexpr: &'static str,
}

/// The value of `e0` to `e7`, found by name.
pub fn value_of(name: &str) -> f64 {
    let digit = name.as_bytes().get(1).map_or(0, |byte| byte.wrapping_sub(b'0'));
    VALUES.get(usize::from(digit)).copied().unwrap_or(f64::NAN)
}

/// [`value_of`] an identifier.
pub fn value_of_event(event: Identifier<'_>) -> f64 {
    value_of(event.as_str())
}

/// A metric's expression, or its threshold.
#[derive(Clone, Copy)]
pub struct Formula {
    pub metric: Metric,
    pub is_threshold: bool,
}

impl Formula {
    /// Those of the tree.
    pub fn all() -> Vec<Self> {
        let of = |metric: Metric| {
            let threshold = metric.threshold().map(|_| Formula { metric, is_threshold: true });
            [Some(Formula { metric, is_threshold: false }), threshold]
        };
        tree::SOC.metrics().flat_map(of).flatten().collect()
    }

    /// Kept for good: they are few.
    pub fn text(self) -> &'static str {
        let threshold = self.metric.threshold().filter(|_| self.is_threshold);
        threshold.unwrap_or(self.metric.expression()).to_string().leak()
    }

    pub fn for_fasteval(self) -> Option<&'static str> {
        self.elsewhere().map_or(Some(self.text()), |other| other.fasteval)
    }

    pub fn for_evalexpr(self) -> &'static str {
        self.elsewhere().map_or(self.text(), |other| other.evalexpr)
    }

    fn elsewhere(self) -> Option<&'static Elsewhere> {
        ELSEWHERE.iter().find(|other| other.perf == self.text())
    }

    pub fn parsed(self) -> Expression<'static> {
        metric::parse(self.text()).expect("the macro has parsed it")
    }

    /// The metrics that it refers to.
    pub fn references(self) -> Vec<Metric> {
        let reference = |item: &Item<Spelling<'_>>| match item {
            Item::Identifier(name) => tree::SOC.metric(name.escaped()),
            _ => None,
        };
        items(&self.parsed()).iter().filter_map(reference).collect()
    }

    /// The operators of the programs, which are simplified: its own, and those
    /// of the metrics that it refers to.
    pub fn operators(self) -> usize {
        let is_operator = |item: &&Item<Spelling<'_>>| {
            matches!(item, Item::Negate | Item::Binary(_) | Item::Function(_) | Item::IfElse)
        };
        let own = items(&self.parsed().simplified()).iter().filter(is_operator).count();
        let others = self.references().into_iter();
        let others = others.map(|metric| Formula { metric, is_threshold: false }.operators());
        own + others.sum::<usize>()
    }

    pub fn value(self) -> f64 {
        if self.is_threshold {
            self.metric.threshold_value_on(&UnknownMachine, value_of_event)
        } else {
            self.metric.unscaled_on(&UnknownMachine, value_of_event)
        }
    }

    /// Whether a contestant has the same value, but for rounding in another
    /// order.
    pub fn agrees(self, value: f64) -> bool {
        let expected = self.value();
        (value - expected).abs() <= 1e-12 * expected.abs()
    }
}
