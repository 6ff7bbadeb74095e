//! `pmu export`: counts for Prometheus.
//!
//! ```text
//! text ─▶ config ─▶ choice for a machine ─▶ collection: counted ─▶ serve: read, answered
//!
//! model ─▶ ready ─▶ a configuration
//! config, ready ─▶ rules ─▶ rules of Prometheus
//!                    └────▶ dashboard
//! ```

mod choice;
mod collection;
mod config;
mod containers;
mod dashboard;
mod exposition;
mod made;
pub(crate) mod names;
mod prepared;
mod ready;
mod rules;
mod serve;

use crate::export_args::ExportArgs;
use crate::failure::{FAILED, Failure, SUCCESS, complain};
use crate::output;
use choice::Chosen;
use prepared::prepare;

pub(crate) fn run(args: &ExportArgs) -> Result<u8, Failure> {
    if args.made.ready || args.made.rules || args.made.dashboard {
        return made::run(args);
    }
    let prepared = match prepare(args)? {
        Ok(prepared) => prepared,
        Err(faults) => return Ok(refused(&faults)),
    };
    prepared.system.tell_of_builtin("export");
    prepared.system.tell_of_cpus("export");
    tell_left(&prepared.choice.scopes);
    let lacks = prepared.choice.lacks.clone();
    if args.check {
        return Ok(if lacks.is_empty() { SUCCESS } else { refused(&lacks) });
    }
    if !lacks.is_empty() {
        output::tell(&format!("{lacks}\n"));
    }
    serve::serve(args, prepared)
}

/// Reports faults.
fn refused(faults: &str) -> u8 {
    output::tell(&format!("{faults}\n"));
    FAILED
}

/// Reports what the counters have no room for.
fn tell_left(scopes: &[Chosen]) {
    for chosen in scopes {
        for (item, why) in &chosen.left {
            let scope = chosen.scope.kind.name();
            complain("export", &format!("note: [{scope}]: `{item}` is left out: {why}"));
        }
    }
}
