//! Counts that fit each other, in four situations, by what is counted rather than by
//! how it is spelt.

use std::collections::BTreeMap;

use pmu_events_core::event_list::Tool;
use pmu_events_core::expr::{EventValue, Identifier, Machine};
use pmu_events_core::{Metric, Model, pmu};

/// What the counts belong to.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// Whether the cores have two threads.
    pub smt_is_on: bool,
    /// Whether the other thread runs, half of the time.
    pub sibling_is_busy: bool,
    /// Whether the counts are those of all threads of the core.
    pub is_core_wide: bool,
}

/// One thread without another, beside an idle and a busy one, and the whole core.
pub const SITUATIONS: [Situation; 4] = [
    Situation { smt_is_on: false, sibling_is_busy: false, is_core_wide: false },
    Situation { smt_is_on: true, sibling_is_busy: false, is_core_wide: false },
    Situation { smt_is_on: true, sibling_is_busy: true, is_core_wide: false },
    Situation { smt_is_on: true, sibling_is_busy: true, is_core_wide: true },
];

/// How many sets of counts there are in each situation.
pub const SETS: u64 = 8;

/// One of the machines on which something is counted.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// What is counted there.
    pub situation: Situation,
    /// The set of counts.
    pub seed: u64,
}

impl Machine for Run {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SmtOn => f64::from(self.situation.smt_is_on),
            Tool::CoreWide => f64::from(self.situation.is_core_wide),
            Tool::SystemTscFreq => 2.1e9,
            Tool::Slots => 8.0,
            Tool::NumPackages | Tool::NumDies => 2.0,
            Tool::NumCpus | Tool::NumCpusOnline => 32.0,
            Tool::NumCores => 16.0,
            Tool::HasPmem => 0.0,
            _ => 1.0,
        }
    }

    fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }

    fn cpuid_matches(&self, _: Identifier<'_>) -> Option<bool> {
        Some(false)
    }
}

impl Run {
    /// A count that depends on nothing but what is counted. Cycles and slots of the
    /// core exceed whatever happens in them; the slots of the top level add up.
    #[must_use]
    pub fn count(&self, event: &Counted) -> f64 {
        const SLOTS: f64 = 6.0;
        let share = |of: &str| (mixed(of, self.seed) >> 11) as f64 / (1u64 << 53) as f64;
        let cycles = 1e9 * (1.0 + share("cycles"));
        // A sibling that is busy runs half of the time alone.
        let alone = if self.situation.sibling_is_busy { 0.5 } else { 1.0 };
        let parts = ["retiring", "bad", "frontend", "backend"].map(share);
        let sum: f64 = parts.iter().sum();
        let slots = |part: usize| SLOTS * cycles * parts[part] / sum;
        let name = event.name.as_str();
        match name {
            "slots" | "topdown.slots" => SLOTS * cycles,
            "topdown-retiring" => slots(0),
            "topdown-bad-spec" => slots(1),
            "topdown-fe-bound" => slots(2),
            "topdown-be-bound" => slots(3),
            // Parts of a part.
            "topdown-heavy-ops" => slots(0) * share(name),
            "topdown-br-mispredict" => slots(1) * share(name),
            "topdown-fetch-lat" => slots(2) * share(name),
            "topdown-mem-bound" => slots(3) * share(name),
            "duration_time" => self.seconds(),
            "tsc" => self.literal(Tool::SystemTscFreq) * self.seconds(),
            // Few, as long as the parts add up.
            _ if name.starts_with("int_misc.") => 1e4 * share(&event.identity),
            _ if name.contains("one_thread_active") => 2.5e7 * alone,
            _ if name.contains("ref_xclk") => 2.5e7,
            _ if event.has_no_terms && name.starts_with("cpu_clk_unhalted") => cycles,
            _ => cycles * (0.02 + 0.2 * share(&event.identity)),
        }
    }

    /// How long it was counted.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        2.0
    }

    /// How many units of a kind a package has.
    #[must_use]
    pub fn sources(&self) -> f64 {
        8.0
    }

    /// The value of a metric of one model whose events may be those of both.
    #[must_use]
    pub fn value(&self, metric: Metric, models: [Model; 2]) -> f64 {
        metric.evaluate_on(self, |event| {
            EventValue::from(self.count(&Counted::of(event.as_str(), metric.pmu(), models)))
                .with_sources(self.sources())
                .with_aggregated(4.0)
        })
    }

    /// All sets of counts of all situations.
    pub fn all() -> impl Iterator<Item = Run> {
        let seeds = |situation| (0..SETS).map(move |seed| Run { situation, seed });
        SITUATIONS.into_iter().flat_map(seeds)
    }
}

/// What an identifier counts, however it is spelt.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The name of the event, or of nothing that has one.
    pub name: String,
    /// Whether the identifier is the name alone.
    pub has_no_terms: bool,
    /// The PMU and the terms, those of the tables' events among them.
    pub identity: String,
}

impl Counted {
    /// Reads an identifier of a formula, for events of a PMU, by the tables of both models.
    #[must_use]
    pub fn of(identifier: &str, own_pmu: &str, models: [Model; 2]) -> Self {
        let text = identifier.to_ascii_lowercase();
        let find = |name: &str| models.iter().find_map(|model| model.event(name));
        let (pmu, rest) = match text.split_once('/') {
            // `event/terms/`
            Some((event, rest)) if find(event).is_some() => ("", format!("{event},{rest}")),
            Some((pmu, rest)) => (pmu, rest.to_owned()),
            // `event:modifiers`
            None => ("", text.clone()),
        };
        let (terms, modifiers) = match rest.rsplit_once('/') {
            Some(both) => both,
            None => rest.split_once(':').unwrap_or((&rest, "")),
        };
        let mut name = String::new();
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        let mut own_terms = 0;
        for one in terms.split(',').filter(|one| !one.is_empty()) {
            // An event of either table: ours has the same encoding for all spellings.
            if let Some(event) = find(one) {
                name = one.to_owned();
                let terms = event.terms().map(|term| term.to_string());
                let terms = terms.filter(|term| !term.starts_with("period="));
                all.extend(terms.map(|term| key_and_value(&term)));
            } else if one.contains('=') || !name.is_empty() {
                let (key, value) = key_and_value(one);
                // Perf's terms for one field.
                let key = if key.starts_with("thresh") { "cmask".to_owned() } else { key };
                // Where is not what.
                if key != "cpu" {
                    own_terms += 1;
                    all.insert(key, value);
                }
            } else {
                name = one.to_owned();
                all.insert(one.to_owned(), String::new());
            }
        }
        // One box of many, the core PMU by its name or without, and what the kernel
        // calls by two names.
        let pmu = match find(&name) {
            Some(event) if pmu.is_empty() && !pmu::is_core(event.pmu()) => event.pmu(),
            _ => pmu,
        };
        let pmu = pmu.trim_start_matches("uncore_").trim_end_matches(|c: char| c.is_ascii_digit());
        let pmu = match pmu.trim_end_matches('_') {
            "cpu" | "msr" => "",
            "cpu_core" | "cpu_atom" if pmu == own_pmu => "",
            pmu => pmu,
        };
        let identity = format!("{pmu}/{all:?}/{modifiers}");
        Counted { name, has_no_terms: own_terms == 0 && modifiers.is_empty(), identity }
    }
}

/// A term with its number in decimal; a flag has the number 1.
fn key_and_value(term: &str) -> (String, String) {
    let (key, number) = term.split_once('=').unwrap_or((term, "1"));
    let digits = number.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16));
    let number = digits.unwrap_or_else(|| number.parse());
    (key.to_owned(), number.map_or_else(|_| term.to_owned(), |number| number.to_string()))
}

fn mixed(name: &str, seed: u64) -> u64 {
    let mut bits = name.bytes().fold(0xcbf2_9ce4_8422_2325, |bits: u64, byte| {
        (bits ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    bits = bits.wrapping_add((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Whether values are the same but for rounding.
#[must_use]
pub fn are_equal(ours: f64, theirs: f64) -> bool {
    ours == theirs
        || ours.is_nan() && theirs.is_nan()
        || (ours - theirs).abs() <= 1e-9 * ours.abs().max(theirs.abs())
}
