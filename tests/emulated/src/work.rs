//! A loop with a known number of instructions.

use pmu_events::open::Counter;

/// Enables a counter and its group, goes round a loop of two instructions, and
/// disables it again, with nothing between but what is written here.
///
/// What user space executes while it is enabled: twice `turns`, and
/// [`AROUND`].
#[cfg(target_arch = "aarch64")]
pub(crate) fn count(leader: &Counter, turns: u64) {
    use std::os::fd::AsRawFd;
    /// `__NR_ioctl`, `PERF_EVENT_IOC_ENABLE`, `_DISABLE`, `_FLAG_GROUP`.
    const IOCTL: u64 = 29;
    const ENABLE: u64 = 0x2400;
    const DISABLE: u64 = 0x2401;
    const GROUP: u64 = 1;
    let fd = leader.as_raw_fd() as u64;
    // SAFETY: two system calls that write no memory of ours; the kernel keeps
    // all registers but x0.
    unsafe {
        std::arch::asm!(
            "svc #0",
            "2:",
            "subs {turns}, {turns}, #1",
            "b.ne 2b",
            "mov x0, {fd}",
            "mov x1, {disable}",
            "svc #0",
            turns = inout(reg) turns => _,
            fd = in(reg) fd,
            disable = in(reg) DISABLE,
            inout("x0") fd => _,
            inout("x1") ENABLE => _,
            in("x2") GROUP,
            in("x8") IOCTL,
        );
    }
}

/// The instructions behind the loop: two moves and the call that disables.
#[cfg(target_arch = "aarch64")]
pub(crate) const AROUND: u64 = 3;

/// Enables a counter and its group, goes round a loop, and disables it again.
#[cfg(not(target_arch = "aarch64"))]
pub(crate) fn count(leader: &Counter, turns: u64) {
    leader.enable_group().expect("it can be enabled");
    spin(turns);
    leader.disable_group().expect("it can be disabled");
}

/// Goes round a loop of [`PER_TURN`] instructions.
#[cfg(target_arch = "aarch64")]
pub(crate) fn spin(turns: u64) {
    // SAFETY: it touches a register that it was given.
    unsafe {
        std::arch::asm!("2:", "subs {0}, {0}, #1", "b.ne 2b", inout(reg) turns => _);
    }
}

#[cfg(target_arch = "powerpc64")]
pub(crate) fn spin(turns: u64) {
    // SAFETY: it touches the count register, and says so.
    unsafe {
        std::arch::asm!("mtctr {0}", "2:", "bdnz 2b", in(reg) turns, out("ctr") _);
    }
}

#[cfg(target_arch = "riscv64")]
pub(crate) fn spin(turns: u64) {
    // SAFETY: it touches a register that it was given.
    unsafe {
        std::arch::asm!("2:", "addi {0}, {0}, -1", "bnez {0}, 2b", inout(reg) turns => _);
    }
}

/// The instructions of a turn.
pub(crate) const PER_TURN: u64 = if cfg!(target_arch = "powerpc64") { 1 } else { 2 };

/// What an instruction takes: at `-icount shift=1` two nanoseconds, and the
/// counter has a gigahertz. QEMU's RISC-V counts instructions as cycles, too, and
/// `shift=0` makes that true.
pub(crate) const CYCLES: u64 = if cfg!(target_arch = "riscv64") { 1 } else { 2 };
