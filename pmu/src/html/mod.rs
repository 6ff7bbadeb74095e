//! Pages for a browser: text in HTML, and what all pages share.

mod text;
pub(crate) mod write;

pub(crate) use text::{Escaped, fragment};

/// What all pages have around their contents.
const FRAME: &str = include_str!("frame.html");
/// The style that all pages share.
const BASE: &str = include_str!("base.css");

/// What one kind of page has for all contents.
pub(crate) struct Kind {
    /// The end of the title.
    pub(crate) about: &'static str,
    /// What can be searched for.
    pub(crate) sought: &'static str,
    pub(crate) style: &'static str,
    pub(crate) script: &'static str,
    /// The SHA-256 of the script with the line end before it, in base64: no other script runs.
    pub(crate) hash: &'static str,
    /// The template of the contents.
    pub(crate) body: &'static str,
}

impl Kind {
    /// Makes a page: `put` writes what stands in the place of each `{{name}}` of the contents, and the
    /// `title` and the `totals` of the header.
    pub(crate) fn page(&self, mut put: impl FnMut(&str, &mut String)) -> String {
        filled(FRAME, &mut |name, html| match name {
            "about" => html.push_str(self.about),
            "sought" => html.push_str(self.sought),
            "base" => html.push_str(BASE),
            "style" => html.push_str(self.style),
            "script" => html.push_str(self.script),
            "hash" => html.push_str(self.hash),
            "body" => html.push_str(&filled(self.body, &mut put)),
            name => put(name, html),
        })
    }
}

fn filled(template: &str, put: &mut dyn FnMut(&str, &mut String)) -> String {
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
