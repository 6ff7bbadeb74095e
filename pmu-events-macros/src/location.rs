//! Where a tree is: the directory that the macro's first argument names.

use std::path::{Path, PathBuf};

use crate::input::TreeName;

/// The directory of a tree.
pub(crate) struct Location {
    pub(crate) root: PathBuf,
    /// The path as the user wrote it.
    pub(crate) shown: String,
    /// The environment variables that it depends on.
    pub(crate) variables: Vec<String>,
}

impl Location {
    /// `Err` says what is wrong, and which variables were read to find out.
    pub(crate) fn find(tree: &TreeName) -> Result<Self, (String, Vec<String>)> {
        match tree {
            TreeName::Path(path) => Self::of_path(&path.value()),
            TreeName::Builtin(name) => builtin(&name.value()).map_err(|why| (why, Vec::new())),
        }
    }

    fn of_path(path: &str) -> Result<Self, (String, Vec<String>)> {
        let lookup = |name: &str| std::env::var(name).ok();
        let expanded = expand_variables(path, lookup)?;
        if expanded.path.is_empty() {
            return Err(("the path is empty".to_owned(), expanded.variables));
        }
        let root = directory(&expanded.path);
        if root.is_dir() {
            let shown = expanded.path.trim_end_matches('/').to_owned();
            return Ok(Location { root, shown, variables: expanded.variables });
        }
        let what = if root.exists() { "is not a directory" } else { "does not exist" };
        let mut message = format!("{} {what}", expanded.path);
        if root.as_path() != Path::new(&expanded.path) {
            message += &format!(" (relative to {})", directory("").display());
        }
        Err((message + BUNDLED, expanded.variables))
    }
}

/// For users who know that a tree comes with the crate.
const BUNDLED: &str = "\nthe trees that come with pmu-events need no path: enable its feature `x86` \
                       (`arm64`, …) and use `pmu_events::arch::x86`, or write \
                       `pmu_events!(builtin \"x86\")`";

#[cfg(feature = "builtin")]
fn builtin(name: &str) -> Result<Location, String> {
    use pmu_events_arch::{FORMAT, TREES};

    readable(FORMAT)?;
    let Some(tree) = pmu_events_arch::tree(name) else {
        let hint = match pmu_events_compiler::hint(name, TREES.iter().map(|tree| tree.name)) {
            hint if hint.is_empty() => ".".to_owned(),
            hint => hint,
        };
        let names: Vec<_> = TREES.iter().map(|tree| format!("`{}`", tree.name)).collect();
        return Err(format!(
            "no tree `{name}` comes with pmu-events{hint} The trees are {}; the directory of a \
             tree of your own is written without `builtin`",
            names.join(", ")
        ));
    };
    let shown = format!("pmu-events-arch/{name}");
    Ok(Location { root: tree.directory(), shown, variables: Vec::new() })
}

/// Whether the files of the data crate have the format that this compiler
/// reads.
#[cfg(feature = "builtin")]
fn readable(format: u32) -> Result<(), String> {
    const READ: u32 = 1;
    let outdated = match format {
        READ => return Ok(()),
        ..READ => "pmu-events-arch",
        _ => "pmu-events",
    };
    Err(format!(
        "the package pmu-events-arch has format {format}, and this version of pmu-events reads \
         format {READ}: write `cargo update {outdated}`"
    ))
}

#[cfg(not(feature = "builtin"))]
fn builtin(name: &str) -> Result<Location, String> {
    Err(format!(
        "`builtin` needs the feature `builtin` of pmu-events. Without the macro, the feature of a \
         tree adds the whole of it: `cargo add pmu-events --features {name}`"
    ))
}

/// A path with its environment variables put in.
#[derive(Debug, PartialEq, Eq)]
struct Expanded {
    path: String,
    /// The variables that it depends on.
    variables: Vec<String>,
}

/// Substitutes `$NAME`, `${NAME}` and `${NAME:-default}`, the last as a shell does: the
/// default replaces a variable that is unset or empty. `Err` says what is wrong, and
/// which variables were looked up: setting one may cure it.
fn expand_variables(
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
                    return Err(("unclosed `${`: add `}`".to_owned(), expanded.variables));
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
            let message = "expected the name of an environment variable after `$`";
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
fn directory(path: &str) -> PathBuf {
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
            ("${:-x}/y", Err("expected the name of an environment variable after `$`")),
            ("$B/x", Err("environment variable `B` is not set")),
            ("${A", Err("unclosed `${`: add `}`")),
            ("$/x", Err("expected the name of an environment variable after `$`")),
        ];
        for &(path, expected) in cases {
            let found = expand_variables(path, lookup);
            let found = found.as_ref().map(|f| f.path.as_str()).map_err(|f| f.0.as_str());
            assert_eq!(found, expected, "{path}");
        }
    }

    fn refused(tree: &TreeName) -> String {
        Location::find(tree).map(|found| found.shown).unwrap_err().0
    }

    fn literal(text: &str) -> syn::LitStr {
        syn::LitStr::new(text, proc_macro2::Span::call_site())
    }

    #[test]
    fn a_path_that_is_not_there_leads_to_the_bundled_trees() {
        let message = refused(&TreeName::Path(literal("arch/x86")));
        assert!(message.starts_with("arch/x86 does not exist (relative to "), "{message}");
        assert!(message.contains("pmu_events!(builtin \"x86\")"), "{message}");
        let message = refused(&TreeName::Path(literal("Cargo.toml")));
        assert!(message.starts_with("Cargo.toml is not a directory"), "{message}");
    }

    #[cfg(feature = "builtin")]
    #[test]
    fn bundled_trees() {
        let found = Location::find(&TreeName::Builtin(literal("x86")))
            .unwrap_or_else(|e| panic!("{}", e.0));
        assert_eq!(found.shown, "pmu-events-arch/x86");
        assert!(found.root.join("mapfile.csv").is_file());
        assert_eq!(
            refused(&TreeName::Builtin(literal("arm46"))),
            "no tree `arm46` comes with pmu-events; did you mean `arm64`? The trees are `arm64`, \
             `common`, `nds32`, `powerpc`, `riscv`, `s390`, `x86`; the directory of a tree of your \
             own is written without `builtin`"
        );
    }

    /// The older of the two must be updated.
    #[cfg(feature = "builtin")]
    #[test]
    fn data_of_another_format() {
        assert_eq!(readable(pmu_events_arch::FORMAT), Ok(()));
        let start = "the package pmu-events-arch has format";
        let reads = "and this version of pmu-events reads format 1: write";
        for (format, update) in [(0, "pmu-events-arch"), (2, "pmu-events"), (9, "pmu-events")] {
            let message = format!("{start} {format}, {reads} `cargo update {update}`");
            assert_eq!(readable(format), Err(message));
        }
    }

    #[cfg(not(feature = "builtin"))]
    #[test]
    fn bundled_trees_need_a_feature() {
        let message = refused(&TreeName::Builtin(literal("x86")));
        assert!(message.ends_with("`cargo add pmu-events --features x86`"), "{message}");
    }
}
