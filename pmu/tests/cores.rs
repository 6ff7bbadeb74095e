//! `pmu` on machines with several kinds of cores.

use std::process::Command;

use pmu_events::host;

#[allow(dead_code)]
#[path = "../../tests/machines/cores.rs"]
mod kinds;
#[allow(dead_code)]
#[path = "../../tests/machines/mod.rs"]
mod machines;

use kinds::{A53, A72, UNKNOWN, machine};

const PMU: &str = env!("CARGO_BIN_EXE_pmu");

fn run(mut command: Command) -> (String, String) {
    let output = command.env_remove(host::OVERRIDE).env_remove("COLUMNS").output();
    let output = output.expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("it writes text");
    (text(output.stdout), text(output.stderr))
}

#[test]
fn each_core_pmu_has_its_own_events() {
    let machine = machine(&[A53, A72], "");
    let mut encode = Command::new(PMU);
    encode
        .args(["encode", "--sysfs"])
        .arg(machine.root())
        .args(["ext_snoop", "l1d_cache_refill_rd"]);
    let (out, err) = run(encode);
    assert!(out.contains("armv8_cortex_a53") && out.contains("armv8_cortex_a72"), "{out}");
    assert_eq!((out.lines().count(), err.as_str()), (2, ""), "{out}");
    let mut list = Command::new(PMU);
    list.env("SYSFS_PATH", machine.root()).args([
        "list",
        "--json",
        "ext_snoop",
        "l1d_cache_refill_rd",
    ]);
    let (out, err) = run(list);
    assert!(out.contains("arm/cortex-a53") && out.contains("arm/cortex-a57-a72"), "{out} {err}");

    let machine = self::machine(&[A53, UNKNOWN], "");
    let mut encode = Command::new(PMU);
    encode.args(["encode", "--sysfs"]).arg(machine.root()).arg("l1d_cache_refill_rd");
    let (_, err) = run(encode);
    let note = "no table is made for CPU `0x00000000123fd0c1`: `architecture` has the events that";
    assert!(err.contains(note), "{err}");
}

/// A metric is of one model.
#[test]
fn cores_of_several_models_have_no_metrics_together() {
    let machine = machine(&[A53, A72], "");
    let mut stat = Command::new(PMU);
    stat.env("SYSFS_PATH", machine.root()).args(["stat", "-M", "no_such_metric", "true"]);
    let (_, err) = run(stat);
    let why = "there is no metric `no_such_metric`: the cores of this machine are of several \
               models, and a metric is of one\n";
    assert!(err.contains(why), "{err}");
}
