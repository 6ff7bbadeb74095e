//! Who works a formula out, in this program.

use std::hint::black_box;

use evalexpr::{ContextWithMutableVariables, HashMapContext, Value};
use fasteval::{Compiler, Evaler};
use pmu_events::expr::UnknownMachine;
use pmu_events::metric;

use crate::formula::{Formula, VALUES, value_of, value_of_event};
use crate::stopwatch::{self, Slice};

/// A way to a formula's value, and its column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Program,
    /// By a closure that gives every event the same value.
    WithoutLookUps,
    ParsedBefore,
    Parse,
    FastevalCompiled,
    FastevalParse,
    EvalexprBuilt,
    EvalexprParse,
    PerfParse,
    PerfFilled,
}

impl Way {
    pub const ALL: [Way; 10] = [
        Way::Program,
        Way::WithoutLookUps,
        Way::ParsedBefore,
        Way::Parse,
        Way::FastevalCompiled,
        Way::FastevalParse,
        Way::EvalexprBuilt,
        Way::EvalexprParse,
        Way::PerfParse,
        Way::PerfFilled,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Way::Program => "program",
            Way::WithoutLookUps => "without look-ups",
            Way::ParsedBefore => "parsed before",
            Way::Parse => "parse",
            Way::FastevalCompiled => "fasteval, compiled",
            Way::FastevalParse => "fasteval, parse",
            Way::EvalexprBuilt => "evalexpr, built",
            Way::EvalexprParse => "evalexpr, parse",
            Way::PerfParse => "perf, parse",
            Way::PerfFilled => "perf, fill and parse",
        }
    }

    pub fn must_not_allocate(self) -> bool {
        matches!(self, Way::Program | Way::WithoutLookUps | Way::ParsedBefore)
    }
}

pub struct Contestant {
    pub way: Way,
    /// Works for a slice of time. Only this call is dynamic.
    pub slice: Box<dyn FnMut() -> Slice>,
}

impl Contestant {
    fn new(
        way: Way,
        formula: Formula,
        mut work: impl FnMut() -> f64 + 'static,
    ) -> Result<Self, String> {
        let value = work();
        if way != Way::WithoutLookUps && !formula.agrees(value) {
            let (text, title) = (formula.text(), way.title());
            return Err(format!("{text}: {title}: {value}, not {}", formula.value()));
        }
        Ok(Contestant { way, slice: Box::new(move || stopwatch::slice(&mut work)) })
    }
}

/// Those that can say the formula, each after a look at its value.
pub fn contestants(formula: Formula) -> Result<Vec<Contestant>, String> {
    let mut all = ours(formula)?;
    if let Some(text) = formula.for_fasteval() {
        all.extend(by_fasteval(formula, text)?);
    }
    all.extend(by_evalexpr(formula, formula.for_evalexpr())?);
    Ok(all)
}

fn ours(formula: Formula) -> Result<Vec<Contestant>, String> {
    let (one, text) = (formula.metric, formula.text());
    let parsed = formula.parsed();
    // Which formula it is, is not asked each time.
    let [program, without] = if formula.is_threshold {
        [
            Contestant::new(Way::Program, formula, move || {
                black_box(one).threshold_value_on(&UnknownMachine, value_of_event)
            })?,
            Contestant::new(Way::WithoutLookUps, formula, move || {
                black_box(one).threshold_value_on(&UnknownMachine, |_| 2.0)
            })?,
        ]
    } else {
        [
            Contestant::new(Way::Program, formula, move || {
                black_box(one).unscaled_on(&UnknownMachine, value_of_event)
            })?,
            Contestant::new(Way::WithoutLookUps, formula, move || {
                black_box(one).unscaled_on(&UnknownMachine, |_| 2.0)
            })?,
        ]
    };
    // What a user writes is about events.
    if !formula.references().is_empty() {
        return Ok(vec![program, without]);
    }
    let before = Contestant::new(Way::ParsedBefore, formula, move || {
        black_box(&parsed).evaluate(value_of_event)
    })?;
    let parse = Contestant::new(Way::Parse, formula, move || {
        metric::parse(black_box(text)).expect("parsed before").evaluate(value_of_event)
    })?;
    Ok(vec![program, without, before, parse])
}

fn by_fasteval(formula: Formula, text: &'static str) -> Result<[Contestant; 2], String> {
    let mut slab = fasteval::Slab::new();
    let instruction = fasteval::Parser::new()
        .parse(text, &mut slab.ps)
        .map_err(|error| format!("{text}: fasteval: {error}"))?
        .from(&slab.ps)
        .compile(&slab.ps, &mut slab.cs);
    let mut names = |name: &str, _: Vec<f64>| Some(value_of(name));
    let compiled = Contestant::new(Way::FastevalCompiled, formula, move || {
        black_box(&instruction).eval(&slab, &mut names).expect("evaluated before")
    })?;
    let parse = Contestant::new(Way::FastevalParse, formula, move || {
        fasteval::ez_eval(black_box(text), &mut names).expect("parsed before")
    })?;
    Ok([compiled, parse])
}

fn by_evalexpr(formula: Formula, text: &'static str) -> Result<[Contestant; 2], String> {
    let fault = |error| format!("{text}: evalexpr: {error}");
    let tree = evalexpr::build_operator_tree(text).map_err(fault)?;
    let mut context = HashMapContext::new();
    for (n, value) in VALUES.into_iter().enumerate() {
        context.set_value(format!("e{n}"), Value::Float(value)).map_err(fault)?;
    }
    let same = context.clone();
    let built = Contestant::new(Way::EvalexprBuilt, formula, move || {
        black_box(&tree).eval_number_with_context(&context).expect("evaluated before")
    })?;
    let parse = Contestant::new(Way::EvalexprParse, formula, move || {
        evalexpr::eval_number_with_context(black_box(text), &same).expect("parsed before")
    })?;
    Ok([built, parse])
}
