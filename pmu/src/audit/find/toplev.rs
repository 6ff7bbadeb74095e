//! What toplev prints for programs: CSV, whose head it writes, and JSON in the form of traces
//! (`tl_output.py` of pmu-tools). Its samples are events, which are found as in any text.

use std::ops::Range;

use pmu_events_compiler::tree_json;

use super::{Context, commands, lines, source};
use crate::audit::candidate::{Candidate, Name};

/// Nodes of level 1, without which toplev measures nothing.
const FIRST: [&str; 4] = ["Frontend_Bound", "Backend_Bound", "Bad_Speculation", "Retiring"];

/// The form of a CSV file.
pub(super) struct List {
    separator: char,
    /// The column of the names.
    column: usize,
}

impl List {
    /// `None` if the text has no such head.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (_, head) = lines(text).find(|(_, line)| is_content(line))?;
        let separator = head[head.find("Area")? + "Area".len()..].chars().next()?;
        if separator.is_alphanumeric() {
            return None;
        }
        let fields: Vec<&str> = head.split(separator).collect();
        let area = fields.iter().position(|field| *field == "Area")?;
        // The column of areas has names unless there is one of nodes, too.
        let column = match *fields.get(area + 1)? {
            "Value" => area,
            "Node" => area + 1,
            _ => return None,
        };
        if !["Description", "Sample"].iter().all(|name| fields.contains(name)) {
            return None;
        }
        Some(List { separator, column })
    }

    pub(super) fn find(&self, text: &str, context: &Context<'_>) -> Vec<Candidate> {
        let mut found = source::find(text, context);
        let of_line = |(start, line): (usize, &str)| {
            let field = line.split(self.separator).nth(self.column)?;
            let at = start + (field.as_ptr() as usize - line.as_ptr() as usize);
            node(at..at + field.len(), field)
        };
        let rows = lines(text).filter(|(_, line)| is_content(line)).skip(1);
        found.extend(rows.filter_map(of_line));
        found
    }
}

fn is_content(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// Whether a text has the names without which toplev prints nothing.
pub(super) fn is_trace(text: &str) -> bool {
    FIRST.iter().any(|name| text.contains(&format!("\"{name}\":")))
}

/// The nodes of a trace's counter, whose name is that of the node above them, or their own.
pub(super) fn nodes(text: &str, fields: &[(&str, &str)]) -> Vec<Candidate> {
    let field =
        |wanted: &str| fields.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
    if field("\"ph\"") != Some("\"C\"") {
        return Vec::new();
    }
    let Some(args) = field("\"args\"").and_then(|args| tree_json::object(args).ok()) else {
        return Vec::new();
    };
    let of = |(key, _): (&str, &str)| {
        let at = tree_json::offset(text, key) + 1;
        let name = key.get(1..key.len() - 1)?;
        node(at..at + name.len(), name)
    };
    args.into_iter().filter_map(of).collect()
}

fn node(span: Range<usize>, name: &str) -> Option<Candidate> {
    let is_node = commands::is_name(name) && !name.starts_with(|c: char| c.is_ascii_digit());
    is_node.then(|| Candidate::named(span, Name::Node(name.into())))
}
