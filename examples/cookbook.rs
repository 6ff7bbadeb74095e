//! The recipes of the documentation (`pmu_events::cookbook`), by name:
//!
//! ```text
//! cargo run --example cookbook -- formula
//! ```

use std::error::Error;

/// A module of each recipe, and a table of their programs.
macro_rules! recipes {
    ($($(#[$where:meta])* $name:ident),+ $(,)?) => {
        $($(#[$where])* mod $name {
            include!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/pmu-events/src/cookbook/recipes/",
                stringify!($name),
                ".rs",
            ));

            pub(crate) fn run() -> super::Ended {
                super::Ended::from(main())
            }
        })+

        const RECIPES: &[(&str, fn() -> Ended)] = &[$($(#[$where])* (stringify!($name), $name::run)),+];
    };
}

recipes! {
    another_cpu, closure, drill_down, firmware, formula, hybrid_cpus, in_a_struct, metric,
    multiplexing, own_tree, portable, regions, short_regions, threads, trust, two_functions, whole_system,
    // Where there are descriptors.
    #[cfg(unix)]
    switched,
    // Where perf-event2 has bindings.
    #[cfg(all(
        target_os = "linux",
        any(
            target_arch = "x86",
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "riscv64",
        ),
    ))]
    sampling,
}

/// How a program has ended, whether or not it can fail.
struct Ended(Result<(), Box<dyn Error>>);

impl From<()> for Ended {
    fn from((): ()) -> Self {
        Ended(Ok(()))
    }
}

impl From<Result<(), Box<dyn Error>>> for Ended {
    fn from(result: Result<(), Box<dyn Error>>) -> Self {
        Ended(result)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    match RECIPES.iter().find(|(name, _)| *name == wanted) {
        Some((_, run)) => run().0,
        None => {
            let names: Vec<&str> = RECIPES.iter().map(|(name, _)| *name).collect();
            Err(format!("`{wanted}` is no recipe; there are {}", names.join(", ")).into())
        }
    }
}
