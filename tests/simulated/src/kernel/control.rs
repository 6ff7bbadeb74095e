//! The ioctls of an open event, and closing it.

use super::event::{Context, Counted, Id, State};
use super::{Errno, Kernel};

/// What an ioctl asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `PERF_EVENT_IOC_ENABLE`
    Enable,
    /// `PERF_EVENT_IOC_DISABLE`
    Disable,
    /// `PERF_EVENT_IOC_RESET`
    Reset,
}

impl Kernel {
    /// Enables, disables or resets an event, or all members of its group.
    ///
    /// # Errors
    ///
    /// Returns the error number that Linux gives.
    pub fn control(&mut self, id: Id, control: Control, whole_group: bool) -> Result<(), Errno> {
        self.calls += 1;
        let leader = self.events.get(&id).ok_or(libc::EBADF)?.leader;
        let mut all = vec![id];
        if whole_group {
            all = vec![leader];
            all.extend(&self.events[&leader].members);
        }
        for id in all {
            // Inherited events of running tasks obey as well (`perf_event_for_each_child`).
            for id in [id].into_iter().chain(self.events[&id].children.clone()) {
                self.control_one(id, control);
            }
        }
        self.reschedule();
        Ok(())
    }

    fn control_one(&mut self, id: Id, control: Control) {
        let Some(event) = self.events.get_mut(&id) else { return };
        match control {
            // An event in error is tried again (`_perf_event_enable`).
            Control::Enable if event.state >= State::Error => event.state = State::On,
            Control::Disable if event.state == State::On => event.state = State::Off,
            // The times stay, and so does what ended children have counted
            // (`_perf_event_reset`).
            Control::Reset => event.counted.value = 0,
            Control::Enable | Control::Disable => {}
        }
    }

    /// Closes an event. The other members of a group that it led go on alone.
    pub fn close(&mut self, id: Id) {
        let Some(event) = self.events.get(&id) else { return };
        for child in event.children.clone() {
            self.detach(child);
            self.events.remove(&child);
        }
        self.detach(id);
        self.events.remove(&id);
        self.reschedule();
    }

    /// Takes an event out of its group (`perf_group_detach`).
    pub(super) fn detach(&mut self, id: Id) {
        let Some(event) = self.events.get_mut(&id) else { return };
        let (leader, members) = (event.leader, std::mem::take(&mut event.members));
        event.leader = id;
        if leader != id {
            if let Some(leader) = self.events.get_mut(&leader) {
                leader.members.retain(|&member| member != id);
            }
            return;
        }
        for member in members {
            if let Some(member_event) = self.events.get_mut(&member) {
                member_event.leader = member;
            }
        }
    }

    /// Adds what an inherited event has counted to the one that it comes from.
    pub(super) fn sync_to_parent(&mut self, id: Id) {
        let Some(event) = self.events.get(&id) else { return };
        let (Some(parent), mut counted) = (event.parent, event.counted) else { return };
        let lost = event.sampling.lost;
        counted.add(event.of_ended);
        if let Some(parent) = self.events.get_mut(&parent) {
            parent.of_ended.add(counted);
            parent.sampling.lost += lost;
            parent.children.retain(|&child| child != id);
        }
    }

    /// The events in the context of a task.
    pub(super) fn of_task(&self, task: u32) -> Vec<Id> {
        let is_its = |context| context == Context::Task(task);
        let own = self.events.iter().filter(|(_, event)| is_its(event.context));
        own.map(|(&id, _)| id).collect()
    }

    /// The count of an event with all that it has inherited.
    pub(super) fn total(&self, id: Id) -> Counted {
        let event = &self.events[&id];
        let mut total = event.counted;
        total.add(event.of_ended);
        event.children.iter().for_each(|child| total.add(self.events[child].counted));
        total
    }
}
