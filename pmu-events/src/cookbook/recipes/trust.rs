use pmu_events::System;
use pmu_events::check::Verdict;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = System::new().check("instructions:u,cache-references:u,page-faults")?;
    for fact in report.facts().iter().filter(|fact| fact.is_finding()) {
        println!("found: {fact}");
    }
    for event in report.events() {
        match event.verdict() {
            Verdict::Alive => println!("trust {event}"),
            _ => println!("do not use {event}"),
        }
    }
    for item in report.budget("page-faults,{instructions:u,cycles:u},cache-references:u")? {
        println!("budget {item}");
    }
    Ok(())
}
