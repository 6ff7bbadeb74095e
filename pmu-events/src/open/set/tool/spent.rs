//! The time that tasks and CPUs have spent, as reported by the kernel.

use core::mem::MaybeUninit;
use std::format;
use std::io;
use std::path::{Path, PathBuf};
use std::string::String;
use std::time::Duration;
use std::vec::Vec;

use super::meter::Spent;
use crate::file;
use crate::open::{Error, ErrorKind, Options};
use crate::order::sort_by;
use crate::sysfs::CpuSet;
use crate::system::Scope;

/// The tasks or CPUs whose time is measured, and the directory to read it from.
#[derive(Debug)]
pub(super) struct Spenders {
    who: Who,
    proc: PathBuf,
}

#[derive(Debug)]
enum Who {
    /// A thread of this process, whichever thread reads.
    OwnThread(u32),
    Tasks(Vec<Task>),
    AllCpus,
    Cpus(CpuSet),
}

/// Whose time is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// A thread without its children, as counters have it that are not inherited.
    Thread(u32),
    /// All threads of a process, and the children that it has waited for. At its `exec`, it has
    /// no children.
    Process { id: u32, begins: bool },
}

/// The key of the sum of all CPUs, which is not the number of any CPU.
const ALL: u32 = u32::MAX;

impl Spenders {
    pub(super) fn of(options: &Options, proc: &Path) -> Self {
        let who = match &options.scope {
            Scope::ThisThread => Who::OwnThread(this_thread()),
            Scope::Threads(threads) => Who::Tasks(tasks(threads, options, proc)),
            Scope::AllCpus => Who::AllCpus,
            Scope::Cpus(cpus) => Who::Cpus(cpus.clone()),
        };
        Spenders { who, proc: proc.into() }
    }

    /// The time that each has spent until now. Threads that have ended are omitted.
    pub(super) fn spent(&self) -> Result<Vec<(u32, Spent)>, Error> {
        match &self.who {
            Who::OwnThread(thread) if *thread == this_thread() => {
                Ok(std::vec![(*thread, of_this_thread()?)])
            }
            Who::OwnThread(thread) => {
                let stat = self.proc.join(format!("self/task/{thread}/stat"));
                let mut all = Vec::new();
                if let Some(spent) = of_task(&stat, false)? {
                    all.push((*thread, spent));
                }
                Ok(all)
            }
            Who::Tasks(tasks) => {
                let mut all = Vec::new();
                for task in tasks {
                    if let Some(spent) = self.of_task(*task)? {
                        all.push(spent);
                    }
                }
                Ok(all)
            }
            Who::AllCpus => self.of_cpus(None),
            Who::Cpus(cpus) => self.of_cpus(Some(cpus)),
        }
    }

    fn of_cpus(&self, cpus: Option<&CpuSet>) -> Result<Vec<(u32, Spent)>, Error> {
        let stat = self.proc.join("stat");
        let text = file::of_procfs(&stat).map_err(|problem| Error::of_file(&problem))?;
        let mut all = Vec::new();
        match cpus {
            None => all.push((ALL, of_cpu(&text, None, &stat)?)),
            Some(cpus) => {
                for cpu in cpus.iter() {
                    all.push((cpu, of_cpu(&text, Some(cpu), &stat)?));
                }
            }
        }
        Ok(all)
    }

    fn of_task(&self, task: Task) -> Result<Option<(u32, Spent)>, Error> {
        let file = |id: u32| self.proc.join(format!("{id}"));
        Ok(match task {
            Task::Thread(id) => {
                let spent = of_task(&file(id).join(format!("task/{id}/stat")), false)?;
                spent.map(|spent| (id, spent))
            }
            Task::Process { id, begins } => {
                let spent = of_task(&file(id).join("stat"), true)?;
                let has_children = spent.is_some() && !begins && has_children(&file(id));
                spent.map(|spent| (id, Spent { has_children, ..spent }))
            }
        })
    }
}

/// Threads that are all of a process are that process, if their children are counted as well:
/// those that it starts from now on are among them.
fn tasks(threads: &[u32], options: &Options, proc: &Path) -> Vec<Task> {
    // Sorted, so that each is asked for once and found quickly.
    let mut asked = threads.to_vec();
    sort_by(&mut asked, u32::cmp);
    let mut of_processes = Vec::new();
    let mut tasks = Vec::new();
    if options.inherit {
        for &id in threads {
            let Some(own) = threads_of_process(id, proc) else { continue };
            if own.iter().all(|thread| asked.binary_search(thread).is_ok()) {
                tasks.push(Task::Process { id, begins: options.enable_on_exec });
                of_processes.extend_from_slice(&own);
            }
        }
    }
    let mut last = None;
    for thread in asked {
        if last != Some(thread) && !of_processes.contains(&thread) {
            tasks.push(Task::Thread(thread));
        }
        last = Some(thread);
    }
    tasks
}

/// The threads of a process; `None` for any other thread, and one that has ended.
fn threads_of_process(id: u32, proc: &Path) -> Option<Vec<u32>> {
    let status = read(&proc.join(format!("{id}/status"))).ok()??;
    if process_of(&status)? != id {
        return None;
    }
    file::numbers(&proc.join(format!("{id}/task"))).ok()
}

/// Whether a process has children, or may have: the files need `CONFIG_PROC_CHILDREN`.
fn has_children(process: &Path) -> bool {
    let has_none = |thread: u32| {
        let children = file::of_procfs(&process.join(format!("task/{thread}/children")));
        children.is_ok_and(|text| text.trim().is_empty())
    };
    let threads = file::numbers(&process.join("task"));
    !threads.is_ok_and(|threads| threads.into_iter().all(has_none))
}

fn this_thread() -> u32 {
    // SAFETY: the call has no arguments and cannot fail.
    unsafe { libc::gettid() }.cast_unsigned()
}

fn of_this_thread() -> Result<Spent, Error> {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call writes a `rusage`.
    let result = unsafe { libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) };
    if result != 0 {
        let errno = io::Error::last_os_error().raw_os_error().unwrap_or(0);
        let message = "getrusage does not tell the time that this thread has spent";
        return Err(Error::new(ErrorKind::Unreadable, errno, message));
    }
    // SAFETY: all-zero bytes are a valid `rusage`.
    let usage = unsafe { usage.assume_init() };
    // Neither part of a spent time is negative.
    let duration = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    let (user, system) = (duration(usage.ru_utime), duration(usage.ru_stime));
    Ok(Spent { user, system, ..Spent::default() })
}

fn process_of(status: &str) -> Option<u32> {
    let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"))?;
    line.trim().parse().ok()
}

/// `None` for a task that has ended.
fn of_task(path: &Path, with_children: bool) -> Result<Option<Spent>, Error> {
    let Some(text) = read(path)? else {
        return Ok(None);
    };
    let [own, children] = ticks_of_task(&text).ok_or_else(|| odd(path))?;
    let (own, children) = (in_time(own)?, in_time(children)?);
    Ok(Some(match with_children {
        false => own,
        true => Spent {
            user: own.user.saturating_add(children.user),
            system: own.system.saturating_add(children.system),
            of_children: children.user.saturating_add(children.system),
            has_children: false,
        },
    }))
}

/// `proc_pid_stat(5)`: the name may contain spaces and parentheses; the third field
/// follows it. User and system time are the 14th and 15th fields, those of children
/// the next two.
fn ticks_of_task(text: &str) -> Option<[[u64; 2]; 2]> {
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(14 - 3).map(|field| field.parse::<u64>().ok());
    let mut next = || fields.next().flatten();
    Some([[next()?, next()?], [next()?, next()?]])
}

/// Parses a CPU's line in `/proc/stat`, or the line of all CPUs.
fn of_cpu(text: &str, cpu: Option<u32>, stat: &Path) -> Result<Spent, Error> {
    let name = cpu.map_or("cpu".into(), |cpu| format!("cpu{cpu}"));
    let line = text
        .lines()
        .map(str::split_whitespace)
        .find_map(|mut words| (words.next() == Some(&name)).then_some(words));
    match (line, cpu) {
        (Some(words), _) => in_time(ticks_of_cpu(words).ok_or_else(|| odd(stat))?),
        (None, Some(cpu)) => {
            Err(Error::new(ErrorKind::NoDevice, 0, format!("CPU {cpu} is offline")))
        }
        (None, None) => Err(odd(stat)),
    }
}

/// `proc_stat(5)`: user and nice; system, interrupts and softirqs.
fn ticks_of_cpu<'w>(words: impl Iterator<Item = &'w str>) -> Option<[u64; 2]> {
    let numbers: Vec<u64> = words.take(7).map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let [user, nice, system, _idle, _iowait, irq, softirq] = <[u64; 7]>::try_from(numbers).ok()?;
    Some([user.checked_add(nice)?, system.checked_add(irq)?.checked_add(softirq)?])
}

/// Converts ticks to user and system time.
fn in_time([user, system]: [u64; 2]) -> Result<Spent, Error> {
    // SAFETY: the call only returns a number.
    let a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    let a_second = u64::try_from(a_second).ok().filter(|&ticks| ticks > 0).ok_or_else(|| {
        Error::new(ErrorKind::Unreadable, 0, "the system does not tell how long a tick is")
    })?;
    let time = |ticks: u64| {
        let rest = (ticks % a_second) * (1_000_000_000 / a_second);
        Duration::from_secs(ticks / a_second) + Duration::from_nanos(rest)
    };
    Ok(Spent { user: time(user), system: time(system), ..Spent::default() })
}

/// The text of a task's file; `None` if the task has ended.
fn read(path: &Path) -> Result<Option<String>, Error> {
    match file::of_procfs(path) {
        Ok(text) => Ok(Some(text)),
        Err(problem) if problem.is_of_absence() || problem.cause().errno() == Some(libc::ESRCH) => {
            Ok(None)
        }
        Err(problem) => Err(Error::of_file(&problem)),
    }
}

fn odd(path: &Path) -> Error {
    Error::odd(path, "does not tell the times")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::sync::mpsc;
    use std::{env, fs, process, thread, vec};

    #[test]
    fn lines_of_tasks() {
        let cases: &[(&str, Option<[[u64; 2]; 2]>)] = &[
            ("7 (a) b) (c) S 1 7 7 0 -1 64 1 2 3 4 50 60 7 8 20 0 1 0", Some([[50, 60], [7, 8]])),
            ("7 (a) S 1 7 7 0 -1 64 1 2 3 4 50", None),
            ("7 (a) S 1 7 7 0 -1 64 1 2 3 4 5x 60 7 8", None),
            ("7 (a) S 1 7 7 0 -1 64 1 2 3 4 50 60 -1 8", None),
            ("7 (a", None),
            ("", None),
        ];
        for &(text, expected) in cases {
            assert_eq!(ticks_of_task(text), expected, "{text}");
        }
        assert_eq!(process_of("Name:\tx\nTgid:\t42\nPid:\t43\n"), Some(42));
        assert_eq!(process_of("Name:\tx\nTgid:\tx\n"), None);
        assert_eq!(process_of(""), None);
    }

    #[test]
    fn lines_of_cpus() {
        let text = "cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4 5 6 7 8\ncpu1 1 2 3\n\
                    cpu10 1 2 x 4 5 6 7\nintr 5\n";
        let ticks = |spent: Result<Spent, Error>| spent.map_err(|error| error.kind());
        let cases: &[(Option<u32>, Result<[u64; 2], ErrorKind>)] = &[
            (None, Ok([30, 160])),
            (Some(0), Ok([3, 16])),
            (Some(1), Err(ErrorKind::Unreadable)),
            (Some(10), Err(ErrorKind::Unreadable)),
            (Some(2), Err(ErrorKind::NoDevice)),
        ];
        for &(cpu, expected) in cases {
            let expected = expected.map(|ticks| in_time(ticks).unwrap());
            assert_eq!(ticks(of_cpu(text, cpu, Path::new("stat"))), expected, "{cpu:?}");
        }
        assert_eq!(ticks(of_cpu("", None, Path::new("stat"))), Err(ErrorKind::Unreadable));
    }

    /// Whichever thread reads, the result is that of the measured thread.
    #[test]
    fn a_thread_is_asked_for_by_another() {
        let spender = Spenders::of(&Options::new(), Path::new("/proc"));
        let total = |spent: &Spenders| {
            let all = spent.spent().unwrap();
            all.iter().map(|(_, spent)| spent.user + spent.system).sum::<Duration>()
        };
        // Until this thread has spent what ticks can show.
        while total(&spender) < Duration::from_millis(60) {
            black_box((0..100_000_u64).fold(1, |sum, n| black_box(sum ^ n)));
        }
        let own = total(&spender);
        let (asked, spender) = thread::spawn(move || (total(&spender), spender)).join().unwrap();
        assert!(asked > Duration::ZERO && asked <= total(&spender), "{asked:?} of {own:?}");
        // Ticks round down by less than one tick of each kind.
        let tick = in_time([1, 1]).unwrap();
        assert!(asked + tick.user + tick.system >= own, "{asked:?} of {own:?}");
    }

    #[test]
    fn threads_that_are_there_and_gone() {
        let start = || {
            let (tell, hear) = mpsc::channel();
            let (done, wait) = mpsc::channel::<()>();
            let thread = thread::spawn(move || {
                tell.send(this_thread()).unwrap();
                wait.recv().unwrap();
            });
            (hear.recv().unwrap(), done, thread)
        };
        let [(stays, done_staying, staying), (goes, done_going, going)] = [start(), start()];
        let ids = |spenders: &Spenders| {
            let all = spenders.spent().unwrap();
            all.into_iter().map(|(id, _)| id).collect::<Vec<_>>()
        };
        let of = |who| Spenders { who, proc: "/proc".into() };
        let [both, inheriting] = [false, true].map(|inherits| {
            let scope = Scope::Threads(vec![stays, goes, i32::MAX as u32]);
            Spenders::of(
                &Options::new().with_scope(scope).with_inherit(inherits),
                Path::new("/proc"),
            )
        });
        let one = of(Who::OwnThread(goes));
        let mut expected = vec![stays, goes];
        expected.sort_unstable();
        assert_eq!((ids(&one), ids(&both)), (vec![goes], expected.clone()));
        assert_eq!(ids(&inheriting), expected);
        done_going.send(()).unwrap();
        going.join().unwrap();
        // A thread may be joined before the kernel removes it.
        while ids(&one) == [goes] {
            thread::yield_now();
        }
        assert_eq!((ids(&one), ids(&both)), (vec![], vec![stays]));
        assert_eq!(ids(&inheriting), [stays]);
        done_staying.send(()).unwrap();
        staying.join().unwrap();
    }

    /// A process is more than its first thread: it has other threads, and children that it has
    /// waited for. Counters have both only if they are inherited, and from all threads.
    #[test]
    fn threads_and_processes() {
        let root = env::temp_dir().join(format!("pmu-events-spent-{}", process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let stat = |own: u64, children: u64| {
            format!("7 (a) S 1 7 7 0 -1 64 1 2 3 4 {own} 0 {children} 0 20 0 1 0")
        };
        for (process, threads) in [(7, &[7, 8][..]), (9, &[9])] {
            write(&format!("{process}/stat"), &stat(300, 4000));
            for (n, thread) in threads.iter().enumerate() {
                write(&format!("{thread}/status"), &format!("Tgid:\t{process}\n"));
                let own = stat(100 * (n as u64 + 1), 4000);
                for directory in [process, *thread] {
                    write(&format!("{directory}/task/{thread}/stat"), &own);
                }
                write(&format!("{process}/task/{thread}/children"), "");
            }
        }
        fs::write(root.join("9/task/9/children"), "12 ").unwrap();
        // Threads, whether they inherit, and ticks of each; whether children may be old ones.
        type Case<'c> = (&'c [u32], bool, &'c [(u32, u64)], bool);
        let cases: &[Case<'_>] = &[
            (&[7], false, &[(7, 100)], false),
            (&[7], true, &[(7, 100)], false),
            (&[8], true, &[(8, 200)], false),
            (&[8, 7], false, &[(7, 100), (8, 200)], false),
            (&[8, 7], true, &[(7, 4300)], false),
            (&[9], false, &[(9, 100)], false),
            (&[9], true, &[(9, 4300)], true),
            (&[9, 7], true, &[(9, 4300), (7, 100)], true),
        ];
        for &(threads, inherits, expected, has_children) in cases {
            let options =
                Options::new().with_scope(Scope::Threads(threads.to_vec())).with_inherit(inherits);
            let spent = Spenders::of(&options, &root).spent().unwrap();
            let user: Vec<_> = spent.iter().map(|(id, spent)| (*id, spent.user)).collect();
            let expected: Vec<_> = expected
                .iter()
                .map(|&(id, ticks)| (id, in_time([ticks, 0]).unwrap().user))
                .collect();
            assert_eq!(user, expected, "{threads:?} {inherits}");
            let found = spent.iter().any(|(_, spent)| spent.has_children);
            assert_eq!(found, has_children, "{threads:?} {inherits}");
        }
        // At its `exec`, a process has none.
        let options = Options::new().with_scope(Scope::Threads(vec![9])).with_inherit(true);
        let begun = Spenders::of(&options.with_enable_on_exec(true), &root).spent().unwrap();
        assert!(!begun[0].1.has_children);
        fs::remove_dir_all(root).unwrap();
    }
}
