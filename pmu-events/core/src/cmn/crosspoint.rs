//! What a crosspoint counts of itself.

use core::fmt;

use super::error::{Error, ErrorKind};
use super::parts;

/// What a crosspoint counts on one of its links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Signal {
    /// A flit was sent.
    FlitValid = 1,
    /// A flit waited for credit.
    FlitStall = 2,
    /// Data were sent in a flit that was not full.
    PartialData = 3,
}

/// The side of a crosspoint on which flits leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Interface {
    /// To the crosspoint in the east.
    East = 0,
    /// To the crosspoint in the west.
    West = 1,
    /// To the crosspoint in the north.
    North = 2,
    /// To the crosspoint in the south.
    South = 3,
    /// To the devices of port 0.
    Port0 = 4,
    /// To the devices of port 1.
    Port1 = 5,
    /// To the devices of port 2.
    Port2 = 6,
    /// To the devices of port 3.
    Port3 = 7,
}

/// The channel of a link: one of CHI's four, a second one of them, or the
/// mesh's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum LinkChannel {
    /// Requests.
    Req = 0,
    /// Responses.
    Rsp = 1,
    /// Snoops.
    Snp = 2,
    /// Data.
    Dat = 3,
    /// The mesh's own messages; CMN-600 has none.
    Pub = 4,
    /// The second channel of responses, on meshes that have two.
    Rsp2 = 5,
    /// The second channel of data.
    Dat2 = 6,
    /// The second channel of requests.
    Req2 = 7,
    /// The second channel of snoops.
    Snp2 = 8,
}

impl Signal {
    /// All of them.
    pub const ALL: [Signal; 3] = [Signal::FlitValid, Signal::FlitStall, Signal::PartialData];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Signal::FlitValid => "txflit_valid",
            Signal::FlitStall => "txflit_stall",
            Signal::PartialData => "partial_dat_flit",
        }
    }
}

impl Interface {
    /// All of them.
    pub const ALL: [Interface; 8] = [
        Interface::East,
        Interface::West,
        Interface::North,
        Interface::South,
        Interface::Port0,
        Interface::Port1,
        Interface::Port2,
        Interface::Port3,
    ];

    /// The number of its device port, if it is one.
    #[must_use]
    pub const fn port(self) -> Option<u8> {
        (self as u8).checked_sub(Interface::Port0 as u8)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Interface::East => "e",
            Interface::West => "w",
            Interface::North => "n",
            Interface::South => "s",
            Interface::Port0 => "p0",
            Interface::Port1 => "p1",
            Interface::Port2 => "p2",
            Interface::Port3 => "p3",
        }
    }
}

impl LinkChannel {
    /// All of them.
    pub const ALL: [LinkChannel; 9] = [
        LinkChannel::Req,
        LinkChannel::Rsp,
        LinkChannel::Snp,
        LinkChannel::Dat,
        LinkChannel::Pub,
        LinkChannel::Rsp2,
        LinkChannel::Dat2,
        LinkChannel::Req2,
        LinkChannel::Snp2,
    ];

    const fn is_data(self) -> bool {
        matches!(self, LinkChannel::Dat | LinkChannel::Dat2)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            LinkChannel::Req => "req",
            LinkChannel::Rsp => "rsp",
            LinkChannel::Snp => "snp",
            LinkChannel::Dat => "dat",
            LinkChannel::Pub => "pub",
            LinkChannel::Rsp2 => "rsp2",
            LinkChannel::Dat2 => "dat2",
            LinkChannel::Req2 => "req2",
            LinkChannel::Snp2 => "snp2",
        }
    }
}

/// A crosspoint's event: a signal on a channel of an interface, all three of
/// which are in the event id (`pmu_event0_id` of the register
/// `por_mxp_pmu_event_sel`; `_CMN_EVENT_XP` in `drivers/perf/arm-cmn.c`).
///
/// ```
/// use pmu_events::cmn::{Crosspoint, Interface, LinkChannel, Signal};
/// let stalls = Crosspoint::new(Signal::FlitStall, Interface::Port1, LinkChannel::Dat)?;
/// assert_eq!(stalls.event_id(), 0x76); // 011 101 10
/// assert_eq!(stalls.to_string(), "mxp_p1_dat_txflit_stall");
/// assert_eq!(Crosspoint::of_event_id(0x76), Some(stalls));
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crosspoint {
    channel: LinkChannel,
    interface: Interface,
    signal: Signal,
}

impl Crosspoint {
    /// A signal on a channel of an interface.
    ///
    /// # Errors
    ///
    /// For [`Signal::PartialData`] on anything but a data channel of a device
    /// port.
    pub const fn new(
        signal: Signal,
        interface: Interface,
        channel: LinkChannel,
    ) -> Result<Self, Error> {
        if matches!(signal, Signal::PartialData)
            && !(interface.port().is_some() && channel.is_data())
        {
            return Err(Error::new(ErrorKind::PartialData));
        }
        Ok(Crosspoint { channel, interface, signal })
    }

    /// What it counts.
    #[must_use]
    pub const fn signal(self) -> Signal {
        self.signal
    }

    /// On which side.
    #[must_use]
    pub const fn interface(self) -> Interface {
        self.interface
    }

    /// On which channel.
    #[must_use]
    pub const fn channel(self) -> LinkChannel {
        self.channel
    }

    /// The event id: signal in bits 0 and 1, interface in bits 2 to 4, channel
    /// above.
    #[must_use]
    pub const fn event_id(self) -> u16 {
        self.signal as u16 | (self.interface as u16) << 2 | (self.channel as u16) << 5
    }

    /// What an event id says; `None` for one that the driver does not name.
    /// (In a mesh of 1 × 1 ids mean something else, and the driver says so when
    /// it starts.)
    #[must_use]
    pub const fn of_event_id(id: u16) -> Option<Self> {
        let signal = match id & 3 {
            1 => Signal::FlitValid,
            2 => Signal::FlitStall,
            3 => Signal::PartialData,
            _ => return None,
        };
        let interface = Interface::ALL[(id >> 2 & 7) as usize];
        let channel = (id >> 5) as usize;
        if channel >= LinkChannel::ALL.len() {
            return None;
        }
        match Self::new(signal, interface, LinkChannel::ALL[channel]) {
            Ok(crosspoint) => Some(crosspoint),
            Err(_) => None,
        }
    }

    /// The parts of the driver's name for it, which underscores join.
    pub(super) const fn name(self) -> [&'static str; 4] {
        ["mxp", self.interface.name(), self.channel.name(), self.signal.name()]
    }
}

/// The driver's name for it.
impl fmt::Display for Crosspoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parts::join(self.name(), f)
    }
}
