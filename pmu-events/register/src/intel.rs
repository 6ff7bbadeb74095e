//! Registers of Intel cores (Intel SDM, volume 3, chapter “Performance
//! Monitoring”; used the same way in `arch/x86/events/intel/core.c`).
//!
//! Use it on Intel's cores.

use super::{Control, Error, Fault, Write, is_core};
use pmu_events_core::builtin;
use pmu_events_core::event::CounterConstraint;
use pmu_events_core::format::Formats;
use pmu_events_core::{Event, config};

/// `IA32_PERFEVTSEL0`; add *n* for counter *n*.
pub const IA32_PERFEVTSEL0: u32 = 0x186;
/// `IA32_FIXED_CTR_CTRL`: four bits for each fixed counter.
pub const IA32_FIXED_CTR_CTRL: u32 = 0x38d;
/// `IA32_PERF_GLOBAL_CTRL`: a bit for each counter, fixed ones from bit 32.
pub const IA32_PERF_GLOBAL_CTRL: u32 = 0x38f;

/// The bits of `IA32_PERFEVTSELx` that an event may set, according to
/// “Architectural Performance Monitoring Version 1” to “6”: event, unit mask,
/// edge, pin control, any thread, invert, counter mask, in transaction, in
/// transaction and checkpointed, equal, second unit mask.
const SELECTOR: u64 = 0xff13_ffac_ffff;

/// A counter of an Intel core.
///
/// ```
/// use pmu_events::arch::x86;
/// use pmu_events::register::Control;
/// use pmu_events::register::intel::{ProgrammableCounter, program};
///
/// // Only counters 0 to 3 can count it.
/// let event = x86::SAPPHIRERAPIDS.require("MEM_INST_RETIRED.ANY");
/// assert!(program(event, ProgrammableCounter::General(3), Control::COUNT).is_ok());
/// assert!(program(event, ProgrammableCounter::General(4), Control::COUNT).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgrammableCounter {
    /// `IA32_PMCx`, with a selector of its own.
    General(u8),
    /// `IA32_FIXED_CTRx`, which counts one event.
    Fixed(u8),
}

/// The writes that program one counter, in the required order: first any
/// further registers the event needs, last the bit that starts it.
///
/// ```
/// use pmu_events::arch::x86;
/// use pmu_events::register::Control;
/// use pmu_events::register::intel::{ProgrammableCounter, program};
///
/// let event = x86::SAPPHIRERAPIDS.require("BR_MISP_RETIRED.ALL_BRANCHES");
/// let writes = program(event, ProgrammableCounter::General(0), Control::COUNT)?;
/// assert_eq!(writes.as_slice()[0].register(), 0x186); // IA32_PERFEVTSEL0
/// # Ok::<(), pmu_events::register::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    writes: [Write; 3],
    len: usize,
}

impl Program {
    const EMPTY: Program = Program { writes: [Write::whole(0, 0); 3], len: 0 };

    const fn and(mut self, write: Write) -> Self {
        self.writes[self.len] = write;
        self.len += 1;
        self
    }

    /// Returns the writes.
    #[must_use]
    pub const fn as_slice(&self) -> &[Write] {
        self.writes.split_at(self.len).0
    }
}

/// Returns the value of `IA32_PERFEVTSELx` for a config word.
///
/// ```
/// use pmu_events::register::{Control, intel};
/// let sampling = Control::USER.with_interrupt(true);
/// assert_eq!(intel::selector(0x4_013c, sampling), Ok(0x55_013c));
/// // An event cannot set the bits of `Control`.
/// assert!(intel::selector(0x1_003c, sampling).is_err());
/// ```
///
/// # Errors
///
/// Returns [`ErrorKind::Reserved`](super::ErrorKind::Reserved) if the word sets bits that do not belong to
/// an event.
pub const fn selector(config: u64, control: Control) -> Result<u64, Error> {
    super::selector(config, SELECTOR, control)
}

/// Returns the writes that make a counter count an event, using the formats of
/// [`builtin::INTEL`].
///
/// The code is the vendor's ([`Event::vendor_event_string`]). The instructions and core
/// cycles of fixed counters can also be counted by a general one, which then gets their
/// architectural code.
///
/// Many events can use either of two offcore-response registers; this function
/// uses the first one, with the event's first code. To count a second such
/// event with another value at the same time, replace its code and register by
/// the alternatives ([`Msr::other`](pmu_events_core::event::Msr::other)).
///
/// ```
/// use pmu_events::arch::x86;
/// use pmu_events::register::{Control, intel};
///
/// let event = x86::SAPPHIRERAPIDS.require("INST_RETIRED.ANY");
/// let program = intel::program(event, intel::ProgrammableCounter::Fixed(0), Control::USER)?;
/// let writes: Vec<_> = program.as_slice().iter().map(|w| (w.register(), w.value(), w.mask())).collect();
/// assert_eq!(writes, [(0x38d, 0x2, 0xf), (0x38f, 1 << 32, 1 << 32)]);
///
/// // The value of an extra register comes first: MSR_PEBS_FRONTEND.
/// let event = x86::SAPPHIRERAPIDS.require("FRONTEND_RETIRED.DSB_MISS");
/// let program = intel::program(event, intel::ProgrammableCounter::General(3), Control::USER)?;
/// let writes: Vec<_> = program.as_slice().iter().map(|w| (w.register(), w.value())).collect();
/// assert_eq!(writes, [(0x3f7, 0x11), (0x189, 0x4101c6), (0x38f, 8)]);
/// # Ok::<(), pmu_events::register::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the event does not belong to a core, if the counter
/// cannot count it, or if it cannot be encoded.
pub const fn program(
    event: Event,
    counter: ProgrammableCounter,
    control: Control,
) -> Result<Program, Error> {
    program_with(event, builtin::INTEL, counter, control)
}

/// Returns the writes that make a counter count an event, using other formats,
/// such as [`builtin::INTEL_V6`].
///
/// # Errors
///
/// Returns an error in the same cases as [`program`].
pub const fn program_with(
    event: Event,
    formats: Formats<'_>,
    counter: ProgrammableCounter,
    control: Control,
) -> Result<Program, Error> {
    if !is_core(event) {
        return Err(Error::new(Fault::NotCore));
    }
    let config = match super::words(event, formats) {
        Ok(words) => words.config(),
        Err(error) => return Err(error),
    };
    match counter {
        ProgrammableCounter::General(n) => general(event, config, n, control),
        ProgrammableCounter::Fixed(n) => fixed(event, config, n, control),
    }
}

const fn general(event: Event, config: u64, n: u8, control: Control) -> Result<Program, Error> {
    // The MSRs after the eighth selector have other purposes.
    if n >= 8 {
        return Err(Error::new(Fault::NoSuchCounter));
    }
    match counters_of(event, config) {
        others @ CounterConstraint::General(set) if !set.contains(n) => {
            return Err(Error::new(Fault::Counters(others)));
        }
        others @ CounterConstraint::Fixed(_) if is_fixed_only(config) => {
            return Err(Error::new(Fault::Counters(others)));
        }
        _ => {}
    }
    let mut program = Program::EMPTY;
    if let Some(msr) = event.msr() {
        match msr.value() {
            Some(value) => program = program.and(Write::whole(msr.index(), value)),
            None => return Err(Error::new(Fault::NoMsrValue(msr.index()))),
        }
    }
    let selector = match selector(config, control) {
        Ok(selector) => selector,
        Err(error) => return Err(error),
    };
    let bit = 1 << n;
    Ok(program.and(Write::whole(IA32_PERFEVTSEL0 + n as u32, selector)).and(Write::new(
        IA32_PERF_GLOBAL_CTRL,
        if control.enable { bit } else { 0 },
        bit,
    )))
}

const fn fixed(event: Event, config: u64, n: u8, control: Control) -> Result<Program, Error> {
    if n >= 16 {
        return Err(Error::new(Fault::NoSuchCounter));
    }
    match counters_of(event, config) {
        CounterConstraint::Fixed(Some(only)) if only == n => {}
        CounterConstraint::General(_) | CounterConstraint::Unstated if matches!(number(config), Some(m) if m == n) =>
            {}
        others => return Err(Error::new(Fault::Counters(others))),
    }
    // IA32_FIXED_CTR_CTRL, the four bits of a counter: OS, USR, AnyThread, PMI.
    let field = control.kernel as u64
        | (control.user as u64) << 1
        | (config >> 21 & 1) << 2
        | (control.interrupt as u64) << 3;
    let bit = 1 << (32 + n as u32);
    let shift = 4 * n as u32;
    let field = if control.enable { field } else { 0 };
    Ok(Program::EMPTY
        .and(Write::new(IA32_FIXED_CTR_CTRL, field << shift, 0xf << shift))
        .and(Write::new(IA32_PERF_GLOBAL_CTRL, if control.enable { bit } else { 0 }, bit)))
}

/// Returns the counters that can count an event, with the hardware's numbers for
/// fixed counters.
///
/// Trees of older cores number them from one (Silvermont's `INST_RETIRED.ANY` has
/// “Fixed counter 1”).
///
/// ```
/// use pmu_events::{arch::x86, event::CounterConstraint, register::intel};
///
/// let event = x86::SILVERMONT.require("INST_RETIRED.ANY");
/// assert_eq!(event.counters(), CounterConstraint::Fixed(Some(1)));
/// assert_eq!(intel::counters(event), CounterConstraint::Fixed(Some(0)));
/// ```
#[must_use]
pub const fn counters(event: Event) -> CounterConstraint {
    match super::words(event, builtin::INTEL) {
        Ok(words) => counters_of(event, words.config()),
        Err(_) => event.counters(),
    }
}

const fn counters_of(event: Event, config: u64) -> CounterConstraint {
    match (event.counters(), number(config)) {
        (CounterConstraint::Fixed(_), Some(n)) => CounterConstraint::Fixed(Some(n)),
        // Whatever else the tree says: perf has such a code for the name.
        (CounterConstraint::General(_) | CounterConstraint::Unstated, Some(n))
            if is_fixed_only(config) =>
        {
            CounterConstraint::Fixed(Some(n))
        }
        (others, _) => others,
    }
}

/// The fixed counter of a config word: instructions, core cycles and reference
/// cycles by their codes, and by the code 0 that only fixed counters have, with
/// the counter's number plus one as unit mask (`FIXED_EVENT_CONSTRAINT` in
/// `arch/x86/events/intel/core.c`; Intel SDM, volume 3, “Fixed-Function
/// Performance Counters”).
const fn number(config: u64) -> Option<u8> {
    // Only general counters support edge, invert and counter mask; any thread
    // is supported by both.
    match config & SELECTOR & !(1 << 21) {
        0x00c0 => Some(0),
        0x003c => Some(1),
        config @ 0x0100..=0x1000 if config & 0xff == 0 => Some((config >> 8) as u8 - 1),
        _ => None,
    }
}

/// Whether general counters do not support this code.
const fn is_fixed_only(config: u64) -> bool {
    config & 0xff == 0
}

/// Returns the writes of an event that must be programmable.
///
/// # Panics
///
/// Panics if it is not. In a `const`, this is a compile error that states the
/// reason.
#[must_use]
#[track_caller]
pub const fn require(program: Result<Program, Error>) -> Program {
    match program {
        Ok(program) => program,
        Err(error) => match error.fault() {
            Fault::Terms(error) => config::Error::panic(error),
            kind => panic!("{}", kind.text()),
        },
    }
}
