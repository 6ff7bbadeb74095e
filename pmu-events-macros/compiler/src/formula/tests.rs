//! Formulas that are long, and many: the time to report their faults grows with
//! their length, not with its square.

use std::fmt::Write as _;

use pmu_events_core::__private::wire::record::ReferenceRecord;
use pmu_events_core::__private::wire::{Section, Wire};
use pmu_events_core::{Model, Tree};

use crate::tests::random;
use crate::{Options, Source, compile};

const MODEL: &str = "test_soc/later";

/// The made-up SoC with other metrics for one of its models.
fn with_metrics(metrics: &[(String, String)]) -> Source {
    let mut source = random::soc();
    let mut text = String::from(r#"[{"EventName":"ONE","EventCode":"1"}"#);
    for (name, formula) in metrics {
        let _ = write!(text, ",\n{{\"MetricName\":\"{name}\",\"MetricExpr\":\"{formula}\"}}");
    }
    text.push(']');
    let file = source.files.all.iter_mut().find(|file| file.path.ends_with("later/metrics.json"));
    file.expect("the made-up SoC has it").text = text;
    source
}

fn packed(source: &Source) -> Result<(String, Vec<u8>), String> {
    let compiled = compile(source, &Options::default());
    let compiled = compiled.map_err(|refused| refused.errors.to_string())?;
    Ok((compiled.strings, compiled.tables))
}

fn model((strings, tables): (String, Vec<u8>)) -> Model {
    let tree: &'static Tree = Box::leak(Box::new(Tree::new(strings.leak(), tables.leak())));
    tree.models().find(|model| model.name() == MODEL).expect("it has events")
}

/// Compiles it; gives its values or the faults.
fn values(source: &Source) -> Result<Vec<f64>, String> {
    Ok(model(packed(source)?).metrics().map(|metric| metric.evaluate(|_| 1.0)).collect())
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

/// Each name is reported once per formula, however often it occurs there.
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

/// The value of a metric to which 256 others refer, each of them to all of the
/// next row: each metric is evaluated once.
#[test]
fn woven_metrics() {
    let metrics: Vec<(String, String)> = (0..16 * 16)
        .map(|n| {
            let next: Vec<String> =
                (0..16).map(|m| format!("m{}", (n / 16 + 1) * 16 + m)).collect();
            (format!("m{n}"), if n / 16 == 15 { format!("e{n}") } else { next.join(" + ") })
        })
        .collect();
    let model = model(packed(&with_metrics(&metrics)).unwrap_or_else(|faults| panic!("{faults}")));
    let mut asked = 0;
    let value = model.metric("m0").expect("it is there").evaluate(|_| {
        asked += 1;
        1.0
    });
    assert_eq!((value, asked), (16f64.powi(15), 16));
}

/// Tables that this compiler did not write may have a chain of metrics that is
/// too long. Its head has no value; a metric near enough to its end has one,
/// even after it was too deep once.
#[test]
fn a_row_too_long() {
    let mut metrics = vec![("x".to_owned(), "1".to_owned())];
    metrics.push(("both".to_owned(), "max(c0, d0)".to_owned()));
    for n in 0..20 {
        let (c, d) = if n < 19 {
            (format!("1 + c{}", n + 1), format!("1 + d{}", n + 1))
        } else {
            ("1 + x".to_owned(), "ONE".to_owned())
        };
        metrics.extend([(format!("c{n}"), c), (format!("d{n}"), d)]);
    }
    let (strings, mut tables) =
        packed(&with_metrics(&metrics)).unwrap_or_else(|faults| panic!("{faults}"));
    // `x` becomes `d0`.
    let wire = Wire::read(&strings, &tables).expect("they are tables");
    let number = |name: &str| {
        let is_it = |n: &u32| wire.str(wire.metric_record(*n as usize).name) == name;
        (0..).find(is_it).expect("it is there")
    };
    let (x, d0) = (number("x"), number("d0"));
    let references = wire.section(Section::References);
    let size = ReferenceRecord::SIZE;
    let to_x = (0..references.len() / size)
        .find(|n| ReferenceRecord::read(references, n * size).first == x)
        .expect("c19 refers to it");
    let start = references.as_ptr() as usize - tables.as_ptr() as usize + to_x * size;
    let is_first = tables[start..start + 4] == x.to_le_bytes();
    assert!(is_first, "a record begins with its first number");
    tables[start..start + 4].copy_from_slice(&d0.to_le_bytes());

    let model = model((strings, tables));
    let value = |name: &str| model.metric(name).expect("it is there").evaluate(|_| 1.0);
    assert_eq!((value("d0"), value("c9")), (20.0, 31.0));
    assert!(value("c0").is_nan());
    assert_eq!(value("both"), 20.0);
}
