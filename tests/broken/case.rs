//! The files of cases: `README.md` explains them.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use pmu_events_compiler::{Options, Unknown};

/// The files that every tree has unless it says otherwise: a model, `soc`, with
/// one event.
const BASIS: [(&str, &str); 2] = [
    ("tree/mapfile.csv", "Family-model,Version,Filename,EventType\nsoc,v1,soc,core\n"),
    ("tree/soc/good.json", "[\n  {\"EventName\": \"NAME\", \"EventCode\": \"0x1\"}\n]\n"),
];

/// What sections are called that are not files.
const TITLES: [&str; 4] = ["crate", "expected", "macro", "options"];

const EXPECTED: &str = "-- expected --\n";

/// One case.
pub(crate) struct Case {
    pub(crate) name: String,
    path: PathBuf,
    sections: Vec<Section>,
}

struct Section {
    title: String,
    text: String,
}

impl Case {
    pub(crate) fn read(name: &str) -> Self {
        let path = directory().join(format!("{name}.txt"));
        let text = fs::read_to_string(&path).unwrap();
        let mut sections: Vec<Section> = Vec::new();
        for line in text.split_inclusive('\n') {
            let title = line.strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --\n"));
            match (title, sections.last_mut()) {
                (Some(title), _) => {
                    let is_known = title.contains('/') || TITLES.contains(&title);
                    assert!(is_known, "{name}: unknown section `{title}`");
                    sections.push(Section { title: title.to_owned(), text: String::new() });
                }
                (None, Some(section)) => section.text.push_str(line),
                // What stands before the first section is a comment.
                (None, None) => {}
            }
        }
        let last = sections.last().map(|section| section.title.as_str());
        assert_eq!(last, Some("expected"), "{name}: what is expected comes last");
        Case { name: name.to_owned(), path, sections }
    }

    fn section(&self, title: &str) -> Option<&str> {
        let mut sections = self.sections.iter();
        sections.find(|section| section.title == title).map(|section| section.text.as_str())
    }

    pub(crate) fn expected(&self) -> &str {
        self.section("expected").unwrap_or_default()
    }

    /// What stands between the macro's parentheses, for cases of the macro.
    pub(crate) fn macro_arguments(&self) -> Option<&str> {
        self.section("macro").map(str::trim_end)
    }

    /// What the crate does with the tree.
    pub(crate) fn uses(&self) -> Option<&str> {
        self.section("crate")
    }

    /// The options, which are written as the macro has them.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::default();
        for line in self.section("options").unwrap_or_default().lines() {
            match line.split_once(" = ").unwrap_or_else(|| panic!("{}: {line}", self.name)) {
                ("models", globs) => options.models = serde_json::from_str(globs).unwrap(),
                ("events", globs) => options.events = serde_json::from_str(globs).unwrap(),
                ("arch", arch) => options.arch = serde_json::from_str(arch).unwrap(),
                ("unknown", "allow") => options.unknown = Unknown::Allow,
                ("unknown", "deny") => options.unknown = Unknown::Deny,
                _ => panic!("{}: {line}", self.name),
            }
        }
        options
    }

    /// Writes the files of the case below a directory, which is new.
    pub(crate) fn write(&self, directory: &Path) {
        let stands = |path: &str| {
            self.sections.iter().any(|section| {
                let title = section.title.as_str();
                let title = title.strip_prefix("without ").unwrap_or(title);
                let title = title.strip_prefix("escaped ").unwrap_or(title);
                let title = title.strip_prefix("link ").unwrap_or(title);
                let rest = title.strip_prefix(path);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ' ']))
            })
        };
        write_some_basis(directory, |path| !stands(path));
        for Section { title, text } in &self.sections {
            if let Some(link) = title.strip_prefix("link ") {
                let (path, target) = link.split_once(" -> ").unwrap();
                let path = directory.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::os::unix::fs::symlink(target, path).unwrap();
            } else if let Some(path) = title.strip_prefix("escaped ") {
                let path = unescape(path);
                write(&directory.join(OsStr::from_bytes(&path)), &unescape(text));
            } else if title.contains('/') && !title.starts_with("without ") {
                write(&directory.join(title), text.as_bytes());
            }
        }
    }

    /// Makes what was found what is expected.
    pub(crate) fn bless(&self, found: &str) {
        let text = fs::read_to_string(&self.path).unwrap();
        let end = text.find(EXPECTED).unwrap() + EXPECTED.len();
        fs::write(&self.path, format!("{}{found}", &text[..end])).unwrap();
    }
}

/// Writes what every tree has.
pub(crate) fn write_basis(directory: &Path) {
    write_some_basis(directory, |_| true);
}

fn write_some_basis(directory: &Path, wanted: impl Fn(&str) -> bool) {
    for (path, text) in BASIS.iter().filter(|(path, _)| wanted(path)) {
        write(&directory.join(path), text.as_bytes());
    }
}

/// Writes a file, or makes a directory if its path ends with a slash.
fn write(path: &Path, text: &[u8]) {
    if path.as_os_str().as_bytes().ends_with(b"/") {
        fs::create_dir_all(path).unwrap();
    } else {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The bytes of an escaped text: `\xe9`, `\r`, and a backslash that hides the end
/// of its line.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        rest = match after.chars().next() {
            Some('\n') => &after[1..],
            Some('r') => {
                bytes.push(b'\r');
                &after[1..]
            }
            Some('x') => {
                bytes.push(u8::from_str_radix(&after[1..3], 16).unwrap());
                &after[3..]
            }
            other => panic!("no escape: {other:?}"),
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// The names of all cases.
pub(crate) fn names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory())
        .unwrap()
        .map(|item| item.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// A directory of this test alone.
pub(crate) fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken").join(name)
}

/// An empty directory of this test alone.
pub(crate) fn empty_scratch(name: &str) -> PathBuf {
    let directory = scratch(name);
    remove(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

/// Removes a directory, and what a test before may have closed.
pub(crate) fn remove(directory: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if let Ok(items) = fs::read_dir(directory.join("tree")) {
        for item in items.flatten() {
            if item.file_type().is_ok_and(|kind| kind.is_dir()) {
                fs::set_permissions(item.path(), fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
    }
    if let Err(error) = fs::remove_dir_all(directory) {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{}", directory.display());
    }
}
