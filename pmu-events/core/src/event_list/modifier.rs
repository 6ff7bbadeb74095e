use core::fmt;
use core::str::FromStr;

use super::error::{Error, Fault, Span};

/// The modifiers of an event or a group: the letters after `:` or the last `/`.
///
/// | letter | meaning |
/// |---|---|
/// | `u` `k` `h` | count only in user space, kernel, hypervisor |
/// | `G` `H` | count only in guests, in the host |
/// | `I` | do not count while idle |
/// | `p` to `ppp` | the required precision of a sample's address |
/// | `P` | the highest precision that the hardware supports |
/// | `S` | a sample reads the counters of the whole group |
/// | `D` | pin the event to the PMU |
/// | `e` | exclusive use of the PMU |
/// | `W` | the group may be broken up if it does not fit |
/// | `b` | count with BPF |
/// | `R` | not the event, but its retirement latency, which only formulas take ([`LatencyOf`](crate::metric::LatencyOf)) |
/// | `X` | keep the event at its place: do not regroup it (perf 6.18 and later) |
///
/// [`Settings`](super::Settings) describes their effect on an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Modifiers {
    /// [`Modifier::bit`]s
    flags: u16,
    precise: u8,
}

/// A modifier, other than `p`, which is counted ([`Modifiers::precise`]).
///
/// ```
/// use pmu_events::__private::event_list::{Modifier, Modifiers};
///
/// let modifiers: Modifiers = "uD".parse()?;
/// assert!(modifiers.contains(Modifier::User) && modifiers.contains(Modifier::Pinned));
/// assert_eq!(Modifier::Kernel.letter(), 'k');
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Modifier {
    /// `u`: count in user space.
    User,
    /// `k`: count in the kernel.
    Kernel,
    /// `h`: count in the hypervisor.
    Hypervisor,
    /// `G`: count in guests.
    Guest,
    /// `H`: count in the host.
    Host,
    /// `I`: do not count while idle.
    NotIdle,
    /// `P`: the highest precision that the hardware supports.
    MostPrecise,
    /// `S`: a sample reads the counters of the whole group.
    SampleRead,
    /// `D`: pin the event to the PMU.
    Pinned,
    /// `e`: exclusive use of the PMU.
    Exclusive,
    /// `W`: the group may be broken up if it does not fit.
    Weak,
    /// `b`: count with BPF.
    Bpf,
    /// `R`: not the event, but its retirement latency.
    RetireLatency,
    /// `X`: keep the event at its place in the list.
    KeepPlace,
}

impl Modifier {
    /// All modifiers, in display order.
    pub const ALL: &'static [Self] = &[
        Self::User,
        Self::Kernel,
        Self::Hypervisor,
        Self::Guest,
        Self::Host,
        Self::NotIdle,
        Self::MostPrecise,
        Self::SampleRead,
        Self::Pinned,
        Self::Exclusive,
        Self::Weak,
        Self::Bpf,
        Self::RetireLatency,
        Self::KeepPlace,
    ];

    /// Returns the letter of the modifier.
    #[must_use]
    pub const fn letter(self) -> char {
        LETTERS.as_bytes()[self as usize] as char
    }

    /// The modifier of a letter other than `p`.
    pub(super) fn find(letter: char) -> Option<Self> {
        Self::ALL.iter().copied().find(|modifier| modifier.letter() == letter)
    }

    const fn bit(self) -> u16 {
        1 << self as u8
    }
}

/// The letters of [`Modifier::ALL`].
const LETTERS: &str = "ukhGHIPSDeWbRX";

/// perf's lexer does not take longer words for modifiers, and they would have
/// to repeat one anyway.
const LONGEST: usize = LETTERS.len() + MAX_PRECISE as usize;

/// perf's `PERF_SAMPLE_IP` levels end at 3, which means no skid.
pub(super) const MAX_PRECISE: u8 = 3;

/// ```
/// use pmu_events::__private::event_list::{Modifier, Modifiers};
///
/// assert_eq!(Modifiers::from(Modifier::Weak), "W".parse()?);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
impl From<Modifier> for Modifiers {
    fn from(modifier: Modifier) -> Self {
        Self { flags: modifier.bit(), ..Self::NONE }
    }
}

impl Modifiers {
    /// No modifier.
    pub const NONE: Self = Self { flags: 0, precise: 0 };

    pub(super) fn parse_at(letters: &str, start: usize) -> Result<Self, Error> {
        let mut modifiers = Self::NONE;
        for (i, c) in letters.char_indices() {
            let fault = |kind| {
                let start = start + i;
                Err(Error::at(kind, Span::new(start, start + c.len_utf8())))
            };
            if c == 'p' {
                if modifiers.precise == MAX_PRECISE {
                    return fault(Fault::TooPrecise);
                }
                modifiers.precise += 1;
                continue;
            }
            let Some(modifier) = Modifier::find(c) else {
                return fault(Fault::UnknownModifier(c));
            };
            if modifiers.contains(modifier) {
                return fault(Fault::RepeatedModifier(c));
            }
            modifiers.flags |= modifier.bit();
        }
        Ok(modifiers)
    }

    /// Whether a modifier is set.
    ///
    /// ```
    /// use pmu_events::__private::event_list::{Modifier, Modifiers};
    /// let modifiers: Modifiers = "kS".parse()?;
    /// assert!(modifiers.contains(Modifier::SampleRead) && !modifiers.contains(Modifier::User));
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn contains(self, modifier: Modifier) -> bool {
        self.flags & modifier.bit() != 0
    }

    /// Returns the number of `p`: 0 to 3.
    #[must_use]
    pub const fn precise(self) -> u8 {
        self.precise
    }

    /// Whether there are no modifiers.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.flags == 0 && self.precise == 0
    }
}

/// A text that consists of modifiers. The error is for the first letter that is unknown or
/// repeated, or for the fourth `p`, with its offset.
///
/// ```
/// use pmu_events::__private::event_list::Modifiers;
///
/// assert_eq!("upp".parse::<Modifiers>()?.precise(), 2);
/// let error = "uku".parse::<Modifiers>().unwrap_err();
/// assert_eq!(error.to_string(), "byte 2: duplicate modifier `u`");
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
impl FromStr for Modifiers {
    type Err = Error;

    fn from_str(letters: &str) -> Result<Self, Error> {
        Modifiers::parse_at(letters, 0)
    }
}

impl fmt::Display for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for modifier in Modifier::ALL.iter().copied().filter(|&modifier| self.contains(modifier)) {
            fmt::Write::write_char(f, modifier.letter())?;
        }
        (0..self.precise).try_for_each(|_| f.write_str("p"))
    }
}

impl fmt::Debug for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Modifiers({self})")
    }
}

/// Whether perf's lexer takes a word for modifiers anywhere.
pub(super) fn is_modifiers(word: &str) -> bool {
    word.len() <= LONGEST && word.chars().all(|c| c == 'p' || Modifier::find(c).is_some())
}

/// The modifier whose letter is the same in the other case.
pub(super) fn in_other_case(c: char) -> Option<&'static str> {
    let n = LETTERS.find(|letter: char| letter.eq_ignore_ascii_case(&c))?;
    LETTERS.get(n..=n)
}

/// Whether a group's modifiers and those of a member add up to more than the
/// maximum precision.
pub(super) const fn too_precise(group: Modifiers, most_precise_member: u8) -> bool {
    group.precise > 0 && group.precise + most_precise_member > MAX_PRECISE
}
