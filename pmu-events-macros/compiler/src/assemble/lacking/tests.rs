//! Trees with a `lacks.csv`.

use pmu_events_core::Tree;

use crate::faults::Faults;
use crate::options::{Options, Text};
use crate::source::{Source, kernel_tree};
use crate::{Compiled, Refused, compile};

const FILES: [(&str, &str); 3] = [
    ("mapfile.csv", "CPUID,Version,Directory,Type\n1,v1,one,core\n2,v1,vendor/two,core\n"),
    (
        "one/core.json",
        r#"[{"EventName": "X", "EventCode": "1"},
            {"MetricName": "m", "MetricExpr": "X", "Difference": "Counts half."}]"#,
    ),
    ("vendor/two/core.json", r#"[{"EventName": "X", "EventCode": "1"}]"#),
];

fn compiled(rows: &str, options: &Options) -> Result<Compiled, Box<Refused>> {
    let lacks = format!("Metric,Models,Reason\n{rows}\n");
    let files: Vec<(&str, &str)> = FILES.into_iter().chain([("lacks.csv", &*lacks)]).collect();
    let files = kernel_tree::made_up("soc", &files);
    compile(&Source { files, publication: None, faults: Faults::default() }, options)
}

/// What each model lacks, and the difference of the first metric.
fn read(compiled: Compiled) -> (Vec<Vec<(&'static str, &'static str)>>, Option<&'static str>) {
    let tree: &'static Tree =
        Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
    let models: Vec<_> = tree.models().collect();
    let difference = models.iter().find_map(|model| model.metrics().next()?.difference());
    (models.iter().map(|model| model.lacking().collect()).collect(), difference)
}

#[test]
fn by_name_with_reasons() {
    let rows = "n,one vendor/*,\"Neither, nor.\"\nm,vendor/two,No counter.\n";
    let (lacks, difference) = read(compiled(rows, &Options::default()).unwrap());
    let n = ("n", "Neither, nor.");
    assert_eq!(lacks, [vec![n], vec![("m", "No counter."), n]]);
    assert_eq!(difference, Some("Counts half."));
    // They are words: without text, there are none.
    let none = Options { text: Text::None, ..Options::default() };
    let (lacks, difference) = read(compiled(rows, &none).unwrap());
    assert!(lacks.iter().all(Vec::is_empty) && difference.is_none());
    let without = Options { metrics: false, ..Options::default() };
    assert!(read(compiled(rows, &without).unwrap()).0.iter().all(Vec::is_empty));
}

#[test]
fn faults() {
    let cases = [
        ("n,one", "2:1: has too few columns: metric, models, reason"),
        ("n,,Why.", "2:1: has an empty column: metric, models, reason"),
        ("n,three,Why.", "2:3: `three` matches no model"),
        ("M,one,Why.", "2:1: `one` has the metric `M`"),
        ("n,one,Why.\nn,*,Why.", "3:1: `one` has two rows for `n`"),
        ("n,one,W\thy.", "2:1: has a tab or a line feed in a column"),
    ];
    for (rows, expected) in cases {
        let refused = compiled(rows, &Options::default()).unwrap_err();
        let message = refused.to_string();
        assert!(message.contains(&format!("lacks.csv:{expected}")), "{rows}: {message}");
    }
}
