//! Look-ups by name, PMU, topic, group, CPUID and identifier.

use std::collections::BTreeSet;
use std::process::Command;

use pmu_events::__private::name;

use super::*;

#[test]
fn metric_by_name() {
    let model = test::TEST_SOC_CPU;
    for name in ["all_fields", "ALL_FIELDS", "mixed_case-metric", "Metric.Same_Name"] {
        let found = model.metric(name).unwrap_or_else(|| panic!("{name}"));
        assert!(name::eq(found.name(), name), "{name}");
    }
    // The first of several PMUs.
    assert_eq!(model.metric("PLAIN").map(Metric::pmu), Some("default_core"));
    for name in ["", "plai", "plainer", "NOTE.LA", "widget_rate", "shows_events"] {
        assert_eq!(model.metric(name), None, "{name}");
    }
}

#[test]
fn groups() {
    let in_group =
        |group| test::TEST_SOC_CPU.metrics().in_group(group).map(Metric::name).collect::<Vec<_>>();
    assert_eq!(in_group("Widget"), ["all_fields", "constraint_smt", "Mixed_Case-Metric"]);
    assert_eq!(in_group("STD"), ["all_fields", "std_refill_rate"]);
    assert_eq!(in_group("Std;Widget"), [""; 0]);
    assert_eq!(in_group(""), [""; 0]);
    assert_eq!(
        test::TREE.groups().collect::<Vec<_>>(),
        ["no_metric_is_in_it", "Own", "Std", "Widget"]
    );
    let text = |group| test::TREE.group_description(group).map(|text| text.to_string());
    let widget = "Metrics of widgets, “quoted” and \"quoted\"";
    assert_eq!(text("Widget").as_deref(), Some(widget));
    assert_eq!(text("wIDGET").as_deref(), Some(widget));
    assert_eq!(text("Own").as_deref(), Some("Metrics that replace what the standard says."));
    assert_eq!(text("no_metric_is_in_it").as_deref(), Some("A group that no metric belongs to."));
    assert_eq!(text("TopdownL1"), None);
    assert_eq!(text(""), None);
}

#[test]
fn event_by_name() {
    let model = test::TEST_SOC_CPU;
    for event in model.events() {
        let name = event.name();
        assert_eq!(model.event_on(event.pmu(), name), Some(event));
        for written in [name.to_owned(), name.to_ascii_lowercase(), name.to_ascii_uppercase()] {
            let found = model.event(&written).unwrap_or_else(|| panic!("{written}"));
            assert!(name::eq(found.name(), name), "{written}");
        }
    }
    let missing = [
        "",
        " ",
        "NOTE",
        "NOTE.LA ",
        "NOTE.L",
        "NOTE.LAA",
        "WIDGET.TICKS",
        "plain",
        "sys.no_compat",
        "\u{130}",
        "İNST_RETIRED.ANY",
        "TEXT.PERCENT_{",
    ];
    for name in missing {
        assert_eq!(model.event(name), None, "{name}");
        assert_eq!(model.event_on("default_core", name), None, "{name}");
    }
    let long = "x".repeat(100_000);
    assert_eq!(model.event(&long), None);
    assert_eq!(model.nearest(&long), None);
}

/// The core's event of a name comes before another PMU's.
#[test]
fn event_of_several_pmus() {
    let model = test::TEST_SOC_CPU;
    let pmu = |name: &str| model.event(name).map(Event::pmu);
    assert_eq!(pmu("unit.core_too"), Some("default_core"));
    assert_eq!(pmu("cpu_clk_unhalted.core"), Some("cpu_core"));
    assert_eq!(pmu("unit.only"), Some("uncore_cha"));
    // None is a core's: the first by name.
    assert_eq!(pmu("unit.rule"), Some("uncore_cha"));
    assert!(pmu_events::pmu::is_core(pmu("unit.named").unwrap()));
    assert!(pmu_events::pmu::is_core(test::ACME_WIDGET_9000.event("widget.ticks").unwrap().pmu()));
}

#[test]
fn event_on_a_pmu() {
    let model = test::TEST_SOC_CPU;
    let string = |pmu: &str, name: &str| model.event_on(pmu, name).map(Event::event_string);
    assert_eq!(string("uncore_cha", "UNIT.CORE_TOO"), Some("event=0x1a"));
    assert_eq!(string("UNCORE_CHA", "unit.core_too"), Some("event=0x1a"));
    assert_eq!(string("default_core", "unit.core_too"), Some("event=0x1b"));
    assert_eq!(string("hisi_sccl,hha", "Unit.Named"), Some("config=0xc"));
    assert_eq!(string("uncore_imc", "unit.core_too"), None);
    assert_eq!(string("uncore_none", "unit.core_too"), None);
    assert_eq!(string("", "unit.core_too"), None);
    assert_eq!(string("uncore_cha", ""), None);
}

#[test]
fn events_of_a_name() {
    let model = test::TEST_SOC_CPU;
    let pmus = |name| model.events_named(name).map(Event::pmu).collect::<Vec<_>>();
    assert_eq!(pmus("unit.CORE_too"), ["default_core", "uncore_cha"]);
    assert_eq!(pmus("Unit.Rule"), ["uncore_cha", "uncore_imc", "uncore_m2m_2-x.y"]);
    assert_eq!(pmus("inst_retired.any"), ["default_core"]);
    assert_eq!(pmus("no_such_event"), [""; 0]);
    let named = pmus("unit.named");
    assert_eq!(named.len(), 22);
    assert!(named.is_sorted_by_key(|pmu| pmu.replace(',', "_")));
}

#[test]
fn events_by_pmu_and_topic() {
    let model = test::TEST_SOC_CPU;
    let names: BTreeSet<_> = model.events().map(Event::pmu).collect();
    assert_eq!(model.pmus().map(|pmu| pmu.name()).collect::<BTreeSet<_>>(), names);
    assert_eq!(model.pmus().count(), names.len());
    for pmu in model.pmus() {
        let count = model.events().filter(|event| event.pmu() == pmu.name()).count();
        assert_eq!(pmu.events().len(), count, "{}", pmu.name());
        assert!(pmu.events().all(|event| event.pmu() == pmu.name()));
    }
    let topics: BTreeSet<_> = model.events().map(Event::topic).collect();
    assert_eq!(topics.len(), 10);
    for topic in topics {
        let count = model.events().filter(|event| event.topic() == topic).count();
        assert_eq!(model.events().topic(topic).count(), count, "{topic}");
        assert_eq!(model.events().topic(&topic.to_uppercase()).count(), count, "{topic}");
    }
    assert_eq!(model.events().topic("virtual-memory-walks").count(), 0);
}

#[test]
fn nearest_name() {
    let cases = [
        ("inst_retierd.any", Some("INST_RETIRED.ANY")),
        ("INST_RETIRED.ANY", Some("INST_RETIRED.ANY")),
        ("inst_retired_any", Some("INST_RETIRED.ANY")),
        ("msr.frontent", Some("MSR.FRONTEND")),
        ("mixed.case.name", Some("Mixed.Case_Name")),
        ("constraint_smd", Some("constraint_smt")),
        ("expr_litterals", Some("expr_literals")),
        ("something_else_altogether", None),
        ("", None),
    ];
    for (written, nearest) in cases {
        assert_eq!(test::TEST_SOC_CPU.nearest(written), nearest, "{written}");
    }
}

#[test]
fn model_by_cpuid() {
    let cases = [
        ("testcpu", Some("test_soc/cpu")),
        ("testcpu-rev1", Some("test_soc/cpu")),
        ("testcpu-revDEADbeef", Some("test_soc/cpu")),
        ("testcpu-rev", None),
        ("testcpu-revx", None),
        // The first row wins, though the third names it too.
        ("testcpu-rev0", Some("test_soc/cpu")),
        // A row whose directory has no events is as good as none.
        ("testcpu-none", None),
        ("testcpu-old", None),
        ("TESTCPU", None),
        ("testcpu ", None),
        ("xtestcpu", None),
        ("", None),
        ("Family-model", None),
        ("testlater-7", Some("test_soc/later")),
        ("demolater-12", Some("test_soc/later")),
        ("demolater-123", None),
        ("testdemolater-1", None),
        ("ACME-W9000", Some("acme/widget-9000")),
        ("ACME-W9100+", Some("acme/widget-9000")),
        ("ACME-W9000-", Some("acme/widget-9000")),
        ("ACME-W9000-beta", Some("acme/widget-9000")),
        ("ACME-W9000-beta2", Some("test_soc/cpu")),
        ("ACME-", Some("test_soc/cpu")),
        ("ACME", None),
        ("ACME-\u{e9}", Some("test_soc/cpu")),
    ];
    for (cpuid, directory) in cases {
        assert_eq!(test::model(cpuid).map(Model::name), directory, "{cpuid}");
    }
}

#[test]
fn models_of_the_tree() {
    let names = |models: pmu_events::model::Models| models.map(|m| m.name()).collect::<Vec<_>>();
    let models = names(test::TREE.models());
    assert_eq!(models, ["acme/widget-9000", "test_soc/cpu", "test_soc/later"]);
    // None has the name of a model.
    let sys_tables = names(test::TREE.sys_tables());
    assert_eq!(sys_tables, ["acme/widget-9000/sys", "test_soc/sys"]);
    assert_eq!(test::TREE.model_named("Test_SoC/CPU"), Some(test::TEST_SOC_CPU));
    assert_eq!(test::TREE.model_named("acme/widget-9000"), Some(test::ACME_WIDGET_9000));
    for missing in ["", "test_soc", "test_soc/empty", "cpu", "test_soc/cpu/"] {
        assert_eq!(test::TREE.model_named(missing), None, "{missing}");
    }
    assert_eq!(test::TEST_SOC_CPU.name(), "test_soc/cpu");
    assert!(test::TREE.size() > 1000);
}

#[test]
fn sys_events_by_identifier() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("uncore_sys_ddr_pmu", "v8", &["sys_ddr_pmu.read_cycles", "sys_ddr_pmu.write_cycles"]),
        ("uncore_sys_ddr_pmu0", "v9", &["sys_ddr_pmu.read_cycles"]),
        ("uncore_sys_ddr_pmu_12", "v15", &["sys_ddr_pmu.read_cycles"]),
        ("uncore_sys_ddr_pmu", "v1", &[]),
        ("uncore_sys_ddr_pmu", "v88", &[]),
        ("uncore_sys_ddr_pmu", "", &[]),
        ("uncore_sys_ddr_pmux", "v8", &[]),
        ("uncore_sys_ddr", "v8", &[]),
        ("uncore_sys_ccn_pmu", "0x01", &["sys_ccn_pmu.read_cycles"]),
        ("uncore_sys_ccn_pmu", "0x011", &[]),
        ("arm_cmn_0", "436", &["sys_cmn_pmu.hnf_cache_miss"]),
        // UNIT.COMPAT has a pattern that fits, but stands in no sys table.
        ("arm_cmn_0", "43401", &["sys_cmn_pmu.hnf_cache_miss"]),
        ("arm_cmn_0", "x436", &[]),
        ("hisi_sccl1_ddrc0", "0x00000030", &["sys_sccl.flux"]),
        ("hisi_sccl1_hha0", "0x00000030", &[]),
        ("uncore_acme_fabric", "f12", &["fabric.packets"]),
        ("uncore_acme_fabric", "f", &[]),
        ("default_core", "test-1", &[]),
    ];
    for &(pmu, identifier, expected) in cases {
        let mut found: Vec<_> =
            test::TREE.sys_events(pmu, identifier).map(|event| event.name()).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{pmu} {identifier}");
    }
}

/// At run time an unknown name panics, and says what the compiler would say.
#[test]
fn expect_names_the_nearest() {
    let panic = std::panic::catch_unwind(|| test::TEST_SOC_CPU.require("inst_retierd.any"));
    let message = panic.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(
        *message,
        "model `test_soc/cpu` has no event `inst_retierd.any`; did you mean `INST_RETIRED.ANY`?"
    );
}

/// `PERF_CPUID` stands for the machine; the look-up is done once, so a process
/// of its own is needed.
#[test]
fn host() {
    if std::env::var("PERF_CPUID").is_ok_and(|cpuid| cpuid == "testlater-3") {
        assert_eq!(test::host().map(Model::name), Ok("test_soc/later"));
        return;
    }
    let again = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "lookups::host", "--test-threads=1"])
        .env("PERF_CPUID", "testlater-3")
        .output()
        .unwrap();
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stdout));
    assert!(String::from_utf8_lossy(&again.stdout).contains("1 passed"));
}
