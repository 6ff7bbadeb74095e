//! Trees damaged at random: no stage may panic, and trees that still compile
//! must read back; and packed tables damaged at random: no look-up may panic.

use std::path::PathBuf;

use pmu_events_core::__private::wire::Wire;

use crate::options::{Options, Text};
use crate::{Source, compile};

/// The made-up SoC, which has every key and rule.
pub(crate) fn soc() -> Source {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/made-up");
    let source = Source::read(&root, "arch/test", &Options::default());
    assert!(!source.faults.has_errors(), "{:?}", source.faults);
    source
}

/// A small generator (xorshift64*): the same damage on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn of(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }
}

fn compiled(source: &Source, options: &Options) -> Result<(String, Vec<u8>), String> {
    let compiled = compile(source, options).map_err(|refused| refused.errors.to_string())?;
    Ok((compiled.strings, compiled.tables))
}

#[test]
fn damaged_trees_are_refused_or_read_back() {
    // What turns one grammar's text into another's fault.
    const INSERTS: &[&str] = &[
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\\",
        "\n",
        "0x",
        "-1",
        "(",
        ")",
        "*",
        "|",
        "#",
        "\u{feff}",
        "\u{e4}",
        "\\ud800",
        "null",
        "1e999",
        "\"EventName\": \"x\",",
        "if",
        "99999999999",
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut refused, mut fine) = (0, 0);
    for _ in 0..300 {
        let mut source = soc();
        for _ in 0..=random.below(3) {
            let file = random.below(source.files.all.len());
            let text = &mut source.files.all[file].text;
            let mut at = random.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match random.below(3) {
                0 => text.truncate(at),
                1 => text.insert_str(at, INSERTS[random.below(INSERTS.len())]),
                _ => drop(
                    text[at..]
                        .chars()
                        .next()
                        .map(|c| text.replace_range(at..at + c.len_utf8(), "")),
                ),
            }
        }
        // Compiling reads back all that it packs.
        match compiled(&source, &Options::default()) {
            Ok(_) => fine += 1,
            Err(message) => {
                assert!(!message.contains("fault of pmu-events"), "{message}");
                assert!(message.contains("arch/test"), "{message}");
                refused += 1;
            }
        }
    }
    assert!(refused > 50 && fine > 20, "{refused} refused, {fine} fine: the damage tests nothing");
}

#[test]
fn damaged_tables_do_not_panic() {
    let (strings, tables) = compiled(&soc(), &Options::default()).unwrap();
    let mut random = Random(42);
    let mut read = 0;
    for _ in 0..400 {
        let mut tables = tables.clone();
        for _ in 0..=random.below(8) {
            let at = random.below(tables.len());
            // Numbers that are too large by far, too.
            let value =
                if random.below(2) == 0 { 0xff } else { random.below(256).to_le_bytes()[0] };
            let end = tables.len().min(at + 1 + random.below(4));
            tables[at..end].fill(value);
        }
        if random.below(4) == 0 {
            tables.truncate(random.below(tables.len()));
        }
        if Wire::read(&strings, &tables).is_none() {
            continue;
        }
        read += 1;
        // A tree is static; a few hundred small ones may leak in a test.
        let strings: &'static str = strings.clone().leak();
        let tree: &'static _ =
            Box::leak(Box::new(pmu_events_core::Tree::new(strings, tables.leak())));
        visit(tree);
    }
    assert!(read > 100, "only {read} damaged tables had a header: the damage tests nothing");
}

/// Calls every query, within bounds: damaged counts may claim millions of
/// events.
fn visit(tree: &'static pmu_events_core::Tree) {
    const MOST: usize = 300;
    for model in tree.models().chain(tree.sys_tables()).take(20) {
        let _ = (model.event("inst_retired.any"), model.metric("ipc"), model.name());
        assert!(model.event_count() <= tree.size() && model.metrics().len() <= tree.size());
        for pmu in model.pmus().take(MOST) {
            let _ = (pmu.name(), pmu.general_counters(), pmu.events().take(3).count());
            let _ = model.event_on(pmu.name(), "inst_retired.any");
        }
        for event in model.events().take(MOST) {
            let _ = format!("{event:?} {:?} {:?}", event.counters(), event.msr());
            let _ = (event.topic(), event.sample_after(), event.retirement_latency());
            let texts = [event.description(), event.long_description()].into_iter().flatten();
            // A damaged text may lead into others, but it ends.
            let _ = texts.map(|text| text.pieces().take(10_000).count()).sum::<usize>();
        }
        for metric in model.metrics().take(MOST) {
            let _ = format!("{metric:?} {:?} {:?}", metric.groups().count(), metric.constraint());
            let _ = metric.evaluate(|event| event.as_str().len() as f64);
            let _ = (metric.is_crossed(|_| 1.0), metric.scale());
            let operands = metric.events().chain(metric.threshold_events());
            for operand in operands.chain(metric.latencies()) {
                let _ = operand.with_parameter(1).to_string();
            }
        }
        for group in model.metric_groups().take(MOST) {
            let _ = (group.name(), group.description(), group.metrics().take(MOST).count());
        }
    }
    for group in tree.groups().take(MOST) {
        let _ = tree.group_description(group);
    }
    let matching = tree.cpuids().matching("testcpu");
    let _ = (matching.first(), matching.contains(1), tree.model("testcpu"));
    let _ = tree.sys_events("sys_cmn_pmu", "43401").take(MOST).count();
}

#[test]
fn every_level_of_text_reads_back() {
    let sizes: Vec<usize> = [Text::None, Text::Brief, Text::Full]
        .into_iter()
        .map(|text| {
            let (strings, tables) =
                compiled(&soc(), &Options { text, ..Options::default() }).unwrap();
            strings.len() + tables.len()
        })
        .collect();
    assert!(sizes.is_sorted(), "{sizes:?}");
}

#[test]
fn packing_is_deterministic() {
    let first = compiled(&soc(), &Options::default()).unwrap();
    for _ in 0..3 {
        assert_eq!(compiled(&soc(), &Options::default()).unwrap(), first);
    }
}
