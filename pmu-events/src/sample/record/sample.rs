//! Samples.

use super::branch::Branches;
use super::bytes::{Numbers, Rest};
use super::data_source::DataSource;
use super::error::ParseError;
use super::fields::Fields;
use super::layout::Layout;
use super::stamp::Stamp;
use super::values::Values;

/// A sample: what was going on when an event had occurred often enough.
///
/// A field that the event does not record is `None`.
///
/// ```
/// use pmu_events::sample::Record;
///
/// fn show(record: &Record<'_>) {
///     if let Some(sample) = record.sample() {
///         println!("{:?} {:#x?} {:?}", sample.tid(), sample.ip(), sample.callchain());
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample<'b> {
    stamp: Stamp,
    ip: Option<u64>,
    addr: Option<u64>,
    period: Option<u64>,
    values: Option<Values<'b>>,
    callchain: Option<Numbers<'b>>,
    raw: Option<&'b [u8]>,
    branches: Option<Branches<'b>>,
    user_registers: Option<Registers<'b>>,
    user_stack: Option<&'b [u8]>,
    weight: Option<u64>,
    has_weights: bool,
    data_source: Option<DataSource>,
    transaction: Option<u64>,
    interrupted_registers: Option<Registers<'b>>,
    physical_address: Option<u64>,
    cgroup: Option<u64>,
    data_page_size: Option<u64>,
    code_page_size: Option<u64>,
    aux: Option<&'b [u8]>,
}

/// Registers at the time of a sample.
///
/// ```
/// use pmu_events::sample::Record;
///
/// fn show(record: &Record<'_>) {
///     let registers = record.sample().and_then(|sample| sample.user_registers());
///     for (number, value) in registers.iter().flat_map(|registers| registers.iter()) {
///         println!("register {number}: {value:#x}");
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers<'b> {
    abi: u64,
    mask: u64,
    values: Option<Numbers<'b>>,
}

impl<'b> Registers<'b> {
    /// Returns the width of the program's registers (`perf_sample_regs_abi`): 0 for a thread
    /// of the kernel, which has none, 1 for 32 bits and 2 for 64 bits.
    #[must_use]
    pub fn abi(&self) -> u64 {
        self.abi
    }

    /// Returns the numbers of the registers (`asm/perf_regs.h` of the architecture), and what
    /// was in them.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + use<'b> {
        let mask = self.mask;
        let numbers = (0..u64::BITS).filter(move |number| mask >> number & 1 == 1);
        numbers.zip(self.values.into_iter().flat_map(|values| values.iter()))
    }

    /// Returns the contents of one register.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<u64> {
        self.iter().find(|&(own, _)| own == number).map(|(_, value)| value)
    }

    fn parse(rest: &mut Rest<'b>, mask: u64) -> Result<Self, ParseError> {
        const WHAT: &str = "registers";
        let abi = rest.u64(WHAT)?;
        let values = match abi {
            0 => None,
            _ => Some(rest.numbers(mask.count_ones().into(), WHAT)?),
        };
        Ok(Registers { abi, mask, values })
    }
}

/// The bytes of the user stack that could be copied, from the stack pointer upwards.
fn user_stack<'b>(rest: &mut Rest<'b>) -> Result<&'b [u8], ParseError> {
    const WHAT: &str = "stack";
    let size = rest.u64(WHAT)?;
    let bytes = rest.take(size, WHAT)?;
    // Without room for a stack, there is no second length.
    let copied = if size == 0 { 0 } else { rest.u64(WHAT)? };
    let copied = usize::try_from(copied).unwrap_or(usize::MAX).min(bytes.len());
    Ok(&bytes[..copied])
}

macro_rules! getters {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)*) => {
        impl<'b> Sample<'b> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $field(&self) -> Option<$type> {
                    self.$field
                }
            )*
        }
    };
}

getters! {
    /// Returns the address of the instruction.
    ip: u64,
    /// Returns the address of the data, or what the event counts in its place.
    addr: u64,
    /// Returns how many events the sample stands for.
    period: u64,
    /// Returns the counts of the event, or of its group.
    values: Values<'b>,
    /// Returns the addresses from the innermost function outwards. Numbers from
    /// [`CONTEXT`](crate::sample::CONTEXT) on say whose addresses follow.
    callchain: Numbers<'b>,
    /// Returns what a tracepoint records, laid out as its file `format` says.
    raw: &'b [u8],
    /// Returns the branches that were taken before.
    branches: Branches<'b>,
    /// Returns the registers of the program.
    user_registers: Registers<'b>,
    /// Returns a copy of the top of the program's stack, from the stack pointer upwards.
    user_stack: &'b [u8],
    /// Returns the source of the data.
    data_source: DataSource,
    /// Returns how a transaction ended (`PERF_TXN_*`).
    transaction: u64,
    /// Returns the registers of what was interrupted, which may be the kernel.
    interrupted_registers: Registers<'b>,
    /// Returns the physical address of the data.
    physical_address: u64,
    /// Returns the id of the control group, which a `cgroup` record names.
    cgroup: u64,
    /// Returns the size of the page that the data are in, in bytes.
    data_page_size: u64,
    /// Returns the size of the page that the instruction is in, in bytes.
    code_page_size: u64,
    /// Returns data of the AUX area.
    aux: &'b [u8],
}

impl Sample<'_> {
    /// Returns when and where it was taken.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Returns the process.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.stamp.pid()
    }

    /// Returns the thread.
    #[must_use]
    pub fn tid(&self) -> Option<u32> {
        self.stamp.tid()
    }

    /// Returns the time in nanoseconds.
    #[must_use]
    pub fn time(&self) -> Option<u64> {
        self.stamp.time()
    }

    /// Returns the CPU.
    #[must_use]
    pub fn cpu(&self) -> Option<u32> {
        self.stamp.cpu()
    }

    /// Returns the kernel's id of the event.
    #[must_use]
    pub fn id(&self) -> Option<u64> {
        self.stamp.id()
    }

    /// Returns the weight: the cycles that a load or a transaction took, as the PMU defines it.
    #[must_use]
    pub fn weight(&self) -> Option<u64> {
        match self.has_weights {
            true => self.weight.map(|weight| weight & u64::from(u32::MAX)),
            false => self.weight,
        }
    }

    /// Returns the two further weights ([`Fields::WEIGHTS`]). On Intel's cores, the first is
    /// the cycles from the instruction's dispatch to its retirement, and the second, where they
    /// have it, the cycles between the retirement of the instruction before and its own; on
    /// POWER, the first is the stage at which the instruction waited.
    #[must_use]
    pub fn further_weights(&self) -> Option<(u16, u16)> {
        let weight = self.weight.filter(|_| self.has_weights)?;
        Some(((weight >> 32) as u16, (weight >> 48) as u16))
    }
}

/// `perf_output_sample` in `kernel/events/core.c`
#[inline]
pub(super) fn parse<'b>(
    layout: &Layout,
    rest: &mut Rest<'b>,
    sample: &mut Sample<'b>,
) -> Result<(), ParseError> {
    const WHAT: &str = "identity";
    let fields = layout.fields;
    let has = |field| fields.contains(field);
    sample.stamp.id = rest.u64_if(has(Fields::IDENTIFIER), WHAT)?;
    sample.ip = rest.u64_if(has(Fields::IP), "address")?;
    if has(Fields::TID) {
        sample.stamp.task = Some((rest.u32(WHAT)?, rest.u32(WHAT)?));
    }
    sample.stamp.time = rest.u64_if(has(Fields::TIME), WHAT)?;
    sample.addr = rest.u64_if(has(Fields::ADDR), "address")?;
    // The same number as `IDENTIFIER`, where both are.
    sample.stamp.id = rest.u64_if(has(Fields::ID), WHAT)?.or(sample.stamp.id);
    sample.stamp.stream_id = rest.u64_if(has(Fields::STREAM_ID), WHAT)?;
    if has(Fields::CPU) {
        sample.stamp.cpu = Some(rest.u32(WHAT)?);
        rest.u32(WHAT)?;
    }
    sample.period = rest.u64_if(has(Fields::PERIOD), "period")?;
    // Most samples have no more.
    let most = Fields::IDENTIFIER
        .with(Fields::IP)
        .with(Fields::TID)
        .with(Fields::TIME)
        .with(Fields::ADDR)
        .with(Fields::ID)
        .with(Fields::STREAM_ID)
        .with(Fields::CPU)
        .with(Fields::PERIOD);
    if !fields.without(most).has_any(Fields::from_bits(u64::MAX)) {
        return Ok(());
    }
    further(layout, rest, sample)
}

fn further<'b>(
    layout: &Layout,
    rest: &mut Rest<'b>,
    sample: &mut Sample<'b>,
) -> Result<(), ParseError> {
    let has = |field| layout.fields.contains(field);
    if has(Fields::READ) {
        sample.values = Some(Values::parse(rest, layout.read_format)?);
    }
    if has(Fields::CALLCHAIN) {
        let number = rest.u64("call chain")?;
        sample.callchain = Some(rest.numbers(number, "call chain")?);
    }
    if has(Fields::RAW) {
        let size = rest.u32("raw data")?;
        sample.raw = Some(rest.take(size.into(), "raw data")?);
    }
    if has(Fields::BRANCHES) {
        sample.branches = Some(Branches::parse(rest, layout.branches)?);
    }
    if has(Fields::USER_REGISTERS) {
        sample.user_registers = Some(Registers::parse(rest, layout.user_registers)?);
    }
    if has(Fields::USER_STACK) {
        sample.user_stack = Some(user_stack(rest)?);
    }
    sample.has_weights = has(Fields::WEIGHTS);
    sample.weight =
        rest.u64_if(layout.fields.has_any(Fields::WEIGHT.with(Fields::WEIGHTS)), "weight")?;
    sample.data_source =
        rest.u64_if(has(Fields::DATA_SOURCE), "data source")?.map(DataSource::from_bits);
    sample.transaction = rest.u64_if(has(Fields::TRANSACTION), "transaction")?;
    if has(Fields::INTERRUPTED_REGISTERS) {
        let mask = layout.interrupted_registers;
        sample.interrupted_registers = Some(Registers::parse(rest, mask)?);
    }
    sample.physical_address = rest.u64_if(has(Fields::PHYSICAL_ADDRESS), "address")?;
    sample.cgroup = rest.u64_if(has(Fields::CGROUP), "control group")?;
    sample.data_page_size = rest.u64_if(has(Fields::DATA_PAGE_SIZE), "page sizes")?;
    sample.code_page_size = rest.u64_if(has(Fields::CODE_PAGE_SIZE), "page sizes")?;
    if has(Fields::AUX) {
        let size = rest.u64("AUX data")?;
        sample.aux = Some(rest.take(size, "AUX data")?);
    }
    Ok(())
}
