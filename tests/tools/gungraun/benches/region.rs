//! A region that touches a known number of pages, after a setup that touches ten times as
//! many: gungraun's counts show which of them were counted.

use std::hint::black_box;

use gungraun::prelude::*;
use gungraun::{Perf, Tool};

const PAGE: usize = 4096;
/// Above glibc's limit for blocks that the heap keeps, so that each is new.
const PAGES: usize = 20_000;

fn touch(pages: usize) -> Vec<u8> {
    let mut memory = Vec::with_capacity(pages * PAGE);
    for page in memory.spare_capacity_mut().chunks_mut(PAGE) {
        page[0].write(1);
    }
    black_box(memory)
}

fn setup() -> Vec<u8> {
    touch(10 * PAGES)
}

#[library_benchmark]
#[bench::pages(args = (), setup = setup)]
fn region(memory: Vec<u8>) -> (Vec<u8>, Vec<u8>) {
    (touch(black_box(PAGES)), memory)
}

library_benchmark_group!(name = regions, benchmarks = region);

main!(
    config = LibraryBenchmarkConfig::default()
        .default_tool(Tool::Perf)
        .tool(Perf::default().event_set("page-faults,task-clock")),
    library_benchmark_groups = regions
);
