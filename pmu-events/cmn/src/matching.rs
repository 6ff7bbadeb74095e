//! The bits of flits that a watchpoint compares.

use super::channel::{Channel, MatchGroup};
use super::error::{Error, Fault};
use super::flit::{self, Field};
use super::product::Product;

/// What a watchpoint compares flits of a channel with: the bits of one match
/// group.
///
/// A bit that is set in the mask is ignored.
///
/// ```
/// use pmu_events::cmn::{Channel, Field, MatchGroup, Match, Product};
/// let all = Match::all(Channel::Dat, MatchGroup::Primary);
/// assert_eq!((all.value(), all.mask()), (0, u64::MAX));
///
/// let from_0x24 = all.with(Product::Cmn600, Field::SrcId, 0x24)?;
/// assert_eq!((from_0x24.value(), from_0x24.mask()), (0x240, !0x7ff0));
/// assert_eq!(from_0x24.field(Product::Cmn600, Field::SrcId), Some((0x24, 0x7ff)));
///
/// // The address is on the request and snoop channels.
/// let error = all.with(Product::Cmn600, Field::Addr, 0).unwrap_err();
/// assert_eq!(error.to_string(), "`addr`: the flit field is not in this match group");
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    channel: Channel,
    group: MatchGroup,
    value: u64,
    mask: u64,
}

impl Match {
    /// Matches all flits of a channel.
    #[must_use]
    pub const fn all(channel: Channel, group: MatchGroup) -> Self {
        Match { channel, group, value: 0, mask: u64::MAX }
    }

    /// Matches flits by raw words (`wp_val` and `wp_mask`) in the layout of the
    /// product's manual.
    #[must_use]
    pub const fn raw(channel: Channel, group: MatchGroup, value: u64, mask: u64) -> Self {
        Match { channel, group, value, mask }
    }

    /// Also requires a field to have this value. Replaces any earlier condition
    /// on the field's bits.
    ///
    /// # Errors
    ///
    /// Returns an error if the field is not in this group of this channel, or
    /// is too small for the value.
    pub const fn with(self, product: Product, field: Field, value: u64) -> Result<Self, Error> {
        self.with_bits(product, field, value, u64::MAX)
    }

    /// Also requires a field to have this value in the bits set in `bits`, such
    /// as part of an address.
    ///
    /// ```
    /// use pmu_events::cmn::{Channel, Field, MatchGroup, Match, Product};
    /// // Requests to one page.
    /// let page = Match::all(Channel::Req, MatchGroup::Secondary)
    ///     .with_bits(Product::Cmn700, Field::Addr, 0x8_8000_1000, !0xfff)?;
    /// assert_eq!(page.value(), 0x8_8000_1000 << 4);
    /// assert_eq!(page.mask(), !(0xf_ffff_ffff_f000 << 4));
    /// # Ok::<(), pmu_events::cmn::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Match::with`].
    pub const fn with_bits(
        self,
        product: Product,
        field: Field,
        value: u64,
        bits: u64,
    ) -> Result<Self, Error> {
        let Some(slot) = flit::slot(product, self.channel, self.group, field) else {
            return Err(Error::new(Fault::NoField(field.name())));
        };
        let max = slot.max();
        if value > max {
            return Err(Error::new(Fault::TooLarge { what: field.name(), value, max }));
        }
        let (all, bits) = (max << slot.lowest, (bits & max) << slot.lowest);
        Ok(Match {
            value: self.value & !all | (value << slot.lowest) & bits,
            mask: (self.mask | all) & !bits,
            ..self
        })
    }

    /// Returns a field's value and the bits of it that are compared; `None` if
    /// the field is not in this group.
    #[must_use]
    pub const fn field(self, product: Product, field: Field) -> Option<(u64, u64)> {
        match flit::slot(product, self.channel, self.group, field) {
            Some(slot) => {
                let max = slot.max();
                Some((self.value >> slot.lowest & max, !self.mask >> slot.lowest & max))
            }
            None => None,
        }
    }

    /// Returns the channel.
    #[must_use]
    pub const fn channel(self) -> Channel {
        self.channel
    }

    /// Returns the match group.
    #[must_use]
    pub const fn group(self) -> MatchGroup {
        self.group
    }

    /// Returns `wp_val`.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.value
    }

    /// Returns `wp_mask`: the bits that are ignored.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.mask
    }
}
