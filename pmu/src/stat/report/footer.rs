//! What follows the counts in the output for people: the time that elapsed, of each run and in
//! the mean, and that which the command spent (`print_footer` in
//! `tools/perf/util/stat-display.c`).

use std::io::{self, Write};

use super::summary::Summary;
use crate::stat::form::Form;

pub(super) fn write(out: &mut dyn Write, form: &Form, summary: &Summary<'_>) -> io::Result<()> {
    if !form.is_null {
        writeln!(out)?;
    }
    let elapsed = &summary.runs.elapsed;
    if !form.has_noise() {
        write!(out, " {:17.9} seconds time elapsed", elapsed.mean())?;
        if let Some((user, system)) = summary.spent {
            writeln!(out, "\n\n {:17.9} seconds user", user.as_secs_f64())?;
            writeln!(out, " {:17.9} seconds sys", system.as_secs_f64())?;
        }
        return write!(out, "\n\n");
    }
    let (mean, deviation) = (elapsed.mean(), elapsed.deviation());
    let digits = digits(deviation);
    if form.has_table {
        table(out, digits, mean, &summary.runs.each)?;
    }
    write!(out, " {mean:17.digits$} +- {deviation:.digits$} seconds time elapsed")?;
    if elapsed.noise() > 0.0 {
        write!(out, "  ( +-{:6.2}% )", elapsed.noise())?;
    }
    write!(out, "\n\n")
}

/// Two digits more than the deviation lets mean something.
fn digits(deviation: f64) -> usize {
    match deviation {
        deviation if deviation > 1.0 => 2,
        deviation if deviation > 0.0 => (-deviation.log10()).ceil() as usize + 2,
        // No clock tells more.
        _ => 9,
    }
}

fn table(out: &mut dyn Write, digits: usize, mean: f64, each: &[f64]) -> io::Result<()> {
    let indent = format!(" {mean:17.digits$}").chars().take_while(|c| *c == ' ').count();
    writeln!(out, "{:indent$}# Table of individual measurements:", "")?;
    for &run in each {
        // Each stands for 5% of difference.
        let marks = 1 + (100.0 * (run - mean) / run).trunc().abs() as usize / 5;
        let marks = "#".repeat(marks);
        writeln!(out, " {run:17.digits$} ({:+.digits$}) {marks}", run - mean)?;
    }
    writeln!(out, "\n{:indent$}# Final result:", "")
}
