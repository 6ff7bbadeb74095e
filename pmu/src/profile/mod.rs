//! What a file of samples says, with the names of what its addresses are in.
//!
//! | module | contents |
//! |---|---|
//! | [`spaces`] | which file an address of a process is in, at each moment |
//! | [`modules`] | files, and the functions and lines in them |
//! | [`kernel`] | the functions of the running kernel |
//! | [`reading`] | a file, sample by sample |

mod kernel;
pub(crate) mod modules;
pub(crate) mod reading;
mod spaces;
