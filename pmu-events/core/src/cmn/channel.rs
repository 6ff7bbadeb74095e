//! Which flits a watchpoint sees, and which of their bits.

/// The channel of a watchpoint (`wp_chn_sel`), with its number as value.
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
    /// All of them, each at the place of its number.
    pub const ALL: [Channel; 4] = [Channel::Req, Channel::Rsp, Channel::Snp, Channel::Dat];
}

/// The match group of a watchpoint (`wp_grp`), with its number as value: a
/// flit has more bits than a watchpoint, and each group is a selection of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum MatchGroup {
    /// The primary group.
    Primary = 0,
    /// The secondary group.
    Secondary = 1,
    /// The tertiary group, which CMN-600 does not have: its driver takes the
    /// primary one instead.
    Tertiary = 2,
}

impl MatchGroup {
    /// All of them, each at the place of its number.
    pub const ALL: [MatchGroup; 3] =
        [MatchGroup::Primary, MatchGroup::Secondary, MatchGroup::Tertiary];
}
