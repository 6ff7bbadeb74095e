//! The last stage: tokens.

use std::path::Path;

use pmu_events_compiler::{Compiled, MODEL_DOC, Source, Static, compile};
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
    let tree_doc = documentation(&compiled.tree_doc(shown));
    let mut statics = quote! {
        #[doc = #tree_doc]
        pub static TREE: #krate::Tree = #krate::Tree::new(#strings, #tables);
    };
    for Static { name, doc, number, deprecated, .. } in compiled.statics() {
        let (name, doc) = (ident(&name), documentation(&doc));
        let number = Literal::usize_unsuffixed(number);
        let deprecated =
            deprecated.map(|(since, note)| quote! { #[deprecated(since = #since, note = #note)] });
        statics.extend(quote! {
            #[doc = #doc]
            #deprecated
            pub static #name: #krate::Model = #krate::Model::new(&TREE, #number);
        });
    }
    statics
}

/// As a comment has it.
fn documentation(text: &str) -> String {
    format!(" {}", text.replace("\n\n", "\n\n "))
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// The look-ups of a CPU's model, and of this machine's.
fn look_ups(krate: &TokenStream) -> TokenStream {
    let doc = documentation(MODEL_DOC);
    quote! {
        #[doc = #doc]
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
