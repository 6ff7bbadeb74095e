//! What perf loses of the events of x86, and the evidence for it.

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use pmu_events_import::origin;
use pmu_events_import::problem::Problems;
use pmu_events_import::repairs::{self, Kind, Repair, Verdict};

use super::*;

static REPAIRS: LazyLock<Vec<Repair>> =
    LazyLock::new(|| repairs::of_compiled(bundled("x86").compiled));

/// The pages of what perf gets wrong say what the tree has.
#[test]
fn the_lists_of_repairs_are_current() {
    let (out, overlay) = (root().join("arch"), root().join("overlay"));
    let mut problems = Problems::default();
    let publications = origin::publications(&overlay, &mut problems);
    let files = repairs::files_of(&REPAIRS, &out, &EVIDENCE, &publications);
    assert!(messages(&problems).is_empty(), "{:#?}", messages(&problems));
    let files = files.expect("they can be made");
    assert_eq!(files.len(), 2);
    for (path, text) in files {
        let present = fs::read_to_string(&path).expect("it can be read");
        assert!(present == text, "run `cargo run -p pmu-events-import`: {}", path.display());
        assert!(text.len() < 200_000, "{}: {} bytes", path.display(), text.len());
    }
}

/// The evidence agrees with the repairs, and with the numbers in `UPSTREAM.md` that are
/// written by hand.
#[test]
fn repairs_have_their_evidence() {
    let repairs: &[Repair] = &REPAIRS;
    let of = |kind: Kind| repairs.iter().filter(move |repair| repair.kind == kind);

    // libpfm4 has bit 21 where the source has `ExtSel`.
    let as_libpfm4 = |repair: &Repair| {
        let number = |name| repair.event.terms().last_named(name).and_then(|term| term.number());
        let code = number("event").unwrap_or_default();
        (code & 0xff) | (number("umask").unwrap_or_default() << 8) | (code >> 8 << 21)
    };
    let others: Vec<_> = of(Kind::ExtSel)
        .filter(|repair| EVIDENCE.libpfm4(repair).is_some_and(|code| code != as_libpfm4(repair)))
        .map(|repair| (repair.model, repair.event.name()))
        .collect();
    assert_eq!(others, [("jaketown", "UNC_Q_CTO_COUNT")]);
    let known = of(Kind::ExtSel).filter(|repair| EVIDENCE.libpfm4(repair).is_some()).count();
    assert_eq!(EVIDENCE.libpfm4_count(), known, "an event is gone: tests/evidence/libpfm4 --write");

    let (mut counted, mut fitting) = (0, 0);
    for repair in repairs.iter().filter(|repair| repair.kind != Kind::Precise) {
        assert_ne!(repair.wanted(), repair.now(), "{}: {}", repair.model, repair.event.name());
        assert!(repair.fits.is_some(), "{}: no formats of {}", repair.model, repair.event.pmu());
        counted += 1;
        fitting += usize::from(repair.fits == Some(true));
    }
    let upstream = fs::read_to_string(root().join("UPSTREAM.md")).expect("it can be read");
    let said = [
        format!("{} events count something else\n\n- Now: `UMaskExt`", of(Kind::UMaskExt).count()),
        format!("{} events count something else\n\n- Now: `ExtSel`", of(Kind::ExtSel).count()),
        format!("{} events of Knights Landing", of(Kind::Register).count()),
        format!("as that of the first: {} events", of(Kind::Filter).count()),
        format!("Of the {}, libpfm4 has {known} by the same name", of(Kind::ExtSel).count()),
        format!("Of {counted} events, {fitting} can be written"),
    ];
    for said in said {
        assert!(upstream.contains(&said), "UPSTREAM.md should say `{said}`");
    }
}

/// What is said of a repaired event names just the versions that have it wrong, and none
/// that has it right or lacks it.
#[test]
fn versions_of_repaired_events() {
    let repairs: &[Repair] = &REPAIRS;
    let mut named = [0; repairs::VERSIONS.len()];
    for repair in repairs {
        let Repair { kind, model, event, .. } = repair;
        let differs = event.perf_differs().expect("it is repaired");
        // Of two mistakes, the one that changes what is counted is told.
        if *kind == Kind::Precise && differs.changes_count() {
            continue;
        }
        let recorded = EVIDENCE.of(repair);
        let recorded = recorded.unwrap_or_else(|| panic!("{model}: {}", event.name()));
        let told = differs.versions();
        for (n, version) in repairs::VERSIONS.iter().enumerate() {
            let is_named = told.split([' ', ',']).any(|word| word == *version);
            let is_wrong = recorded.trees[n] == Verdict::Wrong;
            assert_eq!(is_named, is_wrong, "{model}: {}: {told}; {recorded:?}", event.name());
            named[n] += usize::from(is_named);
        }
    }
    assert!(named.iter().all(|count| *count > 100), "{named:?}");
}

/// Several events with one encoding count the same, whatever their names.
#[test]
fn repaired_events_that_count_the_same() {
    let repairs: &[Repair] = &REPAIRS;
    let mut encodings: BTreeMap<[&str; 3], Vec<&Repair>> = BTreeMap::new();
    for repair in repairs {
        let event = repair.event;
        if repair.kind != Kind::Precise && !event.is_deprecated() {
            let encoding = [repair.model, event.pmu(), event.event_string()];
            encodings.entry(encoding).or_default().push(repair);
        }
    }
    let is_shared = |repair: &Repair| {
        let evidence = repair.event.perf_differs().and_then(|differs| differs.evidence());
        evidence.is_some_and(|evidence| evidence.is_shared())
    };
    let mut shared = 0;
    for (encoding, repairs) in encodings {
        let marked: Vec<_> = repairs.iter().filter(|repair| is_shared(repair)).collect();
        shared += marked.len();
        assert!(marked.len() != 1, "{encoding:?}");
        // Two are names of one thing; a whole group is not.
        let others = repairs.iter().filter(|repair| !is_shared(repair)).count();
        assert!(others <= 2, "{encoding:?}: {others} count the same");
    }
    assert_eq!(shared, 32);
}
