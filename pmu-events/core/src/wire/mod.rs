//! The packed form of a tree: what the macro writes and the look-ups read.
//!
//! A tree is two constants. `strings` is a `str` that holds, end to end and
//! overlapping where they can, all names, event strings, scale units,
//! expressions and the words of the texts. `tables` is a byte string,
//! little-endian, without alignment:
//!
//! ```text
//! header     version u16 · flags u16 · short codes u16 · sections u16
//!            then, for each section, where it ends (u32); the first begins
//!            behind the header, each other where the one before ends
//! pmus       a string reference each                    ordered as perf's tables
//! topics     a string reference each
//! traits     see `record::Traits`     what many events have in common
//! extras     see `record::Extras`     what few events have at all
//! events     see `record::EventRecord`, ordered by name  distinct ones only
//! metrics    see `record::MetricRecord`, ordered by name distinct ones only
//! models     see `record::ModelRecord`
//! runs       see `record::RunRecord`  the events of a model on one PMU
//! entries    event numbers, model by model, in it by PMU and name
//! buckets    u8 displacements, model by model   ┐ the perfect hash of a model's
//! slots      event numbers, model by model      ┘ names, see `index`
//! lists      metric numbers, model by model, in it by name; behind them the
//!            number of the model's metric groups, and these, by name
//! groups     name (string reference), description (text reference), by name
//! formulas   see `record::FormulaRecord`  distinct texts, each with a program
//! programs   see `program`
//! constants  f64 each: the numbers of the programs
//! references see `record::ReferenceRecord`  the metrics of the programs
//! words      a string reference each: the dictionary of the texts
//! texts      descriptions as codes, see `text`
//! cpuids     the automaton of the map file's patterns, see `cpuid::Automaton`
//! compats    the automaton of the `Compat` patterns
//! ```
//!
//! * A *string reference* is four bytes: offset in `strings` (24 bits), length
//!   (8 bits). A *long reference* is eight: offset and length, 32 bits each.
//! * A *text reference* is three bytes: offset in `texts`; 0 is no text.
//! * Numbers of events, entries, metrics and groups take two bytes, or four in a *wide*
//!   tree (flag bit 0), which is one with more than 65 535 of one of them.
//! * Flag bits 1 and 2: event and metric records have a brief, a public
//!   description. A tree without texts has shorter records.
//!
//! Equal events of different models are one record; what many events share
//! (PMU, topic, counters, flags, …) is one of a few hundred traits. Readers
//! never panic: bytes that make no sense read as zero, empty or absent.
//!
//! The format is no interface: it changes with [`VERSION`], which the emitted
//! code asserts.

pub mod index;
pub mod program;
pub mod record;
mod tables;
pub mod text;

/// The version of the format. Emitted constants of another version do not
/// compile.
pub const VERSION: u16 = 2;

/// Flag: numbers of events, entries and metrics take four bytes.
pub const WIDE: u16 = 1;
/// Flag: records have a brief description.
pub const BRIEF: u16 = 2;
/// Flag: records have a public description.
pub const PUBLIC: u16 = 4;

/// Flag: the tree had faults and was not compiled.
pub const BROKEN: u16 = 1 << 15;

/// The sections of `tables`, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
#[allow(missing_docs)] // The module's page says what each holds.
pub enum Section {
    Pmus,
    Topics,
    Traits,
    Extras,
    Events,
    Metrics,
    Models,
    Runs,
    Entries,
    Buckets,
    Slots,
    Lists,
    Groups,
    Formulas,
    Programs,
    Constants,
    References,
    Words,
    Texts,
    Cpuids,
    Compats,
}

/// How many sections there are.
pub const SECTIONS: usize = Section::Compats as usize + 1;

/// The bytes before the first section.
pub const HEADER: usize = 8 + 4 * SECTIONS;

/// A packed tree, read.
#[derive(Clone, Copy, Debug)]
pub struct Wire<'a> {
    strings: &'a str,
    sections: [&'a [u8]; SECTIONS],
    flags: u16,
    short_codes: u16,
    /// Kept, because every look-up multiplies by it.
    event_size: u16,
    metric_size: u16,
}

impl<'a> Wire<'a> {
    /// The stand-in for a tree that was not compiled.
    pub(crate) const BROKEN: Self = Wire::new("", [&[]; SECTIONS], BROKEN, 0);

    /// Finds the sections. `None` when the bytes are of another version or too
    /// short for what their header says.
    #[must_use]
    pub const fn read(strings: &'a str, tables: &'a [u8]) -> Option<Self> {
        if read_u16(tables, 0) != VERSION || read_u16(tables, 6) as usize != SECTIONS {
            return None;
        }
        let mut sections: [&[u8]; SECTIONS] = [&[]; SECTIONS];
        let mut start = HEADER;
        let mut i = 0;
        while i < SECTIONS {
            let end = read_u32(tables, 8 + 4 * i) as usize;
            if end < start {
                return None;
            }
            let Some((upto, _)) = tables.split_at_checked(end) else {
                return None;
            };
            let Some((_, section)) = upto.split_at_checked(start) else {
                return None;
            };
            sections[i] = section;
            start = end;
            i += 1;
        }
        Some(Self::new(strings, sections, read_u16(tables, 2), read_u16(tables, 4)))
    }

    const fn new(
        strings: &'a str,
        sections: [&'a [u8]; SECTIONS],
        flags: u16,
        short_codes: u16,
    ) -> Self {
        let texts_size = tables::texts_size(flags);
        Wire {
            strings,
            sections,
            flags,
            short_codes,
            event_size: (record::EventRecord::SIZE + texts_size) as u16,
            metric_size: (record::MetricRecord::SIZE + texts_size) as u16,
        }
    }

    /// The bytes of the whole tree.
    #[must_use]
    pub const fn size(&self) -> usize {
        let mut size = HEADER + self.strings.len();
        let mut i = 0;
        while i < SECTIONS {
            size += self.sections[i].len();
            i += 1;
        }
        size
    }

    /// The bytes of a section.
    #[must_use]
    #[inline]
    pub const fn section(&self, section: Section) -> &'a [u8] {
        self.sections[section as usize]
    }

    /// Whether a flag is set.
    #[must_use]
    #[inline]
    pub const fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// How many dictionary words have a code of one byte.
    #[must_use]
    #[inline]
    pub const fn short_codes(&self) -> usize {
        self.short_codes as usize
    }

    /// Reads a string.
    #[must_use]
    #[inline]
    pub const fn str(&self, at: StrRef) -> &'a str {
        slice(self.strings, at.offset as usize, at.len as usize)
    }

    /// Reads a long string.
    #[must_use]
    #[inline]
    pub const fn long(&self, at: LongRef) -> &'a str {
        slice(self.strings, at.offset as usize, at.len as usize)
    }

    /// A string that may be missing.
    #[must_use]
    #[inline]
    pub const fn optional(&self, at: StrRef) -> Option<&'a str> {
        if at.is_none() { None } else { Some(self.str(at)) }
    }

    /// The string reference number `n` of a section of such.
    #[must_use]
    #[inline]
    pub const fn nth_str(&self, section: Section, n: usize) -> &'a str {
        self.str(StrRef::unpack(read_u32(self.section(section), 4 * n)))
    }

    /// Number `n` of a section of event, entry or metric numbers.
    #[must_use]
    #[inline]
    pub const fn number(&self, section: Section, n: usize) -> usize {
        let bytes = self.section(section);
        if self.has(WIDE) {
            read_u32(bytes, 4 * n) as usize
        } else {
            read_u16(bytes, 2 * n) as usize
        }
    }
}

/// A place in `strings`: of at most 255 bytes, in the first 16 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct StrRef {
    /// Where it begins.
    pub offset: u32,
    /// How long it is. 255 and offset 2²⁴−1 together mean that it is missing.
    pub len: u8,
}

impl StrRef {
    /// The largest offset.
    pub const MAX_OFFSET: usize = (1 << 24) - 2;
    /// The longest string.
    pub const MAX_LEN: usize = 255;
    /// The reference to nothing, which is not the one to an empty string.
    pub const NONE: Self = StrRef { offset: (1 << 24) - 1, len: 255 };

    /// Whether the string is missing.
    #[must_use]
    #[inline]
    pub const fn is_none(self) -> bool {
        self.offset == Self::NONE.offset && self.len == Self::NONE.len
    }

    /// As a word of the tables.
    #[must_use]
    pub const fn pack(self) -> u32 {
        self.offset | (self.len as u32) << 24
    }

    /// From a word of the tables.
    #[must_use]
    #[inline]
    pub const fn unpack(word: u32) -> Self {
        StrRef { offset: word & 0x00ff_ffff, len: (word >> 24) as u8 }
    }
}

/// A place in `strings` for what may be long: expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct LongRef {
    /// Where it begins.
    pub offset: u32,
    /// How long it is; zero for what is missing.
    pub len: u32,
}

#[inline]
const fn slice(text: &str, start: usize, len: usize) -> &str {
    match text.split_at_checked(start) {
        Some((_, rest)) => match rest.split_at_checked(len) {
            Some((found, _)) => found,
            None => "",
        },
        None => "",
    }
}

/// The byte at a place, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u8(bytes: &[u8], at: usize) -> u8 {
    if at < bytes.len() { bytes[at] } else { 0 }
}

/// Two bytes at a place, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u16(bytes: &[u8], at: usize) -> u16 {
    match chunk(bytes, at) {
        Some(chunk) => u16::from_le_bytes(*chunk),
        None => 0,
    }
}

/// Three bytes at a place, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u24(bytes: &[u8], at: usize) -> u32 {
    match chunk::<3>(bytes, at) {
        Some(&[a, b, c]) => u32::from_le_bytes([a, b, c, 0]),
        None => 0,
    }
}

/// Four bytes at a place, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u32(bytes: &[u8], at: usize) -> u32 {
    match chunk(bytes, at) {
        Some(chunk) => u32::from_le_bytes(*chunk),
        None => 0,
    }
}

/// Eight bytes at a place, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u64(bytes: &[u8], at: usize) -> u64 {
    match chunk(bytes, at) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => 0,
    }
}

#[inline]
const fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    match bytes.split_at_checked(at) {
        Some((_, rest)) => rest.first_chunk::<N>(),
        None => None,
    }
}
