//! Trees that are as large as the format has room for, and trees that are
//! larger by one: the first compile and are looked up, the others are refused
//! with what there is too much of, and where.
//!
//! Left out are limits that take gigabytes of input: tables and names of more
//! than 4 GiB, and more than 16 million references to metrics.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use pmu_events_compiler::{Compiled, Options, Refused, Source, Unknown, compile};
use pmu_events_core::{Model, Tree};

/// Paths and texts.
type Files = Vec<(String, String)>;

struct Case {
    name: &'static str,
    /// How many there may be of what it has.
    most: usize,
    /// A tree of a given size.
    tree: fn(usize) -> Files,
    /// What one more is refused with: path, line and column where there is
    /// one, and message.
    refused: &'static str,
    /// Looks something up in the largest tree.
    look: fn(Model, usize),
}

const ROOT: &str = "arch/soc";

/// The directory of a tree that does not exist yet.
fn directory(name: &str, number: usize) -> PathBuf {
    let root =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits").join(format!("{name} {number}"));
    let _ = fs::remove_dir_all(&root);
    root
}

/// Writes the files that are not there already: a tree may have tens of thousands.
fn write(root: &Path, files: &Files, there: &Files) {
    let mut parent = PathBuf::new();
    let are_new = files.iter().enumerate().filter(|&(at, file)| there.get(at) != Some(file));
    for (_, (path, text)) in are_new {
        let path = root.join(path);
        let its = path.parent().expect("it is below the root");
        if its != parent {
            fs::create_dir_all(its).expect("it can be made");
            parent = its.to_owned();
        }
        fs::write(path, text).expect("it can be written");
    }
}

fn written(name: &str, number: usize, files: &Files) -> PathBuf {
    let root = directory(name, number);
    write(&root, files, &Files::new());
    root
}

fn compiled(name: &str, number: usize, files: &Files) -> Result<Compiled, Box<Refused>> {
    let root = written(name, number, files);
    let result = compiled_at(&root);
    fs::remove_dir_all(root).expect("it can be removed");
    result
}

fn compiled_at(root: &Path) -> Result<Compiled, Box<Refused>> {
    let mut options = Options::default();
    options.unknown = Unknown::Allow;
    compile(&Source::read(root, ROOT, &options), &options)
}

fn leaked(compiled: Compiled) -> &'static Tree {
    Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())))
}

fn check(cases: &[Case]) {
    let mut faults = Vec::new();
    for case in cases {
        let &Case { name, most, tree, refused, look } = case;
        let (largest, root) = (tree(most), directory(name, most));
        write(&root, &largest, &Files::new());
        match compiled_at(&root) {
            Ok(compiled) => {
                let tree = leaked(compiled);
                look(tree.model("acme").expect("the first row has it"), most);
            }
            Err(refused) => faults.push(format!("{name}: {}", refused.errors)),
        }
        // What is the same in both stays.
        write(&root, &tree(most + 1), &largest);
        match compiled_at(&root) {
            Ok(_) => faults.push(format!("{name}: {} compile", most + 1)),
            Err(found) => {
                let first = found.errors.faults()[0].to_string();
                let shown: String = first.chars().take(400).collect();
                if !first.starts_with(refused) {
                    faults.push(format!("{name}: {shown}"));
                }
            }
        }
        fs::remove_dir_all(root).expect("it can be removed");
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A map file that has a model for the CPU `acme`, and further rows.
fn map(model: &str, rows: impl Iterator<Item = String>) -> (String, String) {
    let mut text = format!("Family-model,Version,Filename,EventType\nacme,v1,{model},core\n");
    rows.for_each(|row| text.push_str(&row));
    ("mapfile.csv".to_owned(), text)
}

/// A model `core` with one file, of these objects.
fn objects(objects: impl Iterator<Item = String>) -> Files {
    let mut text = String::from("[\n");
    for (number, object) in objects.enumerate() {
        let _ = write!(text, "{}{{{object}}}", if number == 0 { "" } else { ",\n" });
    }
    text.push_str("\n]\n");
    vec![map("core", std::iter::empty()), ("core/all.json".to_owned(), text)]
}

fn object(text: String) -> Files {
    objects([r#""EventName":"E","EventCode":"1""#.to_owned(), text].into_iter())
}

/// An event with a text of some bytes.
fn event_with(key: &str, length: usize) -> Files {
    object(format!(
        r#""EventName":"F","EventCode":"2","BriefDescription":"It.","{key}":"{}""#,
        x(length)
    ))
}

/// A metric with a text of some bytes.
fn metric_with(key: &str, length: usize) -> Files {
    object(format!(r#""MetricName":"m","MetricExpr":"E","{key}":"{}""#, x(length)))
}

fn metric(expression: &str) -> Files {
    object(format!(r#""MetricName":"m","MetricExpr":"{expression}""#))
}

fn x(length: usize) -> String {
    "x".repeat(length)
}

fn value(model: Model, metric: &str) -> f64 {
    let metric = model.metric(metric).expect("it is there");
    metric.evaluate(|event| event.as_str().trim_start_matches(['E', 'e']).parse().unwrap_or(1.0))
}

const FIRST: &str = "arch/soc/core/all.json:3:";

#[test]
fn lengths() {
    let place = |text: &str| -> &'static str { format!("{FIRST}{text}").leak() };
    check(&[
        Case {
            name: "event name",
            most: 255,
            tree: |n| object(format!(r#""EventName":"{}","EventCode":"2""#, x(n))),
            refused: place("14: EventName is longer than 255 bytes: `xxx"),
            look: |model, n| {
                assert_eq!(model.event(&x(n)).expect("it is there").event_string(), "event=2");
                assert!(model.event(&x(n + 1)).is_none());
            },
        },
        Case {
            name: "event string",
            most: 255 - "event=2,".len(),
            tree: |n| event_with("Filter", n),
            refused: place("1: the event string is longer than 255 bytes"),
            look: |model, _| assert_eq!(model.require("F").event_string().len(), 255),
        },
        Case {
            name: "unit",
            most: 255 - "uncore_".len(),
            tree: |n| event_with("Unit", n),
            refused: place("66: Unit is longer than 255 bytes: `xxx"),
            look: |model, n| {
                let pmu = format!("uncore_{}", x(n));
                assert!(model.event_on(&pmu, "F").is_some() && model.event_on(&pmu, "E").is_none());
            },
        },
        Case {
            name: "scale and unit",
            most: 255,
            tree: |n| event_with("ScaleUnit", n),
            refused: place("71: ScaleUnit is longer than 255 bytes: `xxx"),
            look: |model, n| assert_eq!(model.require("F").scale_unit(), Some(&*x(n))),
        },
        Case {
            name: "compat",
            most: 255,
            tree: |n| event_with("Compat", n),
            refused: place("68: Compat is longer than 255 bytes: `xxx"),
            look: |model, n| assert_eq!(model.require("F").compat(), Some(&*x(n))),
        },
        Case {
            name: "errata",
            most: 255 - "  Spec update: ".len(),
            tree: |n| event_with("Errata", n),
            refused: place(
                "68: Errata makes what is added to the description longer than 255 bytes: `xxx",
            ),
            look: |model, n| assert_eq!(model.require("F").errata(), Some(&*x(n))),
        },
        Case {
            name: "metric name",
            most: 255,
            tree: |n| object(format!(r#""MetricName":"{}","MetricExpr":"E""#, x(n))),
            refused: place("15: MetricName is longer than 255 bytes: `xxx"),
            look: |model, n| assert_eq!(value(model, &x(n)), 1.0),
        },
        Case {
            name: "metric group",
            most: 255,
            tree: |n| metric_with("MetricGroup", n),
            refused: place("50: MetricGroup: a name is longer than 255 bytes: `xxx"),
            look: |model, n| {
                let group = model.metric_group(&x(n)).expect("it is there");
                assert_eq!(group.metrics().count(), 1);
            },
        },
        Case {
            name: "default group",
            most: 255,
            tree: |n| metric_with("DefaultMetricgroupName", n),
            refused: place("61: DefaultMetricgroupName is longer than 255 bytes: `xxx"),
            look: |model, _| assert_eq!(value(model, "m"), 1.0),
        },
        Case {
            name: "described group",
            most: 255,
            tree: |n| {
                let mut files = metric_with("MetricGroup", 3);
                let text = format!("{{\"{}\": \"Some.\"}}", x(n));
                files.push(("core/metricgroups.json".to_owned(), text));
                files
            },
            refused: "arch/soc/core/metricgroups.json:1:2: the name of a metric group is longer than 255 bytes: `xxx",
            look: |model, _| assert!(model.metric_group("xxx").is_some()),
        },
        Case {
            name: "model",
            most: 255,
            tree: |n| {
                let name = format!("{}/{}", x(150), x(n - 151));
                let text = r#"[{"EventName":"E","EventCode":"1"}]"#;
                vec![map(&name, std::iter::empty()), (format!("{name}/all.json"), text.to_owned())]
            },
            refused: format!(
                "{ROOT}/{}/{}: the name of the model is longer than 255 bytes",
                x(150),
                x(105)
            )
            .leak(),
            look: |model, n| {
                assert_eq!(model.name().len(), n);
                assert!(model.event("e").is_some());
            },
        },
    ]);
}

#[test]
fn formulas() {
    check(&[
        Case {
            name: "identifiers",
            most: 255,
            tree: |n| metric(&sum(n, "E")),
            refused: "arch/soc/core/all.json:3:32: MetricExpr: it has more than 255 identifiers",
            look: |model, n| assert_eq!(value(model, "m"), (n * (n - 1) / 2) as f64),
        },
        Case {
            name: "steps",
            most: 10_923,
            // Of n events and n - 1 operators.
            tree: |n| metric(&vec!["E"; n].join(" + ")),
            refused: "arch/soc/core/all.json:3:32: MetricExpr: it has more than 21845 numbers, identifiers and operators",
            look: |model, n| assert_eq!(value(model, "m"), n as f64),
        },
        Case {
            name: "parentheses",
            most: 64,
            tree: |n| metric(&format!("{}E{}", "(".repeat(n), ")".repeat(n))),
            refused: "arch/soc/core/all.json:3:97: MetricExpr: nested more than 64 deep, in `(((",
            look: |model, _| assert_eq!(value(model, "m"), 1.0),
        },
        Case {
            name: "metrics that refer to each other",
            most: 33,
            tree: |n| {
                objects((0..n).map(|i| match i {
                    0 => r#""MetricName":"m0","MetricExpr":"7""#.to_owned(),
                    i => format!(r#""MetricName":"m{i}","MetricExpr":"m{} + 1""#, i - 1),
                }))
            },
            refused: "arch/soc/core/all.json:35:35: metrics refer to each other more than 32 deep",
            look: |model, n| assert_eq!(value(model, &format!("m{}", n - 1)), (6 + n) as f64),
        },
        Case {
            name: "metrics of a metric",
            most: 256,
            tree: |n| through(n),
            refused: "arch/soc/core/all.json:2:34: MetricExpr: it refers to more than 256 metrics, through others",
            look: |model, n| {
                assert_eq!(model.metric("top").expect("it is there").events().count(), n - 2)
            },
        },
        Case {
            name: "events of a metric",
            most: 512,
            tree: |n| events_through(n),
            refused: "arch/soc/core/all.json:2:34: MetricExpr: it needs more than 512 events, through other metrics",
            look: |model, n| {
                assert_eq!(model.metric("top").expect("it is there").events().count(), n)
            },
        },
    ]);
}

fn sum(n: usize, name: &str) -> String {
    (0..n).map(|n| format!("{name}{n}")).collect::<Vec<_>>().join(" + ")
}

/// A metric of two that together refer to the rest of n metrics, one event each.
fn through(n: usize) -> Files {
    let names = |range: std::ops::Range<usize>| {
        range.map(|n| format!("m{n}")).collect::<Vec<_>>().join(" + ")
    };
    let top = [
        r#""MetricName":"top","MetricExpr":"left + right""#.to_owned(),
        format!(r#""MetricName":"left","MetricExpr":"{}""#, names(0..128)),
        format!(r#""MetricName":"right","MetricExpr":"{}""#, names(128..n - 2)),
    ];
    let rest = (0..n - 2).map(|n| {
        format!(r#""EventName":"E{n}","EventCode":"{n}","MetricName":"m{n}","MetricExpr":"E{n}""#)
    });
    objects(top.into_iter().chain(rest))
}

/// A metric of three that together need n events.
fn events_through(n: usize) -> Files {
    let names = |range: std::ops::Range<usize>| {
        range.map(|n| format!("E{n}")).collect::<Vec<_>>().join(" + ")
    };
    let top = [
        r#""MetricName":"top","MetricExpr":"a + b + c""#.to_owned(),
        format!(r#""MetricName":"a","MetricExpr":"{}""#, names(0..200)),
        format!(r#""MetricName":"b","MetricExpr":"{}""#, names(200..400)),
        format!(r#""MetricName":"c","MetricExpr":"{}""#, names(400..n)),
    ];
    let rest = (0..n).map(|n| format!(r#""EventName":"E{n}","EventCode":"{n}""#));
    objects(top.into_iter().chain(rest))
}

fn row(pattern: &str) -> Files {
    let row = format!("{pattern},v1,core,core\n");
    let mut files = object(r#""EventName":"F","EventCode":"2""#.to_owned());
    files[0] = map("core", std::iter::once(row));
    files
}

#[test]
fn patterns() {
    check(&[
        Case {
            name: "repetitions",
            most: 255,
            tree: |n| row(&format!("a[xy]{{{n}}}")),
            refused: "arch/soc/mapfile.csv:3:6: bad pattern `a[xy]{256}`: invalid repetition; write {2}, {2,} or {2,4}, of at most 255",
            look: |model, n| {
                assert!(model.tree().model(&format!("a{}", x(n))).is_some());
                assert!(model.tree().model(&format!("a{}", x(n - 1))).is_none());
            },
        },
        Case {
            name: "nested parentheses",
            most: 64,
            tree: |n| row(&format!("{}[ab]{}", "(".repeat(n), ")".repeat(n))),
            refused: "arch/soc/mapfile.csv:3:65: bad pattern `((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((…`: parentheses are nested too deeply",
            look: |model, _| assert!(model.tree().model("b").is_some()),
        },
    ]);
}

/// Trees of tens of thousands of what the format numbers in two bytes.
#[test]
#[ignore = "takes long unless optimised"]
fn numbers_of_two_bytes() {
    check(&[
        Case {
            name: "PMUs",
            most: 1 << 16,
            // One is the core PMU.
            tree: |n| {
                objects((0..n).map(|n| match n {
                    0 => r#""EventName":"E","EventCode":"1""#.to_owned(),
                    n => format!(r#""EventName":"E","EventCode":"{n}","Unit":"u{n}""#),
                }))
            },
            refused: "arch/soc: too large: there are more than 65536 PMUs; the options",
            look: |model, n| {
                assert_eq!(model.pmus().count(), n);
                for n in (10..n).step_by(997).chain([n - 1]) {
                    let event = model.event_on(&format!("uncore_u{n}"), "e").expect("it is there");
                    assert_eq!(event.event_string(), format!("event={n:#x}"));
                }
            },
        },
        Case {
            name: "topics",
            most: 1 << 16,
            tree: |n| {
                let file = |n| {
                    let event = format!(r#"[{{"EventName":"E{n}","EventCode":"{n}"}}]"#);
                    (format!("core/t{n}.json"), event)
                };
                let map = map("core", std::iter::empty());
                std::iter::once(map).chain((0..n).map(file)).collect()
            },
            refused: "arch/soc: too large: there are more than 65536 topics; the options",
            look: |model, n| {
                for n in (0..n).step_by(997).chain([n - 1]) {
                    assert_eq!(model.require(&format!("E{n}")).topic(), format!("t{n}"));
                }
            },
        },
        Case {
            name: "kinds of traits",
            most: 1 << 16,
            tree: |n| {
                objects(
                    (0..n)
                        .map(|n| format!(r#""EventName":"E{n}","EventCode":"1","Errata":"A{n}""#)),
                )
            },
            refused: "arch/soc: too large: events differ in more than 65536 kinds of traits; the",
            look: |model, n| {
                for n in (0..n).step_by(997).chain([n - 1]) {
                    let event = model.require(&format!("E{n}"));
                    assert_eq!(event.errata(), Some(&*format!("A{n}")));
                }
            },
        },
        Case {
            name: "values of Compat",
            most: (1 << 16) - 1,
            tree: |n| {
                objects(
                    (0..n)
                        .map(|n| format!(r#""EventName":"E{n}","EventCode":"1","Compat":"c{n}""#)),
                )
            },
            refused: "arch/soc: too large: there are more than 65535 different values of Compat; the",
            look: |model, n| {
                for n in (0..n).step_by(997).chain([n - 1]) {
                    let event = model.require(&format!("E{n}"));
                    assert_eq!(event.compat(), Some(&*format!("c{n}")));
                }
            },
        },
        Case {
            name: "formulas",
            most: (1 << 16) - 1,
            tree: |n| {
                objects((0..n).map(|n| format!(r#""MetricName":"m{n}","MetricExpr":"x + {n}""#)))
            },
            refused: "arch/soc: too large: there are more than 65535 different formulas; the",
            look: |model, n| {
                for n in (0..n).step_by(997).chain([n - 1]) {
                    assert_eq!(value(model, &format!("m{n}")), (n + 1) as f64);
                }
            },
        },
        Case {
            name: "numbers of formulas",
            most: 1 << 16,
            tree: |n| {
                objects((0..n.div_ceil(2)).map(|i| {
                    let (a, b) = (2 * i, (2 * i + 1).min(n - 1));
                    format!(r#""MetricName":"m{i}","MetricExpr":"x * {a} + {b}""#)
                }))
            },
            refused: "arch/soc: too large: formulas have more than 65536 different numbers; the",
            look: |model, n| {
                for i in (0..n / 2).step_by(997).chain([n / 2 - 1]) {
                    assert_eq!(value(model, &format!("m{i}")), (4 * i + 1) as f64);
                }
            },
        },
        Case {
            name: "models",
            most: 1 << 16,
            tree: |n| {
                let rows = (1..n).map(|n| format!("cpu-{n},v1,m{n},core\n"));
                let file = |n| {
                    let event = format!(r#"[{{"EventName":"E","EventCode":"{n}"}}]"#);
                    (format!("m{n}/all.json"), event)
                };
                std::iter::once(map("m0", rows)).chain((0..n).map(file)).collect()
            },
            refused: "arch/soc: too large: there are more than 65536 models; the options",
            look: |model, n| {
                for n in (1..n).step_by(997).chain([n - 1]) {
                    let found = model.tree().model(&format!("cpu-{n}")).expect("it has a row");
                    assert_eq!(found.name(), format!("m{n}"));
                }
            },
        },
    ]);
}

/// Where numbers of two bytes end, numbers of four begin.
#[test]
#[ignore = "takes long unless optimised"]
fn events_groups_and_rows_have_no_limit() {
    for most in [65_534, 65_535, 65_536, 65_537] {
        let mut files = objects((0..most).map(|n| {
            format!(
                r#""EventName":"E{n}","EventCode":"{n}","MetricName":"m{n}","MetricExpr":"x","MetricGroup":"g{n}""#
            )
        }));
        files[0] = map("core", (0..most).map(|n| format!("cpu-{n},v1,core,core\n")));
        let compiled = compiled("wide", most, &files);
        let tree = leaked(compiled.unwrap_or_else(|refused| panic!("{}", refused.errors)));
        for n in (0..most).step_by(997).chain([most - 1]) {
            let model = tree.model(&format!("cpu-{n}")).expect("it has a row");
            assert!(model.event(&format!("e{n}")).is_some(), "{n} of {most}");
            let group = model.metric_group(&format!("g{n}")).expect("it is there");
            let metrics: Vec<_> = group.metrics().map(|metric| metric.name()).collect();
            assert_eq!(metrics, [format!("m{n}")]);
        }
        assert!(tree.model(&format!("cpu-{most}")).is_none());
        let model = tree.models().next().expect("there is one");
        assert!(model.event(&format!("e{most}")).is_none());
    }
}

/// The largest tree that compiles, where that depends on how well it packs:
/// halved between one that does and one that does not.
fn largest(
    name: &str,
    mut fine: usize,
    mut many: usize,
    tree: fn(usize) -> Files,
    limit: &str,
) -> (&'static Tree, usize) {
    let mut largest = None;
    while many - fine > 1 {
        let middle = fine + (many - fine) / 2;
        match compiled(name, middle, &tree(middle)) {
            Ok(compiled) => (fine, largest) = (middle, Some(compiled)),
            Err(refused) => {
                let found = refused.errors.faults()[0].to_string();
                assert!(found.starts_with(limit), "{name}: {found}");
                many = middle;
            }
        }
    }
    (leaked(largest.expect("one of them compiles")), fine)
}

#[test]
#[ignore = "takes long unless optimised"]
fn sixteen_mebibytes() {
    let event = |n: usize| format!("E{n:06}{}", x(243));
    let tree = |n: usize| {
        objects((0..n).map(|n| format!(r#""EventName":"E{n:06}{}","EventCode":"1""#, x(243))))
    };
    let limit = "arch/soc: too large: names and event strings take more than 16 MiB; the";
    let (names, n) = largest("names", 67_000, 67_200, tree, limit);
    let model = names.model("acme").expect("it has a row");
    for n in (0..n).step_by(997).chain([n - 1]) {
        assert_eq!(model.require(&event(n)).name(), event(n));
    }

    let text = |n: usize| {
        let words = (0..20_000).map(|i| format!("w{}", (n * 7919 + i * i) % 1009));
        words.collect::<Vec<_>>().join(" ") + "."
    };
    fn texts(n: usize) -> Files {
        objects((0..n).map(|n| {
            let words = (0..20_000).map(|i| format!("w{}", (n * 7919 + i * i) % 1009));
            let text = words.collect::<Vec<_>>().join(" ");
            format!(r#""EventName":"E{n}","EventCode":"1","BriefDescription":"{text}.""#)
        }))
    }
    let limit = "arch/soc: too large: descriptions take more than 16 MiB when packed; the";
    let (described, n) = largest("texts", 300, 800, texts, limit);
    let model = described.model("acme").expect("it has a row");
    for n in (0..n).step_by(97).chain([n - 1]) {
        let found = model.require(&format!("E{n}")).description().map(|text| text.to_string());
        assert_eq!(found.unwrap_or_default().trim_end_matches('.'), text(n).trim_end_matches('.'));
    }
}

#[test]
fn a_file_of_more_than_four_gibibytes() {
    let mut files = object(r#""EventName":"F","EventCode":"2""#.to_owned());
    files.push(("core/sparse.json".to_owned(), String::new()));
    let root = written("file", 0, &files);
    let sparse = fs::File::options().write(true).open(root.join("core/sparse.json"));
    sparse.and_then(|file| file.set_len(1 << 32)).expect("a sparse file takes no room");
    let options = Options::default();
    let refused =
        compile(&Source::read(&root, ROOT, &options), &options).expect_err("it is larger");
    assert_eq!(refused.errors.to_string(), "arch/soc/core/sparse.json: is larger than 4 GiB");
    fs::remove_dir_all(root).expect("it can be removed");
}
