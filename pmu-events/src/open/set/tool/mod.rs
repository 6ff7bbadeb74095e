//! Events measured without a counter: the elapsed time, the time that tasks have
//! spent in user space and in the kernel, and what the machine tells itself.

mod gain;
mod meter;
#[cfg(target_os = "linux")]
mod spent;

use std::format;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::event_list::Tool;
use crate::expr::Machine as _;
use crate::file::{self, Kind};
use crate::open::{Cgroup, Count, Error, ErrorKind, Options};
use crate::resolve::Resolved;
use crate::sysfs::{Pmu, Problem};
use crate::system::System;
use gain::Gain;
use meter::{Meter, Sample};
#[cfg(target_os = "linux")]
use spent::Spenders;

/// One of these events.
#[derive(Debug)]
pub(super) enum Watch {
    Time(Clock),
    /// A value of the machine, which does not change.
    Fixed(Count),
    /// The file of a value that changes at any time.
    Sensor(PathBuf),
    /// What clients of a graphics driver use.
    Clients(Gain),
}

impl Watch {
    /// `None` for an event that the kernel counts. Must be called on the thread that
    /// [`Scope::ThisThread`] refers to.
    pub(super) fn of(
        resolved: &Resolved,
        options: &Options,
        cgroup: Option<&Cgroup>,
        system: &System,
    ) -> Option<Result<Self, Error>> {
        // All that these sources know is what CPUs and processes spend.
        let is_spent = matches!(resolved.tool(), Some(Tool::UserTime | Tool::SystemTime))
            || resolved.pmu().is_some_and(Pmu::has_clients);
        if cgroup.is_some() && is_spent {
            let message = "it cannot be measured in a control group";
            return Some(Err(Error::new(ErrorKind::NotSupported, 0, message)));
        }
        match resolved.tool() {
            Some(tool) => Some(Watch::of_tool(tool, options, system)),
            None if resolved.pmu().is_some_and(Pmu::has_clients) => {
                Some(Gain::of(resolved, &options.scope, system).map(Watch::Clients))
            }
            None if resolved.is_without_counter() => Some(Watch::of_sensor(resolved)),
            None => None,
        }
    }

    fn of_tool(tool: Tool, options: &Options, system: &System) -> Result<Self, Error> {
        if tool.is_time() {
            return Ok(Watch::Time(Clock::new(tool, options, system.proc())));
        }
        let value = system.machine(&options.scope).literal(tool);
        if !value.is_finite() {
            let message = format!("this machine does not tell the value of `{}`", tool.name());
            return Err(Error::new(ErrorKind::NotSupported, 0, message));
        }
        // All of the time, however long that is.
        Ok(Watch::Fixed(Count::new(value.round() as u64, 1, 1)))
    }

    fn of_sensor(resolved: &Resolved) -> Result<Self, Error> {
        let file = resolved.pmu().and_then(|pmu| pmu.sensor(resolved.words().config()));
        match file {
            Some(file) => Ok(Watch::Sensor(file)),
            None => {
                let message =
                    format!("there is no sensor with config {:#x}", resolved.words().config());
                Err(Error::new(ErrorKind::NoSuchEvent, 0, message))
            }
        }
    }

    pub(super) fn start(&mut self) {
        match self {
            Watch::Time(clock) => clock.start(),
            Watch::Clients(gain) => gain.start(),
            Watch::Fixed(_) | Watch::Sensor(_) => {}
        }
    }

    pub(super) fn stop(&mut self) {
        match self {
            Watch::Time(clock) => clock.stop(),
            Watch::Clients(gain) => gain.stop(),
            Watch::Fixed(_) | Watch::Sensor(_) => {}
        }
    }

    /// Starts again from 0.
    pub(super) fn reset(&mut self) {
        match self {
            Watch::Time(clock) => clock.reset(),
            Watch::Clients(gain) => gain.reset(),
            Watch::Fixed(_) | Watch::Sensor(_) => {}
        }
    }

    pub(super) fn read(&self) -> Result<Count, Error> {
        match self {
            Watch::Time(clock) => clock.read(),
            Watch::Fixed(count) => Ok(*count),
            Watch::Sensor(file) => sensor(file),
            Watch::Clients(gain) => gain.read(),
        }
    }
}

/// A driver may refuse to be read, such as that of a device that is asleep.
fn sensor(path: &Path) -> Result<Count, Error> {
    let value = |text: &str| {
        text.parse::<i64>().map_err(|_| format!("is not a number: `{}`", text.escape_debug()))
    };
    let read = file::of_sysfs(path, Kind::Unknown, value);
    match read.map_err(|problem| Error::of_file(&problem))? {
        // Below zero, in two's complement: `Resolved::number`.
        Some(Ok(value)) => Ok(Count::new(value.cast_unsigned(), 1, 1)),
        Some(Err(what)) => Err(Error::odd(path, &what)),
        None => Err(Error::of_file(&Problem::missing(path, "does not exist"))),
    }
}

/// A time, measured while it is enabled.
#[derive(Debug)]
pub(super) struct Clock {
    tool: Tool,
    spenders: Spenders,
    /// The origin of all points in time.
    epoch: Instant,
    meter: Meter,
}

impl Clock {
    fn new(tool: Tool, options: &Options, proc: &Path) -> Self {
        let (epoch, meter) = (Instant::now(), Meter::default());
        Clock { tool, spenders: Spenders::of(options, proc), epoch, meter }
    }

    fn start(&mut self) {
        let now = self.sample();
        self.meter.start(now);
    }

    fn stop(&mut self) {
        let now = self.sample();
        self.meter.stop(now);
    }

    fn reset(&mut self) {
        let now = self.sample();
        self.meter.reset(now);
    }

    fn read(&self) -> Result<Count, Error> {
        self.meter.read(|| self.sample())
    }

    fn sample(&self) -> Result<Sample, Error> {
        let moment = self.epoch.elapsed();
        Ok(match self.tool {
            Tool::DurationTime => Sample::of_moment(moment),
            Tool::UserTime => Sample::of_spent(moment, self.spenders.spent()?, |spent| spent.user),
            Tool::SystemTime => {
                Sample::of_spent(moment, self.spenders.spent()?, |spent| spent.system)
            }
            _ => return Err(Error::unsupported()),
        })
    }
}

/// Other systems do not provide these times.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
struct Spenders;

#[cfg(not(target_os = "linux"))]
impl Spenders {
    fn of(_options: &Options, _proc: &Path) -> Self {
        Spenders
    }

    fn spent(&self) -> Result<std::vec::Vec<(u32, meter::Spent)>, Error> {
        Err(Error::unsupported())
    }
}
