//! What a file of samples says, with the names of what its addresses are in.
//!
//! | module | contents |
//! |---|---|
//! | [`spaces`] | which file an address of a process is in, at each moment |
//! | [`modules`] | files, and the functions, variables and lines in them |
//! | [`kernel`] | the symbols of the running kernel |
//! | [`known`] | numbers for files, places and names |
//! | [`filter`](mod@filter) | which samples are shown |
//! | [`reading`] | a file, sample by sample |
//! | [`sizes`] | sizes of pages |
//! | [`sources`] | sources of data |
//! | [`times`] | intervals of a recording |
//! | [`tracepoint`] | what tracepoints say |
//! | [`hash`] | tables of numbers |

pub(crate) mod filter;
pub(crate) mod hash;
mod kernel;
pub(crate) mod known;
pub(crate) mod modules;
pub(crate) mod reading;
pub(crate) mod sizes;
pub(crate) mod sources;
mod spaces;
pub(crate) mod times;
pub(crate) mod tracepoint;
