//! perf's list for programs: an array of objects, a key to a line.

use std::io::{self, Write};

use super::entry::{Entry, MetricEntry};
use crate::output::Output;

pub(super) struct Json<'o> {
    out: &'o mut Output,
    is_first: bool,
}

impl<'o> Json<'o> {
    pub(super) fn begin(out: &'o mut Output) -> io::Result<Self> {
        out.write_all(b"[\n")?;
        Ok(Json { out, is_first: true })
    }

    pub(super) fn end(self) -> io::Result<()> {
        self.out.write_all(if self.is_first { b"]\n" } else { b"\n]\n" })
    }

    pub(super) fn event(&mut self, entry: &Entry) -> io::Result<()> {
        let text = Option::as_deref;
        self.object(&[
            ("Unit", text(&entry.pmu)),
            ("Topic", text(&entry.topic)),
            ("EventName", Some(&entry.name)),
            ("EventAlias", text(&entry.alias)),
            ("ScaleUnit", text(&entry.scale_unit)),
            ("EventType", Some(entry.kind)),
            ("Deprecated", entry.is_deprecated.then_some("1")),
            ("BriefDescription", text(&entry.brief)),
            ("PublicDescription", text(&entry.long)),
            ("Encoding", text(&entry.encoding)),
        ])
    }

    pub(super) fn metric(&mut self, entry: &MetricEntry) -> io::Result<()> {
        let text = Option::as_deref;
        self.object(&[
            ("MetricGroup", Some(&entry.group)),
            ("MetricName", Some(&entry.name)),
            ("MetricExpr", text(&entry.expression)),
            ("MetricThreshold", text(&entry.threshold)),
            ("ScaleUnit", text(&entry.scale_unit)),
            ("BriefDescription", text(&entry.brief)),
            ("PublicDescription", text(&entry.long)),
        ])
    }

    fn object(&mut self, keys: &[(&str, Option<&str>)]) -> io::Result<()> {
        self.out.write_all(if self.is_first { b"{\n" } else { b",\n{\n" })?;
        self.is_first = false;
        let known = keys.iter().filter_map(|&(key, value)| Some((key, value?)));
        for (n, (key, value)) in known.enumerate() {
            let comma = if n == 0 { "" } else { ",\n" };
            write!(self.out, "{comma}\t\"{key}\": {}", serde_json::json!(value))?;
        }
        self.out.write_all(b"\n}")
    }
}
