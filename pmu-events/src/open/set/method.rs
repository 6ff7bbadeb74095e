/// How a count was read.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::ReadMethod;
///
/// let mut counters = System::new().open("duration_time")?;
/// let (_, reading) = counters.count(|| ())?;
/// assert_eq!(reading["duration_time"].parts()[0].method(), ReadMethod::SystemCall);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReadMethod {
    /// By the system call `read`; or by whatever tells what no counter counts, such as the
    /// elapsed time.
    #[default]
    SystemCall,
    /// From the counter itself, without a system call
    /// ([`Options::with_user_space_reads`](super::Options::with_user_space_reads)).
    UserSpace,
}
