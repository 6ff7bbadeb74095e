//! Counters that are read without a system call.
//!
//! | module | what is in it |
//! |---|---|
//! | [`layout`] | the fields of a page |
//! | [`protocol`] | how pages and counters are read, on whatever they are |
//! | [`mapped`] | pages that the kernel maps, and the instructions: all `unsafe` code |

mod layout;
#[cfg_attr(
    not(all(
        target_os = "linux",
        target_endian = "little",
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"),
    )),
    path = "absent.rs"
)]
mod mapped;
mod protocol;

#[cfg(test)]
mod tests;

pub(super) use mapped::Pages;
pub(super) use protocol::Slot;
