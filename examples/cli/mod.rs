//! What the examples' command lines have in common.
//!
//! | module | what is in it |
//! |---|---|
//! | [`words`] | the words of a command line, in GNU style |
//! | [`system`] | the PMUs and the table that events are resolved on |
//! | [`pointer`] | an error with the text below it, and what is wrong marked |

#![allow(dead_code, unused_imports)] // Each example uses its part of it.

mod pointer;
mod system;
mod words;

pub(crate) use pointer::pointed_out;
pub(crate) use system::System;
pub(crate) use words::{Word, Words, unknown, utf8};
