use core::fmt;

use super::attr::MAX_EVENTS;
use pmu_events_core::__private::Message;

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident: $text:literal,)+) => {
        /// A rule that an event-based branch must obey.
        ///
        /// ```
        /// use pmu_events::ebb::{Builder, Rule};
        /// use pmu_events::power::Generation;
        ///
        /// let broken = Builder::new(Generation::Power9).build().unwrap_err();
        /// assert!(broken.rules().contains(Rule::NoEvent));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[$doc])* $rule,)+
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Rule] = &[$(Rule::$rule),+];

            /// Returns the rule as a text.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Rule::$rule => $text,)+
                }
            }
        }
    };
}

rules! {
    /// There must be an event.
    NoEvent: "a group needs an event",
    /// At most [`MAX_EVENTS`] events.
    TooMany: "a group has at most 12 events",
    /// The event must belong to a core's PMU.
    NotCore: "the event is counted by a PMU other than the core's",
    /// The event's terms must fit the generation's formats.
    Terms: "the generation's codes cannot hold the event's terms",
    /// The event requires a certain counter, and another was requested.
    OtherCounter: "the event is counted on another counter than the one asked for",
    /// `type` must be `PERF_TYPE_RAW`, 4: with a generic type, the bit is
    /// silently lost, and no PMU with another type accepts it.
    Type: "the type must be 4 (PERF_TYPE_RAW): a generic one loses bit 63 silently",
    /// Bit 63 of the leader's code must be set.
    NotRequested: "bit 63 of the code must be set",
    /// Leader and hardware members must agree about bit 63.
    Disagree: "leader and members must agree about bit 63",
    /// The leader must not be a software event.
    SoftwareLeader: "a software event may join the group but not lead it",
    /// The target must be a thread.
    NotTask: "the target must be a thread, not a whole CPU",
    /// The leader must be pinned.
    NotPinned: "the leader must be pinned",
    /// The leader must be exclusive.
    NotExclusive: "the leader must be exclusive",
    /// Only the leader may be pinned.
    MemberPinned: "only the leader may be pinned",
    /// Only the leader may be exclusive.
    MemberExclusive: "only the leader may be exclusive",
    /// `inherit` must not be set.
    Inherit: "inherit must not be set",
    /// `sample_period` must be 0.
    SamplePeriod: "sample_period must be 0",
    /// `freq` must not be set.
    Frequency: "freq must not be set",
    /// `sample_type` must be 0. The document does not mention this; the kernel
    /// requires it.
    SampleType: "sample_type must be 0",
    /// `enable_on_exec` must not be set.
    EnableOnExec: "enable_on_exec must not be set",
    /// Bits 19:16 must name a counter.
    NoCounter: "the code must name its counter in bits 19:16",
    /// There are six counters.
    NoSuchCounter: "there are counters 1 to 6",
    /// Counters 5 and 6 count one event each.
    FixedCounter: "counter 5 counts only 0x500fa, and counter 6 only 0x600f4",
    /// Reserved bits of the generation must be 0.
    Reserved: "the code sets bits reserved on this generation",
    /// Some modes of sampling are reserved (POWER9, POWER10).
    ReservedSampling: "the sampling mode is reserved",
    /// The value of all ones for start or stop of the threshold is reserved
    /// (POWER9, POWER10).
    ReservedThreshold: "the start or stop of the threshold is reserved",
    /// A threshold with an exponent must have one of the upper two mantissa
    /// bits set (POWER8, POWER9).
    Mantissa: "the threshold's mantissa is too small for its exponent",
    /// Events of L2 and L3 that need the hypervisor to select them cannot be
    /// counted (POWER8).
    CacheSelector: "only the hypervisor can select that event of the L2 or L3",
    /// Bit 62 requests the branch history and is only allowed with bit 63.
    HistoryAlone: "bit 62 (branch history) is allowed with bit 63 only",
    /// Bits 61:60 select the branches recorded in the history: without it, the
    /// kernel ignores them.
    FilterAlone: "bits 61:60 (branch filter) mean nothing without bit 62",
    /// Two events of a group cannot be on one counter.
    SharedCounter: "another event of the group is on the same counter",
    /// Events of a group must agree on the L1's qualifier.
    CacheQualifier: "events of the group differ in the L1's qualifier (cache_sel)",
    /// Events of L2 and L3 in a group must be the same event (POWER9), or have
    /// the same selector (POWER10).
    CacheGroup: "events of the group differ in what they select of the L2 and L3",
    /// The first event of L2 and L3 in a group must be on counter 4 (POWER9).
    CacheCounter: "an event of the L2 or L3 needs counter 4, or another one on it before",
    /// Events of a group must agree on the scope of radix translation
    /// (POWER10).
    RadixScope: "events of the group differ in radix_scope",
    /// Marked events of a group must agree on sampling.
    Sampling: "marked events of the group differ in sample_mode",
    /// Events of a group must agree on the threshold.
    Threshold: "events of the group differ in their threshold",
    /// Events of a group must agree on the fabric's response (POWER8).
    FabricMatch: "events of the group differ in the response of the fabric that they match",
    /// Events of a group with a branch history must agree on its filter.
    Filter: "events of the group differ in the branch filter (bits 61:60)",
}

/// A set of rules.
///
/// ```
/// use pmu_events::ebb::Builder;
/// use pmu_events::power::Generation;
///
/// let broken = Builder::new(Generation::Power9).raw(0x1e).build().unwrap_err();
/// for rule in broken.rules().iter() {
///     println!("{}", rule.text());
/// }
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Rules(u64);

const _: () = assert!(Rule::ALL.len() <= 64);

impl Rules {
    /// The empty set.
    pub const NONE: Rules = Rules(0);

    /// Returns the set with one more rule.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Rules {
        Rules(self.0 | 1 << rule as u8)
    }

    pub(super) const fn with_if(self, rule: Rule, broken: bool) -> Rules {
        if broken { self.with(rule) } else { self }
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn union(self, other: Rules) -> Rules {
        Rules(self.0 | other.0)
    }

    /// Whether the set contains a rule.
    #[must_use]
    pub const fn contains(self, rule: Rule) -> bool {
        self.0 & 1 << rule as u8 != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of rules.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the rules, in order.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| self.contains(*rule))
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Displays the texts of the rules, joined by semicolons.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, rule) in self.iter().enumerate() {
            write!(f, "{}{}", if n == 0 { "" } else { "; " }, rule.text())?;
        }
        Ok(())
    }
}

/// The broken rules of a group, by event.
///
/// ```
/// use pmu_events::ebb::{BranchAttr, Rule, BranchTarget, check};
/// use pmu_events::power::Generation;
///
/// let leader = BranchAttr {
///     kind: 4,
///     config: 0x8000_0000_0001_001e,
///     pinned: true,
///     inherit: true,
///     ..BranchAttr::default()
/// };
/// let broken = check(Generation::Power8, &[leader], BranchTarget::THIS_THREAD).unwrap_err();
/// assert!(broken.of(0).iter().eq([Rule::NotExclusive, Rule::Inherit]));
/// assert_eq!(
///     broken.to_string(),
///     "event 0: the leader must be exclusive; inherit must not be set",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    pub(super) of: [Rules; MAX_EVENTS],
}

impl Broken {
    pub(super) const NONE: Broken = Broken { of: [Rules::NONE; MAX_EVENTS] };

    /// Returns the rules that an event of the group breaks. The leader is event
    /// 0, which is also reported for rules about the whole group.
    #[must_use]
    pub const fn of(&self, event: usize) -> Rules {
        if event < MAX_EVENTS { self.of[event] } else { Rules::NONE }
    }

    /// Returns all broken rules.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        let (mut rules, mut n) = (Rules::NONE, 0);
        while n < MAX_EVENTS {
            rules = rules.union(self.of[n]);
            n += 1;
        }
        rules
    }

    /// Panics with the broken rules as the message; in a `const`, this is a
    /// compile error.
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn panic(self) -> ! {
        let (rules, mut message, mut n) = (self.rules(), Message::new(), 0);
        while n < Rule::ALL.len() {
            if rules.contains(Rule::ALL[n]) {
                if !message.as_str().is_empty() {
                    message = message.push("; ");
                }
                message = message.push(Rule::ALL[n].text());
            }
            n += 1;
        }
        panic!("{}", message.as_str())
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (event, rules) in self.of.iter().enumerate() {
            if !rules.is_empty() {
                write!(f, "{separator}event {event}: {rules}")?;
                separator = "\n";
            }
        }
        Ok(())
    }
}

pmu_events_core::__private::debug_as_display!(Broken);

impl core::error::Error for Broken {}
