//! Generic events, which are numbered by the kernel or measured by perf itself.

/// An event of `PERF_TYPE_HARDWARE`. Its discriminant is the event's config.
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
    /// `PERF_TYPE_HARDWARE`, the type of `perf_event_attr`.
    pub const TYPE: u32 = crate::perf_type::HARDWARE;

    /// Finds an event by name; case matters.
    ///
    /// ```
    /// use pmu_events::event_list::Hardware;
    /// assert_eq!(Hardware::find("branches"), Some(Hardware::BranchInstructions));
    /// assert_eq!(Hardware::BranchInstructions.config(), 4);
    /// ```
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
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

/// An event of `PERF_TYPE_SOFTWARE`. Its discriminant is the event's config.
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
    /// `PERF_TYPE_SOFTWARE`, the type of `perf_event_attr`.
    pub const TYPE: u32 = crate::perf_type::SOFTWARE;

    /// Finds an event by name; case matters.
    ///
    /// ```
    /// use pmu_events::event_list::Software;
    /// assert_eq!(Software::find("cs").map(Software::config), Some(3));
    /// ```
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
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

/// A value that the program measures itself, without a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tool {
    /// The elapsed time, in nanoseconds.
    DurationTime,
    /// The time spent by the workload in user space, in nanoseconds.
    UserTime,
    /// The time spent by the workload in the kernel, in nanoseconds.
    SystemTime,
}

impl Tool {
    /// Finds an event by name; case matters.
    ///
    /// ```
    /// use pmu_events::event_list::Tool;
    /// assert_eq!(Tool::find("duration_time"), Some(Tool::DurationTime));
    /// ```
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Some(match name {
            "duration_time" => Self::DurationTime,
            "user_time" => Self::UserTime,
            "system_time" => Self::SystemTime,
            _ => return None,
        })
    }
}

/// The names of all hardware, software and tool events. If an event has several
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
