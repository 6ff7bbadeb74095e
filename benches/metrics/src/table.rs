//! The figures, as Markdown.

use crate::contestants::Way;
use crate::formula::Formula;

/// The fastest slice of each way, for one formula.
pub struct Row {
    pub formula: Formula,
    nanoseconds: [Option<f64>; Way::ALL.len()],
}

impl Row {
    pub fn new(formula: Formula) -> Self {
        Row { formula, nanoseconds: [None; Way::ALL.len()] }
    }

    pub fn note(&mut self, way: Way, nanoseconds: f64) {
        let fastest = &mut self.nanoseconds[way as usize];
        *fastest = Some(fastest.map_or(nanoseconds, |least| least.min(nanoseconds)));
    }

    pub fn of(&self, way: Way) -> Option<f64> {
        self.nanoseconds[way as usize]
    }
}

/// A row for each formula, one for all, and one that compares. Ways that have
/// no figure at all have no column.
pub fn print(rows: &[Row]) {
    let measured = |way: &Way| rows.iter().any(|row| row.of(*way).is_some());
    let ways: Vec<Way> = Way::ALL.into_iter().filter(measured).collect();
    let titles = ways.iter().map(|way| way.title().to_owned());
    line("formula", "operators", titles);
    line("---", "---:", ways.iter().map(|_| "---:".to_owned()));
    for row in rows {
        let cells = ways.iter().map(|way| row.of(*way).map_or("-".to_owned(), figure));
        // A bar would end the cell.
        let text = row.formula.text().replace('|', "\\|");
        line(&format!("`{text}`"), &row.formula.operators().to_string(), cells);
    }
    let operators: usize = rows.iter().map(|row| row.formula.operators()).sum();
    let together = ways.iter().map(|way| figure(beside(rows, *way).0));
    line("all that it can say", &operators.to_string(), together);
    let times = ways.iter().map(|way| {
        let (theirs, ours) = beside(rows, *way);
        format!("{:.1}×", theirs / ours)
    });
    line("times *program*", "", times);
}

/// Sums over the formulas that a way can say: its own, and the program's.
fn beside(rows: &[Row], way: Way) -> (f64, f64) {
    let both = rows.iter().filter_map(|row| Some((row.of(way)?, row.of(Way::Program)?)));
    both.fold((0.0, 0.0), |sums, row| (sums.0 + row.0, sums.1 + row.1))
}

fn line(first: &str, second: &str, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    println!("| {first} | {second} | {} |", cells.join(" | "));
}

fn figure(nanoseconds: f64) -> String {
    if nanoseconds < 100.0 { format!("{nanoseconds:.1}") } else { format!("{nanoseconds:.0}") }
}
