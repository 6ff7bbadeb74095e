//! `mapfile.csv`: the models, and the files of each.

use std::collections::HashMap;

use super::ids;
use crate::faults::{Faults, Message, Place, hint, narrow, quoted};
use crate::mapfile::{Row, Rows, field_offset};

/// The first line of the map file. The kernel's has the first four columns only.
pub(super) const HEADER: &str =
    "Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name";

/// The contents of a file of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The events of all cores, or of a hybrid CPU's performance cores.
    Core,
    Atom,
    LowPower,
    Uncore,
    UncoreExperimental,
    Metrics,
    RetireLatency,
}

impl Kind {
    /// Its name in the map file.
    fn name(self) -> &'static str {
        match self {
            Kind::Core => "core",
            Kind::Atom => "atom",
            Kind::LowPower => "lowpower",
            Kind::Uncore => "uncore",
            Kind::UncoreExperimental => "uncore experimental",
            Kind::Metrics => "metrics",
            Kind::RetireLatency => "retire latency",
        }
    }

    pub(super) fn is_core(self) -> bool {
        matches!(self, Kind::Core | Kind::Atom | Kind::LowPower)
    }

    pub(super) fn is_uncore(self) -> bool {
        matches!(self, Kind::Uncore | Kind::UncoreExperimental)
    }

    /// Whether the version of a row is that of the model: metrics have their own.
    fn has_version(self) -> bool {
        !matches!(self, Kind::Metrics | Kind::RetireLatency)
    }
}

const EVENT_TYPES: &str = "core, hybridcore, uncore, uncore experimental, metrics, retire latency, \
                           offcore, fp_arith_inst";
const ROLES: &str = "Core, Atom, LowPower_Atom";

/// A file of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModelFile {
    pub(crate) kind: Kind,
    /// Below the root: `ADL/events/alderlake_uncore.json`.
    pub(crate) path: String,
    /// Where the map file names it.
    pub(crate) place: Place,
}

/// The rows of one `SHORT` directory.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// `SPR`, `ADLN`.
    pub(crate) short: String,
    /// The directory of the kernel's tree: `sapphirerapids`.
    pub(crate) name: String,
    pub(crate) files: Vec<ModelFile>,
    version: String,
    ids: Vec<String>,
    /// Where its first row begins, where that names a file, and where its version is.
    place: Place,
    name_place: Place,
    version_place: Place,
}

impl Model {
    /// Where its first row begins.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// The version of its event files.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// One of its CPUs; the kernel has the same drivers for all.
    pub(super) fn first_cpuid(&self) -> &str {
        self.ids.first().map_or("", String::as_str)
    }

    /// Whether its cores differ, so that events name the PMU of theirs.
    pub(super) fn is_hybrid(&self) -> bool {
        self.files.iter().any(|file| matches!(file.kind, Kind::Atom | Kind::LowPower))
    }
}

/// The models, sorted by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) models: Vec<Model>,
    is_whole: bool,
}

impl Layout {
    /// The rows that the kernel's map file has for these models.
    pub(crate) fn rows(&self) -> Rows {
        let rows = self.models.iter().map(|model| Row {
            pattern: ids::pattern(&model.ids.iter().map(String::as_str).collect::<Vec<_>>()),
            directory: model.name.clone(),
            place: model.place,
            directory_place: model.name_place,
            columns: 4,
        });
        Rows { rows: rows.collect(), is_whole: self.is_whole }
    }

    /// The version of each model's files.
    pub(crate) fn origins(&self) -> HashMap<String, String> {
        let of = |model: &Model| format!("perfmon {}", model.version());
        self.models.iter().map(|model| (model.name.clone(), of(model))).collect()
    }

    /// Reads the rows of a map file, which is file number `file`.
    pub(super) fn read(text: &str, file: u32, faults: &mut Faults) -> Self {
        let mut reader = Reader {
            faults,
            models: Vec::new(),
            by_short: HashMap::new(),
            by_id: HashMap::new(),
            is_whole: true,
        };
        let mut start = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let place = Place::new(file, start);
            start += line.len();
            let line = line.trim_end();
            if number == 0 {
                reader.header(line, place);
            } else if !line.is_empty() && !line.starts_with('#') {
                reader.row(line, place);
            }
        }
        let Reader { mut models, is_whole, .. } = reader;
        models.sort_by(|a, b| a.name.cmp(&b.name));
        Layout { models, is_whole }
    }
}

struct Reader<'f> {
    faults: &'f mut Faults,
    models: Vec<Model>,
    by_short: HashMap<String, usize>,
    /// Which model has a CPUID, and where its row is.
    by_id: HashMap<String, (usize, Place)>,
    is_whole: bool,
}

/// A row's columns; missing ones are empty.
struct Columns<'l> {
    line: &'l str,
    start: Place,
    texts: Vec<&'l str>,
}

impl<'l> Columns<'l> {
    fn text(&self, n: usize) -> &'l str {
        self.texts.get(n).copied().unwrap_or_default()
    }

    /// Where a column begins; the row's end where it is missing.
    fn place(&self, n: usize) -> Place {
        let is_there = n < self.texts.len();
        let offset = if is_there { field_offset(self.line, n) } else { self.line.len() };
        Place { offset: self.start.offset + narrow(offset), ..self.start }
    }
}

impl Reader<'_> {
    fn error(&mut self, place: Place, message: impl Into<Message>) {
        self.faults.error(place, message);
        self.is_whole = false;
    }

    fn header(&mut self, line: &str, place: Place) {
        if line != HEADER {
            let message = format!("unknown columns {}: expected `{HEADER}`", quoted(line));
            self.error(place, message);
        }
    }

    fn row(&mut self, line: &str, start: Place) {
        // No value has a comma: a quote would be part of an unknown name.
        let texts: Vec<&str> = line.split(',').map(str::trim).collect();
        let columns = Columns { line, start, texts };
        let expected = HEADER.split(',').count();
        if columns.texts.len() > expected {
            let message = format!("has {} columns: expected {expected}", columns.texts.len());
            return self.error(start, message);
        }
        let Some(kind) = self.kind(&columns) else {
            return;
        };
        let (id, version) = (columns.text(0), columns.text(1));
        for (n, what) in [(0, "Family-model"), (1, "Version")] {
            if columns.text(n).is_empty() {
                let message = format!(
                    "missing {what}: expected {}",
                    [
                        "a CPUID such as \
                    `GenuineIntel-6-97`",
                        "a version such as `V1.20`"
                    ][n]
                );
                return self.error(columns.place(n), message);
            }
        }
        let Some((short, long)) = names(columns.text(2)) else {
            let message = format!(
                "bad Filename {}: expected `/<SHORT>/<directory>/<name>_….json`",
                quoted(columns.text(2))
            );
            return self.error(columns.place(2), message);
        };
        // The one CPU of Alder Lake without performance cores is a model of its
        // own to perf, although its files are the others'.
        let (short, long) = match id {
            "GenuineIntel-6-BE" => ("ADLN".to_owned(), format!("{long}n")),
            _ => (short.to_owned(), long),
        };
        // Knights Mill has no events of its own.
        let is_alias = short == "KNM";
        let short = if is_alias { "KNL".to_owned() } else { short };
        let number = match self.by_short.get(&short) {
            Some(&number) => number,
            None if is_alias => {
                let message = "names KNM, which has the events of KNL: expected rows of KNL before";
                return self.error(columns.place(2), message);
            }
            None => {
                self.by_short.insert(short.clone(), self.models.len());
                self.models.push(Model {
                    short,
                    name: long.clone(),
                    files: Vec::new(),
                    version: String::new(),
                    ids: Vec::new(),
                    place: start,
                    name_place: columns.place(2),
                    version_place: columns.place(1),
                });
                self.models.len() - 1
            }
        };
        self.claim(id, number, &columns);
        if is_alias {
            return;
        }
        let model = &mut self.models[number];
        if model.name != long {
            let (here, there) = (quoted(&long), quoted(&model.name));
            let message = format!("names model {here}, but {} is {there} at ", model.short);
            let message = Message::from(message).place(model.name_place);
            return self.error(columns.place(2), message);
        }
        if kind.has_version() {
            if model.version.is_empty() {
                model.version = version.to_owned();
                model.version_place = columns.place(1);
            } else if model.version != version {
                let message = format!(
                    "version {} of model {}, which has version {} at ",
                    quoted(version),
                    quoted(&long),
                    quoted(&model.version)
                );
                let message = Message::from(message).place(model.version_place);
                return self.error(columns.place(1), message);
            }
        }
        let path = columns.text(2).trim_start_matches('/');
        match model.files.iter().find(|file| file.kind == kind) {
            Some(file) if file.path == path => {}
            Some(file) => {
                let (what, other) = (kind.name(), quoted(&file.path));
                let message = format!("model {} has the {what} file {other} at ", quoted(&long));
                let message = Message::from(message).place(file.place);
                self.error(columns.place(2), message);
            }
            None => {
                let place = columns.place(2);
                model.files.push(ModelFile { kind, path: path.to_owned(), place });
            }
        }
    }

    /// The contents of a row's file; `None` if it is not used or unknown.
    fn kind(&mut self, columns: &Columns<'_>) -> Option<Kind> {
        let (written, role) = (columns.text(3), columns.text(6));
        match (written, role) {
            ("core", _) => Some(Kind::Core),
            ("uncore", _) => Some(Kind::Uncore),
            ("uncore experimental", _) => Some(Kind::UncoreExperimental),
            ("metrics", _) => Some(Kind::Metrics),
            ("retire latency", _) => Some(Kind::RetireLatency),
            ("offcore" | "fp_arith_inst", _) => None,
            ("hybridcore", "Core") => Some(Kind::Core),
            ("hybridcore", "Atom") => Some(Kind::Atom),
            ("hybridcore", "LowPower_Atom") => Some(Kind::LowPower),
            ("hybridcore", role) => {
                let hint = hint(role, ROLES.split(", "));
                let message = format!("unknown role {}: expected one of {ROLES}", quoted(role));
                self.error(columns.place(6), message + &hint);
                None
            }
            _ => {
                let hint = hint(written, EVENT_TYPES.split(", "));
                let found = quoted(written);
                let message = format!("unknown EventType {found}: expected one of {EVENT_TYPES}");
                self.error(columns.place(3), message + &hint);
                None
            }
        }
    }

    /// Assigns a CPUID to a model.
    fn claim(&mut self, id: &str, number: usize, columns: &Columns<'_>) {
        match self.by_id.get(id) {
            None => {
                self.by_id.insert(id.to_owned(), (number, columns.start));
                self.models[number].ids.push(id.to_owned());
            }
            Some(&(owner, _)) if owner == number => {}
            Some(&(owner, place)) => {
                let model = quoted(&self.models[owner].name);
                let message = format!("{} belongs to model {model} at ", quoted(id));
                let message = Message::from(message).place(place);
                self.error(columns.place(0), message.text(": expected one model for each CPUID"));
            }
        }
    }
}

/// `SHORT` and long name of a file's path.
fn names(path: &str) -> Option<(&str, String)> {
    let mut components = path.strip_prefix('/')?.split('/');
    let (short, _, file) = (components.next()?, components.next()?, components.next()?);
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let (long, _) = file.split_once('_')?;
    let whole = components.next().is_none() && path[1..].split('/').all(is_plain);
    (whole && !long.is_empty() && path.ends_with(".json"))
        .then(|| (short, long.to_ascii_lowercase()))
}
