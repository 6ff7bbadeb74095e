//! Events measured without a counter: the elapsed time, the time that tasks have
//! spent in user space and in the kernel, and what is known of the machine.

mod meter;
#[cfg(target_os = "linux")]
mod spent;

use std::format;
use std::path::Path;
use std::time::Instant;

use crate::event_list::Tool;
use crate::expr::Machine as _;
use crate::open::{Count, Error, ErrorKind};
use crate::system::{Scope, System};
use meter::{Meter, Sample};
#[cfg(target_os = "linux")]
use spent::Spenders;

/// One of these events.
#[derive(Debug)]
pub(super) enum Watch {
    Time(Clock),
    /// A value of the machine, which does not change.
    Fixed(Count),
}

impl Watch {
    /// Must be called on the thread that [`Scope::ThisThread`] refers to.
    pub(super) fn new(tool: Tool, scope: &Scope, system: &System) -> Result<Self, Error> {
        let Some(literal) = tool.literal() else {
            return Ok(Watch::Time(Clock::new(tool, scope, system.proc())));
        };
        let value = system.machine(scope).literal(literal);
        if !value.is_finite() {
            let message = format!("this machine does not tell the value of `{}`", tool.name());
            return Err(Error::new(ErrorKind::NotSupported, 0, message));
        }
        // All of the time, however long that is.
        Ok(Watch::Fixed(Count::new(value.round() as u64, 1, 1)))
    }

    fn clock(&mut self) -> Option<&mut Clock> {
        match self {
            Watch::Time(clock) => Some(clock),
            Watch::Fixed(_) => None,
        }
    }

    pub(super) fn start(&mut self) {
        if let Some(clock) = self.clock() {
            clock.start();
        }
    }

    pub(super) fn stop(&mut self) {
        if let Some(clock) = self.clock() {
            clock.stop();
        }
    }

    /// Starts again from 0.
    pub(super) fn reset(&mut self) {
        if let Some(clock) = self.clock() {
            clock.reset();
        }
    }

    pub(super) fn read(&self) -> Result<Count, Error> {
        match self {
            Watch::Time(clock) => clock.read(),
            Watch::Fixed(count) => Ok(*count),
        }
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
    fn new(tool: Tool, scope: &Scope, proc: &Path) -> Self {
        let (epoch, meter) = (Instant::now(), Meter::default());
        Clock { tool, spenders: Spenders::of(scope, proc), epoch, meter }
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
    fn of(_scope: &Scope, _proc: &Path) -> Self {
        Spenders
    }

    fn spent(&self) -> Result<std::vec::Vec<(u32, meter::Spent)>, Error> {
        Err(Error::unsupported())
    }
}
