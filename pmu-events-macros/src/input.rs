//! The arguments of the macro.

use pmu_events_compiler::{Encoding, Options, Text, Unknown, hint};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{LitBool, LitStr, Token, bracketed, punctuated::Punctuated};

/// The whole input.
pub(crate) struct Input {
    pub(crate) tree: TreeName,
    pub(crate) options: Options,
    /// The path by which the emitted code names the crate `pmu-events`.
    pub(crate) krate: TokenStream,
}

/// Which tree to compile.
pub(crate) enum TreeName {
    /// The directory of an architecture.
    Path(LitStr),
    /// A tree that comes with the crate, by its architecture.
    Builtin(LitStr),
}

impl TreeName {
    /// The literal at which errors of the tree are reported.
    pub(crate) fn span(&self) -> Span {
        let (TreeName::Path(literal) | TreeName::Builtin(literal)) = self;
        literal.span()
    }
}

const OPTIONS: &str = "models, events, text, metrics, unknown, arch, encoding, crate";

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() {
            return Err(syn::Error::new(
                Span::call_site(),
                "expected the directory of an event tree, `\"arch/x86\"`, or a tree that comes with \
                 pmu-events, `builtin \"x86\"`",
            ));
        }
        let tree = tree_name(input)?;
        let mut options = Options::default();
        let mut krate = quote!(::pmu_events);
        let mut seen: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let name = Ident::parse_any(input)?;
            if seen.contains(&name) {
                return Err(syn::Error::new(name.span(), format!("duplicate option `{name}`")));
            }
            if let (TreeName::Builtin(_), true) = (&tree, name == "arch") {
                let message = "option `arch` does not apply to `builtin` trees, whose architecture \
                               is known: leave it out";
                return Err(syn::Error::new(name.span(), message));
            }
            input.parse::<Token![=]>()?;
            if name == "crate" {
                krate = module_path(input)?;
            } else {
                option(&mut options, &name, input)?;
            }
            seen.push(name);
        }
        Ok(Input { tree, options, krate })
    }
}

fn tree_name(input: ParseStream<'_>) -> syn::Result<TreeName> {
    if !input.peek(syn::Ident) {
        return input.parse().map(TreeName::Path);
    }
    let word: Ident = input.parse()?;
    if word != "builtin" {
        let message = "expected a path in quotes, or `builtin` and the name of a tree in quotes";
        return Err(syn::Error::new(word.span(), message));
    }
    input.parse().map(TreeName::Builtin)
}

/// `crate`, `::renamed`, `framework::reexported`; syn's own type for this is
/// behind a feature that would double its size.
fn module_path(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut path = TokenStream::new();
    if let Some(leading) = input.parse::<Option<Token![::]>>()? {
        leading.to_tokens(&mut path);
    }
    loop {
        Ident::parse_any(input)?.to_tokens(&mut path);
        match input.parse::<Option<Token![::]>>()? {
            Some(separator) => separator.to_tokens(&mut path),
            None => return Ok(path),
        }
    }
}

fn option(options: &mut Options, name: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    match name.to_string().as_str() {
        "models" => options.models = globs(input)?,
        "events" => options.events = globs(input)?,
        "text" => {
            options.text =
                word(input, &[("none", Text::None), ("brief", Text::Brief), ("full", Text::Full)])?;
        }
        "metrics" => options.metrics = input.parse::<LitBool>()?.value,
        "unknown" => {
            options.unknown = word(
                input,
                &[("allow", Unknown::Allow), ("warn", Unknown::Warn), ("deny", Unknown::Deny)],
            )?;
        }
        "encoding" => {
            options.encoding =
                word(input, &[("correct", Encoding::Correct), ("perf", Encoding::Perf)])?;
        }
        "arch" => options.arch = Some(input.parse::<LitStr>()?.value()),
        other => {
            return Err(syn::Error::new(
                name.span(),
                format!(
                    "unknown option `{other}`{} There are {OPTIONS}",
                    match hint(other, OPTIONS.split(", ")) {
                        hint if hint.is_empty() => ".".to_owned(),
                        hint => hint,
                    }
                ),
            ));
        }
    }
    Ok(())
}

fn globs(input: ParseStream<'_>) -> syn::Result<Vec<String>> {
    let list;
    let bracket = bracketed!(list in input);
    let globs = Punctuated::<LitStr, Token![,]>::parse_terminated(&list)?;
    if globs.is_empty() {
        return Err(syn::Error::new(
            bracket.span.join(),
            "an empty list keeps nothing; leave the option out to keep all",
        ));
    }
    Ok(globs.iter().map(LitStr::value).collect())
}

fn word<T: Copy>(input: ParseStream<'_>, words: &[(&str, T)]) -> syn::Result<T> {
    let ident: Ident = input.parse()?;
    words.iter().find(|(word, _)| ident == word).map(|&(_, value)| value).ok_or_else(|| {
        let all: Vec<_> = words.iter().map(|&(word, _)| format!("`{word}`")).collect();
        syn::Error::new(ident.span(), format!("expected one of {}", all.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_do_not_apply() {
        let refused = |text: &str| syn::parse_str::<Input>(text).err().map(|e| e.to_string());
        assert_eq!(refused(r#""arch/x86", arch = "x86""#), None);
        assert_eq!(refused(r#"builtin "x86", text = none, crate = crate"#), None);
        assert_eq!(
            refused(r#"builtin "x86", arch = "x86""#).as_deref(),
            Some(
                "option `arch` does not apply to `builtin` trees, whose architecture is known: \
                 leave it out"
            )
        );
        assert_eq!(
            refused(r#"builtin "x86", text = none, text = full"#).as_deref(),
            Some("duplicate option `text`")
        );
    }
}
