//! Tokens, at last.

use std::collections::BTreeSet;

use pmu_events_core::cpuid::{Midr, Rule};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::assemble::Tree;
use crate::fault::Faults;
use crate::input::Input;
use crate::location::Location;
use crate::mapfile::Row;
use crate::pack::Packed;
use crate::source::Source;
use crate::validate::static_name;
use crate::{compile, mapfile, source};

/// The whole macro: finds the directory, compiles it, and emits the result or
/// the one error.
pub(crate) fn expand(input: &Input) -> TokenStream {
    let (span, krate) = (input.tree.span(), &input.krate);
    let location = match Location::find(&input.tree) {
        Ok(location) => location,
        Err((message, variables)) => return failed(&message, span, krate, &variables, None),
    };
    let mut faults = Faults::default();
    let keep = |directory: &str| input.options.keeps_model(directory);
    let source = source::read(&location.root, &location.shown, &keep, &mut faults);
    let rule = input.options.rule(&source.arch);
    let rows = mapfile::read(&source, &mut faults);
    match compile::compile(&source, &rows, &input.options, faults) {
        Ok(compiled) => {
            let statics = statics(&compiled.tree, &compiled.packed, &source.root, krate);
            let matcher = matcher(&compiled.tree, rule, krate);
            let warnings = compiled.warnings.map(|text| warning(&text, span));
            let watched = watched(&source, &location.variables);
            quote! { #statics #matcher #warnings #watched }
        }
        Err(message) => failed(&message, span, krate, &location.variables, Some((&source, &rows))),
    }
}

/// The tree, its models, and their documentation.
fn statics(tree: &Tree<'_>, packed: &Packed, shown: &str, krate: &TokenStream) -> TokenStream {
    let strings = Literal::string(&packed.strings);
    let tables = Literal::byte_string(&packed.tables);
    let models = tree.tables.iter().filter(|table| !table.directory.sys).count();
    let tree_doc = format!(" The event tree `{shown}`: {models} models.");
    let mut statics = quote! {
        #[doc = #tree_doc]
        pub static TREE: #krate::Tree = #krate::Tree::new(#strings, #tables);
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
            pub static #name: #krate::Model = #krate::Model::new(&TREE, #number);
        });
    }
    statics
}

fn ident(directory: &str, sys: bool) -> Ident {
    Ident::new(&static_name(directory, sys), Span::call_site())
}

const MODEL_DOC: &str = " The model of a CPU, by its CPUID in perf's form: the first row of the \
                         map file that matches.";

/// The `match` from CPUID to model, and the look-up of the machine's own.
fn matcher(tree: &Tree<'_>, rule: Rule, krate: &TokenStream) -> TokenStream {
    let model = |table: usize| ident(&tree.tables[table].directory.name, false);
    let (subject, arms): (TokenStream, TokenStream) = if rule == Rule::Arm64 {
        let arms = tree.rows.iter().filter_map(|(row, table)| {
            let midr = Midr::parse(&row.pattern)?;
            let part = Literal::u64_unsuffixed(midr.part());
            let version = Literal::u8_unsuffixed(midr.version());
            let model = model(*table);
            Some(quote! { Some(midr) if midr.part() == #part && midr.version() >= #version => Some(&#model), })
        });
        (quote! { #krate::cpuid::Midr::parse(cpuid) }, arms.collect())
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
        pub const fn model(cpuid: &str) -> Option<&'static #krate::Model> {
            match #subject {
                #arms
                _ => None,
            }
        }
        #krate::__host! { model }
    }
}

/// Makes the compiler watch every file that was read, and every variable of
/// the path.
fn watched(source: &Source, variables: &[String]) -> TokenStream {
    let files = source.files.iter().filter(|file| file.is_readable);
    let paths: Vec<&str> = files.filter_map(|file| file.path.to_str()).collect();
    watch(&paths, variables)
}

/// Within a function that nobody calls, so that the files come neither into
/// the crate's metadata nor into its code.
fn watch(files: &[&str], variables: &[String]) -> TokenStream {
    quote! {
        const _: () = {
            fn _watched() {
                #( let _ = include_bytes!(#files); )*
                #( let _ = option_env!(#variables); )*
            }
        };
    }
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

/// One error, and items that keep it the only one: what the rest of the crate
/// names is there, and empty.
fn failed(
    message: &str,
    span: Span,
    krate: &TokenStream,
    variables: &[String],
    known: Option<(&Source, &[Row])>,
) -> TokenStream {
    let mut statics = TokenStream::new();
    let watched = match known {
        Some((source, rows)) => {
            let rows = rows.iter().map(|row| ident(&row.directory, false));
            let directories = source.directories.iter().map(|d| ident(&d.name, d.sys));
            let names: BTreeSet<Ident> = rows.chain(directories).collect();
            for name in names {
                statics.extend(quote! {
                    #[allow(missing_docs)]
                    pub static #name: #krate::Model = #krate::Model::new(&TREE, 0);
                });
            }
            watched(source, variables)
        }
        None => watch(&[], variables),
    };
    quote_spanned! { span =>
        ::core::compile_error!(#message);
        #[allow(missing_docs)]
        pub static TREE: #krate::Tree = #krate::Tree::broken();
        #[allow(missing_docs)]
        pub const fn model(_: &str) -> Option<&'static #krate::Model> {
            static ANY: #krate::Model = #krate::Model::new(&TREE, 0);
            Some(&ANY)
        }
        #krate::__host! { model }
        #statics
        #watched
    }
}
