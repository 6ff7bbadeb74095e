//! The outcome of a run, and the forms in which it is written.

mod json;
mod sarif;
mod text;

pub(crate) use json::json;
pub(crate) use sarif::sarif;
pub(crate) use text::text;

use std::collections::HashSet;

use super::judge::{Judgement, Verdict};
use crate::decode::names::plain;
use crate::trees::Table;

/// All that a run has found.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) rows: Vec<Row>,
    /// How many files have been read.
    pub(crate) files: usize,
    /// What has no text for people.
    pub(crate) no_text: Vec<Unread>,
    /// Why files could not be read.
    pub(crate) unreadable: Vec<String>,
}

/// A file without text, or with some lines that are too long for people.
pub(crate) struct Unread {
    pub(crate) path: String,
    /// The numbers of these lines, from 1; none if it is the whole file.
    pub(crate) lines: Vec<usize>,
}

impl Unread {
    /// What is said of it, behind the path and the first line.
    fn sentence(&self) -> String {
        match self.lines.len() {
            0 => "has no text".into(),
            1 => "is too long to be read".into(),
            number => format!("is too long to be read, and so are {} more", number - 1),
        }
    }
}

/// A candidate with its verdict for a CPU.
pub(crate) struct Row {
    pub(crate) place: Place,
    /// As the file has it.
    pub(crate) shown: String,
    /// The name of the event, if it is one.
    pub(crate) name: Option<String>,
    pub(crate) has_code: bool,
    /// Whether the kernel encodes it.
    pub(crate) is_kernels: bool,
    /// The CPU; `None` if it is not known.
    pub(crate) cpu: Option<Tables>,
    /// The line of the file that says so; `None` if its path does, or an option.
    pub(crate) cpu_line: Option<usize>,
    pub(crate) judgement: Judgement,
}

impl Row {
    /// The CPU and the name, whatever separates its parts.
    fn key(&self) -> Option<(String, String)> {
        Some((self.cpu.as_ref()?.name.clone(), plain(self.name.as_ref()?)))
    }
}

/// The tables of a CPU.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) name: String,
    /// The source of their facts.
    pub(crate) source: Option<&'static str>,
}

impl From<Table> for Tables {
    fn from(table: Table) -> Self {
        Tables { name: table.to_string(), source: table.model.source() }
    }
}

/// Where it is; lines and columns from 1, in characters. The end is the column behind it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) end: usize,
}

impl Report {
    /// Names that the files give to codes of their own, and use elsewhere, are no errors there.
    pub(crate) fn settle_own_names(&mut self) {
        let own: HashSet<(String, String)> = self
            .rows
            .iter()
            .filter(|row| {
                let is_open = matches!(row.judgement.verdict, Verdict::OwnName | Verdict::Open);
                row.has_code && is_open
            })
            .filter_map(Row::key)
            .collect();
        for row in &mut self.rows {
            let is_own = || row.key().is_some_and(|key| own.contains(&key));
            if !row.has_code && row.judgement.verdict == Verdict::NotOnThisCpu && is_own() {
                row.judgement.verdict = Verdict::OwnName;
                row.judgement.evidence.insert_str(0, "these files name a code so; ");
            }
        }
    }

    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.judgement.verdict == verdict).count()
    }
}
