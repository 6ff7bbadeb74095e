#[cfg(target_os = "linux")]
use std::io;
use std::string::String;
use std::vec::Vec;

use super::{BranchAttr, BranchGroup, Error};
use crate::config::Sampling;
use crate::format::{Word, Words};
use crate::host;
use crate::open::{self, Count, Counter, ErrorKind, Flag};
use pmu_events_ebb::power::Generation;

/// How to enable a group.
///
/// ```
/// use pmu_events::ebb::{self, Builder, Enable};
/// use pmu_events::power::Generation;
///
/// let group = Builder::new(Generation::Power9).raw(0x1e).on(1).user_only().build()?;
/// // All events of this thread at once; `Enable::Ioctl` enables the group alone.
/// if let Err(error) = ebb::start(&group, Enable::Prctl) {
///     println!("{error}");
/// }
/// # Ok::<(), pmu_events::ebb::Broken>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Enable {
    /// Enables only the group, by an ioctl.
    Ioctl,
    /// Enables every event that the calling thread has opened, whatever its target,
    /// by `prctl(PR_TASK_PERF_EVENTS_ENABLE)`.
    Prctl,
}

/// Whether a group has the PMU.
///
/// ```
/// use pmu_events::ebb::{self, Builder, Enable, Standing};
/// use pmu_events::power::Generation;
///
/// let group = Builder::new(Generation::Power9).raw(0x1e).on(1).user_only().build()?;
/// match ebb::start(&group, Enable::Ioctl) {
///     Ok((_, Standing::PushedOut)) => println!("another program has the PMU"),
///     Ok((_, standing)) => println!("{standing:?}"),
///     Err(error) => println!("{error}"), // this machine is no POWER9
/// }
/// # Ok::<(), pmu_events::ebb::Broken>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// The group got the PMU and has not lost it since.
    OnPmu,
    /// The group has not been scheduled yet: it is not enabled, or its thread has
    /// not run since, or not on the requested CPU. Check again later.
    Waiting,
    /// Another pinned event had the PMU. No branches will be taken unless the group
    /// is enabled again.
    PushedOut,
}

/// An open group of event-based branches.
///
/// Dropping it closes the events. When the last one of a process is closed, the
/// kernel takes the PMU back and no further branches are taken.
///
/// It has no count: the kernel leaves the counters to the process and does not
/// track them, so a read returns 0 or garbage.
///
/// ```
/// use pmu_events::ebb::{self, Builder, Enable};
/// use pmu_events::power::Generation;
///
/// let group = Builder::new(Generation::Power9).raw(0x1e).on(1).user_only().build()?;
/// match ebb::start(&group, Enable::Ioctl) {
///     Ok((branches, _)) => println!("{branches:?}"),
///     Err(error) => println!("{error}"), // this machine is no POWER9
/// }
/// # Ok::<(), pmu_events::ebb::Broken>(())
/// ```
#[derive(Debug)]
pub struct Branches {
    /// The leader first.
    counters: Vec<Counter>,
}

/// Opens a group, enables it, and returns whether it really got the PMU: enabling
/// succeeds either way, and only a read tells
/// (`Documentation/arch/powerpc/pmu-ebb.rst`, "Enabling an EBB event").
///
/// ```no_run
/// use pmu_events::ebb::{self, Enable, Builder, Standing};
/// use pmu_events::power::Generation;
///
/// let group = Builder::new(Generation::Power9).raw(0x1001e).user_only().build()?;
/// match ebb::start(&group, Enable::Ioctl)? {
///     (branches, Standing::OnPmu) => {
///         // EBBHR and BESCR may be set now.
///         drop(branches);
///     }
///     (_, Standing::Waiting) => println!("not yet"),
///     (_, Standing::PushedOut) => println!("another pinned event has the PMU"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error in the same cases as [`Branches::open`] and
/// [`Branches::enable`].
pub fn start(group: &BranchGroup, how: Enable) -> Result<(Branches, Standing), Error> {
    let branches = Branches::open(group)?;
    let standing = branches.enable(how)?;
    Ok((branches, standing))
}

impl Branches {
    /// Opens a group. Groups built by [`Builder`](super::Builder) start disabled.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine is not a POWER machine of the generation for
    /// which the group was built (its codes would mean something else), if the
    /// kernel does not offer event-based branches, or if it refuses an event; in
    /// that case the events opened before are closed.
    pub fn open(group: &BranchGroup) -> Result<Self, Error> {
        #[cfg(target_os = "linux")]
        // SAFETY: the call reads a value that the kernel gave the program.
        let hwcap2 = unsafe { libc::getauxval(libc::AT_HWCAP2) };
        #[cfg(not(target_os = "linux"))]
        let hwcap2 = 0_u32;
        #[allow(clippy::useless_conversion)] // It has 32 bits on some machines.
        let hwcap2 = u64::from(hwcap2);
        is_possible(group.generation(), cfg!(target_arch = "powerpc64"), host::cpuid, hwcap2)?;
        let target = group.target();
        let target = match (u32::try_from(target.pid()), u32::try_from(target.cpu())) {
            (Ok(0) | Err(_), Err(_)) => open::Target::ThisThread,
            (Ok(thread), Err(_)) => open::Target::Thread(thread),
            (Ok(thread), Ok(cpu)) => open::Target::ThreadOnCpu { thread, cpu },
            (Err(_), Ok(cpu)) => open::Target::Cpu(cpu),
        };
        let mut counters: Vec<Counter> = Vec::with_capacity(group.attributes().len());
        for (event, attr) in group.attributes().iter().enumerate() {
            let opened = Counter::open(&open::Attr::from(attr), target, counters.first());
            counters.push(opened.map_err(|error| Error::of_open(event, &error))?);
        }
        Ok(Branches { counters })
    }

    fn leader(&self) -> &Counter {
        &self.counters[0]
    }

    /// Enables the group, and returns whether it got the PMU.
    ///
    /// # Errors
    ///
    /// Returns an error if the ioctl or `prctl` fails.
    pub fn enable(&self, how: Enable) -> Result<Standing, Error> {
        match how {
            Enable::Ioctl => self.leader().enable().map_err(|error| Error::of_use(&error))?,
            Enable::Prctl => self.of_thread(true)?,
        }
        self.standing()
    }

    /// Disables the group. The process is responsible for the handler's registers.
    ///
    /// # Errors
    ///
    /// Returns an error if the ioctl or `prctl` fails.
    pub fn disable(&self, how: Enable) -> Result<(), Error> {
        match how {
            Enable::Ioctl => self.leader().disable().map_err(|error| Error::of_use(&error)),
            Enable::Prctl => self.of_thread(false),
        }
    }

    /// Returns whether the group has the PMU. A read returns end of file once it
    /// has lost it; until the group is first scheduled, its running time is 0.
    ///
    /// # Errors
    ///
    /// Returns an error if the read fails.
    pub fn standing(&self) -> Result<Standing, Error> {
        standing(self.leader().read())
    }

    #[cfg(target_os = "linux")]
    fn of_thread(&self, on: bool) -> Result<(), Error> {
        let option =
            if on { libc::PR_TASK_PERF_EVENTS_ENABLE } else { libc::PR_TASK_PERF_EVENTS_DISABLE };
        // SAFETY: the call has no arguments, and only affects the thread's events.
        answer(unsafe { libc::prctl(option, 0, 0, 0, 0) })
    }

    /// Never called: on other systems nothing can be opened.
    #[cfg(not(target_os = "linux"))]
    fn of_thread(&self, on: bool) -> Result<(), Error> {
        let result = if on { self.leader().enable() } else { self.leader().disable() };
        result.map_err(|error| Error::of_use(&error))
    }
}

/// What a read of the leader says.
fn standing(read: Result<Count, open::Error>) -> Result<Standing, Error> {
    match read {
        Ok(count) if count.time_running > 0 => Ok(Standing::OnPmu),
        Ok(_) => Ok(Standing::Waiting),
        Err(error) if error.kind() == ErrorKind::PinnedOut => Ok(Standing::PushedOut),
        Err(error) => Err(Error::of_use(&error)),
    }
}

/// What `prctl` says: `perf_event_task_enable` always succeeds; a seccomp profile may not.
#[cfg(target_os = "linux")]
fn answer(result: libc::c_int) -> Result<(), Error> {
    match result {
        0 => Ok(()),
        _ => Err(Error::of_prctl(io::Error::last_os_error())),
    }
}

/// Checks that a machine supports the group. A raw code means something else on other
/// machines, so it must not even be tried.
fn is_possible(
    group: Generation,
    is_power: bool,
    cpuid: impl FnOnce() -> Result<String, host::Error>,
    hwcap2: u64,
) -> Result<(), Error> {
    /// `PPC_FEATURE2_EBB` (`arch/powerpc/include/uapi/asm/cputable.h`), which the kernel
    /// sets when its driver for the PMU starts.
    const EBB: u64 = 0x1000_0000;
    if !is_power {
        return Err(Error::not_power());
    }
    let cpuid = cpuid().map_err(|error| Error::no_cpuid(&error))?;
    let machine = Generation::of_cpuid(&cpuid).ok_or_else(|| Error::unknown_cpu(&cpuid))?;
    if machine != group {
        return Err(Error::other_generation(group, machine));
    }
    if hwcap2 & EBB == 0 { Err(Error::not_offered()) } else { Ok(()) }
}

impl From<&BranchAttr> for open::Attr {
    fn from(from: &BranchAttr) -> Self {
        let words = Words::new(from.config).with(Word::Config1, from.config1);
        let attr = open::Attr::new(from.kind, words)
            .with_sampling(Some(Sampling::Period(from.sample_period)))
            .with_sample_type(from.sample_type)
            .with_read_format(open::ReadFormat::from_bits(from.read_format));
        flags(from).into_iter().fold(attr, |attr, (flag, value)| attr.with(flag, value))
    }
}

fn flags(attr: &BranchAttr) -> [(Flag, bool); 9] {
    [
        (Flag::Frequency, attr.freq),
        (Flag::Inherit, attr.inherit),
        (Flag::Pinned, attr.pinned),
        (Flag::Exclusive, attr.exclusive),
        (Flag::EnableOnExec, attr.enable_on_exec),
        (Flag::Disabled, attr.disabled),
        (Flag::ExcludeUser, attr.exclude_user),
        (Flag::ExcludeKernel, attr.exclude_kernel),
        (Flag::ExcludeHv, attr.exclude_hv),
    ]
}

/// For checking any attributes against the rules; fields that no rule concerns are
/// dropped.
impl From<&open::Attr> for BranchAttr {
    fn from(from: &open::Attr) -> Self {
        BranchAttr {
            kind: from.type_(),
            config: from.words().config(),
            config1: from.words().get(Word::Config1),
            sample_period: match from.sampling() {
                Some(Sampling::Period(number) | Sampling::Frequency(number)) => number,
                None => 0,
            },
            sample_type: from.sample_type(),
            read_format: from.read_format().bits(),
            freq: from.has(Flag::Frequency),
            inherit: from.has(Flag::Inherit),
            pinned: from.has(Flag::Pinned),
            exclusive: from.has(Flag::Exclusive),
            enable_on_exec: from.has(Flag::EnableOnExec),
            disabled: from.has(Flag::Disabled),
            exclude_user: from.has(Flag::ExcludeUser),
            exclude_kernel: from.has(Flag::ExcludeKernel),
            exclude_hv: from.has(Flag::ExcludeHv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ebb::{self, Builder};
    use crate::perf_type;

    /// Each field is converted separately, and back.
    #[test]
    fn attributes_there_and_back() {
        let none = BranchAttr::default();
        let cases = [
            BranchAttr { kind: perf_type::RAW, ..none },
            BranchAttr { config: 1 << 63 | 7, ..none },
            BranchAttr { config1: 7, ..none },
            BranchAttr { sample_period: 7, ..none },
            BranchAttr { sample_type: 7, ..none },
            BranchAttr { read_format: 7, ..none },
            BranchAttr { freq: true, ..none },
            BranchAttr { inherit: true, ..none },
            BranchAttr { pinned: true, ..none },
            BranchAttr { exclusive: true, ..none },
            BranchAttr { enable_on_exec: true, ..none },
            BranchAttr { disabled: true, ..none },
            BranchAttr { exclude_user: true, ..none },
            BranchAttr { exclude_kernel: true, ..none },
            BranchAttr { exclude_hv: true, ..none },
        ];
        for (n, case) in cases.iter().enumerate() {
            let there = open::Attr::from(case);
            assert_eq!(BranchAttr::from(&there), *case);
            let others = cases.iter().filter(|other| open::Attr::from(*other) == there);
            assert_eq!(others.count(), 1, "case {n}");
        }
    }

    /// What a machine must be for a group to be opened at all.
    #[test]
    fn machines() {
        const EBB: u64 = 0x1000_0000;
        let power9 = || Ok("0x004e1202".into());
        let nobody = || Ok("GenuineIntel-6-8F-4".into());
        let none = || Err(host::Error::new(host::Fault::Architecture("none")));
        let (group, other) = (Generation::Power9, Generation::Power8);
        let kind = |answer: Result<(), Error>| answer.map_err(|error| error.kind());
        let of_other = ebb::ErrorKind::OtherGeneration;
        assert_eq!(kind(is_possible(group, true, power9, EBB)), Ok(()));
        assert_eq!(kind(is_possible(group, true, power9, EBB | 1)), Ok(()));
        for (answer, expected) in [
            (is_possible(group, false, power9, EBB), ebb::ErrorKind::NotPower),
            (is_possible(group, true, none, EBB), ebb::ErrorKind::UnknownCpu),
            (is_possible(group, true, nobody, EBB), ebb::ErrorKind::UnknownCpu),
            (is_possible(other, true, power9, EBB), of_other),
            (is_possible(group, true, power9, 0), ebb::ErrorKind::NotOffered),
            (is_possible(group, true, power9, !EBB), ebb::ErrorKind::NotOffered),
        ] {
            assert_eq!(kind(answer), Err(expected));
        }
    }

    #[test]
    fn standings() {
        let ran = |running| Ok(Count::new(0, 9, running));
        assert_eq!(standing(ran(0)), Ok(Standing::Waiting));
        assert_eq!(standing(ran(1)), Ok(Standing::OnPmu));
        assert_eq!(standing(ran(9)), Ok(Standing::OnPmu));
        assert_eq!(standing(Err(open::Error::pinned_out())), Ok(Standing::PushedOut));
        let failed = standing(Err(open::Error::never_scheduled())).unwrap_err();
        assert_eq!((failed.kind(), failed.event()), (ebb::ErrorKind::Use, None));
        assert_eq!(failed.open_kind(), Some(ErrorKind::NeverScheduled));
    }

    /// A group of the kernel's own events is enabled and disabled either way.
    #[cfg(target_os = "linux")]
    #[test]
    fn enabled_and_disabled() {
        assert_eq!(answer(0), Ok(()));
        assert_eq!(answer(-1).unwrap_err().kind(), ebb::ErrorKind::Prctl);
        let attr = BranchAttr {
            kind: perf_type::SOFTWARE,
            config: 9, // It counts nothing.
            read_format: open::ReadFormat::TIMES.bits(),
            disabled: true,
            exclude_kernel: true,
            ..BranchAttr::default()
        };
        let opened = Counter::open(&open::Attr::from(&attr), open::Target::ThisThread, None);
        let branches = match opened {
            Ok(counter) => Branches { counters: std::vec![counter] },
            // Where nobody may count, no more can be seen.
            Err(error) => {
                let forbidden = [ErrorKind::NotPermitted, ErrorKind::NoSystemCall];
                return assert!(forbidden.contains(&error.kind()), "{error}");
            }
        };
        let enabled = || branches.leader().read().unwrap().time_enabled;
        for how in [Enable::Ioctl, Enable::Prctl] {
            let before = enabled();
            assert_eq!(branches.enable(how), Ok(Standing::OnPmu), "{how:?}");
            assert!(enabled() > before, "{how:?}");
            branches.disable(how).unwrap();
            let after = enabled();
            assert_eq!(enabled(), after, "{how:?}");
        }
    }

    /// A code for another machine is not even tried.
    #[cfg(not(target_arch = "powerpc64"))]
    #[test]
    fn elsewhere_nothing_is_opened() {
        let group = Builder::new(Generation::Power9).raw(0x1001e).build().unwrap();
        assert_eq!(Branches::open(&group).unwrap_err().kind(), ebb::ErrorKind::NotPower);
        assert_eq!(start(&group, Enable::Prctl).unwrap_err(), Error::not_power());
    }
}
