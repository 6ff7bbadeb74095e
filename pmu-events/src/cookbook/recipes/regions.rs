use pmu_events::System;
use pmu_events::region::{Regions, ThreadRegions};

struct Parser {
    regions: ThreadRegions,
}

impl Parser {
    fn sum(&self, text: &str) -> u64 {
        let _region = self.regions.enter("sum");
        let numbers: Vec<u64> =
            self.regions.count("split", || text.split(' ').filter_map(|n| n.parse().ok()).collect());
        numbers.iter().sum()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let regions = Regions::open(&System::new(), "{task-clock,page-faults},instructions:u")?;
    let parser = Parser { regions: regions.thread()? };
    let text: String = (0..10_000).map(|n| format!("{n} ")).collect();
    for _ in 0..3 {
        assert_eq!(parser.sum(&text), 49_995_000);
    }
    print!("{}", regions.report().without_overhead());
    Ok(())
}
