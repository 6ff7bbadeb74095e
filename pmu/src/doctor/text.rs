//! A report for people.

use std::io::{self, Write};

use pmu_events::check::{Ranked, Report};

use super::is_possible;
use crate::output::{Output, one_line};

pub(super) fn write(report: &Report, budget: &[Ranked], out: &mut Output) -> io::Result<()> {
    for line in report.to_string().lines() {
        writeln!(out, "{}", one_line(line))?;
    }
    if !budget.is_empty() {
        writeln!(out, "\nBudget:")?;
    }
    for item in budget {
        let mark = if is_possible(item) { ' ' } else { '!' };
        writeln!(out, "{mark} {}", one_line(&item.to_string()))?;
    }
    Ok(())
}
