//! How firmware, a kernel or a hypervisor uses an event tree: without the standard
//! library, a heap or run-time look-ups, it programs the counters of four kinds of
//! cores. The names are looked up and encoded at compile time; the binary contains
//! the resulting words, and nothing of the trees.
//!
//! ```text
//! cargo build --release --manifest-path examples/firmware/Cargo.toml
//! ```

#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use pmu_events::arch::{arm64, powerpc};
use pmu_events::format::{Format, Formats};
use pmu_events::register::arm::{self, ExceptionLevels};
use pmu_events::register::intel::{self, ProgrammableCounter};
use pmu_events::register::{Control, Error, amd};
use pmu_events::{Event, builtin};

/// A selection of a tree; whole ones come packed, in `arch`.
mod x86 {
    pmu_events::pmu_events!(
        builtin "x86",
        models = ["silvermont", "sapphirerapids", "amdzen5"],
        text = none,
        metrics = false,
    );
}
/// A custom tree.
mod soc {
    pmu_events::pmu_events!("../../arch/test");
}

/// The register values. A wrong name, or a term without a field in the register, is
/// a compile-time error.
const WORDS: [u32; 10] = [
    perfevtsel(x86::SILVERMONT.require("INST_RETIRED.ANY_P")),
    perfevtsel(x86::SILVERMONT.require("LONGEST_LAT_CACHE.MISS")),
    perfevtsel(x86::SAPPHIRERAPIDS.require("BR_MISP_RETIRED.ALL_BRANCHES")),
    perfevtsel(x86::SAPPHIRERAPIDS.require("L2_RQSTS.MISS")),
    perfevtsel(x86::SAPPHIRERAPIDS.require("L1D_PEND_MISS.FB_FULL_PERIODS")),
    perf_ctl(x86::AMDZEN5.require("EX_RET_BRN_MISP")),
    pmevtyper(arm64::ARM_NEOVERSE_N1.require("L1D_CACHE_REFILL")),
    pmevtyper(arm64::ARM_NEOVERSE_N1.require("BR_MIS_PRED_RETIRED")),
    raw_code(powerpc::POWER9.require("PM_BR_MPRED_CMPL"), builtin::POWER9),
    raw_code(soc::TEST_SOC_CPU.require("COUNTER.NONE"), SOC),
];

/// The formats of the fictitious core, as its manual would define them.
const SOC: Formats<'static> = Formats::new(const { &[("event", EVENT)] });
const EVENT: Format = match Format::parse("config:0-19") {
    Ok(format) => format,
    Err(_) => panic!("no format"),
};

/// Encodes an event for `IA32_PERFEVTSEL0`, enabled in user and kernel mode. These
/// events need no further register, so that the selector is written first.
const fn perfevtsel(event: Event) -> u32 {
    let counter = ProgrammableCounter::General(0);
    let program = intel::require(intel::program(event, counter, Control::COUNT));
    let selector = program.as_slice()[0];
    assert!(selector.register() == intel::IA32_PERFEVTSEL0);
    lower(Ok(selector.value()))
}

/// Encodes an event for AMD's `PerfEvtSel`.
const fn perf_ctl(event: Event) -> u32 {
    match amd::program(event, 0, Control::COUNT) {
        Ok(write) => lower(Ok(write.value())),
        Err(error) => lower(Err(error)),
    }
}

/// Encodes an event for `PMEVTYPER<n>_EL0`, counting in EL0 and EL1.
const fn pmevtyper(event: Event) -> u32 {
    lower(arm::event_type(event, ExceptionLevels::ALL.with_el2(false)))
}

/// Encodes an event as a raw code, as POWER and the fictitious core use it.
const fn raw_code(event: Event, formats: Formats<'_>) -> u32 {
    lower(Ok(event.require_words(formats).config()))
}

/// Returns the lower half of a register; these events do not use the upper half.
const fn lower(value: Result<u64, Error>) -> u32 {
    match value {
        Ok(value) if value >> 32 == 0 => value as u32,
        _ => panic!("the event does not fit the register"),
    }
}

/// Simulates the registers of all kinds of cores. A linker script would use the
/// name to place it at the address of the hardware.
#[unsafe(no_mangle)]
static REGISTERS: [AtomicU32; WORDS.len()] = [const { AtomicU32::new(0) }; WORDS.len()];

/// The entry point of the boot code or the kernel's loader.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    for (register, word) in REGISTERS.iter().zip(&WORDS) {
        register.store(*word, Ordering::Relaxed);
    }
    stop()
}

/// On Linux, where the tests run it, the process has to exit.
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
