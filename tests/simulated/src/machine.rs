//! The CPUs and PMUs of a simulated machine.

use std::collections::BTreeSet;

/// What the kernel counts on.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The number of CPUs, all of which are online at first.
    pub cpus: u32,
    /// The PMUs. Software events and tracepoints need none.
    pub pmus: Vec<Pmu>,
}

/// A PMU, and the counters that it has.
#[derive(Clone, Debug)]
pub struct Pmu {
    /// The number in the file `type` of sysfs.
    pub type_: u32,
    /// The CPUs on which events count; `None` for all. For a PMU outside the cores, the
    /// CPUs of its `cpumask`.
    pub cpus: Option<BTreeSet<u32>>,
    /// Whether it counts tasks and is part of a core.
    pub is_core: bool,
    /// The number of counters of each CPU or, outside the cores, of the instance.
    pub counters: u32,
    /// Events that only some counters can count.
    pub constraints: Vec<Constraint>,
    /// Counters that belong to somebody else, such as the NMI watchdog. The kernel does not
    /// look at them when it checks a new group (`validate_group` in
    /// `arch/x86/events/core.c`), so such a group opens and never runs.
    pub taken: u64,
    /// The highest level of precision of a sample; `None` if the PMU raises no interrupt, and so
    /// takes no sample (`PERF_PMU_CAP_NO_INTERRUPT`).
    pub precise: Option<u8>,
}

/// Events with some bits in `config`, and the counters that can count them.
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// The bits to compare.
    pub mask: u64,
    /// Their value.
    pub value: u64,
    /// A bit for each counter.
    pub counters: u64,
}

impl Machine {
    /// A machine with one kind of core, whose PMU has the type 4.
    #[must_use]
    pub fn with_cores(cpus: u32, counters: u32) -> Self {
        Machine { cpus, pmus: vec![Pmu::core(4, None, counters)] }
    }

    /// The PMU that counts an event. Generic events belong to the PMU in the upper half of
    /// `config`, otherwise to the first core PMU (`perf_init_event` in
    /// `kernel/events/core.c`).
    pub(crate) fn pmu_of(&self, type_: u32, config: u64) -> Option<&Pmu> {
        const HARDWARE: u32 = 0;
        const CACHE: u32 = 3;
        match type_ {
            HARDWARE | CACHE => match (config >> 32) as u32 {
                0 => self.pmus.iter().find(|pmu| pmu.is_core),
                own => self.pmus.iter().find(|pmu| pmu.is_core && pmu.type_ == own),
            },
            _ => self.pmus.iter().find(|pmu| pmu.type_ == type_),
        }
    }
}

impl Pmu {
    /// A PMU of cores whose counters count any event.
    #[must_use]
    pub fn core(type_: u32, cpus: Option<BTreeSet<u32>>, counters: u32) -> Self {
        let (constraints, taken, precise) = (Vec::new(), 0, Some(3));
        Pmu { type_, cpus, is_core: true, counters, constraints, taken, precise }
    }

    /// An instance of a PMU outside the cores.
    #[must_use]
    pub fn uncore(type_: u32, cpumask: BTreeSet<u32>, counters: u32) -> Self {
        Pmu { is_core: false, precise: None, ..Pmu::core(type_, Some(cpumask), counters) }
    }

    pub(crate) fn has_cpu(&self, cpu: u32) -> bool {
        self.cpus.as_ref().is_none_or(|cpus| cpus.contains(&cpu))
    }

    fn all(&self) -> u64 {
        if self.counters >= u64::BITS { u64::MAX } else { (1 << self.counters) - 1 }
    }

    /// The counters that can count an event, as bits.
    fn allowed(&self, config: u64) -> u64 {
        let own = self.constraints.iter().find(|one| config & one.mask == one.value);
        self.all() & own.map_or(u64::MAX, |one| one.counters)
    }

    /// Whether events can be counted at the same time.
    pub(crate) fn fits(&self, configs: &[u64], taken: u64) -> bool {
        let allowed: Vec<u64> = configs.iter().map(|&one| self.allowed(one) & !taken).collect();
        let mut owner: Vec<Option<usize>> = vec![None; u64::BITS as usize];
        (0..allowed.len()).all(|event| place(event, &allowed, &mut owner, &mut 0))
    }
}

/// Gives an event a counter, moving others if necessary: an augmenting path in the graph of
/// events and counters.
fn place(event: usize, allowed: &[u64], owner: &mut [Option<usize>], seen: &mut u64) -> bool {
    for counter in 0..u64::BITS as usize {
        let bit = 1 << counter;
        if allowed[event] & bit == 0 || *seen & bit != 0 {
            continue;
        }
        *seen |= bit;
        let is_free = match owner[counter] {
            None => true,
            Some(other) => place(other, allowed, owner, seen),
        };
        if is_free {
            owner[counter] = Some(event);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_assigned() {
        let mut pmu = Pmu::core(4, None, 3);
        // 0xc0 and 0xc1 count on counter 0 only, 0xd. on the last two.
        pmu.constraints = vec![
            Constraint { mask: 0xfe, value: 0xc0, counters: 0b001 },
            Constraint { mask: 0xf0, value: 0xd0, counters: 0b110 },
        ];
        let cases: &[(&[u64], u64, bool)] = &[
            (&[], 0, true),
            (&[1, 2, 3], 0, true),
            (&[1, 2, 3, 4], 0, false),
            (&[1, 2, 3], 0b010, false),
            (&[1, 2, 0xc0], 0, true),
            (&[0xc0, 0xc1], 0, false),
            (&[1, 0xd0, 0xd1], 0, true),
            (&[0xd0, 0xd1, 0xd2], 0, false),
            (&[1, 0xd0, 0xc0], 0, true),
            (&[0xc0], 0b001, false),
        ];
        for &(configs, taken, expected) in cases {
            assert_eq!(pmu.fits(configs, taken), expected, "{configs:x?} {taken:b}");
        }
    }
}
