//! Many expressions as one deterministic automaton, packed as
//! [`pmu_events_core::cpuid::Automaton`] reads it.

use std::collections::{BTreeMap, BTreeSet};

use pmu_events_core::cpuid::Rule;

use super::expression::{Expression, Node};

/// One pattern of the set.
pub(crate) struct Pattern<'p> {
    pub(crate) text: &'p str,
    pub(crate) expression: Expression,
}

/// A packed automaton.
#[derive(Default)]
pub(crate) struct Automaton {
    pub(crate) bytes: Vec<u8>,
    /// For each pattern, what it is good for.
    pub(crate) uses: Vec<Use>,
}

/// Whether anything could ever choose a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// No text matches it.
    Never,
    /// Whatever matches it matches one before it.
    Hidden,
    First,
}

/// More states than this are refused: patterns of map files need some hundred.
const MOST_STATES: usize = 8192;

/// Builds the automaton of patterns. Its numbers are places in `patterns`.
///
/// With [`Rule::X86`] a pattern without stepping matches what stands before
/// the stepping of a CPUID, as perf has it (`strcmp_cpuid_str` in
/// `tools/perf/arch/x86/util/header.c`): a CPUID with exactly three dashes is
/// cut before the last; the longest match of the expression must end just
/// there. All of that is regular, so it becomes part of the states.
///
/// `Err` when it would have too many states.
pub(crate) fn build(patterns: &[Pattern<'_>], rule: Rule) -> Result<Automaton, String> {
    let machine = Machine::new(patterns, rule);
    let representatives = machine.byte_classes();
    let mut numbers = BTreeMap::new();
    let mut states = vec![machine.start()];
    numbers.insert(states[0].clone(), 0);
    let mut next: Vec<Vec<Option<usize>>> = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let mut row = Vec::with_capacity(representatives.bytes.len());
        for &byte in &representatives.bytes {
            let to = machine.step(&states[at], byte);
            if to.nodes.is_empty() && to.pending.is_empty() {
                row.push(None);
                continue;
            }
            let number = *numbers.entry(to).or_insert_with_key(|to| {
                states.push(to.clone());
                states.len() - 1
            });
            if states.len() > MOST_STATES {
                return Err(format!("the patterns need more than {MOST_STATES} states"));
            }
            row.push(Some(number));
        }
        next.push(row);
        at += 1;
    }
    let accepts: Vec<_> = states.iter().map(|state| machine.accepts(state)).collect();
    let merged = minimize(&next, &accepts);
    let mut uses = vec![Use::Never; patterns.len()];
    for accepts in &accepts {
        for (place, &pattern) in accepts.iter().enumerate() {
            let is_first = place == 0 || uses[pattern as usize] == Use::First;
            uses[pattern as usize] = if is_first { Use::First } else { Use::Hidden };
        }
    }
    Ok(Automaton { bytes: pack(&representatives.class_of, &next, &accepts, &merged), uses })
}

/// How far a CPUID has been read, for all patterns at once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// Where each expression may be: pattern number and node.
    nodes: BTreeSet<(u16, u16)>,
    /// Dashes so far; four stands for more.
    dashes: u8,
    /// Patterns whose longest match so far ends before the third dash.
    pending: BTreeSet<u16>,
}

struct Machine<'p> {
    patterns: &'p [Pattern<'p>],
    steppings: bool,
    /// Patterns that demand a stepping.
    full: Vec<bool>,
}

impl<'p> Machine<'p> {
    fn new(patterns: &'p [Pattern<'p>], rule: Rule) -> Self {
        // perf counts the dashes of the text, those of ranges too.
        let full = patterns.iter().map(|p| p.text.matches('-').count() == 3).collect();
        Machine { patterns, steppings: rule == Rule::X86, full }
    }

    fn start(&self) -> State {
        let mut nodes = BTreeSet::new();
        for (number, pattern) in self.patterns.iter().enumerate() {
            self.close(number as u16, pattern.expression.start, true, false, &mut nodes);
        }
        State { nodes, dashes: 0, pending: BTreeSet::new() }
    }

    /// Adds a node and all that can be reached from it without a byte.
    fn close(
        &self,
        pattern: u16,
        node: usize,
        at_start: bool,
        at_end: bool,
        nodes: &mut BTreeSet<(u16, u16)>,
    ) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if !nodes.insert((pattern, node as u16)) {
                continue;
            }
            match self.patterns[pattern as usize].expression.nodes[node] {
                Node::Split(a, b) => open.extend([a, b]),
                Node::Begin(next) if at_start => open.push(next),
                Node::End(next) if at_end => open.push(next),
                _ => {}
            }
        }
    }

    fn is_accepted(&self, nodes: &BTreeSet<(u16, u16)>, pattern: u16) -> bool {
        // Node 0 of each expression is its acceptance.
        nodes.contains(&(pattern, 0))
    }

    fn step(&self, from: &State, byte: u8) -> State {
        let mut nodes = BTreeSet::new();
        for &(pattern, node) in &from.nodes {
            if let Node::Take(bytes, next) =
                &self.patterns[pattern as usize].expression.nodes[node as usize]
                && bytes.contains(byte)
            {
                self.close(pattern, *next, false, false, &mut nodes);
            }
        }
        if !self.steppings {
            return State { nodes, dashes: 0, pending: BTreeSet::new() };
        }
        let dashes = (from.dashes + u8::from(byte == b'-')).min(4);
        let mut pending = match (from.dashes, dashes) {
            (2, 3) => (0..self.patterns.len() as u16)
                .filter(|&p| !self.full[p as usize] && self.is_accepted(&from.nodes, p))
                .collect(),
            (3, 3) => from.pending.clone(),
            _ => BTreeSet::new(),
        };
        // A longer match takes the place of the one that ended at the dash.
        pending.retain(|&pattern| !self.is_accepted(&nodes, pattern));
        State { nodes, dashes, pending }
    }

    /// The patterns that match when the text ends in a state.
    fn accepts(&self, state: &State) -> Vec<u16> {
        let mut ended = BTreeSet::new();
        for &(pattern, node) in &state.nodes {
            // What `$` lets through only here.
            if let Node::End(next) = self.patterns[pattern as usize].expression.nodes[node as usize]
            {
                self.close(pattern, next, false, true, &mut ended);
            }
        }
        (0..self.patterns.len() as u16)
            .filter(|&pattern| {
                let whole =
                    self.is_accepted(&state.nodes, pattern) || self.is_accepted(&ended, pattern);
                if !self.steppings {
                    return whole;
                }
                match (state.dashes == 3, self.full[pattern as usize]) {
                    (true, true) | (false, false) => whole,
                    (true, false) => state.pending.contains(&pattern) && !whole,
                    (false, true) => false,
                }
            })
            .collect()
    }

    /// Bytes that no expression tells apart are one class; one byte of each.
    fn byte_classes(&self) -> Classes {
        let mut sets = Vec::new();
        for pattern in self.patterns {
            for node in &pattern.expression.nodes {
                if let Node::Take(bytes, _) = node
                    && !sets.contains(bytes)
                {
                    sets.push(*bytes);
                }
            }
        }
        let mut classes = Classes { class_of: Vec::with_capacity(256), bytes: Vec::new() };
        let mut known = BTreeMap::new();
        for byte in 0..=u8::MAX {
            let mut signature: Vec<bool> = sets.iter().map(|set| set.contains(byte)).collect();
            signature.push(self.steppings && byte == b'-');
            let class = *known.entry(signature).or_insert_with(|| {
                classes.bytes.push(byte);
                classes.bytes.len() - 1
            });
            classes.class_of.push(class as u8);
        }
        classes
    }
}

struct Classes {
    class_of: Vec<u8>,
    bytes: Vec<u8>,
}

/// Which states are the same (Moore's algorithm): a block number for each.
fn minimize(next: &[Vec<Option<usize>>], accepts: &[Vec<u16>]) -> Vec<usize> {
    let mut known = BTreeMap::new();
    let mut block: Vec<usize> = accepts
        .iter()
        .map(|accepts| {
            let fresh = known.len();
            *known.entry(accepts.clone()).or_insert(fresh)
        })
        .collect();
    let mut count = known.len();
    loop {
        let mut known = BTreeMap::new();
        let refined: Vec<usize> = (0..next.len())
            .map(|state| {
                let to: Vec<_> = next[state].iter().map(|to| to.map(|to| block[to])).collect();
                let fresh = known.len();
                *known.entry((block[state], to)).or_insert(fresh)
            })
            .collect();
        let refined_count = known.len();
        block = refined;
        if refined_count == count {
            return block;
        }
        count = refined_count;
    }
}

/// Writes the layout that the head of `pmu_events_core::cpuid::Automaton`'s
/// module shows.
fn pack(
    class_of: &[u8],
    next: &[Vec<Option<usize>>],
    accepts: &[Vec<u16>],
    block: &[usize],
) -> Vec<u8> {
    let mut of_block: Vec<usize> = Vec::new();
    for (state, &block) in block.iter().enumerate() {
        // Blocks are numbered in the order in which states first show them.
        if block == of_block.len() {
            of_block.push(state);
        }
    }
    let classes = next.first().map_or(0, Vec::len);
    let mut out = Vec::new();
    out.extend((classes as u16).to_le_bytes());
    out.extend((of_block.len() as u16 + 1).to_le_bytes());
    out.extend(class_of);
    out.resize(out.len() + 2 * classes, 0); // State 0 leads only to itself.
    for &state in &of_block {
        for to in &next[state] {
            let to = to.map_or(0, |to| block[to] as u16 + 1);
            out.extend(to.to_le_bytes());
        }
    }
    let mut lists: Vec<u16> = vec![0];
    let mut starts: BTreeMap<&[u16], u16> = BTreeMap::from([(&[][..], 0)]);
    out.extend(0u16.to_le_bytes());
    for &state in &of_block {
        let start = *starts.entry(&accepts[state]).or_insert_with_key(|list| {
            let start = lists.len() as u16;
            lists.push(list.len() as u16);
            lists.extend(*list);
            start
        });
        out.extend(start.to_le_bytes());
    }
    lists.iter().for_each(|number| out.extend(number.to_le_bytes()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::parse;

    fn matches(patterns: &[&str], rule: Rule, text: &str) -> Vec<u16> {
        let patterns: Vec<_> = patterns
            .iter()
            .map(|text| Pattern { text, expression: parse(text).unwrap() })
            .collect();
        let packed = build(&patterns, rule).unwrap();
        pmu_events_core::cpuid::Automaton::new(&packed.bytes).matches(text).collect()
    }

    #[test]
    fn whole_matches() {
        let cases: &[(&str, &str, bool)] = &[
            ("", "", true),
            ("", "a", false),
            ("abc", "abc", true),
            ("abc", "abcd", false),
            ("abc", "xabc", false),
            ("a.c", "abc", true),
            ("a*", "", true),
            ("a*", "aaaa", true),
            ("a+", "", false),
            ("a?b", "b", true),
            ("(a|bc)+", "abcbca", true),
            ("a{2,3}", "a", false),
            ("a{2,3}", "aa", true),
            ("a{2,3}", "aaaa", false),
            ("a{2,}", "aaaaa", true),
            ("a{3}", "aaa", true),
            ("a{0}", "", true),
            ("[abc]", "b", true),
            ("[^abc]", "b", false),
            ("[^abc]", "d", true),
            ("[]a]", "]", true),
            ("[a-]", "-", true),
            ("[[:xdigit:]]+", "deadBEEF09", true),
            ("[[:xdigit:]]+", "g", false),
            ("^abc$", "abc", true),
            ("a^b", "ab", false),
            ("(^a|b)c$", "bc", true),
            ("a$|ab", "ab", true),
            ("a\\.b", "a.b", true),
            ("a\\.b", "axb", false),
            ("()", "", true),
            ("a||b", "", true),
        ];
        for &(pattern, text, expected) in cases {
            let found = matches(&[pattern], Rule::Whole, text);
            assert_eq!(!found.is_empty(), expected, "{pattern:?} on {text:?}");
        }
    }

    #[test]
    fn steppings() {
        let cases: &[(&str, &str, bool)] = &[
            ("V-6-55", "V-6-55-4", true),
            ("V-6-55", "V-6-55", true),
            ("V-6-55", "V-6-55-", true),
            ("V-6-55-[0-4]", "V-6-55-4", false), // Four dashes in its text: no stepping.
            ("V-6-55-[01234]", "V-6-55-4", true),
            ("V-6-55-[01234]", "V-6-55-5", false),
            ("V-6-55-[01234]", "V-6-55", false),
            ("V-6-.*", "V-6-55-4", false), // Its longest match takes the stepping along.
            ("V-6-.*", "V-6-55", true),
            ("V-6-5", "V-6-55-4", false),
            ("V-6-55", "V-6-55-4-1", false),
        ];
        for &(pattern, text, expected) in cases {
            let found = matches(&[pattern], Rule::X86, text);
            assert_eq!(!found.is_empty(), expected, "{pattern:?} on {text:?}");
        }
    }

    #[test]
    fn all_that_match_in_order() {
        let patterns = ["a.*", "b", "ab+", ".*"];
        assert_eq!(matches(&patterns, Rule::Whole, "abb"), [0, 2, 3]);
        assert_eq!(matches(&patterns, Rule::Whole, "b"), [1, 3]);
        assert_eq!(matches(&patterns, Rule::Whole, "c"), [3]);
    }

    #[test]
    fn uses() {
        let cases: &[(&[&str], Rule, &[Use])] = &[
            (&["a.*", "ab"], Rule::Whole, &[Use::First, Use::Hidden]),
            (&["ab", "a.*"], Rule::Whole, &[Use::First, Use::First]),
            (&["a$b"], Rule::Whole, &[Use::Never]),
            (
                &["[01]", "0", "1", "2"],
                Rule::Whole,
                &[Use::First, Use::Hidden, Use::Hidden, Use::First],
            ),
        ];
        for &(patterns, rule, expected) in cases {
            let patterns: Vec<_> = patterns
                .iter()
                .map(|text| Pattern { text, expression: parse(text).unwrap() })
                .collect();
            assert_eq!(build(&patterns, rule).unwrap().uses, expected);
        }
    }

    #[test]
    fn faults_have_their_place() {
        let cases: &[(&str, usize)] = &[
            ("a(b", 1),
            ("ab)", 2),
            ("*a", 0),
            ("a|*", 2),
            ("[abc", 0),
            ("a[z-a]", 2),
            ("a{2", 1),
            ("a{3,2}", 1),
            ("a{999}", 1),
            ("[[:hex:]]", 1),
            ("ab\\", 2),
            ("\\d", 0),
        ];
        for &(pattern, offset) in cases {
            assert_eq!(parse(pattern).unwrap_err().offset, offset, "{pattern:?}");
        }
    }

    #[test]
    fn what_would_not_end_is_refused() {
        assert!(parse("((a{255}){255}){255}").is_err());
        assert!(parse(&"(".repeat(100)).is_err());
    }
}
