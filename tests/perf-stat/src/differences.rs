//! The differences that remain, with reasons.

use crate::combinations::Combination;
use crate::run::Run;

/// A difference that is meant.
pub struct Difference {
    pub reason: &'static str,
    /// Whether it explains how the two runs differ.
    pub explains: fn(&Combination, [&Run; 2]) -> bool,
}

pub const ALL: &[Difference] = &[
    Difference {
        reason: "-v says how each event is open in the program's own words, in one line each.",
        explains: |combination, [perf, pmu]| {
            combination.words.starts_with("-v ")
                && without(&perf.err, &["Using CPUID", "Control descriptor", "cs:"])
                    == without(&pmu.err, &["perf stat: `cs`"])
        },
    },
    Difference {
        reason: "A timeout below 100 ms needs no warning: nothing here takes that long.",
        explains: |combination, [perf, pmu]| {
            combination.words.contains("--timeout 50")
                && without(&perf.err, &["timeout <"]) == pmu.err
        },
    },
    Difference {
        reason: "With -a and -C, the heading names the CPUs that are counted.",
        explains: |combination, [perf, pmu]| {
            combination.words.starts_with("-a -C 0 ")
                && perf.err == pmu.err.replace("'CPU(s)#9'", "'system wide'")
        },
    },
    Difference {
        reason: "A CPU that the machine does not have is an error; perf warns and counts nothing.",
        explains: |combination, [perf, pmu]| {
            combination.words.starts_with("-C 4095 ")
                && perf.err.contains("WARNING: A requested CPU")
                && pmu.is_refusal()
        },
    },
    Difference {
        reason: "A refusal has the same status and goes to the same stream; its words are the \
             program's own, as they name the cause and the cure, and perf's usage is not \
             repeated.",
        explains: |_, [perf, pmu]| {
            !perf.has_counts()
                && pmu.is_refusal()
                && perf.status == pmu.status
                && (&perf.out, &perf.descriptor) == (&pmu.out, &pmu.descriptor)
        },
    },
];

/// Without the lines that begin with any of some words.
fn without(text: &str, beginnings: &[&str]) -> String {
    let is_kept = |line: &&str| !beginnings.iter().any(|beginning| line.starts_with(beginning));
    text.split('\n').filter(is_kept).collect::<Vec<_>>().join("\n")
}
