//! One run: opens the counters, releases the command, and reads the counts when
//! it has ended.

use std::io::{self, ErrorKind::BrokenPipe, ErrorKind::NotFound};
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::{Duration, Instant};

use pmu_events::__private::file::{self, Kind};
use pmu_events::control::Server;
use pmu_events::event_list::Tool;
use pmu_events::metric::Latencies;
use pmu_events::open::{self, Count, Counters, ErrorKind, Options, Part, Reading, Target};
use pmu_events::resolve::{AnswerId, Missing, Resolution};
use pmu_events::sysfs::CpuSet;
use pmu_events::system::ProcessError;
use pmu_events::{Scope, System};

use crate::failure::{complain, with_sources};
use crate::invocation::Invocation;
use crate::output::tell;
use crate::stat::aggregation::{Level, Units};
use crate::stat::args::{RunArgs, Subject};
use crate::stat::command::{End, Running, Waiting};
use crate::stat::control::{Controlled, DISABLED, ENABLED};
use crate::stat::copies::PlanCopy;
use crate::stat::failure::{Failure, reason};
use crate::stat::lines::{self, Lines, Merging};
use crate::stat::rows::Runs;
use crate::stat::sampled::{Measured, Sampling, Wanted};
use crate::stat::schedule::Schedule;
use crate::stat::signals::{self, Signal, Signals};
use crate::stat::verbose;
use crate::time_args::Delay;

/// The request of a run.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'r> {
    /// Events, each with the control group in which it is counted.
    pub(crate) resolved: &'r Resolution,
    /// Where the events of metrics are among them.
    pub(crate) copies: &'r [PlanCopy],
    /// Events of metrics that appear in the output although they are not in the set.
    pub(crate) missing: &'r [Missing],
    /// What is shown as one line.
    pub(crate) level: Level,
    /// Whether instances of a PMU share a line.
    pub(crate) is_merged: bool,
    /// Whether the same event of several kinds of cores is one line.
    pub(crate) merges_cores: bool,
    /// Events without any of which nothing runs.
    pub(crate) must_count: &'r [AnswerId],
    /// What is sampled meanwhile.
    pub(crate) latencies: &'r Wanted,
}

/// The counts of an interval.
pub(crate) struct Interval<'i> {
    pub(crate) lines: &'i Lines,
    pub(crate) units: &'i Units,
    pub(crate) reading: &'i Reading,
    pub(crate) runs: Runs,
    /// Its end.
    pub(crate) end: Duration,
    /// How many were before it.
    pub(crate) number: u64,
    /// Retirement latencies that have been sampled so far.
    pub(crate) latencies: Latencies,
}

/// What is done with the counts of an interval.
pub(crate) type Show<'s> = dyn FnMut(&Interval<'_>) -> Result<(), Failure> + 's;

/// The result of a run.
pub(crate) struct Finished {
    pub(crate) counters: Counters,
    pub(crate) lines: Lines,
    pub(crate) units: Units,
    pub(crate) reading: Reading,
    /// Retirement latencies that were sampled.
    pub(crate) measured: Measured,
    pub(crate) elapsed: Duration,
    pub(crate) end: Option<End>,
    /// The signal that interrupted it.
    pub(crate) signal: Option<i32>,
}

impl Finished {
    /// The status that ends the program: that of a command that failed, or of an
    /// interruption without a command.
    pub(crate) fn failed(&self) -> Option<u8> {
        match (&self.end, self.signal) {
            // perf takes the status of an exit from it, which is 0.
            (Some(End { signal: Some(_), .. }), _) if Invocation::current().is_perf() => None,
            (Some(end), _) if end.code != 0 => Some(end.code),
            (None, Some(signal)) => Some(u8::try_from(128 + signal).unwrap_or(u8::MAX)),
            _ => None,
        }
    }
}

/// Runs once, and shows the counts of each interval.
pub(crate) fn once(
    args: &RunArgs,
    asked: &Asked<'_>,
    signals: &Signals,
    server: Option<&mut Server>,
    show: &mut Show<'_>,
) -> Result<Finished, Failure> {
    let Asked { resolved, copies, missing, level, is_merged, merges_cores, .. } = *asked;
    let waiting = match args.command.is_empty() {
        true => None,
        false => Some(
            Waiting::start(&args.command, *signals).map_err(|error| not_started(args, &error))?,
        ),
    };
    let scope = match scope(args, resolved.system(), waiting.as_ref()) {
        Ok(scope) => scope,
        Err(message) => {
            waiting.map(Waiting::give_up).unwrap_or_default();
            return Err(Failure::Missing(message));
        }
    };
    let waits_for_exec = args.subject == Subject::Command && args.delay.is_none();
    let options = Options::new()
        .with_scope(scope)
        .with_inherit(!args.no_inherit)
        .with_enable_on_exec(waits_for_exec);
    let mut counters = match open(resolved, &options) {
        Ok(counters) => counters,
        Err(error) => {
            waiting.map(Waiting::give_up).unwrap_or_default();
            return Err(error.into());
        }
    };
    if let Some(why) = refusal_of_all(&counters, asked.must_count) {
        waiting.map(Waiting::give_up).unwrap_or_default();
        return Err(Failure::Cannot(why));
    }
    let mut lines =
        lines::of_set(&counters, resolved, copies, missing, Merging { is_merged, merges_cores });
    if !args.is_scaled {
        lines.leave_unscaled();
    }
    if args.verbose {
        verbose::lines(&counters).iter().for_each(|line| complain(args.program, line));
    }
    let mut sampling =
        asked.latencies.open(resolved.system(), options.scope(), args, waits_for_exec);
    let units = match units_of(level, resolved.system(), options.scope(), &counters.read()) {
        Ok(units) => units,
        Err(message) => {
            waiting.map(Waiting::give_up).unwrap_or_default();
            return Err(Failure::Cannot(message));
        }
    };
    signals.hold();
    let enabled = match args.delay {
        // Who is told when to begin samples what comes before, too.
        Some(Delay::UntilTold) => sampling.enable(),
        Some(Delay::For(_)) => Ok(()),
        None => sampling.enable().and_then(|()| counters.enable()),
    };
    if args.delay.is_some() {
        tell(DISABLED);
    }
    if let Err(error) = enabled {
        waiting.map(Waiting::give_up).unwrap_or_default();
        return Err(error.into());
    }
    let start = Instant::now();
    let running = match waiting.map(Waiting::go).transpose() {
        Ok(running) => running,
        Err(error) => return Err(not_run(args, &error)),
    };
    let control = server.map(|server| (server, Controlled { program: args.program, resolved }));
    let mut watch = Watch {
        args,
        control,
        signal_file: None,
        scope: options.scope(),
        lines: &lines,
        units: &units,
        start,
        intervals: 0,
        last: None,
        sampling: &mut sampling,
        show,
    };
    let watched = watch.until_the_end(&mut counters, running.as_ref(), signals);
    let is_unheard = match watched.failure {
        // A command whose counts nobody reads has run nevertheless.
        Some(Failure::Output(error)) if error.kind() == BrokenPipe && running.is_some() => true,
        Some(failure) => {
            running.map(Running::end);
            return Err(failure);
        }
        None => false,
    };
    counters.disable()?;
    watch.sampling.disable()?;
    watch.sampling.read()?;
    let elapsed = watch.start.elapsed();
    // A process that has been waited for reveals nothing more.
    let mut reading = counters.read();
    let end = running.map(Running::end);
    // What the command spent before, or its children did, is not asked for.
    let is_all_asked_for = args.subject == Subject::Command
        && args.delay.is_none()
        && args.control.is_none()
        && !args.no_inherit;
    if let Some(end) = end.as_ref().filter(|_| is_all_asked_for) {
        put_times(&mut reading, end, elapsed);
    }
    if args.interval.is_some() && !watch.has_shown_enough() && !is_unheard {
        match watch.show(reading.clone(), elapsed) {
            Err(Failure::Output(error)) if error.kind() == BrokenPipe && end.is_some() => {}
            answer => answer?,
        }
    }
    let (signal, measured) = (watched.signal, sampling.measured());
    Ok(Finished { counters, lines, units, reading, measured, elapsed, end, signal })
}

/// Why none of some events that the kernel counts can be counted.
fn refusal_of_all(counters: &Counters, ids: &[AnswerId]) -> Option<String> {
    let mut first = None;
    for event in ids.iter().filter_map(|&id| counters.event(id)) {
        if event.resolved().is_some_and(|resolved| resolved.tool().is_some()) {
            continue;
        }
        let refusal = event.refusal()?;
        first.get_or_insert_with(|| format!("`{}`: {}", event.name(), reason(refusal)));
    }
    first
}

/// The units of all targets of the open events. Where no event could be opened, each is shown as
/// unsupported on all that was to be measured.
fn units_of(
    level: Level,
    system: &System,
    scope: &Scope,
    reading: &Reading,
) -> Result<Units, String> {
    let mut targets: Vec<Target> = targets_of(reading).collect();
    if targets.is_empty() {
        targets = match scope {
            Scope::Threads(threads) => threads.iter().copied().map(Target::Thread).collect(),
            Scope::Cpus(cpus) => cpus.iter().map(Target::Cpu).collect(),
            Scope::AllCpus if level.is_of_cpus() => {
                online(system)?.iter().map(Target::Cpu).collect()
            }
            _ => Vec::new(),
        };
    }
    level.units(system, targets.into_iter())
}

fn online(system: &System) -> Result<CpuSet, String> {
    let path = system.sysfs().root().join("devices/system/cpu/online");
    let cpus = file::of_sysfs(&path, Kind::Unknown, |text| text.parse().unwrap_or_default());
    Ok(cpus.map_err(|problem| with_sources(&problem))?.unwrap_or_default())
}

fn targets_of(reading: &Reading) -> impl Iterator<Item = Target> {
    reading.events().iter().flat_map(|event| {
        let parts = event.parts().iter().map(|part| part.target());
        parts.chain(event.lacks().iter().map(|lack| lack.target()))
    })
}

/// What is measured.
pub(crate) fn scope(
    args: &RunArgs,
    system: &System,
    waiting: Option<&Waiting>,
) -> Result<Scope, String> {
    Ok(match &args.subject {
        Subject::Command => Scope::Threads(waiting.map(Waiting::id).into_iter().collect()),
        Subject::Threads(threads) => Scope::Threads(threads.clone()),
        Subject::Processes(processes) => {
            let mut all = Vec::new();
            for &process in processes {
                let threads = system.threads_of(process);
                all.extend(threads.map_err(|error| reason_of_process(&error))?);
            }
            Scope::Threads(all)
        }
        Subject::AllThreads => Scope::Threads(all_threads(system)?),
        Subject::AllCpus => Scope::AllCpus,
        Subject::Cpus(cpus) => Scope::Cpus(cpus.clone()),
    })
}

/// All threads of the system. Those of a process that ends meanwhile are not among them.
fn all_threads(system: &System) -> Result<Vec<u32>, String> {
    let mut processes = file::numbers(system.proc()).map_err(|problem| with_sources(&problem))?;
    processes.sort_unstable();
    let mut all = Vec::new();
    for process in processes {
        match system.threads_of(process) {
            Ok(threads) => all.extend(threads),
            Err(error) if error.is_gone() => {}
            Err(error) => return Err(reason_of_process(&error)),
        }
    }
    Ok(all)
}

fn reason_of_process(error: &ProcessError) -> String {
    if error.is_gone() { error.to_string() } else { with_sources(error) }
}

/// Each counter is an open file: raises the limit if it can be raised.
fn open(resolved: &Resolution, options: &Options) -> Result<Counters, open::Error> {
    match Counters::open(resolved, options) {
        Err(error) if error.kind() == ErrorKind::TooManyFiles && raise_limit() => {
            Counters::open(resolved, options)
        }
        answer => answer,
    }
}

/// Whether it could be raised.
pub(crate) fn raise_limit() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both calls take a `rlimit`.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) != 0
            || limit.rlim_cur >= limit.rlim_max
        {
            return false;
        }
        limit.rlim_cur = limit.rlim_max;
        libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) == 0
    }
}

/// No process can be made that would wait: a limit of this program.
pub(crate) fn not_started(args: &RunArgs, error: &io::Error) -> Failure {
    let program = args.command[0].to_string_lossy();
    let cure = match error.raw_os_error() {
        Some(libc::EMFILE) => "; `ulimit -n` raises the limit",
        Some(libc::ENFILE) => "; sysctl fs.file-max raises the limit",
        Some(libc::EAGAIN) => "; `ulimit -u` raises the limit of processes",
        _ => "",
    };
    Failure::Cannot(format!("cannot start a process for `{program}`: {error}{cure}"))
}

fn no_file(error: io::Error) -> Failure {
    Failure::Cannot(format!("`--control`: commands cannot be waited for: {error}"))
}

/// The process cannot become the command.
pub(crate) fn not_run(args: &RunArgs, error: &io::Error) -> Failure {
    let program = args.command[0].to_string_lossy();
    match error.kind() {
        NotFound => Failure::NotFound(format!("`{program}` is not found")),
        _ => Failure::NotRunnable(format!("`{program}` cannot be run: {error}")),
    }
}

/// The time that the command spent, to the microsecond: `/proc` counts in
/// ticks.
fn put_times(reading: &mut Reading, end: &End, elapsed: Duration) {
    for reading in reading.events_mut() {
        let time = match reading.event().resolved().and_then(|resolved| resolved.tool()) {
            Some(Tool::UserTime) => end.user,
            Some(Tool::SystemTime) => end.system,
            _ => continue,
        };
        let [time, elapsed] = [time, elapsed].map(|time| time.as_nanos() as u64);
        let count = Count::new(time, elapsed, elapsed);
        reading.set_counts(vec![Part::new(Target::ThisThread, count)], Vec::new());
    }
}

/// How the run ended.
#[derive(Default)]
struct Watched {
    /// The signal that interrupted it.
    signal: Option<i32>,
    /// Errors on the way.
    failure: Option<Failure>,
}

/// What happens while counting.
struct Watch<'w, 's> {
    args: &'w RunArgs,
    /// Who may switch the counters.
    control: Option<(&'w mut Server, Controlled<'w>)>,
    /// To wait for signals together with commands.
    signal_file: Option<OwnedFd>,
    scope: &'w Scope,
    lines: &'w Lines,
    units: &'w Units,
    start: Instant,
    /// How many intervals have been shown.
    intervals: u64,
    /// The counts at the end of the last one.
    last: Option<(Reading, Duration)>,
    sampling: &'w mut Sampling,
    show: &'w mut Show<'s>,
}

impl Watch<'_, '_> {
    /// Waits until the command, the tasks or the time has ended, or a signal
    /// arrives. An error ends the counting, but a command runs to its end: a
    /// user who can no longer see the counts may need its work.
    fn until_the_end(
        &mut self,
        counters: &mut Counters,
        running: Option<&Running>,
        signals: &Signals,
    ) -> Watched {
        /// How often to check whether tasks still exist.
        const LOOK: Duration = Duration::from_millis(50);
        /// Only signals are waited for.
        const LONG: Duration = Duration::from_secs(3600);
        /// How often to read samples, whose buffers would be full.
        const SAMPLES: Duration = Duration::from_millis(100);
        let mut delay = match self.args.delay {
            Some(Delay::For(delay)) => Some(self.start + delay),
            Some(Delay::UntilTold) | None => None,
        };
        // It begins when counting does.
        let timeout_of = |start| self.args.timeout.map(|timeout| start + timeout);
        let mut timeout = timeout_of(self.start).filter(|_| delay.is_none());
        let schedule_of = |start| self.args.interval.map(|length| Schedule::new(start, length));
        let mut schedule = schedule_of(self.start);
        let mut watched = Watched::default();
        // Counters of a command that was told to end go on until it has ended.
        let mut is_ending = false;
        loop {
            let now = Instant::now();
            let is_due = |moment: Option<Instant>| moment.is_some_and(|moment| moment <= now);
            if is_due(delay) {
                delay = None;
                watched.failure = match counters.enable() {
                    // The command ended while it was waited for.
                    Err(error) if error.kind() == ErrorKind::NoSuchTask && running.is_some() => {
                        None
                    }
                    enabled => {
                        enabled.and_then(|()| self.sampling.enable()).err().map(Failure::from)
                    }
                };
                tell(ENABLED);
                self.start = Instant::now();
                schedule = schedule_of(self.start);
                timeout = timeout_of(self.start);
            }
            let tick = schedule.as_mut().filter(|schedule| is_due(Some(schedule.end())));
            if let (None, Some(schedule)) = (delay, tick) {
                watched.failure = self.show_next(counters).err();
                schedule.advance(now);
            }
            let is_over = is_due(timeout) || (self.has_shown_enough() && running.is_none());
            match running {
                Some(running) if running.has_ended() => break,
                None if is_over || watched.failure.is_some() || !self.is_anyone_there() => break,
                Some(running) if is_due(timeout) && !is_ending => {
                    (timeout, is_ending) = (None, true);
                    running.send(libc::SIGTERM);
                }
                _ => {}
            }
            if is_ending || self.has_shown_enough() || watched.failure.is_some() {
                schedule = None;
            }
            let tick = schedule.as_ref().map(Schedule::end);
            if let Err(error) = self.sampling.read() {
                watched.failure.get_or_insert(error.into());
            }
            let longest = match running {
                None => LOOK,
                Some(_) if self.sampling.is_on() => SAMPLES,
                Some(_) => LONG,
            };
            // Showing an interval takes time.
            let now = Instant::now();
            let until = |moment: Instant| moment.saturating_duration_since(now);
            let wait = [delay, timeout, tick].into_iter().flatten().map(until).min();
            let wait = wait.map_or(longest, |wait| wait.min(longest));
            let signal = self.wait(wait, signals, counters).unwrap_or_else(|failure| {
                watched.failure = Some(failure);
                None
            });
            match signal {
                None | Some(Signal { number: libc::SIGCHLD, .. }) => {}
                Some(Signal { number, is_from_process }) => {
                    let Some(running) = running else {
                        watched.signal = Some(number);
                        break;
                    };
                    match watched.signal.replace(number) {
                        // A second request is deliberate.
                        Some(_) => running.send(libc::SIGKILL),
                        None if is_from_process => running.send(number),
                        None => {}
                    }
                }
            }
        }
        // Who waits for an acknowledgement would wait for ever.
        if let Err(failure) = self.obey(counters) {
            watched.failure.get_or_insert(failure);
        }
        watched
    }

    /// Waits for a signal, and obeys the commands that come meanwhile.
    fn wait(
        &mut self,
        longest: Duration,
        signals: &Signals,
        counters: &mut Counters,
    ) -> Result<Option<Signal>, Failure> {
        let Some((server, _)) = self.control.as_ref().filter(|(server, _)| server.is_open()) else {
            return Ok(signals.wait(longest));
        };
        let file = match &self.signal_file {
            Some(file) => file,
            None => self.signal_file.insert(signals.file().map_err(no_file)?),
        };
        let ready = signals::readable([file.as_fd(), server.as_fd()], longest).map_err(no_file)?;
        if ready[1] {
            self.obey(counters)?;
        }
        Ok(if ready[0] { signals.wait(Duration::ZERO) } else { None })
    }

    fn obey(&mut self, counters: &mut Counters) -> Result<(), Failure> {
        let Some((server, controlled)) = &mut self.control else { return Ok(()) };
        // perf goes on after `stop`, too.
        let obeyed = controlled.obey(server, counters).map(drop);
        if obeyed.is_err() {
            self.control = None;
        }
        obeyed
    }

    /// Whether any of the tasks still exists; CPUs always do.
    fn is_anyone_there(&self) -> bool {
        match self.scope {
            Scope::Threads(threads) => threads.iter().any(|&thread| {
                // SAFETY: signal 0 only asks.
                let answer = unsafe { libc::kill(thread as libc::pid_t, 0) };
                answer == 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
            }),
            _ => true,
        }
    }

    fn has_shown_enough(&self) -> bool {
        self.args.interval_count.is_some_and(|most| self.intervals >= most)
    }

    fn show_next(&mut self, counters: &mut Counters) -> Result<(), Failure> {
        self.show(counters.read(), self.start.elapsed())
    }

    /// Shows the counts since the last time.
    fn show(&mut self, now: Reading, end: Duration) -> Result<(), Failure> {
        self.sampling.read()?;
        let (before, then) = self.last.take().unwrap_or_default();
        let reading = &now.since(&before);
        let (lines, units, number) = (self.lines, self.units, self.intervals);
        let runs = Runs::of_one(lines, reading, end - then, units);
        let latencies = self.sampling.latencies();
        (self.show)(&Interval { lines, units, reading, runs, end, number, latencies })?;
        self.intervals += 1;
        self.last = Some((now, end));
        Ok(())
    }
}
