//! The page of a recording: `report.html`, filled in with a flame graph and a table of functions
//! for each event.
//!
//! Everything is in the page as text that can be read without the script. What a page can have is
//! bounded, however long the recording is; the page says what it leaves out.

use std::fmt::Write as _;
use std::path::Path;

use crate::html::{Escaped, Kind};
use crate::profile::reading::Summary;
use crate::report::tree::Tree;

const KIND: Kind = Kind {
    about: "samples",
    sought: "function, module, thread …",
    style: include_str!("report.css"),
    script: include_str!("report.js"),
    hash: "hpCjK1NlqsX0bjkkNjMT4MTR8ykcc+6AOlPTVTP+92g=",
    body: include_str!("report.html"),
};

/// How many events a page has; files that programs write have a few.
const MOST_EVENTS: usize = 40;
/// How many nodes all pictures have.
const MOST_NODES: usize = 6_000;
/// How many functions all tables have.
const MOST_FUNCTIONS: usize = 3_000;
/// How many of either an event may have in any case.
const LEAST: usize = 150;

/// Writes into the page; a `String` takes everything.
macro_rules! put {
    ($html:expr, $($text:tt)*) => {{
        let _ = write!($html, $($text)*);
    }};
}

mod functions;
mod labels;
mod picture;

use functions::Functions;
use picture::Picture;

/// The page of some events of a file.
pub(super) fn of(file: &Path, events: &[(&str, &Tree)], summary: Summary) -> String {
    let name = file.display().to_string();
    KIND.page(|place, html| match place {
        "title" => put!(html, "{}", Escaped(&name)),
        "totals" => totals(html, summary),
        "events" => put_events(html, events),
        _ => unreachable!("the template has no place `{place}`"),
    })
}

fn totals(html: &mut String, summary: Summary) {
    put!(html, "{} samples", summary.samples);
    if summary.lost > 0 {
        put!(html, ", {} lost", summary.lost);
    }
}

fn put_events(html: &mut String, events: &[(&str, &Tree)]) {
    let with_samples: Vec<_> =
        events.iter().filter(|(_, tree)| tree.nodes.iter().any(|node| node.samples > 0)).collect();
    if with_samples.is_empty() {
        html.push_str("<p>The recording has no sample.</p>\n");
    }
    let shown = with_samples.len().min(MOST_EVENTS);
    for (n, (name, tree)) in with_samples.iter().take(shown).enumerate() {
        put_event(html, n, name, tree, shown);
    }
    if let more @ 1.. = with_samples.len() - shown {
        put!(html, "<p>The page leaves out {more} further events.</p>\n");
    }
}

fn put_event(html: &mut String, n: usize, name: &str, tree: &Tree, of: usize) {
    let picture = Picture::of(tree, (MOST_NODES / of).max(LEAST));
    let functions = Functions::of(tree, &picture.totals, (MOST_FUNCTIONS / of).max(LEAST));
    put!(html, "<section id=\"event-{n}\">\n<h2>{}</h2>\n", Escaped(name));
    put!(
        html,
        "<p>{} samples, which stand for {} events <output class=\"matched\"></output></p>\n",
        picture.samples,
        picture.totals[0].events
    );
    picture.put(html, tree, n, name);
    functions.put(html, tree, name);
    html.push_str("</section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tree::{Label, Node, ROOT};

    /// A tree of chains, each with the number of its samples.
    pub(super) fn tree(chains: &[(&str, u64)]) -> Tree {
        let mut tree = Tree::default();
        for (chain, samples) in chains {
            let mut node = ROOT;
            for (level, name) in chain.split(';').enumerate() {
                let module = (level > 0).then(|| "program".into());
                node = tree.step(node, Label { name: name.into(), module, level: '.' });
            }
            let Node { samples: own, events, .. } = &mut tree.nodes[node as usize];
            (*own, *events) = (own.saturating_add(*samples), events.saturating_add(*samples));
        }
        tree
    }

    /// Names come from programs, and end up in elements and in attributes.
    #[test]
    fn hostile_names_are_escaped() {
        let hostile = "</script><img src=x onerror=alert(1)>\"'&\u{202e}";
        let tree = tree(&[(&format!("{hostile};{hostile}"), 1)]);
        let summary = Summary { samples: 1, ..Summary::default() };
        let page = of(Path::new(hostile), &[(hostile, &tree)], summary);
        let own = "<img";
        assert!(!page.contains(own), "{page}");
        assert!(!page.contains('\u{202e}'));
        assert_eq!(page.matches("<script>").count(), 1);
        assert_eq!(page.matches("</script>").count(), 1);
        let escaped = "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;\u{fffd}";
        assert!(page.matches(escaped).count() >= 5, "{page}");
    }

    /// However many events a file announces.
    #[test]
    fn pages_are_bounded() {
        let chains: Vec<(String, u64)> =
            (0..4000).map(|n| (format!("t;main;function_{n}"), n + 1)).collect();
        let chains: Vec<(&str, u64)> = chains.iter().map(|(chain, n)| (&**chain, *n)).collect();
        let tree = tree(&chains);
        let events: Vec<(&str, &Tree)> = (0..60).map(|_| ("x", &tree)).collect();
        let page = of(Path::new("x"), &events, Summary::default());
        assert!(page.len() < 4 << 20, "{}", page.len());
        assert!(page.contains("leaves out 20 further events"));
        assert_eq!(page.matches("<section").count(), MOST_EVENTS);
    }
}
