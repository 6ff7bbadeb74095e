//! The rates at which memory is read and written.

use std::collections::BTreeSet;

use pmu_events::arch;
use pmu_events::event::Quantity;
use pmu_events::expr::EventValue;

/// A count is as many bytes as the tables say of its event, and no table says that the
/// event is another's old name.
#[test]
fn memory_bandwidth_is_bytes_in_a_second() {
    let (mut compared, mut wrong) = (0, BTreeSet::new());
    let (_, tree) = arch::TREES.iter().find(|(name, _)| *name == "x86").expect("it is bundled");
    for model in tree.models() {
        let is_one = |name: &str| name.starts_with("memory_bandwidth_");
        for metric in model.metrics().filter(|metric| is_one(metric.name())) {
            for name in metric.events() {
                let Some(event) = model.event(name.as_str()) else { continue };
                let place = format!("{}: {}: {}", model.name(), metric.name(), event.name());
                if event.is_deprecated() {
                    wrong.insert(format!("{place} is deprecated"));
                }
                let Some(unit) = event.count_unit().filter(|u| u.quantity() == Quantity::Bytes)
                else {
                    continue;
                };
                compared += 1;
                // One of it, and none of the others, in one second.
                let value = metric.evaluate(|other| {
                    let is_it =
                        other.as_str() == name.as_str() || other.as_str() == "duration_time";
                    EventValue::from(f64::from(u8::from(is_it)))
                });
                let bytes = value * metric.scale().0 * 1e6;
                let expected = f64::from(unit.multiplier()) / f64::from(unit.divisor());
                if (bytes - expected).abs() > 1e-9 * expected {
                    wrong.insert(format!("{place} is {bytes} bytes, not {expected}"));
                }
            }
        }
    }
    assert_eq!(wrong, BTreeSet::new());
    assert!(compared > 60, "{compared}");
}
