use pmu_events::control::Control;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Nobody counts unless the variable says who.
    let mut control = match std::env::var("CONTROL") {
        Ok(address) => Some(Control::connect(&address.parse()?)?),
        Err(_) => None,
    };
    let numbers: Vec<u64> = (0..1_000_000).collect(); // Not counted.
    let region = || numbers.iter().map(|n| n / 3).sum::<u64>();
    let sum = match &mut control {
        Some(control) => control.during(region)?,
        None => region(),
    };
    println!("the sum is {sum}");
    Ok(())
}
