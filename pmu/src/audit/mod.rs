//! `pmu audit`: names and codes of events and names of metrics in files, and whether they are right.
//!
//! Data flows one way:
//!
//! ```text
//! input ─▶ find ─▶ Candidate ─▶ cpu ─▶ judge ─▶ Finding ─▶ report
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`input`] | files and their texts |
//! | [`find`] | a text → candidates with places; a module for each format |
//! | [`map_file`] | map files and programs that read them otherwise than perf |
//! | [`cpu`], [`known`], [`words`] | names of CPUs and events, and the words of names |
//! | [`judge`] | a candidate and a CPU → a verdict with its evidence |
//! | [`report`] | findings → text, JSON or SARIF |

pub(crate) mod args;
mod candidate;
mod cpu;
mod find;
mod input;
mod judge;
mod known;
mod map_file;
mod report;
mod words;

use std::io::Write;
use std::path::Path;

use pmu_events_compiler::tree_json::Lines;

use crate::failure::{FAILED, Failure, SUCCESS};
use crate::output::Output;
use crate::trees::Trees;
use args::{AuditArgs, Form};
use candidate::{Candidate, Name};
use cpu::{Cpu, Cpus};
use find::Context;
use input::{Input, NoText};
use judge::{Judge, Judgement, Verdict};
use known::Known;
use map_file::MapFiles;
use report::{Place, Report, Row, Unread};

/// The status if all findings are deprecated events.
const WARNED: u8 = 3;

pub(crate) fn run(args: &AuditArgs) -> Result<u8, Failure> {
    let trees = args.cpu.tables.trees()?;
    let chosen = chosen(args, trees)?;
    let (cpus, known) = (Cpus::new(trees), Known::new(trees));
    let context = Context { cpus: &cpus, known: &known };
    let mut judge = Judge::new(trees);
    let mut report = Report::default();
    let mut map_files = MapFiles::default();
    for path in &args.files {
        let files = match input::files(path) {
            Ok(files) => files,
            Err(message) => {
                report.unreadable.push(message);
                continue;
            }
        };
        for file in files {
            of_file(&file, &context, chosen, &mut judge, &mut map_files, &mut report)?;
        }
    }
    report.settle_own_names();
    report.rows.extend(map_files.findings(|path| input::read(path).text.ok()));
    let mut out = Output::stdout();
    match args.format {
        Form::Text => report::text(&mut out, &report, args.all)?,
        Form::Json => report::json(&mut out, &report, args.all)?,
        Form::Sarif => report::sarif(&mut out, &report)?,
    }
    out.flush()?;
    report.unreadable.iter().for_each(|message| complain(message));
    Ok(status(&report))
}

/// The CPU of what does not say for which CPU it is.
fn chosen(args: &AuditArgs, trees: &'static Trees) -> Result<Option<Cpu>, Failure> {
    if let Some(name) = &args.cpu.model {
        crate::subject::named(trees, name)?;
        return Ok(Some(Cpu { model: name.clone().leak(), core: None }));
    }
    let Some(cpuid) = args.cpu.cpuid() else { return Ok(None) };
    let table = crate::subject::of_cpu(trees, cpuid)?[0];
    Ok(Some(Cpu { model: table.to_string().leak(), core: None }))
}

fn of_file(
    path: &Path,
    context: &Context<'_>,
    chosen: Option<Cpu>,
    judge: &mut Judge,
    map_files: &mut MapFiles,
    report: &mut Report,
) -> Result<(), Failure> {
    let Input { path, text } = input::read(path);
    let text = match text {
        Ok(text) => text,
        Err(NoText::Binary) => {
            report.no_text.push(Unread { path, lines: Vec::new() });
            return Ok(());
        }
        Err(NoText::Unreadable(message)) => {
            report.unreadable.push(message);
            return Ok(());
        }
    };
    report.files += 1;
    map_files.note(&path, &text);
    let find::Found { candidates, unread } = find::all(&text, context);
    if candidates.is_empty() && unread.is_empty() {
        return Ok(());
    }
    let of_path = context.cpus.of_path(&path).or(chosen);
    let lines = Lines::of(&text);
    if !unread.is_empty() {
        let mut numbers: Vec<usize> =
            unread.iter().map(|&at| lines.position(&text, at).0).collect();
        numbers.sort_unstable();
        report.no_text.push(Unread { path: path.clone(), lines: numbers });
    }
    for one in candidates {
        let cpus = match one.cpus[..] {
            [] => of_path.into_iter().collect(),
            _ => one.cpus.clone(),
        };
        let place = place(&path, &lines, &text, &one);
        let shown = shown(&text, &one);
        let event = match &one.name {
            Some(Name::Event(name)) => Some(name.clone()),
            _ => None,
        };
        let cpu_line = one.cpu_at.map(|at| lines.position(&text, at).0);
        let row = |judgement| Row {
            place: place.clone(),
            shown: shown.clone(),
            name: event.clone(),
            has_code: one.code.is_some(),
            is_kernels: one.code.as_ref().is_some_and(|code| code.kernel.is_some()),
            cpu: None,
            cpu_line,
            judgement,
        };
        if let Some(event) = one.code.as_ref().and_then(|code| code.kernel) {
            report.rows.push(row(judge::of_generic(event, one.name.as_ref())));
            continue;
        }
        if cpus.is_empty() {
            let judgement = Judgement::open("nothing says for which CPU it is; `--model` does");
            report.rows.push(row(judgement));
            continue;
        }
        // Two names of one CPU, such as a product's and a core's, are one.
        let mut judged: Vec<(String, Option<&str>)> = Vec::new();
        for cpu in cpus {
            report.rows.push(match judge.table(cpu) {
                Ok(table) if judged.contains(&(table.to_string(), cpu.core)) => continue,
                Ok(table) => {
                    judged.push((table.to_string(), cpu.core));
                    let judgement = judge.judge(&one, cpu)?;
                    Row { cpu: Some(table.into()), ..row(judgement) }
                }
                Err(Failure::Missing(why)) => row(Judgement::open(why)),
                Err(failure) => return Err(failure),
            });
        }
    }
    Ok(())
}

fn place(path: &str, lines: &Lines, text: &str, one: &Candidate) -> Place {
    let (line, column) = lines.position(text, one.span.start);
    // What spans lines ends with the first of them.
    let first = text[one.span.clone()].lines().next().unwrap_or_default();
    let end = column + first.chars().count();
    Place { path: path.to_string(), line, column, end }
}

/// The candidate as it is in the text, on one line, with the name that the file has for it elsewhere.
fn shown(text: &str, one: &Candidate) -> String {
    const MOST: usize = 80;
    let own = &text[one.span.clone()];
    let label = one.name.as_ref().map(Name::text).filter(|name| !own.contains(name));
    let words: Vec<&str> = own.split_whitespace().collect();
    let own = words.join(" ");
    let shown = label.map_or(own.clone(), |label| format!("{label}: {own}"));
    match shown.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}

fn status(report: &Report) -> u8 {
    let has =
        |wanted: fn(Verdict) -> bool| report.rows.iter().any(|row| wanted(row.judgement.verdict));
    if has(|verdict| verdict.is_finding() && verdict != Verdict::Deprecated)
        || !report.unreadable.is_empty()
    {
        FAILED
    } else if has(|verdict| verdict == Verdict::Deprecated) {
        WARNED
    } else {
        SUCCESS
    }
}

fn complain(message: &str) {
    crate::failure::complain("audit", message);
}
