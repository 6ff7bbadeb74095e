//! From the command line to what is counted.

use std::path::Path;

use pmu_events::__private::file;

use super::choice::{self, Choice};
use super::config::{self, Config, Fault, Text};
use crate::export_args::ExportArgs;
use crate::failure::{Failure, with_sources};
use crate::system::System;

/// A configuration, and what it means on this machine.
pub(super) struct Prepared {
    pub(super) config: Config,
    pub(super) system: System,
    pub(super) choice: Choice,
}

/// Reads the configuration and chooses what is counted; the faults are the error inside.
pub(super) fn prepare(args: &ExportArgs) -> Result<Result<Prepared, String>, Failure> {
    let Some(path) = &args.config else {
        return Err(Failure::Missing("there is no configuration".into()));
    };
    let text = read(path)?;
    let config = match config::read(&text.text) {
        Ok(config) => config,
        Err(faults) => return Ok(Err(text.report(&faults))),
    };
    let trees = args.subject.trees()?;
    let system = System::of_subject(trees, &args.subject)?.with_names(args.names);
    Ok(match choice::choose(&config, &system, trees) {
        Ok((scopes, lacks)) => {
            let choice = Choice { scopes, lacks: text.report(&lacks) };
            Ok(Prepared { config, system, choice })
        }
        Err(faults) => Err(text.report(&faults)),
    })
}

/// The text of a configuration.
pub(super) fn read(path: &Path) -> Result<Text, Failure> {
    const MOST: usize = 1 << 20;
    let bytes =
        file::of_user(path, MOST).map_err(|problem| Failure::Missing(with_sources(&problem)))?;
    let name = path.display().to_string();
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Text { name, text }),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let fault = Fault::new(valid, "the configuration is not UTF-8");
            Err(Failure::Missing(Text { name, text }.report(&[fault])))
        }
    }
}
