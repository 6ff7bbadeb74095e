//! `perf_event_attr`, the argument of `perf_event_open(2)` that describes an event.

use super::flag::{Flag, PRECISE, ReadFormat, SAMPLE_READ, bit_field};
use crate::config::Sampling;
use crate::resolve::Resolved;

/// The fields of Linux 6.19's `struct perf_event_attr` (`PERF_ATTR_SIZE_VER9`).
///
/// An older kernel accepts it as long as the fields that it does not know are 0.
/// Later versions may add fields; construct it as `Attr { …, ..Attr::new() }`.
///
/// The field `size`, which tells the kernel how much to read, is not included; only
/// [`to_bytes`](Self::to_bytes) writes it.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::{Attr, Flag};
///
/// let resolved = System::at("/nonexistent").resolve("r1a8:u")?;
/// let mut attr = Attr::counting(&resolved[0]);
/// assert_eq!((attr.type_, attr.config), (4, 0x1a8));
/// assert!(attr.has(Flag::ExcludeKernel) && attr.has(Flag::Disabled));
/// attr.set(Flag::Pinned, true);
/// // For any other crate: the bytes that the kernel reads.
/// assert_eq!(attr.to_bytes()[..4], 4_u32.to_ne_bytes());
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attr {
    /// `type`: the PMU.
    pub type_: u32,
    /// The event on the PMU.
    pub config: u64,
    /// `sample_period`, or `sample_freq` where [`Flag::Frequency`] is set; 0
    /// counts without samples.
    pub sample: u64,
    /// The fields of a sample (`perf_event_sample_format`).
    pub sample_type: u64,
    /// The fields that a read returns ([`ReadFormat`]).
    pub read_format: u64,
    /// The one-bit fields, in the machine's bit order; use [`set`](Self::set) and
    /// [`has`](Self::has).
    pub flags: u64,
    /// `wakeup_events` or `wakeup_watermark`
    pub wakeup: u32,
    /// The accesses that a breakpoint watches.
    pub bp_type: u32,
    /// Also `bp_addr`.
    pub config1: u64,
    /// Also `bp_len`.
    pub config2: u64,
    /// The branches that a branch stack contains.
    pub branch_sample_type: u64,
    /// The user-space registers that a sample contains.
    pub sample_regs_user: u64,
    /// The number of bytes of the user stack that a sample contains.
    pub sample_stack_user: u32,
    /// The clock used for time stamps.
    pub clockid: i32,
    /// The registers that a sample contains.
    pub sample_regs_intr: u64,
    /// The amount of AUX data that wakes up the reader.
    pub aux_watermark: u32,
    /// The maximum number of frames in a call chain.
    pub sample_max_stack: u16,
    /// Must be 0.
    pub reserved: u16,
    /// The number of bytes of AUX data in a sample.
    pub aux_sample_size: u32,
    /// When AUX tracing pauses and resumes, since Linux 6.13.
    pub aux_action: u32,
    /// The data passed with `SIGTRAP`.
    pub sig_data: u64,
    /// Further bits that select the event, since Linux 6.3.
    pub config3: u64,
    /// Further bits that select the event, since Linux 6.19.
    pub config4: u64,
}

impl Attr {
    /// `PERF_ATTR_SIZE_VER9`: the length of the structure, and the value of its
    /// field `size`.
    pub const SIZE: u32 = 144;

    /// Creates attributes with all fields 0, like [`Attr::default`].
    #[must_use]
    pub fn new() -> Self {
        Attr::default()
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
        let mut attr = Attr::from(resolved);
        (attr.sample, attr.sample_type) = (0, 0);
        attr.set(Flag::Frequency, false);
        attr.set_precise(0);
        attr.config2 &= !resolved.reload_mask();
        attr.set(Flag::Disabled, true);
        attr.set_read_format(ReadFormat::TIMES);
        attr
    }

    /// Whether a flag is set.
    #[must_use]
    pub const fn has(&self, flag: Flag) -> bool {
        self.flags & flag.mask() != 0
    }

    /// Sets or clears a flag.
    pub const fn set(&mut self, flag: Flag, value: bool) {
        if value {
            self.flags |= flag.mask();
        } else {
            self.flags &= !flag.mask();
        }
    }

    /// `precise_ip`: 0 to 3.
    #[must_use]
    pub const fn precise(&self) -> u8 {
        let (offset, width) = PRECISE;
        let mask = bit_field(3, offset, width);
        ((self.flags & mask) >> mask.trailing_zeros()) as u8
    }

    /// Sets `precise_ip`; values above 3 become 3.
    pub const fn set_precise(&mut self, precise: u8) {
        let (offset, width) = PRECISE;
        let precise = if precise > 3 { 3 } else { precise };
        self.flags &= !bit_field(3, offset, width);
        self.flags |= bit_field(precise as u64, offset, width);
    }

    /// Returns the format of reads.
    #[must_use]
    pub const fn read_format(&self) -> ReadFormat {
        ReadFormat::from_bits(self.read_format)
    }

    /// Sets the format of reads.
    pub const fn set_read_format(&mut self, format: ReadFormat) {
        self.read_format = format.bits();
    }

    /// Returns the bytes that the kernel reads: the whole structure including
    /// `size`, in the machine's byte order.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::SIZE as usize] {
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
        let mut bytes = [0; Self::SIZE as usize];
        let mut at = 0;
        let mut put = |field: &[u8]| {
            bytes[at..at + field.len()].copy_from_slice(field);
            at += field.len();
        };
        put(&type_.to_ne_bytes());
        put(&Self::SIZE.to_ne_bytes());
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

    /// Creates attributes from the bytes of another crate's structure. Its `size`
    /// is ignored.
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::SIZE as usize]) -> Self {
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
        let [config, config1, config2, config3, config4] = resolved.config;
        let attributes = resolved.attributes();
        let mut attr = Attr {
            type_: resolved.type_,
            config,
            config1,
            config2,
            config3,
            config4,
            bp_type: resolved.breakpoint.map_or(0, |breakpoint| breakpoint.access()),
            ..Attr::new()
        };
        match attributes.sampling {
            Some(Sampling::Period(period)) => attr.sample = period,
            Some(Sampling::Frequency(frequency)) => {
                attr.sample = frequency;
                attr.set(Flag::Frequency, true);
            }
            None => {}
        }
        let settings = &resolved.settings;
        if settings.sample_read {
            attr.sample_type |= SAMPLE_READ;
        }
        attr.set_precise(resolved.precise_ip());
        for (flag, value) in [
            (Flag::ExcludeUser, settings.exclude_user),
            (Flag::ExcludeKernel, settings.exclude_kernel),
            (Flag::ExcludeHv, settings.exclude_hv),
            (Flag::ExcludeHost, settings.exclude_host),
            (Flag::ExcludeGuest, settings.exclude_guest),
            (Flag::ExcludeIdle, settings.exclude_idle),
            (Flag::Pinned, settings.pinned),
            (Flag::Exclusive, settings.exclusive),
            (Flag::Inherit, attributes.inherit == Some(true)),
            (Flag::WriteBackward, attributes.overwrite == Some(true)),
            (Flag::AuxOutput, attributes.aux_output == Some(true)),
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
        let none = Attr::new();
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
            let bytes = attr.to_bytes();
            let first = bytes.iter().zip(none.to_bytes()).position(|(one, zero)| *one != zero);
            // The value 1 is in the first byte of its field, or on big-endian
            // machines in the last.
            let length = cases.iter().map(|case| case.0).find(|&next| next > offset);
            let length = length.unwrap_or(144) - offset;
            let size = if offset == 0 { 4 } else { length };
            let expected = if cfg!(target_endian = "little") { offset } else { offset + size - 1 };
            assert_eq!(first, Some(expected), "{attr:?}");
            assert_eq!(Attr::from_bytes(bytes), attr);
        }
    }

    /// The kernel reads `size` bytes, whatever was done to the attributes. With a
    /// larger value it would read past the end; with a smaller one it would ignore
    /// the last config words.
    #[test]
    fn all_say_how_long_they_are() {
        let system = System::at("/nonexistent");
        let resolved = system.require("cycles/config4=1/").unwrap();
        let all: [Attr; 5] = [
            Attr::default(),
            Attr::new(),
            Attr::counting(&resolved[0]),
            Attr::from_bytes([0; 144]),
            Attr::from_bytes([0xff; 144]),
        ];
        for attr in all {
            let bytes = attr.to_bytes();
            assert_eq!(bytes[4..8], 144_u32.to_ne_bytes(), "{attr:?}");
            assert_eq!(bytes.len(), 144);
        }
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
            let mut expected = Attr::new();
            flags.iter().for_each(|&flag| expected.set(flag, true));
            expected.set_precise(precise);
            assert_eq!(attr.flags, expected.flags, "{text}");
            assert_eq!((attr.precise(), attr.sample), (precise, sample), "{text}");
            let counting = Attr::counting(&resolved[0]);
            assert_eq!((counting.precise(), counting.sample), (0, 0), "{text}");
            assert!(counting.has(Flag::Disabled) && !counting.has(Flag::Frequency), "{text}");
        }
        let resolved = system.require("mem:0x10/8:rw").unwrap();
        let attr = Attr::from(&resolved[0]);
        assert_eq!((attr.bp_type, attr.config1, attr.config2), (3, 0x10, 8));
        let text = "page-faults/config1=3,config2=4,config3=5,config4=6/";
        let attr = Attr::from(&system.require(text).unwrap()[0]);
        let words = [attr.config, attr.config1, attr.config2, attr.config3, attr.config4];
        assert_eq!((attr.type_, words), (1, [2, 3, 4, 5, 6]));
    }
}
