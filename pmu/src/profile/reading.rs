//! A file of samples, one after the other, with names.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use pmu_events::sample::{Body, CONTEXT, CONTEXT_KERNEL, CONTEXT_USER, Mode, Record, Sample};

use crate::perf_data::reader::{Fault, Reader};
use crate::profile::modules::{Found, KERNEL, Modules};
use crate::profile::spaces::Spaces;

/// What is wanted of a file.
#[derive(Clone, Default)]
pub(crate) struct Wanted {
    /// Functions.
    pub(crate) names: bool,
    /// Lines, and functions that were inlined.
    pub(crate) lines: bool,
    /// Call chains.
    pub(crate) chains: bool,
    /// Below which directory the files are that were sampled.
    pub(crate) root: Option<PathBuf>,
}

/// A file that is being read.
pub(crate) struct Reading {
    pub(crate) reader: Reader,
    wanted: Wanted,
}

/// A sample.
pub(crate) struct Taken {
    /// The number of its event.
    pub(crate) event: usize,
    pub(crate) name: Rc<str>,
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    pub(crate) cpu: Option<u32>,
    pub(crate) time: Option<u64>,
    pub(crate) period: u64,
    pub(crate) has_chain: bool,
    /// From the innermost outwards; without call chains, one.
    pub(crate) frames: Vec<Frame>,
}

/// An address, and what it is in.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) address: u64,
    /// The place in the file, where there is one.
    pub(crate) offset: Option<u64>,
    pub(crate) mode: Mode,
    /// The number of the file.
    pub(crate) module: Option<usize>,
    /// The function of the symbol table, and how far into it the address is.
    pub(crate) symbol: Option<(Rc<str>, u64)>,
    pub(crate) found: Rc<Found>,
}

/// What a file says beside its samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Summary {
    pub(crate) samples: u64,
    /// Samples that the kernel could not write.
    pub(crate) lost: u64,
    /// Records that say nothing, because they are damaged.
    pub(crate) damaged: u64,
}

impl Reading {
    pub(crate) fn open(path: &Path, wanted: Wanted) -> Result<Self, Fault> {
        Ok(Reading { reader: Reader::open(path)?, wanted })
    }

    pub(crate) fn of_file(file: File, wanted: Wanted) -> Result<Self, Fault> {
        Ok(Reading { reader: Reader::of_file(file)?, wanted })
    }

    /// Calls `each` with all samples, in the order of their times.
    pub(crate) fn samples(
        &mut self,
        each: &mut dyn FnMut(&Modules, &Taken) -> Result<(), Fault>,
    ) -> Result<(Summary, Modules), Fault> {
        let modules = Modules::new(self.reader.build_ids(), self.wanted.root.clone());
        let periods: Vec<u64> = self.reader.events.iter().map(|event| event.period).collect();
        let mut state = State { spaces: Spaces::default(), modules, wanted: &self.wanted };
        let mut summary = Summary::default();
        let (mut in_records, mut at_end) = (0_u64, 0_u64);
        summary.damaged = self.reader.records(&mut |event, record| {
            match record.body() {
                Body::Sample(sample) => {
                    summary.samples += 1;
                    let period = periods.get(event).copied().unwrap_or(1);
                    let taken = state.taken(event, period, record, sample);
                    return each(&state.modules, &taken);
                }
                Body::Lost(lost) => in_records = in_records.saturating_add(lost.lost()),
                Body::LostSamples(lost) => at_end = at_end.saturating_add(lost.lost()),
                Body::Mmap(mmap) if !mmap.is_data() => {
                    let module = state.modules.number(mmap.path());
                    state.spaces.map(mmap, module);
                }
                Body::Comm(comm) => state.spaces.rename(comm),
                Body::Fork(task) => state.spaces.fork(task),
                _ => {}
            }
            Ok(())
        })?;
        // The end of a file has the sum of what its records say.
        summary.lost = in_records.max(at_end);
        Ok((summary, state.modules))
    }
}

/// The kernel's own limit is 127 functions (`kernel.perf_event_max_stack`); a hostile file could
/// have thousands in each sample.
const DEEPEST: usize = 1024;

struct State<'s> {
    spaces: Spaces,
    modules: Modules,
    wanted: &'s Wanted,
}

impl State<'_> {
    fn taken(&self, event: usize, period: u64, record: &Record<'_>, sample: &Sample<'_>) -> Taken {
        let (pid, tid) = (sample.pid().unwrap_or(0), sample.tid().unwrap_or(0));
        let mut frames = Vec::new();
        let chain = sample.callchain().filter(|_| self.wanted.chains);
        let has_chain = chain.is_some();
        let mut mode = record.mode();
        let mut is_innermost = true;
        for address in chain.iter().flat_map(|chain| chain.iter()).take(DEEPEST) {
            if address >= CONTEXT {
                mode = match address {
                    CONTEXT_KERNEL => Mode::Kernel,
                    CONTEXT_USER => Mode::User,
                    _ => mode,
                };
                continue;
            }
            // A return address is behind the call, which may be the end of a function.
            let at = if is_innermost { address } else { address.saturating_sub(1) };
            is_innermost = false;
            frames.push(self.frame(pid, address, at, mode));
        }
        if frames.is_empty()
            && let Some(address) = sample.ip()
        {
            frames.push(self.frame(pid, address, address, record.mode()));
        }
        Taken {
            event,
            name: self.spaces.name(pid, tid),
            pid,
            tid,
            cpu: sample.cpu(),
            time: sample.time(),
            period: sample.period().unwrap_or(period),
            has_chain,
            frames,
        }
    }

    fn frame(&self, pid: u32, address: u64, at: u64, mode: Mode) -> Frame {
        let is_of_kernel = mode == Mode::Kernel;
        let space = if is_of_kernel { u32::MAX } else { pid };
        let back = address - at;
        let mut frame =
            Frame { address, offset: None, mode, module: None, symbol: None, found: Rc::default() };
        let mapping = self.spaces.find(space, at);
        if let Some(mapping) = mapping {
            frame.module = Some(mapping.module);
            if !is_of_kernel {
                let offset = mapping.offset_of(at);
                if self.wanted.names {
                    frame.found = self.modules.at(mapping.module, offset, self.wanted.lines);
                }
                frame.offset = Some(offset.wrapping_add(back));
                frame.symbol = frame.found.symbol.clone();
            }
        }
        if is_of_kernel && self.wanted.names {
            frame.symbol = self.modules.of_kernel(at);
        }
        if let Some((_, into)) = &mut frame.symbol {
            *into += back;
        }
        frame
    }
}

/// The name under which the kernel's code is shown where no mapping says it.
pub(crate) fn kernel_name() -> &'static str {
    std::str::from_utf8(KERNEL).unwrap_or_default()
}
