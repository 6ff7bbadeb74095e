//! The flits that a watchpoint sees, and which of their bits.

/// The channel of a watchpoint (`wp_chn_sel`), with its number as discriminant.
///
/// ```
/// use pmu_events::cmn::{Channel, Match, MatchGroup};
///
/// let requests = Match::all(Channel::Req, MatchGroup::Primary);
/// assert_eq!(requests.channel(), Channel::Req);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Channel {
    /// Requests.
    Req = 0,
    /// Responses.
    Rsp = 1,
    /// Snoops.
    Snp = 2,
    /// Data.
    Dat = 3,
}

impl Channel {
    /// All channels, each at the index of its number.
    pub const ALL: &'static [Channel] = &[Channel::Req, Channel::Rsp, Channel::Snp, Channel::Dat];
}

/// The match group of a watchpoint (`wp_grp`), with its number as discriminant.
///
/// A flit has more bits than a watchpoint can compare; each group is a selection
/// of them.
///
/// ```
/// use pmu_events::cmn::{Channel, Field, MatchGroup, Product};
///
/// // The address of a request is in its second group.
/// let width = |group| Field::Addr.width(Product::Cmn600, Channel::Req, group);
/// assert!(width(MatchGroup::Primary).is_none() && width(MatchGroup::Secondary).is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum MatchGroup {
    /// The primary group.
    Primary = 0,
    /// The secondary group.
    Secondary = 1,
    /// The tertiary group. CMN-600 does not have it; its driver uses the
    /// primary one instead.
    Tertiary = 2,
}

impl MatchGroup {
    /// All match groups, each at the index of its number.
    pub const ALL: &'static [MatchGroup] =
        &[MatchGroup::Primary, MatchGroup::Secondary, MatchGroup::Tertiary];
}
