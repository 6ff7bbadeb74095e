//! `pmu page`: a model's metrics and events as one page for a browser.
//!
//! | module | contents |
//! |---|---|
//! | [`contents`] | the events and metrics of a page, and the meaning of names in formulas |
//! | [`hierarchy`] | the tree that metrics form |
//! | [`document`] | the page: `page.html`, filled in, with `page.css` and `page.js` |
//! | [`html`] | text in HTML |
//! | [`write`](mod@write) | the page's way into a file |

pub(crate) mod args;
mod contents;
mod document;
mod hierarchy;
mod html;
mod write;

use std::io::{self, Write};
use std::path::Path;

use crate::failure::{Failure, SUCCESS};
use crate::subject;
use crate::system;
use args::PageArgs;

pub(crate) fn run(args: &PageArgs) -> Result<u8, Failure> {
    let trees = args.tables.trees()?;
    let tables = match (&args.subject.model, &args.subject.cpu.cpuid) {
        (Some(name), _) => subject::named(trees, name),
        (None, Some(cpuid)) => subject::of_cpu(trees, cpuid),
        (None, None) => subject::of_host(trees, &system::machine(trees, None)?),
    };
    let page = document::of(&tables?);
    if args.html == Path::new("-") {
        let mut out = io::stdout().lock();
        out.write_all(page.as_bytes())?;
        out.flush()?;
    } else {
        let named = |error| Failure::Write(format!("`{}`", args.html.display()), error);
        write::whole(&args.html, &page).map_err(named)?;
    }
    Ok(SUCCESS)
}
