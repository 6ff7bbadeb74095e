//! The events that the advice of the findings names, sampled.
//!
//! | module | contents |
//! |---|---|
//! | [`how`] | what the command line says of it |
//! | [`advised`] | the events, as far as this machine can sample them |
//! | [`functions`] | the functions in which they occur |

mod advised;
mod functions;
mod how;

use pmu_events::topdown::Hierarchy;

use super::setting::Setting;
use super::walk::Walk;
use crate::record;
use crate::stat::{Failure, Signals};
use advised::Advised;
pub(crate) use functions::Function;
pub(crate) use how::How;

/// What was sampled.
#[derive(Default)]
pub(crate) struct Samples {
    of_events: Vec<OfEvent>,
    /// The status of the command.
    pub(crate) status: u8,
    pub(crate) notes: Vec<String>,
}

/// The samples of an event on one kind of core.
pub(crate) struct OfEvent {
    /// The event of the advice.
    advised: String,
    /// The event as it was sampled: perhaps less precisely.
    pub(crate) name: String,
    /// The kind of core, if that has its own tree.
    pmu: Option<String>,
    pub(crate) samples: u64,
    /// How many events these stand for.
    pub(crate) events: u64,
    /// The largest first.
    pub(crate) functions: Vec<Function>,
}

impl Samples {
    /// What was sampled of an event that the advice on a tree names.
    pub(crate) fn of<'s>(
        &'s self,
        advised: &'s str,
        tree: &'s Hierarchy,
    ) -> impl Iterator<Item = &'s OfEvent> {
        let is_of = |pmu: &String| pmu == tree.pmu();
        self.of_events
            .iter()
            .filter(move |one| one.advised == advised && one.pmu.as_ref().is_none_or(is_of))
    }
}

/// With fewer samples, nobody should believe a share: its standard deviation is then up to 5 % of
/// the whole.
pub(crate) const ENOUGH: u64 = 100;

/// Samples the events of all findings at the same time.
pub(crate) fn sample(
    how: How,
    setting: &Setting<'_>,
    signals: Signals,
    walks: &[Walk<'_>],
) -> Result<Samples, Failure> {
    let mut notes = Vec::new();
    let advised = Advised::of(walks, setting, &how, &mut notes);
    let Some(advised) = advised else {
        return Ok(Samples { notes, ..Samples::default() });
    };
    let (settings, file) = how.into_settings()?;
    let status = record::run(&settings, setting.system, advised.resolution(), signals)?;
    let mut samples = functions::read(file, advised, &mut notes)?;
    (samples.status, samples.notes) = (status, notes);
    Ok(samples)
}
