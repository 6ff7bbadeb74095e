//! Which samples are shown.

use crate::profile::known::Known;
use crate::profile::reading::Taken;
use crate::profile::times::Times;
use crate::script_args::FilterArgs;

/// What a sample must have to be shown; without words, anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    args: FilterArgs,
    modules: Vec<String>,
    times: Times,
}

impl Filter {
    pub(crate) fn new(args: &FilterArgs, modules: &[String]) -> Self {
        Filter { args: args.clone(), modules: modules.to_vec(), times: Times::default() }
    }

    /// Only samples of the times that are asked for, in a recording with a first and a last sample.
    pub(crate) fn within(
        mut self,
        bounds: Option<(u64, u64)>,
        is_relative: bool,
    ) -> Result<Self, String> {
        if let Some(text) = &self.args.time {
            self.times = Times::parse(text, bounds, is_relative)?;
        }
        Ok(self)
    }

    /// Whether the functions of samples have to be known.
    pub(crate) fn needs_names(&self) -> bool {
        !self.args.symbols.is_empty()
    }

    /// Whether the sample is of a CPU and a time that are asked for. Others are no part of the whole.
    pub(crate) fn is_part(&self, taken: &Taken) -> bool {
        self.has_cpu(taken.cpu) && self.times.has(taken.time)
    }

    /// Whether a CPU is asked for.
    pub(crate) fn has_cpu(&self, cpu: Option<u32>) -> bool {
        let Some(cpus) = &self.args.cpu else { return true };
        cpu.is_some_and(|cpu| cpus.contains(cpu))
    }

    /// Whether the sample is shown. A function and its module are the innermost ones.
    pub(crate) fn has(&self, known: &Known, taken: &Taken) -> bool {
        let args = &self.args;
        self.is_part(taken)
            && is_among(&args.comms, || Some(&**known.name(taken.name)))
            && (args.pid.is_empty() || args.pid.contains(&taken.pid))
            && (args.tid.is_empty() || args.tid.contains(&taken.tid))
            && self.has_place(known, taken)
    }

    fn has_place(&self, known: &Known, taken: &Taken) -> bool {
        if self.args.symbols.is_empty() && self.modules.is_empty() {
            return true;
        }
        let Some(frame) = taken.frames.first() else { return false };
        let location = known.location(frame.location);
        let symbol = || location.symbol.as_ref().map(|(name, _)| &**name);
        let is_module = |name: &String| match location.module.map(|n| known.modules.get(n)) {
            Some(module) => *name == *module.name || *name == *module.short_name,
            None => *name == *known.module(location),
        };
        is_among(&self.args.symbols, symbol)
            && (self.modules.is_empty() || self.modules.iter().any(is_module))
    }
}

/// Whether a name is one of those that are asked for, if any are.
fn is_among<'n>(all: &[String], name: impl FnOnce() -> Option<&'n str>) -> bool {
    all.is_empty() || name().is_some_and(|name| all.iter().any(|one| one == name))
}
