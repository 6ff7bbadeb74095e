//! `perf_event_open`.

use super::event::{self, Context, Counted, Event, Id, Sampling, State};
use super::{Errno, Kernel, sampling};
use crate::attr::Attr;
use crate::world::{Group, Kind, Tid};

/// The arguments of the system call.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The attributes.
    pub attr: &'r Attr,
    /// The task; `None` for all that run on the CPU.
    pub task: Option<Tid>,
    /// The CPU; `None` for all.
    pub cpu: Option<u32>,
    /// The leader of its group.
    pub leader: Option<Id>,
    /// The control group.
    pub group: Option<Group>,
}

impl Kernel {
    /// Opens an event.
    ///
    /// # Errors
    ///
    /// Returns the error number that Linux gives.
    pub fn open(&mut self, request: &Request<'_>) -> Result<Id, Errno> {
        self.calls += 1;
        if let Some(errno) = self.refusal.as_mut().and_then(|refuses| refuses(request)) {
            return Err(errno);
        }
        let Request { attr, cpu, leader, group, .. } = *request;
        self.check_event(attr)?;
        let context = self.context(request)?;
        if let Some(leader) = leader {
            self.check_member(attr, context, request, leader)?;
        } else {
            self.check_fits(&[(attr.type_, attr.config)])?;
        }
        let id = self.next;
        self.next += 1;
        let state = if attr.is_disabled() { State::Off } else { State::On };
        let only_on = cpu.filter(|_| matches!(context, Context::Task(_)));
        // Far enough from 0, below which nothing counts.
        let first = if self.is_backwards(attr) { 1 << 40 } else { 0 };
        let event = Event {
            attr: *attr,
            context,
            only_on,
            group,
            leader: leader.unwrap_or(id),
            members: Vec::new(),
            turn: id,
            state,
            is_active: false,
            starts_on_exec: attr.starts_on_exec(),
            counted: Counted { value: first, ..Counted::default() },
            of_ended: Counted::default(),
            parent: None,
            children: Vec::new(),
            sampling: Sampling { left: attr.sample.max(1), ..Sampling::default() },
        };
        self.events.insert(id, event);
        if let Some(leader) = leader.and_then(|leader| self.events.get_mut(&leader)) {
            leader.members.push(id);
        }
        self.reschedule();
        Ok(id)
    }

    pub(super) fn is_backwards(&self, attr: &Attr) -> bool {
        let kind = Kind { type_: attr.type_, config: attr.config, config1: attr.config1 };
        self.backwards.contains(&kind)
    }

    /// Whether there is such an event at all (`perf_init_event`, `event_init` of drivers).
    fn check_event(&self, attr: &Attr) -> Result<(), Errno> {
        if attr.sample > 0 && !sampling::is_known(attr.sample_type) {
            return Err(libc::EINVAL);
        }
        if event::is_software(attr) {
            return if event::is_known_software(attr) { Ok(()) } else { Err(libc::ENOENT) };
        }
        let pmu = self.machine.pmu_of(attr.type_, attr.config).ok_or(libc::ENOENT)?;
        // `PERF_PMU_CAP_NO_EXCLUDE`, `PERF_PMU_CAP_NO_INTERRUPT`, `x86_pmu_hw_config`
        match (pmu.is_core, attr.excludes_anything(), attr.sample, pmu.precise) {
            (false, true, ..) => Err(libc::EINVAL),
            (_, _, 1.., None) => Err(libc::EOPNOTSUPP),
            (_, _, 1.., Some(most)) if attr.precise() > most => Err(libc::EOPNOTSUPP),
            _ => Ok(()),
        }
    }

    fn context(&self, request: &Request<'_>) -> Result<Context, Errno> {
        let Request { attr, task, cpu, group, .. } = *request;
        if let Some(cpu) = cpu {
            match self.online.contains(&cpu) {
                _ if cpu >= self.machine.cpus => return Err(libc::EINVAL),
                false => return Err(libc::ENODEV),
                true => {}
            }
        }
        let pmu =
            self.machine.pmu_of(attr.type_, attr.config).filter(|_| !event::is_software(attr));
        match (task, cpu) {
            (None, None) => Err(libc::EINVAL),
            (Some(_), _) if group.is_some() => Err(libc::EINVAL),
            (Some(_), _) if pmu.is_some_and(|pmu| !pmu.is_core) => Err(libc::EINVAL),
            (Some(task), _) => {
                let is_alive = self.world.tasks.get(&task).is_some_and(|task| task.is_alive);
                if is_alive { Ok(Context::Task(task)) } else { Err(libc::ESRCH) }
            }
            (None, Some(_)) if group.is_some() && pmu.is_some_and(|pmu| !pmu.is_core) => {
                Err(libc::EINVAL)
            }
            (None, Some(cpu)) => match pmu.is_none_or(|pmu| pmu.has_cpu(cpu)) {
                true => Ok(Context::Cpu(cpu)),
                false => Err(libc::ENOENT),
            },
        }
    }

    /// The rules of groups in `perf_event_open`, and `validate_group` of x86.
    fn check_member(
        &self,
        attr: &Attr,
        context: Context,
        request: &Request<'_>,
        leader: Id,
    ) -> Result<(), Errno> {
        let Some(leading) = self.events.get(&leader) else { return Err(libc::EBADF) };
        let only_on = request.cpu.filter(|_| matches!(context, Context::Task(_)));
        let is_together = leading.leader == leader
            && leading.context == context
            && leading.only_on == only_on
            && leading.group == request.group
            && leading.state != State::Exit;
        let is_alike = leading.attr.inherits() == attr.inherits();
        if !is_together || !is_alike || attr.is_pinned() || attr.is_exclusive() {
            return Err(libc::EINVAL);
        }
        let mut hardware: Vec<(u32, u64)> = Vec::new();
        let members = leading.members.iter().filter_map(|id| self.events.get(id));
        for attr in [leading].into_iter().chain(members).map(|event| &event.attr).chain([attr]) {
            if !event::is_software(attr) {
                hardware.push((attr.type_, attr.config));
            }
        }
        self.check_fits(&hardware)
    }

    /// Whether a group fits its PMU when nothing else is there. Members of two PMUs cannot
    /// be scheduled together.
    fn check_fits(&self, events: &[(u32, u64)]) -> Result<(), Errno> {
        let pmu = |&(type_, config): &(u32, u64)| self.machine.pmu_of(type_, config);
        let Some(first) = events.first().and_then(pmu) else { return Ok(()) };
        let is_same = |event| pmu(event).is_some_and(|pmu| pmu.type_ == first.type_);
        let configs: Vec<u64> = events.iter().map(|&(_, config)| config).collect();
        match events.iter().all(is_same) && first.fits(&configs, 0) {
            true => Ok(()),
            false => Err(libc::EINVAL),
        }
    }
}
