//! Whole listings of `pmu list`, of a made-up tree on a made-up machine.

use serde_json::{Value, json};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

use machines::Machine;
use run::Run;

/// It has no model of any CPU that exists.
const TREE: &str = "../tests/trees/shop";

/// A driver of whose events some have a scale or a unit, and tracepoints of two systems.
const MACHINE: &str = "software/type\t1\nscales/type\t9\nscales/format/event\tconfig:0-7\n\
    scales/events/plain\tevent=1\nscales/events/plain.snapshot\t1\n\
    scales/events/weight.per-pkg\t1\n\
    scales/events/weight\tevent=2\nscales/events/weight.scale\t0.5\n\
    scales/events/weight.unit\tgrams\n\
    scales/events/only_scale\tevent=3\nscales/events/only_scale.scale\t2\n\
    scales/events/only_unit\tevent=4\nscales/events/only_unit.unit\tgrams\n\
    /kernel/tracing/events/sched/sched_switch/id\t1\n\
    /kernel/tracing/events/sched/sched_waking/id\t2\n\
    /kernel/tracing/events/syscalls/sys_exit_openat/id\t3";

const MODELS: &str = "shop     shelves      1 events     1 metrics\n\
                      shop     till         3 events     7 metrics\n";

const EVENTS_OF_MACHINE: &str = "
driver of scales:
  only_scale                    scales/event=3/
  only_unit                     scales/event=4/
  plain                         scales/event=1/
  weight                        scales/event=2/

tracepoints of sched:
  sched:sched_switch
  sched:sched_waking

tracepoints of syscalls:
  syscalls:sys_exit_openat
";

const SHELVES: &str = "shop/shelves: 1 event, 1 metric

goods:
  BOXES                         event=1
      Boxes on the shelves

metrics Sums:
  boxes_each
      Boxes on each shelf
";

const TILL: &str = "shop/till: 3 events, 7 metrics

money:
  COINS                         event=1
      Coins in the till
  NOTES                         event=2
      Notes in the till

people:
  BUYERS                        event=3
      People who pay

metrics Sums:
  half
      Half of the money
  shared
      What is shared
  tenth
      A tenth of what is shared
  third
      A third of what is shared
  whole
      All of the money

metrics TopdownL1:
  sold
      What each buyer leaves

metrics TopdownL2:
  in_notes
      What each leaves in notes
";

/// The outputs of a run that succeeds.
#[track_caller]
fn list(arguments: &[&str], sysfs: Option<&str>) -> (String, String) {
    list_of(TREE, arguments, sysfs)
}

#[track_caller]
fn list_of(tree: &str, arguments: &[&str], sysfs: Option<&str>) -> (String, String) {
    let mut command = run::command();
    command.args(["list", "--tree", tree]).args(arguments);
    command.envs(sysfs.map(|root| ("SYSFS_PATH", root)));
    let Run { code, out, err } = run::finish(&mut command);
    assert_eq!(code, Some(0), "{arguments:?}: {err}");
    (out, err)
}

fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Of a machine whose CPU nobody knows, the models are shown, and its own events.
#[test]
fn a_machine_without_a_model() {
    let machine = Machine::of(MACHINE);
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let (out, err) = list(&["--sysfs", root], None);
    assert_eq!(out, format!("{MODELS}\n{root}: 7 events\n{EVENTS_OF_MACHINE}"));
    assert!(err.contains("; these are known, and `--model` chooses one\n"), "{err}");
    // A machine is not asked for metrics.
    assert_eq!(list(&["metrics", "--sysfs", root], None).0, format!("{MODELS}\n"));

    // In JSON, nothing is between the objects.
    let (out, _) = list(&["--json", "--sysfs", root], None);
    let found = objects(&out);
    let found: Vec<_> = found.iter().map(|object| (&object["name"], &object["topic"])).collect();
    let of = |name: &str, topic: &str| (json!(name), json!(topic));
    let expected = [
        (Value::Null, Value::Null),
        (Value::Null, Value::Null),
        of("only_scale", "driver of scales"),
        of("only_unit", "driver of scales"),
        of("plain", "driver of scales"),
        of("weight", "driver of scales"),
        of("sched:sched_switch", "tracepoints of sched"),
        of("sched:sched_waking", "tracepoints of sched"),
        of("syscalls:sys_exit_openat", "tracepoints of syscalls"),
    ];
    assert_eq!(found, expected.each_ref().map(|(name, topic)| (name, topic)));
}

/// As `ScaleUnit` of a table has them.
#[test]
fn scales_and_units_of_a_driver() {
    let machine = Machine::of(MACHINE);
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    for (name, expected) in [
        ("plain", None),
        ("weight", Some("5e-1grams")),
        ("only_scale", Some("2e0")),
        ("only_unit", Some("1e0grams")),
    ] {
        let arguments = ["--cpuid", "shop-till", "--sysfs", root, name];
        let (out, _) = list(&[&arguments[..], &["--json"]].concat(), None);
        assert_eq!(objects(&out)[0]["scale_unit"], json!(expected), "{name}");
        let (out, _) = list(&[&arguments[..], &["--details"]].concat(), None);
        let said = out.lines().find_map(|line| line.trim().strip_prefix("scale unit"));
        assert_eq!(said.map(str::trim), expected, "{out}");
    }
}

/// A value that is a gauge is not a count, and one per package not one per CPU.
#[test]
fn flags_of_a_driver() {
    let machine = Machine::of(MACHINE);
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    for (name, is_snapshot, is_per_package) in
        [("plain", true, false), ("weight", false, true), ("only_unit", false, false)]
    {
        let arguments = ["--cpuid", "shop-till", "--sysfs", root, name];
        let (json, _) = list(&[&arguments[..], &["--json"]].concat(), None);
        let (text, _) = list(&[&arguments[..], &["--details"]].concat(), None);
        for (key, label, is_set) in
            [("snapshot", "snapshot", is_snapshot), ("per_package", "per package", is_per_package)]
        {
            assert_eq!(objects(&json)[0][key], json!(is_set), "{name}: {key}");
            let said = text.lines().find_map(|line| line.trim().strip_prefix(label));
            assert_eq!(said.map(str::trim), is_set.then_some("yes"), "{name}: {text}");
        }
    }
}

/// A word is looked for in all models of a machine whose CPU nobody knows; a blank line is
/// between two.
#[test]
fn words_in_all_models() {
    // All names or descriptions have an S.
    let (out, err) = list(&["s"], None);
    assert_eq!(out, format!("{SHELVES}\n{TILL}"));
    assert!(err.contains("; searching all models\n"), "{err}");
    // What has nothing that matches leaves no blank line either.
    let (out, _) = list(&["metrics", "box"], None);
    assert_eq!(
        out,
        "shop/shelves: 1 metric\n  boxes_each                    [Sums]\n      Boxes on each shelf\n"
    );
    let (out, _) = list(&["metrics", "each"], None);
    let expected = "\
shop/shelves: 1 metric
  boxes_each                    [Sums]
      Boxes on each shelf

shop/till: 2 metrics
  in_notes                      [TopdownL2]
      What each leaves in notes
  sold                          [TopdownL1]
      What each buyer leaves
";
    assert_eq!(out, expected);
    let (out, _) = list(&["metricgroups", "sums"], None);
    let expected = "\
shop/shelves: 1 metric group
  Sums                          1 metric

shop/till: 1 metric group
  Sums                          5 metrics
";
    assert_eq!(out, expected);
}

/// Whoever names a table is not told of a machine that the environment names.
#[test]
fn tables_are_not_a_machines() {
    let machine = Machine::of(MACHINE);
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    assert_eq!(list(&["--model", "till"], Some(root)).0, TILL);
    assert_eq!(
        list(&["--cpuid", "shop-till"], Some(root)).0,
        format!("{TILL}\n{root}: 7 events\n{EVENTS_OF_MACHINE}")
    );
    // So with the tables of system PMUs, which another tree has.
    let words = ["--sys", "--json", "hnf_cache_miss", "weight"];
    let (out, _) = list_of("../arch/arm64", &words, Some(root));
    let found = objects(&out);
    let names: Vec<_> = found.iter().map(|object| &object["name"]).collect();
    assert_eq!(names, [&json!("hnf_cache_miss")]);
}
