//! The result as text, as JSON or as fields.
//!
//! | module | contents |
//! |---|---|
//! | [`text`] | trees and findings, for people |
//! | [`json`](mod@json), [`fields`] | for programs |
//! | [`words`] | what all of them say |

mod fields;
mod json;
mod text;
mod words;

use std::io::{self, Write as _};

use pmu_events::Scope;
use pmu_events::topdown::{Drill, Sample, samples};

use super::findings::{Findings, Trees};
use crate::failure::complain;
use crate::output::Output;
use crate::stat::Shape;
use crate::style::emphasises;
use crate::system::System;

/// How the result is written, and what it is of.
pub(super) struct Report<'r> {
    pub(super) shape: &'r Shape,
    pub(super) system: &'r System,
    pub(super) scope: Scope,
    /// What was counted.
    pub(super) subject: String,
    /// What a pass is.
    pub(super) unit: &'static str,
    /// Whether bottlenecks are shown instead of trees.
    pub(super) has_bottlenecks: bool,
    pub(super) has_intervals: bool,
    /// Whether messages go where the report goes.
    pub(super) is_stderr: bool,
}

impl Report<'_> {
    /// Whether lines are emphasised.
    fn is_bold(&self) -> bool {
        self.is_stderr && emphasises(&io::stderr())
    }

    /// Writes the trees of an interval.
    pub(super) fn interval(&self, out: &mut Output, trees: &Trees<'_>) -> io::Result<()> {
        let (walks, combined) = (trees.walks, trees.combined);
        match self.shape {
            Shape::Text => text::interval(out, self, trees)?,
            Shape::Json => json::walks(out, self, combined, Some(trees.end), walks)?,
            Shape::Fields(separator) => {
                fields::walks(out, self, separator, trees.number == 0, Some(trees.end), walks)?;
            }
        }
        out.flush()
    }

    /// Writes what follows the last pass: all of it, unless intervals have had it.
    pub(super) fn end(&self, out: &mut Output, findings: &Findings<'_>) -> io::Result<()> {
        match self.shape {
            Shape::Text => text::end(out, self, findings)?,
            Shape::Json => json::end(out, self, findings)?,
            Shape::Fields(separator) => {
                if !self.has_intervals {
                    fields::walks(out, self, separator, true, None, findings.walks)?;
                }
                if let Some(samples) = findings.samples {
                    fields::functions(out, self, separator, samples, findings.walks)?;
                }
                // Among the lines they would be counts of something; those on the CPU have been told.
                if !self.is_stderr {
                    let told: Vec<String> =
                        self.system.notes().iter().map(ToString::to_string).collect();
                    let notes = findings.notes.iter().filter(|note| !told.contains(note));
                    notes.for_each(|note| complain("topdown", &format!("note: {note}")));
                }
            }
        }
        out.flush()
    }

    /// The events that find the code of a node.
    fn samples(&self, drill: &Drill<'_>, node: usize) -> Vec<Sample> {
        samples(drill.tree(), node, &self.system.machine(&self.scope))
    }
}
