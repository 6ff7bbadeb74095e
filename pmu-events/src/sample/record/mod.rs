//! Records as the kernel writes them, in a buffer or in a file.
//!
//! | module | what is in it |
//! |---|---|
//! | [`bytes`] | numbers in either order of bytes |
//! | [`fields`], [`layout`] | what an event says of its records |
//! | [`header`], [`parsed`] | a record as a whole |
//! | [`stamp`] | when and where something was recorded |
//! | [`sample`], [`values`], [`branch`], [`data_source`] | samples |
//! | [`side`] | everything else |

mod branch;
mod bytes;
mod data_source;
mod error;
mod fields;
mod header;
mod layout;
mod parsed;
mod sample;
mod side;
mod stamp;
#[cfg(test)]
mod tests;
mod values;

pub use branch::{Branch, Branches};
pub use bytes::{ByteOrder, Numbers};
pub use data_source::{DataSource, Hops, Level, Operation, Region, Snoop, Tlb};
pub use error::ParseError;
pub use fields::Fields;
pub(super) use header::Header;
pub use layout::Layout;
pub use parsed::{Mode, Record};
pub use sample::{Registers, Sample};
pub use side::{
    Aux, Body, Bpf, Cgroup, Comm, Ksymbol, Lost, Mmap, Namespaces, Task, TextPoke, Throttle,
};
pub use stamp::Stamp;
pub use values::{Value, Values};
