//! `pmu report`: shares of functions, modules, threads, lines and data in the samples of a
//! recording.
//!
//! | module | contents |
//! |---|---|
//! | [`shares`], [`places`], [`accesses`] | samples that add up, and what they are called |
//! | [`tree`] | call chains that add up |
//! | [`chains`] | those of each line |
//! | [`text`], [`stdio`], [`records`] | how shares are written |
//! | [`columns`], [`graph`] | the columns of perf's form, and its call chains |
//! | [`folded`], [`page`] | how call chains are written |

mod accesses;
mod chains;
mod columns;
mod folded;
mod graph;
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

use crate::failure::{Failure, SUCCESS, complain};
use crate::html::write;
use crate::invocation::Invocation;
use crate::output::Output;
use crate::perf_data::header;
use crate::profile::filter::Filter;
use crate::profile::reading::{Reading, Summary, Wanted};
use crate::report_args::ReportArgs;
use crate::report_values::{ChainForm, ChainOrder, ChainStyle, Field, Key, Number};
use crate::script::{of, open, tell, wanted};
use accesses::Words;
use chains::Chains;
pub(crate) use shares::{Shares, Table};
use tree::Tree;

pub(crate) fn run(args: &ReportArgs) -> Result<u8, Failure> {
    let keys = args.keys();
    let filter = Filter::new(&args.filter, &args.dsos);
    let has_chains = args.folded || args.html.is_some();
    let lines = keys.contains(&Key::Line) || has_chains && !args.input.no_inline;
    let names = lines || has_chains || keys.contains(&Key::Function) || filter.needs_names();
    let lines = lines || args.call_graph.is_some_and(|style| style.by_address);
    let may_have_chains = !has_chains && Form::may_have_chains(args);
    // A column of perf's form is wider where a function is not known.
    let names = names || is_as_perf(args) && !has_chains;
    let chains = has_chains || args.children || may_have_chains || Form::may_have_callers(args);
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
    let has_chains = has_any(&reading, &[Fields::CALLCHAIN]);
    if !has_chains && args.call_graph.is_some_and(|style| style.form != ChainForm::None) {
        let file = args.input.input.display();
        return Err(Failure::Missing(format!(
            "{file}: no sample has a call chain; `pmu record -g` records them"
        )));
    }
    match (&args.html, args.folded) {
        (Some(to), _) => write_page(&mut reading, args, &filter, to),
        (None, true) => write_folded(&mut reading, args, &filter),
        (None, false) => {
            let form = Form::of(args, has_chains);
            write_shares(&mut reading, args, &form, &filter)
        }
    }
}

/// Whether lines and numbers are perf's.
fn is_as_perf(args: &ReportArgs) -> bool {
    args.stdio
        || args.field_separator.is_some()
        || args.fields.is_some()
        || args.call_graph.is_some_and(|style| style.form != ChainForm::None)
        || args.inverted
        || args.show_cpu_utilization
        || Invocation::current().is_perf()
}

/// What there is beside the shares.
struct Form {
    /// Whether shares with what functions call are shown.
    with_callees: bool,
    /// How call chains are shown.
    style: Option<ChainStyle>,
}

impl Form {
    fn of(args: &ReportArgs, has_chains: bool) -> Self {
        let is_perf = Invocation::current().is_perf();
        let with_callees = match is_perf {
            true => has_chains && Self::may_have_callers(args),
            false => args.children || has_chains && Self::may_have_callers(args),
        };
        let style = args.call_graph.or((is_perf || args.inverted).then_some(ChainStyle::DEFAULT));
        let style = style.filter(|style| has_chains && style.form != ChainForm::None);
        let least = |style: ChainStyle| style.least.or(args.percent_limit).unwrap_or(0.5);
        let style = style.map(|style| ChainStyle { least: Some(least(style)), ..style });
        Form { with_callees, style }
    }

    /// Whether call chains are shown, if there are any.
    fn may_have_chains(args: &ReportArgs) -> bool {
        match args.call_graph {
            Some(style) => style.form != ChainForm::None,
            None => args.inverted || Invocation::current().is_perf(),
        }
    }

    /// Whether what functions call has a column, if there are call chains: with perf, unless it is
    /// not asked for.
    fn may_have_callers(args: &ReportArgs) -> bool {
        let is_column = |field: &Field| *field == Field::Number(Number::OverheadChildren);
        let mut fields = args.fields.iter().flat_map(|fields| &fields.all);
        let is_usual = Invocation::current().is_perf() || fields.any(is_column);
        !args.mem_mode && (args.children || is_usual && !args.no_children)
    }

    fn chains(&self, args: &ReportArgs) -> Option<Chains> {
        let style = self.style?;
        let is_outermost_first = self.with_callees || args.inverted;
        let usual = if is_outermost_first { ChainOrder::Caller } else { ChainOrder::Callee };
        Some(Chains::new(style, style.order.unwrap_or(usual)))
    }
}

/// Whether samples of any event have one of the fields.
fn has_any(reading: &Reading, fields: &[Fields]) -> bool {
    let mut events = reading.reader.events.iter();
    events.any(|event| fields.iter().any(|&field| event.layout.fields().contains(field)))
}

/// Some event of the recording must have what the keys are about.
fn require_data(reading: &Reading, args: &ReportArgs) -> Result<(), Failure> {
    let any = |fields: &[Fields]| has_any(reading, fields);
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

fn write_shares(
    reading: &mut Reading,
    args: &ReportArgs,
    form: &Form,
    filter: &Filter,
) -> Result<u8, Failure> {
    let is_as_perf = is_as_perf(args);
    let words = if is_as_perf { Words::OfPerf } else { Words::Own };
    let names = reading.reader.event_names();
    let keys = args.keys();
    let shares = || {
        Shares::new(&keys, form.with_callees)
            .of_accesses(words, args.mem_mode)
            .with_chains(form.chains(args))
    };
    let mut shares: Vec<Shares> = names.iter().map(|_| shares()).collect();
    let answer = reading.samples(&mut |known, taken| match filter.has(known, taken) {
        true => shares[taken.event].add(known, taken),
        false if filter.is_part(taken) => shares[taken.event].pass_over(taken),
        false => {}
    });
    let (summary, _) = answer.map_err(|fault| of(&args.input, fault))?;
    // Columns of perf's form are as wide as what all lines have.
    let limit = if is_as_perf { 0.0 } else { args.percent_limit.unwrap_or(0.0) / 100.0 };
    let tables = names.iter().zip(shares).map(|(name, shares)| shares.into_table(name, limit));
    let mut tables: Vec<_> = tables.collect();
    let is_cut = |table: &Table| table.chains.as_ref().is_some_and(Chains::is_cut);
    let has_cut = tables.iter().any(is_cut);
    let mut out = Output::paged(!args.input.no_pager);
    if args.input.header {
        header::write(&mut out, &reading.reader)?;
    }
    match () {
        () if args.json => records::json(&mut out, &tables, args)?,
        () if args.csv => records::csv(&mut out, &tables, args)?,
        () if is_as_perf => stdio::write(&mut out, &mut tables, args, form, summary)?,
        () => text::write(&mut out, &tables, args)?,
    }
    out.flush()?;
    // What is told comes behind a pager's screen.
    drop(out);
    say(reading, summary, args);
    if has_cut && !args.quiet {
        complain(
            "report",
            "note: there are too many call chains; those that came last are cut off",
        );
    }
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
