use std::{env, format, fs, process};

use std::path::PathBuf;

use super::tsc::{self, Crystal};
use super::*;
use pmu_events_core::__private::expr::{LITERALS, Machine, TokenKind, literal_name, tokens};
use pmu_events_core::event_list::Tool;

/// Directories used as `/sys` and `/proc`, removed when the test ends.
struct Root(PathBuf);

impl Root {
    fn new(name: &str, files: &[(&str, &str)]) -> Root {
        let root = env::temp_dir().join(format!("pmu-events-machine-{name}-{}", process::id()));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(root.join("sys")).unwrap();
        Root(root)
    }

    fn system(&self) -> System {
        System::at(self.0.join("sys")).with_proc(self.0.join("proc")).without_tables()
    }

    fn machine(&self) -> SystemMachine {
        self.system().machine(&Scope::ThisThread)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two packages of one core each, with threads 0 and 2, 1 and 3; CPU 4 is offline.
const TWO_PACKAGES: &[(&str, &str)] = &[
    ("sys/devices/system/cpu/present", "0-4\n"),
    ("sys/devices/system/cpu/online", "0-3\n"),
    ("sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0,2\n"),
    ("sys/devices/system/cpu/cpu1/topology/core_cpus_list", "1,3\n"),
    ("sys/devices/system/cpu/cpu2/topology/core_cpus_list", "0,2\n"),
    ("sys/devices/system/cpu/cpu3/topology/core_cpus_list", "1,3\n"),
    ("sys/devices/system/cpu/cpu0/topology/package_cpus_list", "0,2\n"),
    ("sys/devices/system/cpu/cpu1/topology/package_cpus_list", "1,3\n"),
    ("sys/devices/system/cpu/cpu0/topology/die_cpus_list", "0,2\n"),
    ("sys/devices/system/cpu/cpu1/topology/die_cpus_list", "1,3\n"),
    ("sys/devices/system/cpu/cpu2/topology/package_cpus_list", "0,2\n"),
    ("sys/devices/system/cpu/cpu3/topology/package_cpus_list", "1,3\n"),
    ("sys/devices/system/cpu/cpu2/topology/die_cpus_list", "0,2\n"),
    ("sys/devices/system/cpu/cpu3/topology/die_cpus_list", "1,3\n"),
    ("sys/bus/event_source/devices/cpu/type", "4\n"),
    ("sys/bus/event_source/devices/cpu/format/event", "config:0-7\n"),
    ("sys/bus/event_source/devices/cpu/events/ticks", "event=1\n"),
    ("sys/bus/event_source/devices/cpu/caps/slots", "0x8\n"),
    ("sys/firmware/acpi/tables/NFIT", ""),
    ("proc/cpuinfo", "vendor_id\t: GenuineIntel\nmodel name\t: Intel(R) CPU @ 2.40GHz\n"),
    ("proc/sys/kernel/nmi_watchdog", "1\n"),
];

/// An old kernel's names; no hyper-threads, another vendor.
const OLD: &[(&str, &str)] = &[
    ("sys/devices/system/cpu/present", "0-1\n"),
    ("sys/devices/system/cpu/online", "0-1\n"),
    ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0\n"),
    ("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1\n"),
    ("sys/devices/system/cpu/cpu0/topology/core_siblings_list", "0-1\n"),
    ("sys/devices/system/cpu/cpu1/topology/core_siblings_list", "0-1\n"),
    ("proc/cpuinfo", "vendor_id\t: AuthenticAMD\nmodel name\t: Made up @ 2.40GHz\n"),
];

#[test]
fn literals() {
    let nan = f64::NAN;
    // If one CPU's file is missing or malformed, the answer for all is unknown.
    let odd = [
        TWO_PACKAGES,
        &[
            ("sys/devices/system/cpu/cpu1/topology/core_cpus_list", "1,x\n"),
            ("sys/devices/system/cpu/cpu3/topology/package_cpus_list", "\n"),
            ("sys/devices/system/cpu/cpu3/topology/die_cpus_list", "\n"),
            ("sys/devices/system/cpu/present", "0-\n"),
            ("sys/bus/event_source/devices/cpu/caps/slots", "0x\n"),
        ],
    ]
    .concat();
    let cases: [(&str, &[(&str, &str)], [f64; 11]); 4] = [
        ("odd", &odd, [nan, 4.0, nan, nan, nan, nan, 0.0, 2.4e9, nan, 1.0, 0.0]),
        ("two", TWO_PACKAGES, [5.0, 4.0, 2.0, 2.0, 2.0, 1.0, 0.0, 2.4e9, 8.0, 1.0, 0.0]),
        ("old", OLD, [2.0, 2.0, 2.0, nan, 1.0, 0.0, 0.0, nan, nan, 0.0, 0.0]),
        ("none", &[], [nan, nan, nan, nan, nan, nan, 0.0, nan, nan, 0.0, 0.0]),
    ];
    for (name, files, expected) in cases {
        let root = Root::new(name, files);
        let machine = root.machine();
        for (literal, expected) in LITERALS.iter().copied().zip(expected) {
            let found = machine.literal(literal);
            let is_same = found == expected || found.is_nan() && expected.is_nan();
            assert!(is_same, "{name}, {}: {found}, not {expected}", literal_name(literal));
        }
    }
}

#[test]
fn the_kernel_knows_best_of_hyper_threads() {
    let files = [TWO_PACKAGES, &[("sys/devices/system/cpu/smt/active", "0\n")]].concat();
    let root = Root::new("smt", &files);
    assert_eq!(root.machine().literal(Tool::SmtOn), 0.0);
}

#[test]
fn whole_cores() {
    let root = Root::new("cores", TWO_PACKAGES);
    let wide = |machine: SystemMachine| {
        [Tool::CoreWide, Tool::TargetCpu].map(|literal| machine.literal(literal))
    };
    assert_eq!(wide(root.machine()), [0.0, 0.0]);
    assert_eq!(wide(root.system().machine(&Scope::AllCpus)), [1.0, 1.0]);
    for (cpus, expected) in [("0,2", 1.0), ("0-3", 1.0), ("0", 0.0), ("0-2", 0.0)] {
        let machine = root.system().machine(&Scope::Cpus(cpus.parse().unwrap()));
        assert_eq!(wide(machine), [expected, 1.0], "{cpus}");
    }
}

#[test]
fn the_clock() {
    let root = Root::new("clock", TWO_PACKAGES);
    let crystal = |denominator, numerator, hertz| Some(Crystal { denominator, numerator, hertz });
    let cases = [
        (crystal(2, 168, 25_000_000), Some(2.1e9)),
        // Not enumerated.
        (crystal(2, 168, 0), Some(2.4e9)),
        (crystal(0, 0, 0), Some(2.4e9)),
        (None, Some(2.4e9)),
    ];
    for (crystal, expected) in cases {
        assert_eq!(tsc::frequency(crystal, &root.0.join("proc")), expected);
    }
    assert_eq!(tsc::frequency(None, &root.0), None);
}

#[test]
fn events() {
    let root = Root::new("events", TWO_PACKAGES);
    let machine = root.machine();
    let cases =
        [("ticks", true), ("tocks", false), ("cpu@ticks@", true), ("cpu@event\\=0x3c@", true)];
    for (text, expected) in cases {
        let token = tokens(text).next().unwrap().unwrap();
        let TokenKind::Identifier(identifier) = token.kind() else { panic!("{text}") };
        let answer = identifier.with(|identifier| machine.has_event(identifier));
        assert_eq!(answer, Some(expected), "{text}");
    }
}

#[test]
fn cpuids() {
    let cases = [
        // Arm: the same part in the same or a newer version.
        ("0x410fd493", "0x00000000410fd493", true),
        ("0x410fd493", "0x00000000411fd490", true),
        ("0x410fd493", "0x00000000410fd490", false),
        ("0x00000000410fd490", "0x00000000410fd4a0", false),
        // x86: the stepping only matters if the pattern has one.
        ("GenuineIntel-6-8F", "GenuineIntel-6-8F-4", true),
        ("GenuineIntel-6-8F-4", "GenuineIntel-6-8F-4", true),
        ("GenuineIntel-6-8F-5", "GenuineIntel-6-8F-4", false),
        ("GenuineIntel-6-8.", "GenuineIntel-6-8F-4", true),
        ("GenuineIntel-6", "GenuineIntel-6-8F-4", false),
        // Power: the whole CPUID.
        ("0x004e1202", "0x004e1202", true),
        ("0x004e12..", "0x004e1202", true),
        ("0x004e1201", "0x004e1202", false),
    ];
    for (pattern, cpuid, expected) in cases {
        assert_eq!(cpuid::matches(pattern, cpuid), expected, "{pattern}, {cpuid}");
        let system = System::at("/nonexistent").with_cpuid(cpuid);
        let machine = system.machine(&Scope::ThisThread);
        let text = pattern.replace('-', "\\-");
        let token = tokens(&text).next().unwrap().unwrap();
        if let TokenKind::Identifier(identifier) = token.kind() {
            let answer = identifier.with(|identifier| machine.cpuid_matches(identifier));
            assert_eq!(answer, Some(expected), "{identifier}");
        }
    }
}

#[cfg(feature = "metrics")]
#[test]
fn constraints() {
    use crate::metric::Constraint::*;
    let cases = [
        // With watchdog and hyper-threads, and without both: groups, threshold.
        (None, [(true, true), (true, true)]),
        (Some(NoGroup), [(false, true), (false, true)]),
        (Some(NoGroupWithNmiWatchdog), [(false, true), (true, true)]),
        (Some(NoGroupWithSmt), [(false, true), (true, true)]),
        (Some(NoThresholdWithNmiWatchdog), [(true, false), (true, true)]),
    ];
    for (n, files) in [TWO_PACKAGES, OLD].into_iter().enumerate() {
        let root = Root::new(&format!("constraints-{n}"), files);
        // POWER's watchdog holds no counter.
        let system = root.system().with_cpuid("GenuineIntel-6-8F-8");
        for (constraint, expected) in cases {
            let found = (system.permits_group(constraint), system.permits_threshold(constraint));
            assert_eq!(found, expected[n], "{n}: {constraint:?}");
        }
    }
}
