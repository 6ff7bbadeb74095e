#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pmu_events_fuzz::checks::samples::check(data));
