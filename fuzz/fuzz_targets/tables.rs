//! Packed tables: those of the test tree with damage, of which each is four
//! bytes: where (three bytes, little-endian), and the byte that is there now.
#![no_main]

#[path = "../src/visit.rs"]
mod visit;

use std::path::Path;
use std::sync::LazyLock;

use pmu_events_compiler::{Options, Source, compile};

static TEST: LazyLock<(String, Vec<u8>)> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arch/test");
    let options = Options::default();
    let compiled = compile(&Source::read(&root, "arch/test", &options), &options);
    let packed = compiled.unwrap_or_else(|refused| panic!("{}", refused.errors));
    (packed.strings, packed.tables)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (strings, tables) = &*TEST;
    let mut tables = tables.clone();
    for damage in data.chunks_exact(4) {
        let at = u32::from_le_bytes([damage[0], damage[1], damage[2], 0]) as usize;
        let len = tables.len();
        tables[at % len] = damage[3];
    }
    // What is left over cuts off the end.
    if let [low, high, ..] = *data.chunks_exact(4).remainder() {
        let kept = u16::from_le_bytes([low, high]).into();
        tables.truncate(kept);
    }
    visit::visit(strings, &tables);
});
