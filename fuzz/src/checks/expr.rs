//! Metric expressions: any text.

use pmu_events::__private::expr::{self, Item, MAX_DEPTH};

pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let mut values = 0;
    let mut items = 0;
    let parsed = expr::parse(text, |item, span| {
        assert!(text.get(span).is_some_and(|part| !part.is_empty()), "{item:?}");
        items += 1;
        let takes = match item {
            Item::Number(_) | Item::Literal(_) | Item::Identifier(_) | Item::Query(..) => 0,
            Item::Negate => 1,
            Item::Binary(_) => 2,
            Item::Function(function) => usize::from(function.arity()),
            Item::IfElse => 3,
        };
        assert!(values >= takes, "{item:?} takes {takes} of {values} values");
        values += 1 - takes.min(1);
        values -= takes.saturating_sub(1);
        assert!(values <= MAX_DEPTH + 1, "{values} values");
    });
    assert!(items <= text.len());
    match parsed {
        Ok(()) => assert_eq!(values, 1, "one value remains"),
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "{error:?}");
            let _ = error.to_string();
        }
    }
    assert_eq!(expr::check(text), parsed);
    // Some texts only, for the sake of the others.
    if data.len() % 64 == 13 {
        takes_linear_time(text);
    }
}

/// The square of its length would take minutes, which nobody overlooks and
/// libFuzzer reports.
fn takes_linear_time(text: &str) {
    const LEN: usize = 1 << 16;
    let long = text.repeat(LEN / text.len());
    let _ = expr::check(&long);
    // A chain that no parenthesis or error ends early.
    let _ = expr::check(&format!("({text})+").repeat(LEN / (text.len() + 3)));
}
