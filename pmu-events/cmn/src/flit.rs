//! The positions of flit fields in the words of a watchpoint.
//!
//! The layouts are those of the match group tables in the technical reference
//! manuals (CMN-600: 5.1; CMN-650: 7.1; CMN-700: 6.1; CMN S3: 5.1), as listed
//! for each product by Arm's cmn-tools (`src/cmn_wp_fields.py`,
//! <https://github.com/ArmDeveloperEcosystem/cmn-tools>). The fields themselves
//! are defined by the AMBA CHI specification.
//!
//! CI-700 has the layout of CMN-700. The layout of CMN S3 is that of its
//! releases before r2, which are those that Linux 6.12 supports. For other
//! releases, and for fields that are not listed here, use raw words
//! ([`Match::raw`]).
//!
//! [`Match::raw`]: super::Match::raw

use core::fmt;

use super::channel::{Channel, MatchGroup};
use super::product::{Product, Products};

macro_rules! fields {
    ($($(#[$doc:meta])* $field:ident $name:literal,)+) => {
        /// A field of CHI flits.
        ///
        /// ```
        /// use pmu_events::cmn::Field;
        /// assert_eq!(Field::named("opcode"), Some(Field::Opcode));
        /// assert_eq!(Field::Opcode.name(), "opcode");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Field {
            $($(#[$doc])* $field,)+
        }

        impl Field {
            /// All fields.
            pub const ALL: &[Field] = &[$(Field::$field),+];

            /// Returns the name, which is that of the CHI specification in
            /// lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Field::$field => $name,)+
                }
            }
        }
    };
}

fields! {
    /// Quality of service: the priority.
    Qos "qos",
    /// The sending node. Only a downward watchpoint sees it; for an upward one,
    /// these bits are [`Field::TgtId`].
    SrcId "srcid",
    /// The receiving node. Only an upward watchpoint sees it; for a downward
    /// one, these bits are [`Field::SrcId`].
    TgtId "tgtid",
    /// The home node of the line.
    HomeNid "homenid",
    /// The node to which the data are returned.
    ReturnNid "returnnid",
    /// The node into whose cache a line is to be put.
    StashNid "stashnid",
    /// The node to which a snooped cache sends the data.
    FwdNid "fwdnid",
    /// The transaction for which a snooped cache sends the data.
    FwdTxnId "fwdtxnid",
    /// The buffer for the data.
    DbId "dbid",
    /// The logical processor of the node.
    LpId "lpid",
    /// The upper part of the identifier of a group of persistent writes.
    GroupIdExt "groupidext",
    /// The request, response or other message: the codes are those of the AMBA
    /// CHI specification for the channel and issue.
    Opcode "opcode",
    /// The size of the data, as the base-2 logarithm of the number of bytes.
    Size "size",
    /// The address. In snoops, it begins with bit 3.
    Addr "addr",
    /// Whether the address is Non-secure.
    Ns "ns",
    /// Whether the receiver may ask for a retry.
    AllowRetry "allowretry",
    /// The ordering that the requests of a sender require.
    Order "order",
    /// The type of credit for a retry.
    PCrdType "pcrdtype",
    /// Whether the sender acknowledges the completion.
    ExpCompAck "expcompack",
    /// Whether other caches are likely to have the line.
    LikelyShared "likelyshared",
    /// Memory attributes: early acknowledge, device, cacheable, allocate.
    MemAttr "memattr",
    /// Whether the address is to be snooped.
    SnpAttr "snpattr",
    /// Whether the access is exclusive.
    Excl "excl",
    /// Whether the sender itself is to be snooped, in atomic requests.
    SnoopMe "snoopme",
    /// The byte order of an atomic request.
    Endian "endian",
    /// Whether there is a target to stash to.
    StashTgtValid "stashtgtvalid",
    /// Whether the write must reach the last point of persistence.
    Deep "deep",
    /// Whether a completer keeps a copy (“completer allocation hint”).
    Cah "cah",
    /// Partition and monitoring group of the memory system, if the mesh is
    /// configured for it.
    Mpam "mpam",
    /// The operation on memory tags.
    TagOp "tagop",
    /// Memory tags.
    Tag "tag",
    /// The memory tags to be written.
    Tu "tu",
    /// The state of the line.
    Resp "resp",
    /// Whether there was an error, and its kind.
    RespErr "resperr",
    /// The state of the line at the node to which the data were sent.
    FwdState "fwdstate",
    /// The source of the data. Shares its bits with [`Field::FwdState`].
    DataSource "datasrc",
    /// The data that a snooped cache pulls, for a stash. Shares its bits with
    /// [`Field::FwdState`].
    Stash "stash",
    /// Whether a snooped cache pulls data.
    DataPull "datapull",
    /// How busy the completer is.
    CBusy "cbusy",
    /// Whether the snooped cache must not keep the line shared and dirty.
    DoNotGoToSd "donotgotosd",
    /// Whether the snooped cache returns the data.
    RetToSrc "rettosrc",
    /// The part of the line that is wanted first.
    CcId "ccid",
    /// The part of the line that the flit contains.
    DataId "dataid",
    /// Which chunks of the data are valid.
    ChunkValid "chunkv",
    /// Which chunks of the data are poisoned.
    Poison "poison",
    /// Whether the transaction is traced.
    TraceTag "tracetag",
    /// The action of a device's cache for the transaction.
    DevEvent "devevent",
    /// Reserved for the maker of the system.
    RsvdC "rsvdc",
}

impl Field {
    /// Finds a field by name.
    #[must_use]
    pub const fn named(name: &str) -> Option<Field> {
        let mut n = 0;
        while n < Self::ALL.len() {
            if pmu_events_core::__private::name::eq(Self::ALL[n].name(), name) {
                return Some(Self::ALL[n]);
            }
            n += 1;
        }
        None
    }

    /// Returns the number of bits of the field in a match group of a product's
    /// channel; `None` if the group does not contain it.
    #[must_use]
    pub const fn width(self, product: Product, channel: Channel, group: MatchGroup) -> Option<u32> {
        match slot(product, channel, group, self) {
            Some(slot) => Some(slot.width),
            None => None,
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The bits of a field.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) lowest: u32,
    pub(super) width: u32,
}

impl Slot {
    pub(super) const fn max(self) -> u64 {
        u64::MAX >> (64 - self.width)
    }
}

/// The position of a field.
pub(super) const fn slot(
    product: Product,
    channel: Channel,
    group: MatchGroup,
    field: Field,
) -> Option<Slot> {
    let mut rows = ROWS;
    while let Some((row, rest)) = rows.split_first() {
        if row.products.contains(product)
            && row.channel as u8 == channel as u8
            && row.group as u8 == group as u8
            && row.field as u8 == field as u8
        {
            return Some(row.slot);
        }
        rows = rest;
    }
    None
}

struct Row {
    products: Products,
    channel: Channel,
    group: MatchGroup,
    field: Field,
    slot: Slot,
}

const fn row(
    products: Products,
    channel: Channel,
    group: MatchGroup,
    field: Field,
    lowest: u32,
    width: u32,
) -> Row {
    Row { products, channel, group, field, slot: Slot { lowest, width } }
}

/// Products, channel, group, field, its lowest bit and its number of bits,
/// sorted by channel, group and bit.
const ROWS: &[Row] = {
    use Channel::*;
    use Field::*;
    use MatchGroup::*;
    const ANY: Products = Products::ANY;
    const CMN600: Products = Products::CMN600;
    const CMNS3: Products = Products::CMNS3;
    /// CMN-650, CI-700, CMN-700, CMN S3.
    const NOT_600: Products = ANY.without(CMN600);
    /// CMN-650, CI-700, CMN-700.
    const BETWEEN: Products = NOT_600.without(CMNS3);
    /// CI-700, CMN-700, CMN S3.
    const FROM_700: Products = NOT_600.without(Products::CMN650);
    /// CI-700, CMN-700.
    const BOTH_700: Products = FROM_700.without(CMNS3);
    &[
        // REQ
        row(ANY, Req, Primary, SrcId, 0, 11),
        row(ANY, Req, Primary, TgtId, 0, 11),
        row(ANY, Req, Primary, ReturnNid, 11, 11),
        row(NOT_600, Req, Primary, StashNid, 11, 11),
        row(ANY, Req, Primary, Endian, 22, 1),
        row(NOT_600, Req, Primary, StashTgtValid, 22, 1),
        row(CMNS3, Req, Primary, Deep, 22, 1),
        row(NOT_600, Req, Primary, Opcode, 29, 7),
        row(CMN600, Req, Primary, Opcode, 31, 6),
        row(NOT_600, Req, Primary, Size, 36, 3),
        row(CMN600, Req, Primary, Size, 37, 3),
        row(NOT_600, Req, Primary, Ns, 39, 1),
        row(CMN600, Req, Primary, Ns, 40, 1),
        row(NOT_600, Req, Primary, AllowRetry, 40, 1),
        row(CMN600, Req, Primary, AllowRetry, 41, 1),
        row(NOT_600, Req, Primary, Order, 41, 2),
        row(CMN600, Req, Primary, Order, 42, 2),
        row(NOT_600, Req, Primary, PCrdType, 43, 4),
        row(CMN600, Req, Primary, PCrdType, 44, 4),
        row(NOT_600, Req, Primary, LpId, 47, 5),
        row(CMN600, Req, Primary, LpId, 48, 5),
        row(NOT_600, Req, Primary, GroupIdExt, 52, 3),
        row(CMN600, Req, Primary, TraceTag, 54, 1),
        row(NOT_600, Req, Primary, ExpCompAck, 55, 1),
        row(CMN600, Req, Primary, RsvdC, 55, 8),
        row(NOT_600, Req, Primary, RsvdC, 56, 8),
        row(ANY, Req, Secondary, Qos, 0, 4),
        row(CMN600, Req, Secondary, Addr, 4, 48),
        row(NOT_600, Req, Secondary, Addr, 4, 52),
        row(CMN600, Req, Secondary, LikelyShared, 52, 1),
        row(CMN600, Req, Secondary, MemAttr, 53, 4),
        row(NOT_600, Req, Secondary, LikelyShared, 56, 1),
        row(NOT_600, Req, Secondary, MemAttr, 57, 4),
        row(CMN600, Req, Secondary, SnpAttr, 57, 1),
        row(CMN600, Req, Secondary, Excl, 58, 1),
        row(CMN600, Req, Secondary, SnoopMe, 58, 1),
        row(CMN600, Req, Secondary, TraceTag, 59, 1),
        row(NOT_600, Req, Secondary, SnpAttr, 61, 1),
        row(NOT_600, Req, Secondary, Excl, 62, 1),
        row(NOT_600, Req, Secondary, SnoopMe, 62, 1),
        row(CMNS3, Req, Secondary, Cah, 62, 1),
        row(NOT_600, Req, Secondary, TraceTag, 63, 1),
        row(NOT_600, Req, Tertiary, SrcId, 0, 11),
        row(NOT_600, Req, Tertiary, TgtId, 0, 11),
        row(NOT_600, Req, Tertiary, Opcode, 11, 7),
        row(BETWEEN, Req, Tertiary, Mpam, 18, 11),
        row(CMNS3, Req, Tertiary, Mpam, 18, 12),
        row(BOTH_700, Req, Tertiary, TagOp, 29, 2),
        row(CMNS3, Req, Tertiary, TagOp, 30, 2),
        row(CMNS3, Req, Tertiary, AllowRetry, 32, 1),
        // RSP
        row(ANY, Rsp, Primary, Qos, 0, 4),
        row(ANY, Rsp, Primary, SrcId, 4, 11),
        row(ANY, Rsp, Primary, TgtId, 4, 11),
        row(CMN600, Rsp, Primary, Opcode, 15, 4),
        row(NOT_600, Rsp, Primary, Opcode, 15, 5),
        row(CMN600, Rsp, Primary, RespErr, 19, 2),
        row(NOT_600, Rsp, Primary, RespErr, 20, 2),
        row(CMN600, Rsp, Primary, Resp, 21, 3),
        row(NOT_600, Rsp, Primary, Resp, 22, 3),
        row(CMN600, Rsp, Primary, FwdState, 24, 3),
        row(NOT_600, Rsp, Primary, FwdState, 25, 3),
        row(CMNS3, Rsp, Primary, DataPull, 25, 3),
        row(CMN600, Rsp, Primary, DbId, 27, 8),
        row(NOT_600, Rsp, Primary, CBusy, 28, 3),
        row(NOT_600, Rsp, Primary, DbId, 31, 12),
        row(CMN600, Rsp, Primary, PCrdType, 35, 4),
        row(CMN600, Rsp, Primary, TraceTag, 39, 1),
        row(CMN600, Rsp, Primary, DevEvent, 40, 2),
        row(NOT_600, Rsp, Primary, PCrdType, 43, 4),
        row(FROM_700, Rsp, Primary, TagOp, 47, 2),
        row(NOT_600, Rsp, Primary, TraceTag, 49, 1),
        row(NOT_600, Rsp, Primary, DevEvent, 50, 2),
        // SNP
        row(ANY, Snp, Primary, SrcId, 0, 11),
        row(NOT_600, Snp, Primary, FwdTxnId, 11, 8),
        row(NOT_600, Snp, Primary, FwdNid, 19, 11),
        row(CMN600, Snp, Primary, Opcode, 19, 5),
        row(CMN600, Snp, Primary, Ns, 24, 1),
        row(CMN600, Snp, Primary, DoNotGoToSd, 25, 1),
        row(CMN600, Snp, Primary, RetToSrc, 26, 1),
        row(CMN600, Snp, Primary, TraceTag, 27, 1),
        row(CMN600, Snp, Primary, Addr, 28, 36),
        row(NOT_600, Snp, Primary, Opcode, 30, 5),
        row(NOT_600, Snp, Primary, Ns, 35, 1),
        row(NOT_600, Snp, Primary, DoNotGoToSd, 36, 1),
        row(NOT_600, Snp, Primary, RetToSrc, 37, 1),
        row(NOT_600, Snp, Primary, TraceTag, 38, 1),
        row(NOT_600, Snp, Primary, Qos, 39, 4),
        row(NOT_600, Snp, Primary, Mpam, 43, 11),
        row(ANY, Snp, Secondary, SrcId, 0, 11),
        row(NOT_600, Snp, Secondary, Addr, 11, 49),
        row(CMN600, Snp, Secondary, Opcode, 19, 5),
        row(CMN600, Snp, Secondary, Ns, 24, 1),
        row(CMN600, Snp, Secondary, DoNotGoToSd, 25, 1),
        row(CMN600, Snp, Secondary, RetToSrc, 26, 1),
        row(CMN600, Snp, Secondary, TraceTag, 27, 1),
        // DAT
        row(ANY, Dat, Primary, Qos, 0, 4),
        row(ANY, Dat, Primary, SrcId, 4, 11),
        row(ANY, Dat, Primary, TgtId, 4, 11),
        row(ANY, Dat, Primary, HomeNid, 15, 11),
        row(CMN600, Dat, Primary, Opcode, 26, 3),
        row(NOT_600, Dat, Primary, Opcode, 26, 4),
        row(CMN600, Dat, Primary, RespErr, 29, 2),
        row(NOT_600, Dat, Primary, RespErr, 30, 2),
        row(CMN600, Dat, Primary, Resp, 31, 3),
        row(NOT_600, Dat, Primary, Resp, 32, 3),
        row(CMN600, Dat, Primary, FwdState, 34, 3),
        row(CMN600, Dat, Primary, DataSource, 34, 3),
        row(BETWEEN, Dat, Primary, FwdState, 35, 4),
        row(CMNS3, Dat, Primary, FwdState, 35, 5),
        row(BETWEEN, Dat, Primary, DataSource, 35, 4),
        row(CMNS3, Dat, Primary, DataSource, 35, 5),
        row(BETWEEN, Dat, Primary, Stash, 35, 4),
        row(CMNS3, Dat, Primary, Stash, 35, 5),
        row(CMN600, Dat, Primary, DbId, 37, 8),
        row(BETWEEN, Dat, Primary, CBusy, 39, 3),
        row(CMNS3, Dat, Primary, CBusy, 40, 3),
        row(BETWEEN, Dat, Primary, DbId, 42, 12),
        row(CMNS3, Dat, Primary, DbId, 43, 12),
        row(CMN600, Dat, Primary, CcId, 45, 2),
        row(CMN600, Dat, Primary, DataId, 47, 2),
        row(CMN600, Dat, Primary, TraceTag, 49, 1),
        row(CMN600, Dat, Primary, Poison, 50, 1),
        row(CMN600, Dat, Primary, ChunkValid, 51, 2),
        row(CMN600, Dat, Primary, DevEvent, 53, 2),
        row(BETWEEN, Dat, Primary, CcId, 54, 2),
        row(CMNS3, Dat, Primary, CcId, 55, 2),
        row(CMN600, Dat, Primary, RsvdC, 55, 8),
        row(BETWEEN, Dat, Primary, DataId, 56, 2),
        row(CMNS3, Dat, Primary, DataId, 57, 2),
        row(BETWEEN, Dat, Primary, Poison, 58, 4),
        row(CMNS3, Dat, Primary, Poison, 59, 4),
        row(BETWEEN, Dat, Primary, DevEvent, 62, 2),
        row(NOT_600, Dat, Secondary, SrcId, 0, 11),
        row(NOT_600, Dat, Secondary, TgtId, 0, 11),
        row(NOT_600, Dat, Secondary, Opcode, 11, 4),
        row(NOT_600, Dat, Secondary, RespErr, 15, 2),
        row(NOT_600, Dat, Secondary, Resp, 17, 3),
        row(FROM_700, Dat, Secondary, TagOp, 20, 2),
        row(FROM_700, Dat, Secondary, Tag, 22, 8),
        row(FROM_700, Dat, Secondary, Tu, 30, 2),
        row(NOT_600, Dat, Secondary, DbId, 32, 12),
        row(NOT_600, Dat, Secondary, TraceTag, 44, 1),
        row(NOT_600, Dat, Secondary, ChunkValid, 45, 2),
        row(NOT_600, Dat, Secondary, DevEvent, 47, 2),
        row(CMNS3, Dat, Secondary, Cah, 49, 1),
        row(BETWEEN, Dat, Secondary, RsvdC, 49, 8),
        row(CMNS3, Dat, Secondary, RsvdC, 50, 8),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_in_words() {
        assert_eq!(ROWS.len(), 147);
        for row in ROWS {
            let name = row.field.name();
            assert!(row.slot.width > 0 && row.slot.lowest + row.slot.width <= 64, "{name}");
            assert_eq!(Field::named(name), Some(row.field));
        }
    }

    #[test]
    fn fields_of_one_group_share_bits_only_where_the_flit_does() {
        // The opcode or the direction determines which of the two it is.
        let shared = [
            [Field::SrcId, Field::TgtId],
            [Field::ReturnNid, Field::StashNid],
            [Field::Endian, Field::StashTgtValid],
            [Field::Endian, Field::Deep],
            [Field::StashTgtValid, Field::Deep],
            [Field::Excl, Field::SnoopMe],
            [Field::Excl, Field::Cah],
            [Field::SnoopMe, Field::Cah],
            [Field::FwdState, Field::DataSource],
            [Field::FwdState, Field::Stash],
            [Field::FwdState, Field::DataPull],
            [Field::DataSource, Field::Stash],
        ];
        let bits = |row: &Row| row.slot.max() << row.slot.lowest;
        for &product in Product::ALL {
            for (n, a) in ROWS.iter().enumerate() {
                for b in &ROWS[n + 1..] {
                    let both = a.products.contains(product) && b.products.contains(product);
                    if !both || a.channel != b.channel || a.group != b.group {
                        continue;
                    }
                    assert_ne!(a.field, b.field, "{product} {}", a.field);
                    let known = shared.contains(&[a.field, b.field])
                        || shared.contains(&[b.field, a.field]);
                    let apart = bits(a) & bits(b) == 0;
                    assert!(apart || known, "{product} {:?}: {} {}", a.channel, a.field, b.field);
                }
            }
        }
    }
}
