//! The trees that come with the crate: as modules behind features, and as
//! selections that a crate compiles for itself.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;
use std::hash::Hash;

use pmu_events::arch::x86;
use pmu_events::{Event, Model, arch, cpuid};

mod selection {
    pmu_events::pmu_events!(builtin "x86", models = ["skylake*"], text = none, metrics = false);
}

/// A library that passes the macro on to its own users.
mod framework {
    pub(crate) use pmu_events as events;
}

mod through_another_path {
    pmu_events::pmu_events!(
        builtin "x86",
        models = ["amdzen5"],
        events = ["ex_ret_*"],
        crate = crate::framework::events,
    );
}

/// Names are looked up in tables that another crate has compiled.
const INST: Event = arch::x86::SILVERMONT.require("INST_RETIRED.ANY");
const CODE: u64 = arch::arm64::ARM_NEOVERSE_N1
    .require("l1d_cache_refill")
    .require_words(pmu_events::builtin::ARMV8_PMUV3)
    .config();

#[test]
fn names_in_const() {
    assert_eq!(INST.event_string(), "event=0xc0,period=2000003");
    assert_eq!(CODE, 3);
}

#[test]
fn every_tree_is_there() {
    let names: Vec<_> = arch::TREES.iter().map(|&(name, _)| name).collect();
    assert_eq!(names, ["arm64", "common", "nds32", "powerpc", "riscv", "s390", "x86"]);
    for (name, tree) in arch::TREES {
        assert!(tree.models().next().is_some(), "{name}");
        assert!(pmu_events_arch::tree(name).is_some(), "{name}");
    }
}

/// perf shows two levels of the top-down tree by itself where all cores count them in one
/// register, and one level of both kinds of hybrid cores.
#[test]
fn metrics_that_are_shown_by_default() {
    let second = |model: Model| {
        let by_default = model.metrics().filter(|metric| metric.is_in("Default"));
        by_default.filter(|metric| metric.is_in("TopdownL2")).count()
    };
    let models = arch::x86::TREE.models().filter(|model| second(*model) > 0);
    let models: Vec<_> = models.map(|model| (model.name(), second(model))).collect();
    assert_eq!(models, [("emeraldrapids", 8), ("graniterapids", 8), ("sapphirerapids", 8)]);
    let first = |name: &str| {
        let model = arch::x86::TREE.model_named(name).unwrap();
        let first = model.metrics().filter(|metric| metric.is_in("TopdownL1"));
        first.filter(|metric| metric.is_in("Default")).map(|metric| metric.pmu()).collect()
    };
    for name in ["alderlake", "arrowlake", "lunarlake", "meteorlake"] {
        let pmus: Vec<_> = first(name);
        assert_eq!(pmus.len(), 8, "{name}: {pmus:?}");
    }
}

/// What perfmon calls the domain of a count is a unit, and no group.
#[test]
fn no_group_is_a_unit() {
    let groups = arch::x86::TREE.models().flat_map(|model| model.metric_groups());
    let units = ["Clocks", "GB/sec", "Metric", "Slots", "Uops", "Inst_Metric", "System_Metric"];
    let found: BTreeSet<_> = groups.map(|group| group.name()).collect();
    let found: Vec<_> = found.into_iter().filter(|name| units.contains(name)).collect();
    assert_eq!(found, [""; 0]);
}

#[test]
fn models_of_every_architecture() {
    let cases = [
        ("GenuineIntel-6-8F-4", Some("sapphirerapids")),
        ("AuthenticAMD-26-68-0", Some("amdzen5")),
        ("0x00000000410fd0c0", Some("arm/neoverse-n1")),
        ("0x004e1200", Some("power9")),
        ("0x489-0x8000000000000007-0x0", Some("sifive/bullet")),
        ("IBM,3931,704,A01,3.7,002f", Some("cf_z16")),
        ("GenuineIntel-15-0", None),
        ("", None),
    ];
    for (cpuid, expected) in cases {
        assert_eq!(arch::model(cpuid).map(|model| model.name()), expected, "{cpuid}");
    }
}

/// Each name is of a CPU that has a table, and none is another table's.
#[test]
fn names_of_cpus() {
    let models = || arch::TREES.iter().flat_map(|(_, tree)| tree.models());
    let mut seen = BTreeSet::new();
    for (name, cpuid) in cpuid::names() {
        assert!(seen.insert(name), "{name} is there twice");
        assert_eq!(name, name.to_lowercase());
        assert_eq!(cpuid::of_name(&name.to_uppercase()), Some(cpuid), "{name}");
        let model = arch::model(cpuid).unwrap_or_else(|| panic!("{name}: no table of {cpuid}"));
        let is_other = |other: &Model| other.name().rsplit('/').next() == Some(name);
        assert!(!models().any(|other| is_other(&other)), "{name} is a directory");
        assert_eq!(model.tree().model_named(name), Some(model), "{name}");
    }
    for (name, expected) in [
        ("neoverse-v2", "arm/neoverse-n2-v2"),
        ("neoverse-e1", "arm/cortex-a65-e1"),
        ("cooperlake", "cascadelakex"),
        ("skylake-x", "skylakex"),
        ("cometlake", "skylake"),
        ("arrowlake-u", "meteorlake"),
        ("cherrytrail", "silvermont"),
        ("rome", "amdzen2"),
        ("bergamo", "amdzen4"),
        ("power8nvl", "power8"),
        ("z114", "cf_z196"),
    ] {
        let model = cpuid::of_name(name).and_then(arch::model);
        assert_eq!(model.map(Model::name), Some(expected), "{name}");
    }
}

#[test]
fn selections_keep_what_the_options_say() {
    let models: Vec<_> = selection::TREE.models().map(|model| model.name()).collect();
    assert_eq!(models, ["skylake", "skylakex"]);
    let event = selection::SKYLAKEX.event("inst_retired.any").unwrap();
    assert_eq!((event.description(), selection::SKYLAKEX.metrics().len()), (None, 0));
    let of_zen = &through_another_path::AMDZEN5;
    assert!(
        of_zen.event("ex_ret_instr").is_some() && of_zen.event("ls_dispatch.ld_dispatch").is_none()
    );
}

/// Events, metrics and models in maps and sets: order and hash go with equality.
#[test]
fn order_and_hash() {
    fn check<T: Copy + Ord + Hash + Display>(all: impl Iterator<Item = T>, name: fn(T) -> String) {
        let mut all: Vec<T> = all.collect();
        let hashed: HashSet<T> = all.iter().copied().collect();
        let ordered: BTreeSet<T> = all.iter().copied().collect();
        assert_eq!(hashed.len(), ordered.len());
        all.sort();
        assert!(all.windows(2).all(|two| (two[0] == two[1]) == two[0].cmp(&two[1]).is_eq()));
        assert!(all.windows(2).all(|two| name(two[0]) <= name(two[1])));
        assert!(all.iter().all(|one| one.to_string() == name(*one)));
        assert!(all.iter().all(|one| hashed.contains(one) && ordered.contains(one)));
    }
    let models = || [x86::SKYLAKE, x86::SKYLAKEX, x86::AMDZEN5].into_iter();
    check(models().flat_map(|model| model.events()), |event| event.name().into());
    check(models().flat_map(|model| model.metrics()), |metric| metric.name().into());
    check(x86::TREE.models(), |model| model.name().into());
    assert_eq!(format!("{:>12}|", x86::SKYLAKE), "     skylake|");
}
