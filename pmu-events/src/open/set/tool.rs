//! Numbers that no counter counts: the time that has passed, and the time that
//! tasks have spent in user space and in the kernel.

use std::time::{Duration, Instant};

use super::whom::Whom;
use crate::event_list::Tool;
use crate::open::{Count, Error};

/// One of these numbers, from when it was started.
#[derive(Debug)]
pub(super) struct Watch {
    tool: Tool,
    whom: Whom,
    /// The moment, and the time spent until then.
    start: Option<(Instant, Duration)>,
    /// What it was stopped at.
    stopped: Option<Count>,
}

impl Watch {
    pub(super) fn new(tool: Tool, whom: &Whom) -> Self {
        Watch { tool, whom: whom.clone(), start: None, stopped: None }
    }

    pub(super) fn start(&mut self) -> Result<(), Error> {
        if self.start.is_none() {
            self.start = Some((Instant::now(), self.spent()?));
        }
        Ok(())
    }

    pub(super) fn stop(&mut self) -> Result<(), Error> {
        self.stopped = Some(self.read()?);
        Ok(())
    }

    pub(super) fn read(&self) -> Result<Count, Error> {
        let Some((moment, spent)) = self.start else {
            return Ok(Count::default());
        };
        if let Some(count) = self.stopped {
            return Ok(count);
        }
        let elapsed = nanoseconds(moment.elapsed());
        let value = match self.tool {
            Tool::DurationTime => elapsed,
            Tool::UserTime | Tool::SystemTime => nanoseconds(self.spent()?.saturating_sub(spent)),
        };
        Ok(Count::new(value, elapsed, elapsed))
    }

    fn spent(&self) -> Result<Duration, Error> {
        match self.tool {
            Tool::DurationTime => Ok(Duration::ZERO),
            Tool::UserTime => spent::by(&self.whom).map(|spent| spent.user),
            Tool::SystemTime => spent::by(&self.whom).map(|spent| spent.system),
        }
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(target_os = "linux")]
mod spent {
    use core::mem::MaybeUninit;
    use std::path::Path;
    use std::time::Duration;
    use std::{format, fs};

    use super::Whom;
    use crate::open::{Error, ErrorKind};

    #[derive(Clone, Copy, Default)]
    pub(super) struct Spent {
        pub(super) user: Duration,
        pub(super) system: Duration,
    }

    pub(super) fn by(whom: &Whom) -> Result<Spent, Error> {
        match whom {
            Whom::ThisThread => Ok(of_this_thread()),
            Whom::Threads(threads) => {
                let mut sum = Spent::default();
                for &thread in threads {
                    let Some(spent) = of_thread(thread, threads) else {
                        let message = format!("/proc/{thread}/stat does not tell its times");
                        return Err(Error::new(ErrorKind::NoSuchTask, 0, message));
                    };
                    sum.user += spent.user;
                    sum.system += spent.system;
                }
                Ok(sum)
            }
            Whom::AllCpus => of_cpus(|word| word == "cpu"),
            Whom::Cpus(cpus) => of_cpus(|word| {
                let number = word.strip_prefix("cpu").and_then(|number| number.parse().ok());
                number.is_some_and(|number| cpus.contains(number))
            }),
        }
    }

    fn of_this_thread() -> Spent {
        let mut usage = MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: it writes a `rusage`, of which zeros are a value, too.
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
            usage.assume_init()
        };
        let duration = |time: libc::timeval| {
            Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
        };
        Spent { user: duration(usage.ru_utime), system: duration(usage.ru_stime) }
    }

    /// Of a process's first thread, the time of all its threads and of the
    /// children that it has waited for; then the others have none of their own.
    fn of_thread(thread: u32, all: &[u32]) -> Option<Spent> {
        let process = process_of(thread)?;
        let (path, fields) = if process == thread {
            (format!("/proc/{thread}/stat"), [[13, 15], [14, 16]])
        } else if all.contains(&process) {
            return Some(Spent::default());
        } else {
            (format!("/proc/{process}/task/{thread}/stat"), [[13, 13], [14, 14]])
        };
        let text = fs::read_to_string(path).ok()?;
        // `proc_pid_stat(5)`: behind the name, which may have spaces and
        // parentheses, the third field stands first.
        let (_, text) = text.rsplit_once(')')?;
        let mut numbers = [0_u64; 17];
        for (n, word) in text.split_whitespace().enumerate() {
            if let Some(number) = numbers.get_mut(n + 2) {
                *number = word.parse().unwrap_or(0);
            }
        }
        let [user, system] = fields.map(|[own, children]: [usize; 2]| {
            let more = if own == children { 0 } else { numbers[children] };
            ticks(numbers[own] + more)
        });
        Some(Spent { user, system })
    }

    fn process_of(thread: u32) -> Option<u32> {
        let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"))?;
        line.trim().parse().ok()
    }

    /// `proc_stat(5)`: user and nice; system, interrupts and soft ones.
    fn of_cpus(is_asked_for: impl Fn(&str) -> bool) -> Result<Spent, Error> {
        let path = Path::new("/proc/stat");
        let text = fs::read_to_string(path)
            .map_err(|error| Error::new(ErrorKind::Other, 0, format!("/proc/stat: {error}")))?;
        let mut sum = Spent::default();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            if words.next().is_some_and(&is_asked_for) {
                let mut numbers = [0_u64; 7];
                numbers.iter_mut().zip(words).for_each(|(n, w)| *n = w.parse().unwrap_or(0));
                sum.user += ticks(numbers[0] + numbers[1]);
                sum.system += ticks(numbers[2] + numbers[5] + numbers[6]);
            }
        }
        Ok(sum)
    }

    fn ticks(count: u64) -> Duration {
        // SAFETY: it asks for a number.
        let a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        let a_second = u64::try_from(a_second).unwrap_or(100).max(1);
        Duration::from_nanos(count.saturating_mul(1_000_000_000 / a_second))
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::vec;

        #[test]
        fn times_of_oneself() {
            let start = std::time::Instant::now();
            let mut sum = 0_u64;
            // Two ticks at least.
            while start.elapsed() < Duration::from_millis(40) {
                sum = sum.wrapping_mul(3).wrapping_add(1);
            }
            std::hint::black_box(sum);
            let all = [
                by(&Whom::ThisThread),
                by(&Whom::Threads(vec![std::process::id()])),
                by(&Whom::AllCpus),
            ];
            for spent in all {
                let spent = spent.unwrap();
                assert!(spent.user + spent.system > Duration::ZERO);
            }
            assert!(by(&Whom::Threads(vec![i32::MAX as u32])).is_err());
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod spent {
    use std::time::Duration;

    use super::Whom;
    use crate::open::Error;

    pub(super) struct Spent {
        pub(super) user: Duration,
        pub(super) system: Duration,
    }

    pub(super) fn by(_whom: &Whom) -> Result<Spent, Error> {
        Err(Error::unsupported())
    }
}
