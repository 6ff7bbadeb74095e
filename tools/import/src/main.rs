//! See [`args::HELP`] and the library's documentation.

mod args;

use std::collections::{BTreeMap, HashSet};
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use args::{Args, Command};
use pmu_events_compiler::hint;
use pmu_events_import::apple;
use pmu_events_import::arch::{Arch, Origins};
use pmu_events_import::bound::{self, Accepted};
use pmu_events_import::origin::{self, Publication};
use pmu_events_import::part_numbers::{self, Cpu};
use pmu_events_import::problem::{Place, Problems};
use pmu_events_import::published::Published;
use pmu_events_import::quantities::{self, Verdicts, Vocabulary};
use pmu_events_import::record::Keep;
use pmu_events_import::sense::{self, Exceptions};
use pmu_events_import::share::{self, Missing};
use pmu_events_import::sources::Given;
use pmu_events_import::tree;
use pmu_events_import::write::{self, Change, ChangeKind, Files};
use pmu_events_import::{
    counts, cpus, layers, made_for, merge, news, packed, published, repairs, sources,
};

/// Architectures that are written here, including their facts.
const OURS: &[&str] = &["common", "test"];

enum Failure {
    Usage(String),
    /// The errors have been reported.
    Problems(usize),
    Other(String),
    OutOfDate,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::OutOfDate) => ExitCode::from(1),
        Err(Failure::Problems(count)) => {
            complain(&format!("{count} errors; nothing was written"));
            ExitCode::from(1)
        }
        Err(Failure::Other(message)) => {
            complain(&message);
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            complain(&format!("{message}\nTry `pmu-events-import --help`."));
            ExitCode::from(2)
        }
    }
}

/// Unlike `eprintln!`, does not panic when standard error is closed.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "pmu-events-import: {message}");
}

fn say(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

/// One architecture, ready to be written.
struct Ready {
    name: String,
    /// The list of what is said at which encodings, and its path.
    accepted: (PathBuf, String),
    files: Files,
    changes: Vec<Change>,
    origins: Origins,
}

fn run() -> Result<(), Failure> {
    let args = match args::parse(env::args_os().skip(1)).map_err(Failure::Usage)? {
        Command::Help => return say(args::HELP),
        Command::Version => {
            return say(concat!("pmu-events-import ", env!("CARGO_PKG_VERSION"), "\n"));
        }
        Command::Import(args) => args,
    };
    if args.only_pack {
        let is_current = packed(&args)?;
        return if args.check && !is_current { Err(Failure::OutOfDate) } else { Ok(()) };
    }
    let overlay = args.overlay.clone().unwrap_or_else(|| args.out.with_file_name("overlay"));
    let mut problems = Problems::default();
    let publications = origin::publications(&overlay, &mut problems);
    let evidence = repairs::Evidence::read(&overlay, &mut problems);
    let part_numbers = part_numbers::read(&overlay, &mut problems);
    let mut trees = trees(&args, &publications, &mut problems)?;
    let mut missing = Missing::new();
    let mut exceptions = Exceptions::of(&overlay, &mut problems);
    let mut findings = Vec::new();
    let mut shares = Vec::new();
    let mut ready = Vec::new();
    let mut table = counts::Table::new();
    let vocabulary = quantities::read_vocabulary(&overlay, &mut problems);
    let mut verdicts = Verdicts::new();
    let names = architectures(&trees, &args)?;
    for (number, name) in names.iter().enumerate() {
        progress(&format!("{name} ({} of {})", number + 1, names.len()));
        let layers: Vec<Arch> =
            trees.iter_mut().filter_map(|tree| tree.read(name, &mut problems)).collect();
        // What is there already stays as it is, if it is the first tree.
        let kept = match (trees[0].path == args.out, layers.first()) {
            (true, Some(own)) => own.tables.keys().cloned().collect(),
            _ => HashSet::new(),
        };
        let mut arch = layers::merge(layers, &mut problems);
        part_numbers::add(&mut arch, &part_numbers, &mut problems);
        let given: Vec<Given> = match args.metrics.is_empty() {
            true => trees.iter().map(|tree| Given::all(tree.path.clone())).collect(),
            false => args.metrics.clone(),
        };
        let (metrics, counted) = sources::read(&given, name, &kept, &mut problems);
        let mut arch = merge::with_words(arch, metrics, &overlay.join(name), &mut problems);
        repairs::state(&mut arch, &evidence);
        let of_arch = overlay.join(name);
        for model in made_for::unstated(&arch) {
            let place = Place::file(&of_arch.join(cpus::MADE).to_string_lossy());
            let message = "has only open-ended rows in the map file: add a row with its CPUs";
            problems.warn(place, format!("`{model}` {message}"));
        }
        let accepted = accepted(&arch, &of_arch, &args, &trees, &mut problems)?;
        if !args.trees.is_empty() {
            news(&arch, &args.out, &mut problems)?;
        }
        counts::count(&arch, &mut table);
        verdicts.extend(quantities::verdicts(&arch, &vocabulary));
        counts::add_sources(name, &counted, &mut table);
        shares.push((name.clone(), share::count(&arch, &mut missing)));
        findings.extend(sense::check(&arch));
        let files = write::files(&arch);
        let changes = write::changes(&args.out.join(name), &files);
        let changes = changes.map_err(|error| cannot(&args.out.join(name), "be read", &error))?;
        ready.push(Ready {
            name: name.clone(),
            accepted: (of_arch.join(bound::FILE), accepted),
            files,
            changes,
            origins: std::mem::take(&mut arch.origins),
        });
    }
    progress("");
    for problem in problems.warnings.iter().chain(&problems.errors) {
        let _ = writeln!(io::stderr(), "{problem}");
    }
    if !problems.errors.is_empty() {
        return Err(Failure::Problems(problems.errors.len()));
    }
    finish(&args, &ready)?;
    let of_crate = of_crate(&args, &publications, &part_numbers, &ready)?
        & counted(&args, table)?
        & one_name(&args, &vocabulary, &verdicts)?
        & repairs(&args, &evidence, &publications)?
        & lists(&args, &ready)?
        & shared(&args, &overlay, &shares)?
        & packed(&args)?;
    say(&share::table(&shares))?;
    say(&share::most_missing(&missing, args.missing))?;
    exceptions.apply(&mut findings);
    for finding in findings.iter().take(args.findings) {
        say(&format!("{finding}\n"))?;
    }
    let is_current = of_crate && ready.iter().all(|ready| ready.changes.is_empty());
    if args.check && !is_current { Err(Failure::OutOfDate) } else { Ok(()) }
}

/// What may be said at which encodings, as the text of the list. What is refused is an
/// error, with the words of the trees beside it.
fn accepted(
    arch: &Arch,
    overlay: &Path,
    args: &Args,
    trees: &[Tree<'_>],
    problems: &mut Problems,
) -> Result<String, Failure> {
    let known = Accepted::of(overlay, problems);
    let mut bound = bound::check(arch, &known, !args.trees.is_empty());
    for refused in bound.accept(&args.accept) {
        say(&format!("accepted: {}\n", refused.message(&arch.name)))?;
    }
    if !bound.refused.is_empty() {
        let others: Vec<Arch> =
            trees.iter().filter_map(|tree| tree.with_words(&arch.name, &args.out)).collect();
        for refused in &bound.refused {
            let theirs = others.iter().find_map(|other| refused.words_of(other));
            let theirs =
                theirs.map_or_else(String::new, |theirs| format!("\n    source: {theirs}"));
            let message = format!("{}{theirs}", refused.message(&arch.name));
            problems.error(refused.sentence.place().clone(), message);
        }
        let message = "sentences at new encodings are refused: read them, and accept those that \
                       are right with --accept EVENTS";
        problems.error(Place::file(&overlay.join(bound::FILE).to_string_lossy()), message);
    }
    Ok(match bound.accepted.is_empty() {
        true => String::new(),
        false => bound.accepted.text(),
    })
}

/// Reports what is new in an architecture, compared with what is there.
/// That one of our own models is gone is an error.
fn news(arch: &Arch, out: &Path, problems: &mut Problems) -> Result<(), Failure> {
    let present = &out.join(&arch.name);
    let before = match present.is_dir() {
        // Its faults are of no interest: it is replaced.
        true => tree::read(present, &arch.name, Keep::All, &mut Problems::default()),
        false => Arch::default(),
    };
    for (place, message) in news::undescribed(&before, arch) {
        problems.warn(place, message);
    }
    // What a source with faults has is unknown.
    let dropped = match problems.errors.is_empty() {
        true => news::dropped(&before, arch),
        false => Vec::new(),
    };
    for (model, is_ours) in dropped {
        let place = Place::file(&present.join(&model).to_string_lossy());
        match is_ours {
            true => problems.error(
                place,
                format!(
                    "`{model}` is gone: it is our own, and no overlay/{}/models has it",
                    arch.name
                ),
            ),
            false => problems.warn(
                place,
                format!(
                    "`{model}` is gone: no TREE has it; as the last one, {} keeps it",
                    out.display()
                ),
            ),
        }
    }
    say(&news::report(&before, arch))
}

/// Writes the lists of what is said at which encodings; whether they were current.
fn lists(args: &Args, ready: &[Ready]) -> Result<bool, Failure> {
    let lists = ready.iter().map(|ready| ready.accepted.clone());
    write_beside(args, lists.filter(|(path, text)| !text.is_empty() || path.exists()))
}

/// Writes the table of described events into the README of the overlay, if it has one;
/// whether it was current.
fn shared(args: &Args, overlay: &Path, shares: &[(String, share::Share)]) -> Result<bool, Failure> {
    let path = overlay.join("README.md");
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    match share::in_document(&present, &share::table(shares)) {
        Some(text) if args.archs.is_empty() => write_beside(args, [(path, text)]),
        _ => Ok(true),
    }
}

/// Writes, or reports what would be written.
fn finish(args: &Args, ready: &[Ready]) -> Result<(), Failure> {
    for Ready { name, files, changes, .. } in ready {
        let directory = args.out.join(name);
        if args.check {
            for Change { file, kind } in changes {
                say(&format!("{kind:7} {}\n", directory.join(file).display()))?;
            }
            continue;
        }
        write::write(&directory, files, changes)
            .map_err(|error| cannot(&directory, "be written", &error))?;
        let count = |kind| changes.iter().filter(|change| change.kind == kind).count();
        let counts = [ChangeKind::New, ChangeKind::Changed, ChangeKind::Removed]
            .map(|kind| format!("{} {kind}", count(kind)));
        say(&format!("{}: {} files, {}\n", directory.display(), files.len(), counts.join(", ")))?;
    }
    Ok(())
}

/// Writes the table of metrics; whether it was current.
fn counted(args: &Args, mut table: counts::Table) -> Result<bool, Failure> {
    let path = args.out.join(counts::FILE);
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    if present.is_empty() && args.metrics.is_empty() {
        return Ok(true);
    }
    if args.metrics.is_empty() {
        counts::keep_sources(&present, &mut table);
    }
    let mut all =
        args.archs.is_empty().then(counts::Table::new).unwrap_or_else(|| counts::read(&present));
    all.append(&mut table);
    let text = counts::text(&all);
    if present == text {
        return Ok(true);
    }
    if args.check {
        say(&format!("changed {}\n", path.display()))?;
    } else {
        std::fs::write(&path, text).map_err(|error| cannot(&path, "be written", &error))?;
    }
    Ok(false)
}

/// Writes the table of quantities, and their share into the README beside it; whether they
/// were current.
fn one_name(args: &Args, vocabulary: &Vocabulary, verdicts: &Verdicts) -> Result<bool, Failure> {
    // The table is about all architectures.
    if verdicts.is_empty() || !args.archs.is_empty() {
        return Ok(true);
    }
    let mut files = vec![(args.out.join(quantities::PAGE), quantities::page(vocabulary, verdicts))];
    let sentence =
        quantities::Share::of(verdicts).sentence(vocabulary.plain().count(), verdicts.len());
    for readme in [args.out.with_file_name("README.md"), args.out.join("README.md")] {
        let present = std::fs::read_to_string(&readme).unwrap_or_default();
        let text = quantities::share_in_document(&present, &sentence);
        files.extend(text.map(|text| (readme, text)));
    }
    write_beside(args, files)
}

fn cannot(path: &Path, what: &str, error: &io::Error) -> Failure {
    Failure::Other(format!("{} cannot {what}: {error}", path.display()))
}

/// Writes the files of the crate that name all sources; whether they were current.
fn of_crate(
    args: &Args,
    publications: &[Publication],
    cpus: &[Cpu],
    ready: &[Ready],
) -> Result<bool, Failure> {
    if publications.is_empty() {
        return Ok(true);
    }
    let mut all: BTreeMap<String, Origins> =
        ready.iter().map(|ready| (ready.name.clone(), ready.origins.clone())).collect();
    // Those that are not imported now stay as they are.
    for name in with_map_file(&args.out)? {
        if name != "test" && !all.contains_key(&name) {
            let path = args.out.join(&name);
            let mut problems = Problems::default();
            let shown = path.to_string_lossy();
            let origins = tree::read(&path, &shown, Keep::Facts, &mut problems).origins;
            all.insert(name, origins);
        }
    }
    let files = origin::of_crate(publications, &all, &part_numbers::page(cpus));
    write_beside(args, files.map(|(file, text)| (args.out.join(file), text)))
}

/// Writes the pages of what perf gets wrong; whether they were current.
fn repairs(
    args: &Args,
    evidence: &repairs::Evidence,
    publications: &[Publication],
) -> Result<bool, Failure> {
    if publications.is_empty() {
        return Ok(true);
    }
    let files = repairs::files(&args.out, evidence, publications);
    write_beside(args, files.map_err(Failure::Other)?)
}

/// Packs the trees of `arch/` for the crate that has them in this form, if it is there;
/// whether they were current.
fn packed(args: &Args) -> Result<bool, Failure> {
    let directory = packed::directory(&args.out);
    if !directory.is_dir() {
        return match args.only_pack {
            true => Err(Failure::Other(format!("{} is no directory", directory.display()))),
            false => Ok(true),
        };
    }
    let mut files = Vec::new();
    for name in with_map_file(&args.out)? {
        let is_chosen = args.archs.is_empty() || args.archs.contains(&name);
        if name == "test" || !is_chosen {
            continue;
        }
        let compiled = packed::compiled(&args.out, &name).map_err(Failure::Other)?;
        let of_tree = packed::files(&name, &compiled);
        files.extend(of_tree.map(|(file, bytes)| (directory.join(file), bytes)));
    }
    write_beside(args, files)
}

/// Writes files that are not in the directory of an architecture; whether they were current.
fn write_beside(
    args: &Args,
    files: impl IntoIterator<Item = (PathBuf, impl AsRef<[u8]>)>,
) -> Result<bool, Failure> {
    let mut is_current = true;
    for (path, text) in files {
        if std::fs::read(&path).is_ok_and(|present| present == text.as_ref()) {
            continue;
        }
        is_current = false;
        if args.check {
            say(&format!("changed {}\n", path.display()))?;
        } else {
            let directory = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            directory
                .and_then(|()| std::fs::write(&path, text))
                .map_err(|error| cannot(&path, "be written", &error))?;
        }
    }
    Ok(is_current)
}

/// A directory of architectures, or of what a vendor publishes.
struct Tree<'p> {
    path: PathBuf,
    publication: Option<&'p Publication>,
    /// The vendor's architecture, until it is taken.
    published: Option<Published>,
    names: Vec<String>,
}

impl Tree<'_> {
    /// One architecture, without sentences.
    fn read(&mut self, name: &str, problems: &mut Problems) -> Option<Arch> {
        if !self.names.iter().any(|own| own == name) {
            return None;
        }
        let (mut arch, has_versions) = match self.published.take() {
            Some(published) => (published.arch, published.has_versions),
            None => {
                let path = self.path.join(name);
                (tree::read(&path, &path.to_string_lossy(), Keep::Facts, problems), false)
            }
        };
        if let Some(publication) = self.publication {
            publication.mark(&mut arch, has_versions);
        }
        Some(arch)
    }

    /// One architecture with the tree's own sentences, unless it is the one that is filled:
    /// its sentences are ours.
    fn with_words(&self, name: &str, out: &Path) -> Option<Arch> {
        if self.path == out || !self.names.iter().any(|own| own == name) {
            return None;
        }
        // What is wrong with the tree has been said.
        let mut problems = Problems::default();
        match published::read(&self.path, Keep::All, &mut problems) {
            Some(published) => Some(published.arch),
            None => Some(tree::read(&self.path.join(name), name, Keep::All, &mut problems)),
        }
    }
}

/// The trees of the command line or, without any, what is there already.
fn trees<'p>(
    args: &Args,
    publications: &'p [Publication],
    problems: &mut Problems,
) -> Result<Vec<Tree<'p>>, Failure> {
    let own = [(None, args.out.clone())];
    let named = if args.trees.is_empty() { &own[..] } else { &args.trees };
    let mut trees = Vec::new();
    for (key, path) in named {
        let publication = match key {
            None => None,
            Some(key) => {
                let keys = || publications.iter().map(|publication| publication.key.as_str());
                let found = publications.iter().find(|publication| publication.key == *key);
                if found.is_none() {
                    let hint = hint(key, keys());
                    let message = format!("unknown source `{key}`: expected a key of sources.csv");
                    return Err(Failure::Usage(format!("{message}{hint}")));
                }
                found
            }
        };
        let within = path.join("tools/perf/pmu-events/arch");
        let path = if within.is_dir() { &within } else { path };
        let driver = apple::read(path, Keep::Facts, problems);
        if driver.is_none() && !path.is_dir() {
            return Err(Failure::Other(format!("{} is not a directory", path.display())));
        }
        let published = driver.or_else(|| published::read(path, Keep::Facts, problems));
        let names = match &published {
            Some(published) => vec![published.arch.name.clone()],
            None => with_map_file(path)?,
        };
        if names.is_empty() {
            let message = "is not a tree of events: no directory in it has a mapfile.csv";
            return Err(Failure::Other(format!("{} {message}", path.display())));
        }
        trees.push(Tree { path: path.clone(), publication, published, names });
    }
    Ok(trees)
}

/// The directories below a path that have a map file, sorted.
fn with_map_file(path: &Path) -> Result<Vec<String>, Failure> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return Ok(Vec::new());
    };
    let mut there: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("mapfile.csv").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.'))
        .collect();
    there.sort();
    Ok(there)
}

/// The architectures to import.
fn architectures(trees: &[Tree<'_>], args: &Args) -> Result<Vec<String>, Failure> {
    let mut there: Vec<String> = trees.iter().flat_map(|tree| tree.names.clone()).collect();
    there.retain(|name| !OURS.contains(&name.as_str()));
    there.sort();
    there.dedup();
    for name in &args.archs {
        if !there.contains(name) {
            let hint = hint(name, there.iter().map(String::as_str));
            return Err(Failure::Usage(format!("unknown architecture `{name}`{hint}")));
        }
    }
    there.retain(|name| args.archs.is_empty() || args.archs.contains(name));
    Ok(there)
}

/// Shows progress on a terminal; an empty text erases it.
fn progress(text: &str) {
    let mut err = io::stderr();
    if err.is_terminal() {
        let _ = write!(err, "\r\x1b[K{text}");
        let _ = err.flush();
    }
}
