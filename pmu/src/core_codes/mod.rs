//! The codes of a core's events, as they are typed in place of names: `r412e`, and the
//! generic names for which the kernel has a code.

mod generic;

use pmu_events::__private::event_list::generic_names;
use pmu_events::event_list::Hardware;
use pmu_events::format::{Formats, Words};
use pmu_events::pmu;
use pmu_events::{Event, builtin};

use crate::trees::{Table, Trees};

/// How the cores with a table encode events. Empty where that is not known.
#[derive(Default)]
pub(crate) struct CoreCodes {
    formats: Option<Formats<'static>>,
    generic: generic::Codes,
}

impl CoreCodes {
    pub(crate) fn of(trees: &'static Trees, table: &Table) -> Self {
        let Some(cpuid) = trees.cpuid_of(table, table.last_part()) else {
            return Self::default();
        };
        let formats = builtin::of_pmu(&cpuid, pmu::DEFAULT_CORE);
        CoreCodes { formats, generic: generic::of_cpu(&cpuid) }
    }

    /// The code that selects an event of a core without more; an event may need other
    /// words of perf_event_attr, too.
    fn code(&self, event: Event) -> Option<u64> {
        let formats = self.formats.filter(|_| pmu::is_core(event.pmu()))?;
        let words = event.encode(formats).ok()?.words();
        (words == Words::new(words.config())).then(|| words.config())
    }

    /// Whether an event has a raw code.
    pub(crate) fn is_raw(&self, event: Event, code: u64) -> bool {
        self.code(event) == Some(code)
    }

    /// Whether the kernel counts an event under a generic name.
    pub(crate) fn is_generic(&self, event: Event, generic: Hardware) -> bool {
        let code = self.generic.get(generic.config() as usize).filter(|code| **code != 0);
        code.is_some_and(|&code| self.is_raw(event, code))
    }

    /// The raw code of an event as perf takes it.
    pub(crate) fn raw_code_of(&self, event: Event) -> Option<String> {
        Some(format!("r{:x}", self.code(event)?))
    }

    /// The generic names under which the kernel counts an event, one for each number.
    pub(crate) fn generic_names_of(&self, event: Event) -> Option<String> {
        let code = self.code(event).filter(|&code| code != 0)?;
        let numbers = (0_u64..).zip(self.generic).filter(|&(_, own)| own == code);
        let name = |(number, _)| {
            let is_it = |name: &&str| name.parse().is_ok_and(|it: Hardware| it.config() == number);
            generic_names().find(is_it)
        };
        let names: Vec<&str> = numbers.filter_map(name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}

/// A word that is a raw code: `r412e` or `0x412e`.
pub(crate) fn raw_code(word: &str) -> Option<u64> {
    let digits = ["0x", "0X", "r", "R"].iter().find_map(|prefix| word.strip_prefix(prefix))?;
    let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| is_hexadecimal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pmu_events::event::Encoding;

    #[test]
    fn words_that_are_raw_codes() {
        for (word, code) in [
            ("r412e", Some(0x412e)),
            ("R412E", Some(0x412e)),
            ("0x0412e", Some(0x412e)),
            ("r", None),
            ("r+1", None),
            ("ref-cycles", None),
            ("412e", None),
            ("r10000000000000000", None),
        ] {
            assert_eq!(raw_code(word), code, "{word}");
        }
    }

    #[test]
    fn events_of_generic_names() {
        let trees = Trees::new(None, Encoding::Correct).expect("the program has trees");
        let cases = [
            ("sapphirerapids", "cache-misses", "LONGEST_LAT_CACHE.MISS"),
            ("bonnell", "branch-instructions", "BR_INST_RETIRED.ANY"),
            ("amdzen1", "stalled-cycles-backend", "ic_fetch_stall.ic_stall_back_pressure"),
            ("amdzen4", "cpu-cycles", "ls_not_halted_cyc"),
            ("neoverse-n1", "cache-misses", "L1D_CACHE_REFILL"),
            ("power9", "branch-misses", "PM_BR_MPRED_CMPL"),
            ("power10", "cache-misses", "PM_LD_DEMAND_MISS_L1_FIN"),
        ];
        for (model, generic, name) in cases {
            let table = trees.all().find(|table| !table.sys && table.last_part() == model);
            let table = table.unwrap_or_else(|| panic!("no table {model}"));
            let codes = CoreCodes::of(trees, &table);
            let hardware = generic.parse().expect("it is a generic name");
            let found = table.events().filter(|&event| codes.is_generic(event, hardware));
            let found: Vec<&str> = found.map(|event| event.name()).collect();
            assert!(found.contains(&name), "{model}: {found:?}");
        }
    }
}
