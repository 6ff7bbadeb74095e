//! The counters of a machine's cores, and which of them each event may have, from what the trees
//! say of the events and from their codes.

use std::collections::BTreeSet;
use std::fmt::Write;

use pmu_events::event::CounterConstraint;
use pmu_events::{Event, Model};

use crate::Coded;
use crate::machines_of_models::Cpu;

/// Who made the core: that says what its counters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Maker {
    Intel,
    Amd,
    Arm,
    Power,
}

impl Maker {
    fn of(cpu: &Cpu) -> Self {
        match cpu.cpuid {
            id if id.starts_with("GenuineIntel") => Maker::Intel,
            id if id.starts_with("AuthenticAMD") => Maker::Amd,
            _ if cpu.like == "power9" => Maker::Power,
            _ => Maker::Arm,
        }
    }
}

/// The counters of one kind of core: general ones, fixed ones, and those of perf metrics.
struct Core {
    maker: Maker,
    general: u32,
    fixed: u32,
}

impl Core {
    fn of(cpu: &Cpu, model: Model, pmu: &str) -> Self {
        let maker = Maker::of(cpu);
        let table = model.pmus().find(|table| table.name() == pmu).expect("the table is there");
        let (general, fixed) = match maker {
            Maker::Intel => {
                let number = |stated: Option<u8>| u32::from(stated.expect("perfmon states it"));
                // The kernel's numbers of fixed counters are those of their events, of which
                // the tables state no more than they use.
                (number(table.general_counters()), number(table.fixed_counters()))
            }
            Maker::Amd => (6, 0),
            // One for cycles.
            Maker::Arm => (6, 1),
            // Two for one event each.
            Maker::Power => (4, 2),
        };
        Core { maker, general, fixed }
    }

    fn all_general(&self) -> u64 {
        (1 << self.general) - 1
    }

    fn fixed(&self, number: u32) -> u64 {
        if number < self.fixed { 1 << (self.general + number) } else { 0 }
    }

    fn metric(&self, number: u64) -> u64 {
        1 << (u64::from(self.general + self.fixed) + number)
    }

    /// The number of all counters.
    fn count(&self) -> u32 {
        // Shares of slots are read from a register, as if each had a counter.
        self.general + self.fixed + if self.maker == Maker::Intel { 8 } else { 0 }
    }

    /// The counters that may count an event.
    fn of_event(&self, model: Model, config: u64, event: Option<Event>) -> u64 {
        let all = self.all_general();
        match (self.maker, config) {
            (Maker::Intel, 0xc0) => all | self.fixed(0),
            (Maker::Intel, 0x3c) => all | self.fixed(1),
            (Maker::Intel, 0x300) => self.fixed(2),
            (Maker::Intel, 0x400) => self.fixed(3),
            (Maker::Intel, 0x8000..=0x8700) if config & 0xff == 0 => {
                self.metric((config >> 8) - 0x80)
            }
            (Maker::Intel, _) => match event.map(Event::counters) {
                Some(CounterConstraint::General(set)) if set.bits() & all != 0 => set.bits() & all,
                _ => all,
            },
            (Maker::Arm, 0x11) => all | self.fixed(0),
            (Maker::Amd | Maker::Arm, _) => all,
            (Maker::Power, _) => {
                let own = match config >> 16 & 0xf {
                    0 => all,
                    counter => 1 << (counter - 1),
                };
                // The kernel knows other codes for the same (`power9_event_alternatives`).
                own | match config {
                    0x200f4 if model.name() == "power9" => self.fixed(1),
                    0x400fa if model.name() == "power9" => self.fixed(0),
                    _ => 0,
                }
            }
        }
    }

    /// The counter of the NMI watchdog, which counts cycles.
    fn of_watchdog(&self) -> u64 {
        match self.maker {
            Maker::Intel | Maker::Arm => self.fixed(if self.maker == Maker::Intel { 1 } else { 0 }),
            Maker::Amd => 1,
            Maker::Power => 0,
        }
    }
}

/// The lines of a scenario: what there is, which events may have what, and what is taken.
pub fn lines(cpu: &Cpu, model: Model, coded: &Coded, has_watchdog: bool) -> String {
    let kinds: &[(u32, &str, &str)] = match cpu.like {
        "alderlake" => &[(4, "cpu_core", " cpus=0-3"), (10, "cpu_atom", " cpus=4-7")],
        "neoverse-n1" => &[(8, "default_core", "")],
        _ => &[(4, "default_core", "")],
    };
    let mut text = String::from("cpus 8\n");
    for &(type_, pmu, cpus) in kinds {
        let core = Core::of(cpu, model, pmu);
        writeln!(text, "pmu {type_} core counters={}{cpus}", core.count()).unwrap();
        if has_watchdog {
            writeln!(text, "taken {type_} counters={:#x}", core.of_watchdog()).unwrap();
        }
        let mut known = BTreeSet::new();
        for (&(of, config, _), (identifier, unit)) in coded {
            if of != type_ || !known.insert(config) {
                continue;
            }
            let name = identifier.split_once('/').map_or(&**identifier, |(_, terms)| terms);
            let name = name.split(['/', ',', ':']).next().unwrap_or(name);
            let counters = core.of_event(model, config, model.event_on(unit, name));
            writeln!(
                text,
                "constraint {type_} mask={:#x} value={config:#x} counters={counters:#x}",
                u64::MAX
            )
            .unwrap();
        }
        writeln!(text, "constraint {type_} mask=0 value=0 counters={:#x}", core.all_general())
            .unwrap();
    }
    text
}
