//! How many times as much a second run of a program counts.

use crate::situations::Counted;

/// What changes between two runs of a program that does the same in each.
#[derive(Clone, Copy, Debug)]
pub struct Scales {
    /// What a program does.
    pub work: f64,
    /// Cycles of clocks that run while a program pauses.
    pub clocks: f64,
    /// Cycles of the time-stamp counter.
    pub tsc: f64,
    pub seconds: f64,
    /// What the machine has.
    pub cpus: f64,
    pub cores: f64,
    pub packages: f64,
}

impl Default for Scales {
    fn default() -> Self {
        Scales {
            work: 1.0,
            clocks: 1.0,
            tsc: 1.0,
            seconds: 1.0,
            cpus: 1.0,
            cores: 1.0,
            packages: 1.0,
        }
    }
}

impl Scales {
    /// How many times as much an event counts.
    pub fn of(&self, event: &Counted) -> f64 {
        let Counted { name, identity, .. } = event;
        let (_, modifiers) = identity.rsplit_once('/').unwrap_or_default();
        match &**name {
            // The latency of one.
            _ if modifiers.contains('r') => 1.0,
            "duration_time" => self.seconds,
            // The time on CPUs, in which the other counts, too.
            "tsc" | "cpu-clock" => self.tsc,
            _ if is_clock(event) => self.clocks,
            // One count of each core or package (`PERF_PMU_SCOPE_CORE`, `PERF_PMU_SCOPE_PKG`).
            _ if identity.starts_with("cstate_core") => self.cores * self.seconds,
            _ if identity.starts_with("cstate_pkg") => self.packages * self.seconds,
            _ => self.work,
        }
    }
}

/// Whether an event of an uncore counts its own cycles.
fn is_clock(Counted { name, identity, .. }: &Counted) -> bool {
    name.starts_with("unc_") && (name.contains("clockticks") || name.contains("clock.socket"))
        || name == "umc_mem_clk"
        // Older tables have no name for it.
        || identity.starts_with(r#"cbox/{"event": "0"}"#)
}
