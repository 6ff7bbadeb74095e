//! `CountUnit` and `CountScope`, keys that Linux does not have.

use pmu_events_core::__private::wire::record::{CountRecord, quantity, scope};
use pmu_events_core::event::{CountScope, CountUnit, Quantity};

use super::fields::Fields;
use super::keys::Key;
use crate::faults::{hint, quoted};

/// What one count stands for, and what it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) unit: Option<CountUnit>,
    pub(crate) scope: Option<CountScope>,
}

impl Count {
    pub(super) fn read(fields: &mut Fields<'_, '_>) -> Self {
        let mut count = Count::default();
        if let Some(unit) = fields.string(Key::CountUnit) {
            count.unit = unit.text.parse::<CountUnit>().ok();
            if count.unit.is_none() {
                let found = quoted(&unit.text);
                let message = format!("invalid CountUnit {found}: expected `64Bytes`, `Cycles`");
                fields.error(unit.place, format!("{message} or `2Occurrences`"));
            }
        }
        if let Some(scope) = fields.string(Key::CountScope) {
            count.scope = scope.text.parse::<CountScope>().ok();
            if count.scope.is_none() {
                let words: Vec<&str> = CountScope::names().collect();
                let message = format!(
                    "CountScope cannot be {}; it is one of {}{}",
                    quoted(&scope.text),
                    words.join(", "),
                    hint(&scope.text, CountScope::names())
                );
                fields.error(scope.place, message);
            }
        }
        count
    }

    /// `None` if nothing is said.
    pub(crate) fn record(self) -> Option<CountRecord> {
        if self == Count::default() {
            return None;
        }
        let (multiplier, divisor, quantity) = match self.unit {
            None => (0, 0, 0),
            Some(unit) => {
                let quantity = match unit.quantity() {
                    Quantity::Bytes => quantity::BYTES,
                    Quantity::Cycles => quantity::CYCLES,
                    _ => quantity::OCCURRENCES,
                };
                (unit.multiplier(), unit.divisor(), quantity)
            }
        };
        let scope = match self.scope {
            Some(CountScope::Thread) => scope::THREAD,
            Some(CountScope::Core) => scope::CORE,
            Some(CountScope::Cluster) => scope::CLUSTER,
            Some(CountScope::Package) => scope::PACKAGE,
            _ => scope::UNSTATED,
        };
        Some(CountRecord { multiplier, divisor, quantity, scope })
    }
}
