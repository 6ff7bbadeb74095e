//! Counts into a file, as `perf stat record` writes them.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use pmu_events::__private::file;
use pmu_events::format::Words;
use pmu_events::open::{Attr, EventReading, Reading, Target};
use pmu_events::perf_type;

use crate::perf_data::counts::{Counted, Record, Round, Settings, Thread};
use crate::perf_data::features;
use crate::perf_data::format::Feature;
use crate::perf_data::writer::{self, Event, Writer};
use crate::stat::aggregation::Level;
use crate::stat::failure::Failure;
use crate::stat::shown_unit;
use crate::system::System;

/// A file of counts that is being written.
pub(crate) struct Recorder {
    file: File,
    settings: Settings,
    /// From the first round on, when all targets are known.
    begun: Option<Begun>,
    /// What the intervals so far have counted together: a file has sums.
    sum: Reading,
}

struct Begun {
    writer: Writer,
    /// The attributes of the events.
    attrs: Vec<Vec<u8>>,
    /// By their places in the file.
    threads: Vec<i32>,
}

impl Recorder {
    /// Makes the file, before anything is counted.
    pub(crate) fn create(
        path: &Path,
        level: Level,
        interval: Option<Duration>,
        is_scaled: bool,
    ) -> Result<Self, Failure> {
        let (aggregation, cache_level) = super::modes::of_level(level);
        let interval = interval.map_or(0, |interval| interval.as_millis() as u64);
        Ok(Recorder {
            file: crate::perf_data::file::create(path).map_err(Failure::Cannot)?,
            settings: Settings { aggregation, interval, is_scaled, cache_level },
            begun: None,
            sum: Reading::default(),
        })
    }

    /// Writes what was counted in an interval, and when it ended.
    pub(crate) fn interval(&mut self, counted: &Reading, end: Duration) -> Result<(), Failure> {
        match self.begun {
            None => self.sum = counted.clone(),
            Some(_) => self.sum.add(counted),
        }
        let sum = std::mem::take(&mut self.sum);
        let written = self.round(&sum, Round { is_final: false, time: nanoseconds(end) });
        self.sum = sum;
        written
    }

    /// Writes the counts of the whole, unless intervals have, and the end of the file.
    pub(crate) fn finish(
        mut self,
        counted: &Reading,
        elapsed: Duration,
        system: &System,
    ) -> Result<(), Failure> {
        if self.settings.interval == 0 || self.begun.is_none() {
            self.round(counted, Round { is_final: true, time: nanoseconds(elapsed) })?;
        }
        let Some(Begun { writer, attrs, .. }) = self.begun else { return Ok(()) };
        let mut sections = features::of_machine(system);
        sections.push((
            Feature::EventDescription,
            described(counted, &attrs, writer::event_description),
        ));
        sections.push(features::command_line());
        sections.push((Feature::Stat, Vec::new()));
        writer.finish(sections)?;
        Ok(())
    }

    fn round(&mut self, counted: &Reading, round: Round) -> Result<(), Failure> {
        let Begun { writer, threads, .. } = match &mut self.begun {
            Some(begun) => begun,
            begun @ None => begun.insert(begin(self.file.try_clone()?, counted, self.settings)?),
        };
        for (event, id) in counted.events().iter().zip(1..) {
            for part in event.parts() {
                let (cpu, thread) = place(part.target());
                let thread = threads.iter().position(|&own| own == thread).unwrap_or(0) as u32;
                let count = part.count();
                writer.record(
                    &Record::Count(Counted {
                        id,
                        cpu,
                        thread,
                        value: count.value(),
                        enabled: count.time_enabled(),
                        running: count.time_running(),
                    })
                    .to_bytes(),
                )?;
            }
        }
        writer.record(&Record::Round(round).to_bytes())?;
        Ok(writer.finish_round()?)
    }
}

/// Writes what comes before the counts.
fn begin(file: File, counted: &Reading, settings: Settings) -> Result<Begun, Failure> {
    let attrs: Vec<Vec<u8>> = counted.events().iter().map(attr).collect();
    let mut writer = described(counted, &attrs, |events| Writer::new(file, events))?;
    for (event, id) in counted.events().iter().zip(1..) {
        let Some(resolved) = event.event().resolved() else { continue };
        let (scale, unit) = shown_unit::of(resolved);
        if !unit.is_empty() {
            writer.record(&Record::Unit { id, unit: unit.into() }.to_bytes())?;
        }
        if scale != 1.0 {
            writer.record(&Record::Scale { id, scale }.to_bytes())?;
        }
    }
    // What cannot be read now may be read later.
    let targets = counted.events().iter().flat_map(|event| {
        let parts = event.parts().iter().map(|part| part.target());
        parts.chain(event.lacks().iter().map(|lack| lack.target()))
    });
    let places: BTreeSet<(i32, i32)> = targets.map(place).collect();
    let [mut cpus, mut threads] = [BTreeSet::new(), BTreeSet::new()];
    for (cpu, thread) in places {
        cpus.insert(cpu);
        threads.insert(thread);
    }
    if cpus.is_empty() {
        (cpus, threads) = ([EVERYWHERE].into(), [EVERYWHERE].into());
    }
    let threads: Vec<i32> = threads.into_iter().collect();
    let named = threads.iter().map(|&number| Thread { number, comm: comm(number) });
    let (named, cpus) = (named.collect(), cpus.into_iter().collect());
    for record in [Record::Threads(named), Record::Cpus(cpus), Record::Settings(settings)] {
        let bytes = record.to_bytes();
        // Of a record, 16 bits say how long it is.
        if bytes.len() > usize::from(u16::MAX) {
            let message = "perf's format has no room for so many threads";
            return Err(Failure::Cannot(message.into()));
        }
        writer.record(&bytes)?;
    }
    Ok(Begun { writer, attrs, threads })
}

/// The events of a file, each with an id of its own.
fn described<T>(counted: &Reading, attrs: &[Vec<u8>], use_: impl FnOnce(&[Event<'_>]) -> T) -> T {
    let names: Vec<_> = counted.events().iter().map(EventReading::name).collect();
    let events = names.iter().zip(attrs).zip(1..);
    let events: Vec<Event<'_>> =
        events.map(|((name, attr), id)| Event { name, attr, ids: vec![id] }).collect();
    use_(&events)
}

/// The attributes of an event; those of one that is not open are what it would be.
fn attr(event: &EventReading) -> Vec<u8> {
    /// `PERF_COUNT_SW_DUMMY`
    const DUMMY: u64 = 9;
    /// `PERF_SAMPLE_IDENTIFIER`: perf finds no event of an id without it.
    const IDENTIFIER: u64 = 1 << 16;
    /// `PERF_FORMAT_TOTAL_TIME_ENABLED`, `_RUNNING` and `PERF_FORMAT_ID`
    const FORMAT: u64 = 7;
    let opened = event.event().attr().copied();
    let resolved = || event.event().resolved().map(Attr::counting);
    let attr = opened
        .or_else(resolved)
        .unwrap_or_else(|| Attr::new(perf_type::SOFTWARE, Words::new(DUMMY)));
    let mut bytes = attr.to_bytes().as_ref().to_vec();
    bytes[24..32].copy_from_slice(&IDENTIFIER.to_ne_bytes());
    bytes[32..40].copy_from_slice(&FORMAT.to_ne_bytes());
    bytes
}

/// Every CPU, or every thread.
const EVERYWHERE: i32 = -1;

/// The CPU and the thread of a target.
fn place(target: Target) -> (i32, i32) {
    match target {
        Target::Cpu(cpu) => (cpu as i32, EVERYWHERE),
        Target::Thread(thread) => (EVERYWHERE, thread as i32),
        _ => (EVERYWHERE, EVERYWHERE),
    }
}

fn comm(thread: i32) -> String {
    let name = file::of_procfs(Path::new(&format!("/proc/{thread}/comm"))).unwrap_or_default();
    name.trim_end().to_owned()
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64
}
