//! Event strings, raw codes and names in a piece of text, whatever stands around them.

use std::ops::Range;

use super::Context;
use crate::audit::candidate::{Candidate, Code, Name};

/// Something that selects an event.
pub(super) struct Selected {
    pub(super) span: Range<usize>,
    pub(super) name: Option<Name>,
    pub(super) code: Option<Code>,
}

impl Selected {
    /// With a label, for what has no name of its own.
    pub(super) fn candidate(self, at: usize, label: Option<&str>) -> Candidate {
        let label = || Some(Name::Label(label?.to_string()));
        let name = if self.code.is_some() { self.name.or_else(label) } else { self.name };
        let span = self.span.start + at..self.span.end + at;
        Candidate { span, name, code: self.code, cpus: Vec::new(), cpu_at: None }
    }
}

/// All that a piece of text selects.
pub(super) fn all(text: &str, context: &Context<'_>) -> Vec<Selected> {
    let mut found = event_strings(text);
    let is_free = |found: &[Selected], span: &Range<usize>| {
        !found.iter().any(|one| one.span.start < span.end && span.start < one.span.end)
    };
    for one in raw_codes(text).into_iter().chain(names(text, context)) {
        if is_free(&found, &one.span) {
            found.push(one);
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// `pmu/event=0x24,umask=0x3f,name=l2_miss/`.
fn event_strings(text: &str) -> Vec<Selected> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find('/').map(|at| from + at) {
        from = at + 1;
        let before = text[..at].trim_end_matches(|c: char| is_word(c) || c == '-');
        let pmu = &text[before.len()..at];
        let Some(length) = text[from..].find(['/', '\n']) else { break };
        let terms = &text[from..from + length];
        let is_closed = text[from + length..].starts_with('/');
        if !is_closed || pmu.is_empty() || !is_selection(terms) {
            continue;
        }
        let (named, selecting): (Vec<&str>, Vec<&str>) =
            terms.split(',').partition(|term| term.starts_with("name="));
        let name = named.first().map(|term| {
            let name = term["name=".len()..].trim_matches(['\'', '"', '\\']);
            match name.split_once(':') {
                None => Name::Event(name.into()),
                Some((name, modifiers)) if modifiers.chars().all(|c| "ukhGH".contains(c)) => {
                    Name::Event(name.into())
                }
                // What follows are conditions of the tool's own.
                Some(_) => Name::Label(name.into()),
            }
        });
        let pmu = (pmu != "cpu").then(|| pmu.to_string());
        let selecting = selecting.into_iter().filter(|term| !term.starts_with("period="));
        let terms = selecting.collect::<Vec<_>>().join(",");
        let end = from + length + 1;
        found.push(Selected {
            span: before.len()..end,
            name,
            code: Some(Code::of_pmu(pmu, terms)),
        });
        from = end;
    }
    found
}

/// Whether these are terms with numbers, one of which selects.
fn is_selection(terms: &str) -> bool {
    let mut selects = false;
    let is_term = |term: &str| {
        let (name, value) = term.split_once('=').unwrap_or((term, ""));
        !name.is_empty() && name.chars().all(is_word) && !value.contains(['{', '}', '$', '%', ' '])
    };
    for term in terms.split(',') {
        let term = term.trim();
        selects |= ["event=0x", "event=", "config=0x", "config="].iter().any(|start| {
            term.strip_prefix(start)
                .is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()))
        });
        if !term.starts_with("name=") && !is_term(term) {
            return false;
        }
    }
    selects
}

/// `r412e` between quotes or backticks, with perf's modifiers, and behind `-e`.
fn raw_codes(text: &str) -> Vec<Selected> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('r') {
        let before = &text[..at];
        let is_begun = before.is_empty()
            || before.ends_with(['"', '\'', '`', ','])
            || before.ends_with("-e ")
            || before.ends_with("-e");
        let digits: &str =
            text[at + 1..].split(|c: char| !c.is_ascii_hexdigit()).next().unwrap_or("");
        let after = &text[at + 1 + digits.len()..];
        let after = after
            .strip_prefix(':')
            .map_or(after, |rest| rest.trim_start_matches(|c: char| "ukhGHpPSDIWe".contains(c)));
        let is_ended = after.is_empty() || after.starts_with(['"', '\'', '`', ',', ' ']);
        let has_digit = digits.bytes().any(|byte| byte.is_ascii_digit());
        if !is_begun || !is_ended || !(2..=16).contains(&digits.len()) || !has_digit {
            continue;
        }
        let Ok(config) = u64::from_str_radix(digits, 16) else { continue };
        let span = at..at + 1 + digits.len();
        found.push(Selected { span, name: None, code: Some(Code::raw(config)) });
    }
    found
}

/// Names of events with a dot, whole or of a known family. A name without a dot may be anything,
/// unless it is in quotes and that of an event.
fn names(text: &str, context: &Context<'_>) -> Vec<Selected> {
    let mut found = Vec::new();
    let is_part = |c: char| is_word(c) || c == '.';
    let mut from = 0;
    while let Some(start) = text[from..].find(is_part).map(|at| from + at) {
        let length = text[start..].find(|c| !is_part(c)).unwrap_or(text.len() - start);
        from = start + length;
        let name = text[start..from].trim_end_matches('.');
        let span = start..start + name.len();
        let Some((family, rest)) = name.split_once('.') else {
            let is_quoted = text[..start].ends_with(['"', '\'', '`'])
                && text[from..].starts_with(['"', '\'', '`', ':']);
            if is_quoted && name.contains('_') && context.known.is_event(name) {
                found.push(Selected { span, name: Some(Name::Event(name.into())), code: None });
            }
            continue;
        };
        if !family.contains('_') && !is_capital(name) || rest.is_empty() {
            continue;
        }
        let is_name = context.known.is_event(name)
            || is_capital(name) && context.known.is_family(family) && !rest.starts_with('.');
        if is_name {
            let name = Some(Name::Event(name.into()));
            found.push(Selected { span, name, code: None });
        }
    }
    found
}

/// Whether it is written like the names of Intel's events.
fn is_capital(name: &str) -> bool {
    name.len() > 4 && !name.chars().any(|c| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_strings_and_raw_codes() {
        let shown = |all: Vec<Selected>, text: &str| -> Vec<String> {
            let one = |one: Selected| {
                let code = one.code.expect("it has a code");
                let pmu = code.pmu.unwrap_or_default();
                format!(
                    "{}={pmu}:{}:{}",
                    &text[one.span],
                    code.terms,
                    one.name.as_ref().map_or("", Name::text)
                )
            };
            all.into_iter().map(one).collect()
        };
        for (text, expected) in [
            (
                "\"cpu/event=0x44,umask=0x8/\"",
                &["cpu/event=0x44,umask=0x8/=:event=0x44,umask=0x8:"][..],
            ),
            (
                "cpu/event=0xc3,name='ex_ret_brn_misp'/,",
                &["cpu/event=0xc3,name='ex_ret_brn_misp'/=:event=0xc3:ex_ret_brn_misp"],
            ),
            (
                "cpu/event=0x85,umask=0x10,cmask=0x1,period=7,name='X.Y:c1'/",
                &[
                    "cpu/event=0x85,umask=0x10,cmask=0x1,period=7,name='X.Y:c1'/=:event=0x85,umask=0x10,cmask=0x1:X.Y:c1",
                ],
            ),
            ("amd_l3/config=0x104/k", &["amd_l3/config=0x104/=amd_l3:config=0x104:"]),
            ("a/b/event=1/2", &["b/event=1/=b:event=1:"]),
            ("cpu/event={x}/ src/lib.rs /usr/share/x", &[]),
            ("cpu/event=0x1", &[]),
        ] {
            assert_eq!(shown(event_strings(text), text), expected, "{text}");
        }
        for (text, expected) in [
            ("\"r412e\"", &["r412e=:config=0x412e:"][..]),
            ("see `r0825:u`", &["r0825=:config=0x825:"]),
            ("perf stat -e r5301c4,r3c ls", &["r5301c4=:config=0x5301c4:", "r3c=:config=0x3c:"]),
            ("\"rest\" \"race\" our r12 = 3", &[]),
        ] {
            assert_eq!(shown(raw_codes(text), text), expected, "{text}");
        }
    }
}
