//! The last stage: tokens.

use std::path::Path;

use pmu_events_compiler::{Compiled, Source, compile};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::input::Input;
use crate::location::Location;

/// The whole macro: finds the directory, compiles it, and emits the result or
/// the one error.
pub(crate) fn expand(input: &Input) -> TokenStream {
    let (span, krate) = (input.tree.span(), &input.krate);
    let location = match Location::find(&input.tree) {
        Ok(location) => location,
        Err((message, variables)) => {
            return failed(&message, span, krate, &[], &watched(None, &variables));
        }
    };
    let source = Source::read(&location.root, &location.shown, &input.options);
    let watched = watched(Some(&source), &location.variables);
    match compile(&source, &input.options) {
        Ok(compiled) => {
            let statics = statics(&compiled, &location.shown, krate);
            let look_ups = look_ups(krate);
            let warnings = &compiled.warnings;
            let warnings = (!warnings.is_empty()).then(|| warning(&warnings.to_string(), span));
            quote! { #statics #look_ups #warnings #watched }
        }
        Err(refused) => {
            failed(&refused.errors.to_string(), span, krate, &refused.static_names, &watched)
        }
    }
}

/// The tree, its models, and their documentation.
fn statics(compiled: &Compiled, shown: &str, krate: &TokenStream) -> TokenStream {
    let strings = Literal::string(&compiled.strings);
    let tables = Literal::byte_string(&compiled.tables);
    let models = compiled.models.iter().filter(|model| !model.is_sys).count();
    let tree_doc = format!(" The event tree `{shown}`: {models} models.");
    let mut statics = quote! {
        #[doc = #tree_doc]
        pub static TREE: #krate::Tree = #krate::Tree::new(#strings, #tables);
    };
    for (number, model) in compiled.models.iter().enumerate() {
        let name = ident(&model.static_name);
        let doc = format!(
            " `{}`: {} events, {} metrics{}.{}",
            model.directory,
            model.events,
            model.metrics,
            if model.is_sys { " of system PMUs" } else { "" },
            made_for(&model.cpuids),
        );
        let number = Literal::usize_unsuffixed(number);
        statics.extend(quote! {
            #[doc = #doc]
            pub static #name: #krate::Model = #krate::Model::new(&TREE, #number);
        });
        for former in &model.former {
            let doc = format!(" The former name of [`{}`].", model.static_name);
            let note = format!("use `{}`", model.static_name);
            let (name, since) = (ident(&former.static_name), &former.since);
            statics.extend(quote! {
                #[doc = #doc]
                #[deprecated(since = #since, note = #note)]
                pub static #name: #krate::Model = #krate::Model::new(&TREE, #number);
            });
        }
    }
    statics
}

/// The CPUs for which a table was made, as a paragraph of documentation.
fn made_for(cpuids: &[String]) -> String {
    if cpuids.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = cpuids.iter().map(|cpuid| format!("`{cpuid}`")).collect();
    format!(
        "\n\n Made for the CPUs {}. To any other CPU that the map file gives this table, its events \
         may not apply: `Model::made_for` tells.",
        quoted.join(", ")
    )
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

const MODEL_DOC: &str = " The model of a CPU, by its CPUID in perf's form: the first row of the \
                         map file that matches. If the row is open-ended, the CPU may be later \
                         than the table: `Model::note` says so. A CPU that no row matches has the \
                         events that its architecture names, if the tree has them.";

/// The look-ups of a CPU's model, and of this machine's.
fn look_ups(krate: &TokenStream) -> TokenStream {
    quote! {
        #[doc = #MODEL_DOC]
        pub const fn model(cpuid: &str) -> Option<#krate::Model> {
            TREE.model(cpuid)
        }
        #krate::__host! { model }
    }
}

/// Makes rustc watch every file that was read, and every variable of the path.
/// They are within a function that is never called, so that the files end up in
/// neither the crate's metadata nor its code.
fn watched(source: Option<&Source>, variables: &[String]) -> TokenStream {
    let files = source.into_iter().flat_map(Source::paths).filter_map(Path::to_str);
    quote! {
        const _: () = {
            fn _watched() {
                #( let _ = include_bytes!(#files); )*
                #( let _ = option_env!(#variables); )*
            }
        };
    }
}

/// Stable Rust has no warnings from macros, but the use of a deprecated item is
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

/// One error, and items that keep it the only one: the names that the rest of
/// the crate uses exist and are empty.
fn failed(
    message: &str,
    span: Span,
    krate: &TokenStream,
    static_names: &[String],
    watched: &TokenStream,
) -> TokenStream {
    let names = static_names.iter().map(|name| ident(name));
    quote_spanned! { span =>
        ::core::compile_error!(#message);
        #[allow(missing_docs)]
        pub static TREE: #krate::Tree = #krate::Tree::broken();
        #[allow(missing_docs)]
        pub const fn model(_: &str) -> Option<#krate::Model> {
            Some(#krate::Model::new(&TREE, 0))
        }
        #krate::__host! { model }
        #(
            #[allow(missing_docs)]
            pub static #names: #krate::Model = #krate::Model::new(&TREE, 0);
        )*
        #watched
    }
}
