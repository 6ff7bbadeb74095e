/// Whom a counter watches: the arguments `pid` and `cpu` of the system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The thread that opens it, on whichever CPU it runs.
    ThisThread,
    /// A thread by its id, on whichever CPU it runs. The id of a process is
    /// that of its first thread.
    Thread(u32),
    /// Everything on a CPU.
    Cpu(u32),
    /// A thread while it is on a CPU; 0 is the thread that opens it.
    ThreadOnCpu {
        /// The thread.
        thread: u32,
        /// The CPU.
        cpu: u32,
    },
}

impl Target {
    /// `pid` and `cpu`. A number that is no id comes out as one that no task
    /// and no CPU has.
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

    pub(super) fn is_whole_cpu(self) -> bool {
        matches!(self, Target::Cpu(_))
    }
}
