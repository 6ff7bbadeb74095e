//! The functions in which events occur.

use super::advised::Advised;
use super::how::Recorded;
use super::{ENOUGH, OfEvent, Samples};
use crate::perf_data::reader::Fault;
use crate::profile::reading::{Reading, Wanted};
use crate::report::{Shares, Table};
use crate::report_values::Key;
use crate::stat::Failure;

/// A function, and the share of an event's samples in it.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) module: String,
    /// Whether it is one of the kernel.
    pub(crate) is_of_kernel: bool,
    /// Of what the samples stand for, 0 to 1.
    pub(crate) share: f64,
    pub(crate) samples: u64,
}

/// Reads a recording of events, in their order.
pub(super) fn read(
    recorded: Recorded,
    advised: Advised,
    notes: &mut Vec<String>,
) -> Result<Samples, Failure> {
    let wanted = Wanted { names: true, ..Wanted::default() };
    let unread = |fault: Fault| Failure::Cannot(format!("the samples cannot be read: {}", fault.0));
    let mut reading = match recorded {
        Recorded::Named(path) => Reading::open(&path, wanted),
        Recorded::Nameless(file) => Reading::of_file(file, wanted),
    }
    .map_err(unread)?;
    let keys = [Key::Function, Key::Module];
    let mut shares: Vec<Shares> =
        advised.events.iter().map(|_| Shares::new(&keys, false)).collect();
    let answer = reading.samples(&mut |modules, taken| {
        if let Some(shares) = shares.get_mut(taken.event) {
            shares.add(modules, taken);
        }
    });
    let (summary, _) = answer.map_err(unread)?;
    if summary.lost > 0 {
        let all = summary.samples.saturating_add(summary.lost);
        notes.push(format!(
            "{} of {all} samples were lost, because the buffers were full; \
             `--sample-args '-m 4M'` makes them larger",
            summary.lost
        ));
    }
    let mut samples = Samples::default();
    for (event, shares) in advised.events.into_iter().zip(shares) {
        let table = shares.into_table(&event.name, 0.0);
        match table.samples {
            0 => {
                notes.push(format!("no sample of `{}` was taken: it occurs too rarely", event.name))
            }
            few if few < ENOUGH => notes.push(format!(
                "`{}` has too few samples, {few}: with {ENOUGH}, a share of one half is known to \
                 within 10%; a longer run or `--sample-args '-c N'` with a smaller N takes more",
                event.name
            )),
            _ => {}
        }
        samples.of_events.push(OfEvent {
            advised: event.advised,
            pmu: event.pmu,
            samples: table.samples,
            events: table.events,
            functions: functions(&table),
            name: event.name,
        });
    }
    Ok(samples)
}

fn functions(table: &Table<'_>) -> Vec<Function> {
    let all = table.lines.iter().map(|(line, sum)| {
        let value = |n: usize| line.values.get(n).map(ToString::to_string).unwrap_or_default();
        Function {
            name: value(0),
            module: value(1),
            is_of_kernel: line.level == Some('k'),
            share: table.share(sum.events),
            samples: sum.samples,
        }
    });
    all.collect()
}
