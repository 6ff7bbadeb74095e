use super::modifier::{MAX_PRECISE, Modifier, Modifiers};

/// The effect of modifiers on an event: fields of `perf_event_attr`, and settings
/// that perf keeps next to them.
///
/// The rules are those of `parse_events__modifier_list`
/// (`tools/perf/util/parse-events.c`).
///
/// An event's own modifiers come first, then those of its group.
///
/// ```
/// use pmu_events::System;
///
/// let resolved = System::at("/nonexistent").resolve("cycles:up")?;
/// let settings = resolved[0].settings();
/// assert!(!settings.exclude_user() && settings.exclude_kernel() && settings.exclude_hv());
/// assert_eq!(settings.precise(), 1);
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    pub(crate) exclude_user: bool,
    pub(crate) exclude_kernel: bool,
    pub(crate) exclude_hv: bool,
    pub(crate) exclude_host: bool,
    pub(crate) exclude_guest: bool,
    pub(crate) exclude_idle: bool,
    pub(crate) precise: u8,
    pub(crate) precise_max: bool,
    pub(crate) sample_read: bool,
    pub(crate) pinned: bool,
    pub(crate) exclusive: bool,
    pub(crate) weak: bool,
    pub(crate) bpf: bool,
    pub(crate) retire_latency: bool,
    pub(crate) keep_place: bool,
    /// Whether `G` or `H` was specified: `exclude_GH` in perf.
    guest_or_host: bool,
}

impl Settings {
    /// Whether the event is not counted in user space: any of `k` and `h`, without `u`.
    #[must_use]
    pub const fn exclude_user(self) -> bool {
        self.exclude_user
    }

    /// Whether the event is not counted in the kernel: any of `u` and `h`, without `k`.
    #[must_use]
    pub const fn exclude_kernel(self) -> bool {
        self.exclude_kernel
    }

    /// Whether the event is not counted in the hypervisor: any of `u` and `k`, without `h`.
    #[must_use]
    pub const fn exclude_hv(self) -> bool {
        self.exclude_hv
    }

    /// Whether the event is not counted in the host: `G` without `H`.
    #[must_use]
    pub const fn exclude_host(self) -> bool {
        self.exclude_host
    }

    /// Whether the event is not counted in guests: `u`, `p` or `H`, without `G`; or no modifiers at
    /// all.
    #[must_use]
    pub const fn exclude_guest(self) -> bool {
        self.exclude_guest
    }

    /// Whether the event is not counted while idle: `I`.
    #[must_use]
    pub const fn exclude_idle(self) -> bool {
        self.exclude_idle
    }

    /// Returns `perf_event_attr.precise_ip`: the number of `p` of the event and its
    /// group together, at most 3.
    #[must_use]
    pub const fn precise(self) -> u8 {
        self.precise
    }

    /// Whether the largest precision that the PMU supports is determined and used: `P`.
    #[must_use]
    pub const fn precise_max(self) -> bool {
        self.precise_max
    }

    /// Whether a sample reads all counters of the group: `S`.
    #[must_use]
    pub const fn sample_read(self) -> bool {
        self.sample_read
    }

    /// Whether the event stays on the PMU, or is put into the error state: `D`.
    #[must_use]
    pub const fn pinned(self) -> bool {
        self.pinned
    }

    /// Whether the PMU is not shared: `e`.
    #[must_use]
    pub const fn exclusive(self) -> bool {
        self.exclusive
    }

    /// Whether the group may be broken up if it cannot be scheduled: `W`.
    #[must_use]
    pub const fn weak(self) -> bool {
        self.weak
    }

    /// Whether the event is counted by a BPF program: `b`.
    #[must_use]
    pub const fn bpf(self) -> bool {
        self.bpf
    }

    /// Whether the event represents the retirement latency of another event: `R`.
    #[must_use]
    pub const fn retire_latency(self) -> bool {
        self.retire_latency
    }

    /// Whether the event stays where it is written, instead of moving to the events that
    /// it is usually grouped with: `X`.
    #[must_use]
    pub const fn keep_place(self) -> bool {
        self.keep_place
    }
}

impl Default for Settings {
    /// Counts everything except guests (`event_attr_init` in
    /// `tools/perf/util/util.c`).
    fn default() -> Self {
        Self {
            exclude_user: false,
            exclude_kernel: false,
            exclude_hv: false,
            exclude_host: false,
            exclude_guest: true,
            exclude_idle: false,
            precise: 0,
            precise_max: false,
            sample_read: false,
            pinned: false,
            exclusive: false,
            weak: false,
            bpf: false,
            retire_latency: false,
            keep_place: false,
            guest_or_host: false,
        }
    }
}

impl Settings {
    /// Returns the settings with an event's own modifiers applied. If there are
    /// any, the exclusions are cleared first: `cycles:D` counts guests, while
    /// `cycles` does not.
    #[must_use]
    pub(crate) fn with_event(self, modifiers: Modifiers) -> Self {
        if modifiers.is_empty() {
            return self;
        }
        let from = Self {
            exclude_user: false,
            exclude_kernel: false,
            exclude_hv: false,
            exclude_host: false,
            exclude_guest: false,
            guest_or_host: false,
            ..self
        };
        // At this stage, perf treats every event as its own leader.
        from.with(modifiers, true)
    }

    /// Returns the settings with the modifiers of the event's group applied.
    /// They add to what the event's own modifiers select: `{cycles:u}:k` counts
    /// both in user space and in the kernel. Only the leader is pinned or
    /// exclusive.
    #[must_use]
    pub(crate) fn with_group(self, modifiers: Modifiers, leader: bool) -> Self {
        if modifiers.is_empty() {
            return self;
        }
        self.with(modifiers, leader)
    }

    fn with(mut self, modifiers: Modifiers, leader: bool) -> Self {
        let has = |modifier| modifiers.contains(modifier);
        if modifiers.precise() > 0 {
            self.exclude_guest = true;
        }
        if has(Modifier::User) && !self.guest_or_host {
            self.exclude_guest = true;
        }
        let chosen = self.exclude_user || self.exclude_kernel || self.exclude_hv;
        if !chosen && (has(Modifier::User) || has(Modifier::Kernel) || has(Modifier::Hypervisor)) {
            (self.exclude_user, self.exclude_kernel, self.exclude_hv) = (true, true, true);
        }
        self.exclude_user &= !has(Modifier::User);
        self.exclude_kernel &= !has(Modifier::Kernel);
        self.exclude_hv &= !has(Modifier::Hypervisor);
        if !self.guest_or_host && (has(Modifier::Guest) || has(Modifier::Host)) {
            (self.exclude_guest, self.exclude_host) = (true, true);
            self.guest_or_host = true;
        }
        self.exclude_guest &= !has(Modifier::Guest);
        self.exclude_host &= !has(Modifier::Host);

        // The parser rejects more; modifiers that are combined by hand are
        // limited to what the kernel accepts.
        self.precise = (self.precise + modifiers.precise()).min(MAX_PRECISE);
        self.precise_max |= has(Modifier::MostPrecise);
        self.exclude_idle |= has(Modifier::NotIdle);
        self.sample_read |= has(Modifier::SampleRead);
        self.pinned |= has(Modifier::Pinned) && leader;
        self.exclusive |= has(Modifier::Exclusive) && leader;
        self.weak |= has(Modifier::Weak);
        self.bpf |= has(Modifier::Bpf);
        self.retire_latency |= has(Modifier::RetireLatency);
        self.keep_place |= has(Modifier::KeepPlace);
        self
    }
}

/// The settings of an event, with its own modifiers.
#[must_use]
pub fn with_event(settings: Settings, modifiers: Modifiers) -> Settings {
    settings.with_event(modifiers)
}

/// The settings of an event, with the modifiers of its group.
#[must_use]
pub fn with_group(settings: Settings, modifiers: Modifiers, leader: bool) -> Settings {
    settings.with_group(modifiers, leader)
}
