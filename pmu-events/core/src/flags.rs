//! The flags of an event: facts that are so or not so, each with a key of the JSON and a bit
//! of the records.
//!
//! One list drives whatever has a line for each flag: the bits, the methods of [`Event`], the
//! keys that the compiler reads and checks, and what `pmu` shows.

use crate::event::Event;
use crate::wire::record::flag;

/// What perf does with the key of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InPerf {
    /// jevents reads the value.
    Value,
    /// jevents takes any value for 1.
    Presence,
    /// jevents ignores the key.
    Ignored,
    /// perf's trees lack the key: in perf's encoding, no event has the flag.
    Lost,
}

macro_rules! flags {
    ($(
        $(#[$doc:meta])*
        $flag:ident: $method:ident, $first:ident $($word:ident)*, $key:literal, $in_perf:ident;
    )*) => {
        /// A flag. Its number is that of its bit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs)] // The methods of `Event` have the meaning.
        pub enum Flag { $( $flag, )* }

        impl Flag {
            /// All flags, in the order in which people want to read them.
            pub const ALL: &[Flag] = &[ $( Flag::$flag, )* ];

            /// Returns the name in the JSON that `pmu` prints.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $( Flag::$flag => concat!(stringify!($first) $(, "_", stringify!($word))*), )*
                }
            }

            /// Returns the name in words.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self {
                    $( Flag::$flag => concat!(stringify!($first) $(, " ", stringify!($word))*), )*
                }
            }

            /// Returns the key of the event tree's JSON.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $( Flag::$flag => $key, )* }
            }

            /// Returns what perf does with the key.
            #[must_use]
            pub const fn in_perf(self) -> InPerf {
                match self { $( Flag::$flag => InPerf::$in_perf, )* }
            }
        }

        impl Event {
            $(
                $(#[$doc])*
                #[must_use]
                #[inline]
                pub const fn $method(self) -> bool {
                    Flag::$flag.is_of(self)
                }
            )*
        }
    };
}

flags! {
    /// Whether no other event may be counted at the same time (`TakenAlone` of
    /// Intel's perfmon and of Linux 6.1; the tree of Linux 6.12 lacks the key).
    TakenAlone: is_taken_alone, taken alone, "TakenAlone", Lost;
    /// Whether a precise sample includes the data address (`Data_LA`).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert!(x86::SKYLAKE.require("MEM_INST_RETIRED.ALL_LOADS").has_data_address());
    /// ```
    DataAddress: has_data_address, data address, "Data_LA", Presence;
    /// Whether the count covers the whole package and is read on one of its
    /// CPUs (`PerPkg`).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert!(x86::SKYLAKEX.require("UNC_CHA_CLOCKTICKS").is_per_package());
    /// assert!(!x86::SKYLAKEX.require("INST_RETIRED.ANY").is_per_package());
    /// ```
    PerPackage: is_per_package, per package, "PerPkg", Value;
    /// Whether the event is deprecated (`Deprecated`).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let old = x86::SKYLAKEX.events().find(|event| event.is_deprecated()).unwrap();
    /// println!("{}: use {}", old.name(), old.successor().unwrap_or("something else"));
    /// ```
    Deprecated: is_deprecated, deprecated, "Deprecated", Value;
    /// Whether the vendor has not verified the event (`Experimental`).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert!(x86::SKYLAKEX.events().any(|event| event.is_experimental()));
    /// ```
    Experimental: is_experimental, experimental, "Experimental", Ignored;
}

const _: () = assert!(Flag::ALL.len() <= flag::FIRST_OTHER as usize, "the bits are used up");

impl Flag {
    /// Returns the bit of the records.
    #[must_use]
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// Whether a record's bits have the flag.
    #[must_use]
    #[inline(always)]
    pub const fn is_in(self, bits: u16) -> bool {
        bits & self.bit() != 0
    }

    /// Whether an event has the flag.
    #[must_use]
    #[inline(always)]
    pub const fn is_of(self, event: Event) -> bool {
        let is_lost = event.is_as_perf() && matches!(self.in_perf(), InPerf::Lost);
        self.is_in(event.flags()) && !is_lost
    }
}
