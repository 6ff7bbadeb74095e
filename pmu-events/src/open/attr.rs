//! `perf_event_attr`, the argument of `perf_event_open(2)` that describes an event.

use super::flag::{Flag, PRECISE, ReadFormat, SAMPLE_READ, bit_field};
use crate::config::Sampling;
use crate::format::{Word, Words};
use crate::resolve::Resolved;

/// The attributes of an event, `struct perf_event_attr` of Linux 6.19
/// (`PERF_ATTR_SIZE_VER9`).
///
/// An older kernel accepts them as long as the fields that it does not know are 0.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::{Attr, Flag};
///
/// let resolved = System::at("/nonexistent").resolve("r1a8:u")?;
/// let attr = Attr::counting(&resolved[0]).with(Flag::Pinned, true);
/// assert_eq!((attr.type_(), attr.words().config()), (4, 0x1a8));
/// assert!(attr.has(Flag::ExcludeKernel) && attr.has(Flag::Disabled));
/// // For any other crate: the bytes that the kernel reads.
/// assert_eq!(attr.to_bytes().as_ref()[..4], 4_u32.to_ne_bytes());
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attr {
    type_: u32,
    config: u64,
    sample: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    bp_type: u32,
    config1: u64,
    config2: u64,
    branch_sample_type: u64,
    sample_regs_user: u64,
    sample_stack_user: u32,
    clockid: i32,
    sample_regs_intr: u64,
    aux_watermark: u32,
    sample_max_stack: u16,
    reserved: u16,
    aux_sample_size: u32,
    aux_action: u32,
    sig_data: u64,
    config3: u64,
    config4: u64,
}

/// The length of the structure, and the value of its field `size`
/// (`PERF_ATTR_SIZE_VER9`).
pub(super) const SIZE: usize = 144;

/// The getter and the setter of a field that is a plain number.
macro_rules! field {
    ($field:ident, $with:ident, $type:ty, $text:literal) => {
        #[doc = concat!("Returns ", $text)]
        #[must_use]
        pub const fn $field(&self) -> $type {
            self.$field
        }

        #[doc = concat!("Sets ", $text)]
        #[must_use]
        pub const fn $with(mut self, value: $type) -> Self {
            self.$field = value;
            self
        }
    };
}

#[cfg(feature = "sample")]
mod sample_fields;

impl Attr {
    /// Creates attributes of which only the PMU and the config words are set: they count
    /// as soon as they are opened.
    ///
    /// ```
    /// use pmu_events::event_list::Hardware;
    /// use pmu_events::format::Words;
    /// use pmu_events::open::Attr;
    /// use pmu_events::perf_type;
    ///
    /// let cycles = Attr::new(perf_type::HARDWARE, Words::new(Hardware::CpuCycles.config()));
    /// assert_eq!((cycles.type_(), cycles.words().config()), (0, 0));
    /// ```
    #[must_use]
    pub fn new(type_: u32, words: Words) -> Self {
        Attr { type_, ..Attr::default() }.with_words(words)
    }

    /// Creates attributes that count an event: without samples, disabled, and with
    /// the times needed for scaling.
    ///
    /// A member of a group should not be disabled: it starts when its leader is
    /// enabled. (Linux 6.18 enables a disabled software member together with its
    /// leader, but leaves it off until the task is next scheduled in.)
    ///
    /// The sampling period, the precision and the reloading of counters have no
    /// meaning without samples and are omitted: kernels reject some of them on
    /// counting events (`x86_pmu_hw_config`).
    #[must_use]
    pub fn counting(resolved: &Resolved) -> Self {
        let reload = Words::NONE.with(Word::Config2, resolved.reload_mask());
        Attr::from(resolved)
            .with_words(resolved.words().without(reload))
            .with_sampling(None)
            .with_sample_type(0)
            .with_precise(0)
            .with(Flag::Disabled, true)
            .with_read_format(ReadFormat::TIMES)
    }

    /// Returns `type`, the number of the PMU.
    #[must_use]
    pub const fn type_(&self) -> u32 {
        self.type_
    }

    /// Sets the number of the PMU.
    #[must_use]
    pub const fn with_type(mut self, type_: u32) -> Self {
        self.type_ = type_;
        self
    }

    /// Returns the config words. For a breakpoint, the address and the length are
    /// `config1` and `config2`.
    #[must_use]
    pub const fn words(&self) -> Words {
        Words::new(self.config)
            .with(Word::Config1, self.config1)
            .with(Word::Config2, self.config2)
            .with(Word::Config3, self.config3)
            .with(Word::Config4, self.config4)
    }

    /// Replaces the config words.
    #[must_use]
    pub const fn with_words(mut self, words: Words) -> Self {
        self.config = words.config();
        self.config1 = words.get(Word::Config1);
        self.config2 = words.get(Word::Config2);
        self.config3 = words.get(Word::Config3);
        self.config4 = words.get(Word::Config4);
        self
    }

    /// Returns when samples are taken (`sample_period`, or `sample_freq` where
    /// [`Flag::Frequency`] is set); `None` counts without samples.
    #[must_use]
    pub const fn sampling(&self) -> Option<Sampling> {
        match self.sample {
            0 => None,
            frequency if self.has(Flag::Frequency) => Some(Sampling::Frequency(frequency)),
            period => Some(Sampling::Period(period)),
        }
    }

    /// Sets when samples are taken.
    #[must_use]
    pub const fn with_sampling(mut self, sampling: Option<Sampling>) -> Self {
        let (number, is_frequency) = match sampling {
            None => (0, false),
            Some(Sampling::Period(period)) => (period, false),
            Some(Sampling::Frequency(frequency)) => (frequency, true),
        };
        self.sample = number;
        self.with(Flag::Frequency, is_frequency)
    }

    /// Whether a flag is set.
    #[must_use]
    pub const fn has(&self, flag: Flag) -> bool {
        self.flags & flag.mask() != 0
    }

    /// Sets or clears a flag.
    #[must_use]
    pub const fn with(mut self, flag: Flag, value: bool) -> Self {
        if value {
            self.flags |= flag.mask();
        } else {
            self.flags &= !flag.mask();
        }
        self
    }

    pub(super) const fn set(&mut self, flag: Flag, value: bool) {
        *self = self.with(flag, value);
    }

    /// Returns `precise_ip`: 0 to 3.
    #[must_use]
    pub const fn precise(&self) -> u8 {
        let (offset, width) = PRECISE;
        let mask = bit_field(3, offset, width);
        ((self.flags & mask) >> mask.trailing_zeros()) as u8
    }

    /// Sets `precise_ip`; values above 3 become 3.
    #[must_use]
    pub const fn with_precise(mut self, precise: u8) -> Self {
        let (offset, width) = PRECISE;
        let precise = if precise > 3 { 3 } else { precise };
        self.flags &= !bit_field(3, offset, width);
        self.flags |= bit_field(precise as u64, offset, width);
        self
    }

    /// Returns the format of reads.
    #[must_use]
    pub const fn read_format(&self) -> ReadFormat {
        ReadFormat::from_bits(self.read_format)
    }

    /// Sets the format of reads.
    #[must_use]
    pub const fn with_read_format(mut self, format: ReadFormat) -> Self {
        self.read_format = format.bits();
        self
    }

    field!(
        sample_type,
        with_sample_type,
        u64,
        "the fields of a sample (`perf_event_sample_format`)."
    );
    field!(bp_type, with_bp_type, u32, "the accesses that a breakpoint watches.");

    /// Returns the bytes that the kernel reads: the whole structure including
    /// `size`, in the machine's byte order.
    #[must_use]
    pub fn to_bytes(&self) -> impl AsRef<[u8]> + Copy + use<> {
        self.bytes()
    }

    pub(super) fn bytes(&self) -> [u8; SIZE] {
        // Without `..`, so that no new field can be forgotten.
        let Attr {
            type_,
            config,
            sample,
            sample_type,
            read_format,
            flags,
            wakeup,
            bp_type,
            config1,
            config2,
            branch_sample_type,
            sample_regs_user,
            sample_stack_user,
            clockid,
            sample_regs_intr,
            aux_watermark,
            sample_max_stack,
            reserved,
            aux_sample_size,
            aux_action,
            sig_data,
            config3,
            config4,
        } = *self;
        let mut bytes = [0; SIZE];
        let mut at = 0;
        let mut put = |field: &[u8]| {
            bytes[at..at + field.len()].copy_from_slice(field);
            at += field.len();
        };
        put(&type_.to_ne_bytes());
        put(&(SIZE as u32).to_ne_bytes());
        put(&config.to_ne_bytes());
        put(&sample.to_ne_bytes());
        put(&sample_type.to_ne_bytes());
        put(&read_format.to_ne_bytes());
        put(&flags.to_ne_bytes());
        put(&wakeup.to_ne_bytes());
        put(&bp_type.to_ne_bytes());
        put(&config1.to_ne_bytes());
        put(&config2.to_ne_bytes());
        put(&branch_sample_type.to_ne_bytes());
        put(&sample_regs_user.to_ne_bytes());
        put(&sample_stack_user.to_ne_bytes());
        put(&clockid.to_ne_bytes());
        put(&sample_regs_intr.to_ne_bytes());
        put(&aux_watermark.to_ne_bytes());
        put(&sample_max_stack.to_ne_bytes());
        put(&reserved.to_ne_bytes());
        put(&aux_sample_size.to_ne_bytes());
        put(&aux_action.to_ne_bytes());
        put(&sig_data.to_ne_bytes());
        put(&config3.to_ne_bytes());
        put(&config4.to_ne_bytes());
        bytes
    }

    /// Creates attributes from the bytes of another crate's structure, or of the kernel's,
    /// whatever its version: fields that it lacks are 0. Its `size` is ignored. `None` if a
    /// field is set that this version does not know.
    ///
    /// ```
    /// use pmu_events::{format::Word, open::Attr};
    ///
    /// // The structure of Linux 2.6.31, which ends behind `config1`.
    /// let attr = Attr::from_bytes(&[1; 64]).unwrap();
    /// assert_eq!(attr.type_(), 0x0101_0101);
    /// assert_eq!(attr.words().get(Word::Config2), 0);
    /// assert_eq!(Attr::from_bytes(&[1; 1000]), None);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (known, unknown) = bytes.split_at(bytes.len().min(SIZE));
        if unknown.iter().any(|&byte| byte != 0) {
            return None;
        }
        let mut whole = [0; SIZE];
        whole[..known.len()].copy_from_slice(known);
        Some(Attr::of(&whole))
    }

    fn of(bytes: &[u8; SIZE]) -> Self {
        fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
            let (field, behind) = rest.split_first_chunk().expect("the sizes add up");
            *rest = behind;
            *field
        }
        let mut rest = &bytes[..];
        let type_ = u32::from_ne_bytes(take(&mut rest));
        let _size: [u8; 4] = take(&mut rest);
        Attr {
            type_,
            config: u64::from_ne_bytes(take(&mut rest)),
            sample: u64::from_ne_bytes(take(&mut rest)),
            sample_type: u64::from_ne_bytes(take(&mut rest)),
            read_format: u64::from_ne_bytes(take(&mut rest)),
            flags: u64::from_ne_bytes(take(&mut rest)),
            wakeup: u32::from_ne_bytes(take(&mut rest)),
            bp_type: u32::from_ne_bytes(take(&mut rest)),
            config1: u64::from_ne_bytes(take(&mut rest)),
            config2: u64::from_ne_bytes(take(&mut rest)),
            branch_sample_type: u64::from_ne_bytes(take(&mut rest)),
            sample_regs_user: u64::from_ne_bytes(take(&mut rest)),
            sample_stack_user: u32::from_ne_bytes(take(&mut rest)),
            clockid: i32::from_ne_bytes(take(&mut rest)),
            sample_regs_intr: u64::from_ne_bytes(take(&mut rest)),
            aux_watermark: u32::from_ne_bytes(take(&mut rest)),
            sample_max_stack: u16::from_ne_bytes(take(&mut rest)),
            reserved: u16::from_ne_bytes(take(&mut rest)),
            aux_sample_size: u32::from_ne_bytes(take(&mut rest)),
            aux_action: u32::from_ne_bytes(take(&mut rest)),
            sig_data: u64::from_ne_bytes(take(&mut rest)),
            config3: u64::from_ne_bytes(take(&mut rest)),
            config4: u64::from_ne_bytes(take(&mut rest)),
        }
    }
}

/// Takes everything that the event specifies, including sampling. The read format
/// stays empty, and the event is not disabled.
impl From<&Resolved> for Attr {
    fn from(resolved: &Resolved) -> Self {
        let attributes = resolved.attributes();
        let settings = resolved.settings();
        let breakpoint = resolved.breakpoint();
        let mut attr = Attr::new(resolved.type_(), resolved.words())
            .with_bp_type(breakpoint.map_or(0, |breakpoint| breakpoint.access()))
            .with_sample_type(if settings.sample_read() { SAMPLE_READ } else { 0 })
            .with_sampling(attributes.sampling())
            .with_precise(resolved.precise_ip());
        for (flag, value) in [
            (Flag::ExcludeUser, settings.exclude_user()),
            (Flag::ExcludeKernel, settings.exclude_kernel()),
            (Flag::ExcludeHv, settings.exclude_hv()),
            (Flag::ExcludeHost, settings.exclude_host()),
            (Flag::ExcludeGuest, settings.exclude_guest()),
            (Flag::ExcludeIdle, settings.exclude_idle()),
            (Flag::Pinned, settings.pinned()),
            (Flag::Exclusive, settings.exclusive()),
            (Flag::Inherit, attributes.inherit() == Some(true)),
            (Flag::WriteBackward, attributes.overwrite() == Some(true)),
            (Flag::AuxOutput, attributes.aux_output() == Some(true)),
        ] {
            attr.set(flag, value);
        }
        attr
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::System;

    /// `include/uapi/linux/perf_event.h`
    #[test]
    fn lies_as_the_kernel_has_it() {
        let none = Attr::default();
        let cases: &[(usize, Attr)] = &[
            (0, Attr { type_: 1, ..none }),
            (8, Attr { config: 1, ..none }),
            (16, Attr { sample: 1, ..none }),
            (24, Attr { sample_type: 1, ..none }),
            (32, Attr { read_format: 1, ..none }),
            (40, Attr { flags: 1, ..none }),
            (48, Attr { wakeup: 1, ..none }),
            (52, Attr { bp_type: 1, ..none }),
            (56, Attr { config1: 1, ..none }),
            (64, Attr { config2: 1, ..none }),
            (72, Attr { branch_sample_type: 1, ..none }),
            (80, Attr { sample_regs_user: 1, ..none }),
            (88, Attr { sample_stack_user: 1, ..none }),
            (92, Attr { clockid: 1, ..none }),
            (96, Attr { sample_regs_intr: 1, ..none }),
            (104, Attr { aux_watermark: 1, ..none }),
            (108, Attr { sample_max_stack: 1, ..none }),
            (110, Attr { reserved: 1, ..none }),
            (112, Attr { aux_sample_size: 1, ..none }),
            (116, Attr { aux_action: 1, ..none }),
            (120, Attr { sig_data: 1, ..none }),
            (128, Attr { config3: 1, ..none }),
            (136, Attr { config4: 1, ..none }),
        ];
        for &(offset, attr) in cases {
            let bytes = attr.bytes();
            let first = bytes.iter().zip(none.bytes()).position(|(one, zero)| *one != zero);
            // The value 1 is in the first byte of its field, or on big-endian
            // machines in the last.
            let length = cases.iter().map(|case| case.0).find(|&next| next > offset);
            let length = length.unwrap_or(144) - offset;
            let size = if offset == 0 { 4 } else { length };
            let expected = if cfg!(target_endian = "little") { offset } else { offset + size - 1 };
            assert_eq!(first, Some(expected), "{attr:?}");
            assert_eq!(Attr::from_bytes(&bytes), Some(attr));
        }
    }

    /// The kernel reads `size` bytes, whatever was done to the attributes. With a
    /// larger value it would read past the end; with a smaller one it would ignore
    /// the last config words.
    #[test]
    fn all_say_how_long_they_are() {
        let system = System::at("/nonexistent");
        let resolved = system.require("cycles/config4=1/").unwrap();
        let all: [Attr; 6] = [
            Attr::default(),
            Attr::new(0, Words::NONE),
            Attr::counting(&resolved[0]),
            Attr::from_bytes(&[]).unwrap(),
            Attr::from_bytes(&[0; 1000]).unwrap(),
            Attr::from_bytes(&[0xff; 144]).unwrap(),
        ];
        for attr in all {
            let bytes = attr.to_bytes();
            assert_eq!(bytes.as_ref()[4..8], 144_u32.to_ne_bytes(), "{attr:?}");
            assert_eq!(bytes.as_ref().len(), 144);
        }
    }

    /// `perf_copy_attr` in `kernel/events/core.c`: what is missing is 0, and what is unknown
    /// must be.
    #[test]
    fn reads_structures_of_any_length() {
        let last = Attr::new(1, Words::NONE.with(Word::Config4, 7));
        let mut longer = last.to_bytes().as_ref().to_vec();
        longer.extend([0; 16]);
        assert_eq!(Attr::from_bytes(&longer), Some(last));
        longer[159] = 1;
        assert_eq!(Attr::from_bytes(&longer), None);
        longer.truncate(136);
        assert_eq!(Attr::from_bytes(&longer), Some(Attr::new(1, Words::NONE)));
    }

    #[test]
    fn says_what_the_event_says() {
        let system = System::at("/nonexistent");
        let cases: &[(&str, &[Flag], u8, u64)] = &[
            ("cycles", &[Flag::ExcludeGuest], 0, 0),
            ("cycles/period=5/ukp", &[Flag::ExcludeHv, Flag::ExcludeGuest], 1, 5),
            (
                "cycles/freq=99/kppp",
                &[Flag::ExcludeHv, Flag::ExcludeUser, Flag::ExcludeGuest, Flag::Frequency],
                3,
                99,
            ),
            ("cycles:De", &[Flag::Pinned, Flag::Exclusive], 0, 0),
            ("cycles/inherit/G", &[Flag::ExcludeHost, Flag::Inherit], 0, 0),
            ("cycles:IP", &[Flag::ExcludeIdle], 3, 0),
            ("mem:0x10/8:w", &[Flag::ExcludeGuest], 0, 1),
        ];
        for &(text, flags, precise, sample) in cases {
            let resolved = system.require(text).unwrap();
            let attr = Attr::from(&resolved[0]);
            let set = |attr: Attr, &flag: &Flag| attr.with(flag, true);
            let expected = flags.iter().fold(Attr::default().with_precise(precise), set);
            assert_eq!(attr.flags, expected.flags, "{text}");
            assert_eq!((attr.precise(), attr.sample), (precise, sample), "{text}");
            let counting = Attr::counting(&resolved[0]);
            assert_eq!((counting.precise(), counting.sample), (0, 0), "{text}");
            assert!(counting.has(Flag::Disabled) && !counting.has(Flag::Frequency), "{text}");
        }
        let resolved = system.require("mem:0x10/8:rw").unwrap();
        let attr = Attr::from(&resolved[0]);
        let words = Words::NONE.with(Word::Config1, 0x10).with(Word::Config2, 8);
        assert_eq!((attr.bp_type(), attr.words()), (3, words));
        let text = "page-faults/config1=3,config2=4,config3=5,config4=6/";
        let attr = Attr::from(&system.require(text).unwrap()[0]);
        assert_eq!(attr.type_(), 1);
        assert!(attr.words().iter().map(|(_, bits)| bits).eq([2, 3, 4, 5, 6]));
        assert_eq!(attr.words(), system.require(text).unwrap()[0].words());
    }
}
