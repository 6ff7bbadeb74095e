//! `pmu script`: each sample of a recording, as perf writes it
//! (`process_event` in `tools/perf/builtin-script.c`).

mod access;
mod beside;
mod branches;
mod fields;
mod places;
mod write;

use std::io::{self, Write as _};

use crate::failure::{Failure, SUCCESS, complain};
use crate::output::Output;
use crate::perf_data::header;
use crate::perf_data::reader::Fault;
use crate::profile::filter::Filter;
use crate::profile::reading::{Beside, Item, Reading, Summary, Wanted};
use crate::script_args::{InputArgs, ScriptArgs};
use fields::Fields;

pub(crate) fn run(args: &ScriptArgs) -> Result<u8, Failure> {
    let asked = args.fields.as_deref().map(Fields::parse).transpose();
    let asked = asked.map_err(Failure::Missing)?;
    args.of_perf.tell();
    let filter = Filter::new(&args.filter, &args.dsos);
    let names = asked.is_none_or(|asked| asked.sym);
    let wanted = Wanted { names, lines: names && !args.input.no_inline, ..wanted(&args.input) };
    let names = names || filter.needs_names();
    let wanted = Wanted { names, chains: !args.hide_call_graph, ..wanted };
    let tracepoints = asked.is_none_or(|asked| asked.trace);
    let wanted = Wanted { others: args.records.has_any(), tracepoints, ..wanted };
    let asked_for = asked.unwrap_or_default();
    let branches = asked_for.brstack;
    let mut reading = open(&args.input, Wanted { branches, ..wanted })?;
    let events = &reading.reader.events;
    let has: Vec<_> = events.iter().map(|event| event.layout.fields()).collect();
    if let Some(field) = asked_for.missing(&has) {
        let file = args.input.input.display();
        return Err(Failure::Missing(format!("{file}: `-F`: no sample has the field `{field}`")));
    }
    let at_data: Vec<bool> = events.iter().map(|event| event.is_at_data).collect();
    let filter = filter.within(reading.reader.bounds(), args.reltime).map_err(Failure::Missing)?;
    let has_chain = !args.hide_call_graph;
    let fields: Vec<Fields> =
        reading.reader.events.iter().map(|event| Fields::of(asked.as_ref(), event)).collect();
    reading.want_data(fields.iter().any(Fields::has_access));
    let names = reading.reader.event_names();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let mut out = Output::paged(!args.input.no_pager);
    if args.input.header || args.input.header_only {
        header::write(&mut out, &reading.reader)?;
    }
    if args.input.header_only {
        out.flush()?;
        return Ok(SUCCESS);
    }
    let mut clock = Clock::of(args);
    let mut widest = 0;
    let answer = reading.records(&mut |known, item| {
        match item {
            Item::Sample(taken) if filter.has(known, taken) => {
                let (name, fields) = (&names[taken.event], fields[taken.event]);
                let is_at_data = at_data[taken.event];
                let has_nanoseconds = args.ns;
                let event = write::Event { name, width, fields, has_nanoseconds, is_at_data };
                let time = clock.shown(taken.time.filter(|_| fields.time));
                let depth = args.max_stack;
                write::sample(&mut out, known, taken, &event, time, depth, &mut widest)?;
            }
            Item::Beside(Beside { record, event, name })
                if beside::is_shown(record, &args.records)
                    && filter.has_cpu(record.stamp().cpu()) =>
            {
                let (stamp, fields) = (record.stamp(), fields[event]);
                let (has_nanoseconds, is_at_data) = (args.ns, false);
                let event = write::Event { name: "", width, fields, has_nanoseconds, is_at_data };
                let start = write::Start {
                    comm: known.name(name),
                    pid: stamp.pid().unwrap_or(0),
                    tid: stamp.tid().unwrap_or(0),
                    cpu: stamp.cpu(),
                    time: clock.shown(stamp.time().filter(|_| fields.time)),
                    has_chain: has_chain && fields.has_chain && fields.ip,
                };
                start.write(&mut out, &event)?;
                beside::write(&mut out, record)?;
            }
            _ => {}
        }
        Ok(())
    });
    let (summary, _) = answer.map_err(|end| match end {
        End::Unwritten(error) => error.into(),
        End::Unread(fault) => of(&args.input, fault),
    })?;
    out.flush()?;
    drop(out);
    tell(&reading, summary, "script");
    Ok(SUCCESS)
}

/// Why not all records are shown.
enum End {
    Unread(Fault),
    Unwritten(io::Error),
}

impl From<Fault> for End {
    fn from(fault: Fault) -> Self {
        End::Unread(fault)
    }
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        End::Unwritten(error)
    }
}

/// Which times are shown.
enum Clock {
    OfRecording,
    /// Since the first one.
    Since(Option<u64>),
    /// Since the last one.
    Between(Option<u64>),
}

impl Clock {
    fn of(args: &ScriptArgs) -> Self {
        match (args.reltime, args.deltatime) {
            (true, _) => Clock::Since(None),
            (_, true) => Clock::Between(None),
            _ => Clock::OfRecording,
        }
    }

    fn shown(&mut self, time: Option<u64>) -> Option<u64> {
        let time = time?;
        let before = match self {
            Clock::OfRecording => 0,
            Clock::Since(first) => *first.get_or_insert(time),
            Clock::Between(last) => last.replace(time).unwrap_or(time),
        };
        // As perf, which prints the difference of times out of order as it is.
        Some(time.wrapping_sub(before))
    }
}

/// What is wanted of a recording in any case.
pub(crate) fn wanted(args: &InputArgs) -> Wanted {
    Wanted { root: args.symfs.clone(), ..Wanted::default() }
}

/// Opens a recording.
pub(crate) fn open(args: &InputArgs, wanted: Wanted) -> Result<Reading, Failure> {
    Reading::open(&args.input, wanted).map_err(|fault| of(args, fault))
}

/// What is wrong with the file of a recording.
pub(crate) fn of(args: &InputArgs, fault: Fault) -> Failure {
    Failure::Missing(format!("{}: {}", args.input.display(), fault.0))
}

/// Tells what a recording lacks.
pub(crate) fn tell(reading: &Reading, summary: Summary, command: &str) {
    for note in &reading.reader.notes {
        complain(command, &format!("note: {note}"));
    }
    if summary.damaged > 0 {
        complain(command, &format!("note: {} damaged records are left out", summary.damaged));
    }
    if summary.lost > 0 {
        let all = summary.samples.saturating_add(summary.lost);
        complain(command, &format!("note: {} of {all} samples were lost", summary.lost));
    }
}
