//! Counts work, so that tests can say that it grows as the input does, and no
//! faster: times depend on the machine.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Notes that something takes so many steps.
#[inline]
pub(crate) fn count(_steps: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + _steps);
}

/// The steps of this thread since it was asked last.
#[inline]
pub(crate) fn take() -> usize {
    #[cfg(test)]
    return STEPS.take();
    #[cfg(not(test))]
    0
}
