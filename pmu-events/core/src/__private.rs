//! What this crate shares with the macro's expansion, the tree compiler, `pmu-events` and the
//! crates beside it: the packed format, automata, grammars, names and patterns. Not a public
//! interface: it may change in any version.

pub use crate::__debug_as_display as debug_as_display;
pub use crate::cpuid::{automaton::*, patterns::*};
pub mod expr {
    pub use crate::expr::evaluate::{evaluate, evaluate_named};
    pub use crate::expr::identifier::{MAX_IDENTIFIER, Spelling};
    pub use crate::expr::item::{
        Function, Item, LITERALS, MAX_DEPTH, Operator, Query, literal_name, literal_named,
    };
    pub use crate::expr::parse::{check, parse};
    pub use crate::expr::simplify::simplify;
    pub use crate::expr::token::{Token, TokenKind, Tokens, tokens};
    pub use crate::expr::*;
}
pub mod config {
    pub use crate::config::attributes::is_attribute;
    pub use crate::config::raw::assigns_config;
}
pub mod event_list {
    pub use crate::event_list::cache::cache_named;
    pub use crate::event_list::event::{EventKind, EventRef, Membership};
    pub use crate::event_list::generic_name::{
        named as generic_named, names as generic_names, nearest as nearest_generic,
    };
    pub use crate::event_list::item::{GroupRef, ListItem};
    pub use crate::event_list::list::{EventList, EventRefs, ListItems, Members};
    pub use crate::event_list::modifier::{Modifier, Modifiers};
    pub use crate::event_list::settings::{with_event, with_group};
    pub use crate::event_list::term::{TermList, TermRef, TermRefs, TermValue};
    pub use crate::event_list::term_kind::{BRANCH_TYPES, TermKind};
    pub use crate::event_list::visitor::Visitor;
    pub use crate::event_list::*;
}
pub mod term {
    pub use crate::term::perf_term::{PerfTerm, Takes};
    pub use crate::term::*;
}
pub mod cpuid {
    pub use crate::cpuid::midr::Midr;
    pub use crate::cpuid::rule::MatchRule;
    pub use crate::cpuid::*;
}
pub mod glob {
    pub use crate::glob::*;
}
pub mod flags {
    pub use crate::flags::*;
}
pub mod formula {
    pub use crate::expr::evaluate::Names;
    pub use crate::expr::infix::{Postfix, write};
    pub use crate::expr::needs::{Sets, needed};
    pub use crate::expr::steps::Steps;
}
pub use crate::message::Message;
pub mod hierarchy {
    pub use crate::metric::hierarchy::*;
}
pub mod metric {
    pub use crate::metric::needs::{MAX_EVENTS, MAX_METRICS};
    pub use crate::metric::run::MAX_NESTING;
}
pub use crate::metric::siblings::*;
pub mod name {
    pub use crate::name::eq;
    pub use crate::name::{index::*, nearest::*};
}
pub use crate::perf_differs::{Confidence, confidence};
pub mod pmu {
    pub use crate::pmu::{DEFAULT_CORE, is_core};
    pub use crate::pmu::{instance::*, units::*};
}
pub mod provided {
    pub use crate::provided::*;
}
pub mod scale {
    pub use crate::scale::*;
}
pub mod spelling {
    pub use crate::spelling::*;
}
pub use crate::term::{digits::digits_value, scan::same};
pub mod wire {
    pub use crate::wire::*;
}
