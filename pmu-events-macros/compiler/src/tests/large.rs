//! Trees with more events than two bytes can number.

use std::fmt::Write as _;

use pmu_events_core::__private::wire::{WIDE, read_u16};
use pmu_events_core::{Model, Tree};

use super::random;
use crate::compile;
use crate::options::{Options, Text};

const EVENTS: usize = 66_000;
const METRICS: usize = 200;
/// Each of them asked for twice.
const MANY: usize = 150;

/// Two models, of which one has the events, and other metrics of equal names.
fn tree() -> &'static Tree {
    let mut events = String::from("[");
    for n in 0..EVENTS {
        let _ = writeln!(events, r#"{{"EventName":"E{n}","EventCode":"{n:#x}"}},"#);
    }
    for n in 0..METRICS {
        let (group, next) = (n % 7, (n + 1) % METRICS);
        let _ = writeln!(
            events,
            r#"{{"MetricName":"m{n}","MetricExpr":"2 * E{n}","MetricGroup":"g{group}"}},
               {{"MetricName":"n{n}","MetricExpr":"m{n} + m{next}","MetricGroup":"sums"}},"#
        );
    }
    // Each twice.
    let sum: Vec<String> = (0..2 * MANY).map(|n| format!("m{}", n % MANY)).collect();
    let _ = writeln!(events, r#"{{"MetricName":"all","MetricExpr":"{}"}},"#, sum.join(" + "));
    events.push_str(r#"{"EventName":"LAST","EventCode":"1"}]"#);
    let mut others = String::from("[");
    for n in 0..METRICS {
        let _ = writeln!(
            others,
            r#"{{"MetricName":"m{n}","MetricExpr":"{n}"}},
               {{"MetricName":"n{n}","MetricExpr":"m{n} * 3","MetricGroup":"products"}},"#
        );
    }
    others.push_str(r#"{"EventName":"ONE","EventCode":"1"}]"#);

    let mut source = random::soc();
    for (path, text) in [("cpu/soc-metrics.json", events), ("later/metrics.json", others)] {
        let file = source.files.all.iter_mut().find(|file| file.path.ends_with(path));
        file.expect("the made-up SoC has it").text = text;
    }
    let options = Options { text: Text::None, ..Options::default() };
    // Compiling reads back every event and every step of every program.
    let compiled = compile(&source, &options);
    let packed = compiled.unwrap_or_else(|refused| panic!("{}", refused.errors));
    assert_ne!(read_u16(&packed.tables, 2) & WIDE, 0, "two bytes are not enough");
    Box::leak(Box::new(Tree::new(packed.strings.leak(), packed.tables.leak())))
}

fn value(name: &str) -> f64 {
    name.trim_start_matches('E').parse().unwrap_or(f64::NAN)
}

#[test]
fn look_ups_in_a_wide_tree() {
    let tree = tree();
    let model = |name: &str| -> Model {
        tree.models().find(|model| model.name() == name).expect("the made-up SoC has it")
    };
    let (cpu, later) = (model("test_soc/cpu"), model("test_soc/later"));
    assert!(cpu.event_count() > EVENTS);
    // Small numbers are written without 0x.
    for n in (100..EVENTS).step_by(997) {
        let event = cpu.event(&format!("e{n}")).expect("it is found in any letter case");
        assert_eq!(event.event_string(), format!("event={n:#x}"));
    }
    assert!(cpu.event(&format!("e{EVENTS}")).is_none() && later.event("e1").is_none());
    for n in 0..METRICS {
        let next = (n + 1) % METRICS;
        let of = |model: Model| {
            let metric = model.metric(&format!("n{n}")).expect("both have it");
            (metric.evaluate(|event| value(event.as_str())), metric.events().count())
        };
        assert_eq!(of(cpu), (2.0 * (n + next) as f64, 2), "n{n}");
        assert_eq!(of(later), (3.0 * n as f64, 0), "n{n}");
    }
    let all = cpu.metric("all").expect("the first has it");
    let mut asked = 0;
    let sum = all.evaluate(|event| {
        asked += 1;
        value(event.as_str())
    });
    assert_eq!(sum, (2 * MANY * (MANY - 1)) as f64);
    assert_eq!(asked, MANY, "each is worked out once");
    assert_eq!(all.events().count(), MANY);
    let groups = |model: Model| -> Vec<(&str, usize)> {
        let groups = model.metric_groups();
        let ours = |name: &str| name.len() == 2 || ["sums", "products"].contains(&name);
        let counted = groups.map(|group| (group.name(), group.metrics().count()));
        counted.filter(|(name, _)| ours(name)).collect()
    };
    let each = METRICS / 7;
    let of_cpu = groups(cpu);
    assert_eq!(of_cpu.first(), Some(&("g0", each + 1)));
    assert_eq!((of_cpu.len(), of_cpu.last()), (8, Some(&("sums", METRICS))));
    assert_eq!(groups(later), [("products", METRICS)]);
}
