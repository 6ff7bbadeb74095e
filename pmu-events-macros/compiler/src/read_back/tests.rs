//! Reading back detects any wrong byte of the tables.

use std::collections::HashMap;

use pmu_events_core::__private::wire::{HEADER, SECTIONS, Section, Wire, read_u32};

use super::check;
use crate::faults::Faults;
use crate::files::{Files, Role};
use crate::mapfile::{self, cpus};
use crate::options::Options;
use crate::pack::Packed;
use crate::tests::random;
use crate::{assemble, formula, hierarchy, pack, validate};

/// Damages every `stride`th byte of the made-up SoC's tables; returns the
/// undetected ones, by section.
fn not_missed(stride: usize) -> Vec<Vec<usize>> {
    let mut files = random::soc().files;
    with_hidden_codes(&mut files);
    let options = Options::default();
    let mut faults = Faults::default();
    let rows = mapfile::read(&files, &mut faults);
    let cpus = cpus::read(&files, &mut faults);
    let tree = assemble::tree(&files, &[], &rows, &cpus, HashMap::new(), &options, &mut faults);
    let resolved = formula::resolve(tree, &files, &mut faults);
    let rule = options.rule(&files.arch);
    let patterns = validate::patterns(&resolved.tree, &files, rule, &mut faults);
    assert!(!faults.has_errors());
    let nodes = hierarchy::of_tables(&resolved);
    let mut packed = pack::pack(&resolved, &nodes, &patterns, options.text).unwrap();
    let is_fine =
        |packed: &Packed| check(&resolved, &nodes, &patterns, options.text, packed).is_ok();
    assert!(is_fine(&packed));
    let mut start = HEADER;
    let sections = (0..SECTIONS).map(|section| {
        let end = read_u32(&packed.tables, 8 + 4 * section) as usize;
        let bytes = (start..end).filter(|at| at % stride == 0);
        let not_missed = bytes.filter(|&at| {
            let byte = packed.tables[at];
            // Another place may have the same letter.
            let is_found = [1, 0x82, 0x14].into_iter().any(|bits| {
                packed.tables[at] = byte ^ bits;
                !is_fine(&packed)
            });
            packed.tables[at] = byte;
            !is_found
        });
        let not_missed = not_missed.map(|at| at - start).collect();
        start = end;
        not_missed
    });
    let sections = sections.collect();
    assert!(is_fine(&packed));
    spare(&packed, sections)
}

/// Adds events whose name hides the vendor's code: one that counts something else, and one
/// that counts the same.
fn with_hidden_codes(files: &mut Files) {
    const EVENTS: &str = r#"[
        {"EventName": "CPU_CLK_UNHALTED.REF", "EventCode": "0x3c", "UMask": "1", "Counter": "0,1"},
        {"EventName": "INST_RETIRED.ANY_P", "EventCode": "0xc0", "UMask": "1", "Counter": "0,1"},"#;
    let mut tables = files.all.iter_mut().filter(|file| matches!(file.role, Role::Table { .. }));
    let table = tables.find(|file| file.text.starts_with('[')).expect("there are events");
    table.text = format!("{EVENTS}{}", &table.text[1..]);
}

/// Drops bytes without meaning.
fn spare(packed: &Packed, mut sections: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let wire = Wire::read(&packed.strings, &packed.tables).unwrap();
    let mut spare = |section: Section, is_spare: &dyn Fn(usize) -> bool| {
        sections[section as usize].retain(|&at| !is_spare(at));
    };
    // Slots without a name, and buckets whose slots are such.
    let events = wire.event_count();
    spare(Section::Slots, &|at| wire.number(Section::Slots, at / wire.number_size()) >= events);
    let buckets = wire.section(Section::Buckets);
    spare(Section::Buckets, &|at| buckets[at] == 0);
    // Zeros after the last model's bits.
    let lists = wire.section(Section::Lists).len();
    spare(Section::Lists, &|at| at >= lists - 8);
    // The end of no text.
    spare(Section::Texts, &|at| at == 0);
    for (section, patterns) in [
        (Section::Cpuids, wire.cpuids()),
        (Section::Made, wire.made()),
        (Section::Fallbacks, wire.fallbacks()),
        (Section::Compats, wire.compats()),
    ] {
        let automaton = patterns.automaton();
        // Where nothing is matched, any list without numbers will do.
        let states = 0..automaton.states();
        let empty = states.filter(|&state| {
            let state = u16::try_from(state).unwrap();
            automaton.accepted(state).first().is_none()
        });
        let empty: Vec<usize> = empty.collect();
        let classes =
            1 + usize::from((0..=u8::MAX).map(|byte| automaton.class(byte)).max().unwrap());
        let accepts = 4 + 256 + 2 * automaton.states() * classes;
        // So is that list's own number, unless it leads to others.
        spare(section, &|at| {
            let state = at.checked_sub(accepts).map(|at| at / 4);
            state.is_some_and(|state| empty.contains(&state) || state == automaton.states())
        });
    }
    sections
}

#[test]
fn no_byte_may_be_wrong() {
    assert_eq!(not_missed(17), vec![Vec::<usize>::new(); SECTIONS]);
}

#[test]
#[ignore = "takes half a minute; .ci/run does it"]
fn no_byte_at_all_may_be_wrong() {
    assert_eq!(not_missed(1), vec![Vec::<usize>::new(); SECTIONS]);
}
