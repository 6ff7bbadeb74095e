//! What an erroneous text may have been meant to say.

use super::error::{Error, ErrorKind};
use super::{generic_name, modifier, nearest, term_kind};

impl Error {
    /// What may have been meant, if anything comes near: the name of a term,
    /// of a generic event, or a modifier. `text` is what was parsed.
    ///
    /// ```
    /// use pmu_events::event_list::EventList;
    ///
    /// let text = "cycles/peroid=1000/";
    /// let error = EventList::parse(text).unwrap_err();
    /// assert_eq!(error.suggestion(text), Some("period"));
    /// ```
    #[must_use]
    pub fn suggestion(&self, text: &str) -> Option<&'static str> {
        let wrong = text.get(self.span())?;
        match self.kind() {
            ErrorKind::Term(place) => {
                let here = term_kind::KNOWN.iter().filter(|(_, kind)| kind.stands(place));
                nearest::among(wrong, here.map(|&(known, _)| known))
            }
            ErrorKind::BranchType => nearest::among(wrong, term_kind::BRANCH_TYPES),
            ErrorKind::UnknownModifier(c) => modifier::in_other_case(c),
            ErrorKind::CacheOperation | ErrorKind::CacheParts => generic_name::nearest(wrong),
            _ => None,
        }
    }
}
