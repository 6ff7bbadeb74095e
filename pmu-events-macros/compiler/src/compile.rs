//! The whole pipeline: from the files to the packed constants.

use std::error::Error;
use std::fmt;

use pmu_events_core::__private::cpuid::MatchRule;
use pmu_events_core::__private::debug_as_display;

use crate::assemble::tree::{Table, Tree};
use crate::faults::Faults;
use crate::faults::report::{Report, Severity};
use crate::files::Files;
use crate::hierarchy::Rule;
use crate::mapfile::Rows;
use crate::mapfile::former::{Former, Of};
use crate::mapfile::{self, cpus, origins};
use crate::options::{Options, Unknown};
use crate::pack::Packed;
use crate::source::Source;
use crate::validate::static_name;
use crate::{assemble, formula, hierarchy, pack, read_back, validate};

/// A tree without errors, packed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compiled {
    /// The text of the packed format: the first argument of `Tree::new`.
    pub strings: String,
    /// The records of the packed format: the second argument of `Tree::new`.
    pub tables: Vec<u8>,
    /// The tables of models and of system PMUs, in the order of the records.
    pub models: Vec<Model>,
    /// The rows of the map file that have a table, in the order of the file.
    pub rows: Vec<Mapping>,
    /// How CPUIDs are matched against the patterns of the rows.
    pub rule: MatchRule,
    /// Likely mistakes.
    pub warnings: Report,
}

/// A packed table of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Model {
    /// The directory below the root of the tree: `arm/neoverse-n1`.
    pub directory: String,
    /// Whether this is the table of the directory's system PMUs.
    pub is_sys: bool,
    /// The name of the static: `ARM_NEOVERSE_N1`, `..._SYS` for system PMUs.
    pub static_name: String,
    /// How many events are kept.
    pub events: usize,
    /// How many metrics are kept.
    pub metrics: usize,
    /// The CPUIDs for which the table was made, as the patterns of `cpus.csv`; none if
    /// the tree does not say.
    pub cpuids: Vec<String>,
    /// The statics that this one had before, which stay for a while.
    pub former: Vec<FormerName>,
    /// The metrics that form a hierarchy, sorted by name.
    pub hierarchy: Vec<Node>,
}

/// A metric in the hierarchy of its model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// The name of the metric.
    pub metric: String,
    /// The PMU whose events the metric uses.
    pub pmu: String,
    /// The node above, as an index of [`Model::hierarchy`].
    pub parent: Option<usize>,
    /// Why the metric has this place.
    pub rule: Rule,
    /// Whether the value is a share of the parent's value.
    pub is_of_parent: bool,
}

/// A former name of a static.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormerName {
    /// The former name of the static.
    pub static_name: String,
    /// The version of the tree's crate in which the name changed.
    pub since: String,
}

/// A row of the map file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mapping {
    /// The pattern of CPUIDs.
    pub pattern: String,
    /// The model, as an index of [`Compiled::models`].
    pub model: usize,
}

/// A tree with errors.
#[derive(Clone)]
#[non_exhaustive]
pub struct Refused {
    /// What keeps the tree from being compiled. There is at least one.
    pub errors: Report,
    /// Likely mistakes.
    pub warnings: Report,
    /// The names of the statics that the tree would have had, as far as they
    /// are known.
    pub static_names: Vec<String>,
}

/// The errors, as the [`Report`] shows them.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.errors.fmt(f)
    }
}

debug_as_display!(Refused);

impl Error for Refused {}

impl Refused {
    pub(crate) fn new(faults: &Faults, files: &Files, rows: &Rows, former: &[Former]) -> Box<Self> {
        let rows = rows.rows.iter().map(|row| static_name(&row.directory, false));
        let directories = files.directories.iter().map(|d| static_name(&d.name, d.sys));
        let models = former.iter().filter(|row| matches!(row.of, Of::Model(_)));
        let former = models.map(|row| static_name(&row.name, false));
        let mut static_names: Vec<String> = rows.chain(directories).chain(former).collect();
        static_names.sort();
        static_names.dedup();
        Box::new(Refused {
            errors: files.report(&faults.errors, Severity::Error),
            warnings: files.report(&faults.warnings, Severity::Warning),
            static_names,
        })
    }
}

/// Checks and packs a tree.
///
/// The packed tables are the same, byte by byte, whenever the same files and
/// options are compiled, and every part of them has been read back with the
/// decoder of `pmu-events-core`.
///
/// # Errors
///
/// Returns all errors of the tree, each with its place.
///
/// ```
/// use pmu_events_compiler::{Options, Source, compile};
///
/// # let directory = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/soc"));
/// let options = Options::default();
/// let source = Source::read(directory, "arch/soc", &options);
/// match compile(&source, &options) {
///     Ok(compiled) => println!("{} models, {}", compiled.models.len(), compiled.warnings),
///     Err(refused) => println!("{}", refused.errors),
/// }
/// ```
pub fn compile(source: &Source, options: &Options) -> Result<Compiled, Box<Refused>> {
    let (files, mut faults) = (&source.files, source.faults.clone());
    let (rows, converted, origins) = match &source.publication {
        Some(publication) => {
            let converted = publication.convert(files, options.encoding, &mut faults);
            (publication.rows(), converted, publication.origins())
        }
        None => {
            let rows = mapfile::read(files, &mut faults);
            (rows, Vec::new(), origins::read(files, &mut faults))
        }
    };
    let statements = cpus::read(files, &mut faults);
    let tree = assemble::tree(files, &converted, &rows, &statements, origins, options, &mut faults);
    validate::check(&tree, files, &mut faults);
    let mut resolved = formula::resolve(tree, files, &mut faults);
    resolved.tree.check_events(files, options, &mut faults);
    // Dropped items are checked too, and metrics may name dropped events.
    resolved.keep(options);
    let tree = &resolved.tree;
    let rule = options.rule(&files.arch);
    let patterns = validate::patterns(tree, files, rule, &mut faults);
    if tree.is_empty() && !faults.has_errors() {
        faults.error_at_path(&files.root, nothing_kept(options));
    }
    match options.unknown {
        Unknown::Allow => faults.drop_warnings(),
        Unknown::Warn => {}
        Unknown::Deny => faults.warnings_into_errors(),
    }
    if faults.has_errors() {
        return Err(Refused::new(&faults, files, &rows, &statements.former));
    }
    let hierarchies = hierarchy::of_tables(&resolved);
    let packed = pack::pack(&resolved, &hierarchies, &patterns, options.text).map_err(|limit| {
        let cure = "the options `models`, `events` and `text` keep less";
        format!("too large: {limit}; {cure}")
    });
    let packed = packed.and_then(|packed| {
        match read_back::check(&resolved, &hierarchies, &patterns, options.text, &packed) {
            Ok(()) => Ok(packed),
            Err(fault) => Err(format!("{fault}; this is a fault of pmu-events, please report it")),
        }
    });
    let Packed { strings, tables } = match packed {
        Ok(packed) => packed,
        Err(message) => {
            faults.error_at_path(&files.root, message);
            return Err(Refused::new(&faults, files, &rows, &statements.former));
        }
    };
    Ok(Compiled {
        strings,
        tables,
        models: models(tree, &hierarchies),
        rows: mappings(tree),
        rule,
        warnings: files.report(&faults.warnings, Severity::Warning),
    })
}

fn models(tree: &Tree<'_>, hierarchies: &[Vec<hierarchy::Node>]) -> Vec<Model> {
    let cpuids = |number| {
        let its = tree.made.iter().filter(move |&&(_, table)| table == number);
        its.map(|(row, _)| row.pattern.clone()).collect()
    };
    let tables = tree.tables.iter().enumerate().map(|(number, table)| Model {
        directory: table.directory.name.clone(),
        is_sys: table.directory.sys,
        static_name: static_name(&table.directory.name, table.directory.sys),
        events: table.events.len(),
        metrics: table.metrics.len(),
        cpuids: cpuids(number),
        former: tree
            .former_names(table)
            .map(|row| FormerName {
                static_name: static_name(&row.name, table.directory.sys),
                since: row.since.clone(),
            })
            .collect(),
        hierarchy: nodes(table, &hierarchies[number]),
    });
    tables.collect()
}

fn nodes(table: &Table<'_>, nodes: &[hierarchy::Node]) -> Vec<Node> {
    let node = |node: &hierarchy::Node| Node {
        metric: table.metrics[node.metric].metric_name().to_owned(),
        pmu: table.metrics[node.metric].entry.pmu.to_string(),
        parent: node.parent.and_then(|n| nodes.binary_search_by_key(&n, |one| one.metric).ok()),
        rule: node.rule,
        is_of_parent: node.is_of_parent,
    };
    nodes.iter().map(node).collect()
}

fn mappings(tree: &Tree<'_>) -> Vec<Mapping> {
    let rows = tree.rows.iter();
    rows.map(|&(row, model)| Mapping { pattern: row.pattern.clone(), model }).collect()
}

fn nothing_kept(options: &Options) -> &'static str {
    if options.models.is_empty() && options.events.is_empty() {
        "has no events: no directory below it holds a JSON file with any"
    } else {
        "has no events that the options `models` and `events` keep"
    }
}
