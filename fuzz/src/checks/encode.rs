//! Terms through formats: lines `name bits`, then a line of terms.

use pmu_events::config::{self, ErrorKind};
use pmu_events::format::{Format, Formats, Word, Words};
use pmu_events::term::{Term, Terms};

pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let (formats, list) = text.rsplit_once('\n').unwrap_or(("", text));
    let formats: Vec<(&str, Format)> = formats
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(name, bits)| Some((name, Format::parse(bits).ok()?)))
        .collect();
    let formats = Formats::new(&formats);
    let encoded = config::encode(Terms::new(list), formats);
    assert_eq!(config::encode_with(Terms::new(list), |name| formats.find(name)), encoded);
    match encoded {
        Ok(encoded) => holds_its_terms(list, formats, encoded.words()),
        Err(error) => {
            assert!(error.span_in(list).is_some_and(|span| list.get(span).is_some()), "{error:?}");
            assert!(!error.to_string().is_empty());
            if let (ErrorKind::TooLarge, Some(max)) = (error.kind(), error.max()) {
                assert!(error.term().number().is_some_and(|value| value > max), "{error:?}");
                fits_up_to(error.term().name(), formats, max);
            }
        }
    }
}

/// The words of a list are those of its terms, OR-ed, above what is assigned.
fn holds_its_terms(list: &str, formats: Formats<'_>, words: Words) {
    let mut ored = Words::NONE;
    let mut only_formats = true;
    for term in Terms::new(list) {
        // What is no format is perf's own, or a raw value.
        let format = formats.find(term.name());
        only_formats &= format.is_some() && term.name().parse::<Word>().is_err();
        if term.value() == Some("?") {
            continue;
        }
        let alone = config::encode_with([term].into_iter(), |name| formats.find(name));
        let alone = alone.expect("a term of a list that encodes does so alone").words();
        if term.name().parse::<Word>().is_ok() || format.is_none() {
            continue;
        }
        ored = ored.union(alone);
        holds_value(term, format, alone);
    }
    assert_eq!(ored.without(words), Words::NONE, "{list:?}");
    assert!(!only_formats || words == ored, "{list:?}");
}

/// perf's own terms set no bits, even where there is a format of that name.
fn holds_value(term: Term<'_>, format: Option<Format>, words: Words) {
    let Some(format) = format.filter(|_| !words.is_empty()) else {
        return;
    };
    assert_eq!(Some(format.value_in(words)), term.number());
}

fn fits_up_to(name: &str, formats: Formats<'_>, max: u64) {
    let encodes = |value: u64| {
        let value = value.to_string();
        let term = Term::new(name, Some(&value));
        config::encode_with([term].into_iter(), |name| formats.find(name)).is_ok()
    };
    assert!(encodes(max) && !encodes(max + 1), "{name} {max}");
}
