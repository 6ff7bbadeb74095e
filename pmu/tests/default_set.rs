//! One request on the CPUs of all models: the default set of quantities, on the simulated kernel.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

extern crate pmu_events as pmu_events_core;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "common/simulated.rs"]
mod simulated;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use machines::Machine;
use pmu_events::format::Word;
use pmu_events::measure::{Plan, Request};
use pmu_events::{Model, Scope, arch};
use serde_json::Value;

const GROUP: &str = "common_default";

/// CPUIDs as map files have patterns for them.
fn cpuids() -> impl Iterator<Item = String> {
    let intel = [6, 18].into_iter().flat_map(|family| {
        (0..=0xff_u32).flat_map(move |model| {
            [0, 4, 7].map(|step| format!("GenuineIntel-{family}-{model:X}-{step:X}"))
        })
    });
    let amd = [23, 25, 26].into_iter().flat_map(|family| {
        (0..=0xff_u32).map(move |model| format!("AuthenticAMD-{family}-{model:X}-0"))
    });
    let arm = [0x41, 0x42, 0x43, 0x46, 0x48, 0x4e, 0x50, 0x51, 0x61, 0x6d, 0xc0_u32];
    let arm = arm
        .into_iter()
        .flat_map(|by| (0..=0xfff_u32).map(move |part| format!("0x00000000{by:02x}ff{part:03x}f")));
    let power = ["0x004e1202", "0x00800200"].map(String::from);
    intel.chain(amd).chain(arm).chain(power)
}

/// One CPU of each model that has quantities and whose kind of machine is recorded.
fn cpus() -> BTreeMap<&'static str, (Model, String)> {
    let mut cpus = BTreeMap::new();
    for cpuid in cpuids() {
        let models = arch::TREES.iter().filter_map(|(_, tree)| tree.model(&cpuid));
        for model in models.filter(|model| model.metrics().in_group(GROUP).next().is_some()) {
            cpus.entry(model.name()).or_insert_with(|| (model, cpuid.clone()));
        }
    }
    cpus
}

/// A recorded machine whose PMUs have the same names.
fn machine(model: Model, cpuid: &str) -> Machine {
    let is_hybrid = model.pmus().any(|pmu| pmu.name() == "cpu_core");
    let machine = Machine::named(match cpuid {
        _ if is_hybrid => "alderlake",
        id if id.starts_with("GenuineIntel") => "sapphirerapids",
        id if id.starts_with("AuthenticAMD") => "zen4",
        id if id.len() == "0x004e1202".len() => "power9",
        _ => "neoverse-n1",
    });
    machine.write("/devices/system/cpu/smt/active", "0\n");
    machine.write("/proc/cpuinfo", "model name\t: Made up @ 2.10GHz\n");
    if cpuid.starts_with("AuthenticAMD") {
        for (file, text) in [
            ("type", "9"),
            ("cpumask", "0"),
            ("format/event", "config:0-7"),
            ("format/umask", "config:8-15"),
            ("format/coreid", "config:42-44"),
            ("format/enallslices", "config:46"),
            ("format/enallcores", "config:47"),
            ("format/sliceid", "config:48-50"),
            ("format/threadmask", "config:56-57"),
        ] {
            machine.write(&format!("amd_l3/{file}"), format!("{text}\n"));
        }
    }
    if cpuid.starts_with("0x00000000") {
        machine.write("armv8_pmuv3_0/caps/slots", "0x8\n");
        // The kernel names the events that a core has: also one that HiSilicon's table lacks.
        machine.write("armv8_pmuv3_0/events/inst_spec", "event=0x1b\n");
        for event in model.events() {
            let mut terms = event.terms().map(|term| term.to_string());
            if let Some(code) = terms.find(|term| term.starts_with("event=")) {
                let name = event.name().to_ascii_lowercase();
                machine.write(&format!("armv8_pmuv3_0/events/{name}"), format!("{code}\n"));
            }
        }
    }
    machine
}

/// What `pmu stat` prints of the set, as far as it is wrong, and for how many metrics it has a value.
fn checked(model: Model, cpuid: &str) -> (Vec<String>, usize) {
    let machine = machine(model, cpuid);
    let metrics: BTreeSet<&str> =
        model.metrics().in_group(GROUP).map(|metric| metric.name()).collect();
    let system = machine.system().with_model(model);
    let requests = model.metrics().in_group(GROUP).flat_map(|one| Request::each(one, &system));
    let plan = Plan::new(requests, &system, &Scope::ThisThread);
    // A part of the time on each kind of core.
    let is_hybrid = system.sysfs().core_pmus().count() > 1;
    let kinds = if is_hybrid {
        "pmu 4 core counters=16 cpus=0-3\npmu 10 core counters=16 cpus=4-7\n"
    } else {
        "pmu 4 core counters=16\npmu 8 core counters=16\npmu 9 uncore counters=4 cpus=0\n"
    };
    let mut scenario = format!("cpus 8\n{kinds}program cpu=0 us=100000\nprogram cpu=5 us=100000\n");
    for one in plan.resolution().events() {
        let config = one.words().config();
        let config1 = one.words().get(Word::Config1);
        let type_ = one.type_();
        // Other events of Arm's are a part of its cycles.
        let rate = if (type_, config) == (8, 0x11) { 4000 } else { 1000 };
        writeln!(scenario, "rate {type_} config={config:#x} config1={config1:#x} user={rate}")
            .unwrap();
    }
    let mut command = simulated::pmu(&machine, cpuid, &scenario);
    command.env("PROCFS_PATH", machine.root().join("proc"));
    let output = command.args(["stat", "-j", "-M", GROUP, "true"]).output().expect("it runs");
    let err = String::from_utf8(output.stderr).expect("it is text");
    let mut wrong = Vec::new();
    if !output.status.success() {
        wrong.push(format!("status {}", output.status));
    }
    let objects: Vec<Value> =
        err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let of = |name: &str| {
        objects.iter().find(|object| {
            let unit = object["metric-unit"].as_str().unwrap_or_default();
            unit.rsplit(' ').next() == Some(name)
        })
    };
    let mut with_value = 0;
    for name in metrics {
        let value = of(name).map(|object| object["metric-value"].as_str().unwrap_or_default());
        match value.map(str::parse::<f64>) {
            Some(Ok(value)) if value.is_finite() => with_value += 1,
            _ => wrong.push(format!("{name}: {value:?}")),
        }
    }
    if !wrong.is_empty() {
        wrong.push(err);
    }
    (wrong, with_value)
}

#[test]
fn it_prints_on_every_model() {
    let cpus = cpus();
    let mut failed = String::new();
    let mut values = 0;
    for (name, (model, cpuid)) in &cpus {
        let (wrong, with_value) = checked(*model, cpuid);
        values += with_value;
        if !wrong.is_empty() {
            writeln!(failed, "{name} ({cpuid}):\n  {}", wrong.join("\n  ")).unwrap();
        }
    }
    assert!(failed.is_empty(), "{failed}");
    assert!(cpus.len() >= 97 && values >= 1200, "{} models, {values} values", cpus.len());
}

/// A quantity is in the same groups on every model that has it, and no model has one that it says
/// it lacks: `stat` asks one model for those of another.
#[test]
fn groups_of_quantities() {
    let mut groups: BTreeMap<&str, (BTreeSet<&str>, &str)> = BTreeMap::new();
    let all = || arch::TREES.iter().flat_map(|(_, tree)| tree.models());
    for model in all() {
        for metric in model.metrics().filter(|metric| metric.name().starts_with("common.")) {
            let own: BTreeSet<&str> = metric.groups().collect();
            let (known, of) = groups.entry(metric.name()).or_insert((own.clone(), model.name()));
            assert_eq!(*known, own, "{}: {of}, {}", metric.name(), model.name());
        }
        for (lacked, _) in model.lacking() {
            assert_eq!(model.metric(lacked), None, "{}", model.name());
        }
    }
    let lacked = all().flat_map(|model| model.lacking().map(|(name, _)| name));
    let nobodys: BTreeSet<&str> = lacked.filter(|name| !groups.contains_key(name)).collect();
    assert_eq!(nobodys, BTreeSet::new());
    assert!(groups.len() > 30, "{}", groups.len());
}
