//! Which events are counted together, on machines that are not here.

use pmu_events::expr::Literal;

use super::machines::Machine;
use super::{Args, Plan, machine, plan};
use crate::cli::System;

/// What `-M` makes of a list of names on a machine.
fn planned(sysfs: &Machine, cpuid: &str, metrics: &str) -> Plan {
    let args = Args { cpuid: Some(cpuid.into()), metrics: vec![metrics.into()], ..Args::default() };
    let system = System::of(Some(cpuid), Some(sysfs.root())).expect("the machine is there");
    plan(&args, &system, &machine(&args, &system)).expect("the metrics are known")
}

#[test]
fn groups() {
    let later =
        Machine::of("msr/type\t9\nmsr/events/tsc\tevent=0x00\nmsr/format/event\tconfig:0-63");
    let zen = Machine::named("zen4");
    let cases: [(&Machine, &str, &str, &[&str]); 6] = [
        // A weak group; time stands outside.
        (&later, "testlater-1", "ticks_a_nanosecond", &["{msr/tsc/,task-clock}:W"]),
        (&later, "testlater-1", "clock_rate", &["msr/tsc/", "duration_time"]),
        // It finds its event in the group of another.
        (
            &later,
            "testlater-1",
            "clock_rate,ticks_a_nanosecond",
            &["{msr/tsc/,task-clock}:W", "duration_time"],
        ),
        // What must not be grouped is for itself.
        (&later, "testlater-1", "faults_a_second", &["page-faults", "duration_time"]),
        (
            &later,
            "testlater-1",
            "faults",
            &["page-faults", "{msr/tsc/,page-faults}:W", "duration_time"],
        ),
        (&zen, "AuthenticAMD-25-61-2", "ipc,cpi", &["{ex_ret_instr,ls_not_halted_cyc}:W"]),
    ];
    for (machine, cpuid, metrics, expected) in cases {
        let plan = planned(machine, cpuid, metrics);
        assert_eq!(plan.lists, expected, "{metrics}");
        assert!(plan.missing.is_empty(), "{metrics}");
    }
}

/// By the group in which it must not be grouped, and by its name.
#[test]
fn asked_for_by_a_group() {
    let sysfs = Machine::named("sapphirerapids");
    let grouped = |metrics| {
        let plan = planned(&sysfs, "GenuineIntel-6-8F-4", metrics);
        assert!(plan.missing.is_empty(), "{metrics}");
        (plan.metrics.len(), plan.lists.iter().any(|list| list.starts_with('{')))
    };
    let (count, is_grouped) = grouped("TopdownL1");
    assert!(count >= 4 && !is_grouped, "{count}");
    assert_eq!(grouped("tma_retiring"), (1, true));
}

#[test]
fn modifiers_and_parts() {
    let later = Machine::of("");
    let plan = planned(&later, "testlater-1", "faults_a_second:u,faults_a_second");
    assert_eq!(plan.lists, ["page-faults:u,page-faults", "duration_time"]);
    let names: Vec<String> = plan.metrics.iter().map(|metric| metric.asked.name()).collect();
    assert_eq!(names, ["faults_a_second:u", "faults_a_second"]);
    // Without the PMU, the event is missing and all else is counted.
    let plan = planned(&later, "testlater-1", "clock_rate");
    assert_eq!(plan.lists, ["duration_time"]);
    let [missing] = &plan.missing[..] else { panic!("one is missing") };
    assert_eq!(missing.event, "msr/tsc/");
}

#[test]
fn what_the_machine_does_not_say() {
    let without = Machine::of("");
    let with = Machine::of("cpu/type\t4\ncpu/caps/slots\t6");
    for (machine, metrics, unknown) in [
        (&without, "faults_a_slot", &[Literal::Slots][..]),
        (&without, "faults_a_slot,faults_a_slot:u,faults_a_second", &[Literal::Slots]),
        (&without, "faults", &[Literal::NumCpusOnline]),
        (&with, "faults_a_slot", &[]),
    ] {
        assert_eq!(planned(machine, "testlater-1", metrics).unknown, unknown, "{metrics}");
    }
}
