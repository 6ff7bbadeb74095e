//! The output for programs: an object for each candidate, file with something that is no text, and run.

use std::io::{self, Write};

use serde_json::json;

use super::Report;
use crate::audit::judge::Verdict;
use crate::json;

/// Writes what is found and what has no verdict; with `all`, also what is right.
pub(crate) fn json(out: &mut impl Write, report: &Report, all: bool) -> io::Result<()> {
    for row in report.rows.iter().filter(|row| all || row.judgement.verdict != Verdict::Right) {
        let keys = vec![
            ("verdict", json!(row.judgement.verdict.word())),
            ("path", json!(row.place.path)),
            ("line", json!(row.place.line)),
            ("column", json!(row.place.column)),
            ("text", json!(row.shown)),
            ("cpu", json!(row.cpu.as_ref().map(|cpu| &cpu.name))),
            ("cpu_line", json!(row.cpu_line)),
            ("source", json!(row.cpu.as_ref().and_then(|cpu| cpu.source))),
            ("evidence", json!(row.judgement.evidence)),
            ("fix", json!(row.judgement.fix)),
        ];
        json::line(out, "candidate", keys)?;
    }
    for unread in &report.no_text {
        let line = unread.lines.first();
        json::line(out, "no_text", vec![("path", json!(unread.path)), ("line", json!(line))])?;
    }
    let mut keys = vec![("files", json!(report.files))];
    let all = Verdict::FINDINGS.into_iter().chain(Verdict::OTHERS);
    keys.extend(all.map(|verdict| (verdict.word(), json!(report.count(verdict)))));
    json::line(out, "summary", keys)
}
