//! The `pmu_events!` macro of [`pmu-events`](https://docs.rs/pmu-events): a
//! pipeline of plain values, each stage a function of the one before. Only
//! `source` touches the file system; only `expand` knows tokens.

mod assemble;
mod compile;
mod entry;
mod event_string;
mod expand;
mod fault;
mod fields;
mod formula;
mod input;
mod intern;
mod json;
mod keys;
mod location;
mod mapfile;
mod number;
mod pack;
mod parallel;
mod pattern;
mod read_back;
mod report;
mod source;
mod validate;

#[cfg(test)]
mod large;
#[cfg(test)]
mod random;

/// Compiles a tree of PMU event descriptions; see `pmu_events::pmu_events!`.
#[proc_macro]
pub fn pmu_events(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as input::Input);
    expand::expand(&input).into()
}
