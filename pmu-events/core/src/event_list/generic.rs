//! Generic events, which are numbered by the kernel or measured by perf itself.

use core::str::FromStr;

use crate::located;

/// An event of [`perf_type::HARDWARE`](crate::perf_type::HARDWARE). Its discriminant is the event's config.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Hardware {
    CpuCycles = 0,
    Instructions = 1,
    CacheReferences = 2,
    CacheMisses = 3,
    BranchInstructions = 4,
    BranchMisses = 5,
    BusCycles = 6,
    StalledCyclesFrontend = 7,
    StalledCyclesBackend = 8,
    RefCpuCycles = 9,
}

impl Hardware {
    pub(super) fn find(name: &str) -> Option<Self> {
        Lowered::of(name)?.word(Self::word)
    }

    /// Finds an event that is a word of the grammar: in lower case.
    pub(super) fn word(name: &str) -> Option<Self> {
        Some(match name {
            "cpu-cycles" | "cycles" => Self::CpuCycles,
            "instructions" => Self::Instructions,
            "cache-references" => Self::CacheReferences,
            "cache-misses" => Self::CacheMisses,
            "branch-instructions" | "branches" => Self::BranchInstructions,
            "branch-misses" => Self::BranchMisses,
            "bus-cycles" => Self::BusCycles,
            "stalled-cycles-frontend" | "idle-cycles-frontend" => Self::StalledCyclesFrontend,
            "stalled-cycles-backend" | "idle-cycles-backend" => Self::StalledCyclesBackend,
            "ref-cycles" => Self::RefCpuCycles,
            _ => return None,
        })
    }

    /// Returns the config of `perf_event_attr`, without the PMU type that
    /// hybrid machines require in its upper half.
    #[must_use]
    pub const fn config(self) -> u64 {
        self as u64
    }

    /// Returns the event string that describes the event in the table `common`
    /// of trees newer than Linux 6.12.
    ///
    /// ```
    /// use pmu_events::event_list::Hardware;
    /// assert_eq!(Hardware::BusCycles.event_string(), "legacy-hardware-config=6");
    /// ```
    #[must_use]
    pub const fn event_string(self) -> &'static str {
        match self {
            Self::CpuCycles => "legacy-hardware-config=0",
            Self::Instructions => "legacy-hardware-config=1",
            Self::CacheReferences => "legacy-hardware-config=2",
            Self::CacheMisses => "legacy-hardware-config=3",
            Self::BranchInstructions => "legacy-hardware-config=4",
            Self::BranchMisses => "legacy-hardware-config=5",
            Self::BusCycles => "legacy-hardware-config=6",
            Self::StalledCyclesFrontend => "legacy-hardware-config=7",
            Self::StalledCyclesBackend => "legacy-hardware-config=8",
            Self::RefCpuCycles => "legacy-hardware-config=9",
        }
    }
}

/// In any letter case; in lists of events, only lower case is a word of the grammar.
///
/// ```
/// use pmu_events::event_list::Hardware;
/// assert_eq!("branches".parse(), Ok(Hardware::BranchInstructions));
/// assert_eq!("CYCLES".parse(), Ok(Hardware::CpuCycles));
/// ```
impl FromStr for Hardware {
    type Err = located::Error;

    fn from_str(name: &str) -> Result<Self, located::Error> {
        Hardware::find(name).ok_or(located::Error::expected(name, "a hardware event"))
    }
}

/// An event of [`perf_type::SOFTWARE`](crate::perf_type::SOFTWARE). Its discriminant is the event's config.
///
/// ```
/// use pmu_events::event_list::Software;
///
/// let event: Software = "page-faults".parse()?;
/// assert_eq!((event, event.config()), (Software::PageFaults, 2));
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Software {
    CpuClock = 0,
    TaskClock = 1,
    PageFaults = 2,
    ContextSwitches = 3,
    CpuMigrations = 4,
    MinorFaults = 5,
    MajorFaults = 6,
    AlignmentFaults = 7,
    EmulationFaults = 8,
    Dummy = 9,
    BpfOutput = 10,
    CgroupSwitches = 11,
}

impl Software {
    pub(super) fn find(name: &str) -> Option<Self> {
        Lowered::of(name)?.word(Self::word)
    }

    /// Finds an event that is a word of the grammar: in lower case.
    pub(super) fn word(name: &str) -> Option<Self> {
        Some(match name {
            "cpu-clock" => Self::CpuClock,
            "task-clock" => Self::TaskClock,
            "page-faults" | "faults" => Self::PageFaults,
            "context-switches" | "cs" => Self::ContextSwitches,
            "cpu-migrations" | "migrations" => Self::CpuMigrations,
            "minor-faults" => Self::MinorFaults,
            "major-faults" => Self::MajorFaults,
            "alignment-faults" => Self::AlignmentFaults,
            "emulation-faults" => Self::EmulationFaults,
            "dummy" => Self::Dummy,
            "bpf-output" => Self::BpfOutput,
            "cgroup-switches" => Self::CgroupSwitches,
            _ => return None,
        })
    }

    /// Returns the config of `perf_event_attr`.
    #[must_use]
    pub const fn config(self) -> u64 {
        self as u64
    }
}

/// In any letter case; in lists of events, only lower case is a word of the grammar.
///
/// ```
/// use pmu_events::event_list::Software;
/// assert_eq!("cs".parse().map(Software::config), Ok(3));
/// assert_eq!("Page-Faults".parse(), Ok(Software::PageFaults));
/// ```
impl FromStr for Software {
    type Err = located::Error;

    fn from_str(name: &str) -> Result<Self, located::Error> {
        Software::find(name).ok_or(located::Error::expected(name, "a software event"))
    }
}

/// A value that the program measures itself, without a counter: a time, or since Linux
/// 6.13 a number that the machine or the measurement has (`tools/perf/util/tool_pmu.c`).
///
/// ```
/// use pmu_events::event_list::Tool;
///
/// let event: Tool = "duration_time".parse()?;
/// assert_eq!(event, Tool::DurationTime);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tool {
    /// The elapsed time, in nanoseconds.
    DurationTime,
    /// The time spent by the workload in user space, in nanoseconds.
    UserTime,
    /// The time spent by the workload in the kernel, in nanoseconds.
    SystemTime,
    /// Whether the machine has persistent memory, 0 or 1.
    HasPmem,
    /// The number of cores; threads of one core count once.
    NumCores,
    /// The number of CPUs, counting gaps in their numbering.
    NumCpus,
    /// The number of online CPUs.
    NumCpusOnline,
    /// The number of dies.
    NumDies,
    /// The number of packages.
    NumPackages,
    /// The operations that an Arm core can start in a cycle.
    Slots,
    /// Whether threads share a core, 0 or 1.
    SmtOn,
    /// The frequency of the time-stamp counter of an x86 CPU, in hertz.
    SystemTscFreq,
    /// Whether all threads of a core are measured together, 0 or 1; since Linux 6.17.
    CoreWide,
    /// Whether CPUs are measured rather than tasks, 0 or 1; since Linux 6.17.
    TargetCpu,
}

impl Tool {
    /// All events, in the order of their numbers in perf.
    pub const ALL: &'static [Self] = &[
        Self::DurationTime,
        Self::UserTime,
        Self::SystemTime,
        Self::HasPmem,
        Self::NumCores,
        Self::NumCpus,
        Self::NumCpusOnline,
        Self::NumDies,
        Self::NumPackages,
        Self::Slots,
        Self::SmtOn,
        Self::SystemTscFreq,
        Self::CoreWide,
        Self::TargetCpu,
    ];

    pub(super) fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.name().eq_ignore_ascii_case(name))
    }

    /// Finds an event that is a word of the grammar: a time, in lower case. The names of
    /// the others may also be events of a PMU.
    pub(super) fn word(name: &str) -> Option<Self> {
        Self::TIMES.into_iter().find(|tool| tool.name() == name)
    }

    /// Finds a time by name, in any letter case.
    pub(super) fn time(name: &str) -> Option<Self> {
        Self::TIMES.into_iter().find(|tool| tool.name().eq_ignore_ascii_case(name))
    }

    const TIMES: [Self; 3] = [Self::DurationTime, Self::UserTime, Self::SystemTime];

    /// Returns the name of the event.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DurationTime => "duration_time",
            Self::UserTime => "user_time",
            Self::SystemTime => "system_time",
            Self::HasPmem => "has_pmem",
            Self::NumCores => "num_cores",
            Self::NumCpus => "num_cpus",
            Self::NumCpusOnline => "num_cpus_online",
            Self::NumDies => "num_dies",
            Self::NumPackages => "num_packages",
            Self::Slots => "slots",
            Self::SmtOn => "smt_on",
            Self::SystemTscFreq => "system_tsc_freq",
            Self::CoreWide => "core_wide",
            Self::TargetCpu => "target_cpu",
        }
    }

    /// Whether the value is a time. A clock counts nanoseconds. The others are literals of
    /// formulas, too: `#num_cpus` has the value of `num_cpus`.
    #[must_use]
    pub const fn is_time(self) -> bool {
        matches!(self, Self::DurationTime | Self::UserTime | Self::SystemTime)
    }
}

/// In any letter case.
///
/// ```
/// use pmu_events::event_list::Tool;
/// assert_eq!("duration_time".parse(), Ok(Tool::DurationTime));
/// assert_eq!("Num_Cpus".parse(), Ok(Tool::NumCpus));
/// assert!("num".parse::<Tool>().is_err());
/// ```
impl FromStr for Tool {
    type Err = located::Error;

    fn from_str(name: &str) -> Result<Self, located::Error> {
        Tool::find(name).ok_or(located::Error::expected(name, "a tool event"))
    }
}

/// A name in lower case, if it is not longer than all generic events.
struct Lowered {
    bytes: [u8; LONGEST],
    len: usize,
}

/// `stalled-cycles-frontend`
const LONGEST: usize = 23;

impl Lowered {
    fn of(name: &str) -> Option<Self> {
        let mut bytes = [0; LONGEST];
        let room = bytes.get_mut(..name.len())?;
        room.copy_from_slice(name.as_bytes());
        room.make_ascii_lowercase();
        Some(Lowered { bytes, len: name.len() })
    }

    fn word<T>(&self, word: fn(&str) -> Option<T>) -> Option<T> {
        word(str::from_utf8(self.bytes.get(..self.len)?).ok()?)
    }
}

/// The names of all hardware and software events, and of the times. If an event has several
/// names, the first one is the one `perf list` prints first.
pub(super) const NAMES: [&str; 32] = [
    "cpu-cycles",
    "cycles",
    "instructions",
    "cache-references",
    "cache-misses",
    "branch-instructions",
    "branches",
    "branch-misses",
    "bus-cycles",
    "stalled-cycles-frontend",
    "idle-cycles-frontend",
    "stalled-cycles-backend",
    "idle-cycles-backend",
    "ref-cycles",
    "cpu-clock",
    "task-clock",
    "page-faults",
    "faults",
    "context-switches",
    "cs",
    "cpu-migrations",
    "migrations",
    "minor-faults",
    "major-faults",
    "alignment-faults",
    "emulation-faults",
    "dummy",
    "bpf-output",
    "cgroup-switches",
    "duration_time",
    "user_time",
    "system_time",
];
