//! The kernel's names of toplev's nodes and metrics.

use pmu_events::Metric;

use crate::core::Kind;
use crate::toplev::Node;

/// The library's metric for a node.
#[must_use]
pub fn find(kind: &Kind, node: &Node) -> Option<Metric> {
    candidates(node).iter().find_map(|name| kind.metric(name))
}

fn candidates(node: &Node) -> Vec<String> {
    let name = node.name.to_ascii_lowercase();
    let area = node.area.to_ascii_lowercase().replace(['.', '/'], "_");
    let mut all = Vec::new();
    if node.is_metric {
        all.push(format!("tma_{area}_{name}"));
        if area.ends_with("bottleneck") {
            all.push(format!("tma_bottleneck_{name}"));
        }
    }
    all.push(format!("tma_{name}"));
    all
}
