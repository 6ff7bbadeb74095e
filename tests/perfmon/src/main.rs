//! Compares a perfmon directory, read with perf's encodings, with the tree that
//! perf's script makes of the same directory; then with `arch/x86`, which must have
//! its facts and none of its sentences, and whose events must program its codes.

use std::process::ExitCode;

use pmu_events_perfmon_comparison::{
    Arguments, compare, compare_bundled, compare_registers, compare_written, shared_sentences,
};

fn main() -> ExitCode {
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing differs.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let outcome = compare(arguments)?;
    print!("{outcome}");
    let bundled = compare_bundled(arguments)?;
    print!("\narch/x86, with both encodings:\n{bundled}");
    let written = compare_written(arguments)?;
    print!("\nformulas as they are written:\n{written}");
    let registers = compare_registers(arguments)?;
    print!("\nregisters of cores:\n{registers}\n");
    let shared = shared_sentences(arguments)?;
    println!("{} sentences of arch/x86 are perfmon's", shared.len());
    shared.iter().for_each(|sentence| println!("{sentence}"));
    Ok(outcome.is_same()
        && bundled.is_same()
        && written.is_same()
        && registers.is_same()
        && shared.is_empty())
}
