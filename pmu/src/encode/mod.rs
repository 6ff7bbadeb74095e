//! `pmu encode`: event strings to the words that the kernel expects, one line for
//! each `perf_event_attr` that perf would open.

pub(crate) mod args;
mod input;
mod json;
mod text;

use std::io::Write;

use pmu_events::resolve::{Resolution, Resolved};

use crate::failure::{FAILED, Failure, SUCCESS};
use crate::mesh::WHOLE_MESH;
use crate::output::Output;
use crate::pointer::pointed_out;
use crate::system::System;
use args::EncodeArgs;

pub(crate) fn run(args: &EncodeArgs) -> Result<u8, Failure> {
    let system = System::of_subject(args.subject.trees()?, &args.subject)?.with_names(args.names);
    system.tell_of_builtin("encode");
    system.tell_of_cpus("encode");
    let mut out = Output::stdout();
    if args.json {
        system.notes().iter().try_for_each(|note| crate::json::note(&mut out, note))?;
    }
    let mut all_well = true;
    for event in &args.events {
        if event != "-" {
            all_well &= encode(&system, event, args.json, &mut out)?;
            continue;
        }
        input::each_line(|line| {
            all_well &= encode(&system, line, args.json, &mut out)?;
            Ok(())
        })?;
    }
    out.flush()?;
    if !all_well {
        system.excuses().iter().for_each(|excuse| complain(&format!("note: {excuse}")));
    }
    Ok(if all_well { SUCCESS } else { FAILED })
}

fn complain(message: &str) {
    crate::failure::complain("encode", message);
}

/// What perf counts instead under the events' names. That perf does not know an
/// event to be precise changes none of its words.
fn differences(all: &Resolution) -> Vec<String> {
    let mut lines = Vec::new();
    for event in all.events().iter().filter_map(Resolved::table_event) {
        let Some(differs) = event.perf_differs().filter(|differs| differs.changes_count()) else {
            continue;
        };
        let evidence = differs.evidence().map(|evidence| format!(" ({evidence})"));
        let line = format!("{}: {differs}{}", event.name(), evidence.unwrap_or_default());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// What counts more than the node that it names.
fn whole_meshes(all: &Resolution) -> Vec<String> {
    let mut lines = Vec::new();
    for event in all.events().iter().filter(|event| event.ignores_node()) {
        let line = format!("{}: {WHOLE_MESH}", event.name());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// Whether the event could be resolved.
fn encode(system: &System, event: &str, json: bool, out: &mut impl Write) -> Result<bool, Failure> {
    let resolved = system.require(event);
    match &resolved {
        Ok(all) if json => json::resolved(out, event, all)?,
        Ok(all) => {
            text::resolved(out, all)?;
            // Below the line that they are about, also on a terminal.
            out.flush()?;
            let notes = differences(all).into_iter().chain(whole_meshes(all));
            notes.for_each(|line| complain(&format!("note: {line}")));
        }
        Err(error) => {
            if json {
                json::refused(out, event, error)?;
            }
            // Successes come before errors, also on a terminal.
            out.flush()?;
            complain(&pointed_out(event, error));
        }
    }
    Ok(resolved.is_ok())
}
