//! A whole event tree: the lines that `directory` describes, below `arch/x86`
//! or another architecture, which the first line names.
#![no_main]
// What only the macro itself uses.
#![allow(dead_code, unused_imports)]

include!("../src/macros/modules.rs");
#[path = "../src/macros/visit.rs"]
mod visit;

use input::Options;
use pmu_events_fuzz::checks::directory::Directory;

libfuzzer_sys::fuzz_target!(|data: &[u8]| check(data));

fn check(data: &[u8]) {
    let at = data.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (arch, lines) = data.split_at(at);
    let arch = if arch == b"arm64" { "arm64" } else { "x86" };
    let directory = Directory::new();
    directory.fill(arch, lines);
    let mut faults = fault::Faults::default();
    let source = source::read(&directory.root().join(arch), arch, &|_| true, &mut faults);
    let rows = mapfile::read(&source, &mut faults);
    match compile::compile(&source, &rows, &Options::default(), faults) {
        // Compiling reads back all that it packs.
        Ok(compiled) => visit::visit(&compiled.packed.strings, &compiled.packed.tables),
        Err(message) => {
            assert!(!message.contains("fault of pmu-events"), "{message}");
            assert!(message.contains(arch), "each fault has a place: {message}");
        }
    }
}
