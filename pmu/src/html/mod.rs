//! Pages for a browser: text in HTML, templates, the style that all pages share.

mod text;
pub(crate) mod write;

pub(crate) use text::{Escaped, fragment};

/// The style that all pages share.
pub(crate) const BASE: &str = include_str!("base.css");

/// Fills in a template: `put` writes what stands in the place of each `{{name}}`.
pub(crate) fn filled(template: &str, mut put: impl FnMut(&str, &mut String)) -> String {
    let mut html = String::new();
    let mut places = template.split("{{");
    html.push_str(places.next().unwrap_or_default());
    for place in places {
        let (name, behind) = place.split_once("}}").unwrap_or_default();
        put(name, &mut html);
        html.push_str(behind);
    }
    html
}
