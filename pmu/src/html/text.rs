//! Text in HTML.

use std::fmt::{self, Display, Write};

use pmu_events_compiler::is_obeyed;

/// A text as it appears between tags and in quoted attributes.
pub(crate) struct Escaped<T>(pub(crate) T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|c| match c {
            '&' => self.0.write_str("&amp;"),
            '<' => self.0.write_str("&lt;"),
            '>' => self.0.write_str("&gt;"),
            '"' => self.0.write_str("&quot;"),
            '\'' => self.0.write_str("&#39;"),
            // HTML has no other line ends (HTML Standard, 13.2.3.5).
            '\r' => self.0.write_char('\n'),
            // Most of these HTML cannot express (HTML Standard, 13.2.3.5 and
            // 13.2.5.80); the others would change the order of the text behind them.
            c if is_obeyed(c) => self.0.write_char('\u{fffd}'),
            c => self.0.write_char(c),
        })
    }
}

/// A name as a browser spells it after the `#` of an address, so that one
/// spelling serves as an element's `id` and as a link to it (URL Standard,
/// “fragment percent-encode set”; also `%`, so that names stay distinct).
pub(crate) fn fragment(name: &str) -> String {
    let mut fragment = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'"' | b'<' | b'>' | b'`' | b'%' | 0..=b' ' | 0x7f.. => {
                let _ = write!(fragment, "%{byte:02X}");
            }
            byte => fragment.push(byte.into()),
        }
    }
    fragment
}
