//! Decoding config words and texts into typed events.

use core::fmt;

use super::channel::{Channel, MatchGroup};
use super::error::{Error, Fault};
use super::event::{MeshEvent, NodeEvent};
use super::matching::Match;
use super::named::{self, Named, PARAMETERS};
use super::node::NodeType;
use super::node_id::NodeId;
use super::watchpoint::{Direction, Watchpoint};
use pmu_events_core::builtin;
use pmu_events_core::config;
use pmu_events_core::format::{Format, Formats, Words};
use pmu_events_core::term::{Term, Terms};

impl MeshEvent {
    /// Decodes config words in the format common to all drivers so far
    /// ([`builtin::ARM_CMN`]).
    ///
    /// ```
    /// use pmu_events::cmn::MeshEvent;
    /// use pmu_events::format::{Word, Words};
    /// assert_eq!(MeshEvent::decode(Words::new(0xdead_0003)), Ok(MeshEvent::Cycles));
    /// let event = MeshEvent::decode(Words::new(0x8010_0005)).unwrap();
    /// assert_eq!(event.to_string(), "type=0x5,eventid=0x10,bynodeid=1,nodeid=0x0");
    /// let error = MeshEvent::decode(Words::new(0x5).with(Word::Config1, 1)).unwrap_err();
    /// assert_eq!(error.to_string(), "`wp_val`: the event does not have this term");
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for words that the kernel would reject (an unknown node
    /// type, an invalid direction), and for bits that it would ignore, which
    /// indicate a mistake: fields of watchpoints in other events, `nodeid`
    /// without `bynodeid`. For the cycle counter, only the type is significant.
    pub const fn decode(words: Words) -> Result<Self, Error> {
        let bits = Bits { words, formats: builtin::ARM_CMN };
        let kind = bits.get("type") as u16;
        if kind == NodeType::Dtc.code() {
            return Ok(MeshEvent::Cycles);
        }
        if let Err(error) = bits.check(kind) {
            return Err(error);
        }
        let id = bits.get("eventid") as u16;
        let node = match (bits.get("bynodeid"), bits.get("nodeid") as u16) {
            (0, 0) => None,
            (0, _) => return Err(Error::new(Fault::Stray("nodeid"))),
            (_, id) => Some(NodeId::new(id)),
        };
        if kind == Watchpoint::TYPE {
            return match bits.watchpoint(id, node) {
                Ok(watchpoint) => Ok(MeshEvent::Watchpoint(watchpoint)),
                Err(error) => Err(error),
            };
        }
        let Some(nodes) = NodeType::of_code(kind) else {
            return Err(Error::new(Fault::NodeType(kind)));
        };
        match bits.node_event(nodes, id, node) {
            Ok(event) => Ok(MeshEvent::Node(event)),
            Err(error) => Err(error),
        }
    }

    /// Parses an event string: either numbers as perf writes them
    /// (`type=0x5,eventid=0x1`), or one of the driver's names with further
    /// terms.
    ///
    /// ```
    /// use pmu_events::cmn::{MeshEvent, named};
    /// let misses = MeshEvent::parse("hnf_cache_miss").unwrap();
    /// assert_eq!(Some(misses), named::event("hnf_cache_miss"));
    /// let one = MeshEvent::parse("hnf_cache_miss,bynodeid=1,nodeid=0x20").unwrap();
    /// assert_eq!(one.words().config(), 0x20_8001_0005);
    ///
    /// // The number of a filter, by the names of Linux 6.12 and of Linux 7.3.
    /// let by_write = named::event("hnf_qos_pocq_occupancy_write").unwrap();
    /// assert_eq!(MeshEvent::parse("type=0x5,eventid=0xf,occupid=0x2"), Ok(by_write));
    /// assert_eq!(MeshEvent::parse("type=0x5,eventid=0xf,filter=0x2"), Ok(by_write));
    ///
    /// let error = MeshEvent::parse("hnf_cache_miss,nodeid=0x20").unwrap_err();
    /// assert_eq!(error.to_string(), "`nodeid`: the event does not have this term");
    /// let error = MeshEvent::parse("watchpoint_up,wp_dev_sel=0").unwrap_err();
    /// assert_eq!(error.to_string(), "`wp_chn_sel`: a term of the watchpoint is missing");
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a term that is not a mesh's or is too large, and in
    /// the same cases as [`MeshEvent::decode`]. A sampling period is rejected,
    /// as it is by the kernel.
    pub fn parse(text: &str) -> Result<Self, ParseError<'_>> {
        let terms = Terms::new(text);
        let mut words = Words::NONE;
        let mut names = terms.clone().filter_map(name_of);
        if let Some(named) = names.next() {
            if names.next().is_some() {
                return Err(ParseError::new(ParseFault::TwoNames));
            }
            words = match named.event() {
                Some(event) => event.words(),
                None => watchpoint_words(named, &terms)?,
            };
        }
        let others = terms.clone().filter(|&term| name_of(term).is_none());
        let find = |term: &str| builtin::ARM_CMN.find(term);
        let encoded = config::encode_with(others, find)
            .map_err(|error| ParseError::new(ParseFault::Term(error)))?;
        if encoded.attributes().sampling().is_some() {
            return Err(Error::new(Fault::Sampling).into());
        }
        words = words.union(encoded.words());
        let kind = Bits { words, formats: builtin::ARM_CMN }.get("type") as u16;
        match stray(kind, &terms) {
            Some(term) => Err(Error::new(Fault::Stray(term)).into()),
            None => Ok(MeshEvent::decode(words)?),
        }
    }
}

/// The first term that an event of the type does not have, whatever its value:
/// filters and terms of watchpoints share their bits.
fn stray(kind: u16, terms: &Terms<'_>) -> Option<&'static str> {
    let known = builtin::ARM_CMN.as_slice().iter().map(|&(term, _)| term);
    known.filter(|term| !is_of_type(term, kind)).find(|term| terms.last_named(term).is_some())
}

/// Whether events of a type have a term.
const fn is_of_type(term: &str, kind: u16) -> bool {
    let is_of_watchpoints = matches!(term.as_bytes(), [b'w', b'p', b'_', ..]);
    match NodeType::of_code(kind) {
        // Its driver looks at nothing else.
        Some(NodeType::Dtc) => true,
        _ if kind == Watchpoint::TYPE => {
            !matches!(term.as_bytes(), b"occupid" | b"filter" | b"filter2")
        }
        Some(node) if matches!(term.as_bytes(), b"filter2") => node.has_filter2(),
        _ => !is_of_watchpoints,
    }
}

/// The event of a term without a value, which is a name rather than a format's
/// term.
fn name_of(term: Term<'_>) -> Option<Named> {
    let is_alone = term.value().is_none() && builtin::ARM_CMN.find(term.name()).is_none();
    if is_alone { named::find(term.name()) } else { None }
}

/// The words of a watchpoint's name, whose parameters must be specified.
fn watchpoint_words(named: Named, terms: &Terms<'_>) -> Result<Words, Error> {
    if let Some(missing) = PARAMETERS.into_iter().find(|name| terms.last_named(name).is_none()) {
        return Err(Error::new(Fault::Missing(missing)));
    }
    let direction = named.watchpoint().map_or(0, |direction| direction as u64);
    Ok(Words::new(u64::from(Watchpoint::TYPE) | direction << 16))
}

/// Config words, decoded with formats.
#[derive(Clone, Copy)]
struct Bits {
    words: Words,
    formats: Formats<'static>,
}

impl Bits {
    const fn get(self, term: &str) -> u64 {
        match self.formats.find(term) {
            Some(format) => format.value_in(self.words),
            None => 0,
        }
    }

    /// Checks that only bits of the terms of this type are set.
    const fn check(self, kind: u16) -> Result<(), Error> {
        let mut allowed = Words::NONE;
        let mut stray = None;
        let mut terms = self.formats.as_slice();
        while let Some((&(term, format), rest)) = terms.split_first() {
            // Filters lie within terms of watchpoints.
            if kind == Watchpoint::TYPE || is_of_type(term, kind) {
                allowed = allowed.union(Words::NONE.with(format.word(), format.mask()));
            } else if stray.is_none()
                && self.is_set_beyond(format, allowed)
                // Its bits are those of `wp_dev_sel`, which all drivers have.
                && !matches!(term.as_bytes(), b"filter2")
            {
                stray = Some(term);
            }
            terms = rest;
        }
        if let Some(term) = stray {
            return Err(Error::new(Fault::Stray(term)));
        }
        if !self.words.without(allowed).is_empty() {
            return Err(Error::new(Fault::UnknownBits));
        }
        Ok(())
    }

    const fn is_set_beyond(self, format: Format, allowed: Words) -> bool {
        format.mask() & self.words.without(allowed).get(format.word()) != 0
    }

    const fn node_event(
        self,
        nodes: NodeType,
        id: u16,
        node: Option<NodeId>,
    ) -> Result<NodeEvent, Error> {
        let event = match NodeEvent::new(nodes, id) {
            Ok(event) => event,
            Err(error) => return Err(error),
        };
        let event = match event.with_occupancy(self.get("occupid") as u8) {
            Ok(event) => event.with_filter2(self.get("filter2") as u8),
            error => error,
        };
        match (event, node) {
            (Ok(event), Some(node)) => event.at(node),
            (event, _) => event,
        }
    }

    const fn watchpoint(self, id: u16, node: Option<NodeId>) -> Result<Watchpoint, Error> {
        let direction = match id {
            0 => Direction::Up,
            2 => Direction::Down,
            _ => return Err(Error::new(Fault::Direction(id))),
        };
        let (channel, group) = (self.get("wp_chn_sel") as usize, self.get("wp_grp") as usize);
        if channel >= Channel::ALL.len() {
            return Err(Error::new(Fault::Channel(channel as u8)));
        }
        if group >= MatchGroup::ALL.len() {
            return Err(Error::new(Fault::MatchGroup(group as u8)));
        }
        let (value, mask) = (self.get("wp_val"), self.get("wp_mask"));
        let matching = Match::raw(Channel::ALL[channel], MatchGroup::ALL[group], value, mask);
        let port = self.get("wp_dev_sel") as u8;
        let watchpoint = match Watchpoint::new(direction, port, matching) {
            Ok(watchpoint) => watchpoint.with_exclusive(self.get("wp_exclusive") != 0),
            Err(error) => return Err(error),
        };
        match (watchpoint.with_combine(self.get("wp_combine") as u8), node) {
            (Ok(watchpoint), Some(node)) => watchpoint.at(node),
            (watchpoint, _) => watchpoint,
        }
    }
}

/// The error for a text that is not an event of a mesh.
///
/// ```
/// use pmu_events::cmn::MeshEvent;
///
/// let error = MeshEvent::parse("type=0x5,eventid=0xfffff").unwrap_err();
/// println!("{error}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ParseError<'a> {
    fault: ParseFault<'a>,
}

/// The reason why a text is not an event of a mesh.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ParseFault<'a> {
    /// An unknown term, or a value that the term cannot have.
    Term(config::Error<'a>),
    /// Two names of events.
    TwoNames,
    /// Terms that are valid on their own but not together.
    Event(Error),
}

impl<'a> ParseError<'a> {
    const fn new(fault: ParseFault<'a>) -> Self {
        ParseError { fault }
    }
}

impl From<Error> for ParseError<'_> {
    fn from(error: Error) -> Self {
        ParseError::new(ParseFault::Event(error))
    }
}

impl fmt::Display for ParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            ParseFault::Term(error) => error.fmt(f),
            ParseFault::TwoNames => f.write_str("two events in one event string"),
            ParseFault::Event(error) => error.fmt(f),
        }
    }
}

pmu_events_core::__private::debug_as_display!(ParseError<'_>);

/// There is no source: the message already contains what it would say.
impl core::error::Error for ParseError<'_> {}
