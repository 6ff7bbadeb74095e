//! Event strings: any text.

use pmu_events::__private::event_list::TermList;
use pmu_events::term::{Term, Terms, number};

pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let mut behind = text.as_ptr() as usize;
    for term in Terms::new(text) {
        for part in [Some(term.name()), term.value()].into_iter().flatten() {
            assert!(part.as_ptr() as usize >= behind, "parts overlap");
            behind = part.as_ptr() as usize + part.len();
        }
        assert!(behind <= text.as_ptr() as usize + text.len(), "parts lie in the text");
        assert_eq!(term.number(), expected(term.value()), "{term:?}");
        let last = Terms::new(text).last_named(term.name());
        assert!(last.is_some_and(|last| last.name() == term.name()));
    }
    match Terms::check(text) {
        Ok(()) => {
            // A text that the ABI allows is nothing but its terms.
            assert_eq!(joined(Terms::new(text)), text.strip_suffix('\n').unwrap_or(text));
            let known = |term: Term<'_>| term.number().is_some() || term.value() == Some("?");
            assert!(Terms::new(text).all(known));
            assert_eq!(Terms::check_as_perf(text), Ok(()), "perf takes what the ABI allows");
        }
        Err(error) => assert!(text.get(error.span()).is_some(), "{error:?}"),
    }
    if let Err(error) = Terms::check_as_perf(text) {
        assert!(text.get(error.span()).is_some(), "{error:?}");
    }
    match TermList::parse(text) {
        Ok(list) => {
            for term in list.iter() {
                assert!(text[term.span()].contains(term.name()));
                assert!(term.value_span().is_none_or(|span| text.get(span).is_some()));
                let _ = (term.kind(), term.value(), term.number());
            }
        }
        Err(error) => assert!(text.get(error.span()).is_some(), "{error:?}"),
    }
}

/// As the rule is stated, by the standard library's means.
fn expected(value: Option<&str>) -> Option<u64> {
    let Some(text) = value else {
        return Some(1);
    };
    assert_eq!(number(text), read(text));
    read(text)
}

fn read(text: &str) -> Option<u64> {
    let hexadecimal = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((text, 10), |digits| (digits, 16));
    // The standard library would take a sign.
    u64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))
}

fn joined(terms: Terms<'_>) -> String {
    let written = |term: Term<'_>| match term.value() {
        Some(value) => format!("{}={value}", term.name()),
        None => term.name().to_owned(),
    };
    terms.map(written).collect::<Vec<_>>().join(",")
}
