use crate::open::Error;

/// Runs all steps, and returns the first error.
pub(super) fn all(done: impl Iterator<Item = Result<(), Error>>) -> Result<(), Error> {
    done.fold(Ok(()), Result::and)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::ErrorKind;

    /// A failure must not keep the other counters from being stopped.
    #[test]
    fn all_are_done() {
        let mut done = 0;
        let error = |n| Error::new(ErrorKind::Other, n, "it fails");
        let each = (0..4).map(|n| {
            done += 1;
            if n % 2 == 1 { Err(error(n)) } else { Ok(()) }
        });
        assert_eq!((all(each), done), (Err(error(1)), 4));
    }
}
