//! What it costs to work out a metric: pmu-events' programs, its parser, the
//! crates `fasteval` and `evalexpr`, and perf's parser on the same formulas with
//! the same values, in one run. Prints a table in Markdown; the status is 1 when
//! a target is missed or anything allocates that must not.
//!
//! ```text
//! cargo run --release --manifest-path benches/metrics/Cargo.toml
//! benches/metrics/compare
//! ```

#[path = "../../common/allocations.rs"]
mod allocations;
mod arguments;
mod contestants;
mod cost;
mod formula;
mod perf;
mod runs;
mod stopwatch;
mod table;
mod tree;

use std::collections::BTreeSet;
use std::process::ExitCode;

use arguments::{Arguments, USAGE};
use contestants::{Contestant, Way, contestants};
use cost::{Cost, Point};
use formula::Formula;
use perf::Perf;
use table::Row;

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

/// Nanoseconds an operator, with what a formula costs apart from operators.
const TARGET: f64 = 5.0;

/// Of all formulas and contestants, a slice of time each: together they take
/// longer than a machine is slow at a stretch.
const PASSES: usize = 100;
const QUICK_PASSES: usize = 8;

fn main() -> ExitCode {
    let Some(arguments) = Arguments::read(std::env::args_os().skip(1)) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    if arguments.help {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match measure(&arguments) {
        Ok(missed) if missed.is_empty() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::from(2)
        }
    }
}

/// The targets that were missed.
fn measure(arguments: &Arguments) -> Result<BTreeSet<String>, String> {
    let passes = if arguments.quick { QUICK_PASSES } else { PASSES };
    let mut perf = arguments.perf.as_deref().map(Perf::start).transpose()?;
    let mut missed = BTreeSet::new();
    let mut rows = Vec::new();
    for formula in Formula::all() {
        rows.push((Row::new(formula), contestants(formula)?));
    }
    for _ in 0..passes {
        for (row, contestants) in &mut rows {
            slices(row, contestants, &mut missed);
            if let Some(perf) = &mut perf {
                let times = perf.measure(row.formula)?;
                row.note(Way::PerfFilled, times.filled);
                if let Some(parse) = times.parse {
                    row.note(Way::PerfParse, parse);
                }
            }
        }
    }
    perf.map(Perf::stop).transpose()?;

    let rows: Vec<Row> = rows.into_iter().map(|(row, _)| row).collect();
    table::print(&rows);
    legend(passes, arguments.perf.is_some());
    judge(&rows, &mut missed);
    missed.extend(tree::Costs::measure(passes).print());
    missed.extend(runs::print());
    for fault in &missed {
        println!("\n**missed**: {fault}");
    }
    Ok(missed)
}

fn slices(row: &mut Row, contestants: &mut [Contestant], missed: &mut BTreeSet<String>) {
    for contestant in contestants {
        let way = contestant.way;
        let slice = (contestant.slice)();
        row.note(way, slice.nanoseconds);
        if slice.allocations > 0 && way.must_not_allocate() {
            missed.insert(format!("`{}`: {} allocates", row.formula.text(), way.title()));
        }
    }
}

fn judge(rows: &[Row], missed: &mut BTreeSet<String>) {
    let refers = |row: &&Row| !row.formula.references().is_empty();
    let of_program = |row: &Row| Point::of(row, Way::Program);
    let alone = Cost::of(rows.iter().filter_map(|row| Point::of(row, Way::WithoutLookUps)));
    let all = Cost::of(rows.iter().filter_map(of_program));
    let over_events = Cost::of(rows.iter().filter(|row| !refers(row)).filter_map(of_program));
    let over_metrics = Cost::of(rows.iter().filter(refers).filter_map(of_program));
    println!(
        "\n*Program*: **{:.2} ns an operator** for itself, all formulas' time over all their operators, \
         and **{:.2}** with what the caller's look-ups by name take (target of both: below {TARGET}); \
         of the latter {:.1} where formulas are about events alone and {:.1} where they refer to other \
         metrics, whose operators count, too. By least squares a formula about events takes {:.1} ns \
         and each operator {:.1} ns more, with look-ups.",
        alone.operator,
        all.operator,
        over_events.operator,
        over_metrics.operator,
        over_events.formula,
        over_events.further_operator,
    );
    if rows.iter().any(|row| row.of(Way::PerfParse).is_some()) {
        let perf = Cost::of(rows.iter().filter_map(|row| Point::of(row, Way::PerfParse)));
        println!(
            "*perf, parse*: {:.0} ns an operator; by least squares a formula takes {:.0} ns and each \
             operator {:.0} ns more.",
            perf.operator, perf.formula, perf.further_operator,
        );
    }
    for (what, cost) in [("by itself", alone), ("with look-ups", all)] {
        if cost.operator >= TARGET {
            missed.insert(format!("{:.2} ns an operator, {what}", cost.operator));
        }
    }
}

fn legend(passes: usize, perf: bool) {
    println!(
        "\nNanoseconds a formula, the fastest round of {passes} passes, in each of which every \
         contestant has a millisecond for every formula. `-`: it has no way to say that; where its \
         grammar has other words for `&` and `if … else`, it has those, and the formulas of other \
         metrics in the place of their names. The last rows: sums, and \
         how many times those of *program* for the same formulas.\n\n\
         * *program*: `Metric::unscaled_on` or `threshold_value_on`, values found by the digit in \
         their name; *without look-ups*: by a closure that looks at nothing.\n\
         * *parsed before*: `metric::parse` once, then `Expression::evaluate`; *parse*: both each \
         time.\n\
         * `fasteval` and `evalexpr` likewise: compiled or built once, or read each time. fasteval \
         finds values as *program* does, evalexpr and perf in hash tables of their own."
    );
    if perf {
        println!(
            "* *perf, parse*: `expr__parse`, which perf calls for every value that it prints, with a \
             context that has the values; *fill and parse*: with the context made, filled and \
             freed, as `perf stat` does each time."
        );
    }
}
