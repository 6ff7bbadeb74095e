//! Counts the tokens of a file that `-Zunpretty=expanded` has printed, as
//! proc macros count them; a delimiter is a token, too.
//!
//! The printer expands the built-in macros as well: the `include_bytes!("…")`
//! by which the compiler watches a file has become the file. So the value of
//! each `let _ = …;` counts as the five tokens that it was.

use proc_macro2::{TokenStream, TokenTree};

fn main() {
    let path = std::env::args_os().nth(1).expect("usage: tokens FILE");
    let text = std::fs::read_to_string(path).expect("FILE is a text file");
    println!("{}", count(text.parse().expect("FILE is Rust")));
}

/// `include_bytes`, `!`, `(`, the path and `)`.
const WATCH: usize = 5;

fn count(stream: TokenStream) -> usize {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.to_string() == text);
    let (mut sum, mut at) = (0, 0);
    while at < tokens.len() {
        if matches!(tokens[at], TokenTree::Ident(_))
            && is(at, "let")
            && is(at + 1, "_")
            && is(at + 2, "=")
        {
            sum += 3 + WATCH;
            at += 3;
            while at < tokens.len() && !is(at, ";") {
                at += 1;
            }
            continue;
        }
        sum += match &tokens[at] {
            TokenTree::Group(group) => 2 + count(group.stream()),
            _ => 1,
        };
        at += 1;
    }
    sum
}
