//! Names of events and constants in formulas, and how perf's expressions spell
//! their meanings.

use std::collections::HashMap;

use pmu_events_core::builtin;

use super::super::filter;
use super::expression::Form;
use crate::options::Encoding;

/// PMUs of a model's events, by the event's name in lower case.
pub(in crate::source::perfmon) type Pmus = HashMap<String, String>;

/// What a model has.
pub(super) struct Names<'m> {
    /// One of the CPUs, which decides on the drivers.
    pub(super) cpuid: &'m str,
    pub(super) pmus: &'m Pmus,
    /// Whether cores differ: then events say which of them counts.
    pub(super) is_hybrid: bool,
    pub(super) encoding: Encoding,
}

/// Counts that are fields of one register, and what the kernel calls them
/// (`arch/x86/events/intel/core.c`).
const PERF_METRICS: [(&str, &str); 8] = [
    ("RETIRING", r"topdown\-retiring"),
    ("FRONTEND_BOUND", r"topdown\-fe\-bound"),
    ("BACKEND_BOUND", r"topdown\-be\-bound"),
    ("BAD_SPECULATION", r"topdown\-bad\-spec"),
    ("HEAVY_OPERATIONS", r"topdown\-heavy\-ops"),
    ("BRANCH_MISPREDICTS", r"topdown\-br\-mispredict"),
    ("FETCH_LATENCY", r"topdown\-fetch\-lat"),
    ("MEMORY_BOUND", r"topdown\-mem\-bound"),
];

/// Energy, by the names of its counters and registers.
const ENERGY: [(&str, &str); 6] = [
    ("FREERUN_PKG_ENERGY_STATUS", r"power@energy\-pkg@"),
    ("UNC_PKG_ENERGY_STATUS", r"power@energy\-pkg@"),
    ("MSR_EVENT:msr=0x611", r"power@energy\-pkg@"),
    ("FREERUN_DRAM_ENERGY_STATUS", r"power@energy\-ram@"),
    ("UNC_DRAM_ENERGY_STATUS", r"power@energy\-ram@"),
    ("MSR_EVENT:msr=0x619", r"power@energy\-ram@"),
];

/// The registers of uncore filters, of which an option names the second.
const SECOND_REGISTER: &str = "config1";

/// How drivers of uncores call what a count must reach in a cycle; the first is that of
/// servers, and what perf's script writes for all.
const THRESHOLDS: [&str; 3] = ["thresh", "threshold", "cmask"];

/// An option that becomes a term: what its number follows, and the term on a core
/// and on an uncore; an empty one is not known there.
const TERMS: [(&str, &str, &str); 9] = [
    ("ocr_msr_val=", "offcore_rsp", ""),
    ("filter1=", "", SECOND_REGISTER),
    ("opc=", "", "filter_opc"),
    ("tid=", "", "filter_tid"),
    ("eq", "eq", ""),
    ("c", "cmask", THRESHOLDS[0]),
    ("e", "edge", "edge"),
    ("i", "inv", "inv"),
    ("u", "umask", "umask"),
];

impl Names<'_> {
    /// How perf spells an event with options. `unit` is the instance whose count is
    /// meant. `Err` says what no rule covers.
    pub(super) fn event(&self, written: &str, unit: Option<&str>) -> Result<String, String> {
        if let Some((_, text)) = ENERGY.iter().find(|(name, _)| written.starts_with(name)) {
            return Ok((*text).to_owned());
        }
        if written == "TSC" {
            return Ok(self.tsc());
        }
        let mut parts = written.split(':');
        let name = parts.next().unwrap_or_default();
        if let Some(field) = name.strip_prefix("PERF_METRICS.") {
            let known = PERF_METRICS.iter().find(|(known, _)| *known == field);
            let (_, text) =
                known.ok_or_else(|| format!("unknown field of PERF_METRICS `{field}`"))?;
            return Ok(self.on_core(text, "", ""));
        }
        let name = match name.strip_prefix("UNC_IIO_PAYLOAD_BYTES_IN.MEM_READ.") {
            Some(part) => format!("UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.{part}"),
            None => name.to_owned(),
        };
        let pmu = self.pmus.get(&name.to_ascii_lowercase());
        let uncore = pmu.and_then(|pmu| pmu.strip_prefix("uncore_"));
        let is_uncore = uncore.is_some() || name.starts_with("UNC_");
        let (mut terms, mut modifiers) = (String::new(), String::new());
        let (mut is_one_unit, mut is_slots) = (false, name == "SLOTS");
        for option in parts {
            match option.to_ascii_lowercase().as_str() {
                "sup" => modifiers.push('k'),
                "user" => modifiers.push('u'),
                "retire_latency" => modifiers.push('R'),
                "one_unit" => is_one_unit = true,
                "perf_metrics" | "percore" if name == "TOPDOWN.SLOTS" => is_slots = true,
                lower => {
                    let pmu = pmu.map_or("", String::as_str);
                    let term = self.term(lower, is_uncore, pmu).ok_or_else(|| {
                        format!("no rule covers the option `{option}` of `{name}`")
                    })?;
                    terms.push_str(r"\,");
                    terms.push_str(&term.replace('=', r"\="));
                }
            }
        }
        if is_slots {
            return Ok(self.on_core("slots", "", &modifiers));
        }
        let instance = unit.or(is_one_unit.then_some("0"));
        if !is_uncore {
            return match instance {
                None => Ok(self.on_core(&name, &terms, &modifiers)),
                Some(_) => {
                    Err(format!("`{name}` is not an uncore event: no single unit can be selected"))
                }
            };
        }
        let pmu = match (uncore, instance) {
            (Some(pmu), Some(instance)) => format!("{pmu}_{instance}"),
            (Some(pmu), None) => pmu.to_owned(),
            (None, _) if terms.is_empty() && instance.is_none() => String::new(),
            (None, _) => return Err(format!("`{name}` is not an event of this model")),
        };
        if terms.is_empty() && instance.is_none() && modifiers.is_empty() {
            return Ok(name);
        }
        Ok(format!("{pmu}@{name}{terms}@{modifiers}"))
    }

    /// The term of an option.
    fn term(&self, option: &str, is_uncore: bool, pmu: &str) -> Option<String> {
        let (term, number) = term(option, is_uncore)?;
        // perf's script has one spelling for all drivers.
        if self.encoding == Encoding::Perf {
            return Some(format!("{term}={number}"));
        }
        if term == SECOND_REGISTER {
            let digits = number.strip_prefix("0x");
            let number = digits.map_or(number.parse(), |digits| u32::from_str_radix(digits, 16));
            return Some(filter::term(number.ok()?.into()));
        }
        let term = if term == THRESHOLDS[0] { self.threshold(pmu)? } else { term };
        Some(format!("{term}={number}"))
    }

    /// The driver's term for what a count must reach in a cycle; `None` if it has none.
    fn threshold(&self, pmu: &str) -> Option<&'static str> {
        match builtin::of_pmu(self.cpuid, pmu) {
            Some(formats) => THRESHOLDS.into_iter().find(|term| formats.find(term).is_some()),
            None => Some(THRESHOLDS[0]),
        }
    }

    fn on_core(&self, name: &str, terms: &str, modifiers: &str) -> String {
        let colon = if modifiers.is_empty() { "" } else { ":" };
        match (self.is_hybrid, terms) {
            (true, _) => format!("cpu_core@{name}{terms}@{modifiers}"),
            (false, "") => format!("{name}{colon}{modifiers}"),
            (false, _) => format!("cpu@{name}{terms}@{modifiers}"),
        }
    }

    /// Ticks of the time-stamp counter.
    pub(super) fn tsc(&self) -> String {
        let of_cores = if self.is_hybrid { r"\,cpu\=cpu_core" } else { "" };
        format!("msr@tsc{of_cores}@")
    }

    /// The meaning of a constant. `events` are those of the metric, as written.
    /// `Err` says what no rule covers.
    pub(super) fn constant(
        &self,
        written: &str,
        is_tma: bool,
        events: &[String],
    ) -> Result<(String, Form), String> {
        let atom = |text: &str| Ok((text.to_owned(), Form::Atom));
        let compound = |text: &str| Ok((text.to_owned(), Form::Compound));
        match written.to_ascii_uppercase().as_str() {
            // There it means a count of ticks: the formula does not divide by a time.
            "SYSTEM_TSC_FREQ" if is_tma => Ok((self.tsc(), Form::Atom)),
            "SYSTEM_TSC_FREQ" => atom("#SYSTEM_TSC_FREQ"),
            "SOCKET_COUNT" => atom("#num_packages"),
            "HYPERTHREADING_ON" | "SMT_ON" => atom("#SMT_on"),
            "THREADS_PER_CORE" => compound("2 if #SMT_on else 1"),
            "CORES_PER_SOCKET" => compound("#num_cores / #num_packages"),
            "NUM_CPUS" | "SYSTEM.SOCKETS[0].CPUS.COUNT * SYSTEM.SOCKET_COUNT" => {
                atom("#num_cpus_online")
            }
            "DURATIONTIMEINSECONDS" | "DURATION_TIME" => atom("duration_time"),
            "DURATIONTIMEINMILLISECONDS" => compound("duration_time * 1000"),
            "CHAS_PER_SOCKET" => {
                let of_cha = |event: &&String| event.starts_with("UNC_CHA");
                let is_plain = |event: &&String| of_cha(event) && !event.contains(':');
                let found = events.iter().find(is_plain).or_else(|| events.iter().find(of_cha));
                let event = found.ok_or("CHAS_PER_SOCKET without an event of a CHA")?;
                let name = event.split(':').next().unwrap_or_default();
                Ok((format!("source_count({name})"), Form::Atom))
            }
            number if number.parse::<f64>().is_ok_and(f64::is_finite) => atom(written),
            _ => Err(format!("no rule covers the constant `{written}`")),
        }
    }
}

/// The term of an option, and its number: decimal without `0x`.
fn term(option: &str, is_uncore: bool) -> Option<(&'static str, &str)> {
    for (start, on_core, on_uncore) in TERMS {
        let Some(number) = option.strip_prefix(start) else {
            continue;
        };
        let digits = number.strip_prefix("0x");
        let is_number = match digits {
            Some(digits) => u64::from_str_radix(digits, 16).is_ok(),
            None => number.bytes().all(|c| c.is_ascii_digit()) && number.parse::<u64>().is_ok(),
        };
        let term = if is_uncore { on_uncore } else { on_core };
        if is_number && !term.is_empty() {
            return Some((term, number));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pmus() -> Pmus {
        let known = [
            ("unc_cha_shine", "uncore_cha"),
            ("unc_arb_shine", "uncore_arb"),
            ("unc_clock.shine", "uncore_clock"),
            ("facets.cut", "default_core"),
        ];
        known.map(|(name, pmu)| (name.to_owned(), pmu.to_owned())).into()
    }

    /// Those of a CPU without a driver.
    fn names(pmus: &Pmus) -> Names<'_> {
        let encoding = Encoding::Correct;
        Names { cpuid: "GenuineIntel-6-F1", pmus, is_hybrid: false, encoding }
    }

    #[test]
    fn second_registers() {
        let pmus = pmus();
        let cases = [
            (Encoding::Correct, r"cha@UNC_CHA_SHINE\,config1\=0x12cc023300000000@"),
            // As perf's script has it: bits of the first register.
            (Encoding::Perf, r"cha@UNC_CHA_SHINE\,config1\=0x12cc0233@"),
        ];
        for (encoding, expected) in cases {
            let names = Names { encoding, ..names(&pmus) };
            let found = names.event("UNC_CHA_SHINE:filter1=0x12CC0233", None);
            assert_eq!(found.as_deref(), Ok(expected));
        }
        let found = names(&pmus).event("UNC_CHA_SHINE:filter1=0x100000000", None);
        let message = "no rule covers the option `filter1=0x100000000` of `UNC_CHA_SHINE`";
        assert_eq!(found, Err(message.to_owned()));
    }

    #[test]
    fn thresholds() {
        let pmus = pmus();
        let none = Err("no rule covers the option `c1` of `UNC_CLOCK.SHINE`");
        let cases = [
            // A driver that is not known, a server, Skylake, Alder Lake, Meteor Lake.
            ("GenuineIntel-6-F1", "UNC_ARB_SHINE:c1", Ok(r"arb@UNC_ARB_SHINE\,thresh\=1@")),
            ("GenuineIntel-6-55-[01234]", "UNC_CHA_SHINE:c1", Ok(r"cha@UNC_CHA_SHINE\,thresh\=1@")),
            ("GenuineIntel-6-5E", "UNC_ARB_SHINE:c0x2", Ok(r"arb@UNC_ARB_SHINE\,cmask\=0x2@")),
            ("GenuineIntel-6-97", "UNC_ARB_SHINE:c1", Ok(r"arb@UNC_ARB_SHINE\,cmask\=1@")),
            ("GenuineIntel-6-AA", "UNC_ARB_SHINE:c1", Ok(r"arb@UNC_ARB_SHINE\,threshold\=1@")),
            ("GenuineIntel-6-AA", "UNC_CLOCK.SHINE:c1", none),
        ];
        for (cpuid, written, expected) in cases {
            let found = Names { cpuid, ..names(&pmus) }.event(written, None);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{cpuid}: {written}");
            let perf = Names { cpuid, encoding: Encoding::Perf, ..names(&pmus) };
            let found = perf.event(written, None).expect("perf's script has a term for all");
            assert!(found.contains(r"\,thresh\="), "{cpuid}: {found}");
        }
    }

    #[test]
    fn events() {
        let pmus = pmus();
        let plain = names(&pmus);
        let hybrid = Names { is_hybrid: true, ..names(&pmus) };
        let cases = [
            ("FACETS.CUT", "FACETS.CUT", "cpu_core@FACETS.CUT@"),
            ("FACETS.CUT:c12", r"cpu@FACETS.CUT\,cmask\=12@", r"cpu_core@FACETS.CUT\,cmask\=12@"),
            (
                "FACETS.CUT:i1:c0x1:e1",
                r"cpu@FACETS.CUT\,inv\=1\,cmask\=0x1\,edge\=1@",
                r"cpu_core@FACETS.CUT\,inv\=1\,cmask\=0x1\,edge\=1@",
            ),
            (
                "FACETS.CUT:u0xfc",
                r"cpu@FACETS.CUT\,umask\=0xfc@",
                r"cpu_core@FACETS.CUT\,umask\=0xfc@",
            ),
            ("FACETS.CUT:eq1", r"cpu@FACETS.CUT\,eq\=1@", r"cpu_core@FACETS.CUT\,eq\=1@"),
            (
                "FACETS.CUT:ocr_msr_val=0x10",
                r"cpu@FACETS.CUT\,offcore_rsp\=0x10@",
                r"cpu_core@FACETS.CUT\,offcore_rsp\=0x10@",
            ),
            ("FACETS.CUT:SUP", "FACETS.CUT:k", "cpu_core@FACETS.CUT@k"),
            (
                "FACETS.CUT:sup:c1",
                r"cpu@FACETS.CUT\,cmask\=1@k",
                r"cpu_core@FACETS.CUT\,cmask\=1@k",
            ),
            ("FACETS.CUT:USER", "FACETS.CUT:u", "cpu_core@FACETS.CUT@u"),
            ("FACETS.CUT:retire_latency", "FACETS.CUT:R", "cpu_core@FACETS.CUT@R"),
            ("TOPDOWN.SLOTS:perf_metrics", "slots", "cpu_core@slots@"),
            ("TOPDOWN.SLOTS:percore", "slots", "cpu_core@slots@"),
            (
                "PERF_METRICS.FETCH_LATENCY",
                r"topdown\-fetch\-lat",
                r"cpu_core@topdown\-fetch\-lat@",
            ),
            ("TSC", "msr@tsc@", r"msr@tsc\,cpu\=cpu_core@"),
            ("UNC_PKG_ENERGY_STATUS", r"power@energy\-pkg@", r"power@energy\-pkg@"),
            ("MSR_EVENT:msr=0x619:type=FREERUN", r"power@energy\-ram@", r"power@energy\-ram@"),
            ("UNC_CHA_SHINE", "UNC_CHA_SHINE", "UNC_CHA_SHINE"),
            (
                "UNC_CHA_SHINE:c1",
                r"cha@UNC_CHA_SHINE\,thresh\=1@",
                r"cha@UNC_CHA_SHINE\,thresh\=1@",
            ),
            (
                "UNC_CHA_SHINE:opc=0x182:tid=0x3e",
                r"cha@UNC_CHA_SHINE\,filter_opc\=0x182\,filter_tid\=0x3e@",
                r"cha@UNC_CHA_SHINE\,filter_opc\=0x182\,filter_tid\=0x3e@",
            ),
            (
                "UNC_CHA_SHINE:filter1=0x40",
                r"cha@UNC_CHA_SHINE\,config1\=0x4000000000@",
                r"cha@UNC_CHA_SHINE\,config1\=0x4000000000@",
            ),
            ("UNC_CHA_SHINE:one_unit", "cha_0@UNC_CHA_SHINE@", "cha_0@UNC_CHA_SHINE@"),
            (
                "UNC_IIO_PAYLOAD_BYTES_IN.MEM_READ.PART1",
                "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART1",
                "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART1",
            ),
        ];
        for (written, expected, on_hybrid) in cases {
            assert_eq!(plain.event(written, None).as_deref(), Ok(expected), "{written}");
            assert_eq!(hybrid.event(written, None).as_deref(), Ok(on_hybrid), "{written}");
        }
        let one = plain.event("UNC_CHA_SHINE", Some("2"));
        assert_eq!(one.as_deref(), Ok("cha_2@UNC_CHA_SHINE@"));
        let faults = [
            ("FACETS.CUT:x1", None, "no rule covers the option `x1` of `FACETS.CUT`"),
            ("FACETS.CUT:c", None, "no rule covers the option `c` of `FACETS.CUT`"),
            ("FACETS.CUT:cff", None, "no rule covers the option `cff` of `FACETS.CUT`"),
            ("FACETS.CUT:opc=1", None, "no rule covers the option `opc=1` of `FACETS.CUT`"),
            ("FACETS.CUT:percore", None, "no rule covers the option `percore` of `FACETS.CUT`"),
            (
                "FACETS.CUT",
                Some("0"),
                "`FACETS.CUT` is not an uncore event: no single unit can be selected",
            ),
            ("UNC_CHA_DULL:c1", None, "`UNC_CHA_DULL` is not an event of this model"),
            ("PERF_METRICS.SHINE", None, "unknown field of PERF_METRICS `SHINE`"),
        ];
        for (written, unit, message) in faults {
            assert_eq!(plain.event(written, unit), Err(message.to_owned()), "{written}");
        }
    }

    #[test]
    fn constants() {
        let pmus = pmus();
        let names = names(&pmus);
        let cases: [(&str, bool, &[&str], Result<(&str, Form), &str>); 12] = [
            ("SYSTEM_TSC_FREQ", false, &[], Ok(("#SYSTEM_TSC_FREQ", Form::Atom))),
            ("SYSTEM_TSC_FREQ", true, &[], Ok(("msr@tsc@", Form::Atom))),
            ("SOCKET_COUNT", false, &[], Ok(("#num_packages", Form::Atom))),
            ("HYPERTHREADING_ON", true, &[], Ok(("#SMT_on", Form::Atom))),
            ("THREADS_PER_CORE", true, &[], Ok(("2 if #SMT_on else 1", Form::Compound))),
            ("CORES_PER_SOCKET", false, &[], Ok(("#num_cores / #num_packages", Form::Compound))),
            ("durationTimeInMilliSeconds", true, &[], Ok(("duration_time * 1000", Form::Compound))),
            ("20", true, &[], Ok(("20", Form::Atom))),
            (
                "CHAS_PER_SOCKET",
                false,
                &["UNC_CHA_A:c1", "UNC_CHA_B"],
                Ok(("source_count(UNC_CHA_B)", Form::Atom)),
            ),
            (
                "CHAS_PER_SOCKET",
                false,
                &["UNC_CHA_A:c1"],
                Ok(("source_count(UNC_CHA_A)", Form::Atom)),
            ),
            ("CHAS_PER_SOCKET", false, &[], Err("CHAS_PER_SOCKET without an event of a CHA")),
            ("inf", false, &[], Err("no rule covers the constant `inf`")),
        ];
        for (written, is_tma, events, expected) in cases {
            let events: Vec<String> = events.iter().map(|&event| event.to_owned()).collect();
            let expected = expected.map(|(text, form)| (text.to_owned(), form));
            let expected = expected.map_err(str::to_owned);
            assert_eq!(names.constant(written, is_tma, &events), expected, "{written}");
        }
    }
}
