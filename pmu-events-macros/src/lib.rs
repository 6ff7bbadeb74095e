//! The `pmu_events!` macro of [`pmu-events`](https://docs.rs/pmu-events): reads
//! its arguments, finds the tree, and turns the result of
//! [`pmu-events-compiler`](https://docs.rs/pmu-events-compiler) into tokens.

mod expand;
mod input;
mod location;

/// Compiles a tree of PMU event descriptions; see `pmu_events::pmu_events!`.
#[proc_macro]
pub fn pmu_events(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as input::Input);
    expand::expand(&input).into()
}
