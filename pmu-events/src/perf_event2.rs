//! Events for the crate `perf-event2`, and conversions to its `perf_event_attr` for
//! crates that use that structure.
//!
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use perf_event::Builder;
//! use pmu_events::System;
//!
//! let resolved = System::new().require("task-clock")?;
//! let mut counter = Builder::new(&resolved[0]).build()?;
//! counter.enable()?;
//! let sum: u64 = (0..1_000_000).sum();
//! counter.disable()?;
//! println!("{sum} took {} {}", counter.read()? as f64 * resolved[0].scale, resolved[0].unit());
//! # Ok(())
//! # }
//! # // Some machines forbid counting.
//! # if let Err(error) = recipe() {
//! #     assert!(error.is::<std::io::Error>(), "{error}");
//! # }
//! ```
//!
//! `Builder::new` excludes the kernel and the hypervisor, whatever the event says;
//! `include_kernel` and `include_hv` include them again. This module exists on the
//! architectures for which `perf-event-open-sys2` has bindings; [`open`] exists on
//! all.
//!
//! [`open`]: crate::open

use core::mem::size_of;

use perf_event::events::Event;
use perf_event_open_sys::bindings::perf_event_attr;

use crate::open::{Attr, Flag};
use crate::resolve::Resolved;

// A newer structure may be longer.
const _: () = assert!(size_of::<perf_event_attr>() >= Attr::SIZE as usize);

impl Event for &Resolved {
    /// Sets what the event itself specifies. A sampling period that only comes from
    /// the event's description is left to the builder.
    fn update_attrs(self, theirs: &mut perf_event_attr) {
        let said = Attr::from(self);
        let mut attr = read(theirs);
        (attr.type_, attr.bp_type) = (said.type_, said.bp_type);
        (attr.config, attr.config1) = (said.config, said.config1);
        (attr.config2, attr.config3) = (said.config2, said.config3);
        attr.sample_type |= said.sample_type;
        attr.set_precise(said.precise());
        let attributes = self.attributes();
        if attributes.sampling.is_some() && !self.has_default_sampling {
            attr.sample = said.sample;
            attr.set(Flag::Frequency, said.has(Flag::Frequency));
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
            attr.set(flag, said.has(flag));
        }
        if let Some(inherit) = attributes.inherit {
            attr.set(Flag::Inherit, inherit);
        }
        write(&attr, theirs);
    }
}

impl Event for Resolved {
    fn update_attrs(self, theirs: &mut perf_event_attr) {
        (&self).update_attrs(theirs);
    }
}

/// Takes everything that the event specifies, including sampling.
impl From<&Resolved> for perf_event_attr {
    fn from(resolved: &Resolved) -> Self {
        Attr::from(resolved).into()
    }
}

impl From<Attr> for perf_event_attr {
    fn from(attr: Attr) -> Self {
        let mut theirs = perf_event_attr::default();
        theirs.size = size_of::<perf_event_attr>() as u32;
        write(&attr, &mut theirs);
        theirs
    }
}

/// The bytes that both structures have in common.
type Bytes = [u8; Attr::SIZE as usize];

/// Reads the fields that both structures have in common.
fn read(theirs: &perf_event_attr) -> Attr {
    // SAFETY: `theirs` is not shorter (asserted above), and is the same kernel
    // structure, without padding, so all of its bytes can be read.
    Attr::from_bytes(unsafe { (&raw const *theirs).cast::<Bytes>().read() })
}

/// Writes all fields except `size`, which depends on their structure.
fn write(attr: &Attr, theirs: &mut perf_event_attr) {
    let size = theirs.size;
    // SAFETY: as above; `theirs` consists of integers, for which any bytes are
    // valid.
    unsafe { (&raw mut *theirs).cast::<Bytes>().write(attr.to_bytes()) };
    theirs.size = size;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::System;
    use perf_event::{Builder, Group};

    /// The bindings' own accessors read what was written.
    #[test]
    fn both_structures_are_one() {
        let system = System::at("/nonexistent");
        let text = "cycles/period=77,config1=2,config2=3,config3=4/uppDe,mem:0x10/8:w";
        let resolved = system.require(text).unwrap();
        let attr = perf_event_attr::from(&resolved[0]);
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
        let breakpoint = perf_event_attr::from(&resolved[1]);
        // SAFETY: as above.
        let address = unsafe { breakpoint.__bindgen_anon_3.bp_addr };
        assert_eq!((breakpoint.type_, breakpoint.bp_type, address), (5, 2, 0x10));
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
        (&resolved[0]).update_attrs(&mut attr);
        // SAFETY: an integer either way.
        assert_eq!(unsafe { attr.__bindgen_anon_1.sample_period }, 1000);
        assert_eq!((attr.disabled(), attr.inherit(), attr.read_format), (1, 1, 5));
        assert_eq!(attr.size, 64);
        assert_eq!((attr.exclude_user(), attr.exclude_kernel()), (1, 0));
        (&resolved[1]).update_attrs(&mut attr);
        // SAFETY: an integer either way.
        assert_eq!((unsafe { attr.__bindgen_anon_1.sample_freq }, attr.freq()), (99, 1));
        assert_eq!(attr.exclude_user(), 0);
    }

    #[test]
    fn its_builder_opens_our_event() {
        let system = System::new();
        let resolved = system.require("task-clock,page-faults").unwrap();
        let mut group = Group::new().expect("a group opens");
        let clock = group.add(&Builder::new(&resolved[0])).expect("task-clock opens");
        let faults = group.add(&Builder::new(&resolved[1])).expect("page-faults opens");
        group.enable().unwrap();
        let pages = std::vec![1_u8; 1 << 22];
        group.disable().unwrap();
        let counts = group.read().unwrap();
        assert!(counts[&clock] > 0, "{counts:?}");
        assert!(counts[&faults] > 0, "{counts:?} {}", pages.len());
    }
}
