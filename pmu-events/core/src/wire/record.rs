//! The records of the tables. The layout of each is defined in one place:
//! `write` for the packer and `read` for the look-ups are generated together,
//! and both name every field.

use super::bytes::{chunk, read_u8, read_u16, read_u24, read_u32, read_u64};
use super::reference::{LongRef, StrRef};

/// Defines a record: each field has a name, a type and its bytes. `read` and
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
            /// The size of a record in bytes.
            pub const SIZE: usize = 0 $( + field_size!($type) )*;

            /// Reads the record that begins at a position.
            // A caller needs a field or two; after inlining, the others cost
            // nothing.
            // Not in a build without optimization, which would have them all wherever there is
            // a call.
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[must_use]
            #[allow(unused_assignments)] // The last field's step is not needed.
            pub const fn read(bytes: &[u8], at: usize) -> Self {
                // One bounds check for the record rather than one for each
                // field.
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
            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[must_use]
            pub const fn nth(records: &[u8], number: usize) -> Self {
                // Saturating: on a 32-bit machine, the number of a free slot
                // would wrap around into the section.
                Self::read(records, number.saturating_mul(Self::SIZE))
            }

            /// Passes the record's bytes to `put`.
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
    (u24) => {
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
    (u24) => {
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
    (u24, $bytes:ident, $at:ident) => {
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
    (u24, $value:ident, $put:ident) => {
        $put(&$value.to_le_bytes()[..3])
    };
    ($int:ident, $value:ident, $put:ident) => {
        $put(&$value.to_le_bytes())
    };
}

record! {
    /// An event without its texts, which follow according to the flags of the
    /// tree.
    pub struct EventRecord {
        /// The name in the letter case of its source.
        pub name: string,
        /// The terms that select the event.
        pub event: string,
        /// The number of its [`Traits`].
        pub traits: u16,
    }
}

record! {
    /// Properties shared by many events.
    pub struct Traits {
        /// The number of the PMU.
        pub pmu: u16,
        /// The number of the topic.
        pub topic: u16,
        /// The `flag` bits.
        pub flags: u16,
        /// The kind of counters: a `counters` value.
        pub counter_kind: u8,
        /// The number of the extras plus one; zero for none.
        pub extras: u16,
        /// The number of the unit and scope of a count plus one; zero for none.
        pub count: u8,
        /// What is known of the event's repair: `repair` bits.
        pub repair: u32,
        /// The set of general-purpose counters, or the number of the fixed one.
        pub counters: u64,
        /// The model-specific registers that refine the event; zero for none.
        pub msr: u32,
        /// The second of two registers.
        pub msr_other: u32,
        /// Factor and unit of the count.
        pub scale_unit: string,
        /// The pattern of PMU identifiers.
        pub compat: string,
        /// The number of that pattern in the automaton, plus one; zero for none.
        pub compat_pattern: u16,
        /// Documented errata.
        pub errata: string,
        /// What perf appends to the brief description.
        pub brief_notes: string,
        /// What perf appends to the public description.
        pub public_notes: string,
    }
}

/// The bits of [`Traits::flags`] after those of [`Flag`](crate::flags::Flag).
pub mod flag {
    /// The number of the first: below are those of `Flag`.
    pub const FIRST_OTHER: u16 = 11;
    /// The sample-after value differs from the event string's.
    pub const OWN_SAMPLE_AFTER: u16 = 1 << 11;
    /// The MSR value differs from the event string's.
    pub const OWN_MSR_VALUE: u16 = 1 << 12;
    /// The other event string is the vendor's, not perf's.
    pub const VENDOR_EVENT: u16 = 1 << 13;
    /// Two bits: 0 not precise, 1 possibly precise, 2 must be precise.
    pub const PRECISE_SHIFT: u16 = 14;
}

/// The reasons why perf's event differs, as bits.
pub mod differs {
    /// `UMaskExt` is lost where `UMask` is 0.
    pub const UMASK_EXTENSION: u8 = 1;
    /// `ExtSel` is lost.
    pub const EXT_SEL: u8 = 1 << 1;
    /// `Precise` is lost.
    pub const PRECISE: u8 = 1 << 2;
    /// The umask is that of another register.
    pub const REGISTER: u8 = 1 << 3;
    /// The value of a filter is in the wrong half of its register.
    pub const FILTER: u8 = 1 << 4;
    /// The name has one event string on every CPU, which selects another event.
    pub const FIXED_STRING: u8 = 1 << 5;
    /// All defined bits.
    pub const ALL: u8 = (1 << 6) - 1;
}

/// The bits of [`Traits::repair`]: in which of Linux's trees an event is wrong or right, and
/// what else supports the repair.
pub mod repair {
    /// The versions of Linux whose trees are compared; each has one bit of four.
    pub const VERSIONS: [&str; 4] = ["6.1", "6.12", "6.17", "7.3"];
    /// The trees that have perf's event string.
    pub const WRONG_SHIFT: u32 = 0;
    /// The trees that have the correct event string.
    pub const RIGHT_SHIFT: u32 = 4;
    /// The trees that have the event, but do not say that it can be sampled precisely.
    pub const IMPRECISE_SHIFT: u32 = 8;
    /// The trees that say so.
    pub const PRECISE_SHIFT: u32 = 12;
    /// There is something to say, even if no other bit is set.
    pub const RECORDED: u32 = 1 << 16;
    /// The formats of the kernel's driver can express the event.
    pub const DRIVER: u32 = 1 << 17;
    /// libpfm4 has the same code.
    pub const LIBPFM4: u32 = 1 << 18;
    /// libpfm4 has another code.
    pub const NOT_LIBPFM4: u32 = 1 << 19;
    /// The source gives several events this encoding.
    pub const SHARED: u32 = 1 << 20;
    /// All bits above.
    pub const ALL: u32 = (1 << 21) - 1;
    /// Six bits: why perf's event differs (`differs`).
    pub const WHY_SHIFT: u32 = 21;
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
    /// Properties that few events have.
    pub struct Extras {
        /// The sample-after value if the event string has another or none.
        pub sample_after: u64,
        /// The MSR value if the event string has another or none.
        pub msr_value: u64,
        /// The mean number of cycles from the event to its sample.
        pub latency_mean: string,
        /// The minimum.
        pub latency_min: string,
        /// The maximum.
        pub latency_max: string,
        /// Another event string than the event's: perf's, if it is wrong, or the vendor's
        /// (`flag::VENDOR_EVENT`), if perf has one string for the name on every CPU.
        pub other_event: string,
        /// Registers and their umasks, as terms.
        pub pairs: string,
    }
}

record! {
    /// What one count stands for, and what it covers.
    pub struct CountRecord {
        /// The number of units in `divisor` counts; zero if the unit is unknown.
        pub multiplier: u32,
        /// See `multiplier`.
        pub divisor: u32,
        /// A `quantity` value.
        pub quantity: u8,
        /// A `scope` value; zero if it is unknown.
        pub scope: u8,
    }
}

/// Values of [`CountRecord::quantity`].
#[allow(missing_docs)] // Each is a variant of `Quantity`.
pub mod quantity {
    pub const BYTES: u8 = 0;
    pub const CYCLES: u8 = 1;
    pub const OCCURRENCES: u8 = 2;
}

/// Values of [`CountRecord::scope`].
#[allow(missing_docs)] // Each is a variant of `CountScope`.
pub mod scope {
    pub const UNSTATED: u8 = 0;
    pub const THREAD: u8 = 1;
    pub const CORE: u8 = 2;
    pub const CLUSTER: u8 = 3;
    pub const PACKAGE: u8 = 4;
}

record! {
    /// The successor of a deprecated event.
    pub struct SuccessorRecord {
        /// The number of the event.
        pub event: u32,
        /// The name of the event that counts the same.
        pub name: string,
    }
}

record! {
    /// A metric without its texts, which follow according to the flags of the
    /// tree.
    pub struct MetricRecord {
        /// The name in the letter case of its source.
        pub name: string,
        /// The number of the formula plus one; zero for none.
        pub expression: u16,
        /// The number of the threshold formula plus one; zero for none.
        pub threshold: u16,
        /// The number of the PMU.
        pub pmu: u16,
        /// The number of its [`MetricTraits`].
        pub traits: u32,
    }
}

record! {
    /// Properties shared by many metrics.
    pub struct MetricTraits {
        /// The groups that the metric belongs to, joined by `;`.
        pub groups: long,
        /// The group in which the metric's events are not grouped.
        pub no_group: string,
        /// The group that `perf stat` shows by default.
        pub default_group: string,
        /// The events to sample, joined by `;`.
        pub sample_with: string,
        /// How the value differs from the definition; empty if it does not.
        pub difference: long,
        /// Factor and unit of the value.
        pub scale_unit: string,
        /// The pattern of PMU identifiers.
        pub compat: string,
        /// The number of that pattern in the automaton, plus one; zero for none.
        pub compat_pattern: u16,
        /// The number of the topic.
        pub topic: u16,
        /// 0 for none, 1 per chip, 2 per core.
        pub aggregation: u8,
        /// 0 for none, otherwise a `Constraint`.
        pub constraint: u8,
        /// 0 or 1.
        pub show_events: u8,
    }
}

record! {
    /// A formula.
    pub struct FormulaRecord {
        /// The position of its program.
        pub program: u32,
    }
}

record! {
    /// The metrics with one name.
    pub struct ReferenceRecord {
        /// The number of the first.
        pub first: u32,
        /// The number of metrics.
        pub count: u16,
    }
}

record! {
    /// A model or a sys table.
    pub struct ModelRecord {
        /// The directory relative to the tree's.
        pub name: string,
        /// Where its facts come from.
        pub origin: string,
        /// 0 for a CPU model, 1 for a sys table.
        pub sys: u8,
        /// The first of its runs.
        pub runs: u32,
        /// The number of PMUs.
        pub run_count: u32,
        /// The first of its entries.
        pub entries: u32,
        /// The number of events.
        pub entry_count: u32,
        /// The first of its buckets.
        pub buckets: u32,
        /// The number of buckets.
        pub bucket_count: u32,
        /// The first of its slots.
        pub slots: u32,
        /// The number of slots.
        pub slot_count: u32,
        /// The first of its metrics in the lists.
        pub metrics: u32,
        /// The number of metrics.
        pub metric_count: u32,
        /// The first of its nodes.
        pub nodes: u32,
        /// The number of nodes.
        pub node_count: u32,
        /// The metrics that it lacks: a line for each, with name, tab and reason.
        pub lacks: long,
    }
}

record! {
    /// The place of a metric in the hierarchy of its model.
    pub struct NodeRecord {
        /// The number of the metric in the model's list.
        pub metric: u24,
        /// That of the metric above, plus one; zero for none.
        pub parent: u24,
        /// A `node` value.
        pub kind: u8,
    }
}

/// Values of [`NodeRecord::kind`].
#[allow(missing_docs)] // Each is a property of `topdown::Node`.
pub mod node {
    pub const PART: u8 = 0;
    pub const PART_OF_PARENT: u8 = 1;
    pub const INDICATOR: u8 = 2;
}

record! {
    /// The events of one model on one PMU.
    pub struct RunRecord {
        /// The number of the PMU.
        pub pmu: u16,
        /// The number of general-purpose counters; 255 if the tree does not
        /// say.
        pub general: u8,
        /// The number of fixed counters; 255 if the tree does not say.
        pub fixed: u8,
        /// The first entry, counted from the model's first.
        pub first: u32,
        /// The number of entries.
        pub count: u32,
    }
}

record! {
    /// A metric group.
    pub struct GroupRecord {
        /// The name.
        pub name: string,
        /// The text reference of the description.
        pub description: u24,
    }
}

record! {
    /// A row of the map file.
    pub struct RowRecord {
        /// The number of its model.
        pub model: u16,
    }
}

record! {
    /// A row of `cpus.csv`.
    pub struct MadeRecord {
        /// The number of its model.
        pub model: u16,
        /// The pattern.
        pub text: string,
    }
}

record! {
    /// A row of arm64's map file or `cpus.csv`: the register of the CPUs it applies to.
    pub struct MidrRecord {
        /// The register without variant and revision.
        pub part: u64,
        /// The lowest variant and revision or, in `cpus.csv`, the highest.
        pub version: u8,
    }
}

record! {
    /// A plain-text pattern.
    pub struct LiteralRecord {
        /// The text it matches.
        pub text: string,
        /// The number among all patterns, plain or not.
        pub number: u32,
    }
}
