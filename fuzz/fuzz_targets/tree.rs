//! A whole event tree: the lines that `directory` describes, below `arch/x86`
//! or another architecture, which the first line names.
#![no_main]

#[path = "../src/visit.rs"]
mod visit;

use pmu_events_compiler::{Options, Source, compile};
use pmu_events_fuzz::checks::directory::Directory;

libfuzzer_sys::fuzz_target!(|data: &[u8]| check(data));

fn check(data: &[u8]) {
    let at = data.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (arch, lines) = data.split_at(at);
    let arch = if arch == b"arm64" { "arm64" } else { "x86" };
    let directory = Directory::new();
    directory.fill(arch, lines);
    let options = Options::default();
    let source = Source::read(&directory.root().join(arch), arch, &options);
    match compile(&source, &options) {
        // Compiling reads back all that it packs.
        Ok(compiled) => visit::visit(&compiled.strings, &compiled.tables),
        Err(refused) => {
            let message = refused.errors.to_string();
            assert!(!message.contains("fault of pmu-events"), "{message}");
            assert!(message.contains(arch), "each fault has a place: {message}");
        }
    }
}
