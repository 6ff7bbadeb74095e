//! `pmu page`: a model's metrics and events as one page for a browser.
//!
//! | module | contents |
//! |---|---|
//! | [`contents`] | the events and metrics of a page, and the meaning of names in formulas |
//! | [`hierarchy`] | the tree that metrics form |
//! | [`document`] | the page: `page.html` in the frame of all pages, with `page.css` and `page.js` |
//! | [`run`](mod@run) | the values of a run of `pmu topdown` |

pub(crate) mod args;
mod contents;
mod document;
mod hierarchy;
mod run;

use pmu_events::model::Note;

use crate::failure::{Failure, SUCCESS, complain};
use crate::html::write;
use crate::subject;
use crate::system;
use args::PageArgs;
use run::Run;

fn tell(note: Note<'_>) {
    complain("page", &format!("note: {note}"));
}

pub(crate) fn run(args: &PageArgs) -> Result<u8, Failure> {
    let trees = args.subject.tables.trees()?;
    let run = args.from.as_deref().map(Run::read).transpose()?;
    let model = run.as_ref().map(|run| &run.model).or(args.subject.model.as_ref());
    let tables = match (model, args.subject.cpuid()) {
        (Some(name), _) => subject::named(trees, name)?,
        (None, Some(cpuid)) => {
            let tables = subject::of_cpu(trees, cpuid)?;
            tables.iter().filter_map(|table| table.model.note(cpuid)).for_each(tell);
            tables
        }
        (None, None) => {
            let system = system::machine(trees, None)?;
            let tables = subject::of_host(trees, &system)?;
            system.notes().into_iter().for_each(tell);
            tables
        }
    };
    let has = |name: &str, pmu: &str| {
        let mut metrics = tables.iter().flat_map(|table| table.model.metrics());
        metrics.any(|metric| metric.name() == name && metric.pmu() == pmu)
    };
    if let (Some(run), Some(file)) = (&run, &args.from)
        && let Some(name) = run.without(has)
    {
        let (file, model) = (file.display(), &run.model);
        return Err(Failure::Missing(format!(
            "`{file}`: the model `{model}` has no metric `{name}`: the run used other tables; \
             choose them with `--tree`"
        )));
    }
    let page = document::of(trees, &tables, run);
    write::to(&args.html, &page)?;
    Ok(SUCCESS)
}
