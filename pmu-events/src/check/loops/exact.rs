//! A loop of which each instruction is known: the only `unsafe` code among the loops. Its
//! instructions change one register of their own and the flags, and touch no memory.

/// What each step of [`spin`] has: instructions, and branches among them. Where a compiler makes
/// the loop, what it makes of it.
pub(super) struct Step {
    pub(super) instructions: [u64; 2],
    pub(super) branches: [u64; 2],
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
pub(super) const STEP: Step = Step { instructions: [2, 2], branches: [1, 1] };

/// Without optimization, a step has some twenty instructions and calls a function; with it, a
/// loop may be unrolled.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
pub(super) const STEP: Step = Step { instructions: [1, 64], branches: [0, 16] };

/// Counts down to 0, from more than that.
#[cfg(target_arch = "x86_64")]
pub(super) fn spin(steps: u64) {
    // SAFETY: the loop ends, because the register begins above 0, and does what is said above.
    unsafe {
        core::arch::asm!("2:", "sub {0}, 1", "jnz 2b", inout(reg) steps.max(1) => _,
            options(nomem, nostack));
    }
}

/// Counts down to 0, from more than that.
#[cfg(target_arch = "aarch64")]
pub(super) fn spin(steps: u64) {
    // SAFETY: the loop ends, because the register begins above 0, and does what is said above.
    unsafe {
        core::arch::asm!("2:", "subs {0}, {0}, #1", "b.ne 2b", inout(reg) steps.max(1) => _,
            options(nomem, nostack));
    }
}

/// Counts down to 0, from more than that.
#[cfg(target_arch = "riscv64")]
pub(super) fn spin(steps: u64) {
    // SAFETY: the loop ends, because the register begins above 0, and does what is said above.
    unsafe {
        core::arch::asm!("2:", "addi {0}, {0}, -1", "bnez {0}, 2b", inout(reg) steps.max(1) => _,
            options(nomem, nostack));
    }
}

/// Counts down to 0, from more than that.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
pub(super) fn spin(steps: u64) {
    let mut left = steps.max(1);
    while left > 0 {
        left = core::hint::black_box(left - 1);
    }
}
