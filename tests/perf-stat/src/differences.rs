//! The differences that remain, with reasons.

use crate::combinations::Combination;
use crate::run::Run;

/// A difference that is meant.
pub struct Difference {
    pub reason: &'static str,
    /// Whether it explains how the two runs differ.
    pub explains: fn(&Combination, [&Run; 2]) -> bool,
}

pub const ALL: &[Difference] = &[Difference {
    reason: "A refusal has the same status and goes to the same stream; its words are the \
             program's own, as they name the cause and the cure, and perf's usage is not \
             repeated.",
    explains: |_, [perf, pmu]| {
        perf.is_refusal()
            && pmu.is_refusal()
            && perf.status == pmu.status
            && (&perf.out, &perf.descriptor) == (&pmu.out, &pmu.descriptor)
    },
}];
