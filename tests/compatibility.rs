//! What the page on compatibility promises is what the manifests and the tables say.

use pmu_events::arch::TREES;

const PAGE: &str = include_str!("../pmu-events/src/guide/compatibility.md");
const WORKSPACE: &str = include_str!("../Cargo.toml");

/// The line of the workspace's manifest about a crate or a key.
fn line(key: &str) -> &'static str {
    let is_about = |line: &&str| line.split(" =").next() == Some(key);
    WORKSPACE.lines().find(is_about).unwrap_or_else(|| panic!("no line about {key}"))
}

/// The text between the quotes behind a key.
fn quoted(line: &'static str, key: &str) -> &'static str {
    let (_, rest) = line.split_once(&format!("{key} = \"")).expect("the line has the key");
    rest.split('"').next().expect("the quote is closed")
}

#[test]
fn the_oldest_rust() {
    let version = quoted(line("rust-version"), "rust-version");
    assert!(PAGE.contains(&format!("(`rust-version`, {version})")), "{version}");
    for readme in [include_str!("../README.md"), include_str!("../pmu-events/README.md")] {
        assert!(readme.contains(&format!("Rust {version} or newer")), "{version}");
    }
}

/// Any patch of the data goes with any patch of the library, and Cargo takes the newest.
#[test]
fn the_versions_of_the_data() {
    let library = quoted(line("version"), "version");
    let accepted = quoted(line("pmu-events-arch"), "version");
    let minor = |version: &'static str| version.rsplit_once('.').expect("it has three parts").0;
    assert!(accepted.starts_with(|c: char| c.is_ascii_digit()), "no range but Cargo's default");
    assert_eq!((minor(accepted), accepted.ends_with(".0")), (minor(library), true));
    let (ours, theirs) = (minor(library), minor(accepted));
    let promise = format!("`pmu-events` {ours}.x accepts `pmu-events-arch` {theirs}.y");
    // Wherever its lines end.
    let words: Vec<&str> = PAGE.split_whitespace().collect();
    assert!(words.join(" ").contains(&promise), "{promise}");
}

/// They share the packed format.
#[test]
fn the_libraries_are_of_one_version() {
    let library = quoted(line("version"), "version");
    for name in ["pmu-events", "pmu-events-core", "pmu-events-macros", "pmu-events-compiler"] {
        assert_eq!(quoted(line(name), "version"), format!("={library}"), "{name}");
    }
}

/// A deprecated event counts what its successor counts: an old name in a program still means
/// the same.
#[test]
fn deprecated_events_count_what_their_successors_do() {
    let mut pairs = 0;
    for (name, tree) in TREES {
        for model in tree.models() {
            for event in model.events().filter(|event| event.is_deprecated()) {
                let Some(successor) = event.successor() else { continue };
                let new = model.event_on(event.pmu(), successor).expect("the table has it");
                let terms = |event: pmu_events::Event| {
                    let counted = event.terms().filter(|term| term.name() != "period");
                    counted.map(|term| (term.name(), term.number())).collect::<Vec<_>>()
                };
                let (old, new) = (terms(event), terms(new));
                assert_eq!(old, new, "{name} {}: {}", model.name(), event.name());
                pairs += 1;
            }
        }
    }
    assert!(pairs > 100, "{pairs} pairs");
}
