//! `perf_event_attr`: what the system call is told.

use super::flag::{Flag, PRECISE, ReadFormat, SAMPLE_READ, bit_field};
use crate::config::Sampling;
use crate::resolve::Resolved;

/// `struct perf_event_attr` of Linux 6.3 (`PERF_ATTR_SIZE_VER8`: 136 bytes),
/// in the machine's byte order. An older kernel takes it as long as what it
/// does not know is 0. Fields may come; write it as `Attr { …, ..Attr::new() }`.
///
/// ```
/// use pmu_events::open::{Attr, Flag};
/// use pmu_events::{resolve::resolve, sysfs::Sysfs};
///
/// let sysfs = Sysfs::at("/nonexistent");
/// let resolved = resolve("r1a8:u", None, &sysfs)?;
/// let mut attr = Attr::counting(&resolved[0]);
/// assert_eq!((attr.kind, attr.config), (4, 0x1a8));
/// assert!(attr.has(Flag::ExcludeKernel) && attr.has(Flag::Disabled));
/// attr.set(Flag::Pinned, true);
/// // For any other crate: the bytes that the kernel reads.
/// assert_eq!(attr.to_bytes()[..4], 4_u32.to_ne_bytes());
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Attr {
    /// `type`: which PMU.
    pub kind: u32,
    /// How much of it the kernel is to read; [`Attr::SIZE`].
    pub size: u32,
    /// Which event of the PMU.
    pub config: u64,
    /// `sample_period`, or `sample_freq` where [`Flag::Frequency`] is set; 0
    /// counts without samples.
    pub sample: u64,
    /// What a sample holds (`perf_event_sample_format`).
    pub sample_type: u64,
    /// What a read gives.
    pub read_format: u64,
    /// The fields of single bits, in the machine's order: [`set`](Self::set)
    /// and [`has`](Self::has) know it.
    pub flags: u64,
    /// `wakeup_events` or `wakeup_watermark`
    pub wakeup: u32,
    /// What a breakpoint watches.
    pub bp_type: u32,
    /// Also `bp_addr`.
    pub config1: u64,
    /// Also `bp_len`.
    pub config2: u64,
    /// Which branches a branch stack holds.
    pub branch_sample_type: u64,
    /// Which registers of user space a sample holds.
    pub sample_regs_user: u64,
    /// How many bytes of the user's stack a sample holds.
    pub sample_stack_user: u32,
    /// The clock of the times.
    pub clockid: i32,
    /// Which registers a sample holds.
    pub sample_regs_intr: u64,
    /// When the AUX area wakes its reader.
    pub aux_watermark: u32,
    /// The most frames of a call chain.
    pub sample_max_stack: u16,
    /// Must be 0.
    pub reserved: u16,
    /// How many bytes of the AUX area go to a sample.
    pub aux_sample_size: u32,
    /// When AUX tracing pauses and resumes, of Linux 6.13.
    pub aux_action: u32,
    /// What `SIGTRAP` brings along.
    pub sig_data: u64,
    /// More of which event.
    pub config3: u64,
}

const _: () = assert!(size_of::<Attr>() == Attr::SIZE as usize);

impl Attr {
    /// `PERF_ATTR_SIZE_VER8`
    pub const SIZE: u32 = 136;

    /// Nothing but its size.
    #[must_use]
    pub fn new() -> Self {
        Attr { size: Self::SIZE, ..Attr::default() }
    }

    /// What counts an event: without samples, disabled, and with the times
    /// that scaling needs.
    ///
    /// A member of a group should not be disabled: it begins when its leader is
    /// enabled. (Linux 6.18 enables a disabled software member together with
    /// its leader, and yet leaves it off until the task is next switched in.)
    ///
    /// The sampling period of an event's description, and how precise samples
    /// should be, mean nothing then and are left out: kernels refuse some of
    /// them without samples (`x86_pmu_hw_config`).
    #[must_use]
    pub fn counting(resolved: &Resolved<'_>) -> Self {
        let mut attr = Attr::from(resolved);
        (attr.sample, attr.sample_type) = (0, 0);
        attr.set(Flag::Frequency, false);
        attr.set_precise(0);
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

    /// Sets `precise_ip`; more than 3 is 3.
    pub const fn set_precise(&mut self, precise: u8) {
        let (offset, width) = PRECISE;
        let precise = if precise > 3 { 3 } else { precise };
        self.flags &= !bit_field(3, offset, width);
        self.flags |= bit_field(precise as u64, offset, width);
    }

    /// What a read gives.
    #[must_use]
    pub const fn read_format(&self) -> ReadFormat {
        ReadFormat::from_bits(self.read_format)
    }

    /// Says what a read gives.
    pub const fn set_read_format(&mut self, format: ReadFormat) {
        self.read_format = format.bits();
    }

    /// The bytes that the kernel reads.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::SIZE as usize] {
        // Without `..`: a new field cannot be forgotten.
        let Attr {
            kind,
            size,
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
        } = *self;
        let mut bytes = [0; Self::SIZE as usize];
        let mut at = 0;
        let mut put = |field: &[u8]| {
            bytes[at..at + field.len()].copy_from_slice(field);
            at += field.len();
        };
        put(&kind.to_ne_bytes());
        put(&size.to_ne_bytes());
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
        bytes
    }

    /// The other way round, from another crate's structure of this size.
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::SIZE as usize]) -> Self {
        fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
            let (field, behind) = rest.split_first_chunk().expect("the sizes add up");
            *rest = behind;
            *field
        }
        let mut rest = &bytes[..];
        Attr {
            kind: u32::from_ne_bytes(take(&mut rest)),
            size: u32::from_ne_bytes(take(&mut rest)),
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
        }
    }
}

/// All that the event says, sampling included; not how it is read, nor that it
/// begins disabled.
impl From<&Resolved<'_>> for Attr {
    fn from(resolved: &Resolved<'_>) -> Self {
        let [config, config1, config2, config3] = resolved.config;
        let mut attr = Attr {
            kind: resolved.kind,
            config,
            config1,
            config2,
            config3,
            bp_type: resolved.breakpoint.map_or(0, |breakpoint| breakpoint.access()),
            ..Attr::new()
        };
        match resolved.attributes.sampling {
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
            (Flag::Inherit, resolved.attributes.inherit == Some(true)),
            (Flag::WriteBackward, resolved.attributes.overwrite == Some(true)),
            (Flag::AuxOutput, resolved.attributes.aux_output == Some(true)),
        ] {
            attr.set(flag, value);
        }
        attr
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::resolve;
    use crate::sysfs::Sysfs;
    use core::mem::offset_of;

    #[test]
    fn lies_as_the_kernel_has_it() {
        let cases = [
            (offset_of!(Attr, kind), 0),
            (offset_of!(Attr, size), 4),
            (offset_of!(Attr, config), 8),
            (offset_of!(Attr, sample), 16),
            (offset_of!(Attr, sample_type), 24),
            (offset_of!(Attr, read_format), 32),
            (offset_of!(Attr, flags), 40),
            (offset_of!(Attr, wakeup), 48),
            (offset_of!(Attr, bp_type), 52),
            (offset_of!(Attr, config1), 56),
            (offset_of!(Attr, config2), 64),
            (offset_of!(Attr, branch_sample_type), 72),
            (offset_of!(Attr, sample_regs_user), 80),
            (offset_of!(Attr, clockid), 92),
            (offset_of!(Attr, sample_regs_intr), 96),
            (offset_of!(Attr, aux_watermark), 104),
            (offset_of!(Attr, sample_max_stack), 108),
            (offset_of!(Attr, aux_sample_size), 112),
            (offset_of!(Attr, aux_action), 116),
            (offset_of!(Attr, sig_data), 120),
            (offset_of!(Attr, config3), 128),
        ];
        for (offset, expected) in cases {
            assert_eq!(offset, expected);
        }
        let bytes: [u8; 136] = core::array::from_fn(|n| n as u8);
        let attr = Attr::from_bytes(bytes);
        assert_eq!(attr.to_bytes(), bytes);
        assert_eq!(attr.kind.to_ne_bytes(), bytes[..4]);
        assert_eq!(attr.read_format.to_ne_bytes(), bytes[32..40]);
        assert_eq!(attr.sample_max_stack.to_ne_bytes(), bytes[108..110]);
        assert_eq!(attr.config3.to_ne_bytes(), bytes[128..]);
    }

    #[test]
    fn says_what_the_event_says() {
        let sysfs = Sysfs::at("/nonexistent");
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
            let resolved = resolve(text, None, &sysfs).unwrap();
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
        let resolved = resolve("mem:0x10/8:rw", None, &sysfs).unwrap();
        let attr = Attr::from(&resolved[0]);
        assert_eq!((attr.bp_type, attr.config1, attr.config2), (3, 0x10, 8));
    }
}
