//! The comparison of a perfmon directory with the output of perf's script, and with
//! the project's own `arch/`, which is made from it.

mod arguments;
mod bundled;
mod events;
#[path = "../../common/exceptions.rs"]
#[allow(dead_code, reason = "what is explained is counted here")]
mod except;
mod metrics;
mod outcome;
mod registers;
mod rows;
#[path = "../../kernel/src/situations.rs"]
mod situations;
mod trees;
mod written;

pub use arguments::Arguments;
pub use bundled::{compare_bundled, compare_registers, compare_written, shared_sentences};
pub use outcome::Outcome;
pub use registers::Registers;
pub use written::Written;

/// Compares the models that the script's output has, or those that are asked for.
///
/// # Errors
///
/// Says why a side cannot be read.
pub fn compare(arguments: &Arguments) -> Result<Outcome, String> {
    let theirs = trees::script_output(arguments)?;
    let ours = trees::perfmon(arguments, &theirs.models)?;
    let mut outcome = Outcome::default();
    rows::compare(&ours, &theirs, &mut outcome);
    for name in &theirs.models {
        let sides = [ours.tree.model_named(name), theirs.tree.model_named(name)];
        let [Some(our), Some(their)] = sides else {
            let has = sides.map(|side| side.is_some().to_string());
            outcome.differs(name, "", "model", &has[0], &has[1]);
            continue;
        };
        events::compare(&our, &their, &mut outcome);
        metrics::compare(&our, &their, &mut outcome);
        outcome.model(name, our.event_count(), our.metrics().len());
    }
    Ok(outcome)
}
