//! The fields of `perf_event_attr` that only samples have a use for.

use super::Attr;

#[cfg_attr(docsrs, doc(cfg(feature = "sample")))]
impl Attr {
    field!(wakeup, with_wakeup, u32, "`wakeup_events` or `wakeup_watermark`.");
    field!(
        branch_sample_type,
        with_branch_sample_type,
        u64,
        "the branches that a branch stack contains."
    );
    field!(
        sample_regs_user,
        with_sample_regs_user,
        u64,
        "the user-space registers that a sample contains."
    );
    field!(
        sample_stack_user,
        with_sample_stack_user,
        u32,
        "the number of bytes of the user stack that a sample contains."
    );
    field!(clockid, with_clockid, i32, "the clock used for time stamps.");
    field!(sample_regs_intr, with_sample_regs_intr, u64, "the registers that a sample contains.");
    field!(
        aux_watermark,
        with_aux_watermark,
        u32,
        "the amount of AUX data that wakes up the reader."
    );
    field!(
        sample_max_stack,
        with_sample_max_stack,
        u16,
        "the maximum number of frames in a call chain."
    );
    field!(
        aux_sample_size,
        with_aux_sample_size,
        u32,
        "the number of bytes of AUX data in a sample."
    );
    field!(
        aux_action,
        with_aux_action,
        u32,
        "when AUX tracing pauses and resumes, since Linux 6.13."
    );
    field!(sig_data, with_sig_data, u64, "the data passed with `SIGTRAP`.");
}
