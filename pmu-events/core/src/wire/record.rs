//! The records of the tables, each with the one place that knows its layout:
//! `write` for the packer and `read` for the look-ups stand side by side, and
//! both name every field.

use super::bytes::{chunk, read_u8, read_u16, read_u24, read_u32, read_u64};
use super::reference::{LongRef, StrRef};

/// Lays out a record: each field has a name, a type and its bytes; `read` and
/// `write` follow from one list, so that they cannot disagree.
macro_rules! record {
    (
        $(#[$doc:meta])*
        pub struct $name:ident {
            $( $(#[$field_doc:meta])* pub $field:ident: $type:ident, )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            $( $(#[$field_doc])* pub $field: field_type!($type), )*
        }

        impl $name {
            /// The bytes of a record.
            pub const SIZE: usize = 0 $( + field_size!($type) )*;

            /// Reads the record that begins at a place.
            // A caller wants a field or two; inlined, the others cost nothing.
            #[inline(always)]
            #[must_use]
            #[allow(unused_assignments)] // The last field's step is not needed.
            pub const fn read(bytes: &[u8], at: usize) -> Self {
                // One check of bounds a record, not one a field.
                let bytes: &[u8] = match chunk::<{ Self::SIZE }>(bytes, at) {
                    Some(record) => record,
                    None => &[0; Self::SIZE],
                };
                let mut at = 0;
                $(
                    let $field = field_read!($type, bytes, at);
                    at += field_size!($type);
                )*
                $name { $( $field, )* }
            }

            /// Reads record number `number` of a section.
            #[inline(always)]
            #[must_use]
            pub const fn nth(records: &[u8], number: usize) -> Self {
                // Saturated: on a machine of 32 bits the number of a free slot
                // would lead back into the section.
                Self::read(records, number.saturating_mul(Self::SIZE))
            }

            /// The record's bytes, to `put`.
            pub fn write(&self, put: &mut dyn FnMut(&[u8])) {
                let $name { $( $field, )* } = *self;
                $( field_write!($type, $field, put); )*
            }
        }
    };
}

macro_rules! field_type {
    (string) => {
        StrRef
    };
    (long) => {
        LongRef
    };
    (text) => {
        u32
    };
    ($int:ident) => {
        $int
    };
}

macro_rules! field_size {
    (string) => {
        4
    };
    (long) => {
        8
    };
    (text) => {
        3
    };
    (u8) => {
        1
    };
    (u16) => {
        2
    };
    (u32) => {
        4
    };
    (u64) => {
        8
    };
}

macro_rules! field_read {
    (string, $bytes:ident, $at:ident) => {
        StrRef::unpack(read_u32($bytes, $at))
    };
    (long, $bytes:ident, $at:ident) => {
        LongRef { offset: read_u32($bytes, $at), len: read_u32($bytes, $at + 4) }
    };
    (text, $bytes:ident, $at:ident) => {
        read_u24($bytes, $at)
    };
    (u8, $bytes:ident, $at:ident) => {
        read_u8($bytes, $at)
    };
    (u16, $bytes:ident, $at:ident) => {
        read_u16($bytes, $at)
    };
    (u32, $bytes:ident, $at:ident) => {
        read_u32($bytes, $at)
    };
    (u64, $bytes:ident, $at:ident) => {
        read_u64($bytes, $at)
    };
}

macro_rules! field_write {
    (string, $value:ident, $put:ident) => {
        $put(&$value.pack().to_le_bytes())
    };
    (long, $value:ident, $put:ident) => {{
        $put(&$value.offset.to_le_bytes());
        $put(&$value.len.to_le_bytes());
    }};
    (text, $value:ident, $put:ident) => {
        $put(&$value.to_le_bytes()[..3])
    };
    ($int:ident, $value:ident, $put:ident) => {
        $put(&$value.to_le_bytes())
    };
}

record! {
    /// One event, less its texts, which follow as the flags of the tree say.
    pub struct EventRecord {
        /// In the letter case of its source.
        pub name: string,
        /// The terms that select it.
        pub event: string,
        /// Number of its [`Traits`].
        pub traits: u16,
    }
}

record! {
    /// What many events have in common.
    pub struct Traits {
        /// Number of the PMU.
        pub pmu: u16,
        /// Number of the topic.
        pub topic: u16,
        /// The `flag` bits.
        pub flags: u16,
        /// Which kind of counters: a `counters` value.
        pub counter_kind: u8,
        /// Number of the extras plus one; zero for none.
        pub extras: u16,
        /// The set of general counters, or the number of the fixed one.
        pub counters: u64,
        /// The model-specific registers that select further; zero for none.
        pub msr: u32,
        /// The second of two registers.
        pub msr_other: u32,
        /// Factor and unit of the count.
        pub scale_unit: string,
        /// The pattern of PMU identifiers.
        pub compat: string,
        /// The number of that pattern in the automaton, plus one; zero for none.
        pub compat_pattern: u16,
        /// Documented errors.
        pub errata: string,
        /// What perf appends to the brief description.
        pub brief_notes: string,
        /// What perf appends to the public description.
        pub public_notes: string,
    }
}

/// Bits of [`Traits::flags`].
#[allow(missing_docs)] // Each is the JSON key of its name.
pub mod flag {
    pub const PER_PACKAGE: u16 = 1;
    pub const DEPRECATED: u16 = 1 << 1;
    pub const EXPERIMENTAL: u16 = 1 << 2;
    pub const DATA_ADDRESS: u16 = 1 << 3;
    /// Two bits: 0 not precise, 1 may be, 2 must be.
    pub const PRECISE_SHIFT: u16 = 4;
    /// The sample-after value or MSR value differs from the event string's.
    pub const OWN_SAMPLE_AFTER: u16 = 1 << 6;
    pub const OWN_MSR_VALUE: u16 = 1 << 7;
    pub const TAKEN_ALONE: u16 = 1 << 8;
    /// Four bits: why perf has something else (`differs`).
    pub const DIFFERS_SHIFT: u16 = 9;
    /// Every bit that means something.
    pub const ALL: u16 = (1 << 13) - 1;
}

/// Why perf has something else for an event, as bits.
pub mod differs {
    /// `UMaskExt` is lost where `UMask` is 0.
    pub const UMASK_EXTENSION: u8 = 1;
    /// `ExtSel` is lost.
    pub const EXT_SEL: u8 = 1 << 1;
    /// `Precise` is lost.
    pub const PRECISE: u8 = 1 << 2;
    /// The umask is that of another register.
    pub const REGISTER: u8 = 1 << 3;
    /// Every bit that means something.
    pub const ALL: u8 = (1 << 4) - 1;
}

/// Values of [`Traits::counter_kind`].
#[allow(missing_docs)] // Each is a variant of `CounterConstraint`.
pub mod counters {
    pub const UNSTATED: u8 = 0;
    pub const GENERAL: u8 = 1;
    pub const FIXED: u8 = 2;
    pub const FIXED_UNNUMBERED: u8 = 3;
    pub const FREE_RUNNING: u8 = 4;
}

record! {
    /// What few events have at all.
    pub struct Extras {
        /// Sample-after value where the event string has another or none.
        pub sample_after: u64,
        /// MSR value where the event string has another or none.
        pub msr_value: u64,
        /// Cycles from the event to its sample, on average.
        pub latency_mean: string,
        /// The fewest.
        pub latency_min: string,
        /// The most.
        pub latency_max: string,
        /// perf's event string, where it is another.
        pub perf_event: string,
        /// Registers and their umasks, as terms.
        pub pairs: string,
    }
}

record! {
    /// One metric, less its texts, which follow as the flags of the tree say.
    pub struct MetricRecord {
        /// In the letter case of its source.
        pub name: string,
        /// Number of the formula plus one; zero for none.
        pub expression: u16,
        /// Number of the formula that says when the value is worth attention,
        /// plus one; zero for none.
        pub threshold: u16,
        /// Groups it belongs to, joined by `;`.
        pub groups: long,
        /// Groups in which its events are not grouped.
        pub no_group: string,
        /// The group that `perf stat` shows by default.
        pub default_group: string,
        /// Factor and unit of the value.
        pub scale_unit: string,
        /// The pattern of PMU identifiers.
        pub compat: string,
        /// The number of that pattern in the automaton, plus one; zero for none.
        pub compat_pattern: u16,
        /// Number of the PMU.
        pub pmu: u16,
        /// Number of the topic.
        pub topic: u16,
        /// 0 none, 1 per chip, 2 per core.
        pub aggregation: u8,
        /// 0 none, else a `Constraint`.
        pub constraint: u8,
        /// 0 or 1.
        pub show_events: u8,
    }
}

record! {
    /// One formula.
    pub struct FormulaRecord {
        /// As it is written.
        pub text: long,
        /// Where its program begins.
        pub program: u32,
    }
}

record! {
    /// The metrics of one name.
    pub struct ReferenceRecord {
        /// Number of the first.
        pub first: u32,
        /// How many there are.
        pub count: u16,
    }
}

record! {
    /// One model, or one sys table.
    pub struct ModelRecord {
        /// Its directory below the tree's.
        pub name: string,
        /// 0 for a CPU model, 1 for a sys table.
        pub sys: u8,
        /// First of its runs.
        pub runs: u32,
        /// How many PMUs it has.
        pub run_count: u32,
        /// First of its entries.
        pub entries: u32,
        /// How many events it has.
        pub entry_count: u32,
        /// First of its buckets.
        pub buckets: u32,
        /// How many buckets.
        pub bucket_count: u32,
        /// First of its slots.
        pub slots: u32,
        /// How many slots.
        pub slot_count: u32,
        /// First of its metrics in the lists.
        pub metrics: u32,
        /// How many metrics it has.
        pub metric_count: u32,
    }
}

record! {
    /// The events of one model on one PMU.
    pub struct RunRecord {
        /// Number of the PMU.
        pub pmu: u16,
        /// General counters, 255 where nothing is said.
        pub general: u8,
        /// Fixed counters, 255 where nothing is said.
        pub fixed: u8,
        /// First entry, counted from the model's first.
        pub first: u32,
        /// How many entries.
        pub count: u32,
    }
}

record! {
    /// A metric group.
    pub struct GroupRecord {
        /// Its name.
        pub name: string,
        /// What it is about.
        pub description: text,
    }
}

record! {
    /// A row of the map file.
    pub struct RowRecord {
        /// Number of its model.
        pub model: u16,
    }
}

record! {
    /// A row of arm64's map file: the register of the CPUs that it is for.
    pub struct MidrRecord {
        /// All but variant and revision.
        pub part: u64,
        /// The least variant and revision.
        pub version: u8,
    }
}

record! {
    /// A pattern that is plain text.
    pub struct LiteralRecord {
        /// The text that it matches.
        pub text: string,
        /// Its number among all patterns, plain or not.
        pub number: u32,
    }
}
