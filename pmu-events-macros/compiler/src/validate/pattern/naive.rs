//! Whether one expression matches one text, found by following the rule
//! literally: the reference for compiled sets.

use pmu_events_core::__private::cpuid::MatchRule;

use super::expression::{Expression, Node};

/// Whether a pattern matches a text by perf's rule (`strcmp_cpuid_str` in
/// `tools/perf/arch/x86/util/header.c` and `tools/perf/util/header.c`): the
/// longest match from the first byte must be the whole text or, for
/// [`MatchRule::X86`], everything before its stepping.
pub(super) fn matches(expression: &Expression, is_full: bool, rule: MatchRule, text: &str) -> bool {
    let has_stepping = text.matches('-').count() == 3;
    let len = match rule {
        MatchRule::X86 if is_full && !has_stepping => return false,
        MatchRule::X86 if !is_full && has_stepping => text.rfind('-'),
        _ => Some(text.len()),
    };
    longest(expression, text.as_bytes()) == len
}

/// The length of the longest match from the first byte.
fn longest(expression: &Expression, text: &[u8]) -> Option<usize> {
    let mut at = Vec::new();
    let mut reached = vec![usize::MAX; expression.nodes.len()];
    close(expression, expression.start, (0, text.len()), &mut reached, &mut at);
    let mut longest = None;
    for place in 0..=text.len() {
        let mut next = Vec::new();
        for node in at {
            match &expression.nodes[node] {
                Node::Accept => longest = Some(place),
                Node::Take(bytes, to) if text.get(place).is_some_and(|&c| bytes.contains(c)) => {
                    close(expression, *to, (place + 1, text.len()), &mut reached, &mut next);
                }
                _ => {}
            }
        }
        at = next;
    }
    longest
}

/// Adds all nodes that can be reached from one without a byte.
fn close(
    expression: &Expression,
    node: usize,
    (place, end): (usize, usize),
    reached: &mut [usize],
    at: &mut Vec<usize>,
) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut reached[node], place) == place {
            continue;
        }
        at.push(node);
        match expression.nodes[node] {
            Node::Split(a, b) => open.extend([a, b]),
            Node::Begin(next) if place == 0 => open.push(next),
            Node::End(next) if place == end => open.push(next),
            _ => {}
        }
    }
}
