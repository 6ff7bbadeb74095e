//! Random events.

extern crate std;

use std::vec::Vec;

use crate::*;

/// Pseudo-random numbers that are the same in each run (SplitMix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(super) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    pub(super) fn event(&mut self) -> MeshEvent {
        match self.below(5) {
            0 => MeshEvent::Cycles,
            1 | 2 => self.node_event().into(),
            _ => self.watchpoint().into(),
        }
    }

    fn node_event(&mut self) -> NodeEvent {
        let types: Vec<_> =
            NodeType::ALL.iter().copied().filter(|&node| node != NodeType::Dtc).collect();
        let node = self.one_of(&types);
        let id = self.below(usize::from(NodeEvent::MAX_ID) + 1) as u16;
        let occupancy = self.below(usize::from(NodeEvent::MAX_OCCUPANCY) + 1) as u8;
        let filter2 = self.below(usize::from(NodeEvent::MAX_FILTER2) + 1) as u8;
        let filter2 = if node == NodeType::HnS { filter2 } else { 0 };
        let event = NodeEvent::new(node, id).unwrap().with_occupancy(occupancy).unwrap();
        let event = event.with_filter2(filter2).unwrap();
        match self.below(2) {
            0 => event,
            _ if node == NodeType::Xp => event.at(self.crosspoint()).unwrap(),
            _ => event.at(NodeId::new(self.next() as u16)).unwrap(),
        }
    }

    fn crosspoint(&mut self) -> NodeId {
        NodeId::new(self.next() as u16 & !7)
    }

    fn watchpoint(&mut self) -> Watchpoint {
        let (channel, group) = (self.one_of(Channel::ALL), self.one_of(MatchGroup::ALL));
        let matching = Match::raw(channel, group, self.next(), self.next());
        let direction = self.one_of(&[Direction::Up, Direction::Down]);
        let port = self.below(usize::from(Watchpoint::MAX_PORT) + 1) as u8;
        let combine = self.below(usize::from(Watchpoint::MAX_COMBINE) + 1) as u8;
        let watchpoint = Watchpoint::new(direction, port, matching).unwrap();
        let watchpoint = watchpoint.with_exclusive(self.below(2) == 1);
        let watchpoint = watchpoint.with_combine(combine).unwrap();
        match self.below(2) {
            0 => watchpoint,
            _ => watchpoint.at(self.crosspoint()).unwrap(),
        }
    }
}
