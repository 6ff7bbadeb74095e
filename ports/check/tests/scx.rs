//! `scx_raw_pmu` of scx, a whole crate.
#![allow(dead_code)]

#[path = "../../scx/files/rust/scx_raw_pmu/src/lib.rs"]
mod scx_raw_pmu;

#[test]
fn this_cpu_has_events_or_a_reason() {
    match scx_raw_pmu::PMUManager::new() {
        Ok(events) => {
            events.list_metadata();
            assert!(!events.pmus.is_empty());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
