//! Reading files that identify the CPU.

use std::fs;
use std::path::Path;
use std::string::String;

use super::error::Error;

pub(super) fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::unreadable(path.into(), error))
}
