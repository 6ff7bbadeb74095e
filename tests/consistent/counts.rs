//! Counts that a program could have: what is a part of something is at most that, and
//! waiting takes no longer than the program ran.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pmu_events::event_list::Tool;
use pmu_events::expr::{EventValue, Identifier, Machine};
use pmu_events::{Metric, Model};

use crate::parts::{self, Rule};
use crate::scales::Scales;
use crate::situations::{Counted, Run};

/// What identifiers of a model's formulas mean, in all runs.
pub struct Events {
    model: Model,
    counted: RefCell<HashMap<(String, &'static str), Rc<Event>>>,
    wholes: RefCell<HashMap<String, Option<String>>>,
}

struct Event {
    counted: Counted,
    /// The number of a term of the formula.
    own: HashMap<&'static str, i32>,
}

impl Events {
    pub fn of(model: Model) -> Self {
        Events { model, counted: RefCell::default(), wholes: RefCell::default() }
    }

    fn find(&self, identifier: &str, own_pmu: &'static str) -> Rc<Event> {
        let key = (identifier.to_owned(), own_pmu);
        if let Some(known) = self.counted.borrow().get(&key) {
            return Rc::clone(known);
        }
        let counted = Counted::of(identifier, own_pmu, [self.model, self.model]);
        let of_event = |name: &str| {
            let event = self.model.event(&counted.name);
            event.is_some_and(|event| event.terms().any(|term| term.to_string().starts_with(name)))
        };
        let number = |name: &&'static str| {
            let rest = counted.identity.split_once(&format!("\"{name}\": \""))?.1;
            Some((*name, rest.split_once('"')?.0.parse().ok()?))
        };
        let terms = ["cmask", "edge", "inv"];
        let own = terms.iter().filter(|name| !of_event(name)).filter_map(number).collect();
        let event = Rc::new(Event { counted, own });
        self.counted.borrow_mut().insert(key, Rc::clone(&event));
        event
    }

    fn whole_of(&self, name: &str) -> Option<String> {
        if let Some(known) = self.wholes.borrow().get(name) {
            return known.clone();
        }
        let whole = parts::whole_of(name, self.model);
        self.wholes.borrow_mut().insert(name.to_owned(), whole.clone());
        whole
    }
}

/// How often something happens in a cycle of a program, by the name of an event and the least number
/// in a cycle that is asked for; `None` if the program is not about it.
pub type Program<'e> = dyn Fn(&str, Option<i32>) -> Option<f64> + 'e;

/// The counts of one run on a machine of a model.
pub struct Counts<'e> {
    events: &'e Events,
    run: Run,
    scales: Scales,
    program: Option<Rc<Program<'e>>>,
    known: RefCell<HashMap<(String, &'static str), f64>>,
    amounts: RefCell<HashMap<String, f64>>,
}

impl<'e> Counts<'e> {
    pub fn of(events: &'e Events, run: Run) -> Self {
        let (known, amounts) = Default::default();
        Counts { events, run, scales: Scales::default(), program: None, known, amounts }
    }

    /// The same run, longer, on more CPUs or with pauses.
    pub fn scaled(&self, scales: Scales) -> Self {
        let ((known, amounts), program) = (Default::default(), self.program.clone());
        Counts { events: self.events, run: self.run, scales, program, known, amounts }
    }

    /// The counts of a program: what it is not about, any program could have.
    #[allow(dead_code, reason = "not all tests that have these counts have programs")]
    pub fn with_program(self, program: Rc<Program<'e>>) -> Self {
        Counts { program: Some(program), ..self }
    }

    fn of_program(&self, name: &str, least: Option<i32>) -> Option<f64> {
        Some(self.program.as_ref()?(name, least)? * self.cycles())
    }

    pub fn value(&self, metric: Metric) -> f64 {
        metric.evaluate_on(self, |event| self.operand(event.as_str(), metric.pmu()))
    }

    /// What formulas of a PMU take for an identifier.
    pub fn operand(&self, identifier: &str, own_pmu: &'static str) -> EventValue {
        EventValue::from(self.count(identifier, own_pmu)).with_sources(self.run.sources())
    }

    /// A number from 0 to 1 that depends on nothing but the words and the run.
    fn share(&self, of: &str) -> f64 {
        let bits = of.bytes().fold(0xcbf2_9ce4_8422_2325 ^ self.run.seed, |bits: u64, byte| {
            (bits ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let bits = (bits ^ (bits >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((bits ^ (bits >> 29)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&self, least: f64, most: f64, of: &str) -> f64 {
        least + (most - least) * self.share(of)
    }

    /// Cycles of a thread, or of all threads if the whole core is counted.
    fn cycles(&self) -> f64 {
        1e9 * (1.0 + self.share("cycles"))
    }

    /// Cycles of the core as far as they are the thread's: a busy sibling takes half of
    /// those that both run.
    fn core_cycles(&self) -> f64 {
        let situation = self.run.situation;
        let part = match (situation.sibling_is_busy, situation.is_core_wide) {
            (false, _) => 1.0,
            (true, false) => 0.75,
            // The cycles of both threads are counted.
            (true, true) => 0.5,
        };
        part * self.cycles()
    }

    fn count(&self, identifier: &str, own_pmu: &'static str) -> f64 {
        let key = (identifier.to_owned(), own_pmu);
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        let event = self.events.find(identifier, own_pmu);
        let count = self.of_terms(&event) * self.scales.of(&event.counted);
        self.known.borrow_mut().insert(key, count);
        count
    }

    /// Terms select some of what an event counts, or the cycles in which it does.
    fn of_terms(&self, event: &Event) -> f64 {
        let Counted { name, has_no_terms, identity } = &event.counted;
        let all = self.amount(name);
        // `chip=?` says where.
        if *has_no_terms || identity.contains("\"?\"") || identity.contains("=?") {
            return all;
        }
        let (_, modifiers) = identity.rsplit_once('/').unwrap_or_default();
        if modifiers.contains('r') {
            // The latency of one.
            return self.between(2.0, 30.0, identity);
        }
        let is_edge = event.own.contains_key("edge") || event.own.contains_key("inv");
        let least = event.own.get("cmask").copied().filter(|_| !is_edge);
        if let Some(count) = least.and_then(|least| self.of_program(name, Some(least))) {
            return count;
        }
        match event.own.get("cmask") {
            // At least two of a kind in a cycle is rarer than at least one.
            Some(&least) => {
                let one = self.between(0.3, 0.5, name) * all.min(self.core_cycles());
                let edge = if event.own.contains_key("edge") { 0.2 } else { 1.0 };
                let inverse = if event.own.contains_key("inv") { 0.1 } else { 1.0 };
                one * 0.8_f64.powi(least) * edge * inverse
            }
            None => all * self.between(0.05, 0.3, identity),
        }
    }

    /// The slots of a cycle of Intel's Atom and AMD's cores.
    fn width(&self) -> f64 {
        match self.events.model.name() {
            "elkhartlake" | "snowridgex" => 4.0,
            "alderlake" | "alderlaken" => 5.0,
            "arrowlake" | "lunarlake" | "clearwaterforest" | "amdzen5" | "amdzen6" => 8.0,
            _ => 6.0,
        }
    }

    /// What an event counts.
    fn amount(&self, name: &str) -> f64 {
        if let Some(&known) = self.amounts.borrow().get(name) {
            return known;
        }
        let amount = self.amount_of(name);
        self.amounts.borrow_mut().insert(name.to_owned(), amount);
        amount
    }

    fn amount_of(&self, name: &str) -> f64 {
        if let Some(count) = self.of_program(name, None) {
            return count;
        }
        let situation = self.run.situation;
        let cycles = self.cycles();
        match name {
            "@cycles" => return cycles,
            "@core" => return self.core_cycles(),
            // Intel's cores before Ice Lake are four wide.
            "@wide" => return 4.0 * self.core_cycles(),
            "@narrow" => return 2.0 * self.core_cycles(),
            // What formulas multiply the cycles by.
            "@atom" | "@dispatch" => return self.width() * cycles,
            "@slots" => return self.literal(Tool::Slots) * cycles,
            "@seconds" | "duration_time" => return self.run.seconds(),
            "tsc" => return self.literal(Tool::SystemTscFreq) * self.run.seconds(),
            _ if name.contains("one_thread_active") => {
                return 2.5e7 * if situation.sibling_is_busy { 0.5 } else { 1.0 };
            }
            _ if name.contains("ref_xclk") => return 2.5e7,
            _ => {}
        }
        // The same by another name.
        if name == "topdown_fe_bound.itlb" {
            return self.amount("topdown_fe_bound.itlb_miss");
        }
        if let Some(stem) = name.strip_suffix(".all_p").filter(|stem| stem.starts_with("topdown_"))
        {
            return self.amount(&format!("{stem}.all"));
        }
        if name == "stall_slot" {
            return self.amount("stall_slot_frontend") + self.amount("stall_slot_backend");
        }
        if let Some((whole, parts)) = parts::partition_of(name, self.events.model) {
            let weight = |part: &str| self.between(0.5, 1.5, part);
            let sum: f64 = parts.iter().map(|part| weight(part)).sum();
            return self.amount(whole) * weight(name) / sum;
        }
        if let Some(rule) = Rule::of(name, self.events.model) {
            return self.amount(rule.of) * self.between(rule.least, rule.most, name);
        }
        match self.events.whole_of(name) {
            Some(whole) => self.amount(&whole) * self.between(0.2, 0.9, name),
            None => cycles * self.between(0.0005, 0.002, name),
        }
    }
}

impl Machine for Counts<'_> {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::Slots => match self.events.model.name() {
                // The formulas have the number, too.
                "arm/c1-nano" => 3.0,
                "arm/c1-pro" | "arm/neoverse-n3" => 5.0,
                "arm/c1-premium" | "arm/c1-ultra" | "arm/neoverse-v3" | "nvidia/t410" => 10.0,
                name if name.starts_with("hisilicon") || name.starts_with("ampere") => 4.0,
                _ => 8.0,
            },
            Tool::NumCpus | Tool::NumCpusOnline => self.run.literal(literal) * self.scales.cpus,
            Tool::NumCores => self.run.literal(literal) * self.scales.cores,
            Tool::NumDies | Tool::NumPackages => self.run.literal(literal) * self.scales.packages,
            other => self.run.literal(other),
        }
    }

    fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }

    fn cpuid_matches(&self, _: Identifier<'_>) -> Option<bool> {
        Some(false)
    }
}
