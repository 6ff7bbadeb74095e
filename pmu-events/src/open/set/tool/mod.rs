//! Events measured without a counter: the elapsed time, and the time that tasks
//! have spent in user space and in the kernel.

mod meter;
#[cfg(target_os = "linux")]
mod spent;

use std::path::Path;
use std::time::Instant;

use crate::event_list::Tool;
use crate::open::{Count, Error};
use crate::system::Scope;
use meter::{Meter, Sample};
#[cfg(target_os = "linux")]
use spent::Spenders;

/// One of these events, measured while it is enabled.
#[derive(Debug)]
pub(super) struct Watch {
    tool: Tool,
    spenders: Spenders,
    /// The origin of all points in time.
    epoch: Instant,
    meter: Meter,
}

impl Watch {
    /// Must be called on the thread that [`Scope::ThisThread`] refers to.
    pub(super) fn new(tool: Tool, scope: &Scope, proc: &Path) -> Self {
        let (epoch, meter) = (Instant::now(), Meter::default());
        Watch { tool, spenders: Spenders::of(scope, proc), epoch, meter }
    }

    pub(super) fn start(&mut self) {
        let now = self.sample();
        self.meter.start(now);
    }

    pub(super) fn stop(&mut self) {
        let now = self.sample();
        self.meter.stop(now);
    }

    /// Starts again from 0.
    pub(super) fn reset(&mut self) {
        let now = self.sample();
        self.meter.reset(now);
    }

    pub(super) fn read(&self) -> Result<Count, Error> {
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
