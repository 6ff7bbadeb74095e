//! `pmu report`: shares of functions, modules, threads, lines and data in the samples of a
//! recording.
//!
//! | module | contents |
//! |---|---|
//! | [`shares`], [`places`], [`accesses`] | samples that add up, and what they are called |
//! | [`tree`] | call chains that add up |
//! | [`text`], [`stdio`], [`records`] | how shares are written |
//! | [`folded`], [`page`] | how call chains are written |

mod accesses;
mod folded;
mod page;
mod places;
mod records;
mod shares;
mod stdio;
mod text;
mod tree;

use std::io::Write as _;
use std::path::Path;

use pmu_events::sample::Fields;

use crate::failure::{Failure, SUCCESS};
use crate::html::write;
use crate::invocation::Invocation;
use crate::output::Output;
use crate::perf_data::header;
use crate::profile::filter::Filter;
use crate::profile::reading::{Reading, Summary, Wanted};
use crate::report_args::{Key, ReportArgs};
use crate::script::{of, open, tell, wanted};
use accesses::Words;
pub(crate) use shares::{Shares, Table};
use tree::Tree;

pub(crate) fn run(args: &ReportArgs) -> Result<u8, Failure> {
    let keys = args.keys();
    let filter = Filter::new(&args.filter, &args.dsos);
    let has_chains = args.folded || args.html.is_some();
    let lines = keys.contains(&Key::Line) || has_chains && !args.input.no_inline;
    let names = lines || has_chains || keys.contains(&Key::Function) || filter.needs_names();
    let chains = has_chains || args.children;
    let data = !has_chains && (args.mem_mode || keys.iter().any(|key| key.is_of_data()));
    let wanted = Wanted { names, lines, chains, data, ..wanted(&args.input) };
    let mut reading = open(&args.input, wanted)?;
    let filter = filter.within(reading.reader.bounds(), false).map_err(Failure::Missing)?;
    if args.input.header_only {
        let mut out = Output::paged(!args.input.no_pager);
        header::write(&mut out, &reading.reader)?;
        out.flush()?;
        return Ok(SUCCESS);
    }
    if data {
        require_data(&reading, args)?;
    }
    match (&args.html, args.folded) {
        (Some(to), _) => write_page(&mut reading, args, &filter, to),
        (None, true) => write_folded(&mut reading, args, &filter),
        (None, false) => write_shares(&mut reading, args, &filter),
    }
}

/// Some event of the recording must have what the keys are about.
fn require_data(reading: &Reading, args: &ReportArgs) -> Result<(), Failure> {
    let any = |fields: &[Fields]| {
        let mut events = reading.reader.events.iter();
        events.any(|event| fields.iter().any(|&field| event.layout.fields().contains(field)))
    };
    let missing = |what: &str, option: &str| {
        let file = args.input.input.display();
        Err(Failure::Missing(format!(
            "{file}: no sample has {what}; `pmu record` records {option}"
        )))
    };
    if args.mem_mode && !any(&[Fields::DATA_SOURCE]) {
        return missing("the source of data", "it with `--data`, of events that have one");
    }
    // What the default lists have may be missing.
    for key in &args.sort {
        let (fields, what): (&[Fields], _) = match key {
            Key::Data | Key::DataModule | Key::CacheLine => (&[Fields::ADDR], "addresses of data"),
            Key::Memory | Key::Snoop | Key::Tlb | Key::Locked | Key::Blocked => {
                (&[Fields::DATA_SOURCE], "the source of data")
            }
            Key::PhysicalAddress => (&[Fields::PHYSICAL_ADDRESS], "physical addresses of data"),
            _ => continue,
        };
        if !any(fields) {
            let option = if *key == Key::PhysicalAddress { "`--phys-data`" } else { "`--data`" };
            return missing(what, &format!("them with {option}"));
        }
    }
    Ok(())
}

fn write_shares(reading: &mut Reading, args: &ReportArgs, filter: &Filter) -> Result<u8, Failure> {
    let is_as_perf =
        args.stdio || args.field_separator.is_some() || Invocation::current().is_perf();
    let words = if is_as_perf { Words::OfPerf } else { Words::Own };
    let names = reading.reader.event_names();
    let shares = || Shares::new(args.keys(), args.children).of_accesses(words, args.mem_mode);
    let mut shares: Vec<Shares> = names.iter().map(|_| shares()).collect();
    let answer = reading.samples(&mut |known, taken| match filter.has(known, taken) {
        true => shares[taken.event].add(known, taken),
        false if filter.is_part(taken) => shares[taken.event].pass_over(taken),
        false => {}
    });
    let (summary, _) = answer.map_err(|fault| of(&args.input, fault))?;
    let limit = args.percent_limit / 100.0;
    let tables = names.iter().zip(shares).map(|(name, shares)| shares.into_table(name, limit));
    let tables: Vec<_> = tables.collect();
    let mut out = Output::paged(!args.input.no_pager);
    if args.input.header {
        header::write(&mut out, &reading.reader)?;
    }
    match () {
        () if args.json => records::json(&mut out, &tables, args)?,
        () if args.csv => records::csv(&mut out, &tables, args)?,
        () if is_as_perf => stdio::write(&mut out, &tables, args, summary)?,
        () => text::write(&mut out, &tables, args)?,
    }
    out.flush()?;
    // What is told comes behind a pager's screen.
    drop(out);
    say(reading, summary, args);
    Ok(SUCCESS)
}

fn write_folded(reading: &mut Reading, args: &ReportArgs, filter: &Filter) -> Result<u8, Failure> {
    let mut tree = Tree::default();
    let answer = reading.samples(&mut |known, taken| {
        if filter.has(known, taken) {
            tree.add(known, taken);
        }
    });
    let (summary, _) = answer.map_err(|fault| of(&args.input, fault))?;
    let mut out = Output::paged(!args.input.no_pager);
    folded::write(&mut out, &tree)?;
    out.flush()?;
    drop(out);
    say(reading, summary, args);
    Ok(SUCCESS)
}

fn write_page(
    reading: &mut Reading,
    args: &ReportArgs,
    filter: &Filter,
    to: &Path,
) -> Result<u8, Failure> {
    let names = reading.reader.event_names();
    let mut trees: Vec<Tree> = names.iter().map(|_| Tree::default()).collect();
    let answer = reading.samples(&mut |known, taken| {
        if filter.has(known, taken) {
            trees[taken.event].add(known, taken);
        }
    });
    let (summary, _) = answer.map_err(|fault| of(&args.input, fault))?;
    let events: Vec<_> = names.iter().map(String::as_str).zip(&trees).collect();
    let text = page::of(&args.input.input, &events, summary);
    write::to(to, &text)?;
    say(reading, summary, args);
    Ok(SUCCESS)
}

/// Tells what the recording lacks, and which options have no effect.
fn say(reading: &Reading, summary: Summary, args: &ReportArgs) {
    if !args.quiet {
        tell(reading, summary, "report");
        args.of_perf.tell();
    }
}
