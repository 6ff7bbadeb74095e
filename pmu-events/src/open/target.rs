use core::fmt;

/// What a counter measures: the arguments `pid` and `cpu` of the system call.
///
/// ```
/// use pmu_events::open::Target;
///
/// let here = Target::ThreadOnCpu { thread: 4711, cpu: 2 };
/// assert_eq!(here.to_string(), "thread 4711 on CPU 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// The thread that opens the counter, on any CPU.
    ThisThread,
    /// A thread by its id, on any CPU. The id of a process is that of its first
    /// thread.
    Thread(u32),
    /// Everything that runs on a CPU.
    Cpu(u32),
    /// A thread while it runs on a CPU; thread 0 is the one that opens the counter.
    ThreadOnCpu {
        /// The thread.
        thread: u32,
        /// The CPU.
        cpu: u32,
    },
}

impl Target {
    /// Returns `pid` and `cpu`. A number that is not a valid id becomes one that no
    /// task or CPU has.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    pub(super) fn arguments(self) -> (i32, i32) {
        let id = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        match self {
            Target::ThisThread => (0, -1),
            Target::Thread(thread) => (id(thread), -1),
            Target::Cpu(cpu) => (-1, id(cpu)),
            Target::ThreadOnCpu { thread, cpu } => (id(thread), id(cpu)),
        }
    }

    pub(crate) fn is_whole_cpu(self) -> bool {
        matches!(self, Target::Cpu(_))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::ThisThread => f.write_str("this thread"),
            Target::Thread(thread) => write!(f, "thread {thread}"),
            Target::Cpu(cpu) => write!(f, "CPU {cpu}"),
            Target::ThreadOnCpu { thread, cpu } => write!(f, "thread {thread} on CPU {cpu}"),
        }
    }
}
