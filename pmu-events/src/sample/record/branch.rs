//! Branches that were taken before a sample.

use super::bytes::{ByteOrder, Numbers, Rest};
use super::error::ParseError;

/// The branches that were taken before a sample, the latest first
/// ([`Fields::BRANCHES`](super::Fields::BRANCHES)).
///
/// ```
/// use pmu_events::sample::Record;
///
/// fn mispredicted(record: &Record<'_>) -> usize {
///     let branches = record.sample().and_then(|sample| sample.branches());
///     branches.map_or(0, |all| all.iter().filter(|branch| branch.is_mispredicted()).count())
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branches<'b> {
    hardware_index: Option<u64>,
    entries: Numbers<'b>,
    counters: Option<Numbers<'b>>,
    order: ByteOrder,
}

/// A branch that was taken (`struct perf_branch_entry`).
///
/// ```
/// use pmu_events::sample::Branches;
///
/// fn show(branches: &Branches<'_>) {
///     for branch in branches.iter() {
///         println!("{:#x} -> {:#x}, {} cycles", branch.from(), branch.to(), branch.cycles());
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    from: u64,
    to: u64,
    flags: u64,
    order: ByteOrder,
}

/// The words of an entry.
const WIDTH: usize = 3;

impl<'b> Branches<'b> {
    /// Returns how many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len() / WIDTH
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the branches, the latest first.
    pub fn iter(&self) -> impl Iterator<Item = Branch> + use<'b> {
        let Branches { entries, order, .. } = *self;
        (0..self.len()).filter_map(move |n| {
            let word = |at| entries.get(n * WIDTH + at);
            Some(Branch { from: word(0)?, to: word(1)?, flags: word(2)?, order })
        })
    }

    /// Returns the index of the latest branch among the registers of the hardware
    /// (`PERF_SAMPLE_BRANCH_HW_INDEX`).
    #[must_use]
    pub fn hardware_index(&self) -> Option<u64> {
        self.hardware_index
    }

    /// Returns what was counted between branches, one word for each
    /// (`PERF_SAMPLE_BRANCH_COUNTERS`).
    #[must_use]
    pub fn counters(&self) -> Option<Numbers<'b>> {
        self.counters
    }

    pub(super) fn parse(rest: &mut Rest<'b>, filter: u64) -> Result<Self, ParseError> {
        /// `PERF_SAMPLE_BRANCH_HW_INDEX`
        const HARDWARE_INDEX: u64 = 1 << 17;
        /// `PERF_SAMPLE_BRANCH_COUNTERS`
        const COUNTERS: u64 = 1 << 19;
        const WHAT: &str = "branches";
        let number = rest.u64(WHAT)?;
        let hardware_index = rest.u64_if(filter & HARDWARE_INDEX != 0, WHAT)?;
        let words = number.checked_mul(WIDTH as u64).ok_or(ParseError::short(WHAT))?;
        let entries = rest.numbers(words, WHAT)?;
        let counters = match filter & COUNTERS {
            0 => None,
            _ => Some(rest.numbers(number, WHAT)?),
        };
        Ok(Branches { hardware_index, entries, counters, order: rest.order })
    }
}

impl Branch {
    /// Returns the address of the branch.
    #[must_use]
    pub fn from(&self) -> u64 {
        self.from
    }

    /// Returns the address to which it went.
    #[must_use]
    pub fn to(&self) -> u64 {
        self.to
    }

    /// Whether its target was predicted wrongly.
    #[must_use]
    pub fn is_mispredicted(&self) -> bool {
        self.field(0, 1) == 1
    }

    /// Whether its target was predicted; hardware that cannot tell says neither.
    #[must_use]
    pub fn is_predicted(&self) -> bool {
        self.field(1, 1) == 1
    }

    /// Whether it was in a transaction.
    #[must_use]
    pub fn is_in_transaction(&self) -> bool {
        self.field(2, 1) == 1
    }

    /// Whether it is the abort of a transaction.
    #[must_use]
    pub fn is_abort(&self) -> bool {
        self.field(3, 1) == 1
    }

    /// Returns the number of cycles since the branch before; 0 if the hardware cannot tell.
    #[must_use]
    pub fn cycles(&self) -> u16 {
        self.field(4, 16) as u16
    }

    /// Returns the kind of branch (`PERF_BR_*`); 0 if it is not known.
    #[must_use]
    pub fn kind(&self) -> u8 {
        self.field(20, 4) as u8
    }

    /// Returns whether it was speculative (`PERF_BR_SPEC_*`).
    #[must_use]
    pub fn speculation(&self) -> u8 {
        self.field(24, 2) as u8
    }

    /// Returns the further kind of branch (`PERF_BR_NEW_*`).
    #[must_use]
    pub fn further_kind(&self) -> u8 {
        self.field(26, 4) as u8
    }

    /// Returns the level of privilege (`PERF_BR_PRIV_*`).
    #[must_use]
    pub fn privilege(&self) -> u8 {
        self.field(30, 3) as u8
    }

    fn field(&self, offset: u32, width: u32) -> u64 {
        self.order.bit_field(self.flags, offset, width)
    }
}
