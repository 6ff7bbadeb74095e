//! What it costs to work out a metric: pmu-events' programs, its parser, and the
//! crates `fasteval` and `evalexpr` on the same formulas with the same values,
//! in one run. Prints a table in Markdown; the status is 1 when a target is
//! missed or anything allocates that must not.
//!
//! ```text
//! cargo run --release --manifest-path benches/metrics/Cargo.toml
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use evalexpr::{ContextWithMutableVariables, HashMapContext, Value};
use fasteval::{Compiler, Evaler};
use pmu_events::expr::{Identifier, Item, UnknownMachine};
use pmu_events::{Metric, metric};

mod tree {
    pmu_events::pmu_events!("tree");
}

/// What perf's `expr__parse` takes for one formula, which it parses each time:
/// Linux 6.12, AMD EPYC, by a program of its own.
const PERF_NANOSECONDS: f64 = 1100.0;

/// Nanoseconds an operator, with the look-ups of its operands.
const TARGET: f64 = 5.0;

const ROUNDS: usize = 300;
const ROUND: Duration = Duration::from_micros(500);

/// Counts allocations.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Of `e0` to `e7`.
const VALUES: [f64; 8] = [3e6, 2e6, 5e5, 7e5, 9e5, 1.2e6, 4e5, 1.1e6];

fn value_of(name: &str) -> f64 {
    let digit = name.as_bytes().get(1).map_or(0, |byte| byte.wrapping_sub(b'0'));
    VALUES.get(usize::from(digit)).copied().unwrap_or(f64::NAN)
}

/// Nanoseconds of a call in the fastest round, which other programs disturbed
/// least, and allocations of one.
fn measure(mut work: impl FnMut() -> f64) -> (f64, u64) {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    black_box(work());
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    let mut rounds = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let (start, mut calls) = (Instant::now(), 0u32);
        while start.elapsed() < ROUND {
            for _ in 0..100 {
                black_box(work());
            }
            calls += 100;
        }
        rounds.push(start.elapsed().as_nanos() as f64 / f64::from(calls));
    }
    (rounds.into_iter().fold(f64::INFINITY, f64::min), allocations)
}

fn operators(text: &str) -> usize {
    let formula = metric::parse(text).expect("a tree's formula").simplified();
    let is_operator = |item: &&Item<'_>| {
        matches!(item, Item::Negate | Item::Binary(_) | Item::Function(_) | Item::IfElse)
    };
    formula.items().iter().filter(is_operator).count()
}

fn main() -> ExitCode {
    let mut missed = Vec::new();
    println!(
        "| formula | operators | program | without look-ups | parsed before | parse | fasteval, compiled \
         | fasteval, parse | evalexpr, built | evalexpr, parse |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let mut total = Total::default();
    for one in tree::SOC.metrics() {
        row(one, &mut missed, &mut total);
    }
    println!();
    let (formula, operator) = total.line();
    let Total { operators, steps, program, .. } = total;
    println!(
        "Look-ups by name included, a formula takes {formula:.1} ns and {operator:.1} ns an operator \
         (least squares); all of them together {:.1} ns an operator, {:.1} ns a step.",
        program / operators,
        program / steps,
    );
    if operator >= TARGET {
        missed.push(format!("{operator:.1} ns an operator"));
    }
    println!(
        "Nanoseconds, the fastest of {ROUNDS} rounds. perf parses each time: {PERF_NANOSECONDS} ns."
    );
    for fault in &missed {
        println!("missed: {fault}");
    }
    if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Sums over all formulas.
#[derive(Default)]
struct Total {
    formulas: f64,
    operators: f64,
    squares: f64,
    products: f64,
    steps: f64,
    program: f64,
}

impl Total {
    fn add(&mut self, operators: usize, steps: usize, program: f64) {
        let operators = operators as f64;
        self.formulas += 1.0;
        self.operators += operators;
        self.squares += operators * operators;
        self.products += operators * program;
        self.steps += steps as f64;
        self.program += program;
    }

    /// What a formula costs, and what each of its operators adds.
    fn line(&self) -> (f64, f64) {
        let slope = (self.formulas * self.products - self.operators * self.program)
            / (self.formulas * self.squares - self.operators * self.operators);
        ((self.program - slope * self.operators) / self.formulas, slope)
    }
}

fn row(one: Metric, missed: &mut Vec<String>, total: &mut Total) {
    let text = one.expression();
    let count = operators(text);
    let ours = |id: Identifier<'_>| value_of(id.as_str());
    let expected = one.unscaled_on(&UnknownMachine, ours);

    let (program, allocations) = measure(|| black_box(one).unscaled_on(&UnknownMachine, ours));
    if allocations > 0 {
        missed.push(format!("{text} allocates"));
    }
    // What a value costs to be found is the caller's.
    let (without, _) = measure(|| black_box(one).unscaled_on(&UnknownMachine, |_| 2.0));
    let steps = metric::parse(text).expect("a tree's formula").simplified().items().len();
    total.add(count, steps, program);

    let formula = metric::parse(text).expect("a tree's formula");
    let (parsed, allocations) = measure(|| black_box(&formula).evaluate(ours));
    if allocations > 0 {
        missed.push(format!("{text}, parsed before, allocates"));
    }
    let (parse, _) = measure(|| metric::parse(black_box(text)).expect("parsed").evaluate(ours));

    let mut slab = fasteval::Slab::new();
    let instruction = fasteval::Parser::new()
        .parse(text, &mut slab.ps)
        .expect("parsed")
        .from(&slab.ps)
        .compile(&slab.ps, &mut slab.cs);
    let mut names = |name: &str, _: Vec<f64>| Some(value_of(name));
    let theirs = instruction.eval(&slab, &mut names).expect("evaluated");
    assert!((theirs - expected).abs() <= 1e-9 * expected.abs(), "{text}: {theirs}, {expected}");
    let (fast, _) = measure(|| instruction.eval(&slab, &mut names).expect("evaluated"));
    let (fast_parse, _) =
        measure(|| fasteval::ez_eval(black_box(text), &mut names).expect("evaluated"));

    let built = evalexpr::build_operator_tree(text).expect("built");
    let mut context = HashMapContext::new();
    let by_name: BTreeMap<String, f64> = (0..8).map(|n| (format!("e{n}"), VALUES[n])).collect();
    for (name, value) in by_name {
        context.set_value(name, Value::Float(value)).expect("a variable");
    }
    let theirs = built.eval_number_with_context(&context).expect("evaluated");
    assert!((theirs - expected).abs() <= 1e-9 * expected.abs(), "{text}: {theirs}, {expected}");
    let (eval, _) = measure(|| built.eval_number_with_context(&context).expect("evaluated"));
    let (eval_parse, _) = measure(|| {
        evalexpr::eval_number_with_context(black_box(text), &context).expect("evaluated")
    });

    println!(
        "| `{text}` | {count} | {program:.0} | {without:.0} | {parsed:.0} | {parse:.0} | {fast:.0} | \
         {fast_parse:.0} | {eval:.0} | {eval_parse:.0} |"
    );
}
