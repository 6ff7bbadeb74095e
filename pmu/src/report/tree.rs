//! Call chains as a tree: each node is a function that the one above has called.

use std::rc::Rc;

use crate::profile::hash;
use crate::profile::known::Known;
use crate::profile::reading::Taken;
use crate::report::places;

/// The call chains of samples, threads by their names at the top.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// By the number of the node above, and that of what it is called.
    numbers: hash::Table<(u32, u32), u32>,
    pub(super) labels: Vec<Label>,
    label_numbers: hash::Table<Label, u32>,
    /// The labels of the functions at a place, from the outermost inwards.
    of_locations: hash::Table<u32, Rc<[u32]>>,
    of_names: hash::Table<u32, u32>,
}

/// What a node is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Label {
    pub(super) name: Rc<str>,
    /// Where it is; nowhere, if it is a thread.
    pub(super) module: Option<Rc<str>>,
    /// The privilege, as perf's letter.
    pub(super) level: char,
}

/// A function, as it was called from somewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Node {
    /// The number of the node above; the first node is its own.
    pub(super) above: u32,
    pub(super) label: u32,
    /// Of the function itself, without what it called.
    pub(super) samples: u64,
    pub(super) events: u64,
}

/// The number of the first node, which is above all threads.
pub(super) const ROOT: u32 = 0;

impl Default for Tree {
    fn default() -> Self {
        Tree {
            nodes: vec![Node::default()],
            numbers: hash::Table::default(),
            labels: Vec::new(),
            label_numbers: hash::Table::default(),
            of_locations: hash::Table::default(),
            of_names: hash::Table::default(),
        }
    }
}

impl Tree {
    pub(super) fn add(&mut self, known: &Known, taken: &Taken) {
        let name = match self.of_names.get(&taken.name) {
            Some(&label) => label,
            None => {
                let name = known.name(taken.name).clone();
                let label = self.label(Label { name, module: None, level: '.' });
                self.of_names.insert(taken.name, label);
                label
            }
        };
        let mut node = self.below(ROOT, name);
        for frame in taken.frames.iter().rev() {
            let labels = match self.of_locations.get(&frame.location) {
                Some(labels) => labels.clone(),
                None => self.labels_of(known, frame.location),
            };
            for &label in &*labels {
                node = self.below(node, label);
            }
        }
        let node = &mut self.nodes[node as usize];
        node.samples += 1;
        node.events = node.events.saturating_add(taken.period);
    }

    fn labels_of(&mut self, known: &Known, number: u32) -> Rc<[u32]> {
        let location = known.location(number);
        let (module, level) = (known.module(location), places::level(location));
        let names = places::functions(known, location).into_iter();
        let labels = names.map(|name| Label { name, module: Some(module.clone()), level });
        let labels: Rc<[u32]> = labels.map(|label| self.label(label)).collect();
        self.of_locations.insert(number, labels.clone());
        labels
    }

    /// The node below one, by what it is called.
    #[cfg(test)]
    pub(super) fn step(&mut self, above: u32, label: Label) -> u32 {
        let label = self.label(label);
        self.below(above, label)
    }

    fn label(&mut self, label: Label) -> u32 {
        if let Some(&number) = self.label_numbers.get(&label) {
            return number;
        }
        let number = self.labels.len() as u32;
        self.labels.push(label.clone());
        self.label_numbers.insert(label, number);
        number
    }

    fn below(&mut self, above: u32, label: u32) -> u32 {
        let new = self.nodes.len() as u32;
        let number = *self.numbers.entry((above, label)).or_insert(new);
        if number == new {
            self.nodes.push(Node { above, label, ..Node::default() });
        }
        number
    }

    pub(super) fn label_of(&self, node: u32) -> &Label {
        &self.labels[self.nodes[node as usize].label as usize]
    }
}
