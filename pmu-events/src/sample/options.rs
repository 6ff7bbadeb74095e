use super::Fields;
use crate::config::Sampling;
use crate::open::{self, Attr, Cgroup, Flag};
use crate::resolve::Resolved;
use crate::system::Scope;

/// What to sample, how often, and what to record.
///
/// ```
/// use pmu_events::Scope;
/// use pmu_events::config::Sampling;
/// use pmu_events::open::{Attr, Flag};
/// use pmu_events::sample::{Fields, Options};
///
/// // All CPUs, 997 times a second, with call chains and what maps the addresses to files.
/// let options = Options::new()
///     .with_scope(Scope::AllCpus)
///     .with_sampling(Sampling::Frequency(997))
///     .with_fields(Options::FIELDS | Fields::CALLCHAIN)
///     .with_attr(Attr::default().with(Flag::Mmap2, true).with(Flag::Comm, true));
/// assert_eq!(options.fields(), Options::FIELDS | Fields::CALLCHAIN);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub(super) open: open::Options,
    sampling: Option<Sampling>,
    fields: Fields,
    attr: Attr,
    pub(super) pages: Option<usize>,
}

/// What tells the events of a buffer apart, in the same place for all.
const APART: Fields = Fields::IDENTIFIER;

/// What tells of tasks and mappings; one event of a buffer records them for all.
const SIDE: [Flag; 14] = [
    Flag::Mmap,
    Flag::MmapData,
    Flag::Mmap2,
    Flag::Comm,
    Flag::CommExec,
    Flag::Task,
    Flag::ContextSwitch,
    Flag::Namespaces,
    Flag::Ksymbol,
    Flag::BpfEvent,
    Flag::Cgroup,
    Flag::TextPoke,
    Flag::BuildId,
    Flag::InheritStat,
];

/// What applies to each event.
const EACH: [Flag; 4] =
    [Flag::Watermark, Flag::UseClockId, Flag::ExcludeCallchainKernel, Flag::ExcludeCallchainUser];

/// What takes the place of modifiers, as for `perf record --all-kernel` and `--all-user`.
const EXCLUDED: [Flag; 2] = [Flag::ExcludeUser, Flag::ExcludeKernel];

/// As `perf record`, which takes so many samples a second where nobody says how many.
const DEFAULT: Sampling = Sampling::Frequency(4000);

impl Options {
    /// The fields that samples have by default: address, thread, time, CPU and period.
    pub const FIELDS: Fields = Fields::from_bits(
        Fields::IP.bits()
            | Fields::TID.bits()
            | Fields::TIME.bits()
            | Fields::CPU.bits()
            | Fields::PERIOD.bits(),
    );

    /// Creates the default options: sample the calling thread without its children, with
    /// [`FIELDS`](Self::FIELDS), as often as the event says or 4000 times a second.
    #[must_use]
    pub fn new() -> Self {
        Options { fields: Self::FIELDS, ..Options::default() }
    }

    /// Sets what is sampled.
    #[must_use]
    pub fn with_scope(self, scope: Scope) -> Self {
        Options { open: self.open.with_scope(scope), ..self }
    }

    /// Sets whether children of a sampled task are sampled as well.
    #[must_use]
    pub fn with_inherit(self, inherit: bool) -> Self {
        Options { open: self.open.with_inherit(inherit), ..self }
    }

    /// Sets whether sampling of a task starts at its next `exec`.
    #[must_use]
    pub fn with_enable_on_exec(self, enable_on_exec: bool) -> Self {
        Options { open: self.open.with_enable_on_exec(enable_on_exec), ..self }
    }

    /// Sets the control group whose tasks are sampled. The [scope](Self::with_scope) must be
    /// CPUs.
    #[must_use]
    pub fn with_cgroup(self, cgroup: Cgroup) -> Self {
        Options { open: self.open.with_cgroup(cgroup), ..self }
    }

    /// Sets when samples are taken, except for events that say so themselves (`period=`,
    /// `freq=`). It goes before the period that a table suggests for an event.
    #[must_use]
    pub fn with_sampling(self, sampling: Sampling) -> Self {
        Options { sampling: Some(sampling), ..self }
    }

    /// Sets the fields of samples. [`Fields::IDENTIFIER`] is added where there are several events,
    /// and [`Fields::PERIOD`] where samples are taken at a frequency, because each then stands for
    /// another number of events.
    #[must_use]
    pub fn with_fields(self, fields: Fields) -> Self {
        Options { fields, ..self }
    }

    /// Sets what else is recorded. Of these attributes, each event takes the registers, the stack
    /// and the branches that [fields](Self::with_fields) ask for, the depth of call chains, the
    /// clock, the kernel or user space that is excluded in place of what events exclude, and when
    /// to wake up a reader, by default when half of the buffer is full. The first event takes the
    /// flags that ask for records of tasks, mappings and the kernel's code.
    #[must_use]
    pub fn with_attr(self, attr: Attr) -> Self {
        Options { attr, ..self }
    }

    /// Sets the length of each buffer in pages: a power of two, to which other numbers are
    /// rounded up. By default a buffer has 512 KiB, or less if the kernel allows less.
    #[must_use]
    pub fn with_pages(self, pages: usize) -> Self {
        Options { pages: Some(pages.max(1).checked_next_power_of_two().unwrap_or(1)), ..self }
    }

    /// Returns the fields of samples.
    #[must_use]
    pub fn fields(&self) -> Fields {
        self.fields
    }

    /// Returns what is sampled.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        self.open.scope()
    }

    /// The attributes of an event, by its number among so many.
    pub(super) fn attr_of(&self, resolved: &Resolved, number: usize, of: usize) -> Attr {
        let own = Attr::from(resolved);
        let asked = self.sampling.filter(|_| resolved.has_default_sampling());
        let sampling = asked.or(own.sampling()).or(self.sampling).unwrap_or(DEFAULT);
        let mut fields = self.fields | Fields::from_bits(own.sample_type());
        if of > 1 {
            fields |= APART;
        }
        if matches!(sampling, Sampling::Frequency(_)) {
            fields |= Fields::PERIOD;
        }
        if resolved.is_tracepoint() {
            fields |= Fields::RAW;
        }
        let asked = &self.attr;
        let if_any = |field: Fields, value: u64| if fields.contains(field) { value } else { 0 };
        let mut attr = own
            .with_sampling(Some(sampling))
            .with_sample_type(fields.bits())
            .with_wakeup(asked.wakeup())
            .with_branch_sample_type(if_any(Fields::BRANCHES, asked.branch_sample_type()))
            .with_sample_regs_user(if_any(Fields::USER_REGISTERS, asked.sample_regs_user()))
            .with_sample_regs_intr(if_any(Fields::INTERRUPTED_REGISTERS, asked.sample_regs_intr()))
            .with_sample_stack_user(
                if_any(Fields::USER_STACK, asked.sample_stack_user().into()) as u32
            )
            .with_sample_max_stack(asked.sample_max_stack())
            .with_clockid(asked.clockid())
            .with(Flag::SampleIdAll, true);
        for flag in EACH {
            attr = attr.with(flag, asked.has(flag));
        }
        if EXCLUDED.iter().any(|flag| asked.has(*flag)) {
            for flag in EXCLUDED {
                attr = attr.with(flag, asked.has(flag));
            }
        }
        for flag in SIDE {
            attr = attr.with(flag, number == 0 && asked.has(flag));
        }
        attr
    }
}
