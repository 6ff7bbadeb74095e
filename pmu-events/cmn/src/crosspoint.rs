//! The events of crosspoints themselves.

use core::fmt;

use super::error::{Error, Fault};
use super::parts;

/// What a crosspoint counts on a link.
///
/// ```
/// use pmu_events::cmn::{Crosspoint, Interface, LinkChannel, Signal};
///
/// let stalls = Crosspoint::new(Signal::FlitStall, Interface::East, LinkChannel::Req)?;
/// assert_eq!(stalls.signal(), Signal::FlitStall);
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Signal {
    /// A flit was sent.
    FlitValid = 1,
    /// A flit waited for credit.
    FlitStall = 2,
    /// Data were sent in a partly filled flit.
    PartialData = 3,
}

/// The side of a crosspoint on which flits leave.
///
/// ```
/// use pmu_events::cmn::Interface;
///
/// assert_eq!((Interface::East.port(), Interface::Port1.port()), (None, Some(1)));
/// ```
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

/// The channel of a link: one of CHI's four, the second one of a kind, or the
/// mesh's own.
///
/// ```
/// use pmu_events::cmn::{Crosspoint, Interface, LinkChannel, Signal};
///
/// let crosspoint = Crosspoint::new(Signal::FlitValid, Interface::East, LinkChannel::Dat)?;
/// assert_eq!(crosspoint.channel(), LinkChannel::Dat);
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
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
    /// All signals.
    pub const ALL: &'static [Signal] = &[Signal::FlitValid, Signal::FlitStall, Signal::PartialData];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Signal::FlitValid => "txflit_valid",
            Signal::FlitStall => "txflit_stall",
            Signal::PartialData => "partial_dat_flit",
        }
    }
}

impl Interface {
    /// All interfaces.
    pub const ALL: &'static [Interface] = &[
        Interface::East,
        Interface::West,
        Interface::North,
        Interface::South,
        Interface::Port0,
        Interface::Port1,
        Interface::Port2,
        Interface::Port3,
    ];

    /// Returns the number of the device port, if the interface is one.
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
    /// All channels.
    pub const ALL: &'static [LinkChannel] = &[
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

/// A crosspoint's event: a signal on a channel of an interface.
///
/// The event ID contains all three (`pmu_event0_id` of the register
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
    /// Makes the event of a signal on a channel of an interface.
    ///
    /// # Errors
    ///
    /// Returns an error for [`Signal::PartialData`] on anything but a data
    /// channel of a device port.
    pub const fn new(
        signal: Signal,
        interface: Interface,
        channel: LinkChannel,
    ) -> Result<Self, Error> {
        if matches!(signal, Signal::PartialData)
            && !(interface.port().is_some() && channel.is_data())
        {
            return Err(Error::new(Fault::PartialData));
        }
        Ok(Crosspoint { channel, interface, signal })
    }

    /// Returns the signal that is counted.
    #[must_use]
    pub const fn signal(self) -> Signal {
        self.signal
    }

    /// Returns the interface.
    #[must_use]
    pub const fn interface(self) -> Interface {
        self.interface
    }

    /// Returns the channel.
    #[must_use]
    pub const fn channel(self) -> LinkChannel {
        self.channel
    }

    /// Returns the event ID: signal in bits 0 and 1, interface in bits 2 to 4,
    /// channel in the bits above.
    #[must_use]
    pub const fn event_id(self) -> u16 {
        self.signal as u16 | (self.interface as u16) << 2 | (self.channel as u16) << 5
    }

    /// Decodes an event ID; `None` for one that the driver does not name. (In a
    /// mesh of 1 × 1, IDs have another meaning, which the driver reports when
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

    /// The parts of the driver's name, which are joined by underscores.
    pub(super) const fn name(self) -> [&'static str; 4] {
        ["mxp", self.interface.name(), self.channel.name(), self.signal.name()]
    }
}

/// Displays the driver's name.
impl fmt::Display for Crosspoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parts::join(self.name(), f)
    }
}
