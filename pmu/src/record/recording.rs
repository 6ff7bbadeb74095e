//! One recording: opens the events, releases the command, and writes records until the end.

use std::env;
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use pmu_events::__private::file;
use pmu_events::Scope;
use pmu_events::open::ErrorKind;
use pmu_events::resolve::Resolution;
use pmu_events::sample::{Fields, Sampler, Wake};

use crate::failure::complain;
use crate::invocation::Invocation;
use crate::output::tell;
use crate::perf_data::writer::{Event, Writer};
use crate::record::file::create;
use crate::record::journal::Journal;
use crate::record::settings::Settings;
use crate::record::{existing, features};
use crate::stat::args::Subject;
use crate::stat::command::{End, Running, Waiting};
use crate::stat::run;
use crate::stat::{Failure, Signals};
use crate::system::System;

pub(super) struct Recording<'r> {
    pub(super) settings: &'r Settings,
    pub(super) system: &'r System,
    pub(super) events: Resolution,
    pub(super) signals: Signals,
}

/// How the recording ended.
struct Ended {
    /// The signal that interrupted it.
    signal: Option<i32>,
    /// Why it stopped before.
    failure: Option<Failure>,
}

impl Recording<'_> {
    /// The status of the command.
    pub(super) fn run(self) -> Result<u8, Failure> {
        let args = &self.settings.run;
        let waiting = match args.command.is_empty() {
            true => None,
            false => Some(
                Waiting::start(&args.command, self.signals)
                    .map_err(|error| run::not_started(args, &error))?,
            ),
        };
        let opened = self.opened(waiting.as_ref());
        let (mut sampler, mut writer, mut journal) = match opened {
            Ok(opened) => opened,
            Err(failure) => {
                waiting.map(Waiting::give_up).unwrap_or_default();
                return Err(failure);
            }
        };
        self.signals.hold();
        if let Err(error) = sampler.enable() {
            waiting.map(Waiting::give_up).unwrap_or_default();
            return Err(error.into());
        }
        let running = match waiting.map(Waiting::go).transpose() {
            Ok(running) => running,
            Err(error) => return Err(run::not_run(args, &error)),
        };
        let mut ended =
            self.until_the_end(&mut sampler, &mut writer, &mut journal, running.as_ref());
        // An error of the last step hides none of those before.
        let mut also = |result: Result<(), Failure>| {
            if let Err(failure) = result {
                ended.failure.get_or_insert(failure);
            }
        };
        also(sampler.disable().map_err(Failure::from));
        let lost = sampler.lost().ok().flatten();
        let finished = match ended.failure {
            Some(failure) => Err(failure),
            None => self.finished(&mut sampler, writer, &mut journal, lost),
        };
        if finished.is_err() && running.is_some() {
            complain(args.program, "the recording has stopped; the command runs on");
        }
        let end = running.map(Running::end);
        let length = finished?;
        if !self.settings.is_quiet {
            self.summarize(&journal, length, lost);
        }
        Ok(status(end.as_ref(), ended.signal))
    }

    /// The events, open but disabled, and the file, with what was there before.
    fn opened(&self, waiting: Option<&Waiting>) -> Result<(Sampler, Writer, Journal), Failure> {
        let args = &self.settings.run;
        let scope = run::scope(args, self.system, waiting).map_err(Failure::Missing)?;
        let options = self.settings.options(scope.clone());
        let sampler = match Sampler::open(&self.events, &options) {
            Err(error) if error.kind() == ErrorKind::TooManyFiles && run::raise_limit() => {
                Sampler::open(&self.events, &options)
            }
            answer => answer,
        };
        let sampler = sampler.map_err(Failure::from)?;
        let file = match &self.settings.file {
            Some(file) => file.try_clone()?,
            None => create(&self.settings.output)?,
        };
        let attrs: Vec<_> = sampler.events().iter().map(|event| event.attr().to_bytes()).collect();
        let mut writer = Writer::new(file, &described(&sampler, &attrs))?;
        let mut journal = Journal::default();
        self.write_existing(&scope, &sampler, &mut writer, &mut journal)?;
        Ok((sampler, writer, journal))
    }

    fn write_existing(
        &self,
        scope: &Scope,
        sampler: &Sampler,
        writer: &mut Writer,
        journal: &mut Journal,
    ) -> Result<(), Failure> {
        let Some(first) = sampler.events().first() else { return Ok(()) };
        let layout = first.layout();
        let stamp = existing::stamp_length(layout.fields());
        let mut each = |record: &[u8]| {
            journal.note(layout, record);
            writer.record(record)
        };
        existing::kernel(self.system, stamp, &mut each)?;
        let processes = match (&self.settings.run.subject, scope) {
            // What it maps comes with its `exec`.
            (Subject::Command, _) => Vec::new(),
            (Subject::Processes(processes), _) => processes.clone(),
            (_, Scope::Threads(threads)) => self.processes_of(threads),
            _ => file::numbers(self.system.proc()).unwrap_or_default(),
        };
        for process in processes {
            existing::process(self.system, process, stamp, &mut each)?;
        }
        writer.finish_round()?;
        Ok(())
    }

    /// The processes of threads, each once.
    fn processes_of(&self, threads: &[u32]) -> Vec<u32> {
        let process = |&thread: &u32| {
            let path = self.system.proc().join(thread.to_string()).join("status");
            let text = file::of_procfs(&path).ok()?;
            text.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok())
        };
        let mut processes: Vec<u32> = threads.iter().filter_map(process).collect();
        processes.sort_unstable();
        processes.dedup();
        processes
    }

    /// Writes records until the command or the tasks have ended, or a signal arrives. An error
    /// stops it; a command runs on, since a user may need its work.
    fn until_the_end(
        &self,
        sampler: &mut Sampler,
        writer: &mut Writer,
        journal: &mut Journal,
        running: Option<&Running>,
    ) -> Ended {
        /// How long what is recorded may stay in buffers that are less than half full.
        const LONGEST: Duration = Duration::from_secs(1);
        let mut ended = Ended { signal: None, failure: None };
        let mut timeout = self.settings.run.timeout.map(|longest| Instant::now() + longest);
        let signal_file = match self.signals.file() {
            Ok(file) => file,
            Err(error) => {
                let message = format!("signals cannot be waited for: {error}");
                ended.failure = Some(Failure::Cannot(message));
                return ended;
            }
        };
        loop {
            let left = timeout.map(|moment| moment.saturating_duration_since(Instant::now()));
            let longest = left.map_or(LONGEST, |left| left.min(LONGEST));
            let wake = match sampler.wait_beside(signal_file.as_fd(), Some(longest)) {
                Ok(wake) => wake,
                Err(error) => {
                    ended.failure = Some(error.into());
                    return ended;
                }
            };
            if let Err(failure) = drain(sampler, writer, journal) {
                ended.failure = Some(failure);
                return ended;
            }
            while let Some(signal) = self.signals.wait(Duration::ZERO) {
                if signal.number == libc::SIGCHLD {
                    continue;
                }
                let Some(running) = running else {
                    ended.signal = Some(signal.number);
                    return ended;
                };
                match ended.signal.replace(signal.number) {
                    // A second request is deliberate.
                    Some(_) => running.send(libc::SIGKILL),
                    None if signal.is_from_process => running.send(signal.number),
                    None => {}
                }
            }
            match running {
                Some(running) if running.has_ended() => return ended,
                None if wake == Wake::Ended => return ended,
                _ => {}
            }
            if timeout.is_some_and(|moment| moment <= Instant::now()) {
                let Some(running) = running else { return ended };
                // What the command does before it ends is recorded, too.
                running.send(libc::SIGTERM);
                timeout = None;
            }
        }
    }

    /// Writes what is left, and the end of the file. Returns its length.
    fn finished(
        &self,
        sampler: &mut Sampler,
        mut writer: Writer,
        journal: &mut Journal,
        lost: Option<u64>,
    ) -> Result<u64, Failure> {
        drain(sampler, &mut writer, journal)?;
        if let (Some(lost @ 1..), Some(first)) = (lost, sampler.events().first()) {
            writer.record(&existing::lost(lost, first.layout().fields()))?;
        }
        let attrs: Vec<_> = sampler.events().iter().map(|event| event.attr().to_bytes()).collect();
        let events = described(sampler, &attrs);
        let words: Vec<String> =
            env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        let has_branches =
            sampler.events().iter().any(|event| event.layout().fields().contains(Fields::BRANCHES));
        let features = features::all(self.system, &events, journal, &words, has_branches);
        Ok(writer.finish(features)?)
    }

    /// What perf says at the end, in its words where programs read it.
    fn summarize(&self, journal: &Journal, length: u64, lost: Option<u64>) {
        let program = Invocation::current().program();
        let megabytes = length as f64 / f64::from(1 << 20);
        let path = self.settings.output.display();
        tell(&format!(
            "[ {program} record: Captured and wrote {megabytes:.3} MB {path} ({} samples) ]\n",
            journal.samples
        ));
        let lost = lost.unwrap_or(journal.lost);
        if lost > 0 {
            let all = journal.samples + lost;
            let percent = 100.0 * lost as f64 / all as f64;
            let note = format!(
                "note: {lost} of {all} samples were lost ({percent:.1} %), because the buffers \
                 were full; -m makes them larger, and -F takes fewer samples"
            );
            complain("record", &note);
        }
    }
}

/// The events for the file.
fn described<'e>(sampler: &'e Sampler, attrs: &'e [impl AsRef<[u8]>]) -> Vec<Event<'e>> {
    let events = sampler.events().iter().zip(attrs);
    let described = events.map(|(event, attr)| Event {
        name: event.name(),
        attr: attr.as_ref(),
        ids: event.ids().collect(),
    });
    described.collect()
}

/// Writes what the buffers have, as one round.
fn drain(sampler: &mut Sampler, writer: &mut Writer, journal: &mut Journal) -> Result<(), Failure> {
    let Some(layout) = sampler.events().first().map(|event| *event.layout()) else {
        return Ok(());
    };
    for buffer in sampler.buffers_mut() {
        let mut records = buffer.records();
        while let Some(record) = records.next() {
            let record = record
                .map_err(|error| Failure::Cannot(format!("the kernel wrote no record: {error}")))?;
            journal.note(&layout, record);
            writer.record(record)?;
        }
        buffer.release();
    }
    writer.finish_round()?;
    Ok(())
}

/// The status that ends the program: that of a command, or of an interruption without one.
fn status(end: Option<&End>, signal: Option<i32>) -> u8 {
    match (end, signal) {
        (Some(end), _) => end.code,
        // Ctrl-C is how a recording of CPUs or tasks ends.
        (None, Some(libc::SIGINT) | None) => 0,
        (None, Some(signal)) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
    }
}
