//! The values of a run of `pmu topdown --json`, to be shown in the tree.

use std::path::Path;

use pmu_events::__private::file;
use serde_json::Value;

use crate::failure::{Failure, with_sources};

/// A run has less than a megabyte; a device might never end.
const LONGEST: usize = 64 << 20;

/// A run.
#[derive(Debug)]
pub(crate) struct Run {
    /// What was counted: a command, a process, CPUs.
    pub(crate) subject: String,
    /// The model whose metrics were computed.
    pub(crate) model: String,
    nodes: Vec<Node>,
}

/// What a run says of a metric.
#[derive(Debug)]
pub(crate) struct Node {
    name: String,
    pmu: String,
    /// In its unit; `None` if it was not counted.
    pub(crate) value: Option<f64>,
    pub(crate) unit: String,
    /// The share of the metric above, or of the whole.
    pub(crate) share: Option<f64>,
    pub(crate) is_over: bool,
    pub(crate) is_leaf: bool,
    /// The share of the time in which its events were counted.
    pub(crate) running: f64,
    /// Whether it takes retirement latencies from the tables.
    pub(crate) is_estimate: bool,
    /// The events to sample.
    pub(crate) samples: Vec<String>,
}

impl Run {
    /// Reads the output of a run.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let bytes = file::of_user(path, LONGEST)
            .map_err(|problem| Failure::Missing(with_sources(&problem)))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::Missing(format!("{shown}: is not UTF-8")))?;
        parse(&text).map_err(|fault| Failure::Missing(format!("{shown}{fault}")))
    }

    /// What the run says of a metric.
    pub(crate) fn of(&self, name: &str, pmu: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.name == name && node.pmu == pmu)
    }

    /// A node whose metric is not among these, by name and PMU.
    pub(crate) fn without(&self, has: impl Fn(&str, &str) -> bool) -> Option<&str> {
        let node = self.nodes.iter().find(|node| !has(&node.name, &node.pmu));
        node.map(|node| node.name.as_str())
    }
}

/// What a run may have several trees of.
const PARTS: [&str; 3] = ["interval", "cgroup", "place"];

/// `Err` follows the name of the file.
fn parse(text: &str) -> Result<Run, String> {
    let (mut subject, mut model, mut nodes) = (None, None::<String>, Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let at = |what: &str| format!(", line {number}: {what}");
        let object: Value =
            serde_json::from_str(line).map_err(|error| at(&format!("invalid JSON: {error}")))?;
        match object["kind"].as_str() {
            Some("topdown") => subject = object["subject"].as_str().map(str::to_owned),
            Some("node") => {
                if let Some(key) = PARTS.iter().find(|key| !object[**key].is_null()) {
                    return Err(at(&format!(
                        "a node of one {key}; a page shows a run of everything as a whole"
                    )));
                }
                let own = object["model"].as_str().ok_or_else(|| at("a node without `model`"))?;
                match &model {
                    Some(model) if model != own => {
                        return Err(at(&format!("the model `{own}` beside `{model}`")));
                    }
                    _ => model = Some(own.to_owned()),
                }
                nodes.push(node(&object).ok_or_else(|| at("a node without `name` or `pmu`"))?);
            }
            // A note is for the reader of the run.
            _ => {}
        }
    }
    let (Some(subject), Some(model)) = (subject, model) else {
        return Err(": is not the output of `pmu topdown --json`".to_owned());
    };
    Ok(Run { subject, model, nodes })
}

fn node(object: &Value) -> Option<Node> {
    let text = |key: &str| object[key].as_str().map(str::to_owned);
    let is = |key: &str| object[key].as_bool() == Some(true);
    let samples = object["sample"].as_array().into_iter().flatten();
    Some(Node {
        name: text("name")?,
        pmu: text("pmu")?,
        value: object["value"].as_f64(),
        unit: text("unit").unwrap_or_default(),
        share: object["share"].as_f64(),
        is_over: is("over"),
        is_leaf: is("leaf"),
        running: object["running"].as_f64().unwrap_or(1.0),
        is_estimate: is("estimate"),
        samples: samples.filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_run() {
        let node = r#"{"kind":"node","model":"m","pmu":"p","name":"n"}"#;
        for (text, expected) in [
            ("", ": is not the output of `pmu topdown --json`"),
            ("[]", ": is not the output of `pmu topdown --json`"),
            (node, ": is not the output of `pmu topdown --json`"),
            (r#"{"kind":"topdown","subject":"x"}"#, ": is not the output of `pmu topdown --json`"),
            ("{}\n{", ", line 2: invalid JSON: EOF while parsing an object at line 1 column 1"),
            (r#"{"kind":"node"}"#, ", line 1: a node without `model`"),
            (r#"{"kind":"node","model":"m"}"#, ", line 1: a node without `name` or `pmu`"),
            (
                r#"{"kind":"node","model":"m","pmu":"p","name":"n","place":"S0"}"#,
                ", line 1: a node of one place; a page shows a run of everything as a whole",
            ),
            (
                &format!("{node}\n{}", node.replace("\"m\"", "\"other\"")),
                ", line 2: the model `other` beside `m`",
            ),
        ] {
            assert_eq!(parse(text).map(|run| run.model), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn values_that_are_missing() {
        let text = "{\"kind\":\"topdown\",\"subject\":\"'true'\",\"passes\":[]}\n\
                    {\"kind\":\"node\",\"model\":\"m\",\"pmu\":\"p\",\"name\":\"n\",\"value\":null}\n\
                    {\"kind\":\"note\",\"note\":\"x\"}";
        let run = parse(text).expect("it is one");
        assert_eq!((run.subject.as_str(), run.model.as_str()), ("'true'", "m"));
        let node = run.of("n", "p").expect("it is there");
        assert!(node.value.is_none() && node.share.is_none() && !node.is_over && !node.is_leaf);
        assert!(run.of("n", "q").is_none() && run.without(|name, _| name == "n").is_none());
        assert_eq!(run.without(|_, _| false), Some("n"));
    }
}
