//! Lists of events: any text.

use pmu_events::__private::event_list::{EventList, ListItem, Modifiers};

pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match EventList::parse(text) {
        Ok(list) => is_sound(list, text),
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "{error:?}");
            let _ = (error.suggestion(text), error.to_string());
        }
    }
}

fn is_sound(list: EventList<'_>, text: &str) {
    let printed = list.to_string();
    let again = EventList::parse(&printed).expect("what is printed parses");
    assert_eq!(again.to_string(), printed);
    assert_eq!(again.events().count(), list.events().count());
    let mut end = 0;
    for (event, other) in list.events().zip(again.events()) {
        assert!(event.span().start >= end, "events do not overlap");
        end = event.span().end;
        assert_eq!(event.text(), &text[event.span()]);
        assert!(event.text().starts_with(&text[event.head_span()]));
        assert_eq!(text[event.modifiers_span()].parse::<Modifiers>(), Ok(event.modifiers()));
        assert_eq!((event.kind(), event.settings()), (other.kind(), other.settings()));
        assert_eq!(event.membership(), other.membership());
        for term in event.terms() {
            assert!(event.span().start < term.span().start && term.span().end < end);
            assert!(text[term.span()].contains(term.name()));
        }
    }
    for item in list {
        if let ListItem::Group(group) = item {
            assert_eq!(group.members().count(), group.len());
            assert_eq!(text[group.modifiers_span()].parse::<Modifiers>(), Ok(group.modifiers()));
            let ends_within = |at: usize| group.span().contains(&at) || at == group.span().end;
            assert!(group.members().all(|event| ends_within(event.span().end)));
        }
    }
}
