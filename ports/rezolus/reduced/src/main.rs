//! Starts each sampler, and says which could not be.

use rezolus_reduced::agent::{Config, SAMPLERS};

fn main() {
    for sampler in SAMPLERS {
        match (sampler.init)(Config.into()) {
            Ok(_) => println!("{}", sampler.name),
            Err(error) => println!("{}: {error}", sampler.name),
        }
    }
}
