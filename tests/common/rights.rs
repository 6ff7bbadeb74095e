//! What the kernel lets these tests count.
//!
//! It is asked by the system call alone, and nothing that is tested is used: so
//! settings, capabilities, containers, security modules and kernels without
//! counters are told apart as they are. What a test expects follows from the
//! answer, which is shown once for each program of tests, captured or not.

use std::io::{self, Write};
use std::sync::LazyLock;

/// Each permits what those before it permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rights {
    /// No counter at all, as in most containers.
    Nothing,
    /// Of own tasks, what happens in user space: `perf_event_paranoid` 2.
    User,
    /// Also in the kernel.
    Kernel,
    /// All that runs on a CPU.
    Cpus,
}

pub fn rights() -> Rights {
    static RIGHTS: LazyLock<Rights> = LazyLock::new(|| {
        let rights = if opens(CPU_CLOCK, false, -1, 0) {
            Rights::Cpus
        } else if opens(CPU_CLOCK, false, 0, -1) {
            Rights::Kernel
        } else if opens(CPU_CLOCK, true, 0, -1) {
            Rights::User
        } else {
            Rights::Nothing
        };
        // Unlike `eprintln!`, is shown where tests pass.
        let _ = writeln!(io::stderr(), "(what the kernel lets these tests count: {rights:?})");
        rights
    });
    *RIGHTS
}

/// Whether a kernel or a sandbox has no such system call at all.
pub fn has_no_counters() -> bool {
    !opens(CPU_CLOCK, false, 0, -1)
        && io::Error::last_os_error().raw_os_error() == Some(libc::ENOSYS)
}

/// Whether a core of this machine counts, whatever sysfs says.
pub fn has_hardware() -> bool {
    opens(CPU_CYCLES, true, 0, -1)
}

/// Type and number of an event, from <linux/perf_event.h>.
type Event = (u32, u64);

const CPU_CYCLES: Event = (0, 0);
const CPU_CLOCK: Event = (1, 0);

/// Whether the kernel opens an event for a task (0: this thread) and a CPU.
fn opens((kind, number): Event, excludes_kernel: bool, task: i32, cpu: i32) -> bool {
    // `perf_event_attr` as it first was.
    const SIZE: u32 = 64;
    const DISABLED: u32 = 0;
    const EXCLUDE_KERNEL: u32 = 5;
    // The first of bit fields is where the machine's numbers begin.
    let bit = |n: u32| if cfg!(target_endian = "big") { 1 << (63 - n) } else { 1_u64 << n };
    let flags = bit(DISABLED) | if excludes_kernel { bit(EXCLUDE_KERNEL) } else { 0 };
    let mut attr = [0_u8; SIZE as usize];
    attr[0..4].copy_from_slice(&kind.to_ne_bytes());
    attr[4..8].copy_from_slice(&SIZE.to_ne_bytes());
    attr[8..16].copy_from_slice(&number.to_ne_bytes());
    attr[40..48].copy_from_slice(&flags.to_ne_bytes());
    let [no_leader, no_flags]: [libc::c_long; 2] = [-1, 0];
    // SAFETY: the first argument is the struct, and as large as it says.
    unsafe {
        let call = libc::SYS_perf_event_open;
        let file = libc::syscall(call, attr.as_mut_ptr(), task, cpu, no_leader, no_flags);
        file >= 0 && libc::close(file as libc::c_int) == 0
    }
}
