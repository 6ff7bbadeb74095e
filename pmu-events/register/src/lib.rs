//! Register values for counting events without a kernel.
//!
//! Use it in firmware, a kernel or a hypervisor, which write the registers themselves.
//!
//! This is the module `register` of [`pmu-events`](https://docs.rs/pmu-events), behind the
//! feature of that name. There is no `std`, heap or `unsafe` code.
//!
//! Everything is `const fn`: firmware that counts three events contains their
//! register values and no table.
//!
//! The values are those of the vendor's code
//! ([`Event::vendor_event_string`](pmu_events_core::Event::vendor_event_string)), also where perf
//! asks the kernel for something else under the name.
//!
//! | module | registers |
//! |---|---|
//! | [`intel`] | `IA32_PERFEVTSELx`, fixed counters, offcore response, load latency, frontend |
//! | [`amd`] | `PerfEvtSel` |
//! | [`arm`] | `PMEVTYPER<n>_EL0`, `PMCCFILTR_EL0` |
//!
//! ```
//! use pmu_events::register::{Control, Write, intel};
//! use pmu_events::register::intel::ProgrammableCounter;
//! use pmu_events::{Event, arch::x86};
//!
//! const WRITES: &[Write] = {
//!     const EVENT: Event = x86::SILVERMONT.require("BR_MISP_RETIRED.ALL_BRANCHES");
//!     const ON_COUNTER_1: intel::Program =
//!         intel::require(intel::program(EVENT, ProgrammableCounter::General(1), Control::COUNT));
//!     ON_COUNTER_1.as_slice()
//! };
//! // IA32_PERFEVTSEL1: event, user and kernel, enabled; and its bit in
//! // IA32_PERF_GLOBAL_CTRL.
//! assert_eq!((WRITES[0].register(), WRITES[0].value()), (0x187, 0x4300c5));
//! assert_eq!((WRITES[1].register(), WRITES[1].value(), WRITES[1].mask()), (0x38f, 2, 2));
//! ```

#![no_std]
#![doc(test(attr(deny(warnings), allow(dead_code, deprecated))))]
#![forbid(unsafe_code)]

pub mod amd;
pub mod arm;
mod error;
pub mod intel;

pub use error::{Error, ErrorKind};

use error::Fault;

use pmu_events_core::format::{Formats, Words};
use pmu_events_core::term::Terms;
use pmu_events_core::{Event, config, pmu};

/// The modes to count in, and what to do when the counter overflows.
///
/// ```
/// use pmu_events::register::{Control, amd};
///
/// let only_user = Control::COUNT.with_kernel(false);
/// assert_eq!(amd::selector(0xc2, only_user), Ok(0x41_00c2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Control {
    user: bool,
    kernel: bool,
    interrupt: bool,
    enable: bool,
}

impl Control {
    /// Count in all modes, starting immediately, without interrupts.
    pub const COUNT: Control = Control { user: true, kernel: true, interrupt: false, enable: true };

    /// Count in user mode only, starting immediately, without interrupts.
    pub const USER: Control = Control { kernel: false, ..Control::COUNT };

    /// Count in kernel mode only, starting immediately, without interrupts.
    pub const KERNEL: Control = Control { user: false, ..Control::COUNT };

    /// Sets whether to count in user mode (x86: privilege levels 1 to 3).
    #[must_use]
    pub const fn with_user(self, user: bool) -> Self {
        Control { user, ..self }
    }

    /// Sets whether to count in kernel mode (x86: privilege level 0).
    #[must_use]
    pub const fn with_kernel(self, kernel: bool) -> Self {
        Control { kernel, ..self }
    }

    /// Sets whether the counter interrupts when it overflows.
    #[must_use]
    pub const fn with_interrupt(self, interrupt: bool) -> Self {
        Control { interrupt, ..self }
    }

    /// Sets whether the counter starts immediately.
    #[must_use]
    pub const fn with_enable(self, enable: bool) -> Self {
        Control { enable, ..self }
    }
}

/// One write to a model-specific register (`WRMSR`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    register: u32,
    value: u64,
    mask: u64,
}

impl Write {
    /// Creates a write of the bits of `mask`. The others belong to other counters.
    #[must_use]
    pub const fn new(register: u32, value: u64, mask: u64) -> Self {
        Write { register, value, mask }
    }

    /// Returns the register's number.
    #[must_use]
    pub const fn register(self) -> u32 {
        self.register
    }

    /// Returns the value.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.value
    }

    /// Returns the bits of the register that belong to this event. The others belong to
    /// other counters and must be preserved. All ones if the whole register
    /// belongs to the event.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    const fn whole(register: u32, value: u64) -> Self {
        Write { register, value, mask: u64::MAX }
    }

    /// Returns the value to write, given the current value of the register.
    ///
    /// ```
    /// use pmu_events::register::Write;
    /// let write = Write::new(0x38d, 0x30, 0xf0);
    /// assert_eq!(write.over(0xb0b), 0xb3b);
    /// ```
    #[must_use]
    pub const fn over(self, old: u64) -> u64 {
        (old & !self.mask) | (self.value & self.mask)
    }
}

/// The value of an x86 counter's selector, which takes the bits of `own` from
/// an event. The bits of [`Control`] are the same on AMD and Intel.
const fn selector(config: u64, own: u64, control: Control) -> Result<u64, Error> {
    match config & !own {
        0 => Ok(config
            | (control.user as u64) << 16
            | (control.kernel as u64) << 17
            | (control.interrupt as u64) << 20
            | (control.enable as u64) << 22),
        others => Err(Error::new(Fault::Reserved(others))),
    }
}

/// Whether an event belongs to a core, whose registers these are. An event of a
/// tree that did not compile has no PMU; the macro has already reported the
/// cause.
const fn is_core(event: Event) -> bool {
    event.pmu().is_empty() || pmu::is_core(event.pmu())
}

/// The config words of the vendor's code: perf's is one for the kernel, which may choose
/// a counter that has no selector.
const fn words(event: Event, formats: Formats<'_>) -> Result<Words, Error> {
    match config::encode(Terms::new(event.vendor_event_string()), formats) {
        Ok(encoded) => Ok(encoded.words()),
        Err(error) => Err(Error::new(Fault::Terms(error))),
    }
}

#[cfg(test)]
mod tests;
