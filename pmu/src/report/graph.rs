//! Call chains below a line, as `perf report --stdio` draws them (`tools/perf/ui/stdio/hist.c`).

use std::io::{self, Write};

use crate::output::one_line;
use crate::report::chains::{Run, Trees};
use crate::report_values::{ChainForm, ChainStyle, ChainValue};

/// How chains are drawn.
pub(super) struct Graph<'g> {
    pub(super) trees: &'g Trees<'g>,
    pub(super) style: ChainStyle,
    /// The events of all lines.
    pub(super) total: u64,
    /// Between the functions of a chain in one line.
    pub(super) separator: &'g str,
    /// Whether a line says the first function itself.
    pub(super) is_first_said: bool,
}

/// Where a part of a tree is drawn.
#[derive(Clone, Copy)]
struct Place {
    depth: u32,
    /// The columns that have a stroke.
    strokes: u32,
    margin: usize,
}

impl Place {
    fn stroke(depth: u32) -> u32 {
        // As perf where its shift is too wide for the number.
        1_u32.wrapping_shl(depth)
    }

    fn without_stroke(self) -> Self {
        Place { strokes: self.strokes & !Self::stroke(self.depth - 1), ..self }
    }
}

impl Graph<'_> {
    /// What is below a line with some events.
    pub(super) fn write(&self, out: &mut impl Write, tree: u32, events: u64) -> io::Result<()> {
        let part = self.style.least.unwrap_or_default() / 100.0;
        let least = (self.total as f64 * part) as u64;
        let top = self.trees.below_line(tree, least);
        match self.style.form {
            ChainForm::None => Ok(()),
            ChainForm::Graph | ChainForm::Fractal => self.tree(out, &top, events),
            ChainForm::Flat | ChainForm::Folded => self.list(out, &top, least),
        }
    }

    fn tree(&self, out: &mut impl Write, top: &Run, events: u64) -> io::Result<()> {
        let mut top = top;
        let mut margin = 0;
        let mut has_lines = false;
        // A single part needs no number.
        if let [only] = &top.below[..]
            && only.all_events() == events
        {
            let names = self.trees.chains().names(only).skip(usize::from(self.is_first_said));
            for name in names.take(self.style.most.unwrap_or(usize::MAX)) {
                self.margin(out, margin)?;
                if !has_lines {
                    writeln!(out, "|")?;
                    self.margin(out, margin)?;
                    write!(out, "---")?;
                    margin = "---".len();
                    has_lines = true;
                }
                writeln!(out, "{}", one_line(name))?;
            }
            top = only;
        }
        let is_of_above = self.style.form == ChainForm::Fractal;
        let total = if is_of_above { events } else { self.total };
        let place = Place { depth: 1, strokes: 1, margin };
        has_lines |= self.branches(out, top, total, place)?;
        if has_lines { writeln!(out) } else { Ok(()) }
    }

    /// What is below a run; whether that is anything.
    fn branches(
        &self,
        out: &mut impl Write,
        above: &Run,
        total: u64,
        place: Place,
    ) -> io::Result<bool> {
        let is_of_above = self.style.form == ChainForm::Fractal;
        let (mut rest, mut samples) = (total, 0);
        let mut inner = place;
        let mut has_lines = false;
        let most = self.style.most.unwrap_or(usize::MAX);
        for (n, run) in above.below.iter().enumerate().take(most) {
            rest = rest.wrapping_sub(run.all_events());
            samples += run.all_samples();
            let is_last = n + 1 == above.below.len();
            if is_last && !(is_of_above && rest > 0) {
                inner = inner.without_stroke();
            }
            self.gap(out, place)?;
            let value = self.value(run.all_events(), run.all_samples(), total);
            for (n, name) in self.trees.chains().names(run).enumerate() {
                self.line(out, inner, Some(&*value).filter(|_| n == 0), name)?;
            }
            let below = Place {
                depth: place.depth + 1,
                strokes: inner.strokes | Place::stroke(place.depth),
                ..place
            };
            let total = if is_of_above { run.events_below } else { total };
            self.branches(out, run, total, below)?;
            has_lines = true;
        }
        if is_of_above && rest > 0 && rest != total {
            let samples = match self.style.value {
                ChainValue::Count => above.samples_below.saturating_sub(samples),
                _ => 0,
            };
            if self.style.value == ChainValue::Count && samples == 0 {
                return Ok(has_lines);
            }
            let value = self.value(rest, samples, total);
            self.line(out, inner.without_stroke(), Some(&value), "[...]")?;
        }
        Ok(has_lines)
    }

    fn margin(&self, out: &mut impl Write, margin: usize) -> io::Result<()> {
        write!(out, "{:width$}", "", width = 12 + margin)
    }

    fn gap(&self, out: &mut impl Write, place: Place) -> io::Result<()> {
        self.margin(out, place.margin)?;
        for depth in 0..place.depth {
            let has_stroke = place.strokes & Place::stroke(depth) != 0;
            write!(out, "{:11}", if has_stroke { "|" } else { "" })?;
        }
        writeln!(out)
    }

    fn line(
        &self,
        out: &mut impl Write,
        place: Place,
        value: Option<&str>,
        name: &str,
    ) -> io::Result<()> {
        self.margin(out, place.margin)?;
        for depth in 0..place.depth {
            let has_stroke = place.strokes & Place::stroke(depth) != 0;
            let stroke = if has_stroke { "|" } else { " " };
            match value.filter(|_| depth + 1 == place.depth) {
                Some(value) => write!(out, "{stroke}--{value}--")?,
                None => write!(out, "{stroke:11}")?,
            }
        }
        writeln!(out, "{}", one_line(name))
    }

    fn value(&self, events: u64, samples: u64, total: u64) -> String {
        match self.style.value {
            ChainValue::Period => events.to_string(),
            ChainValue::Count => samples.to_string(),
            ChainValue::Percent => {
                let percent = if total == 0 { 0.0 } else { events as f64 * 100.0 / total as f64 };
                format!("{percent:.2}%")
            }
        }
    }

    /// Each chain by itself.
    fn list(&self, out: &mut impl Write, top: &Run, least: u64) -> io::Result<()> {
        let mut all = Vec::new();
        gather(top, &mut Vec::new(), &mut all);
        all.retain(|chain| chain.run().is_some_and(|run| run.events > 0 && run.events >= least));
        all.sort_by_key(|chain| std::cmp::Reverse(chain.run().map(|run| run.events)));
        for chain in all.iter().take(self.style.most.unwrap_or(usize::MAX)) {
            let Some(run) = chain.run() else { continue };
            let names = chain.0.iter().flat_map(|run| self.trees.chains().names(run));
            if self.style.form == ChainForm::Folded {
                let names: Vec<_> = names.map(one_line).collect();
                let value = self.value(run.events, run.samples, self.total);
                writeln!(out, "{value} {}", names.join(self.separator))?;
                continue;
            }
            let value = self.value(run.all_events(), run.all_samples(), self.total);
            writeln!(out, "           {value}")?;
            for name in names {
                writeln!(out, "                {}", one_line(name))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// A chain by its runs.
struct Chain<'c>(Vec<&'c Run>);

impl Chain<'_> {
    /// The run that it ends with.
    fn run(&self) -> Option<&Run> {
        self.0.last().copied()
    }
}

/// All chains below a run, those that go on before those that end.
fn gather<'r>(above: &'r Run, path: &mut Vec<&'r Run>, all: &mut Vec<Chain<'r>>) {
    for run in &above.below {
        path.push(run);
        gather(run, path, all);
        if run.samples > 0 {
            all.push(Chain(path.clone()));
        }
        path.pop();
    }
}
