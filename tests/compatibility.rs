//! What the page on compatibility promises is what the manifests and the tables say.

use pmu_events::__private::wire::VERSION;
use pmu_events::arch::TREES;

const PAGE: &str = include_str!("../pmu-events/src/guide/compatibility.md");
const WORKSPACE: &str = include_str!("../Cargo.toml");
const ARCH: &str = include_str!("../arch/Cargo.toml");
const TABLES: &str = include_str!("../pmu-events/tables/Cargo.toml");

/// The packed format, with the first versions of the core and of the tables that have it.
/// A new one raises both: then those crates require each other from there on.
const FORMAT: (u16, &str, &str) = (13, "0.1.0", "0.1.0");

/// The line of the workspace's manifest about a crate or a key.
fn line(key: &str) -> &'static str {
    line_of(WORKSPACE, key)
}

fn line_of(manifest: &'static str, key: &str) -> &'static str {
    let is_about = |line: &&str| line.split(" =").next() == Some(key);
    manifest.lines().find(is_about).unwrap_or_else(|| panic!("no line about {key}"))
}

fn minor(version: &'static str) -> &'static str {
    version.rsplit_once('.').expect("it has three parts").0
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

/// Any patch of the data goes with any patch of the library, as far as they have one format,
/// and Cargo takes the newest.
#[test]
fn the_versions_of_the_data() {
    let library = minor(quoted(line("version"), "version"));
    let accepted = quoted(line("pmu-events-arch"), "version");
    assert_eq!(accepted, format!("{library}.0"), "no range but Cargo's default");
    let promise = format!(
        "`pmu-events` {library}.x accepts `pmu-events-arch` {library}.y and \
         `pmu-events-tables` {library}.y"
    );
    // Wherever its lines end.
    let words: Vec<&str> = PAGE.split_whitespace().collect();
    assert!(words.join(" ").contains(&promise), "{promise}");
    // A release of the data is one of both crates.
    let [arch, tables] =
        [ARCH, TABLES].map(|manifest| quoted(line_of(manifest, "version"), "version"));
    assert_eq!((arch, minor(arch)), (tables, library));
}

/// Cargo must not choose tables that the core cannot read, or that cannot read the tables.
#[test]
fn the_versions_of_the_packed_format() {
    let (format, core, tables) = FORMAT;
    assert_eq!(
        format, VERSION,
        "a new format: once there is a release, raise the versions of the libraries and of both \
         crates with data; write them into `FORMAT`, into the dependency on `pmu-events-tables` \
         in Cargo.toml, and into that on `pmu-events-core` in pmu-events/tables/Cargo.toml"
    );
    assert_eq!(quoted(line("pmu-events-tables"), "version"), tables);
    assert_eq!(quoted(line_of(TABLES, "pmu-events-core"), "version"), core);
    assert_eq!(minor(core), minor(quoted(line("version"), "version")));
    assert_eq!(minor(tables), minor(core));
}

/// Each uses what another one hides.
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
