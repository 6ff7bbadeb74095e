//! perf's parser, which is a program of its own (`peer`).

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::formula::{Formula, VALUES};
use crate::stopwatch::SLICE;

/// The program, which waits for formulas.
pub struct Perf {
    child: Child,
    formulas: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What a slice of time each showed: nanoseconds in the fastest rounds.
pub struct Times {
    /// Of one `expr__parse`. `None` for a formula that refers to others: their
    /// values would stay in the context.
    pub parse: Option<f64>,
    /// With a context that is made, filled and freed.
    pub filled: f64,
}

impl Perf {
    pub fn start(program: &OsStr) -> Result<Self, String> {
        let mut child = Command::new(program)
            .arg((SLICE.as_secs_f64() * 1e3).to_string())
            .args(VALUES.map(|value| value.to_string()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let (Some(formulas), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{}: has no pipes", program.display()));
        };
        Ok(Perf { child, formulas, answers: BufReader::new(answers) })
    }

    /// Has it work for a slice of time.
    pub fn measure(&mut self, formula: Formula) -> Result<Times, String> {
        let text = formula.text();
        let fault = |error| format!("{text}: perf: {error}");
        let mut line = text.to_owned();
        for metric in formula.references() {
            line.push_str(&format!("\t{}\t{}", metric.name(), metric.expression()));
        }
        writeln!(self.formulas, "{line}").map_err(fault)?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).map_err(fault)?;
        let numbers: Result<Vec<f64>, _> = answer.split_whitespace().map(str::parse).collect();
        let Ok([parse, filled, value]) = numbers.as_deref() else {
            return Err(format!("{text}: perf answers `{}`", answer.trim_end()));
        };
        if !formula.agrees(*value) {
            return Err(format!("{text}: perf: {value}, not {}", formula.value()));
        }
        Ok(Times { parse: Some(*parse).filter(|time| !time.is_nan()), filled: *filled })
    }

    /// Sends no more, and waits for its end.
    pub fn stop(self) -> Result<(), String> {
        let Perf { mut child, formulas, .. } = self;
        drop(formulas);
        let status = child.wait().map_err(|error| format!("perf: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("perf: {status}")) }
    }
}
