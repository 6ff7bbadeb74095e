//! Events of [`pmu_events`] for the crate [`perf_event`] (`perf-event2`), and their
//! attributes as its `perf_event_attr`, for crates that use that structure.
//!
//! Use it to count or sample with perf-event2 what you name with pmu-events.
//!
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use perf_event::Builder;
//! use pmu_events::System;
//! use pmu_events_perf_event2::Event;
//!
//! let resolved = System::new().require("task-clock")?;
//! let mut counter = Builder::new(Event::new(&resolved[0])).build()?;
//! counter.enable()?;
//! let sum: u64 = (0..1_000_000).sum();
//! counter.disable()?;
//! println!("{sum} took {} {}", resolved[0].in_unit(counter.read()?), resolved[0].unit());
//! # Ok(())
//! # }
//! # // Some machines forbid counting.
//! # if let Err(error) = recipe() {
//! #     assert!(error.is::<std::io::Error>(), "{error}");
//! # }
//! ```
//!
//! `Builder::new` excludes the kernel and the hypervisor, whatever the event says;
//! `include_kernel` and `include_hv` include them again. This crate is empty on
//! architectures for which `perf-event-open-sys2` has no bindings; [`pmu_events::open`]
//! exists on all.
//!
//! Those bindings may be older than the kernel: version 5 has no `config4`, which
//! Linux 6.19 added. For an event that needs a field they lack, the conversions set
//! `size` to `u32::MAX`, so that the kernel refuses to open the event (`E2BIG`)
//! rather than count another one. Likewise, a `size` that ends before a field of the
//! event grows to include it: the kernel would not read the field.
//!
//! A sampling recipe is in [`pmu_events::cookbook`].

#![cfg(all(
    target_os = "linux",
    any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "riscv64",
    ),
))]
#![doc(test(attr(deny(warnings), allow(dead_code, deprecated))))]

use perf_event_open_sys::bindings::perf_event_attr;
use pmu_events::open::{Attr, Flag};
use pmu_events::resolve::Resolved;

/// A resolved event as an event of `perf-event2`.
///
/// ```
/// use perf_event::events::Event as _;
/// use pmu_events::System;
/// use pmu_events_perf_event2::Event;
/// use perf_event_open_sys::bindings::perf_event_attr;
///
/// let resolved = System::at("/nonexistent").require("r1a8:u")?;
/// let mut attr = perf_event_attr::default();
/// Event::new(&resolved[0]).update_attrs(&mut attr);
/// assert_eq!((attr.type_, attr.config, attr.exclude_kernel()), (4, 0x1a8, 1));
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    resolved: &'a Resolved,
}

impl<'a> Event<'a> {
    /// Wraps a resolved event.
    #[must_use]
    pub const fn new(resolved: &'a Resolved) -> Self {
        Event { resolved }
    }
}

impl<'a> From<&'a Resolved> for Event<'a> {
    fn from(resolved: &'a Resolved) -> Self {
        Event::new(resolved)
    }
}

impl perf_event::events::Event for Event<'_> {
    /// Sets what the event itself specifies. A sampling period that only comes from
    /// the event's description is left to the builder.
    fn update_attrs(self, theirs: &mut perf_event_attr) {
        let said = Attr::from(self.resolved);
        let before = read(theirs);
        let mut attr = before
            .with_type(said.type_())
            .with_words(said.words())
            .with_bp_type(said.bp_type())
            .with_sample_type(before.sample_type() | said.sample_type())
            .with_precise(said.precise());
        let attributes = self.resolved.attributes();
        if attributes.sampling().is_some() && !self.resolved.has_default_sampling() {
            attr = attr.with_sampling(said.sampling());
        }
        for flag in [
            Flag::ExcludeUser,
            Flag::ExcludeKernel,
            Flag::ExcludeHv,
            Flag::ExcludeHost,
            Flag::ExcludeGuest,
            Flag::ExcludeIdle,
            Flag::Pinned,
            Flag::Exclusive,
        ] {
            attr = attr.with(flag, said.has(flag));
        }
        if let Some(inherit) = attributes.inherit() {
            attr = attr.with(Flag::Inherit, inherit);
        }
        theirs.size = theirs.size.max(least_size(&said));
        write(&attr, theirs);
    }
}

/// Returns attributes in the structure of `perf-event-open-sys2`.
///
/// Those of a resolved event have everything that the event specifies, including
/// sampling:
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::Attr;
///
/// let resolved = System::at("/nonexistent").require("r1a8/period=77/")?;
/// let attr = pmu_events_perf_event2::attr(&Attr::from(&resolved[0]));
/// assert_eq!((attr.type_, attr.config), (4, 0x1a8));
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[must_use]
pub fn attr(attr: &Attr) -> perf_event_attr {
    let mut theirs = perf_event_attr::default();
    theirs.size = THEIRS as u32;
    write(attr, &mut theirs);
    theirs
}

const THEIRS: usize = size_of::<perf_event_attr>();

/// Reads the fields that both structures have; the others are 0. Each is a version of the
/// kernel's, which only ever grows at the end.
fn read(theirs: &perf_event_attr) -> Attr {
    // SAFETY: it consists of integers without padding, so all of its bytes can be read.
    let bytes = unsafe { (&raw const *theirs).cast::<[u8; THEIRS]>().read() };
    let ours = Attr::default().to_bytes().as_ref().len().min(THEIRS);
    Attr::from_bytes(&bytes[..ours]).expect("it is not longer")
}

/// `PERF_ATTR_SIZE_VER0`: what the kernel reads if `size` is 0, and the least that it
/// accepts otherwise.
const FIRST: usize = 64;

/// The least `size` with which the kernel reads all fields that are set; 0 if every size
/// will do. Beyond the first version, all fields that select an event are 8 bytes long.
fn least_size(attr: &Attr) -> u32 {
    let bytes = attr.to_bytes();
    let last = bytes.as_ref().iter().rposition(|&byte| byte != 0).unwrap_or_default();
    if last < FIRST { 0 } else { (last + 1).next_multiple_of(8) as u32 }
}

/// Writes the fields that both structures have. `size`, which depends on their
/// structure, changes only if it lacks a field that is set.
fn write(attr: &Attr, theirs: &mut perf_event_attr) {
    let size = theirs.size;
    let bytes = attr.to_bytes();
    let (common, lost) = bytes.as_ref().split_at(bytes.as_ref().len().min(THEIRS));
    // SAFETY: any bytes are valid for its integers.
    let whole = unsafe { &mut *(&raw mut *theirs).cast::<[u8; THEIRS]>() };
    whole[..common.len()].copy_from_slice(common);
    // `perf_copy_attr` in `kernel/events/core.c` refuses more than a page unread.
    theirs.size = if lost.iter().all(|&byte| byte == 0) { size } else { u32::MAX };
}

#[cfg(test)]
mod tests {
    use super::*;
    use perf_event::Builder;
    use perf_event::events::Event as _;
    use pmu_events::System;

    /// The bindings' own accessors read what was written.
    #[test]
    fn both_structures_are_one() {
        let system = System::at("/nonexistent");
        let text = "cycles/period=77,config1=2,config2=3,config3=4/uppDe,mem:0x10/8:w";
        let resolved = system.require(text).unwrap();
        let [attr, breakpoint] = [0, 1].map(|n| attr(&Attr::from(&resolved[n])));
        assert_eq!((attr.type_, attr.config, attr.config3), (0, 0, 4));
        assert_eq!(attr.size as usize, size_of::<perf_event_attr>());
        // SAFETY: integers on both sides of the unions.
        let (period, config1, config2) = unsafe {
            (
                attr.__bindgen_anon_1.sample_period,
                attr.__bindgen_anon_3.config1,
                attr.__bindgen_anon_4.config2,
            )
        };
        assert_eq!((period, config1, config2), (77, 2, 3));
        assert_eq!((attr.precise_ip(), attr.pinned(), attr.exclusive()), (2, 1, 1));
        assert_eq!((attr.exclude_user(), attr.exclude_kernel(), attr.exclude_hv()), (0, 1, 1));
        assert_eq!((attr.exclude_guest(), attr.disabled(), attr.freq()), (1, 0, 0));
        // SAFETY: as above.
        let address = unsafe { breakpoint.__bindgen_anon_3.bp_addr };
        assert_eq!((breakpoint.type_, breakpoint.bp_type, address), (5, 2, 0x10));
    }

    /// An event is refused rather than changed to another.
    #[test]
    fn a_field_that_the_bindings_lack_is_not_lost() {
        let system = System::at("/nonexistent");
        let resolved = system.require("cycles/config4=5/").unwrap();
        let attr = attr(&Attr::from(&resolved[0]));
        if THEIRS < Attr::default().to_bytes().as_ref().len() {
            assert_eq!(attr.size, u32::MAX);
            let opened = Builder::new(Event::new(&resolved[0])).build();
            assert!(opened.is_err(), "the kernel reads nothing of that size");
        } else {
            assert_eq!(attr.size as usize, THEIRS);
            assert_eq!(read(&attr).words(), resolved[0].words());
        }
    }

    #[test]
    fn an_event_leaves_the_rest_alone() {
        let system = System::at("/nonexistent");
        let resolved = system.require("cycles:k,cycles/freq=99/").unwrap();
        let mut attr = perf_event_attr::default();
        attr.set_disabled(1);
        attr.set_inherit(1);
        attr.read_format = 5;
        attr.size = 64;
        attr.__bindgen_anon_1.sample_period = 1000;
        Event::new(&resolved[0]).update_attrs(&mut attr);
        // SAFETY: an integer either way.
        assert_eq!(unsafe { attr.__bindgen_anon_1.sample_period }, 1000);
        assert_eq!((attr.disabled(), attr.inherit(), attr.read_format), (1, 1, 5));
        assert_eq!(attr.size, 64);
        assert_eq!((attr.exclude_user(), attr.exclude_kernel()), (1, 0));
        Event::new(&resolved[1]).update_attrs(&mut attr);
        // SAFETY: an integer either way.
        assert_eq!((unsafe { attr.__bindgen_anon_1.sample_freq }, attr.freq()), (99, 1));
        assert_eq!(attr.exclude_user(), 0);
    }

    /// The kernel reads as many bytes as the structure says.
    #[test]
    fn a_size_includes_all_fields_of_the_event() {
        let system = System::at("/nonexistent");
        // Those of the kernel's versions, up to that which added `config3`.
        const SIZES: [u32; 7] = [0, 64, 72, 80, 112, 128, 136];
        let cases: &[(&str, [u32; 7])] = &[
            ("cycles:u", SIZES),
            ("cycles/config1=1/", SIZES),
            ("cycles/config2=1/", [72, 72, 72, 80, 112, 128, 136]),
            ("mem:0x10/8:w", [72, 72, 72, 80, 112, 128, 136]),
            ("cycles/config3=1/", [136; 7]),
            ("cycles/config2=1,config3=0x0100000000000000/", [136; 7]),
        ];
        for (text, expected) in cases {
            let resolved = system.require(text).unwrap();
            for (size, &expected) in SIZES.into_iter().zip(expected) {
                let mut attr = perf_event_attr::default();
                attr.size = size;
                Event::new(&resolved[0]).update_attrs(&mut attr);
                assert_eq!(attr.size, expected, "{text} {size}");
            }
        }
    }
}
