//! `pmu export`: counts for Prometheus.
//!
//! ```text
//! text ─▶ config ─▶ checked for a machine ─▶ counted ─▶ read ─▶ answered
//!
//! model ─▶ ready ─▶ a configuration
//! config, ready ─▶ rules ─▶ rules of Prometheus
//!                    └────▶ dashboard
//! ```

mod config;
mod dashboard;
mod made;
pub(crate) mod names;
mod ready;
mod rules;

use std::path::Path;

use pmu_events::__private::file;

use crate::export_args::ExportArgs;
use crate::failure::{FAILED, Failure, SUCCESS, with_sources};
use crate::output;
use config::{Fault, Text};

pub(crate) fn run(args: &ExportArgs) -> Result<u8, Failure> {
    if args.made.ready || args.made.rules || args.made.dashboard {
        return made::run(args);
    }
    let Some(path) = &args.config else {
        return Err(Failure::Missing("there is no configuration".into()));
    };
    let text = read(path)?;
    match config::read(&text.text) {
        Ok(_) => Ok(SUCCESS),
        Err(faults) => {
            output::tell(&format!("{}\n", text.report(&faults)));
            Ok(FAILED)
        }
    }
}

/// The text of a configuration.
fn read(path: &Path) -> Result<Text, Failure> {
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
