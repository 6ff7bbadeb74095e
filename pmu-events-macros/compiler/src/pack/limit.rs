//! The limits of the format.

pub(super) const PMUS: &str = "there are more than 65536 PMUs";
pub(super) const TOPICS: &str = "there are more than 65536 topics";
pub(super) const TRAITS: &str = "events differ in more than 65536 kinds of traits";
pub(super) const COUNTS: &str = "there are more than 255 different units of a count";
pub(super) const COMPATS: &str = "there are more than 65535 different values of Compat";
pub(super) const FORMULAS: &str = "there are more than 65535 different formulas";
pub(super) const NUMBERS: &str = "formulas have more than 65536 different numbers";
pub(super) const STEPS: &str = "a formula has more than 255 identifiers or 65535 bytes of steps";
pub(super) const REFERENCES: &str = "formulas name more than 16 million metrics";
pub(super) const SAME_NAME: &str = "there are more than 65535 different metrics of one name";
pub(super) const NODES: &str = "a model has a hierarchy and more than 16 million metrics";
pub(super) const MODELS: &str = "there are more than 65536 models";
pub(super) const PATTERNS: &str = "patterns need more than 65535 states";
pub(super) const STRINGS: &str = "names and event strings take more than 16 MiB";
pub(super) const LENGTHS: &str = "names and formulas take more than 4 GiB";
pub(super) const WORDS: &str = "names, event strings and words take more than 16 MiB";
pub(super) const TEXTS: &str = "descriptions take more than 16 MiB when packed";
pub(super) const TABLES: &str = "the tables take more than 4 GiB";

/// A number in as many bytes as the format has for it; if it does not fit,
/// `limit` names what there is too much of.
pub(super) fn fit<N, T: TryFrom<N>>(number: N, limit: &str) -> Result<T, String> {
    T::try_from(number).map_err(|_| limit.to_owned())
}
