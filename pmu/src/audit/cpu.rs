//! Names of CPUs in file names and lines.

use std::collections::HashMap;

use pmu_events::cpuid;

use super::words;
use crate::decode::names::plain;
use crate::trees::{Named, Table, Trees};

/// A CPU whose events are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cpu {
    /// A name that `--model` takes.
    pub(crate) model: &'static str,
    /// The PMU of one kind of core, where a model has several.
    pub(crate) core: Option<&'static str>,
}

impl Cpu {
    const fn of(model: &'static str) -> Self {
        Cpu { model, core: None }
    }
}

/// The names of CPUs that a text may have, in one word.
pub(crate) struct Cpus {
    names: HashMap<String, Cpu>,
}

impl Cpus {
    pub(crate) fn new(trees: &Trees) -> Self {
        let mut names = HashMap::new();
        for table in trees.all().filter(|table| !table.sys && is_cpu(table)) {
            names.insert(plain(table.last_part()), Cpu::of(table.directory()));
        }
        let has_table = |name: &str| matches!(trees.named(name), Named::One(_));
        for (name, _) in cpuid::names().filter(|(name, _)| has_table(name)) {
            names.entry(plain(name)).or_insert(Cpu::of(name));
        }
        for &(alias, model, core) in ALIASES {
            if has_table(model) {
                names.insert(alias.into(), Cpu { model, core });
            }
        }
        Cpus { names }
    }

    /// The CPUs that a text names, the longest name at each place.
    pub(crate) fn named_in(&self, text: &str) -> Vec<Cpu> {
        let words = words::of(text);
        let mut found = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let most = (words.len() - at).min(MOST_WORDS);
            let named = (1..=most).rev().find_map(|count| {
                let joined = words[at..at + count].concat();
                Some((count, *self.names.get(&joined)?))
            });
            match named {
                Some((count, cpu)) => {
                    if !found.contains(&cpu) {
                        found.push(cpu);
                    }
                    at += count;
                }
                None => at += 1,
            }
        }
        found
    }

    /// The CPU that the path of a file names: its own name, or that of the innermost directory.
    pub(crate) fn of_path(&self, path: &str) -> Option<Cpu> {
        path.rsplit(['/', '\\']).find_map(|part| {
            let stem = part.rsplit_once('.').map_or(part, |(stem, _)| stem);
            let mut named = self.named_in(stem);
            if named.is_empty() {
                named = abbreviated(&words::of(stem));
            }
            match named[..] {
                [cpu] => Some(cpu),
                _ => None,
            }
        })
    }
}

/// The CPUs whose abbreviations are among some words.
fn abbreviated(words: &[String]) -> Vec<Cpu> {
    let known = |short: &str| {
        let entry = ABBREVIATIONS.iter().find(|(known, ..)| *known == short);
        entry.map(|&(_, model, core)| Cpu { model, core })
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let both = words.get(at + 1).and_then(|next| known(&format!("{}{next}", words[at])));
        at += if both.is_some() { 2 } else { 1 };
        found.extend(both.or_else(|| known(&words[at - 1])));
    }
    found.dedup();
    found
}

/// More words are no name.
const MOST_WORDS: usize = 5;

/// Tables of architectures are no CPU's.
fn is_cpu(table: &Table) -> bool {
    !matches!(table.last_part(), "architecture" | "common" | "compat")
        && table.last_part().len() > 2
}

const P_CORE: Option<&str> = Some("cpu_core");
const E_CORE: Option<&str> = Some("cpu_atom");

/// Names that neither tables nor the kernel have: LIKWID's, nanoBench's, those of products.
const ALIASES: &[(&str, &str, Option<&str>)] = &[
    ("a57", "cortex-a57", None),
    ("a72", "cortex-a72", None),
    ("a15", "cortex-a15", None),
    ("alderlakee", "alderlake", E_CORE),
    ("alderlakep", "alderlake", P_CORE),
    ("applem1", "apple/m1", None),
    ("arrowlakee", "arrowlake", E_CORE),
    ("arrowlakep", "arrowlake", P_CORE),
    ("broadwellep", "broadwellx", None),
    ("cascadelakesp", "cascadelakex", None),
    ("cavtx2", "thunderx2", None),
    ("grace", "neoverse-v2", None),
    ("graviton2", "neoverse-n1", None),
    ("graviton3", "neoverse-v1", None),
    ("graviton4", "neoverse-v2", None),
    ("haswellep", "haswellx", None),
    ("icelakesp", "icelakex", None),
    ("ivybridgeep", "ivytown", None),
    ("knl", "knightslanding", None),
    ("meteorlakee", "meteorlake", E_CORE),
    ("meteorlakep", "meteorlake", P_CORE),
    ("neon1", "neoverse-n1", None),
    ("nvidiagrace", "neoverse-v2", None),
    ("sandybridgeep", "jaketown", None),
    ("sierraforrest", "sierraforest", None),
    ("skylakeavx512", "skylakex", None),
    ("skylakesp", "skylakex", None),
    ("skymont", "lunarlake", E_CORE),
    ("zen4c", "amdzen4", None),
    ("zen5c", "amdzen5", None),
];

/// What perfmon, libpfm4 and others shorten, which in a line would mean many other things.
const ABBREVIATIONS: &[(&str, &str, Option<&str>)] = &[
    ("adl", "alderlake", None),
    ("adlglc", "alderlake", P_CORE),
    ("adlgrt", "alderlake", E_CORE),
    ("arl", "arrowlake", None),
    ("bdwde", "broadwellde", None),
    ("bdw", "broadwell", None),
    ("bdx", "broadwellx", None),
    ("clx", "cascadelakex", None),
    ("cwf", "clearwaterforest", None),
    ("ehl", "elkhartlake", None),
    ("emr", "emeraldrapids", None),
    ("glm", "goldmont", None),
    ("glp", "goldmontplus", None),
    ("gnr", "graniterapids", None),
    ("grr", "grandridge", None),
    ("hsw", "haswell", None),
    ("hsx", "haswellx", None),
    ("icl", "icelake", None),
    ("icx", "icelakex", None),
    ("ivb", "ivybridge", None),
    ("ivbserver", "ivytown", None),
    ("ivt", "ivytown", None),
    ("jkt", "jaketown", None),
    ("lnl", "lunarlake", None),
    ("lnllnc", "lunarlake", P_CORE),
    ("lnlskt", "lunarlake", E_CORE),
    ("mtl", "meteorlake", None),
    ("mtlcmt", "meteorlake", E_CORE),
    ("mtlrwc", "meteorlake", P_CORE),
    ("rkl", "rocketlake", None),
    ("skl", "skylake", None),
    ("skx", "skylakex", None),
    ("slm", "silvermont", None),
    ("snb", "sandybridge", None),
    ("snr", "snowridgex", None),
    ("spr", "sapphirerapids", None),
    ("srf", "sierraforest", None),
    ("tgl", "tigerlake", None),
    // In a line, it is the whole family.
    ("zen", "amdzen1", None),
];

#[cfg(test)]
mod tests {
    use super::*;
    use pmu_events::event::Encoding;

    #[test]
    fn names_of_cpus() {
        let trees = Trees::new(None, Encoding::Correct).expect("they are built in");
        let cpus = Cpus::new(trees);
        for (path, expected) in [
            ("src/includes/perfmon_skylakeX_events.txt", Some(("skylakex", None))),
            ("perfmon_haswellEP_events.txt", Some(("haswellx", None))),
            ("perfmon_zen4c_events.txt", Some(("amdzen4", None))),
            ("perfmon_zen_events.txt", Some(("amdzen1", None))),
            ("configs/cfg_AlderLakeE_all.txt", Some(("alderlake", E_CORE))),
            ("cfg_Zen_all.txt", Some(("amdzen1", None))),
            ("amd_genoa_pmu_config.json", Some(("genoa", None))),
            ("intel_sapphire_rapids_pmu_config.json", Some(("sapphirerapids", None))),
            ("arch/x86/amdzen4/cache.json", Some(("amdzen4", None))),
            ("arch/arm64/arm/neoverse-n1/bus.json", Some(("arm/neoverse-n1", None))),
            ("skx_server_ratios.py", Some(("skylakex", None))),
            ("ivb_server_ratios.py", Some(("ivytown", None))),
            ("ivb_client_ratios.py", Some(("ivybridge", None))),
            ("adl_grt_ratios.py", Some(("alderlake", E_CORE))),
            ("intel_pmu_config.json", None),
            ("skylake_and_zen4.txt", None),
            ("src/PerfCounters.cc", None),
        ] {
            let found = cpus.of_path(path).map(|cpu| (cpu.model, cpu.core));
            assert_eq!(found, expected, "{path}");
        }
        for (line, expected) in [
            ("{ IntelSandyBridge, \"Intel Sandy Bridge\", 0x5101c4 }", &["sandybridge"][..]),
            ("ARMNeoverseN1", &["arm/neoverse-n1"]),
            ("\"skylake\" | \"skylake_avx512\"", &["skylake", "skylakex"]),
            ("nothing at all", &[]),
        ] {
            let found: Vec<&str> = cpus.named_in(line).iter().map(|cpu| cpu.model).collect();
            assert_eq!(found, expected, "{line}");
        }
    }
}
