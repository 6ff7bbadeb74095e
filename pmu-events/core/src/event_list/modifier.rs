use core::fmt;

use super::error::{Error, ErrorKind, Span};

/// The modifiers of an event or a group: the letters behind `:` or the last
/// `/`.
///
/// | letter | meaning |
/// |---|---|
/// | `u` `k` `h` | count in user space, kernel, hypervisor, and only there |
/// | `G` `H` | count in guests, in the host, and only there |
/// | `I` | do not count while idle |
/// | `p` to `ppp` | how precise the address of a sample has to be |
/// | `P` | as precise as the hardware can |
/// | `S` | a sample reads the counters of the whole group |
/// | `D` | pin the event to the PMU |
/// | `e` | share the PMU with nothing else |
/// | `W` | a group that may be broken up if it does not fit |
/// | `b` | count with BPF |
/// | `R` | the event stands for a retirement latency |
///
/// What they do to an event is in [`Settings`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Modifiers {
    /// The [`bit`]s of the letters.
    flags: u16,
    precise: u8,
}

/// All modifiers but `p`, in the order in which they are printed.
const LETTERS: &str = "ukhGHIPSDeWbR";

/// The bit of a modifier other than `p`; 0 for what is none.
const fn bit(letter: char) -> u16 {
    match letter {
        'u' => 1 << 0,
        'k' => 1 << 1,
        'h' => 1 << 2,
        'G' => 1 << 3,
        'H' => 1 << 4,
        'I' => 1 << 5,
        'P' => 1 << 6,
        'S' => 1 << 7,
        'D' => 1 << 8,
        'e' => 1 << 9,
        'W' => 1 << 10,
        'b' => 1 << 11,
        'R' => 1 << 12,
        _ => 0,
    }
}

/// Longer words are no modifiers to perf's lexer, and could not be without
/// repeating one.
const LONGEST: usize = LETTERS.len() + MAX_PRECISE as usize;

/// perf's `PERF_SAMPLE_IP` levels end at 3: without any skid.
const MAX_PRECISE: u8 = 3;

impl Modifiers {
    /// No modifier.
    pub const NONE: Self = Self { flags: 0, precise: 0 };

    /// Reads modifiers, all of `letters`.
    ///
    /// # Errors
    ///
    /// The first letter that is unknown or repeated, or the fourth `p`, by its
    /// offset in `letters`.
    ///
    /// ```
    /// use pmu_events_core::event_list::{ErrorKind, Modifiers};
    ///
    /// assert_eq!(Modifiers::parse("upp")?.precise(), 2);
    /// let error = Modifiers::parse("uku").unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ErrorKind::RepeatedModifier('u'), 2));
    /// # Ok::<(), pmu_events_core::event_list::Error>(())
    /// ```
    pub fn parse(letters: &str) -> Result<Self, Error> {
        Self::parse_at(letters, 0)
    }

    pub(super) fn parse_at(letters: &str, start: usize) -> Result<Self, Error> {
        let mut modifiers = Self::NONE;
        for (i, c) in letters.char_indices() {
            let fault = |kind| {
                let start = start + i;
                Err(Error::at(kind, Span::new(start, start + c.len_utf8())))
            };
            if c == 'p' {
                if modifiers.precise == MAX_PRECISE {
                    return fault(ErrorKind::TooPrecise);
                }
                modifiers.precise += 1;
                continue;
            }
            let bit = bit(c);
            if bit == 0 {
                return fault(ErrorKind::UnknownModifier(c));
            }
            if modifiers.flags & bit != 0 {
                return fault(ErrorKind::RepeatedModifier(c));
            }
            modifiers.flags |= bit;
        }
        Ok(modifiers)
    }

    /// Whether one of the letters in the table above is among them.
    ///
    /// ```
    /// use pmu_events_core::event_list::Modifiers;
    /// let modifiers = Modifiers::parse("kS")?;
    /// assert!(modifiers.has('S') && !modifiers.has('u'));
    /// # Ok::<(), pmu_events_core::event_list::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn has(self, letter: char) -> bool {
        self.flags & bit(letter) != 0 || letter == 'p' && self.precise > 0
    }

    /// How many `p` there are: 0 to 3.
    #[must_use]
    pub const fn precise(self) -> u8 {
        self.precise
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.flags == 0 && self.precise == 0
    }
}

impl fmt::Display for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in LETTERS.chars().filter(|&letter| self.has(letter)) {
            fmt::Write::write_char(f, letter)?;
        }
        (0..self.precise).try_for_each(|_| f.write_str("p"))
    }
}

impl fmt::Debug for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Modifiers({self})")
    }
}

/// Whether perf's lexer takes a word as modifiers wherever it stands.
pub(super) fn is_modifiers(word: &str) -> bool {
    word.len() <= LONGEST && word.chars().all(|c| c == 'p' || bit(c) != 0)
}

/// The modifier that is the same letter in the other case.
pub(super) fn in_other_case(c: char) -> Option<&'static str> {
    let n = LETTERS.find(|letter: char| letter.eq_ignore_ascii_case(&c))?;
    LETTERS.get(n..=n)
}

/// What modifiers make of an event: fields of `perf_event_attr`, and what perf
/// keeps beside it. The rules are those of `parse_events__modifier_list`
/// (`tools/perf/util/parse-events.c`).
///
/// An event starts from [`Settings::default`]. Its own modifiers come first
/// ([`with_event`](Self::with_event)), those of its group second
/// ([`with_group`](Self::with_group)).
///
/// ```
/// use pmu_events_core::event_list::{Modifiers, Settings};
///
/// let settings = Settings::default().with_event(Modifiers::parse("up")?);
/// assert!(!settings.exclude_user && settings.exclude_kernel && settings.exclude_hv);
/// assert_eq!(settings.precise, 1);
/// # Ok::<(), pmu_events_core::event_list::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Do not count in user space: any of `k` and `h`, without `u`.
    pub exclude_user: bool,
    /// Do not count in the kernel: any of `u` and `h`, without `k`.
    pub exclude_kernel: bool,
    /// Do not count in the hypervisor: any of `u` and `k`, without `h`.
    pub exclude_hv: bool,
    /// Do not count in the host: `G` without `H`.
    pub exclude_host: bool,
    /// Do not count in guests: `u`, `p` or `H`, without `G`; and an event that
    /// has no modifier at all.
    pub exclude_guest: bool,
    /// Do not count while idle: `I`.
    pub exclude_idle: bool,
    /// `perf_event_attr.precise_ip`: the number of `p` of the event and its
    /// group together, at most 3.
    pub precise: u8,
    /// The largest `precise` that the PMU has is to be found out: `P`.
    pub precise_max: bool,
    /// A sample reads all counters of the group: `S`.
    pub sample_read: bool,
    /// Always on the PMU or in error: `D`.
    pub pinned: bool,
    /// Alone on the PMU: `e`.
    pub exclusive: bool,
    /// The group may be broken up when it cannot be scheduled: `W`.
    pub weak: bool,
    /// Counted by a BPF program: `b`.
    pub bpf: bool,
    /// Stands for the retirement latency of another event: `R`.
    pub retire_latency: bool,
    /// Whether `G` or `H` has been given: `exclude_GH` in perf.
    guest_or_host: bool,
}

impl Default for Settings {
    /// Everything is counted but guests (`event_attr_init` in
    /// `tools/perf/util/util.c`).
    fn default() -> Self {
        Self {
            exclude_user: false,
            exclude_kernel: false,
            exclude_hv: false,
            exclude_host: false,
            exclude_guest: true,
            exclude_idle: false,
            precise: 0,
            precise_max: false,
            sample_read: false,
            pinned: false,
            exclusive: false,
            weak: false,
            bpf: false,
            retire_latency: false,
            guest_or_host: false,
        }
    }
}

impl Settings {
    /// The settings with an event's own modifiers. If there are any, they
    /// start from nothing excluded: `cycles:D` counts guests, as `cycles` does
    /// not.
    #[must_use]
    pub fn with_event(self, modifiers: Modifiers) -> Self {
        if modifiers.is_empty() {
            return self;
        }
        let from = Self {
            exclude_user: false,
            exclude_kernel: false,
            exclude_hv: false,
            exclude_host: false,
            exclude_guest: false,
            guest_or_host: false,
            ..self
        };
        // At this time perf takes every event for the leader of itself.
        from.with(modifiers, true)
    }

    /// The settings with the modifiers of the event's group, which are joined
    /// to what the event's own have chosen: `{cycles:u}:k` counts both in user
    /// space and in the kernel. Only the leader is pinned or exclusive.
    #[must_use]
    pub fn with_group(self, modifiers: Modifiers, leader: bool) -> Self {
        if modifiers.is_empty() {
            return self;
        }
        self.with(modifiers, leader)
    }

    fn with(mut self, modifiers: Modifiers, leader: bool) -> Self {
        let has = |letter| modifiers.has(letter);
        if modifiers.precise > 0 {
            self.exclude_guest = true;
        }
        if has('u') && !self.guest_or_host {
            self.exclude_guest = true;
        }
        let chosen = self.exclude_user || self.exclude_kernel || self.exclude_hv;
        if !chosen && (has('u') || has('k') || has('h')) {
            (self.exclude_user, self.exclude_kernel, self.exclude_hv) = (true, true, true);
        }
        self.exclude_user &= !has('u');
        self.exclude_kernel &= !has('k');
        self.exclude_hv &= !has('h');
        if !self.guest_or_host && (has('G') || has('H')) {
            (self.exclude_guest, self.exclude_host) = (true, true);
            self.guest_or_host = true;
        }
        self.exclude_guest &= !has('G');
        self.exclude_host &= !has('H');

        // The parser refuses more; whoever joins modifiers by hand gets what
        // the kernel can take.
        self.precise = (self.precise + modifiers.precise).min(MAX_PRECISE);
        self.precise_max |= has('P');
        self.exclude_idle |= has('I');
        self.sample_read |= has('S');
        self.pinned |= has('D') && leader;
        self.exclusive |= has('e') && leader;
        self.weak |= has('W');
        self.bpf |= has('b');
        self.retire_latency |= has('R');
        self
    }
}

/// Whether a group's modifiers and those of a member ask for more precision
/// than there is.
pub(super) const fn too_precise(group: Modifiers, most_precise_member: u8) -> bool {
    group.precise > 0 && group.precise + most_precise_member > MAX_PRECISE
}
