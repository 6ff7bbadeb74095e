//! Counts work, so that tests can assert that it grows no faster than the
//! input: times depend on the machine.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Records a number of steps.
#[inline]
pub(crate) fn count(_steps: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + _steps);
}

/// The steps of this thread since the last call.
#[inline]
pub(crate) fn take() -> usize {
    #[cfg(test)]
    return STEPS.take();
    #[cfg(not(test))]
    0
}
