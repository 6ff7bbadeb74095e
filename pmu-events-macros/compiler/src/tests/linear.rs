//! Trees that consist of faults: the work grows linearly with the tree.

use super::random;
use crate::compile;
use crate::cost::steps;
use crate::options::{Options, Unknown};

/// The texts of `later/legacy.json`, of the standard events and of the map
/// file, with `n` faults of one kind.
type Texts = fn(n: usize) -> [String; 3];

fn list(n: usize, item: impl Fn(usize) -> String) -> String {
    // On one line: a column is far from the line's start.
    format!("[{}]", (0..n).map(item).collect::<Vec<_>>().join(","))
}

fn event(n: usize) -> String {
    format!(r#"{{"EventName":"EVENT_{n:05}","EventCode":"1"}}"#)
}

const HEADER: &str = "Family-model,Version,Filename,EventType\n";

const KINDS: &[(&str, Texts)] = &[
    ("objects without name", |n| [list(n, |_| "{}".to_owned()), list(0, event), HEADER.into()]),
    ("unknown names in metrics", |n| {
        let metric = |n| format!(r#"{{"MetricName":"m{n}","MetricExpr":"EVENT_X{n:05}"}}"#);
        let items = list(2 * n, |i| if i < n { event(i) } else { metric(i) });
        [items, list(0, event), HEADER.into()]
    }),
    ("dangling references", |n| {
        let references = list(n, |n| format!(r#"{{"ArchStdEvent":"EVENT_X{n:05}"}}"#));
        [references, list(n, event), HEADER.into()]
    }),
    ("duplicate events", |n| [list(n, |_| event(0)), list(0, event), HEADER.into()]),
    ("duplicate standard events", |n| [list(1, event), list(n, |_| event(0)), HEADER.into()]),
    ("unknown keys", |n| {
        let keys = (0..n).map(|n| format!(r#","Umask{n:05}":"1""#)).collect::<String>();
        [format!(r#"[{{"EventName":"A"{keys}}}]"#), list(0, event), HEADER.into()]
    }),
    ("unknown directories", |n| {
        let rows = (0..n).map(|n| format!("cpu{n},v1,test_soc/cpu{n:05},core\n"));
        [list(1, event), list(0, event), HEADER.to_owned() + &rows.collect::<String>()]
    }),
];

/// The work that it takes to refuse a tree.
fn steps_of(texts: Texts, n: usize) -> usize {
    let mut source = random::soc();
    let [events, standard, map] = texts(n);
    let paths = [("later/legacy.json", events), ("arch-std-events.json", standard)];
    for (path, text) in paths.into_iter().chain([("mapfile.csv", map)]) {
        let file = source.files.all.iter_mut().find(|file| file.path.ends_with(path));
        file.expect("the made-up SoC has it").text = text;
    }
    steps::take();
    let options = Options { unknown: Unknown::Deny, ..Options::default() };
    let refused = compile(&source, &options).expect_err("it has faults").errors.to_string();
    assert!(refused.contains(" errors in the event tree"), "{refused}");
    steps::take()
}

#[test]
fn work_grows_as_the_faults_do() {
    for &(kind, texts) in KINDS {
        let (small, large) = (steps_of(texts, 200), steps_of(texts, 1600));
        // Eight times the input; constant work only helps.
        assert!(large <= 9 * small, "{kind}: {small} and {large} steps");
        assert!(small > 0, "{kind}: nothing is counted");
    }
}
