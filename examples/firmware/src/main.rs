//! What firmware, a kernel or a hypervisor does with an event tree: without
//! standard library, heap or look-ups at run time, it programs the counters of
//! four kinds of cores. The names are looked up and encoded while this is
//! compiled; the binary has the words that come of it, and nothing of the
//! trees they come from.
//!
//! ```text
//! cargo build --release --manifest-path examples/firmware/Cargo.toml
//! ```

#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use pmu_events::{Event, name};

mod x86 {
    pmu_events::pmu_events!("../../arch/x86", models = ["silvermont", "sapphirerapids", "amdzen5"]);
}
mod arm64 {
    pmu_events::pmu_events!("../../arch/arm64");
}
mod powerpc {
    pmu_events::pmu_events!("../../arch/powerpc");
}
mod test {
    pmu_events::pmu_events!("../../arch/test");
}

/// What goes into the registers. A wrong name, or a term that the register has
/// no field for, is an error of the compiler.
const WORDS: [u32; 9] = [
    perfevtsel(x86::SILVERMONT.expect("INST_RETIRED.ANY_P")),
    perfevtsel(x86::SILVERMONT.expect("LONGEST_LAT_CACHE.MISS")),
    perfevtsel(x86::SAPPHIRERAPIDS.expect("BR_MISP_RETIRED.ALL_BRANCHES")),
    perfevtsel(x86::SAPPHIRERAPIDS.expect("L2_RQSTS.MISS")),
    perfevtsel(x86::SAPPHIRERAPIDS.expect("L1D_PEND_MISS.FB_FULL_PERIODS")),
    pmevtyper(arm64::ARM_NEOVERSE_N1.expect("L1D_CACHE_REFILL")),
    pmevtyper(arm64::ARM_NEOVERSE_N1.expect("BR_MIS_PRED_RETIRED")),
    raw_code(powerpc::POWER9.expect("PM_BR_MPRED_CMPL")),
    raw_code(test::TEST_SOC_CPU.expect("COUNTER.NONE")),
];

/// An event as the lower half of `IA32_PERFEVTSELx` takes it, for user and
/// kernel mode, enabled (Intel SDM, volume 3, “Architectural Performance
/// Monitoring”); the upper half is zero.
const fn perfevtsel(event: Event) -> u32 {
    const USER: u32 = 1 << 16;
    const KERNEL: u32 = 1 << 17;
    const ENABLE: u32 = 1 << 22;
    const FIELDS: &[(&str, u32, u32)] = &[
        ("event", 0, 8),
        ("umask", 8, 8),
        ("edge", 18, 1),
        ("any", 21, 1),
        ("inv", 23, 1),
        ("cmask", 24, 8),
    ];
    USER | KERNEL | ENABLE | encode(event, FIELDS)
}

/// An event as `PMEVTYPER<n>_EL0` takes it, for EL0 and EL1 (Arm ARM, “PMU
/// registers in AArch64 state”).
const fn pmevtyper(event: Event) -> u32 {
    encode(event, &[("event", 0, 16)])
}

/// An event as its raw code, which is what POWER and made-up cores go by.
const fn raw_code(event: Event) -> u32 {
    encode(event, &[("event", 0, 20)])
}

/// Puts the terms of an event into the fields of a register: name, lowest bit
/// and width.
const fn encode(event: Event, fields: &[(&str, u32, u32)]) -> u32 {
    let mut word = 0;
    let mut terms = event.terms();
    while let Some((term, rest)) = terms.step() {
        terms = rest;
        // How many counts make a sample: nothing of the register's.
        if name::eq(term.name, "period") {
            continue;
        }
        let Some(value) = term.number() else { panic!("a term has a value that is no number") };
        let mut n = 0;
        while !name::eq(fields[n].0, term.name) {
            n += 1;
            assert!(n < fields.len(), "a term that the register has no field for");
        }
        let (_, lowest, width) = fields[n];
        assert!(value >> width == 0, "a term has a value that its field has no room for");
        word |= (value as u32) << lowest;
    }
    word
}

/// Stands for the registers of all kinds of cores. Its name is for the
/// linker script that puts it where the hardware is.
#[unsafe(no_mangle)]
static REGISTERS: [AtomicU32; WORDS.len()] = [const { AtomicU32::new(0) }; WORDS.len()];

/// Where the boot code, or the kernel's loader, goes to.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    for (register, word) in REGISTERS.iter().zip(&WORDS) {
        register.store(*word, Ordering::Relaxed);
    }
    stop()
}

/// On Linux, which is where the tests run it, there is something to go back to.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn stop() -> ! {
    const EXIT: usize = 60;
    // SAFETY: the system call ends the process and touches no memory.
    unsafe { core::arch::asm!("syscall", in("rax") EXIT, in("rdi") 0, options(noreturn)) }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn stop() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    stop()
}
