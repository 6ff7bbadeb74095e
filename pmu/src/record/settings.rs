//! What the command line asks for.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pmu_events::__private::file;
use pmu_events::Scope;
use pmu_events::control::Address;
use pmu_events::open::{Attr, Flag};
use pmu_events::sample::{Fields, Options};

use crate::failure::complain;
use crate::invocation::Invocation;
use crate::machine_args::MachineArgs;
use crate::record_args::RecordArgs;
use crate::record_values::{CallGraph, Frequency, Room, Times};
use crate::stat::Failure;
use crate::stat::args::{RunArgs, Subject};

pub(crate) struct Settings {
    pub(super) run: RunArgs,
    pub(super) machine: MachineArgs,
    pub(super) events: Vec<String>,
    pub(super) cgroup: Option<String>,
    pub(super) output: PathBuf,
    /// What is written instead, for another command of this program.
    pub(super) file: Option<File>,
    pub(super) is_quiet: bool,
    /// Whether nothing is recorded.
    pub(super) is_dry_run: bool,
    /// When samples are taken; without, from the beginning.
    pub(super) times: Option<Times>,
    /// Who switches the events.
    pub(super) control: Option<Address>,
    /// How long the file may be, in bytes.
    pub(super) most: Option<u64>,
    /// Whose times samples have, if not those of the kernel's events.
    pub(super) clock: Option<i32>,
    options: Options,
}

impl Settings {
    pub(crate) fn new(args: RecordArgs) -> Result<Self, Failure> {
        let most = match args.freq {
            Some(Frequency::Max) => Some(
                most_samples()
                    .ok_or_else(|| Failure::Cannot(format!("`-F max`: {LIMIT} cannot be read")))?,
            ),
            _ => None,
        };
        if !args.quiet {
            args.of_perf.tell();
        }
        let mut options = Options::new().with_inherit(!args.target.no_inherit);
        if let Some(sampling) = args.sampling(most) {
            options = options.with_sampling(sampling);
        }
        // As perf, which saves what the file can do without.
        let mut fields = Fields::IP | Fields::TID | Fields::TIME;
        let mut attr = [
            Flag::Mmap,
            Flag::Mmap2,
            Flag::BuildId,
            Flag::Comm,
            Flag::CommExec,
            Flag::Task,
            Flag::Ksymbol,
            Flag::BpfEvent,
        ]
        .into_iter()
        .fold(Attr::default(), |attr, flag| attr.with(flag, true));
        for (is_asked, field) in [
            (args.period, Fields::PERIOD),
            (args.sample_cpu, Fields::CPU),
            (args.raw_samples, Fields::RAW),
            (args.transaction, Fields::TRANSACTION),
            (args.data_page_size, Fields::ADDR | Fields::DATA_PAGE_SIZE),
            (args.code_page_size, Fields::CODE_PAGE_SIZE),
            (args.all_cgroups, Fields::CGROUP),
        ] {
            if is_asked {
                fields |= field;
            }
        }
        for (is_asked, flag) in [
            (args.namespaces, Flag::Namespaces),
            (args.all_cgroups, Flag::Cgroup),
            (args.switch_events, Flag::ContextSwitch),
            (args.data || args.data_mmap, Flag::MmapData),
            (args.all_kernel, Flag::ExcludeUser),
            (args.all_user, Flag::ExcludeKernel),
            (args.clockid.is_some(), Flag::UseClockId),
            (args.kernel_callchains, Flag::ExcludeCallchainUser),
            (args.user_callchains, Flag::ExcludeCallchainKernel),
        ] {
            attr = attr.with(flag, is_asked);
        }
        attr = attr.with(Flag::BpfEvent, !args.no_bpf_event);
        attr = attr.with_clockid(args.clockid.unwrap_or(0));
        if args.data {
            fields |= Fields::ADDR | Fields::DATA_SOURCE;
        }
        if args.phys_data {
            fields |= Fields::ADDR | Fields::PHYSICAL_ADDRESS;
        }
        if args.weight {
            fields |= Fields::WEIGHT;
        }
        if args.call_graph == Some(CallGraph::Dwarf) {
            // Programs that run perf ask for it unasked.
            match Invocation::current() {
                Invocation::Perf => {
                    complain("record", &format!("note: {NO_DWARF}; frame pointers are used"))
                }
                Invocation::Pmu => {
                    let cure = "compile with frame pointers, and use `fp`";
                    return Err(Failure::Usage(format!("{NO_DWARF}; {cure}")));
                }
            }
        }
        if args.callchains || args.call_graph.is_some() {
            fields |= Fields::CALLCHAIN;
        }
        let of_calls = (args.call_graph == Some(CallGraph::Branches)).then_some(CALL_STACK);
        let of_any = args.branch_any.then_some(ANY_BRANCH);
        if let Some(kinds) = of_calls.or(args.branch_filter).or(of_any) {
            fields |= Fields::BRANCHES;
            attr = attr.with_branch_sample_type(kinds);
        }
        if let Some(room) = args.mmap_pages {
            options = options.with_pages(match room {
                Room::Pages(pages) => pages,
                Room::Bytes(bytes) => bytes.div_ceil(page_size()),
            });
        }
        let run = RunArgs::new("record", args.target, args.command);
        if run.subject.is_cpus() {
            fields |= Fields::CPU;
        }
        if args.cgroup.is_some() && !run.subject.is_cpus() {
            let message = "control groups are sampled on whole CPUs: `-a` or `-C`";
            return Err(Failure::Usage(message.into()));
        }
        Ok(Settings {
            options: options.with_fields(fields).with_attr(attr),
            run,
            machine: args.machine,
            events: args.events,
            cgroup: args.cgroup,
            output: args.output,
            file: None,
            is_quiet: args.quiet,
            is_dry_run: args.dry_run,
            times: args.delay,
            control: args.control,
            most: args.max_size,
            clock: args.clockid,
        })
    }

    /// Records for another command of this program, and no longer than it says.
    pub(crate) fn within(mut self, program: &'static str, longest: Option<Duration>) -> Self {
        (self.run.program, self.run.timeout) = (program, longest);
        self
    }

    /// Records into a file that is open.
    pub(crate) fn into_file(self, file: File) -> Self {
        Settings { file: Some(file), ..self }
    }

    /// The options of the sampler.
    pub(crate) fn options(&self, scope: Scope) -> Options {
        let waits_for_exec = self.run.subject == Subject::Command && self.times.is_none();
        self.options.clone().with_scope(scope).with_enable_on_exec(waits_for_exec)
    }
}

const NO_DWARF: &str = "`--call-graph dwarf` copies parts of the stack, which nothing here unwinds";

/// `PERF_SAMPLE_BRANCH_ANY`; the kernel adds the privileges of the event.
const ANY_BRANCH: u64 = 1 << 3;

/// What `perf record --call-graph lbr` asks for: `PERF_SAMPLE_BRANCH_USER`, `_CALL_STACK`,
/// `_NO_CYCLES`, `_NO_FLAGS` and `_HW_INDEX`.
const CALL_STACK: u64 = 1 << 0 | 1 << 11 | 1 << 14 | 1 << 15 | 1 << 17;

const LIMIT: &str = "/proc/sys/kernel/perf_event_max_sample_rate";

/// The most samples a second that the kernel allows.
fn most_samples() -> Option<u64> {
    file::of_procfs(Path::new(LIMIT)).ok()?.trim().parse().ok()
}

fn page_size() -> usize {
    // SAFETY: the call asks for a number and touches no memory.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}
