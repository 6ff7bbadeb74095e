//! The JSON of a tree, for programs that read or write its files themselves: the
//! keys of an event and their terms, and values that know their place.
//!
//! ```
//! use pmu_events_compiler::tree_json::{Key, Lines, array, object, offset, string};
//!
//! let text = "[\n  {\"EventName\": \"A\", \"UMask\": \"0x2\"}\n]";
//! let event = object(array(text)?[0])?;
//! let (key, value) = event[1];
//! assert_eq!(string(value).as_deref(), Some("0x2"));
//! assert_eq!(Key::of(&string(key).unwrap()), Some(Key::UMask));
//! assert_eq!(Key::UMask.term(), Some("umask"));
//! assert_eq!(Lines::of(text).position(text, offset(text, value)), (2, 31));
//! # Ok::<_, pmu_events_compiler::tree_json::Syntax>(())
//! ```

pub use crate::entry::fixed_string::of_name as fixed_event_string;
pub use crate::entry::keys::{IGNORED, Key, Kind, known};
pub use crate::files::json_text::{Syntax, array, kind, object, offset, string};
pub use crate::files::lines::Lines;
