//! Beside serde_json: what is JSON, and where another text is wrong.

use serde_json::value::RawValue;

use super::*;
use crate::tests::random::Random;

const TEXTS: [&str; 6] = [
    "[\n  {\"EventName\": \"A\", \"UMask\": \"0x2\"},\n  {\"b\": [1, -2.5e+3, true, null, {}]}\n]\n",
    "[1, 0, -0.0E-1, 10, 2e7, false, \"\\u00e4\\ud83d\\ude00\\n\", [], {\"a\" : {\"b\":[[]]}}]",
    "{\"a\": \"\u{e4}\u{1f600}\", \"b\": [[1, [2]], {\"c\": null}], \"\": {}}",
    "\t[ \r\n]\n",
    "\"a \\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u0041 \u{e9}\"",
    "{}",
];

/// What is put into a text.
const PARTS: [&str; 31] = [
    "", ",", "]", "}", "[", "{", "\"", "\\", "\n", "\t", "\u{1}", ":", "0", "1", "-", ".", "e",
    "+", "t", "true", "nul", "\\u", "\\ud83d", "\\ude00", "\\x", "\u{e4}", " ", "'", "/", "\u{7f}",
    "\\uzz",
];

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn damaged(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..random.below(3) {
        let at = boundary(&text, random.below(text.len() + 1));
        match random.below(4) {
            0 => text.truncate(at),
            1 => drop((at < text.len()).then(|| text.remove(at))),
            _ => text.insert_str(at, PARTS[random.below(PARTS.len())]),
        }
    }
    text
}

/// Where serde_json stopped, as a [`Syntax`] has it.
fn offset_of(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let start: usize = lines.map(str::len).sum();
    let in_string = error.to_string().starts_with("control character");
    let column = error.column().saturating_sub(1) + usize::from(in_string);
    boundary(text, (start + column).min(text.len()))
}

#[test]
fn beside_serde_json() {
    let mut random = Random::of(7);
    let (mut fine, mut refused, mut others) = (0, 0, 0);
    for _ in 0..60_000 {
        let text = &*damaged(TEXTS[random.below(TEXTS.len())], &mut random);
        let theirs: Result<Vec<&RawValue>, _> = serde_json::from_str(text);
        match (items(text), theirs) {
            (Ok(ours), Ok(theirs)) => {
                let theirs: Vec<&str> = theirs.into_iter().map(RawValue::get).collect();
                assert_eq!(ours, theirs, "{text:?}");
                fine += 1;
            }
            (Err(Problem { what: None, .. }), Err(error)) if error.is_data() => others += 1,
            // It reads a string that it does not want as one, and this does not.
            (Err(Problem { what: None, .. }), Err(error)) => {
                let message = error.to_string();
                assert!(
                    message.contains("surrogate") || message.contains("hex escape"),
                    "{text:?}: {message}"
                );
            }
            (Err(ours), Err(error)) => {
                let found = Syntax::new(text, "an array", ours);
                // It decodes a string that it does not want, and counts differently there.
                if !text.trim().is_empty() && !text.trim_start().starts_with('"') {
                    let theirs = offset_of(text, &error);
                    // Behind a line end that is wrong, it counts a line more.
                    let is_line = error.column() == 0 && found.offset + 1 == theirs;
                    // Older versions report an escape at its beginning.
                    let is_escape = error.to_string().contains("escape") && theirs < found.offset;
                    let is_there = found.offset == theirs || is_line || is_escape;
                    assert!(is_there, "{text:?}: {found} and {error}");
                }
                refused += 1;
            }
            (ours, theirs) => panic!("{text:?}: {ours:?} and {theirs:?}"),
        }
        let is_object = text.trim_start().starts_with('{');
        let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
        assert_eq!(object(text).is_ok(), is_object && is_json, "{text:?}");
        let text = text.trim();
        if text.starts_with('"') {
            let theirs: Option<String> = serde_json::from_str(text).ok();
            if is_json {
                assert_eq!(string(text).as_deref(), theirs.as_deref(), "{text:?}");
            }
        }
    }
    assert!(fine > 5_000 && refused > 20_000 && others > 5_000, "{fine}, {refused}, {others}");
}

#[test]
fn messages() {
    let cases = [
        ("", "byte 0: expected an array, found an empty file"),
        ("{}", "byte 0: expected an array, found an object"),
        (" \"a\"", "byte 1: expected an array, found a string"),
        ("[", "byte 0: invalid JSON: the text ends within an array at `[`"),
        ("[1", "byte 1: invalid JSON: the text ends within an array at `1`"),
        ("[1,", "byte 2: invalid JSON: the text ends where a value should be at `,`"),
        ("[1,]", "byte 3: invalid JSON: trailing comma at `]`"),
        ("[1 2]", "byte 3: invalid JSON: expected `,` or `]` at `2]`"),
        ("[{\"a\"}]", "byte 5: invalid JSON: expected `:` at `}]`"),
        ("[{\"a\":1,}]", "byte 8: invalid JSON: key must be a string at `}]`"),
        ("[{\"a\":1 2}]", "byte 8: invalid JSON: expected `,` or `}` at `2}]`"),
        ("[01]", "byte 2: invalid JSON: invalid number at `1]`"),
        ("[1.]", "byte 3: invalid JSON: invalid number at `]`"),
        ("[nul]", "byte 4: invalid JSON: expected `true`, `false` or `null` at `]`"),
        ("[\"\\x\"]", "byte 3: invalid JSON: invalid escape at `x\"]`"),
        (
            "[\"a\tb\"]",
            "byte 3: invalid JSON: line end or control character in a string at `\\tb\"]`",
        ),
        ("[] ]", "byte 3: invalid JSON: trailing characters at `]`"),
        ("[\"\u{e4}", "byte 2: invalid JSON: the text ends within a string at `\u{e4}`"),
    ];
    for (text, expected) in cases {
        assert_eq!(array(text).unwrap_err().to_string(), expected, "{text:?}");
    }
}

/// What is nested takes no stack.
#[test]
fn deep_texts() {
    let text = "[".repeat(1 << 20) + &"]".repeat(1 << 20);
    assert_eq!(array(&text).unwrap().len(), 1);
    assert!(array(&text[1..]).is_err());
}
