//! Machines with several kinds of cores: each core PMU has the events of its
//! own CPUs.

use std::collections::BTreeSet;
use std::process::Command;

use pmu_events::arch::arm64;
use pmu_events::resolve::Resolved;
use pmu_events::{Model, System, host};

#[path = "machines/cores.rs"]
mod kinds;
#[allow(dead_code)]
mod machines;

use kinds::{A53, A72, A73, HIP08, Kind, UNKNOWN, machine};

fn system_of(machine: &machines::Machine) -> System {
    System::at(machine.root()).with_tree(&arm64::TREE)
}

/// PMU and config of all that is opened; empty where it is refused.
fn opened(text: &str, system: &System) -> Vec<(String, u64)> {
    let all = system.require(text);
    let pmu = |one: &Resolved| one.pmu().map_or("", |pmu| pmu.name()).to_owned();
    all.iter().flatten().map(|one| (pmu(one), one.words().config())).collect()
}

/// The same, as it is expected.
fn owned(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|&(pmu, config)| (pmu.to_owned(), config)).collect()
}

/// `PERF_CPUID` would stand for all cores: runs the test again without it.
/// Whether this has been done.
fn is_done_without_override(test: &str) -> bool {
    if std::env::var_os(host::OVERRIDE).is_none() {
        return false;
    }
    let program = std::env::current_exe().expect("the test knows its program");
    let mut again = Command::new(program);
    let status = again.args(["--exact", test]).env_remove(host::OVERRIDE).status();
    assert!(status.expect("the test runs").success(), "{test}");
    true
}

#[test]
fn each_core_pmu_has_its_own_events() {
    if is_done_without_override("each_core_pmu_has_its_own_events") {
        return;
    }
    let [a53, a72, a73] = [A53.0, A72.0, A73.0];
    let cases: &[(&str, &[(&str, u64)])] = &[
        ("ext_snoop", &[(a53, 0xc8)]),
        ("l1d_cache_refill_rd", &[(a72, 0x42)]),
        ("br_indirect_spec", &[(a53, 0x7a), (a72, 0x7a), (a73, 0x7a)]),
        ("armv8_cortex_a53/ext_snoop/", &[(a53, 0xc8)]),
        ("armv8_cortex_a72/ext_snoop/", &[]),
        ("armv8_cortex_a73/ext_snoop/", &[]),
        ("armv8_cortex_a72/l1d_cache_refill_rd/", &[(a72, 0x42)]),
        ("armv8_cortex_a53/l1d_cache_refill_rd/", &[]),
        ("armv8_*/ext_snoop/", &[(a53, 0xc8)]),
        ("etm_ext_out0", &[(a73, 0xde)]),
    ];
    let orders: &[&[Kind]] =
        &[&[A53, A72], &[A72, A53], &[A53, A72, A73], &[A73, A72, A53], &[A72, A73, A53]];
    for kinds in orders {
        let machine = machine(kinds, "");
        let system = system_of(&machine);
        for (text, expected) in cases {
            let is_here = |one: &&(&str, u64)| kinds.iter().any(|(pmu, _)| *pmu == one.0);
            let expected: Vec<_> = expected.iter().filter(is_here).copied().collect();
            assert_eq!(opened(text, &system), owned(&expected), "{kinds:?} {text}");
        }
        assert_eq!(system.model().unwrap_err().kind(), host::ErrorKind::SeveralModels);
        assert_eq!(system.models().len(), kinds.len());
    }
}

#[test]
fn cores_of_one_model_and_unknown_ones() {
    if is_done_without_override("cores_of_one_model_and_unknown_ones") {
        return;
    }
    let name = |model: Option<Model>| model.map(|model| model.name());
    // One kind of cores is the machine, and so are two of one model.
    for kinds in [&[A72][..], &[A72, ("armv8_cortex_a57", "0x00000000411fd073")]] {
        let machine = machine(kinds, "");
        let system = system_of(&machine);
        assert_eq!(name(system.model().ok()), Some("arm/cortex-a57-a72"));
        assert_eq!(opened("l1d_cache_refill_rd", &system).len(), kinds.len());
    }
    for kinds in [[A53, UNKNOWN], [UNKNOWN, A53]] {
        let machine = machine(&kinds, "");
        let system = system_of(&machine);
        assert_eq!(opened("ext_snoop", &system), owned(&[(A53.0, 0xc8)]));
        let of_unknown = system.model_of(system.sysfs().pmu(UNKNOWN.0).unwrap());
        // It has the events that its architecture names, with a note.
        assert_eq!(name(of_unknown), Some("architecture"));
        assert!(opened("l1d_cache_refill", &system).contains(&(UNKNOWN.0.into(), 0x3)));
        let notes = system.notes();
        let of: Vec<_> = notes.iter().map(|note| (note.cpuid(), note.model().name())).collect();
        assert_eq!(of, [(UNKNOWN.1, "architecture")]);
    }
    let machine = machine(&[UNKNOWN], "");
    let system = system_of(&machine);
    assert_eq!((name(system.model().ok()), system.trees().len()), (Some("architecture"), 1));
    // A model that is given is that of all.
    let machine = self::machine(&[A53, A72], "");
    let system = system_of(&machine);
    let given = arm64::model(A53.1).expect("the tree has it");
    let all = system.with_model(given).require("ext_snoop").unwrap();
    assert_eq!(all.events().len(), 2);
}

/// A PMU outside the cores has the events of the CPUs that read it.
#[test]
fn outside_the_cores() {
    if is_done_without_override("outside_the_cores") {
        return;
    }
    let ddrc = |cpu| format!("hisi_sccl1_ddrc0/type\t30\nhisi_sccl1_ddrc0/cpumask\t{cpu}\n");
    for (kinds, cpu, expected) in [
        (&[A53, HIP08][..], 2, 1),
        (&[A53, HIP08], 3, 1),
        (&[A53, HIP08], 0, 0),
        (&[A53, HIP08], 9, 0),
        (&[HIP08, A53], 0, 1),
        (&[HIP08], 1, 1),
    ] {
        let machine = machine(kinds, &ddrc(cpu));
        let system = system_of(&machine);
        let found = opened("flux_rd", &system);
        assert_eq!(found.len(), expected, "{kinds:?} {cpu}");
        let why = system.require("flux_rd").err().map(|error| error.to_string());
        let other = "event `flux_rd` is of CPUs other than those that read PMU `hisi_sccl1_ddrc0`";
        assert_eq!(why.as_deref(), (expected == 0).then_some(other), "{kinds:?} {cpu}");
    }
}

/// What is opened on one PMU of a machine is what a machine with that kind of
/// cores alone opens, of every event of every model of these.
#[test]
fn several_kinds_of_cores_are_as_many_machines() {
    if is_done_without_override("several_kinds_of_cores_are_as_many_machines") {
        return;
    }
    let models: Vec<(String, Model)> = ["0x00000000410fd0b1", "0x00000000c00fac30"]
        .into_iter()
        .chain([A53.1, A72.1, A73.1, HIP08.1])
        .map(|midr| (midr.into(), arm64::model(midr).expect("the tree has it")))
        .collect();
    let names: BTreeSet<&str> =
        models.iter().flat_map(|(_, model)| model.events()).map(|event| event.name()).collect();
    assert!(names.len() > 300, "{}", names.len());
    let alone: Vec<_> = models
        .iter()
        .map(|(midr, _)| {
            let midr: &'static str = midr.clone().leak();
            let machine = machine(&[("pmu", midr)], "");
            let system = system_of(&machine);
            let words = |name: &&str| {
                let all = system.require(name).ok()?;
                Some(
                    all.events()
                        .iter()
                        .map(|one| (one.words(), one.scale().to_bits()))
                        .collect::<Vec<_>>(),
                )
            };
            names.iter().map(words).collect::<Vec<_>>()
        })
        .collect();
    const PMUS: [&str; 3] = ["pmu_a", "pmu_b", "pmu_c"];
    for shift in 0..models.len() {
        let kinds: Vec<Kind> = PMUS
            .iter()
            .enumerate()
            .map(|(n, pmu)| (*pmu, &*models[(shift + n) % models.len()].0.clone().leak()))
            .collect();
        let machine = machine(&kinds, "");
        let system = system_of(&machine);
        for (number, name) in names.iter().enumerate() {
            let all = system.require(name);
            let all: Vec<&Resolved> = all.iter().flatten().collect();
            for (n, pmu) in PMUS.iter().enumerate() {
                let here = all.iter().filter(|one| one.pmu().is_some_and(|its| its.name() == *pmu));
                let here: Vec<_> = here.map(|one| (one.words(), one.scale().to_bits())).collect();
                let expected = &alone[(shift + n) % models.len()][number];
                assert_eq!(here, expected.clone().unwrap_or_default(), "{name} {kinds:?} {pmu}");
            }
        }
    }
}
