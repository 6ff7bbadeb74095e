//! The call chains of lines: below each, its own tree.

use std::cmp::Reverse;
use std::rc::Rc;

use crate::profile::hash;
use crate::profile::known::Known;
use crate::profile::reading::Taken;
use crate::report_values::{ChainForm, ChainOrder, ChainStyle};

/// The trees of all lines of an event.
pub(crate) struct Chains {
    style: ChainStyle,
    order: ChainOrder,
    /// The first one is no tree's.
    nodes: Vec<Node>,
    /// By the number of the node above, and that of the frame.
    numbers: hash::Table<(u32, u32), u32>,
    frames: Vec<Frame>,
    frame_numbers: hash::Table<Place, u32>,
    /// By the number of the place and, where that does not say it all, the address.
    of_places: hash::Table<(u32, u64), u32>,
    /// The frames of the sample, in the order of the trees.
    path: Vec<u32>,
    /// How many nodes there may be.
    most: usize,
    /// Whether there were more.
    is_cut: bool,
}

/// A step of a chain.
#[derive(Clone, Copy, Default)]
struct Node {
    above: u32,
    frame: u32,
    /// Of the chains that end here.
    events: u64,
    samples: u64,
}

/// What a step is called.
struct Frame {
    place: Place,
    name: Rc<str>,
}

/// What makes a step different (`match_chain` in `tools/perf/util/callchain.c`): the function, or
/// the address where none is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    is_function: bool,
    /// The number of the file, from 1; 0 is none.
    module: u32,
    start: u64,
}

/// Steps that always follow each other, with what they lead to (`struct callchain_node`).
#[derive(Default)]
pub(super) struct Run {
    frames: Vec<u32>,
    pub(super) events: u64,
    pub(super) samples: u64,
    /// Of all runs below, also of those that are left out.
    pub(super) events_below: u64,
    pub(super) samples_below: u64,
    /// Those that are shown, the largest first.
    pub(super) below: Vec<Run>,
}

impl Run {
    pub(super) fn all_events(&self) -> u64 {
        self.events.saturating_add(self.events_below)
    }

    pub(super) fn all_samples(&self) -> u64 {
        self.samples + self.samples_below
    }
}

/// The number of the tree of a line that has none.
pub(super) const NONE: u32 = 0;

/// A chain of a thousand calls has half a million steps if what each function calls is shown, so that
/// a small file could fill any memory.
const MOST: usize = 1 << 22;

impl Chains {
    pub(super) fn new(style: ChainStyle, order: ChainOrder) -> Self {
        Chains {
            style,
            order,
            nodes: vec![Node::default()],
            numbers: hash::Table::default(),
            frames: Vec::new(),
            frame_numbers: hash::Table::default(),
            of_places: hash::Table::default(),
            path: Vec::new(),
            most: MOST,
            is_cut: false,
        }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(super) fn order(&self) -> ChainOrder {
        self.order
    }

    /// Takes the chain of a sample.
    pub(super) fn begin(&mut self, known: &Known, taken: &Taken) {
        self.path.clear();
        if !taken.has_chain || taken.is_chain_empty {
            return;
        }
        for frame in &taken.frames {
            let number = self.frame(known, frame.location, frame.address);
            self.path.push(number);
        }
        if self.order == ChainOrder::Caller {
            self.path.reverse();
        }
    }

    fn frame(&mut self, known: &Known, number: u32, address: u64) -> u32 {
        let location = known.location(number);
        let start = location.symbol.as_ref().filter(|_| !self.style.by_address);
        let start = start.map(|(_, into)| location.at.wrapping_sub(*into));
        let key = (number, if start.is_some() { 0 } else { address });
        if let Some(&frame) = self.of_places.get(&key) {
            return frame;
        }
        let module = location.module.map_or(0, |module| module as u32 + 1);
        let place = Place { is_function: start.is_some(), module, start: start.unwrap_or(address) };
        let new = self.frames.len() as u32;
        let frame = *self.frame_numbers.entry(place).or_insert(new);
        if frame == new {
            let name = match &location.symbol {
                Some((name, into)) if self.style.by_address => {
                    let line = location.places.first().and_then(|place| place.line.as_ref());
                    Rc::from(match line {
                        Some((file, line)) => format!("{name} {file}:{line}"),
                        // `get_srcline` in `tools/perf/util/srcline.c`
                        None => format!("{name} +{into}"),
                    })
                }
                Some((name, _)) => name.clone(),
                // As `%#lx`.
                None if address == 0 => Rc::from("0"),
                None => Rc::from(format!("{address:#x}")),
            };
            self.frames.push(Frame { place, name });
        }
        self.of_places.insert(key, frame);
        frame
    }

    /// Adds the chain of the sample to the tree of a line: all of it, or from the frame with a
    /// number onwards, counted from the innermost. It has so many steps.
    pub(super) fn add(&mut self, tree: &mut u32, from: usize, events: u64) -> usize {
        let skipped = match (from, self.order) {
            (0, _) => 0,
            (_, ChainOrder::Callee) => from,
            (_, ChainOrder::Caller) => self.path.len().saturating_sub(from + 1),
        };
        if skipped >= self.path.len() {
            return 0;
        }
        if *tree == NONE {
            match self.new_node(NONE, 0) {
                Some(node) => *tree = node,
                None => return 0,
            }
        }
        let mut node = *tree;
        for n in skipped..self.path.len() {
            match self.below(node, self.path[n]) {
                Some(below) => node = below,
                None => break,
            }
        }
        let node = &mut self.nodes[node as usize];
        node.events = node.events.saturating_add(events);
        node.samples += 1;
        self.path.len() - skipped
    }

    fn below(&mut self, above: u32, frame: u32) -> Option<u32> {
        if let Some(&node) = self.numbers.get(&(above, frame)) {
            return Some(node);
        }
        let node = self.new_node(above, frame)?;
        self.numbers.insert((above, frame), node);
        Some(node)
    }

    fn new_node(&mut self, above: u32, frame: u32) -> Option<u32> {
        if self.nodes.len() >= self.most {
            self.is_cut = true;
            return None;
        }
        self.nodes.push(Node { above, frame, ..Node::default() });
        Some(self.nodes.len() as u32 - 1)
    }

    pub(super) fn names<'c>(&'c self, run: &'c Run) -> impl Iterator<Item = &'c str> {
        run.frames.iter().map(|&frame| &*self.frames[frame as usize].name)
    }
}

/// The trees, from above.
pub(super) struct Trees<'t> {
    chains: &'t Chains,
    /// The first node below each, and the next one beside it; `NONE` at the end.
    first: Vec<u32>,
    next: Vec<u32>,
}

impl<'t> Trees<'t> {
    pub(super) fn of(chains: &'t Chains) -> Self {
        let number = chains.nodes.len();
        let (mut first, mut next) = (vec![NONE; number], vec![NONE; number]);
        for (n, node) in chains.nodes.iter().enumerate().skip(1).rev() {
            next[n] = std::mem::replace(&mut first[node.above as usize], n as u32);
        }
        Trees { chains, first, next }
    }

    pub(super) fn chains(&self) -> &'t Chains {
        self.chains
    }

    /// What is below a line: a run without frames, above all others. Runs of fewer events are left
    /// out; in the fractal form, what is above says how few.
    pub(super) fn below_line(&self, tree: u32, least: u64) -> Run {
        let mut top = Run::default();
        if tree != NONE {
            self.fill(&mut top, tree, least);
        }
        top
    }

    fn all_below(&self, node: u32) -> impl Iterator<Item = u32> {
        let some = |node: u32| (node != NONE).then_some(node);
        std::iter::successors(some(self.first[node as usize]), move |&node| {
            some(self.next[node as usize])
        })
    }

    fn run(&self, node: u32, least: u64) -> Run {
        let nodes = &self.chains.nodes;
        let mut run = Run { frames: vec![nodes[node as usize].frame], ..Run::default() };
        let mut node = node;
        // Steps are one as long as no chain ends and none leaves.
        loop {
            let mut below = self.all_below(node);
            match (nodes[node as usize].samples, below.next(), below.next()) {
                (0, Some(only), None) => {
                    run.frames.push(nodes[only as usize].frame);
                    node = only;
                }
                _ => break,
            }
        }
        self.fill(&mut run, node, least);
        run
    }

    fn fill(&self, run: &mut Run, node: u32, least: u64) {
        let own = self.chains.nodes[node as usize];
        (run.events, run.samples) = (own.events, own.samples);
        run.below = self.all_below(node).map(|below| self.run(below, least)).collect();
        run.events_below = run.below.iter().map(Run::all_events).fold(0, u64::saturating_add);
        run.samples_below = run.below.iter().map(Run::all_samples).sum();
        let style = self.chains.style;
        let least = match style.form {
            // What is left out of a list of chains is no run, but a chain.
            ChainForm::Flat | ChainForm::Folded => 0,
            ChainForm::Fractal => {
                let part = style.least.unwrap_or_default() / 100.0;
                (run.events_below as f64 * part).ceil() as u64
            }
            _ => least,
        };
        run.below.retain(|below| below.all_events() >= least);
        // perf, too, has functions with a higher address first where events are as many.
        let place = |run: &Run| run.frames.first().map(|&frame| self.chains.place(frame));
        run.below.sort_by_key(|run| match style.form {
            ChainForm::Flat | ChainForm::Folded => Reverse((0, place(run))),
            _ => Reverse((run.all_events(), place(run))),
        });
    }
}

impl Chains {
    fn place(&self, frame: u32) -> (u32, u64) {
        let place = self.frames[frame as usize].place;
        (place.module, place.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chains(paths: &[&[u32]], most: usize) -> (Chains, u32) {
        let mut chains = Chains::new(ChainStyle::DEFAULT, ChainOrder::Callee);
        chains.most = most;
        for n in 0..10 {
            let place = Place { is_function: true, module: 1, start: n };
            chains.frames.push(Frame { place, name: Rc::from(n.to_string()) });
        }
        let mut tree = NONE;
        for path in paths {
            chains.path = path.to_vec();
            chains.add(&mut tree, 0, 10);
        }
        (chains, tree)
    }

    /// A run with its frames, its own samples, and what is below.
    fn shown(run: &Run) -> String {
        let below: Vec<String> = run.below.iter().map(shown).collect();
        let frames: Vec<String> = run.frames.iter().map(u32::to_string).collect();
        format!("{}:{}({})", frames.join("."), run.samples, below.join(" "))
    }

    /// Steps are one run until a chain ends or leaves.
    #[test]
    fn runs() {
        let paths: [&[u32]; 5] = [&[1, 2, 3], &[1, 2, 3], &[1, 2, 4, 5], &[1], &[6, 7]];
        let (all, tree) = chains(&paths, MOST);
        let trees = Trees::of(&all);
        let top = trees.below_line(tree, 0);
        assert_eq!(shown(&top), ":0(1:1(2:0(3:2() 4.5:1())) 6.7:1())");
        assert_eq!((top.all_events(), top.all_samples()), (50, 5));
        // Those that are left out still count.
        let top = trees.below_line(tree, 15);
        assert_eq!(shown(&top), ":0(1:1(2:0(3:2())))");
        assert_eq!((top.all_events(), top.below[0].all_samples()), (50, 4));
        assert!(trees.below_line(NONE, 0).below.is_empty());
        assert!(!all.is_cut());
    }

    #[test]
    fn too_many_nodes() {
        let paths: [&[u32]; 3] = [&[1, 2, 3], &[1, 4, 5], &[1, 2, 3]];
        let (all, tree) = chains(&paths, 6);
        assert!(all.is_cut());
        // What has no room ends early, and what is there goes on.
        assert_eq!(shown(&Trees::of(&all).below_line(tree, 0)), ":0(1:0(2.3:2() 4:1()))");
    }
}
