//! What happens while a recording runs: records are written, signals and commands arrive, and events
//! are switched at their times.

use std::collections::VecDeque;
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use pmu_events::__private::switch;
use pmu_events::control::Server;
use pmu_events::open;
use pmu_events::sample::{Sampler, Wake};

use crate::invocation::Invocation;
use crate::output::tell;
use crate::perf_data::writer::Writer;
use crate::record::journal::Journal;
use crate::record::settings::Settings;
use crate::record_values::Times;
use crate::stat::command::Running;
use crate::stat::control::{Controlled, DISABLED, ENABLED, Listed, Switched};
use crate::stat::{Failure, Signals};

/// How the recording ended.
#[derive(Default)]
pub(super) struct Ended {
    /// The signal that interrupted it.
    pub(super) signal: Option<i32>,
    /// Why it stopped before.
    pub(super) failure: Option<Failure>,
    /// Whether the command must end, too.
    pub(super) is_early: bool,
}

/// Whether records still go into the file.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Room {
    Left,
    Full,
}

pub(super) struct Watch<'w> {
    pub(super) settings: &'w Settings,
    pub(super) sampler: &'w mut Sampler,
    pub(super) writer: &'w mut Writer,
    pub(super) journal: &'w mut Journal,
    pub(super) signals: &'w Signals,
    /// Who may switch the events.
    pub(super) control: Option<(Server, Controlled<'w>)>,
}

/// Events that sample, in the order of the sampler.
struct Sampled<'s>(&'s Sampler);

impl Switched for Sampled<'_> {
    fn events(&self) -> Vec<Listed<'_>> {
        let events = self.0.events().iter();
        events
            .map(|event| Listed {
                names: [event.name().into(), event.name().into()],
                attr: Some(event.attr()),
            })
            .collect()
    }

    fn switch(&mut self, is_it: &dyn Fn(usize) -> bool, is_on: bool) -> Result<(), open::Error> {
        switch::sampled(self.0, is_it, is_on)
    }

    fn switch_all(&mut self, is_on: bool) -> Result<(), open::Error> {
        switch::sampled(self.0, |_| true, is_on)
    }
}

/// When events are switched on and off, counted from the beginning.
fn switches(times: Option<&Times>) -> VecDeque<(Duration, bool)> {
    match times {
        None | Some(Times::UntilTold) => VecDeque::new(),
        Some(Times::From(moment)) => VecDeque::from([(*moment, true)]),
        Some(Times::Within(intervals)) => {
            intervals.iter().flat_map(|&(start, end)| [(start, true), (end, false)]).collect()
        }
    }
}

impl Watch<'_> {
    /// Writes records until the command or the tasks have ended, a signal arrives, or the recording
    /// has what it may have. An error stops it; a command runs on, since a user may need its work.
    pub(super) fn until_the_end(&mut self, running: Option<&Running>) -> Ended {
        let mut ended = Ended::default();
        if let Err(failure) = self.run(running, &mut ended) {
            ended.failure = Some(failure);
        }
        // Who waits for an acknowledgement would wait for ever.
        if let Err(failure) = self.obey() {
            ended.failure.get_or_insert(failure);
        }
        ended
    }

    fn run(&mut self, running: Option<&Running>, ended: &mut Ended) -> Result<(), Failure> {
        /// How long what is recorded may stay in buffers that are less than half full.
        const LONGEST: Duration = Duration::from_secs(1);
        let start = Instant::now();
        let mut timeout = self.settings.run.timeout.map(|longest| start + longest);
        let mut switches = switches(self.settings.times.as_ref());
        let ends_with_switches = matches!(self.settings.times, Some(Times::Within(_)));
        let signal_file = self
            .signals
            .file()
            .map_err(|error| Failure::Cannot(format!("signals cannot be waited for: {error}")))?;
        loop {
            let next = switches.front().map(|&(moment, _)| start + moment);
            let moments = [timeout, next].into_iter().flatten();
            let left = moments.map(|moment| moment.saturating_duration_since(Instant::now())).min();
            let longest = left.map_or(LONGEST, |left| left.min(LONGEST));
            let server = self.control.as_ref().map(|(server, _)| server);
            let server = server.filter(|server| server.is_open()).map(Server::as_fd);
            let files: Vec<_> = [signal_file.as_fd()].into_iter().chain(server).collect();
            let wake = self.sampler.wait_beside(&files, Some(longest))?;
            if drain(self.sampler, self.writer, self.journal, self.settings.most)? == Room::Full {
                self.tell_limit();
                ended.is_early = true;
                return Ok(());
            }
            while let Some(signal) = self.signals.wait(Duration::ZERO) {
                if signal.number == libc::SIGCHLD {
                    continue;
                }
                let Some(running) = running else {
                    ended.signal = Some(signal.number);
                    return Ok(());
                };
                match ended.signal.replace(signal.number) {
                    // A second request is deliberate.
                    Some(_) => running.send(libc::SIGKILL),
                    None if signal.is_from_process => running.send(signal.number),
                    None => {}
                }
            }
            if self.obey()? {
                ended.is_early = true;
                return Ok(());
            }
            match running {
                Some(running) if running.has_ended() => return Ok(()),
                None if wake == Wake::Ended => return Ok(()),
                _ => {}
            }
            let is_due = |&&(moment, _): &&(Duration, bool)| start + moment <= Instant::now();
            while let Some(&(_, is_on)) = switches.front().filter(is_due) {
                switches.pop_front();
                Sampled(self.sampler).switch_all(is_on)?;
                tell(if is_on { ENABLED } else { DISABLED });
                if switches.is_empty() && ends_with_switches {
                    ended.is_early = true;
                    return Ok(());
                }
            }
            if timeout.is_some_and(|moment| moment <= Instant::now()) {
                let Some(running) = running else { return Ok(()) };
                // What the command does before it ends is recorded, too.
                running.send(libc::SIGTERM);
                timeout = None;
            }
        }
    }

    /// Whether somebody has said `stop`.
    fn obey(&mut self) -> Result<bool, Failure> {
        let Some((server, controlled)) = &mut self.control else { return Ok(false) };
        let obeyed = controlled.obey(server, &mut Sampled(self.sampler));
        if obeyed.is_err() {
            self.control = None;
        }
        obeyed
    }

    /// In perf's words.
    fn tell_limit(&self) {
        let program = Invocation::current().program();
        let kilobytes = self.writer.length() >> 10;
        tell(&format!(
            "[ {program} record: {program} size limit reached ({kilobytes} KB), stopping session ]\n"
        ));
    }
}

/// Writes what the buffers have, as one round, if the file may be that long.
pub(super) fn drain(
    sampler: &mut Sampler,
    writer: &mut Writer,
    journal: &mut Journal,
    most: Option<u64>,
) -> Result<Room, Failure> {
    let Some(layout) = sampler.events().first().map(|event| *event.layout()) else {
        return Ok(Room::Left);
    };
    let mut room = Room::Left;
    'buffers: for buffer in sampler.buffers_mut() {
        let mut records = buffer.records();
        while let Some(record) = records.next() {
            if most.is_some_and(|most| writer.length() >= most) {
                room = Room::Full;
                break 'buffers;
            }
            let record = record
                .map_err(|error| Failure::Cannot(format!("the kernel wrote no record: {error}")))?;
            journal.note(&layout, record);
            writer.record(record)?;
        }
        buffer.release();
    }
    writer.finish_round()?;
    Ok(room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_switches() {
        let ms = Duration::from_millis;
        assert!(switches(None).is_empty() && switches(Some(&Times::UntilTold)).is_empty());
        assert_eq!(switches(Some(&Times::From(ms(5)))), [(ms(5), true)]);
        let intervals = Times::Within(vec![(ms(1), ms(2)), (ms(3), ms(4))]);
        let expected = [(ms(1), true), (ms(2), false), (ms(3), true), (ms(4), false)];
        assert_eq!(switches(Some(&intervals)), expected);
    }
}
