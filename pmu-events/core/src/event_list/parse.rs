//! The grammar of events and groups.

use super::error::{Error, Expected, Fault, Span};
use super::event::{Breakpoint, EventKind, EventRef};
use super::item::{GroupRef, ListItem};
use super::lexer::{Cursor, Meaning, Word};
use super::modifier::{self, Modifier, Modifiers};
use super::term::{TermList, TermRef};
use super::term_kind::TermPlace;
use super::visitor::Visitor;

/// Validates a whole text in one pass.
pub(super) fn list<'a>(text: &'a str, visitor: &mut impl Visitor<'a>) -> Result<(), Error> {
    let mut cursor = Cursor::new(text, 0);
    loop {
        item(&mut cursor, visitor)?;
        if cursor.eat(b',').is_none() {
            break;
        }
    }
    match cursor.peek() {
        None => Ok(()),
        Some(_) => Err(after_event(&mut cursor, Expected::ItemEnd)),
    }
}

/// Reads an event or a group.
pub(super) fn item<'a>(
    cursor: &mut Cursor<'a>,
    visitor: &mut impl Visitor<'a>,
) -> Result<ListItem<'a>, Error> {
    if cursor.peek() == Some(b'{') {
        return group(cursor, None, visitor).map(ListItem::Group);
    }
    let start = *cursor;
    if cursor.at_word() {
        let name = cursor.event_word(Expected::Item)?;
        if cursor.peek() == Some(b'{') {
            return group(cursor, Some(name), visitor).map(ListItem::Group);
        }
        *cursor = start;
    } else {
        return Err(match cursor.peek() {
            Some(b'}') => Error::at(Fault::UnopenedGroup, here(cursor)),
            _ => cursor.unexpected(Expected::Item),
        });
    }
    event(cursor, visitor).map(ListItem::Event)
}

fn group<'a>(
    cursor: &mut Cursor<'a>,
    name: Option<Word<'a>>,
    visitor: &mut impl Visitor<'a>,
) -> Result<GroupRef<'a>, Error> {
    let Some(open) = cursor.eat(b'{') else {
        return Err(cursor.unexpected(Expected::Item));
    };
    if let Some(name) = name {
        // perf's grammar only allows its token for names here.
        if !name.is_quoted() && !matches!(Meaning::of(name), Meaning::Name) {
            return Err(Error::at(Fault::GroupName, name.span()));
        }
    }
    let mut len = 0;
    let mut most_precise = 0;
    let close = loop {
        if cursor.peek() == Some(b'{') {
            return Err(Error::at(Fault::NestedGroup, here(cursor)));
        }
        if cursor.peek().is_none() {
            return Err(Error::at(Fault::UnclosedGroup, open));
        }
        let event = event(cursor, visitor)?;
        len += 1;
        most_precise = most_precise.max(event.modifiers.precise());
        if cursor.eat(b',').is_some() {
            continue;
        }
        if let Some(close) = cursor.eat(b'}') {
            break close;
        }
        return Err(match cursor.peek() {
            None => Error::at(Fault::UnclosedGroup, open),
            // The preceding event was the name of another group.
            Some(b'{') => Error::at(Fault::NestedGroup, here(cursor)),
            Some(_) => after_event(cursor, Expected::MemberEnd),
        });
    };
    let mut end = close.end;
    let mut modifiers = Modifiers::NONE;
    let mut modifiers_span = Span::new(end, end);
    if cursor.eat(b':').is_some() {
        let word = cursor.event_word(Expected::Modifiers)?;
        modifiers = Modifiers::parse_at(word.source, word.start)?;
        modifiers_span = word.span();
        end = modifiers_span.end;
        if modifier::too_precise(modifiers, most_precise) {
            return Err(Error::at(Fault::TooPreciseInGroup, modifiers_span));
        }
    }
    let start = name.map_or(open.start, |name| name.start);
    let group = GroupRef {
        text: cursor.text(),
        span: Span::new(start, end),
        name,
        first: open.end,
        len,
        modifiers,
        modifiers_span,
    };
    visitor.group(group);
    Ok(group)
}

/// Where modifiers may follow the closing slash of terms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slash {
    /// Directly after it.
    Direct,
    /// Directly after it, or after a `:` that follows it.
    OrColon,
}

/// Reads an event.
pub(super) fn event<'a>(
    cursor: &mut Cursor<'a>,
    visitor: &mut impl Visitor<'a>,
) -> Result<EventRef<'a>, Error> {
    let word = cursor.event_word(Expected::Event)?;
    let meaning = if word.is_quoted() { Meaning::Name } else { Meaning::of(word) };
    let (kind, place, slash) = match meaning {
        Meaning::Hardware(event) => (EventKind::Hardware(event), TermPlace::Generic, Slash::Direct),
        Meaning::Software(event) => (EventKind::Software(event), TermPlace::Generic, Slash::Direct),
        Meaning::Tool(event) => (EventKind::Tool(event), TermPlace::Tool, Slash::Direct),
        Meaning::Cache(spelling) => {
            let event = spelling.event().map_err(|kind| Error::at(kind, word.span()))?;
            // The terms may turn out to belong to a PMU that has an event of
            // this name.
            (EventKind::Cache { name: word.source, event }, TermPlace::Pmu, Slash::OrColon)
        }
        Meaning::Raw(config) => (EventKind::Raw { config }, TermPlace::Generic, Slash::OrColon),
        Meaning::Number(r#type) => {
            (numeric(cursor, word, r#type)?, TermPlace::Generic, Slash::OrColon)
        }
        Meaning::Name if word.source == "mem" && cursor.peek() == Some(b':') => {
            (EventKind::Breakpoint(breakpoint(cursor)?), TermPlace::Generic, Slash::OrColon)
        }
        Meaning::Name => match tracepoint(cursor)? {
            Some(event) => {
                let event = EventKind::Tracepoint { system: word.text(), event };
                (event, TermPlace::Tracepoint, Slash::OrColon)
            }
            None if cursor.peek() == Some(b'/') => {
                (EventKind::Pmu(word.text()), TermPlace::Pmu, Slash::Direct)
            }
            None => (EventKind::Name(word.text()), TermPlace::Pmu, Slash::Direct),
        },
        Meaning::Modifiers => {
            *cursor = Cursor::new(cursor.text(), word.start);
            return Err(cursor.unexpected(Expected::Event));
        }
    };
    let head = Span::new(word.start, cursor.at());
    let mut end = cursor.at();

    let mut terms = None;
    if cursor.peek() == Some(b'/') {
        terms = Some(between_slashes(cursor, place, visitor)?);
        end = cursor.at();
    }
    let mut modifiers = Modifiers::NONE;
    let mut modifiers_span = Span::new(end, end);
    let colon = if terms.is_none() || slash == Slash::OrColon { cursor.eat(b':') } else { None };
    if let Some(colon) = colon {
        end = colon.end;
    }
    if (colon.is_some() || terms.is_some()) && cursor.at_word() {
        let word = cursor.event_word(Expected::Modifiers)?;
        modifiers = Modifiers::parse_at(word.source, word.start)?;
        modifiers_span = word.span();
        end = modifiers_span.end;
        if modifiers.contains(Modifier::Weak) {
            return Err(Error::at(Fault::WeakEvent, modifiers_span));
        }
    }
    let span = Span::new(word.start, end);
    let text = cursor.text();
    let membership = None;
    let event = EventRef { text, span, head, kind, terms, modifiers, modifiers_span, membership };
    visitor.event(event);
    Ok(event)
}

/// Reads `/terms/`.
fn between_slashes<'a>(
    cursor: &mut Cursor<'a>,
    place: TermPlace,
    visitor: &mut impl Visitor<'a>,
) -> Result<TermList<'a>, Error> {
    let Some(open) = cursor.eat(b'/') else {
        return Err(cursor.unexpected(Expected::Term));
    };
    let text = cursor.text();
    let until =
        |close: Span| TermList::checked(text.get(..close.start).unwrap_or_default(), open.end);
    if let Some(close) = cursor.eat(b'/') {
        return Ok(until(close));
    }
    loop {
        if let None | Some(b'}') = cursor.peek() {
            return Err(Error::at(Fault::UnclosedTerms, open));
        }
        let term = TermRef::read(cursor, true)?;
        if !term.kind().stands(place) {
            return Err(Error::at(Fault::Term(place), term.name_span()));
        }
        visitor.term(term);
        if cursor.eat(b',').is_some() {
            continue;
        }
        if let Some(close) = cursor.eat(b'/') {
            return Ok(until(close));
        }
        return Err(match cursor.peek() {
            None | Some(b'}') => Error::at(Fault::UnclosedTerms, open),
            Some(_) => cursor.unexpected(Expected::TermEnd),
        });
    }
}

/// Reads `:config`, which must follow a type.
fn numeric<'a>(
    cursor: &mut Cursor<'a>,
    word: Word<'a>,
    r#type: Option<u64>,
) -> Result<EventKind<'a>, Error> {
    let out_of_range = |kind, word: Word<'_>| Error::at(kind, word.span());
    let r#type = r#type.ok_or(out_of_range(Fault::NumberOutOfRange, word))?;
    if cursor.eat(b':').is_none() {
        return Err(cursor.unexpected(Expected::Colon));
    }
    let config_at = *cursor;
    let config = cursor.event_word(Expected::Config)?;
    let Meaning::Number(number) = Meaning::of(config) else {
        *cursor = config_at;
        return Err(cursor.unexpected(Expected::Config));
    };
    let number = number.ok_or(out_of_range(Fault::NumberOutOfRange, config))?;
    let r#type = u32::try_from(r#type).map_err(|_| out_of_range(Fault::TypeOutOfRange, word))?;
    Ok(EventKind::Numeric { r#type, config: number })
}

/// Reads `:event` after a tracepoint's system, if the word after the colon
/// cannot be modifiers.
fn tracepoint<'a>(cursor: &mut Cursor<'a>) -> Result<Option<&'a str>, Error> {
    let mut ahead = *cursor;
    if ahead.eat(b':').is_none() || !ahead.at_word() {
        return Ok(None);
    }
    let word = ahead.event_word(Expected::Modifiers)?;
    if !word.is_quoted() {
        match Meaning::of(word) {
            Meaning::Modifiers => return Ok(None),
            Meaning::Number(_) => {
                cursor.eat(b':');
                return Err(cursor.unexpected(Expected::Modifiers));
            }
            _ => {}
        }
    }
    *cursor = ahead;
    Ok(Some(word.text()))
}

/// Reads what follows `mem`. A `/` before anything but a digit opens terms, and
/// a `:` before anything but an access introduces modifiers.
fn breakpoint(cursor: &mut Cursor<'_>) -> Result<Breakpoint, Error> {
    cursor.eat(b':');
    let address = cursor.plain_number(Expected::Address)?;
    let mut breakpoint = Breakpoint { address, len: None, read: true, write: true, execute: false };
    let mut ahead = *cursor;
    if ahead.eat(b'/').is_some() && ahead.peek().is_some_and(|b| b.is_ascii_digit()) {
        *cursor = ahead;
        breakpoint.len = Some(cursor.plain_number(Expected::Length)?).filter(|&len| len != 0);
    }
    let mut ahead = *cursor;
    if ahead.eat(b':').is_some() && ahead.peek().is_some_and(|b| matches!(b, b'r' | b'w' | b'x')) {
        *cursor = ahead;
        let word = cursor.run(|b| b.is_ascii_alphanumeric());
        let count = |c| word.source.matches(c).count();
        let (read, write, execute) = (count('r'), count('w'), count('x'));
        let once = read <= 1 && write <= 1 && execute <= 1;
        if !once || read + write + execute != word.source.len() {
            return Err(Error::at(Fault::BreakpointAccess, word.span()));
        }
        (breakpoint.read, breakpoint.write) = (read == 1, write == 1);
        breakpoint.execute = execute == 1;
    }
    Ok(breakpoint)
}

/// The error for a token after the end of an event.
fn after_event(cursor: &mut Cursor<'_>, expected: Expected) -> Error {
    if cursor.peek() == Some(b'}') {
        return Error::at(Fault::UnopenedGroup, here(cursor));
    }
    let ahead = *cursor;
    if let Ok(word) = cursor.event_word(expected)
        && modifier::is_modifiers(word.source)
    {
        return Error::at(Fault::MissingColon, word.span());
    }
    *cursor = ahead;
    cursor.unexpected(expected)
}

/// The byte at this position.
fn here(cursor: &Cursor<'_>) -> Span {
    Span::new(cursor.at(), cursor.at() + 1)
}
