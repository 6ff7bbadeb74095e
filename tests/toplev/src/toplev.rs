//! toplev's side: its models, computed by Python from the counts that they ask for.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A node or metric with its value.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name within its area.
    pub name: String,
    /// Where it stands: `FE`, `BE/Mem`, `Info.Thread`, …
    pub area: String,
    /// The name of the node above, if there is one.
    pub parent: String,
    /// Whether its value overlaps those of its siblings.
    pub overlaps: bool,
    /// The value; 0 where it cannot be computed.
    pub value: f64,
    /// Whether it is over its threshold.
    pub is_over: bool,
    /// Whether it has a value.
    pub has_value: bool,
    /// Whether it stands beside the tree.
    pub is_metric: bool,
}

/// What a model asks for.
#[derive(Clone, Copy, Debug)]
pub enum Question<'a> {
    /// The count of an event.
    Event(&'a str),
    /// The mean retirement latency of an event, in cycles.
    Latency(&'a str),
}

/// A Python process with one of the models.
#[derive(Debug)]
pub struct Toplev {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Toplev {
    /// Starts with a model's file of a checkout.
    ///
    /// # Errors
    ///
    /// If Python cannot be started.
    pub fn start(checkout: &Path, file: &str, smt_is_on: bool) -> std::io::Result<Self> {
        let mut child = Command::new("python3")
            .args(["-c", include_str!("nodes.py")])
            .arg(checkout.join(format!("{file}_ratios.py")))
            .arg(if smt_is_on { "1" } else { "0" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(Toplev { child, input, output })
    }

    /// Computes all nodes from new counts.
    ///
    /// # Errors
    ///
    /// If Python ends, or says something unknown.
    pub fn run(
        &mut self,
        mut answer: impl FnMut(Question<'_>) -> f64,
    ) -> std::io::Result<Vec<Node>> {
        writeln!(self.input, "run")?;
        let mut nodes = Vec::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(std::io::Error::other("Python has ended"));
            }
            let line = line.trim_end_matches('\n');
            let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
            match kind {
                "event" => writeln!(self.input, "{:e}", answer(Question::Event(rest)))?,
                "latency" => writeln!(self.input, "{:e}", answer(Question::Latency(rest)))?,
                "node" => nodes.push(node(rest).ok_or_else(|| std::io::Error::other(rest))?),
                "end" => return Ok(nodes),
                _ => return Err(std::io::Error::other(line)),
            }
        }
    }
}

impl Drop for Toplev {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn node(line: &str) -> Option<Node> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[name, area, parent, overlaps, value, is_over, errors, is_metric] = &fields[..] else {
        return None;
    };
    Some(Node {
        name: name.to_owned(),
        area: area.to_owned(),
        parent: parent.to_owned(),
        overlaps: overlaps == "1",
        value: value.parse().ok()?,
        is_over: is_over == "1",
        has_value: errors == "0",
        is_metric: is_metric == "1",
    })
}

/// What the largest part of a node exceeds the next by, where toplev goes on to it.
pub const CLEARLY: f64 = 0.05;

/// The rule by which toplev names one bottleneck: from the top, the largest of the nodes
/// over their thresholds that overlap no others, as long as it exceeds the next by `clearly`.
#[must_use]
pub fn bottleneck(nodes: &[Node], clearly: f64) -> Option<&Node> {
    let mut found: Option<&Node> = None;
    loop {
        let above = found.map_or("", |node| node.name.as_str());
        let mut parts: Vec<&Node> = nodes
            .iter()
            .filter(|node| {
                !node.is_metric && node.parent == above && node.is_over && !node.overlaps
            })
            .collect();
        parts.sort_by(|a, b| b.value.total_cmp(&a.value));
        match parts[..] {
            [] => return found,
            [first, second, ..] if found.is_some() && first.value - second.value <= clearly => {
                return found;
            }
            [first, ..] => found = Some(first),
        }
    }
}
