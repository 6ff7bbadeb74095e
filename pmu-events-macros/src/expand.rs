//! Tokens, at last.

use std::path::Path;

use pmu_events_core::cpuid::{Midr, Rule};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::assemble::{self, Tree};
use crate::fault::Faults;
use crate::input::{self, Input, Unknown};
use crate::pack::{self, Packed};
use crate::source::Source;
use crate::{mapfile, read_back, source, validate};

/// The whole macro: reads, checks, packs and emits.
pub(crate) fn expand(input: &Input) -> TokenStream {
    let span = input.path.span();
    let lookup = |name: &str| std::env::var(name).ok();
    let expanded = match input::expand_variables(&input.path.value(), lookup) {
        Ok(expanded) => expanded,
        Err(message) => return failed(&message, span, &[], None),
    };
    let root = input::directory(&expanded.path);
    if !root.is_dir() {
        let what = if root.exists() { "is no directory" } else { "does not exist" };
        let hint = if Path::new(&expanded.path).is_absolute() {
            String::new()
        } else {
            format!(" (relative to {})", input::directory("").display())
        };
        let message = format!("{} {what}{hint}", expanded.path);
        return failed(&message, span, &expanded.variables, None);
    }
    let arch = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let options = &input.options;
    let rule = options.rule(&arch);
    let mut faults = Faults::default();
    let shown = expanded.path.trim_end_matches('/');
    let keep = |directory: &str| options.keeps_model(directory);
    let source = source::read(&root, shown, &keep, &mut faults);
    let rows = mapfile::read(&source, &arch, &mut faults);
    let names: Vec<String> = rows.iter().map(|row| row.directory.clone()).collect();
    let tree = assemble::tree(&source, rows, options, &mut faults);
    let automata = validate::check(&tree, &source, rule, &mut faults);
    if tree.tables.is_empty() && !faults.has_errors() {
        faults.error_at_path(shown, nothing_kept(options));
    }
    match options.unknown {
        Unknown::Allow => faults.drop_warnings(),
        Unknown::Warn => {}
        Unknown::Deny => faults.warnings_into_errors(),
    }
    let fail = |message: &str| {
        failed(
            message,
            span,
            &expanded.variables,
            Some(Fallback { source: &source, names: &names }),
        )
    };
    if faults.has_errors() {
        return fail(&faults.errors(&source));
    }
    let packed = match pack::pack(&tree, &automata, options.text) {
        Ok(packed) => packed,
        Err(limit) => return fail(&format!("{shown}: too large: {limit}")),
    };
    if let Err(fault) = read_back::check(&tree, &packed) {
        return fail(&format!("{shown}: {fault}; this is a fault of pmu-events, please report it"));
    }
    let statics = statics(&tree, &packed, shown);
    let matcher = matcher(&tree, rule);
    let warnings = faults.warnings(&source).map(|text| warning(&text, span));
    let tracked = tracked(&source, &expanded.variables);
    quote! { #statics #matcher #warnings #tracked }
}

fn nothing_kept(options: &input::Options) -> &'static str {
    if options.models.is_empty() && options.events.is_empty() {
        "has no events: no directory below it holds a JSON file with any"
    } else {
        "has no events that the options `models` and `events` keep"
    }
}

/// The tree, its models, and their documentation.
fn statics(tree: &Tree<'_>, packed: &Packed, shown: &str) -> TokenStream {
    let strings = Literal::string(&packed.strings);
    let tables = Literal::byte_string(&packed.tables);
    let models = tree.tables.iter().filter(|table| !table.directory.sys).count();
    let tree_doc = format!(" The event tree `{shown}`: {models} models.");
    let mut statics = quote! {
        #[doc = #tree_doc]
        pub static TREE: ::pmu_events::Tree = ::pmu_events::Tree::new(#strings, #tables);
    };
    for (number, table) in tree.tables.iter().enumerate() {
        let name = ident(&table.directory.name, table.directory.sys);
        let doc = format!(
            " `{}`: {} events, {} metrics{}.",
            table.directory.name,
            table.events.len(),
            table.metrics.len(),
            if table.directory.sys { " of system PMUs" } else { "" },
        );
        let number = Literal::usize_unsuffixed(number);
        statics.extend(quote! {
            #[doc = #doc]
            pub static #name: ::pmu_events::Model = ::pmu_events::Model::new(&TREE, #number);
        });
    }
    statics
}

/// The static of a directory: `arm/neoverse-n1` is `ARM_NEOVERSE_N1`.
fn ident(directory: &str, sys: bool) -> Ident {
    let mut name: String = directory
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
        .collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if sys {
        name.push_str("_SYS");
    }
    if name == "TREE" {
        name.push('_');
    }
    Ident::new(&name, Span::call_site())
}

const MODEL_DOC: &str = " The model of a CPU, by its CPUID in perf's form: the first row of the \
                         map file that matches.";

/// The `match` from CPUID to model, and the look-up of the machine's own.
fn matcher(tree: &Tree<'_>, rule: Rule) -> TokenStream {
    let model = |table: usize| ident(&tree.tables[table].directory.name, false);
    let (subject, arms): (TokenStream, TokenStream) = if rule == Rule::Arm64 {
        let arms = tree.rows.iter().filter_map(|(row, table)| {
            let midr = Midr::parse(&row.pattern)?;
            let part = Literal::u64_unsuffixed(midr.part());
            let version = Literal::u8_unsuffixed(midr.version());
            let model = model(*table);
            Some(quote! { Some(midr) if midr.part() == #part && midr.version() >= #version => Some(&#model), })
        });
        (quote! { ::pmu_events::cpuid::Midr::parse(cpuid) }, arms.collect())
    } else {
        let arms = tree.rows.iter().enumerate().map(|(number, (_, table))| {
            let number = Literal::u16_unsuffixed(number as u16);
            let model = model(*table);
            quote! { Some(#number) => Some(&#model), }
        });
        (quote! { TREE.cpuids().matches(cpuid).first() }, arms.collect())
    };
    quote! {
        #[doc = #MODEL_DOC]
        pub const fn model(cpuid: &str) -> Option<&'static ::pmu_events::Model> {
            match #subject {
                #arms
                _ => None,
            }
        }
        ::pmu_events::__host! { model }
    }
}

/// Makes the compiler watch every file that was read, and every variable of
/// the path: within a function that nobody calls, so that the files come
/// neither into the crate's metadata nor into its code.
fn tracked(source: &Source, variables: &[String]) -> TokenStream {
    let files = source.files.iter().filter(|file| file.whole).filter_map(|file| {
        let path = file.path.to_str()?;
        Some(quote! { let _ = include_bytes!(#path); })
    });
    let files: TokenStream = files.collect();
    let variables: TokenStream = variables.iter().map(watched_variable).collect();
    quote! {
        const _: () = {
            fn _watched() {
                #files
                #variables
            }
        };
    }
}

fn watched_variable(name: &String) -> TokenStream {
    quote! { let _ = option_env!(#name); }
}

/// Stable Rust has no warnings from macros; use of something deprecated is
/// one.
fn warning(text: &str, span: Span) -> TokenStream {
    quote_spanned! { span =>
        const _: () = {
            #[deprecated(note = #text)]
            const fn event_tree() {}
            event_tree()
        };
    }
}

/// What is known of a tree that cannot be emitted.
struct Fallback<'s> {
    source: &'s Source,
    names: &'s [String],
}

/// One error, and items that keep it the only one: what the rest of the crate
/// names is there, and empty.
fn failed(
    message: &str,
    span: Span,
    variables: &[String],
    known: Option<Fallback<'_>>,
) -> TokenStream {
    let mut statics = TokenStream::new();
    let mut watched = TokenStream::new();
    if let Some(Fallback { source, names }) = known {
        let directories = source.directories.iter().map(|d| ident(&d.name, d.sys));
        let mut idents: Vec<Ident> =
            names.iter().map(|name| ident(name, false)).chain(directories).collect();
        idents.sort();
        idents.dedup();
        for name in idents {
            statics.extend(quote! {
                pub static #name: ::pmu_events::Model = ::pmu_events::Model::new(&TREE, 0);
            });
        }
        watched = tracked(source, variables);
    } else {
        let variables: TokenStream = variables.iter().map(watched_variable).collect();
        watched.extend(quote! { const _: () = { fn _watched() { #variables } }; });
    }
    quote_spanned! { span =>
        ::core::compile_error!(#message);
        #[allow(missing_docs)]
        pub static TREE: ::pmu_events::Tree = ::pmu_events::Tree::broken();
        #[allow(missing_docs)]
        pub const fn model(_: &str) -> Option<&'static ::pmu_events::Model> {
            None
        }
        ::pmu_events::__host! { model }
        #statics
        #watched
    }
}
