//! Both sides, compiled.

use std::fs;
use std::path::{Path, PathBuf};

use pmu_events_compiler::{Compiled, Encoding, Options, Source, Unknown, compile};
use pmu_events_core::Tree;

use crate::Arguments;

/// One side.
pub(crate) struct Side {
    pub(crate) tree: &'static Tree,
    /// Names of the models that are compared.
    pub(crate) models: Vec<String>,
    /// Pattern and model of each row, in the order of the map file.
    pub(crate) rows: Vec<String>,
}

/// Compiles a perfmon directory with perf's encodings.
pub(crate) fn perfmon(arguments: &Arguments, models: &[String]) -> Result<Side, String> {
    side(&arguments.perfmon, models, Encoding::Perf)
}

/// Compiles what the script wrote, as a kernel's tree. Its map file names models
/// that may not be there.
pub(crate) fn script_output(arguments: &Arguments) -> Result<Side, String> {
    let directory = &arguments.as_perf;
    let cannot = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let map = directory.join("mapfile.csv");
    let rows = fs::read_to_string(&map).map_err(|error| cannot(&map, error))?;
    let mut text = "Family-model,Version,Filename,EventType\n".to_owned();
    let mut models: Vec<String> = Vec::new();
    for row in rows.lines() {
        let Some(model) = row.split(',').nth(2) else {
            continue;
        };
        let is_wanted = arguments.models.is_empty() || arguments.models.iter().any(|m| m == model);
        if is_wanted && directory.join(model).is_dir() {
            text += &format!("{row}\n");
            models.push(model.to_owned());
        }
    }
    if let Some(missing) = arguments.models.iter().find(|model| !models.contains(model)) {
        return Err(format!("{} has no model {missing}", directory.display()));
    }
    models.dedup();
    let scratch = std::env::temp_dir().join(format!("perfmon-{}", std::process::id()));
    let made = tree_of(&scratch, directory, &text, &models);
    let side = made
        .map_err(|error| cannot(&scratch, error))
        .and_then(|()| side(&scratch, &models, Encoding::Perf));
    fs::remove_dir_all(&scratch).map_err(|error| cannot(&scratch, error))?;
    side
}

/// Makes a tree of some models' files.
fn tree_of(at: &Path, from: &Path, map: &str, models: &[String]) -> std::io::Result<()> {
    fs::create_dir_all(at)?;
    fs::write(at.join("mapfile.csv"), map)?;
    for model in models {
        fs::create_dir_all(at.join(model))?;
        for file in fs::read_dir(from.join(model))? {
            let path: PathBuf = file?.path();
            if let Some(name) = path.file_name() {
                fs::copy(&path, at.join(model).join(name))?;
            }
        }
    }
    Ok(())
}

/// Compiles a tree or a perfmon directory.
pub(crate) fn side(
    directory: &Path,
    models: &[String],
    encoding: Encoding,
) -> Result<Side, String> {
    let mut options = Options::default();
    options.unknown = Unknown::Allow;
    options.encoding = encoding;
    options.arch = Some("x86".to_owned());
    options.models = models.to_vec();
    let shown = directory.display().to_string();
    let source = Source::read(directory, &shown, &options);
    let Compiled { strings, tables, models: directories, rows, .. } =
        compile(&source, &options).map_err(|refused| refused.errors.to_string())?;
    let tree = Box::leak(Box::new(Tree::new(strings.leak(), tables.leak())));
    let rows =
        rows.iter().map(|row| format!("{} {}", row.pattern, directories[row.model].directory));
    Ok(Side { tree, models: models.to_vec(), rows: rows.collect() })
}
