//! The layout of the tables.

/// The version of the format. Constants emitted for another version do not
/// compile.
pub const VERSION: u16 = 13;

/// Flag: numbers of events, entries, metrics and groups take four bytes.
pub const WIDE: u16 = 1;
/// Flag: records have a brief description.
pub const BRIEF: u16 = 2;
/// Flag: records have a public description.
pub const PUBLIC: u16 = 4;
/// Flag: a pattern of the map file matches the part before a stepping.
pub const STEPPINGS: u16 = 8;

/// Flag: the tree had errors and was not compiled.
pub const BROKEN: u16 = 1 << 15;

/// The sections of `tables`, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
#[allow(missing_docs)] // The module's page says what each holds.
pub enum Section {
    Pmus,
    Topics,
    Traits,
    Extras,
    Counts,
    Events,
    Successors,
    Metrics,
    MetricTraits,
    Models,
    Runs,
    Entries,
    Buckets,
    Slots,
    Lists,
    Nodes,
    Groups,
    Formulas,
    Programs,
    Constants,
    References,
    Words,
    Texts,
    Rows,
    Midrs,
    CpuidLiterals,
    Cpuids,
    CompatLiterals,
    Compats,
    MadeRows,
    MadeMidrs,
    MadeLiterals,
    Made,
    FallbackRows,
    FallbackLiterals,
    Fallbacks,
}

/// The number of sections.
pub const SECTIONS: usize = Section::Fallbacks as usize + 1;

/// The number of bytes before the first section.
pub const HEADER: usize = 8 + 4 * SECTIONS;

/// Returns the size of the number of an event, entry, metric or group.
#[must_use]
#[inline]
pub const fn number_size(flags: u16) -> usize {
    if flags & WIDE != 0 { 4 } else { 2 }
}

/// Returns the size of the bitmap of a model's metrics, in numbers.
#[must_use]
pub const fn member_numbers(metrics: usize, flags: u16) -> usize {
    (metrics / 8 + 1).div_ceil(number_size(flags))
}

/// The size of the text references after a record.
pub(super) const fn texts_size(flags: u16) -> u16 {
    3 * (flags & BRIEF != 0) as u16 + 3 * (flags & PUBLIC != 0) as u16
}
