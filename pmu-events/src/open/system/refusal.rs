//! The meaning of the kernel's refusals, and their cures.

use std::format;
use std::path::Path;
use std::string::String;
use std::vec::Vec;

use super::HasCores;
use crate::file::{self, Kind};
use crate::format::Word;
use crate::open::attr::SIZE;
use crate::open::{Attr, Cgroup, Error, ErrorKind, Flag, Target};
use crate::perf_type;
use crate::sysfs::{CpuSet, Sysfs};

/// `PERF_SAMPLE_BRANCH_STACK`
const SAMPLE_BRANCH_STACK: u64 = 1 << 11;

const SYS: &str = "/sys";

/// Why opening was refused (`perf_event_open`, `perf_copy_attr` and
/// `perf_init_event` in `kernel/events/core.c`). `size` is the value that the
/// kernel left in the attributes.
pub(super) fn of_open(
    errno: i32,
    attr: &Attr,
    target: Target,
    is_member: bool,
    size: u32,
    has_cores: &HasCores,
) -> Error {
    let kind = match errno {
        libc::ENOENT | libc::ENXIO if is_of_cores(attr) && !has_cores.get() => {
            ErrorKind::NoHardwarePmu
        }
        // For a CPU that the machine cannot have, the kernel returns `EINVAL`.
        libc::EINVAL if is_offline(target) => ErrorKind::NoDevice,
        _ => kind(errno),
    };
    let paranoid = if kind == ErrorKind::NotPermitted { paranoid() } else { None };
    Error::new(kind, errno, message(kind, errno, attr, target, is_member, size, paranoid))
}

/// Returns why an event cannot be opened in a control group, if the group is the
/// reason (`perf_cgroup_connect` and `perf_event_alloc` in `kernel/events/core.c`).
pub(super) fn in_cgroup(errno: i32, cgroup: &Cgroup) -> Option<Error> {
    let path = cgroup.path().display();
    let (kind, message) = match errno {
        libc::EBADF => (ErrorKind::Other, format!("{path} is not a control group")),
        libc::ENOENT if !cgroup.path().is_dir() => {
            (ErrorKind::Other, format!("{path}: there is no such control group any more"))
        }
        libc::EINVAL => (
            ErrorKind::Invalid,
            "it cannot be counted in a control group: it is of a PMU outside the cores, or the \
             kernel is built without CONFIG_CGROUP_PERF"
                .into(),
        ),
        _ => return None,
    };
    Some(Error::new(kind, errno, message))
}

/// Returns why an operation on an open counter failed.
pub(super) fn of_use(errno: i32) -> Error {
    let message = match errno {
        libc::ENOSPC => "the group is larger than what was asked for",
        _ => "the kernel refuses this on the open counter",
    };
    Error::new(kind(errno), errno, message)
}

fn kind(errno: i32) -> ErrorKind {
    match errno {
        libc::EACCES | libc::EPERM => ErrorKind::NotPermitted,
        libc::ENOENT | libc::ENXIO => ErrorKind::NoSuchEvent,
        libc::EOPNOTSUPP => ErrorKind::NotSupported,
        libc::EINVAL => ErrorKind::Invalid,
        libc::ENODEV => ErrorKind::NoDevice,
        libc::ESRCH => ErrorKind::NoSuchTask,
        libc::EMFILE | libc::ENFILE => ErrorKind::TooManyFiles,
        libc::E2BIG => ErrorKind::TooBig,
        libc::ENOSPC => ErrorKind::NoSpace,
        libc::EBUSY => ErrorKind::Busy,
        libc::ENOSYS => ErrorKind::NoSystemCall,
        _ => ErrorKind::Other,
    }
}

impl HasCores<'_> {
    /// Asks the real sysfs, whatever the `System` uses: it is the kernel that refused.
    fn get(&self) -> bool {
        *self.known.get_or_init(|| match self.listed {
            Some(listed) if listed.root() == Path::new(SYS) => !has_no_core_pmu(listed),
            _ => !has_no_core_pmu(&Sysfs::at(SYS)),
        })
    }
}

fn is_of_cores(attr: &Attr) -> bool {
    [perf_type::HARDWARE, perf_type::CACHE, perf_type::RAW].contains(&attr.type_())
}

/// Whether there are PMUs, but none of a core. Without any, sysfs is hidden and says nothing.
fn has_no_core_pmu(sysfs: &Sysfs) -> bool {
    !sysfs.pmus().is_empty() && sysfs.core_pmus().next().is_none()
}

fn is_offline(target: Target) -> bool {
    let (Target::Cpu(cpu) | Target::ThreadOnCpu { cpu, .. }) = target else {
        return false;
    };
    let online = Path::new("/sys/devices/system/cpu/online");
    let of_sysfs = file::of_sysfs(online, Kind::Unknown, |list| list.parse().ok());
    let of_sysfs = of_sysfs.ok().flatten().flatten();
    // Some containers hide sysfs.
    let of_proc = || online_by_stat(&file::of_procfs(Path::new("/proc/stat")).ok()?);
    of_sysfs.or_else(of_proc).is_some_and(|online: CpuSet| !online.contains(cpu))
}

/// The CPUs in `/proc/stat`, which has a line for each that is online
/// (`show_stat` in `fs/proc/stat.c`); `None` if it has none.
fn online_by_stat(text: &str) -> Option<CpuSet> {
    let number = |line: &str| line.strip_prefix("cpu")?.split(' ').next()?.parse::<u32>().ok();
    let mut numbers = Vec::new();
    for line in text.lines() {
        if let Some(number) = number(line) {
            numbers.push(number);
        }
    }
    if numbers.is_empty() { None } else { Some(CpuSet::from_iter(numbers)) }
}

/// `kernel.perf_event_paranoid`
fn paranoid() -> Option<i32> {
    let setting = Path::new("/proc/sys/kernel/perf_event_paranoid");
    file::of_procfs(setting).ok()?.trim().parse().ok()
}

fn message(
    kind: ErrorKind,
    errno: i32,
    attr: &Attr,
    target: Target,
    is_member: bool,
    size: u32,
    paranoid: Option<i32>,
) -> String {
    match kind {
        // The kernel's own checks answer EACCES (`perf_allow_kernel` and others).
        ErrorKind::NotPermitted if errno == libc::EPERM => "not permitted: a sandbox, such as a \
             container's seccomp profile, forbids perf_event_open; allow it there, or give the \
             container the capability CAP_PERFMON"
            .into(),
        ErrorKind::NotPermitted => not_permitted(attr, target, paranoid),
        ErrorKind::NoHardwarePmu => "this machine has no hardware PMU: \
             /sys/bus/event_source/devices has none of a core"
            .into(),
        ErrorKind::NoSuchEvent => {
            "neither this kernel nor a PMU of this machine has this event".into()
        }
        ErrorKind::NotSupported => not_supported(attr, target),
        ErrorKind::Invalid if is_member => "the kernel refuses this event in its group: \
             the group may not fit the PMU, or be of two PMUs, or its leader watch another \
             task or CPU"
            .into(),
        ErrorKind::Invalid => {
            "the kernel refuses these attributes: bits that the PMU does not know, a modifier \
             that it cannot do, or counting a task where only whole CPUs can be"
                .into()
        }
        ErrorKind::NoDevice => match target {
            Target::Cpu(cpu) | Target::ThreadOnCpu { cpu, .. } => {
                format!("CPU {cpu} is offline or has no such PMU")
            }
            _ => "there is no such PMU for this task".into(),
        },
        ErrorKind::NoSuchTask => match target {
            Target::Thread(thread) | Target::ThreadOnCpu { thread, .. } => {
                format!("there is no thread {thread}")
            }
            _ => "there is no such thread".into(),
        },
        ErrorKind::TooManyFiles if errno == libc::ENFILE => {
            "the system has too many open files; sysctl fs.file-max raises the limit".into()
        }
        ErrorKind::TooManyFiles => {
            "too many files are open, of which each counter is one on each CPU; \
             `ulimit -n` raises the limit"
                .into()
        }
        ErrorKind::TooBig if size as usize != SIZE => {
            format!(
                "this kernel knows {size} bytes of perf_event_attr and is older than what is \
                 set after them{}",
                match (attr.words().get(Word::Config3), attr.words().get(Word::Config4)) {
                    (0, 0) => "",
                    (_, 0) => ": config3 is of Linux 6.3",
                    _ => ": config4 is of Linux 6.19",
                }
            )
        }
        ErrorKind::TooBig => "the group has too many members to be read at once".into(),
        ErrorKind::NoSpace if attr.type_() == perf_type::BREAKPOINT => {
            "all hardware breakpoints are in use".into()
        }
        ErrorKind::NoSpace => "no counter is left".into(),
        ErrorKind::Busy => "another program has the PMU for itself".into(),
        ErrorKind::NoSystemCall => {
            "this kernel has no perf_event_open: it was built without CONFIG_PERF_EVENTS, or a \
             sandbox hides it"
                .into()
        }
        _ => format!("perf_event_open failed with error {errno}"),
    }
}

/// The requests for which drivers return `EOPNOTSUPP`: sampling and tasks
/// (`perf_event_open` in `kernel/events/core.c`, `hisi_uncore_pmu_event_init`),
/// branch stacks (all), precision (`x86_pmu_hw_config`), idle cycles
/// (`armv8pmu_set_event_filter`), generic events without a code on the CPU
/// (`power_pmu_event_init`, `hw_perf_cache_event` of powerpc), and on s390 counters
/// that the hypervisor owns, and raw events of only user space or only the kernel
/// (`__hw_perf_event_init`, `validate_ctr_version`).
fn not_supported(attr: &Attr, target: Target) -> String {
    if attr.sample_type() & SAMPLE_BRANCH_STACK != 0 {
        "this PMU cannot record branches, or not with this filter".into()
    } else if attr.sampling().is_some() {
        "this PMU cannot sample the event; it may be able to count it".into()
    } else if attr.precise() > 0 {
        format!("this PMU cannot be as precise as {}; leave out a `p`", attr.precise())
    } else if attr.has(Flag::ExcludeIdle) {
        "this PMU cannot leave out idle cycles; leave out the modifier `I`".into()
    } else if is_of_cores(attr) {
        let levels = [Flag::ExcludeUser, Flag::ExcludeKernel, Flag::ExcludeHv];
        let modified = if levels.iter().any(|&level| attr.has(level)) {
            ", or not at these privilege levels alone"
        } else {
            ""
        };
        let why = if attr.type_() == perf_type::RAW {
            "; or a hypervisor keeps it to itself"
        } else {
            "; of the kernel's generic events each CPU has some"
        };
        format!("this CPU's PMU does not count this event{modified}{why}")
    } else if attr.type_() <= perf_type::BREAKPOINT || target.is_whole_cpu() {
        "this PMU does not support this".into()
    } else {
        "this PMU does not support this; it may count only whole CPUs, not tasks".into()
    }
}

/// `Documentation/admin-guide/sysctl/kernel.rst`, `perf_event_paranoid`
fn not_permitted(attr: &Attr, target: Target, paranoid: Option<i32>) -> String {
    let (what, most) = match (target.is_whole_cpu(), attr.has(Flag::ExcludeKernel)) {
        (true, _) => ("counting whole CPUs", 0),
        (false, false) => ("counting in the kernel", 1),
        (false, true) => ("counting in user space", 2),
    };
    match paranoid {
        Some(level) if level > most => {
            let also = if most == 1 && level == 2 {
                "; the modifier `u` leaves the kernel out"
            } else {
                ""
            };
            format!(
                "not permitted: kernel.perf_event_paranoid is {level}, and {what} needs {most} \
                 or less, or the capability CAP_PERFMON, or root{also}"
            )
        }
        Some(level) => format!(
            "not permitted, though kernel.perf_event_paranoid is {level}: the task is another \
             user's, which needs CAP_PERFMON, or a security module forbids perf_event_open"
        ),
        None => format!("not permitted: {what} needs the capability CAP_PERFMON, or root"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Sampling;
    use crate::format::Words;
    use std::string::ToString;

    /// On an open counter, the error numbers mean something else.
    #[test]
    fn refusals_of_an_open_counter() {
        let refused = "the kernel refuses this on the open counter";
        let cases = [
            (libc::ENOSPC, ErrorKind::NoSpace, "the group is larger than what was asked for"),
            (libc::ENOTTY, ErrorKind::Other, refused),
            (libc::EINVAL, ErrorKind::Invalid, refused),
        ];
        for (errno, kind, message) in cases {
            let error = of_use(errno);
            assert_eq!((error.kind(), error.errno()), (kind, Some(errno)));
            assert_eq!(error.to_string(), message, "{errno}");
        }
    }

    #[test]
    fn messages_say_what_helps() {
        let attr = Attr::default();
        let user = attr.with(Flag::ExcludeKernel, true);
        let precise = attr.with_precise(2);
        let new = attr.with_words(Words::NONE.with(Word::Config3, 1));
        let newer = new.with_words(new.words().with(Word::Config4, 1));
        let sampling = attr.with_sampling(Some(Sampling::Period(1)));
        let breakpoint = attr.with_type(perf_type::BREAKPOINT);
        let (task, cpu) = (Target::Thread(42), Target::Cpu(7));
        let cases: &[(i32, &Attr, Target, bool, Option<i32>, ErrorKind, &str)] = &[
            (
                libc::EACCES,
                &attr,
                task,
                false,
                Some(2),
                ErrorKind::NotPermitted,
                "not permitted: kernel.perf_event_paranoid is 2, and counting in the kernel needs \
                 1 or less, or the capability CAP_PERFMON, or root; the modifier `u` leaves the \
                 kernel out",
            ),
            (
                libc::EACCES,
                &attr,
                task,
                false,
                Some(4),
                ErrorKind::NotPermitted,
                "not permitted: kernel.perf_event_paranoid is 4, and counting in the kernel needs \
                 1 or less, or the capability CAP_PERFMON, or root",
            ),
            (
                libc::EACCES,
                &user,
                task,
                false,
                Some(3),
                ErrorKind::NotPermitted,
                "not permitted: kernel.perf_event_paranoid is 3, and counting in user space needs \
                 2 or less, or the capability CAP_PERFMON, or root",
            ),
            (
                libc::EACCES,
                &user,
                cpu,
                false,
                Some(1),
                ErrorKind::NotPermitted,
                "not permitted: kernel.perf_event_paranoid is 1, and counting whole CPUs needs 0 \
                 or less, or the capability CAP_PERFMON, or root",
            ),
            (
                libc::EACCES,
                &user,
                task,
                false,
                Some(1),
                ErrorKind::NotPermitted,
                "not permitted, though kernel.perf_event_paranoid is 1: the task is another \
                 user's, which needs CAP_PERFMON, or a security module forbids perf_event_open",
            ),
            // Whatever its value, the setting is not the reason.
            (
                libc::EPERM,
                &attr,
                task,
                false,
                Some(2),
                ErrorKind::NotPermitted,
                "not permitted: a sandbox, such as a container's seccomp profile, forbids \
                 perf_event_open; allow it there, or give the container the capability \
                 CAP_PERFMON",
            ),
            (libc::ESRCH, &attr, task, false, None, ErrorKind::NoSuchTask, "there is no thread 42"),
            (
                libc::ENODEV,
                &attr,
                cpu,
                false,
                None,
                ErrorKind::NoDevice,
                "CPU 7 is offline or has no such PMU",
            ),
            (
                libc::EOPNOTSUPP,
                &sampling,
                task,
                false,
                None,
                ErrorKind::NotSupported,
                "this PMU cannot sample the event; it may be able to count it",
            ),
            (
                libc::EOPNOTSUPP,
                &precise,
                task,
                false,
                None,
                ErrorKind::NotSupported,
                "this PMU cannot be as precise as 2; leave out a `p`",
            ),
            (
                libc::E2BIG,
                &new,
                task,
                false,
                None,
                ErrorKind::TooBig,
                "this kernel knows 128 bytes of perf_event_attr and is older than what is set \
                 after them: config3 is of Linux 6.3",
            ),
            (
                libc::E2BIG,
                &newer,
                task,
                false,
                None,
                ErrorKind::TooBig,
                "this kernel knows 128 bytes of perf_event_attr and is older than what is set \
                 after them: config4 is of Linux 6.19",
            ),
            (
                libc::ENOSPC,
                &breakpoint,
                task,
                false,
                None,
                ErrorKind::NoSpace,
                "all hardware breakpoints are in use",
            ),
        ];
        for &(errno, attr, target, is_member, paranoid, expected, text) in cases {
            let kind = kind(errno);
            assert_eq!(kind, expected);
            let size = if kind == ErrorKind::TooBig { 128 } else { SIZE as u32 };
            let message = message(kind, errno, attr, target, is_member, size, paranoid);
            assert_eq!(message, text);
        }
    }

    /// The meaning of an error number depends on the request.
    #[test]
    fn not_supported_says_what() {
        let idle = |kind| Attr::new(kind, Words::NONE).with(Flag::ExcludeIdle, true);
        let of = |kind| Attr::new(kind, Words::NONE);
        let branches = of(perf_type::RAW)
            .with_sampling(Some(Sampling::Period(1)))
            .with_sample_type(SAMPLE_BRANCH_STACK);
        let (task, cpu) = (Target::Thread(42), Target::Cpu(7));
        let mut user = of(perf_type::HARDWARE);
        user.set(Flag::ExcludeKernel, true);
        let no_code = "this CPU's PMU does not count this event; of the kernel's generic events \
                       each CPU has some";
        let no_counter =
            "this CPU's PMU does not count this event; or a hypervisor keeps it to itself";
        let cases: &[(Attr, Target, &str)] = &[
            (branches, task, "this PMU cannot record branches, or not with this filter"),
            (
                of(perf_type::HARDWARE).with_sampling(Some(Sampling::Period(9))),
                task,
                "this PMU cannot sample the event; it may be able to count it",
            ),
            (
                idle(perf_type::RAW),
                cpu,
                "this PMU cannot leave out idle cycles; leave out the modifier `I`",
            ),
            (of(perf_type::HARDWARE), task, no_code),
            (of(perf_type::HARDWARE), cpu, no_code),
            (
                user,
                task,
                "this CPU's PMU does not count this event, or not at these privilege levels \
                 alone; of the kernel's generic events each CPU has some",
            ),
            (of(perf_type::CACHE), task, no_code),
            (of(perf_type::RAW), task, no_counter),
            (of(perf_type::RAW), cpu, no_counter),
            (of(1), task, "this PMU does not support this"),
            (of(perf_type::BREAKPOINT), task, "this PMU does not support this"),
            (
                of(17),
                task,
                "this PMU does not support this; it may count only whole CPUs, not tasks",
            ),
            (
                of(17),
                Target::ThreadOnCpu { thread: 42, cpu: 7 },
                "this PMU does not support this; it may count only whole CPUs, not tasks",
            ),
            (of(17), cpu, "this PMU does not support this"),
        ];
        for &(attr, target, text) in cases {
            let message = message(
                kind(libc::EOPNOTSUPP),
                libc::EOPNOTSUPP,
                &attr,
                target,
                false,
                SIZE as u32,
                None,
            );
            assert_eq!(message, text, "type {}, {target:?}", attr.type_());
        }
    }

    #[test]
    fn control_groups() {
        let root = std::env::temp_dir();
        let cgroup = Cgroup::open(&root).unwrap();
        let of = |errno| in_cgroup(errno, &cgroup).map(|error| error.to_string());
        let not_one = format!("{} is not a control group", root.display());
        assert_eq!(of(libc::EBADF), Some(not_one));
        assert!(of(libc::EINVAL).unwrap().contains("CONFIG_CGROUP_PERF"));
        // These errors concern the event.
        assert_eq!((of(libc::ENOENT), of(libc::EACCES)), (None, None));
    }

    #[test]
    fn machines_without_a_core_pmu() {
        let cases: [(&[&str], bool); 4] = [
            // Hidden, as in some containers.
            (&[], false),
            (&["software", "uncore_imc_0"], true),
            (&["software", "cpu"], false),
            (&["cpu"], false),
        ];
        for (number, (pmus, expected)) in cases.into_iter().enumerate() {
            let name = format!("no-core-pmu-{}-{number}", std::process::id());
            let root = std::env::temp_dir().join(name);
            for (type_, pmu) in pmus.iter().enumerate() {
                let pmu = root.join("bus/event_source/devices").join(pmu);
                std::fs::create_dir_all(&pmu).unwrap();
                std::fs::write(pmu.join("type"), format!("{type_}\n")).unwrap();
            }
            let found = has_no_core_pmu(&Sysfs::at(&root));
            if !pmus.is_empty() {
                std::fs::remove_dir_all(&root).unwrap();
            }
            assert_eq!(found, expected, "{pmus:?}");
        }
    }

    #[test]
    fn cpus_that_are_online() {
        let stat = "cpu  5 0 7\ncpu0 2 0 3\ncpu10 3 0 4\nintr 98 0\nctxt 7\ncpuset 1\n";
        assert_eq!(online_by_stat(stat).unwrap().to_string(), "0,10");
        for text in ["", "cpu  5 0 7\nintr 98 0\n"] {
            assert_eq!(online_by_stat(text), None, "{text}");
        }
    }

    /// Each error number has its own message.
    #[test]
    fn every_kind_has_words() {
        let mut seen = std::collections::BTreeSet::new();
        for errno in [
            libc::EACCES,
            libc::EPERM,
            libc::ENOENT,
            libc::EOPNOTSUPP,
            libc::EINVAL,
            libc::ENODEV,
            libc::ESRCH,
            libc::EMFILE,
            libc::ENFILE,
            libc::E2BIG,
            libc::ENOSPC,
            libc::EBUSY,
            libc::ENOSYS,
            libc::EIO,
        ] {
            let attr = Attr::default();
            let text = message(kind(errno), errno, &attr, Target::ThisThread, false, 136, Some(2));
            assert!(!text.ends_with('.') && seen.insert(text.clone()), "{errno}: {text}");
        }
    }
}
