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

use pmu_events::format::{Format, Formats};
use pmu_events::register::arm::{self, ExceptionLevels};
use pmu_events::register::{Control, Error, amd, intel};
use pmu_events::{Event, builtin};

mod x86 {
    pmu_events::pmu_events!(
        builtin "x86",
        models = ["silvermont", "sapphirerapids", "amdzen5"],
        text = none,
        metrics = false,
    );
}
mod arm64 {
    pmu_events::pmu_events!(builtin "arm64", text = none, metrics = false);
}
mod powerpc {
    pmu_events::pmu_events!(builtin "powerpc", text = none, metrics = false);
}
/// A tree of one's own.
mod soc {
    pmu_events::pmu_events!("../../arch/test");
}

/// What goes into the registers. A wrong name, or a term that the register has
/// no field for, is an error of the compiler.
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

/// The formats of the made-up core, as its manual would have them.
const SOC: Formats<'static> = Formats::new(const { &[("event", EVENT)] });
const EVENT: Format = match Format::parse("config:0-19") {
    Ok(format) => format,
    Err(_) => panic!("no format"),
};

/// An event as `IA32_PERFEVTSELx` takes it, for user and kernel mode, enabled.
/// `intel::program` gives every write that a counter needs, of its other
/// registers too.
const fn perfevtsel(event: Event) -> u32 {
    lower(intel::selector(event.require_words(builtin::INTEL)[0], Control::COUNT))
}

/// The same for `PerfEvtSel` of AMD.
const fn perf_ctl(event: Event) -> u32 {
    lower(amd::selector(event.require_words(builtin::AMD)[0], Control::COUNT))
}

/// An event as `PMEVTYPER<n>_EL0` takes it, for EL0 and EL1.
const fn pmevtyper(event: Event) -> u32 {
    lower(arm::event_type(event, ExceptionLevels { el0: true, el1: true, el2: false }))
}

/// An event as its raw code, which is what POWER and made-up cores go by.
const fn raw_code(event: Event, formats: Formats<'_>) -> u32 {
    lower(Ok(event.require_words(formats)[0]))
}

/// The lower half of a register, which is all that these events use.
const fn lower(value: Result<u64, Error>) -> u32 {
    match value {
        Ok(value) if value >> 32 == 0 => value as u32,
        _ => panic!("the event does not fit the register"),
    }
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
