//! Suggestions for erroneous texts.

use super::error::{Error, Fault};
use super::term_kind::{self, TermKind};
use super::{generic_name, modifier};
use crate::located;
use crate::name::Nearest;
use crate::term::PerfTerm;

impl Error {
    /// Returns the name of a term, the name of a generic event, or the modifier
    /// that was probably meant, if one is similar. `text` is the text that was
    /// parsed.
    ///
    /// ```
    /// use pmu_events::__private::event_list::EventList;
    ///
    /// let text = "cycles/peroid=1000/";
    /// let error = EventList::parse(text).unwrap_err();
    /// assert_eq!(error.suggestion(text), Some("period"));
    /// ```
    #[must_use]
    pub fn suggestion(&self, text: &str) -> Option<&'static str> {
        let wrong = text.get(self.span())?;
        let located::Fault::EventList(fault) = self.fault() else { return None };
        match fault {
            Fault::Term(place) => {
                let stands = |term: &PerfTerm| TermKind::Perf(*term).stands(place);
                Nearest::instead_of(wrong)
                    .among(PerfTerm::ALL.iter().copied().filter(stands).map(PerfTerm::name))
            }
            Fault::BranchType => Nearest::instead_of(wrong).among(term_kind::BRANCH_TYPES),
            Fault::UnknownModifier(c) => modifier::in_other_case(c),
            Fault::CacheOperation | Fault::CacheParts => generic_name::nearest(wrong),
            _ => None,
        }
    }
}
