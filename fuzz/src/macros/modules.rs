// The modules of `pmu-events-macros`, of which a procedural macro may export
// none: those that know no tokens, and `input`, whose options they need.

#[path = "../../../pmu-events-macros/src/assemble.rs"]
mod assemble;
#[path = "../../../pmu-events-macros/src/compile.rs"]
mod compile;
#[path = "../../../pmu-events-macros/src/entry.rs"]
mod entry;
#[path = "../../../pmu-events-macros/src/event_string.rs"]
mod event_string;
#[path = "../../../pmu-events-macros/src/fault.rs"]
mod fault;
#[path = "../../../pmu-events-macros/src/fields.rs"]
mod fields;
#[path = "../../../pmu-events-macros/src/formula/mod.rs"]
mod formula;
#[path = "../../../pmu-events-macros/src/input.rs"]
mod input;
#[path = "../../../pmu-events-macros/src/intern.rs"]
mod intern;
#[path = "../../../pmu-events-macros/src/json.rs"]
mod json;
#[path = "../../../pmu-events-macros/src/keys.rs"]
mod keys;
#[path = "../../../pmu-events-macros/src/mapfile.rs"]
mod mapfile;
#[path = "../../../pmu-events-macros/src/number.rs"]
mod number;
#[path = "../../../pmu-events-macros/src/pack/mod.rs"]
mod pack;
#[path = "../../../pmu-events-macros/src/parallel.rs"]
mod parallel;
#[path = "../../../pmu-events-macros/src/pattern/mod.rs"]
mod pattern;
#[path = "../../../pmu-events-macros/src/read_back.rs"]
mod read_back;
#[path = "../../../pmu-events-macros/src/report.rs"]
mod report;
#[path = "../../../pmu-events-macros/src/source.rs"]
mod source;
#[path = "../../../pmu-events-macros/src/validate/mod.rs"]
mod validate;
