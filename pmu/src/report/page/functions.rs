//! The table of functions: what each has itself, and with what it calls.

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::html::Escaped;
use crate::report::page::labels::{percent, place, shown};
use crate::report::page::picture::Total;
use crate::report::tree::{ROOT, Tree};

/// The functions of a tree, the largest first.
pub(super) struct Functions {
    rows: Vec<Row>,
    left_out: usize,
    all: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    label: u32,
    /// With what it calls.
    total: u64,
    own: u64,
    samples: u64,
}

impl Functions {
    pub(super) fn of(tree: &Tree, totals: &[Total], most: usize) -> Self {
        let labels = 0..tree.labels.len() as u32;
        let mut rows: Vec<Row> = labels.map(|label| Row { label, ..Row::default() }).collect();
        for node in tree.nodes.iter().skip(1) {
            let row = &mut rows[node.label as usize];
            row.own = row.own.saturating_add(node.events);
            row.samples += node.samples;
        }
        for node in outermost(tree) {
            let row = &mut rows[tree.nodes[node as usize].label as usize];
            row.total = row.total.saturating_add(totals[node as usize].events);
        }
        rows.retain(|row| tree.labels[row.label as usize].module.is_some());
        rows.sort_by_key(|row| (Reverse((row.own, row.total)), row.label));
        let left_out = rows.len().saturating_sub(most);
        rows.truncate(most);
        Functions { rows, left_out, all: totals[ROOT as usize].events }
    }

    pub(super) fn put(&self, html: &mut String, tree: &Tree, event: &str) {
        if self.rows.is_empty() {
            return;
        }
        html.push_str("<h3>Functions</h3>\n<table>\n");
        put!(html, "<caption>Functions of {}</caption>\n", Escaped(event));
        html.push_str(
            "<thead><tr><th scope=\"col\">function</th><th scope=\"col\">module</th>\
             <th scope=\"col\" aria-sort=\"descending\">itself</th>\
             <th scope=\"col\">with callees</th><th scope=\"col\">samples</th></tr></thead>\n<tbody>\n",
        );
        for row in &self.rows {
            let label = &tree.labels[row.label as usize];
            let (own, total) = (percent(row.own, self.all), percent(row.total, self.all));
            put!(
                html,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                Escaped(&label.name),
                Escaped(place(label)),
                shown(own),
                shown(total),
                row.samples
            );
        }
        html.push_str("</tbody>\n</table>\n");
        if let left_out @ 1.. = self.left_out {
            let all = self.rows.len() + left_out;
            put!(
                html,
                "<p>{left_out} of {all} functions are left out of the table, because they have less \
                 than the others. <code>pmu report --children --sort function,module</code> has \
                 all.</p>\n"
            );
        }
    }
}

/// The nodes above which nothing is called the same: what calls itself counts once.
fn outermost(tree: &Tree) -> Vec<u32> {
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); tree.nodes.len()];
    for (n, node) in tree.nodes.iter().enumerate().skip(1) {
        below[node.above as usize].push(n as u32);
    }
    /// A step of the walk.
    enum Step {
        Into(u32),
        OutOf(u32),
    }
    let mut found = Vec::new();
    let mut within = vec![0_u32; tree.labels.len()];
    let mut steps: Vec<Step> = below[ROOT as usize].iter().map(|&n| Step::Into(n)).collect();
    while let Some(step) = steps.pop() {
        match step {
            Step::Into(node) => {
                let label = tree.nodes[node as usize].label as usize;
                if within[label] == 0 {
                    found.push(node);
                }
                within[label] += 1;
                steps.push(Step::OutOf(node));
                steps.extend(below[node as usize].iter().map(|&n| Step::Into(n)));
            }
            Step::OutOf(node) => within[tree.nodes[node as usize].label as usize] -= 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::picture::Picture;
    use crate::report::page::tests::tree;

    fn rows(tree: &Tree, most: usize) -> (Vec<(String, u64, u64)>, usize) {
        let functions = Functions::of(tree, &Picture::of(tree, 100).totals, most);
        let row =
            |row: &Row| (tree.labels[row.label as usize].name.to_string(), row.own, row.total);
        (functions.rows.iter().map(row).collect(), functions.left_out)
    }

    #[test]
    fn a_function_that_calls_itself_counts_once() {
        let tree = tree(&[("t;f;g;f;f", 3), ("t;f", 1), ("t;g;f", 2), ("t;h", 4)]);
        let expected = [("f", 6, 6), ("h", 4, 4), ("g", 0, 5)];
        let expected = expected.map(|(name, own, total)| (name.to_owned(), own, total));
        assert_eq!(rows(&tree, 10), (expected.to_vec(), 0));
        assert_eq!(rows(&tree, 2), (expected[..2].to_vec(), 1));
    }
}
