//! `pmu ebb` as a user meets it. What the kernel says to it is seen on
//! emulated machines (`tests/emulated`).

use std::collections::BTreeMap;
use std::process::{Command, Output};

use pmu_events::arch::powerpc;
use pmu_events::ebb::{Builder, Rule};
use pmu_events::pmu;
use pmu_events::power::{Fields, Generation};

const PMU: &str = env!("CARGO_BIN_EXE_pmu");

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(PMU);
    command.arg("ebb");
    command.args(arguments).env("PERF_CPUID", "0x004e1202");
    let Output { status, stdout, stderr } = command.output().expect("the example runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[cfg(not(target_arch = "powerpc64"))]
#[test]
fn elsewhere_it_says_what_it_would_do() {
    let (code, out, err) = run(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(
        out,
        "power9, CPUID 0x004e1202\n\
         PM_CYC@1         0x800000000001001e  pmcxsel=0x1e,pmc=1,ebb\n\
         PM_RUN_INST_CMPL 0x80000000000400fa  pmcxsel=0xfa,pmc=4,ebb\n\
         This is not a POWER machine. On one, the command would\n  \
         open event 0 with type 4 and config 0x800000000001001e for its own thread, pinned, \
         exclusive, disabled;\n  \
         open event 1 with type 4 and config 0x80000000000400fa for its own thread, in its \
         group;\n  \
         enable the group by an ioctl;\n  \
         read it: the end of the file would say that another pinned event has the PMU;\n  \
         close it.\n"
    );
}

#[test]
fn faults_are_named() {
    let cases: &[(&[&str], &str)] = &[
        (&["PM_CYC"], "pmu ebb: event 0: the code must name its counter in bits 19:16\n"),
        (
            &["PM_CYC@2", "PM_INST_CMPL@2", "PM_BR_CMPL@1"],
            "pmu ebb: event 1: another event of the group is on the same counter\n\
             event 2: the event is counted on another counter than the one asked for\n",
        ),
        (&["PM_CYX@1"], "pmu ebb: power9 has no event `PM_CYX`; did you mean `PM_CYC`?\n"),
        (&["0x10g"], "pmu ebb: 0x10g: invalid digit found in string\n"),
        (&["PM_CYC@one"], "pmu ebb: PM_CYC@one: invalid digit found in string\n"),
    ];
    for (arguments, expected) in cases {
        let (code, out, err) = run(arguments);
        assert_eq!((code, out.as_str(), err.as_str()), (Some(1), "", *expected), "{arguments:?}");
    }
}

/// Every event of a core in the tables goes apart and together again, and as
/// an event-based branch is either built, or refused for what the kernel
/// cannot count of its generation.
#[test]
fn events_of_the_tables() {
    let mut models = 0;
    for model in powerpc::TREE.models() {
        let generation = Generation::ALL.iter().copied().find(|known| known.name() == model.name());
        let Some(generation) = generation else { continue };
        models += 1;
        let mut refused: BTreeMap<Rule, usize> = BTreeMap::new();
        let mut built = 0;
        for event in model.events() {
            let name = event.name();
            let request = Builder::new(generation).event(event);
            if !event.pmu().is_empty() && !pmu::is_core(event.pmu()) {
                let broken = request.build().unwrap_err();
                assert!(broken.rules().iter().eq([Rule::NotCore]), "{name}: {broken}");
                continue;
            }
            let encoded = event.encode(generation.formats()).expect(name);
            let words = encoded.words();
            let fields = Fields::decode(generation, words);
            assert_eq!(fields.encode(), Ok(words), "{name}");
            assert!(fields.reserved.is_empty(), "{name}");
            let request = if fields.pmc == 0 { request.on(4) } else { request };
            match request.build() {
                Ok(group) => {
                    built += 1;
                    let [attr] = group.attributes() else { panic!("{name}: one event") };
                    let pmc = if fields.pmc == 0 { 4 << 16 } else { 0 };
                    assert_eq!(attr.config, words.config() | pmc | 1 << 63, "{name}");
                }
                Err(broken) => {
                    broken.rules().iter().for_each(|rule| *refused.entry(rule).or_default() += 1)
                }
            }
        }
        // Events of the L2 and L3 that name another counter than the one that
        // has to be taken first.
        let allowed: &[Rule] = match generation {
            Generation::Power9 => &[Rule::CacheCounter],
            _ => &[],
        };
        assert!(refused.keys().all(|rule| allowed.contains(rule)), "{generation}: {refused:?}");
        assert!(built > 100, "{generation}: {built}");
    }
    assert!(models > 0);
}
