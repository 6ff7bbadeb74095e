//! `pmu lint`: the faults of event trees, without a crate to compile them in.

pub(crate) mod args;
mod hierarchy;

use std::io::{self, Write};
use std::path::Path;

use pmu_events_compiler::{Compiled, Options, Report, Source, compile};
use serde_json::json;

use crate::failure::{FAILED, Failure, SUCCESS};
use crate::json;
use crate::output::{Output, one_line};
use crate::spelling::count;
use crate::trees;
use args::LintArgs;

/// The status if there are warnings and no errors.
const WARNED: u8 = 3;

pub(crate) fn run(args: &LintArgs) -> Result<u8, Failure> {
    let mut out = Output::stdout();
    let (mut errors, mut warnings) = (0, 0);
    for path in &args.trees {
        for directory in trees::directories(path)? {
            let (compiled, reports) = compiled(&directory, args);
            for report in reports {
                match report.severity() {
                    pmu_events_compiler::Severity::Error => errors += report.total(),
                    pmu_events_compiler::Severity::Warning => warnings += report.total(),
                }
                show(&mut out, &report, args.json)?;
            }
            if let Some(compiled) = compiled.filter(|_| args.hierarchy) {
                hierarchy::show(&mut out, &compiled, args.json)?;
            }
        }
    }
    out.flush()?;
    if errors + warnings > 0 && !args.json {
        let counts = format!("{}, {}", count(errors, "error"), count(warnings, "warning"));
        crate::failure::complain("lint", &counts);
    }
    Ok(match (errors, warnings) {
        (0, 0) => SUCCESS,
        (0, _) => WARNED,
        _ => FAILED,
    })
}

/// A tree without errors; its errors, if it has any, and its warnings.
fn compiled(directory: &Path, args: &LintArgs) -> (Option<Compiled>, Vec<Report>) {
    let mut options = Options::default();
    options.unknown = args.unknown.into();
    options.arch.clone_from(&args.arch);
    let source = Source::read(directory, &directory.display().to_string(), &options);
    match compile(&source, &options) {
        Ok(compiled) => {
            let warnings = compiled.warnings.clone();
            (Some(compiled), vec![warnings])
        }
        Err(refused) => (None, vec![refused.errors, refused.warnings]),
    }
}

fn show(out: &mut impl Write, report: &Report, is_json: bool) -> io::Result<()> {
    let severity = report.severity();
    for fault in report.faults() {
        if is_json {
            let (line, column) = fault.position.unzip();
            let keys = vec![
                ("severity", json!(severity.to_string())),
                ("path", json!(fault.path)),
                ("line", json!(line)),
                ("column", json!(column)),
                ("message", json!(fault.message)),
            ];
            json::line(out, "fault", keys)?;
            continue;
        }
        write!(out, "{}", one_line(&fault.path))?;
        if let Some((line, column)) = fault.position {
            write!(out, ":{line}:{column}")?;
        }
        writeln!(out, ": {severity}: {}", one_line(&fault.message))?;
    }
    let unkept = report.total() - report.faults().len();
    if unkept > 0 && !is_json {
        writeln!(out, "… and {}", count(unkept, &format!("more {severity}")))?;
    }
    Ok(())
}
