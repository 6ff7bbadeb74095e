//! Why the system refuses something, as the source of an error.

use core::error::Error;

use std::io;
use std::sync::Arc;

/// The system's reason for an error, if there is one: an [`io::Error`] that can be
/// cloned and compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cause(Option<Arc<io::Error>>);

impl Cause {
    pub(crate) const NONE: Cause = Cause(None);

    /// The reason with an error number; 0 is none.
    #[cfg_attr(not(feature = "open"), allow(dead_code))]
    pub(crate) fn of_errno(errno: i32) -> Self {
        if errno == 0 { Cause::NONE } else { io::Error::from_raw_os_error(errno).into() }
    }

    #[cfg_attr(not(feature = "open"), allow(dead_code))]
    pub(crate) fn errno(&self) -> Option<i32> {
        self.0.as_ref()?.raw_os_error()
    }

    pub(crate) fn kind(&self) -> Option<io::ErrorKind> {
        Some(self.0.as_ref()?.kind())
    }

    pub(crate) fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.0.as_deref()?)
    }
}

impl From<io::Error> for Cause {
    fn from(error: io::Error) -> Self {
        Cause(Some(Arc::new(error)))
    }
}

impl PartialEq for Cause {
    fn eq(&self, other: &Self) -> bool {
        let of = |cause: &Self| cause.0.as_ref().map(|error| (error.kind(), error.raw_os_error()));
        of(self) == of(other)
    }
}

impl Eq for Cause {}
