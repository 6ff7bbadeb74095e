//! SARIF 2.1.0 (OASIS, “Static Analysis Results Interchange Format”), which code hosts and editors
//! read.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Report, Row};
use crate::audit::judge::Verdict;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(crate) fn sarif(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let rules: Vec<Value> = Verdict::FINDINGS.iter().map(|&verdict| rule(verdict)).collect();
    let findings = report.rows.iter().filter(|row| row.judgement.verdict.is_finding());
    let results: Vec<Value> = findings.map(result).collect();
    // What has no verdict is no result, and must not be lost.
    let open = report
        .rows
        .iter()
        .filter(|row| matches!(row.judgement.verdict, Verdict::OwnName | Verdict::Open));
    let no_text = report.no_text.iter().map(|unread| {
        let what = if unread.lines.is_empty() { "the file" } else { "the line" };
        let mut place = json!({ "artifactLocation": { "uri": uri(&unread.path) } });
        if let Some(first) = unread.lines.first() {
            place["region"] = json!({ "startLine": first });
        }
        json!({
            "level": "note",
            "message": { "text": format!("{what} {}", unread.sentence()) },
            "locations": [{ "physicalLocation": place }],
        })
    });
    let unreadable = report.unreadable.iter();
    let unreadable =
        unreadable.map(|message| json!({ "level": "error", "message": { "text": message } }));
    let notes: Vec<Value> = open.map(note).chain(no_text).chain(unreadable).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "pmu audit",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": report.unreadable.is_empty(),
                "toolExecutionNotifications": notes,
            }],
            "results": results,
        }],
    });
    writeln!(out, "{log:#}")
}

fn level(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Deprecated { "warning" } else { "error" }
}

fn rule(verdict: Verdict) -> Value {
    let text = match verdict {
        Verdict::AnotherEvent => "The code counts something else than the event of that name",
        Verdict::NotOnThisCpu => "The CPU has no such event or metric",
        Verdict::OnlyAPart => "The code counts a part of what the name says",
        Verdict::AnotherModel => "A program takes a CPU for another",
        _ => "The vendor has replaced the event",
    };
    json!({
        "id": verdict.word(),
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": level(verdict) },
    })
}

fn message(row: &Row) -> String {
    let cpu = row.cpu.as_ref().map(|cpu| format!(" on {}", cpu.name)).unwrap_or_default();
    format!("{}{cpu}: {}", row.shown, row.judgement.evidence)
}

fn location(row: &Row) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&row.place.path) },
        "region": {
            "startLine": row.place.line,
            "startColumn": row.place.column,
            "endColumn": row.place.end,
        },
    } })
}

fn result(row: &Row) -> Value {
    let verdict = row.judgement.verdict;
    json!({
        "ruleId": verdict.word(),
        "ruleIndex": Verdict::FINDINGS.iter().position(|&known| known == verdict),
        "level": level(verdict),
        "message": { "text": message(row) },
        "locations": [location(row)],
        "properties": { "cpu": row.cpu.as_ref().map(|cpu| &cpu.name), "fix": row.judgement.fix },
    })
}

fn note(row: &Row) -> Value {
    json!({ "level": "note", "message": { "text": message(row) }, "locations": [location(row)] })
}

/// A path as a reference (RFC 3986, 3.3): other bytes than those of a path are escaped.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
    let mut uri = String::new();
    for byte in path.bytes() {
        match is_plain(byte) {
            true => uri.push(char::from(byte)),
            false => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn references_of_paths() {
        for (path, expected) in
            [("./src/a.c", "src/a.c"), ("src/a b%.c", "src/a%20b%25.c"), ("µ:?", "%C2%B5%3A%3F")]
        {
            assert_eq!(uri(path), expected);
        }
    }
}
