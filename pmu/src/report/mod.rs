//! `pmu report`: shares of functions, modules, threads and lines in the samples of a recording.
//!
//! | module | contents |
//! |---|---|
//! | [`shares`] | samples that add up |
//! | [`text`], [`stdio`], [`records`], [`folded`] | how shares are written |

mod folded;
mod records;
mod shares;
mod stdio;
mod text;

use std::io::Write as _;

use crate::failure::{Failure, SUCCESS};
use crate::output::Output;
use crate::profile::reading::Wanted;
use crate::report_args::{Key, ReportArgs};
use crate::script::{of, open, tell, wanted};
use folded::Folded;
pub(crate) use shares::{Shares, Table};

pub(crate) fn run(args: &ReportArgs) -> Result<u8, Failure> {
    let lines = args.sort.contains(&Key::Line) || args.folded && !args.input.no_inline;
    let names = lines || args.folded || args.sort.contains(&Key::Function);
    let chains = args.folded || args.children;
    let wanted = Wanted { names, lines, chains, ..wanted(&args.input) };
    let mut reading = open(&args.input, wanted)?;
    let names: Vec<String> = reading.reader.events.iter().map(|event| event.name.clone()).collect();
    let mut out = Output::stdout();
    if args.folded {
        let mut folded = Folded::default();
        let answer = reading.samples(&mut |modules, taken| {
            folded.add(modules, taken);
            Ok(())
        });
        let (summary, _) = answer.map_err(|fault| of(&args.input, fault))?;
        folded.write(&mut out)?;
        out.flush()?;
        tell(&reading, summary, "report");
        return Ok(SUCCESS);
    }
    let mut shares: Vec<Shares> =
        names.iter().map(|_| Shares::new(&args.sort, args.children)).collect();
    let answer = reading.samples(&mut |modules, taken| {
        shares[taken.event].add(modules, taken);
        Ok(())
    });
    let (summary, _) = answer.map_err(|fault| of(&args.input, fault))?;
    let limit = args.percent_limit / 100.0;
    let tables = names.iter().zip(shares).map(|(name, shares)| shares.into_table(name, limit));
    let tables: Vec<_> = tables.collect();
    match () {
        () if args.json => records::json(&mut out, &tables, args)?,
        () if args.csv => records::csv(&mut out, &tables, args)?,
        () if args.stdio => stdio::write(&mut out, &tables, args, summary)?,
        () => text::write(&mut out, &tables, args)?,
    }
    out.flush()?;
    tell(&reading, summary, "report");
    Ok(SUCCESS)
}
