//! Reads without a system call, where the kernel has no pages: counts are those of reads with
//! one, and say so. `tests/emulated` has machines on which such reads work.

use pmu_events::Scope;
use pmu_events::format::Word;
use pmu_events::open::{Options, ReadMethod};

use simulated_kernel::world::Kind;

use crate::laboratory::{BIG, Cores, Laboratory, MEMORY, SELF, event};

/// What events must ask for on Arm.
const ASKED: u64 = 1 << 1;

#[test]
fn reads_fall_back() {
    let threads = || Scope::Threads(vec![SELF]);
    // Whether each event asks.
    let cases: &[(&str, Scope, &[bool])] = &[
        ("cpu/event=5/", Scope::ThisThread, &[true]),
        ("cpu/event=5/D", Scope::ThisThread, &[true]),
        ("{cpu/event=5/,cpu/event=6/},faults", Scope::ThisThread, &[true, true, false]),
        ("{cpu/event=5/,faults},task-clock", Scope::ThisThread, &[true, false, false]),
        ("cpu/event=1/,cpu/event=2/,cpu/event=3/,cpu/event=4/", Scope::ThisThread, &[true; 4]),
        ("cpu/event=5/", threads(), &[false]),
        ("cpu/event=5/,uncore_imc/event=1/", Scope::AllCpus, &[false; 3]),
    ];
    for (text, scope, asks) in cases {
        let laboratory = Laboratory::new(Cores::Alike);
        laboratory.write("/bus/event_source/devices/cpu/format/rdpmc", "config1:1\n");
        let options = Options::new().with_scope(scope.clone());
        let options = options.with_user_space_reads(true);
        let mut counters = laboratory.system().open_with(text, &options).unwrap();
        counters.enable().unwrap();
        laboratory.work(SELF, 0, 48);
        let reading = counters.read();
        assert_eq!(reading.events().len(), asks.len(), "{text}");
        for (read, &asks) in reading.events().iter().zip(*asks) {
            let attr = read.event().attr().expect("it is open");
            let config1 = attr.words().get(Word::Config1);
            assert_eq!(config1, if asks { ASKED } else { 0 }, "{text}: {read}");
            let total = read.outcome().total().expect("it has counted");
            // The time itself is not an event that occurs, and memory counts by CPU.
            let is_of_core = attr.type_() == BIG || attr.words().config() != 1;
            if total.share() == 1.0 && is_of_core && attr.type_() < MEMORY[0] {
                let kind = Kind { config1, ..event(attr.type_(), attr.words().config()) };
                let task = (!scope.is_cpus()).then_some(SELF);
                assert_eq!(total.value(), laboratory.truth(kind, 0, task, &[]), "{text}: {read}");
            }
            let methods = read.parts().iter().map(|part| part.method());
            assert!({ methods }.all(|method| method == ReadMethod::SystemCall), "{text}");
        }
    }
}

/// Where there are two kinds of cores, the instruction could end the program.
#[test]
fn cores_of_two_kinds() {
    let laboratory = Laboratory::new(Cores::Hybrid);
    for pmu in ["cpu_core", "cpu_atom"] {
        laboratory.write(&format!("/bus/event_source/devices/{pmu}/format/rdpmc"), "config1:1\n");
    }
    let options = Options::new().with_user_space_reads(true);
    let system = laboratory.system();
    let counters = system.open_with("cpu_core/event=5/,cpu_atom/event=5/", &options).unwrap();
    for event in counters.events() {
        let attr = event.attr().expect("it is open");
        assert_eq!(attr.words().get(Word::Config1), 0, "{}", event.name());
    }
}

/// What counts children counts where this thread is not.
#[test]
fn children() {
    let laboratory = Laboratory::new(Cores::Alike);
    let options = Options::new().with_user_space_reads(true).with_inherit(true);
    let mut counters = laboratory.system().open_with("cpu/event=5/", &options).unwrap();
    counters.enable().unwrap();
    laboratory.kernel().fork(SELF, 7);
    laboratory.work(7, 1, 10);
    laboratory.work(SELF, 0, 10);
    let reading = counters.read();
    let truth = laboratory.truth(event(BIG, 5), 0, None, &[]);
    assert_eq!(reading[0].outcome().total().map(|total| total.value()), Some(truth));
    assert_eq!(reading[0].parts()[0].method(), ReadMethod::SystemCall);
}
