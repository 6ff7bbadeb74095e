//! Metrics of made-up trees: values, needs, references, groups.

mod fields;
mod formulas;
mod groups;
mod made;
mod needs;
mod references;
mod values;
