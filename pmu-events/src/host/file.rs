//! Files that tell which CPU this is.

use std::fs;
use std::path::Path;
use std::string::{String, ToString};

use super::error::Error;

pub(super) fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::Unreadable(path.into(), error.to_string()))
}
