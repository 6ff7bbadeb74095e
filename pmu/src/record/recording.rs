//! One recording: opens the events, releases the command, and writes records until the end.

use pmu_events::__private::file;
use pmu_events::Scope;
use pmu_events::control::Server;
use pmu_events::open::ErrorKind;
use pmu_events::resolve::Resolution;
use pmu_events::sample::{Fields, Sampler};

use crate::failure::complain;
use crate::invocation::Invocation;
use crate::output::tell;
use crate::perf_data::file::create;
use crate::perf_data::format::Feature;
use crate::perf_data::writer::{self, Event, Writer};
use crate::record::journal::Journal;
use crate::record::settings::Settings;
use crate::record::watch::{Watch, drain};
use crate::record::{existing, features};
use crate::record_values::Times;
use crate::stat::args::Subject;
use crate::stat::command::{End, Running, Waiting};
use crate::stat::control::{self, Controlled, DISABLED};
use crate::stat::run;
use crate::stat::{Failure, Signals};
use crate::system::System;

pub(super) struct Recording<'r> {
    pub(super) settings: &'r Settings,
    pub(super) system: &'r System,
    pub(super) events: Resolution,
    pub(super) signals: Signals,
}

impl Recording<'_> {
    /// The status of the command.
    pub(super) fn run(self) -> Result<u8, Failure> {
        let args = &self.settings.run;
        let server = self.settings.control.as_ref().map(Server::listen).transpose();
        let server = server.map_err(control::cannot)?;
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
        let enabled = match self.settings.times {
            Some(Times::From(_) | Times::UntilTold | Times::Within(_)) => {
                tell(DISABLED);
                Ok(())
            }
            None => sampler.enable(),
        };
        if let Err(error) = enabled {
            waiting.map(Waiting::give_up).unwrap_or_default();
            return Err(error.into());
        }
        let running = match waiting.map(Waiting::go).transpose() {
            Ok(running) => running,
            Err(error) => return Err(run::not_run(args, &error)),
        };
        let controlled = Controlled { program: args.program, resolved: &self.events };
        let mut ended = Watch {
            settings: self.settings,
            sampler: &mut sampler,
            writer: &mut writer,
            journal: &mut journal,
            signals: &self.signals,
            control: server.map(|server| (server, controlled)),
        }
        .until_the_end(running.as_ref());
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
        if let Some(running) = running.as_ref().filter(|_| ended.is_early) {
            running.send(libc::SIGTERM);
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
            None => create(&self.settings.output).map_err(Failure::Cannot)?,
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

    /// Writes what is left, and the end of the file. Returns its length.
    fn finished(
        &self,
        sampler: &mut Sampler,
        mut writer: Writer,
        journal: &mut Journal,
        lost: Option<u64>,
    ) -> Result<u64, Failure> {
        drain(sampler, &mut writer, journal, self.settings.most)?;
        if let (Some(lost @ 1..), Some(first)) = (lost, sampler.events().first()) {
            writer.record(&existing::lost(lost, first.layout().fields()))?;
        }
        let attrs: Vec<_> = sampler.events().iter().map(|event| event.attr().to_bytes()).collect();
        let events = described(sampler, &attrs);
        let tracepoints = sampler.events().iter().filter(|event| event.resolved().is_tracepoint());
        let tracepoints: Vec<_> =
            tracepoints.filter_map(|event| of_tracefs(event.name())).collect();
        let has_branches =
            sampler.events().iter().any(|event| event.layout().fields().contains(Fields::BRANCHES));
        let mut features = features::all(
            self.system,
            &events,
            journal,
            has_branches,
            self.settings.clock,
            &tracepoints,
        );
        let groups = self.groups();
        if !groups.is_empty() {
            let description = writer::group_description(&groups);
            features.push((Feature::GroupDescription, description));
        }
        Ok(writer.finish(features)?)
    }

    /// The groups of several events: the number of the leader, and how many there are.
    fn groups(&self) -> Vec<(u32, u32)> {
        let mut leader = 0;
        let mut groups = Vec::new();
        for group in self.events.groups() {
            let members = group.len() as u32;
            if members > 1 {
                groups.push((leader, members));
            }
            leader += members;
        }
        groups
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

/// The system and the name of a tracepoint, as the user wrote it.
fn of_tracefs(name: &str) -> Option<(String, String)> {
    let (system, rest) = name.split_once(':')?;
    let name = rest.split(':').next().unwrap_or(rest);
    Some((system.to_owned(), name.to_owned()))
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

/// The status that ends the program: that of a command, or of an interruption without one.
fn status(end: Option<&End>, signal: Option<i32>) -> u8 {
    match (end, signal) {
        (Some(end), _) => end.code,
        // Ctrl-C is how a recording of CPUs or tasks ends.
        (None, Some(libc::SIGINT) | None) => 0,
        (None, Some(signal)) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
    }
}
