//! Formulas that are long, and many: what is wrong with them is said in time
//! that grows with their length, not with its square.

use std::fmt::Write as _;

use crate::{Options, Source, compile, random};

const MODEL: &str = "test_soc/later";

/// The made-up SoC with other metrics for one of its models.
fn with_metrics(metrics: &[(String, String)]) -> Source {
    let mut source = random::soc();
    let mut text = String::from(r#"[{"EventName":"ONE","EventCode":"1"}"#);
    for (name, formula) in metrics {
        let _ = write!(text, ",\n{{\"MetricName\":\"{name}\",\"MetricExpr\":\"{formula}\"}}");
    }
    text.push(']');
    let file = source.files.iter_mut().find(|file| file.path.ends_with("later/metrics.json"));
    file.expect("the made-up SoC has it").text = text;
    source
}

/// Compiles it; gives its values or the faults.
fn values(source: &Source) -> Result<Vec<f64>, String> {
    let packed = compile(source, &Options::default());
    let packed = packed.map_err(|refused| refused.errors.to_string())?;
    let (strings, tables) = (packed.strings.leak(), packed.tables.leak());
    let tree: &'static _ = Box::leak(Box::new(pmu_events_core::Tree::new(strings, tables)));
    let model = tree.models().find(|model| model.name() == MODEL).expect("it has events");
    Ok(model.metrics().map(|metric| metric.evaluate(|_| 1.0)).collect())
}

fn sum(terms: impl Iterator<Item = String>) -> Vec<(String, String)> {
    vec![("sum".to_owned(), terms.collect::<Vec<_>>().join(" + "))]
}

#[test]
fn long_formulas() {
    let too_long = "it has more than 21845 numbers, identifiers and operators";
    let too_many = "it has more than 255 identifiers";
    type Term = fn(u32) -> String;
    let cases: [(u32, Term, Result<f64, &str>); 6] = [
        (10_000, |n| format!("e{}", n % 255), Ok(10_000.0)),
        (10_922, |n| format!("{n}.5 * ONE / {n}.5").replace(' ', ""), Err(too_long)),
        (5_000, |n| format!("{n}.5 * ONE"), Ok((0..5_000).map(|n| f64::from(n) + 0.5).sum())),
        (256, |n| format!("e{n}"), Err(too_many)),
        (10_000, |n| format!("e{n}"), Err(too_many)),
        (200_000, |n| format!("e{n}"), Err(too_long)),
    ];
    for (count, term, expected) in cases {
        let result = values(&with_metrics(&sum((0..count).map(term))));
        match (result, expected) {
            (Ok(values), Ok(value)) => assert_eq!(values, [value], "{count} times {}", term(1)),
            (Err(faults), Err(fault)) => {
                assert!(faults.contains(fault), "{faults}");
                assert!(!faults.contains("names `e1`"), "one fault is enough: {faults}");
            }
            (result, _) => panic!("{count} times {}: {result:?}", term(1)),
        }
    }
}

/// Each name is doubted once in a formula, however often it stands there.
#[test]
fn unknown_names() {
    let names = || (0..10_000).map(|n| format!("nothing{}", n % 2));
    let source = with_metrics(&sum(names()));
    let compiled = compile(&source, &Options::default());
    let warnings = compiled.unwrap_or_else(|refused| panic!("{}", refused.errors)).warnings;
    let doubted = warnings.faults().iter().filter(|fault| fault.message.contains("names `nothing"));
    let columns: Vec<usize> = doubted.filter_map(|fault| Some(fault.position?.1)).collect();
    let head = "{\"MetricName\":\"sum\",\"MetricExpr\":\"".len() + 1;
    assert_eq!(columns, [head, head + "nothing0 + ".len()]);
}

/// A circle with as many ways back as it has metrics, and more references than
/// there may be.
#[test]
fn many_metrics() {
    let circle: Vec<(String, String)> =
        (0..3_000).map(|n| (format!("m{n}"), format!("m{} + m0", (n + 1) % 3_000))).collect();
    let faults = values(&with_metrics(&circle)).expect_err("that is too deep");
    assert!(faults.contains("metrics refer to each other more than 32 deep"), "{faults}");

    // Each refers to all of the next row.
    let rows: Vec<(String, String)> = (0..20 * 200)
        .map(|n| {
            let next: Vec<String> =
                (0..200).map(|m| format!("m{}", (n / 200 + 1) * 200 + m)).collect();
            (format!("m{n}"), if n / 200 == 19 { "ONE".to_owned() } else { next.join(" + ") })
        })
        .collect();
    let faults = values(&with_metrics(&rows)).expect_err("that is too much");
    assert!(faults.contains("it refers to more than 256 metrics, through others"), "{faults}");
}
