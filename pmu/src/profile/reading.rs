//! A file of samples, one after the other, with names.

use std::fs::File;
use std::path::{Path, PathBuf};

use pmu_events::sample::{
    Body, Branch, CONTEXT, CONTEXT_KERNEL, CONTEXT_USER, DataSource, Mode, Record, Sample,
};

use crate::perf_data::reader::{Fault, Reader};
use crate::profile::known::{Key, Kind, Known, Location};
use crate::profile::modules::Modules;
use crate::profile::spaces::Spaces;
use crate::profile::tracepoint::Tracepoints;

/// What is wanted of a file.
#[derive(Clone, Default)]
pub(crate) struct Wanted {
    /// Functions.
    pub(crate) names: bool,
    /// Lines, and functions that were inlined.
    pub(crate) lines: bool,
    /// Call chains.
    pub(crate) chains: bool,
    /// Data that were accessed, with the names of variables.
    pub(crate) data: bool,
    /// Branches.
    pub(crate) branches: bool,
    /// What tracepoints say.
    pub(crate) tracepoints: bool,
    /// Records that are no samples.
    pub(crate) others: bool,
    /// Below which directory the files are that were sampled.
    pub(crate) root: Option<PathBuf>,
}

/// A file that is being read.
pub(crate) struct Reading {
    pub(crate) reader: Reader,
    wanted: Wanted,
}

/// A sample. The numbers are those of [`Known`].
#[derive(Default)]
pub(crate) struct Taken {
    /// The number of its event.
    pub(crate) event: usize,
    /// The number of the thread's name.
    pub(crate) name: u32,
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    pub(crate) cpu: Option<u32>,
    pub(crate) time: Option<u64>,
    pub(crate) period: u64,
    /// The privilege in which the sample was taken.
    pub(crate) mode: Option<Mode>,
    pub(crate) has_chain: bool,
    /// Whether the chain has no address, so that the only frame is that of the sample.
    pub(crate) is_chain_empty: bool,
    /// From the innermost outwards; without call chains, one.
    pub(crate) frames: Vec<Frame>,
    pub(crate) access: Access,
    /// The latest first, with the numbers of the places where each begins and ends.
    pub(crate) branches: Vec<(Branch, [u32; 2])>,
    /// The number of the control group.
    pub(crate) cgroup: Option<u64>,
    /// What a tracepoint says.
    pub(crate) says: Option<String>,
}

/// An address of code.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) address: u64,
    /// The number of the place.
    pub(crate) location: u32,
}

/// What a file has, one after the other.
pub(crate) enum Item<'i> {
    Sample(&'i Taken),
    Beside(Beside<'i>),
}

/// A record that is no sample, when it has changed what is known.
pub(crate) struct Beside<'i> {
    pub(crate) record: &'i Record<'i>,
    /// The number of its event.
    pub(crate) event: usize,
    /// The number of the name of the thread that it is about.
    pub(crate) name: u32,
}

/// What an instruction accessed, as far as it was recorded.
#[derive(Clone, Copy, Default)]
pub(crate) struct Access {
    pub(crate) address: u64,
    /// The number of the place, where there is an address.
    pub(crate) location: Option<u32>,
    pub(crate) source: DataSource,
    pub(crate) weight: u64,
    pub(crate) further_weights: (u16, u16),
    pub(crate) physical_address: u64,
    pub(crate) page_size: u64,
    /// Of the instruction.
    pub(crate) code_page_size: u64,
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

    /// Whether data that were accessed are wanted, too.
    pub(crate) fn want_data(&mut self, is_wanted: bool) {
        self.wanted.data = is_wanted;
    }

    /// Calls `each` with all samples, in the order of their times.
    pub(crate) fn samples(
        &mut self,
        each: &mut dyn FnMut(&Known, &Taken),
    ) -> Result<(Summary, Known), Fault> {
        self.records(&mut |known, item| {
            if let Item::Sample(taken) = item {
                each(known, taken);
            }
            Ok(())
        })
    }

    /// Calls `each` with all samples and, if they are wanted, other records, in the order of their
    /// times; its error ends them.
    pub(crate) fn records<E: From<Fault>>(
        &mut self,
        each: &mut dyn FnMut(&Known, Item<'_>) -> Result<(), E>,
    ) -> Result<(Summary, Known), E> {
        let modules = Modules::new(self.reader.build_ids(), self.wanted.root.clone());
        let periods: Vec<u64> = self.reader.events.iter().map(|event| event.period).collect();
        let mut state = State {
            spaces: Spaces::default(),
            known: Known::new(modules),
            wanted: &self.wanted,
            recent: vec![Recent::default(); Recent::NUMBER],
            moment: 1,
            task: None,
            tracepoints: match self.wanted.tracepoints {
                true => Tracepoints::of(&self.reader),
                false => Tracepoints::default(),
            },
        };
        state.name_idle_threads();
        let mut taken = Taken::default();
        let mut summary = Summary::default();
        let (mut in_records, mut at_end) = (0_u64, 0_u64);
        summary.damaged = self.reader.records(&mut |event, record| {
            match record.body() {
                Body::Sample(sample) => {
                    summary.samples += 1;
                    taken.event = event;
                    taken.period =
                        sample.period().unwrap_or_else(|| periods.get(event).copied().unwrap_or(1));
                    state.take(record, sample, &mut taken);
                    taken.says = state.says(event, sample);
                    return each(&state.known, Item::Sample(&taken));
                }
                Body::Lost(lost) => in_records = in_records.saturating_add(lost.lost()),
                Body::LostSamples(lost) => at_end = at_end.saturating_add(lost.lost()),
                _ => state.follow(record),
            }
            if !state.wanted.others {
                return Ok(());
            }
            let (pid, tid) = task_of(record);
            let name = state.name(pid, tid);
            each(&state.known, Item::Beside(Beside { record, event, name }))
        })?;
        // The end of a file has the sum of what its records say.
        summary.lost = in_records.max(at_end);
        Ok((summary, state.known))
    }
}

/// The process and the thread that a record is about, or else that wrote it.
fn task_of(record: &Record<'_>) -> (u32, u32) {
    match record.body() {
        Body::Comm(comm) => (comm.pid(), comm.tid()),
        Body::Fork(task) | Body::Exit(task) => (task.pid(), task.tid()),
        Body::Mmap(mmap) => (mmap.pid(), mmap.tid()),
        Body::Namespaces(namespaces) => (namespaces.pid(), namespaces.tid()),
        _ => {
            let stamp = record.stamp();
            (stamp.pid().unwrap_or(0), stamp.tid().unwrap_or(0))
        }
    }
}

/// The kernel's own limit is 127 functions (`kernel.perf_event_max_stack`); a hostile file could
/// have thousands in each sample.
const DEEPEST: usize = 1024;

/// The process whose mappings are those of the kernel.
const OF_KERNEL: u32 = u32::MAX;

/// A branch may begin in a program and end in the kernel, which has the upper half of the addresses
/// (`machine__kernel_start` in `tools/perf/util/machine.c`).
fn mode_of(address: u64) -> Mode {
    if address >> 63 == 1 { Mode::Kernel } else { Mode::User }
}

struct State<'s> {
    spaces: Spaces,
    known: Known,
    wanted: &'s Wanted,
    recent: Vec<Recent>,
    /// Each change of a mapping begins a new one.
    moment: u64,
    /// The thread of the last sample, and the number of its name.
    task: Option<(u32, u32, u32)>,
    tracepoints: Tracepoints,
}

/// An address that was looked up at some moment: most samples are where others were.
#[derive(Clone, Copy, Default)]
struct Recent {
    address: u64,
    moment: u64,
    process: u32,
    kind: Option<(Kind, Mode)>,
    location: u32,
}

impl Recent {
    const NUMBER: usize = 1 << 12;

    fn place(address: u64) -> usize {
        // Fibonacci hashing: the highest bits of a product with 2^64 divided by the golden ratio.
        (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
    }
}

impl State<'_> {
    /// The idle threads of all CPUs have the number 0, and no record says their name.
    fn name_idle_threads(&mut self) {
        let name = self.known.number_of_name("swapper");
        self.spaces.name_idle_threads(name);
    }

    /// What is no sample may say what addresses and threads are.
    fn follow(&mut self, record: &Record<'_>) {
        match record.body() {
            Body::Mmap(mmap) if self.wanted.data || !mmap.is_data() => {
                let module = self.known.modules.number(mmap.path(), mmap.build_id());
                self.spaces.map(mmap, module);
            }
            Body::Comm(comm) => {
                let name = self.known.number_of_name(&String::from_utf8_lossy(comm.name()));
                self.spaces.rename(comm, name);
            }
            Body::Fork(task) => self.spaces.fork(task),
            Body::Cgroup(group) => {
                self.known.name_cgroup(group.id(), &String::from_utf8_lossy(group.path()));
                return;
            }
            _ => return,
        }
        self.moment += 1;
        self.task = None;
    }

    fn take(&mut self, record: &Record<'_>, sample: &Sample<'_>, taken: &mut Taken) {
        let (pid, tid) = (sample.pid().unwrap_or(0), sample.tid().unwrap_or(0));
        (taken.pid, taken.tid) = (pid, tid);
        (taken.cpu, taken.time) = (sample.cpu(), sample.time());
        taken.name = self.name(pid, tid);
        taken.frames.clear();
        let chain = sample.callchain().filter(|_| self.wanted.chains);
        taken.has_chain = chain.is_some();
        let mut mode = record.mode();
        taken.mode = Some(mode);
        let mut kind = Kind::Code;
        for address in chain.iter().flat_map(|chain| chain.iter()).take(DEEPEST) {
            if address >= CONTEXT {
                mode = match address {
                    CONTEXT_KERNEL => Mode::Kernel,
                    CONTEXT_USER => Mode::User,
                    _ => mode,
                };
                continue;
            }
            let location = self.locate(pid, address, kind, mode);
            taken.frames.push(Frame { address, location });
            kind = Kind::Return;
        }
        taken.is_chain_empty = taken.has_chain && taken.frames.is_empty();
        if taken.frames.is_empty()
            && let Some(address) = sample.ip()
        {
            let location = self.locate(pid, address, Kind::Code, record.mode());
            taken.frames.push(Frame { address, location });
        }
        if self.wanted.data {
            taken.access = self.access(pid, record.mode(), sample);
        }
        taken.cgroup = sample.cgroup();
        taken.branches.clear();
        if self.wanted.branches {
            for branch in sample.branches().iter().flat_map(|all| all.iter()).take(DEEPEST) {
                let places = [branch.from(), branch.to()]
                    .map(|address| self.locate(pid, address, Kind::Code, mode_of(address)));
                taken.branches.push((branch, places));
            }
        }
    }

    /// What a tracepoint says.
    fn says(&self, event: usize, sample: &Sample<'_>) -> Option<String> {
        let function = |address| {
            let (name, into) = self.known.modules.kernel().functions.at(address)?;
            Some((name.to_string(), into))
        };
        self.tracepoints.says(event, sample.raw()?, &function)
    }

    fn access(&mut self, pid: u32, mode: Mode, sample: &Sample<'_>) -> Access {
        let address = sample.addr();
        Access {
            address: address.unwrap_or(0),
            location: address.map(|address| self.locate(pid, address, Kind::Data, mode)),
            source: sample.data_source().unwrap_or_default(),
            weight: sample.weight().unwrap_or(0),
            further_weights: sample.further_weights().unwrap_or_default(),
            physical_address: sample.physical_address().unwrap_or(0),
            page_size: sample.data_page_size().unwrap_or(0),
            code_page_size: sample.code_page_size().unwrap_or(0),
        }
    }

    /// The number of the name of a thread.
    fn name(&mut self, pid: u32, tid: u32) -> u32 {
        if let Some((process, thread, name)) = self.task
            && (process, thread) == (pid, tid)
        {
            return name;
        }
        // A thread that has ended while it was sampled has no number.
        let name = self.spaces.name(pid, tid).filter(|_| tid != u32::MAX);
        let name = name.unwrap_or_else(|| match tid {
            u32::MAX => self.known.number_of_name(":-1"),
            _ => self.known.number_of_name(&format!(":{tid}")),
        });
        self.task = Some((pid, tid, name));
        name
    }

    /// The number of the place of an address.
    fn locate(&mut self, pid: u32, address: u64, kind: Kind, mode: Mode) -> u32 {
        let recent = self.recent[Recent::place(address)];
        if (recent.address, recent.moment, recent.process) == (address, self.moment, pid)
            && recent.kind == Some((kind, mode))
        {
            return recent.location;
        }
        let location = self.look(pid, address, kind, mode);
        self.recent[Recent::place(address)] = Recent {
            address,
            moment: self.moment,
            process: pid,
            kind: Some((kind, mode)),
            location,
        };
        location
    }

    fn look(&mut self, pid: u32, address: u64, kind: Kind, mode: Mode) -> u32 {
        let back = u64::from(kind == Kind::Return && address > 0);
        let at = address - back;
        let (mapping, mode) = match kind {
            // The kernel also accesses the data of the program that it works for.
            Kind::Data => match self.spaces.find(pid, at) {
                Some(mapping) if pid != OF_KERNEL => (Some(mapping), Mode::User),
                _ if mode == Mode::Kernel => (self.spaces.find(OF_KERNEL, at), mode),
                _ => (None, mode),
            },
            _ if mode == Mode::Kernel => (self.spaces.find(OF_KERNEL, at), mode),
            _ => (self.spaces.find(pid, at), mode),
        };
        let is_of_kernel = mode == Mode::Kernel;
        let module = mapping.map(|mapping| mapping.module);
        let offset = mapping.filter(|_| !is_of_kernel).map(|mapping| mapping.offset_of(at));
        let wanted = self.wanted;
        // Without names, all places in a file are the same.
        let is_same = !wanted.names && kind != Kind::Data;
        let key = Key {
            module: module.unwrap_or(usize::MAX),
            kind,
            mode: mode as u8,
            at: if is_same { 0 } else { offset.unwrap_or(at) },
        };
        self.known.locate(key, |modules| {
            let (symbol, places) = match (kind, module, offset) {
                (Kind::Data, _, None) if is_of_kernel => {
                    (modules.kernel().variables.at(at), Vec::new())
                }
                (Kind::Data, Some(module), Some(offset)) => {
                    (modules.data(module, offset), Vec::new())
                }
                _ if !wanted.names => (None, Vec::new()),
                (_, _, None) if is_of_kernel => (modules.kernel().functions.at(at), Vec::new()),
                (_, Some(module), Some(offset)) => modules.code(module, offset, wanted.lines),
                _ => (None, Vec::new()),
            };
            let symbol = symbol.map(|(name, into)| (name, into + back));
            let at = offset.unwrap_or(at).wrapping_add(back);
            Location { mode, module, at, symbol, places }
        })
    }
}
