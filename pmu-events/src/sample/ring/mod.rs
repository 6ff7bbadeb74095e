//! The buffer of records: mapped memory, and the records in what it has ready.

#[cfg_attr(not(target_os = "linux"), path = "absent.rs")]
mod mapped;
mod records;

pub(super) use mapped::Mapped;
#[cfg(target_os = "linux")]
pub(super) use mapped::wait;
pub use records::Records;

/// The bytes that are ready: those before the end of the buffer, and those that go on at its
/// beginning.
pub(super) type Ready<'b> = [&'b [u8]; 2];
