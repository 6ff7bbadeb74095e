//! A flame graph: each function as wide as its share, below the one that called it.

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::html::Escaped;
use crate::report::page::labels::{hue, percent, place, shown};
use crate::report::tree::{Node, ROOT, Tree};

/// Deeper calls are left out.
const DEEPEST: u32 = 250;

/// What is drawn of a tree.
pub(super) struct Picture {
    /// Of each node, with what it called.
    pub(super) totals: Vec<Total>,
    pub(super) samples: u64,
    /// The nodes that are drawn, each behind the one above, brothers by their size.
    drawn: Vec<Drawn>,
    /// The largest of those that are not drawn.
    largest_left_out: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Total {
    pub(super) samples: u64,
    pub(super) events: u64,
}

/// A node in its place.
#[derive(Debug)]
struct Drawn {
    node: u32,
    level: u32,
    /// From the left, in percent of the whole.
    start: f64,
    width: f64,
}

impl Picture {
    pub(super) fn of(tree: &Tree, most: usize) -> Self {
        let nodes = &tree.nodes;
        let own = |node: &Node| Total { samples: node.samples, events: node.events };
        let mut totals: Vec<Total> = nodes.iter().map(own).collect();
        // A node comes behind the one above.
        let mut levels = vec![0_u32; nodes.len()];
        for n in (1..nodes.len()).rev() {
            let (above, own) = (nodes[n].above as usize, totals[n]);
            totals[above].samples += own.samples;
            totals[above].events = totals[above].events.saturating_add(own.events);
        }
        for n in 1..nodes.len() {
            levels[n] = levels[nodes[n].above as usize].saturating_add(1);
        }
        // The largest: whatever is above one of them is not smaller, and comes first.
        let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
        order.sort_by_key(|&n| (Reverse(totals[n as usize].events), n));
        let is_drawn = |n: &u32| levels[*n as usize] < DEEPEST;
        let chosen: Vec<u32> = order.iter().copied().filter(is_drawn).take(most).collect();
        let mut marks = vec![false; nodes.len()];
        chosen.iter().for_each(|&n| marks[n as usize] = true);
        let left_out = order.iter().find(|&&n| !marks[n as usize]);
        let largest_left_out = left_out.map_or(0, |&n| totals[n as usize].events);
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        for &n in chosen.iter().filter(|&&n| n != ROOT) {
            below[nodes[n as usize].above as usize].push(n);
        }
        let all = totals[ROOT as usize].events;
        let mut drawn = Vec::with_capacity(chosen.len());
        let mut waiting = vec![(ROOT, 0.0)];
        while let Some((node, start)) = waiting.pop() {
            let level = levels[node as usize];
            let width = percent(totals[node as usize].events, all);
            drawn.push(Drawn { node, level, start, width });
            let mut at = start;
            let first = waiting.len();
            for &n in &below[node as usize] {
                waiting.push((n, at));
                at += percent(totals[n as usize].events, all);
            }
            waiting[first..].reverse();
        }
        let samples = totals[ROOT as usize].samples;
        Picture { totals, samples, drawn, largest_left_out }
    }

    pub(super) fn put(&self, html: &mut String, tree: &Tree, n: usize, event: &str) {
        let all = self.totals[ROOT as usize].events;
        let deepest = self.drawn.iter().map(|drawn| drawn.level).max().unwrap_or(0);
        put!(
            html,
            "<h3 id=\"flame-{n}\">Call chains</h3>\n\
             <ul class=\"flame\" aria-labelledby=\"flame-{n}\" aria-describedby=\"keys-{n}\" \
             style=\"--levels:{}\">\n",
            deepest + 1
        );
        for Drawn { node, level, start, width } in &self.drawn {
            let total = self.totals[*node as usize];
            let own = tree.nodes[*node as usize].events;
            let (name, where_, hue) = match *node {
                ROOT => (event, "all samples".to_owned(), 210),
                node => {
                    let label = tree.label_of(node);
                    (&*label.name, place(label), hue(label))
                }
            };
            put!(
                html,
                "<li style=\"--x:{start:.4};--w:{width:.4};--y:{level};--h:{hue}\" \
                 title=\"{0} ({1}): {2}, itself {3}, {4} samples\"><b>{0}</b> <span>{2}</span></li>\n",
                Escaped(name),
                Escaped(where_),
                shown(percent(total.events, all)),
                shown(percent(own, all)),
                total.samples
            );
        }
        html.push_str("</ul>\n");
        put!(
            html,
            "<p class=\"keys\" id=\"keys-{n}\" hidden>A click or Enter magnifies a function, Escape \
             shows all again; arrows go to what it called, to its caller, and to its \
             neighbours.</p>\n"
        );
        self.put_left_out(html, tree.nodes.len());
    }

    fn put_left_out(&self, html: &mut String, all: usize) {
        if let left_out @ 1.. = all - self.drawn.len() {
            let largest = percent(self.largest_left_out, self.totals[ROOT as usize].events);
            put!(
                html,
                "<p>{left_out} of {all} places are left out of the picture, because they have less \
                 than the others, no more than {}, or are more than {DEEPEST} calls deep. <code>pmu \
                 report --folded</code> has all.</p>\n",
                shown(largest)
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::tests::tree;

    #[test]
    fn nodes_are_in_their_places() {
        // Chains with their samples.
        let tree = tree(&[("a;main;hot", 6), ("a;main;cold", 2), ("a;main", 1), ("b;main", 1)]);
        let picture = Picture::of(&tree, 100);
        let drawn = picture.drawn.iter().map(|drawn| {
            let name = if drawn.node == ROOT { "all" } else { &*tree.label_of(drawn.node).name };
            (name.to_owned(), drawn.level, drawn.start.round() as u32, drawn.width.round() as u32)
        });
        let expected = [
            ("all", 0, 0, 100),
            ("a", 1, 0, 90),
            ("main", 2, 0, 90),
            ("hot", 3, 0, 60),
            ("cold", 3, 60, 20),
            ("b", 1, 90, 10),
            ("main", 2, 90, 10),
        ];
        let expected: Vec<_> =
            expected.into_iter().map(|(name, y, x, w)| (name.to_owned(), y, x, w)).collect();
        assert_eq!(drawn.collect::<Vec<_>>(), expected);
    }

    /// What is drawn hangs together, and what is not is told.
    #[test]
    fn the_smallest_are_left_out() {
        let chains: Vec<(String, u64)> =
            (0..500).map(|n| (format!("t;main;f{n};g{n}"), n + 1)).collect();
        let chains: Vec<(&str, u64)> = chains.iter().map(|(chain, n)| (&**chain, *n)).collect();
        let tree = tree(&chains);
        for most in [1, 2, 10, 100, 2000] {
            let picture = Picture::of(&tree, most);
            assert_eq!(picture.drawn.len(), most.min(tree.nodes.len()));
            let is_drawn = |n: u32| picture.drawn.iter().any(|drawn| drawn.node == n);
            for drawn in &picture.drawn {
                assert!(is_drawn(tree.nodes[drawn.node as usize].above));
                assert!(drawn.start >= 0.0 && drawn.start + drawn.width < 100.001);
            }
            let mut html = String::new();
            picture.put(&mut html, &tree, 0, "x");
            assert_eq!(html.contains("left out"), most < tree.nodes.len(), "{most}");
        }
    }

    /// A chain that is deeper than a page can show.
    #[test]
    fn deep_chains() {
        let chain = (0..1000).map(|n| format!("f{n}")).collect::<Vec<_>>().join(";");
        let tree = tree(&[(&chain, 1)]);
        let picture = Picture::of(&tree, 10_000);
        assert_eq!(picture.drawn.len(), DEEPEST as usize);
    }
}
