//! The buffer of records: mapped memory, and the records in what it has ready.

// The kernel's positions have 64 bits, which some processors cannot load at once.
#[cfg_attr(not(all(target_os = "linux", target_has_atomic = "64")), path = "absent.rs")]
mod mapped;
mod records;

pub(super) use mapped::Mapped;
#[cfg(all(target_os = "linux", target_has_atomic = "64"))]
pub(super) use mapped::wait;
pub use records::Records;

/// The bytes that are ready: those before the end of the buffer, and those that go on at its
/// beginning.
pub(super) type Ready<'b> = [&'b [u8]; 2];
