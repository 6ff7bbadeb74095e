//! Metrics of trees that are made up here: values, needs, references, groups.

mod fields;
mod groups;
mod made;
mod needs;
mod references;
mod values;
