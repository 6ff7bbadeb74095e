//! The items of a compiled tree: their names and their documentation.
//!
//! The macro expands to them, and `tools/import` writes them for the trees that come packed.

use crate::compile::{Compiled, Model};

/// The documentation of the function `model`.
pub const MODEL_DOC: &str = "The model of a CPU, by its CPUID in perf's form: the first row of the \
                             map file that matches. If the row is open-ended, the CPU may be later \
                             than the table: `Model::note` says so. A CPU that no row matches has \
                             the events that its architecture names, if the tree has them.";

/// The static of a model, or one of its former names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Static {
    /// The name of the item.
    pub name: String,
    /// Its documentation, in paragraphs.
    pub doc: String,
    /// The second argument of `Model::new`.
    pub number: usize,
    /// If the name is a former one: since when it is deprecated, and the note.
    pub deprecated: Option<(String, String)>,
}

impl Compiled {
    /// Returns the documentation of the static `TREE`, which calls the tree by this name.
    #[must_use]
    pub fn tree_doc(&self, shown: &str) -> String {
        let models = self.models.iter().filter(|model| !model.is_sys).count();
        format!("The event tree `{shown}`: {models} models.")
    }

    /// Returns the statics of all models, each with its former names behind it.
    ///
    /// ```
    /// use pmu_events_compiler::{Options, Source, compile};
    ///
    /// # let directory = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/soc"));
    /// let options = Options::default();
    /// let compiled = compile(&Source::read(directory, "arch/soc", &options), &options)?;
    /// for model in compiled.statics() {
    ///     println!("{}: {}", model.name, model.doc);
    /// }
    /// # Ok::<(), Box<pmu_events_compiler::Refused>>(())
    /// ```
    pub fn statics(&self) -> impl Iterator<Item = Static> {
        let models = self.models.iter().enumerate();
        models.flat_map(|(number, model)| {
            let present = Static {
                name: model.static_name.clone(),
                doc: documentation(model),
                number,
                deprecated: None,
            };
            let former = model.former.iter().map(move |former| Static {
                name: former.static_name.clone(),
                doc: format!("The former name of [`{}`].", model.static_name),
                number,
                deprecated: Some((former.since.clone(), format!("use `{}`", model.static_name))),
            });
            std::iter::once(present).chain(former)
        })
    }
}

fn documentation(model: &Model) -> String {
    format!(
        "`{}`: {} events, {} metrics{}.{}",
        model.directory,
        model.events,
        model.metrics,
        if model.is_sys { " of system PMUs" } else { "" },
        made_for(&model.cpuids),
    )
}

/// The CPUs for which a table was made, as a paragraph of documentation.
fn made_for(cpuids: &[String]) -> String {
    if cpuids.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = cpuids.iter().map(|cpuid| format!("`{cpuid}`")).collect();
    format!(
        "\n\nMade for the CPUs {}. To any other CPU that the map file gives this table, its events \
         may not apply: `Model::made_for` tells.",
        quoted.join(", ")
    )
}
