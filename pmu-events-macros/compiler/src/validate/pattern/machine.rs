//! Many expressions as one deterministic automaton.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use pmu_events_core::__private::cpuid::MatchRule;

use super::expression::{Bytes, Expression, Node};

/// An expression, and the other data that decides which CPUIDs it matches.
pub(super) struct Part {
    /// Its number among all patterns.
    pub(super) number: u32,
    pub(super) expression: Expression,
    /// Whether it demands a stepping.
    pub(super) is_full: bool,
}

/// A deterministic automaton. It starts in state 0.
pub(crate) struct Machine {
    /// The class of each byte.
    pub(crate) class_of: Vec<u8>,
    pub(crate) classes: usize,
    /// The next state of each state for each class; [`DEAD`] if no text that
    /// begins so is matched.
    pub(crate) next: Vec<u16>,
    /// The numbers of the patterns that match a text ending in each state,
    /// ascending.
    pub(crate) accepts: Vec<Vec<u32>>,
}

pub(super) const DEAD: u16 = u16::MAX;

/// The limits of an automaton: of states, which are numbered in two bytes; of
/// transitions; of the numbers of patterns that its states match; and of work.
const MOST_STATES: usize = DEAD as usize - 1;
const MOST_STEPS: usize = 1 << 20;
const MOST_ACCEPTS: usize = 1 << 20;
const MOST_WORK: usize = 1 << 24;

/// The patterns exceed the limits of an automaton.
#[derive(Debug)]
pub(super) struct TooLarge;

impl Machine {
    /// Builds the automaton of expressions.
    ///
    /// With [`MatchRule::X86`] a pattern without stepping matches the part before
    /// the stepping of a CPUID, as in perf (`strcmp_cpuid_str` in
    /// `tools/perf/arch/x86/util/header.c`): a CPUID with exactly three dashes is
    /// cut before the last; the longest match of the expression must end just there.
    /// All of that is regular, so it becomes part of the states.
    pub(super) fn build(parts: &[Part], rule: MatchRule) -> Result<Self, TooLarge> {
        let (class_of, representatives) = byte_classes(parts, rule);
        let classes = representatives.len();
        let mut nodes = Nodes::of(parts, rule)?;
        let start = Rc::new(nodes.start());
        let mut numbers = HashMap::from([(Rc::clone(&start), 0)]);
        let mut states = vec![start];
        let mut machine = Machine { class_of, classes, next: Vec::new(), accepts: Vec::new() };
        let mut accepts = 0;
        let mut at = 0;
        while let Some(state) = states.get(at).cloned() {
            for &byte in &representatives {
                let to = nodes.step(&state, byte)?;
                if to.nodes.is_empty() && to.pending.is_empty() {
                    machine.next.push(DEAD);
                    continue;
                }
                let number = match numbers.get(&to) {
                    Some(&number) => number,
                    None => {
                        let number = u16::try_from(states.len()).map_err(|_| TooLarge)?;
                        let to = Rc::new(to);
                        numbers.insert(Rc::clone(&to), number);
                        states.push(to);
                        number
                    }
                };
                machine.next.push(number);
            }
            let matched = nodes.matched(&state)?;
            accepts += matched.len();
            machine.accepts.push(matched);
            if states.len() > MOST_STATES
                || machine.next.len() > MOST_STEPS
                || accepts > MOST_ACCEPTS
            {
                return Err(TooLarge);
            }
            at += 1;
        }
        Ok(machine)
    }

    /// The state after a text; [`DEAD`] if no text that begins so is matched.
    pub(super) fn run(&self, from: u16, text: &[u8]) -> u16 {
        text.iter().fold(from, |state, &byte| self.step(state, byte))
    }

    fn step(&self, from: u16, byte: u8) -> u16 {
        let class = self.class_of[usize::from(byte)];
        match from {
            DEAD => DEAD,
            from => self.next[usize::from(from) * self.classes + usize::from(class)],
        }
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.accepts.len()
    }

    /// The first pattern that matches a text ending in a state.
    pub(super) fn first(&self, state: u16) -> Option<u32> {
        self.accepts.get(usize::from(state)).and_then(|numbers| numbers.first()).copied()
    }
}

/// How far a CPUID has been read, for all patterns at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    /// Where each expression may be, rising.
    nodes: Vec<u32>,
    /// Whether nothing has been read.
    is_start: bool,
    /// Dashes so far; four means more than three.
    dashes: u8,
    /// Parts whose longest match so far ends before the third dash, rising.
    pending: Vec<u32>,
}

/// The nodes of all expressions.
struct Nodes<'p> {
    parts: &'p [Part],
    steppings: bool,
    all: Vec<&'p Node>,
    /// The part that each node belongs to.
    part_of: Vec<u32>,
    /// The number of each part's first node.
    first: Vec<u32>,
    /// The round in which each node was last reached.
    reached: Vec<u32>,
    round: u32,
    work: usize,
}

impl<'p> Nodes<'p> {
    fn of(parts: &'p [Part], rule: MatchRule) -> Result<Self, TooLarge> {
        let mut nodes = Nodes {
            parts,
            steppings: rule == MatchRule::X86,
            all: Vec::new(),
            part_of: Vec::new(),
            first: Vec::new(),
            reached: Vec::new(),
            round: 0,
            work: 0,
        };
        for (number, part) in (0..).zip(parts) {
            nodes.first.push(u32::try_from(nodes.all.len()).map_err(|_| TooLarge)?);
            nodes.all.extend(&part.expression.nodes);
            nodes.part_of.resize(nodes.all.len(), number);
        }
        nodes.reached = vec![0; nodes.all.len()];
        Ok(nodes)
    }

    fn start(&mut self) -> State {
        let mut nodes = Vec::new();
        self.round += 1;
        for (part, &first) in self.parts.iter().zip(&self.first.clone()) {
            self.close(first, part.expression.start, (true, false), &mut nodes);
        }
        nodes.sort_unstable();
        State { nodes, is_start: true, dashes: 0, pending: Vec::new() }
    }

    /// Adds a node, and all nodes that can be reached from it without a byte:
    /// at the text's start, at its end. `first` is the first node of its
    /// expression.
    fn close(
        &mut self,
        first: u32,
        node: usize,
        (at_start, at_end): (bool, bool),
        nodes: &mut Vec<u32>,
    ) {
        let mut open = vec![node];
        while let Some(within) = open.pop() {
            let node = first as usize + within;
            if std::mem::replace(&mut self.reached[node], self.round) == self.round {
                continue;
            }
            self.work += 1;
            nodes.extend(u32::try_from(node));
            match *self.all[node] {
                Node::Split(a, b) => open.extend([a, b]),
                Node::Begin(next) if at_start => open.push(next),
                Node::End(next) if at_end => open.push(next),
                _ => {}
            }
        }
    }

    fn is_accepted(&self, nodes: &[u32], part: u32) -> bool {
        // The first node of each expression is its acceptance.
        nodes.binary_search(&self.first[part as usize]).is_ok()
    }

    /// The parts whose acceptance is among some nodes, rising.
    fn accepted(&self, nodes: &[u32]) -> Vec<u32> {
        let accepting =
            nodes.iter().filter(|&&node| matches!(self.all[node as usize], Node::Accept));
        accepting.map(|&node| self.part_of[node as usize]).collect()
    }

    fn step(&mut self, from: &State, byte: u8) -> Result<State, TooLarge> {
        let mut nodes = Vec::new();
        self.round = self.round.checked_add(1).ok_or(TooLarge)?;
        self.work += from.nodes.len() + from.pending.len();
        for &node in &from.nodes {
            if let Node::Take(bytes, next) = *self.all[node as usize]
                && bytes.contains(byte)
            {
                let first = self.first[self.part_of[node as usize] as usize];
                self.close(first, next, (false, false), &mut nodes);
            }
        }
        if self.work > MOST_WORK {
            return Err(TooLarge);
        }
        nodes.sort_unstable();
        if !self.steppings {
            return Ok(State { nodes, is_start: false, dashes: 0, pending: Vec::new() });
        }
        let dashes = (from.dashes + u8::from(byte == b'-')).min(4);
        let mut pending = match (from.dashes, dashes) {
            (2, 3) => self.accepted(&from.nodes),
            (3, 3) => from.pending.clone(),
            _ => Vec::new(),
        };
        // A longer match replaces the one that ended at the dash.
        pending
            .retain(|&part| !self.parts[part as usize].is_full && !self.is_accepted(&nodes, part));
        Ok(State { nodes, is_start: false, dashes, pending })
    }

    /// The numbers of the patterns that match when the text ends in a state,
    /// rising.
    fn matched(&mut self, state: &State) -> Result<Vec<u32>, TooLarge> {
        let mut nodes = state.nodes.clone();
        self.round = self.round.checked_add(1).ok_or(TooLarge)?;
        for &node in &state.nodes {
            let part = self.part_of[node as usize];
            // The nodes that `$` lets through only here, and `^` after it.
            if let Node::End(next) = *self.all[node as usize] {
                self.close(self.first[part as usize], next, (state.is_start, true), &mut nodes);
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        let whole = self.accepted(&nodes);
        let parts = if !self.steppings {
            whole
        } else if state.dashes == 3 {
            let full = whole.iter().copied().filter(|&part| self.parts[part as usize].is_full);
            let cut =
                state.pending.iter().copied().filter(|part| whole.binary_search(part).is_err());
            let mut both: Vec<u32> = full.chain(cut).collect();
            both.sort_unstable();
            both
        } else {
            whole.into_iter().filter(|&part| !self.parts[part as usize].is_full).collect()
        };
        Ok(parts.into_iter().map(|part| self.parts[part as usize].number).collect())
    }
}

/// Bytes that no expression distinguishes form one class: the class of each
/// byte, and a byte of each class.
fn byte_classes(parts: &[Part], rule: MatchRule) -> (Vec<u8>, Vec<u8>) {
    let nodes = parts.iter().flat_map(|part| &part.expression.nodes);
    let mut sets: BTreeSet<Bytes> = nodes.filter_map(Node::taken).collect();
    if rule == MatchRule::X86 {
        sets.insert(Bytes::of(b'-'));
    }
    let mut class_of = vec![0u8; 256];
    let mut representatives = vec![0u8];
    for set in &sets {
        // Each class that the set divides becomes two.
        let mut divided: HashMap<(u8, bool), u8> = HashMap::new();
        let mut fresh = Vec::new();
        for byte in 0..=u8::MAX {
            let class = &mut class_of[usize::from(byte)];
            let key = (*class, set.contains(byte));
            *class = *divided.entry(key).or_insert_with(|| {
                fresh.push(byte);
                // There are no more classes than bytes.
                (fresh.len() - 1).to_le_bytes()[0]
            });
        }
        representatives = fresh;
        if representatives.len() == 256 {
            break;
        }
    }
    (class_of, representatives)
}
