//! `read` of an open event.

use super::event::{Id, State};
use super::{Errno, Kernel};

const TOTAL_TIME_ENABLED: u64 = 1;
const TOTAL_TIME_RUNNING: u64 = 2;
const ID: u64 = 4;
const GROUP: u64 = 8;
const LOST: u64 = 16;

impl Kernel {
    /// Returns the words of a read (`perf_read`): none for an event in error, which is the
    /// end of its file.
    ///
    /// # Errors
    ///
    /// Returns `ENOSPC` if `room`, in words, is too small.
    pub fn read(&mut self, id: Id, room: usize) -> Result<Vec<u64>, Errno> {
        self.calls += 1;
        let event = self.events.get(&id).ok_or(libc::EBADF)?;
        if event.state == State::Error {
            return Ok(Vec::new());
        }
        let format = event.attr.read_format;
        let has = |bit| format & bit != 0;
        let leader = if has(GROUP) { event.leader } else { id };
        let mut all = vec![leader];
        if has(GROUP) {
            all.extend(&self.events[&leader].members);
        }
        let times = self.total(leader);
        let times = [(TOTAL_TIME_ENABLED, times.enabled), (TOTAL_TIME_RUNNING, times.running)];
        let times = times.into_iter().filter(|&(bit, _)| has(bit)).map(|(_, time)| time);
        let of_member = |id: Id| {
            let further =
                [(ID, id), (LOST, self.lost(id))].into_iter().filter(|&(bit, _)| has(bit));
            (self.total(id).value, further.map(|(_, word)| word))
        };
        let mut words: Vec<u64> = Vec::new();
        if has(GROUP) {
            words.push(all.len() as u64);
            words.extend(times);
            for id in all {
                let (value, further) = of_member(id);
                words.push(value);
                words.extend(further);
            }
        } else {
            let (value, further) = of_member(id);
            words.push(value);
            words.extend(times);
            words.extend(further);
        }
        if words.len() > room { Err(libc::ENOSPC) } else { Ok(words) }
    }
}
