//! What stands between the macro's parentheses.

use std::path::PathBuf;

use pmu_events_core::{cpuid::Rule, glob};
use proc_macro2::{Ident, Span};
use syn::parse::{Parse, ParseStream};
use syn::{LitBool, LitStr, Token, bracketed, punctuated::Punctuated};

/// The whole input.
pub(crate) struct Input {
    pub(crate) path: LitStr,
    pub(crate) options: Options,
}

/// What the options say.
pub(crate) struct Options {
    /// Globs of model directories; empty for all.
    pub(crate) models: Vec<String>,
    /// Globs of event names; empty for all.
    pub(crate) events: Vec<String>,
    pub(crate) text: TextLevel,
    pub(crate) metrics: bool,
    pub(crate) unknown: Unknown,
    /// The rule of the map file, where the directory's name does not say.
    pub(crate) arch: Option<String>,
}

/// How much text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextLevel {
    None,
    Brief,
    Full,
}

/// What to do about keys that nobody knows and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    Allow,
    Warn,
    Deny,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            models: Vec::new(),
            events: Vec::new(),
            text: TextLevel::Full,
            metrics: true,
            unknown: Unknown::Warn,
            arch: None,
        }
    }
}

impl Options {
    pub(crate) fn keeps_model(&self, directory: &str) -> bool {
        matches_any(&self.models, directory)
    }

    /// Globs of `models` that match none of these directories.
    pub(crate) fn unused_models<'o>(
        &'o self,
        directories: &'o [String],
    ) -> impl Iterator<Item = &'o String> {
        self.models.iter().filter(|pattern| {
            !directories.iter().any(|directory| glob::matches(pattern, directory))
        })
    }

    pub(crate) fn keeps_event(&self, name: &str) -> bool {
        matches_any(&self.events, name)
    }

    /// The rule of the map file.
    pub(crate) fn rule(&self, directory: &str) -> Rule {
        Rule::of_arch(self.arch.as_deref().unwrap_or(directory))
    }
}

fn matches_any(globs: &[String], name: &str) -> bool {
    globs.is_empty() || globs.iter().any(|pattern| glob::matches(pattern, name))
}

const OPTIONS: &str = "models, events, text, metrics, unknown, arch";

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() {
            return Err(syn::Error::new(
                Span::call_site(),
                "expected the directory of an event tree: pmu_events!(\"arch/x86\")",
            ));
        }
        let path: LitStr = input.parse()?;
        let mut options = Options::default();
        let mut seen: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let name: Ident = input.parse()?;
            if seen.contains(&name) {
                return Err(syn::Error::new(name.span(), format!("option `{name}` stands twice")));
            }
            input.parse::<Token![=]>()?;
            options.read(&name, input)?;
            seen.push(name);
        }
        Ok(Input { path, options })
    }
}

impl Options {
    fn read(&mut self, name: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        match name.to_string().as_str() {
            "models" => self.models = globs(input)?,
            "events" => self.events = globs(input)?,
            "text" => {
                self.text = word(
                    input,
                    &[
                        ("none", TextLevel::None),
                        ("brief", TextLevel::Brief),
                        ("full", TextLevel::Full),
                    ],
                )?;
            }
            "metrics" => self.metrics = input.parse::<LitBool>()?.value,
            "unknown" => {
                self.unknown = word(
                    input,
                    &[("allow", Unknown::Allow), ("warn", Unknown::Warn), ("deny", Unknown::Deny)],
                )?;
            }
            "arch" => self.arch = Some(input.parse::<LitStr>()?.value()),
            other => {
                return Err(syn::Error::new(
                    name.span(),
                    format!(
                        "unknown option `{other}`{} There are {OPTIONS}",
                        match crate::fault::hint(other, OPTIONS.split(", ")) {
                            hint if hint.is_empty() => ".".to_owned(),
                            hint => hint,
                        }
                    ),
                ));
            }
        }
        Ok(())
    }
}

fn globs(input: ParseStream<'_>) -> syn::Result<Vec<String>> {
    let list;
    let bracket = bracketed!(list in input);
    let globs = Punctuated::<LitStr, Token![,]>::parse_terminated(&list)?;
    if globs.is_empty() {
        return Err(syn::Error::new(
            bracket.span.join(),
            "an empty list keeps nothing; leave the option out to keep all",
        ));
    }
    Ok(globs.iter().map(LitStr::value).collect())
}

fn word<T: Copy>(input: ParseStream<'_>, words: &[(&str, T)]) -> syn::Result<T> {
    let ident: Ident = input.parse()?;
    words.iter().find(|(word, _)| ident == word).map(|&(_, value)| value).ok_or_else(|| {
        let all: Vec<_> = words.iter().map(|&(word, _)| format!("`{word}`")).collect();
        syn::Error::new(ident.span(), format!("expected one of {}", all.join(", ")))
    })
}

/// A path with its environment variables put in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Expanded {
    pub(crate) path: String,
    /// The variables that it depends on.
    pub(crate) variables: Vec<String>,
}

/// Puts `$NAME`, `${NAME}` and `${NAME:-default}` in, the last as a shell does:
/// the default stands for what is not set or empty. `Err` says what is wrong, and which variables
/// were looked up: setting one may cure it.
pub(crate) fn expand_variables(
    path: &str,
    lookup: impl Fn(&str) -> Option<String>,
) -> Result<Expanded, (String, Vec<String>)> {
    let mut expanded = Expanded { path: String::new(), variables: Vec::new() };
    let mut rest = path;
    while let Some(at) = rest.find('$') {
        expanded.path.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (name, default) = match rest.strip_prefix('{') {
            Some(inner) => {
                let Some((inner, after)) = inner.split_once('}') else {
                    return Err(("`${` is not closed by `}`".to_owned(), expanded.variables));
                };
                rest = after;
                match inner.split_once(":-") {
                    Some((name, default)) => (name, Some(default)),
                    None => (inner, None),
                }
            }
            None => {
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                rest = after;
                (name, None)
            }
        };
        if name.is_empty() {
            let message = "`$` stands before no name of an environment variable";
            return Err((message.to_owned(), expanded.variables));
        }
        expanded.variables.push(name.to_owned());
        let value = lookup(name).filter(|value| default.is_none() || !value.is_empty());
        match value.as_deref().or(default) {
            Some(value) => expanded.path.push_str(value),
            None => {
                let message = format!("environment variable `{name}` is not set");
                return Err((message, expanded.variables));
            }
        }
    }
    expanded.path.push_str(rest);
    Ok(expanded)
}

/// The directory that a path names: relative ones are below the crate's
/// manifest.
pub(crate) fn directory(path: &str) -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    manifest.join(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables() {
        let lookup = |name: &str| match name {
            "A" => Some("/a".to_owned()),
            "E" => Some(String::new()),
            _ => None,
        };
        let cases: &[(&str, Result<&str, &str>)] = &[
            ("x/y", Ok("x/y")),
            ("$A/x", Ok("/a/x")),
            ("${A}b", Ok("/ab")),
            ("${A:-x}/y", Ok("/a/y")),
            ("${B:-x}/y", Ok("x/y")),
            ("${B:-}y", Ok("y")),
            ("${E}y", Ok("y")),
            ("${E:-x}/y", Ok("x/y")),
            ("${:-x}/y", Err("`$` stands before no name of an environment variable")),
            ("$B/x", Err("environment variable `B` is not set")),
            ("${A", Err("`${` is not closed by `}`")),
            ("$/x", Err("`$` stands before no name of an environment variable")),
        ];
        for &(path, expected) in cases {
            let found = expand_variables(path, lookup);
            let found = found.as_ref().map(|f| f.path.as_str()).map_err(|f| f.0.as_str());
            assert_eq!(found, expected, "{path}");
        }
    }
}
