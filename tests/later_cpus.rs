//! CPUs that the bundled trees do not know: a note says so, for every vendor.

use pmu_events::arch::{arm64, powerpc, riscv, s390, x86};
use pmu_events::model::MadeFor::{self, Architecture, Others, This};
use pmu_events::{Model, System, arch, cpuid};

mod later {
    pmu_events::pmu_events!("tests/later");
}

/// CPUIDs, and what answers for them.
type Cases = &'static [(&'static str, &'static str, MadeFor)];

/// Each vendor's known CPUs, and made-up later ones.
const CASES: Cases = &[
    // AMD: known models of each generation, and models in no list.
    ("AuthenticAMD-23-1-1", "amdzen1", This),
    ("AuthenticAMD-23-31-0", "amdzen2", This),
    ("AuthenticAMD-23-A0-0", "amdzen2", This),
    ("AuthenticAMD-25-21-0", "amdzen3", This),
    ("AuthenticAMD-25-61-2", "amdzen4", This),
    ("AuthenticAMD-26-2-1", "amdzen5", This),
    ("AuthenticAMD-26-44-0", "amdzen5", This),
    ("AuthenticAMD-26-70-0", "amdzen5", This),
    // Zen 1 and Zen 3, with the tables of the generations after them.
    ("AuthenticAMD-23-50-0", "amdzen2", Others),
    ("AuthenticAMD-25-30-1", "amdzen4", Others),
    ("AuthenticAMD-23-F1-0", "amdzen2", Others),
    ("AuthenticAMD-25-F1-0", "amdzen4", Others),
    // Intel: a later stepping, Cooper Lake, and a model and families that no row has.
    ("GenuineIntel-6-8F-8", "sapphirerapids", This),
    ("GenuineIntel-6-8F-9", "sapphirerapids", Others),
    ("GenuineIntel-6-55-7", "cascadelakex", This),
    ("GenuineIntel-6-55-B", "cascadelakex", Others),
    ("GenuineIntel-18-1-0", "novalake", This),
    ("GenuineIntel-6-FF-0", "architecture", Architecture),
    ("GenuineIntel-18-FF-0", "architecture", Architecture),
    ("GenuineIntel-31-1-0", "architecture", Architecture),
    // Arm: known revisions, later ones, and parts that no row has.
    ("0x00000000414fd0c1", "arm/neoverse-n1", This),
    ("0x00000000414fd0c2", "arm/neoverse-n1", Others),
    ("0x00000000415fd0c0", "arm/neoverse-n1", Others),
    ("0x00000000481fd010", "hisilicon/hip08", This),
    ("0x00000000482fd010", "hisilicon/hip08", Others),
    ("0x00000000461f0010", "fujitsu/a64fx", This),
    ("0x00000000462f0010", "fujitsu/a64fx", Others),
    ("0x00000000431f0af2", "cavium/thunderx2", This),
    ("0x00000000433f0af0", "cavium/thunderx2", Others),
    ("0x00000000420f5162", "cavium/thunderx2", This),
    ("0x00000000503f0002", "ampere/emag", This),
    ("0x00000000411fd062", "arm/cortex-a65-e1", This),
    ("0x00000000413fd0a1", "arm/cortex-a75", This),
    ("0x00000000411fd442", "arm/cortex-x1", This),
    ("0x00000000411fd443", "arm/cortex-x1", Others),
    ("0x00000000411fd4e2", "arm/cortex-x3", This),
    ("0x00000000411fd4e3", "arm/cortex-x3", Others),
    ("0x00000000410fd823", "arm/cortex-x4", This),
    ("0x00000000410fd020", "arm/cortex-a34", This),
    ("0x00000000410fd021", "arm/cortex-a34", Others),
    ("0x00000000c01fac30", "ampere/ampereone", Others),
    // Apple gives each chip a part number of its own; the last one is of the M5.
    ("0x00000000611f0221", "apple/m1", This),
    ("0x00000000612f0250", "apple/m1", This),
    ("0x00000000611f0380", "apple/m2", This),
    ("0x00000000611f0492", "apple/m3", This),
    ("0x00000000611f0551", "apple/m4", This),
    ("0x00000000612f0630", "architecture", Architecture),
    ("0x00000000410fdff0", "architecture", Architecture),
    ("0x00000000ff0f0010", "architecture", Architecture),
    // Power: known revisions, later ones, and a generation that no row has.
    ("0x004d0200", "power8", This),
    ("0x004d0300", "power8", Others),
    ("0x004e1202", "power9", This),
    ("0x004e2102", "power9", This),
    ("0x004e1300", "power9", Others),
    ("0x00801200", "power10", This),
    ("0x00801300", "power10", Others),
    ("0x00821200", "power10", This),
    ("0x00ffffff", "compat", This),
    ("0x00831100", "compat", Architecture),
    // IBM Z: a later version of the facility, and a machine that no row has.
    ("IBM,3931,704,A01,3.7,002f", "cf_z16", This),
    ("IBM,3931,704,A01", "cf_z16", This),
    ("IBM,3931,704,A01,3.9,002f", "cf_z16", Others),
    ("IBM,9175,704,A01,3.8,002f", "cf_z17", This),
    ("IBM,9175,704,A01,3.7,002f", "cf_z17", Others),
    ("IBM,9175,704,A01,4.1,002f", "cf_z17", Others),
    ("IBM,9999,704,A01,3.9,002f", "architecture", Architecture),
    // RISC-V: known implementations, later ones, and a core that no row has.
    ("0x489-0x8000000000000007-0x20181004", "sifive/bullet", This),
    ("0x489-0x8000000000000007-0x4210427", "sifive/bullet", This),
    ("0x489-0x8000000000000007-0x6220425", "sifive/bullet", This),
    ("0x489-0x8000000000000007-0x99999999", "sifive/bullet", Others),
    ("0x489-0x8000000000000008-0x6220425", "sifive/p550", This),
    ("0x489-0x8000000000000008-0x99999999", "sifive/p550", Others),
    ("0x67e-0x80000000db000080-0x20230831", "starfive/dubhe-80", This),
    ("0x67e-0x80000000db000080-0x20230832", "starfive/dubhe-80", Others),
    ("0x67e-0x80000000db000090-0x20230930", "starfive/dubhe-80", This),
    ("0x31e-0x8000000000008a45-0x500", "andes/ax45", This),
    ("0x31e-0x8000000000008a45-0x999", "andes/ax45", Others),
    ("0x5b7-0x0-0x0", "thead/c900-legacy", This),
    ("0x710-0x8000000058000001-0x1000000049772200", "spacemit/x60", This),
    ("0x710-0x8000000058000001-0x1000000049772201", "spacemit/x60", Others),
    ("0x999-0x1-0x1", "architecture", Architecture),
];

#[test]
fn in_the_library() {
    for &(cpuid, name, made_for) in CASES {
        let model = arch::model(cpuid).unwrap_or_else(|| panic!("{cpuid} has no model"));
        assert_eq!((model.name(), model.made_for(cpuid)), (name, made_for), "{cpuid}");
        assert_eq!(model.note(cpuid).is_some(), made_for != This, "{cpuid}");
        let system = System::at("/nonexistent").with_cpuid(cpuid);
        assert_eq!(system.model(), Ok(model), "{cpuid}");
        let notes: Vec<String> = system.notes().iter().map(ToString::to_string).collect();
        let expected: Vec<String> = model.note(cpuid).iter().map(ToString::to_string).collect();
        assert_eq!(notes, expected, "{cpuid}");
    }
}

/// The functions that the macro emits answer alike.
#[test]
fn in_the_macro() {
    let of_tree = |cpuid: &str| match cpuid::architecture(cpuid) {
        Some("x86") => x86::model(cpuid),
        Some("arm64") => arm64::model(cpuid),
        Some("powerpc") => powerpc::model(cpuid),
        Some("s390") => s390::model(cpuid),
        Some("riscv") => riscv::model(cpuid),
        other => panic!("{cpuid} is of {other:?}"),
    };
    for &(cpuid, ..) in CASES {
        assert_eq!(of_tree(cpuid), arch::model(cpuid), "{cpuid}");
    }
    // And so do those of a user's own tree.
    const ACME_3: Model = later::model("Acme-3").unwrap();
    const MADE_FOR: MadeFor = ACME_3.made_for("Acme-3");
    assert_eq!(MADE_FOR, Others);
    assert_eq!(
        ACME_3.note("Acme-3").unwrap().to_string(),
        "no table is made for CPU `Acme-3`: the events are those of `acme`, and the CPU may lack \
         some or count something different under their names"
    );
    let fallback = later::model("Acme-X").unwrap();
    assert_eq!(
        fallback.note("Acme-X").unwrap().to_string(),
        "no table is made for CPU `Acme-X`: `architecture` has the events that the architecture \
         names, and the CPU may lack some"
    );
}

/// What no tree has, and whose architecture names no events, stays unknown.
#[test]
fn unknown_cpus() {
    for cpuid in
        ["AuthenticAMD-99-1-1", "HygonGenuine-24-1-1", "GenuineIntel-5-1-1", "0x00390000", "x"]
    {
        assert_eq!(arch::model(cpuid), None, "{cpuid}");
    }
}

/// A tree that has the CPU itself goes before one that has only its architecture.
#[test]
fn the_own_table_goes_first() {
    let cpuid = "0x00000000410fdff0";
    assert_eq!(System::at("/nonexistent").with_cpuid(cpuid).model(), Ok(arm64::ARCHITECTURE));
    let trees = [&arm64::TREE, &later::TREE];
    let system = System::at("/nonexistent").with_trees(trees).with_cpuid(cpuid);
    assert_eq!(system.model(), Ok(later::ACME));
}
