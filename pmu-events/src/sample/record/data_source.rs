//! The source of the data that an instruction accessed.

/// The source of the data that an instruction accessed (`union perf_mem_data_src`).
///
/// The kernel's drivers translate what their hardware says into these fields: Intel's from PEBS
/// (`arch/x86/events/intel/ds.c`), AMD's from IBS (`arch/x86/events/amd/ibs.c`), POWER's from its
/// sampled-instruction registers (`arch/powerpc/perf/isa207-common.c`). For Arm's SPE, perf does so
/// as it decodes a trace (`tools/perf/util/arm-spe.c`). What the hardware does not tell is `None`.
///
/// ```
/// use pmu_events::sample::{DataSource, Level, Operation, Snoop};
///
/// // A load that hit a modified line of another core's cache.
/// let source = DataSource::from_bits(1 << 1 | (1 << 1 | 1 << 6) << 5 | 1 << 4 << 19 | 3 << 33);
/// assert_eq!(source.operation(), Some(Operation::Load));
/// assert_eq!((source.level(), source.is_hit()), (Some(Level::L3), Some(true)));
/// assert_eq!(source.snoop(), Some(Snoop::HitModified));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DataSource(u64);

/// Declares the values of a field, each with its documentation.
macro_rules! field {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident $(($number:ty))?,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$value_doc])* $value $(($number))?,)*
        }
    };
}

field! {
    /// What an instruction did (`PERF_MEM_OP_*`).
    ///
    /// ```
    /// use pmu_events::sample::{DataSource, Operation};
    ///
    /// assert_eq!(DataSource::from_bits(4).operation(), Some(Operation::Store));
    /// ```
    Operation {
        /// It loaded data.
        Load,
        /// It stored data.
        Store,
        /// It prefetched data.
        Prefetch,
        /// It was fetched.
        Execution,
    }
}

field! {
    /// Where the data were (`PERF_MEM_LVLNUM_*`, or `PERF_MEM_LVL_*` where the driver sets only
    /// these).
    ///
    /// ```
    /// use pmu_events::sample::{DataSource, Level};
    ///
    /// assert_eq!(DataSource::from_bits(13 << 33).level(), Some(Level::Memory));
    /// ```
    Level {
        /// A cache before the first level, as on Lunar Lake.
        L0,
        /// The first level.
        L1,
        /// A line fill buffer: the line was on its way.
        FillBuffer,
        /// The second level.
        L2,
        /// A buffer of misses of the second level.
        L2MissBuffer,
        /// The third level.
        L3,
        /// The fourth level.
        L4,
        /// A cache at the memory's side.
        MemorySideCache,
        /// Some cache: of another core, or of another node if it is
        /// [remote](DataSource::is_remote).
        AnyCache,
        /// Memory.
        Memory,
        /// Persistent memory.
        PersistentMemory,
        /// Memory behind Compute Express Link.
        Cxl,
        /// A device.
        Device,
        /// Memory that is not cached.
        Uncached,
    }
}

field! {
    /// How far away the data were (`PERF_MEM_HOPS_*`).
    ///
    /// ```
    /// use pmu_events::sample::{DataSource, Hops};
    ///
    /// assert_eq!(DataSource::from_bits(1 << 43).hops(), Some(Hops::Core));
    /// ```
    Hops {
        /// On another core of the same node.
        Core,
        /// On another node of the same socket.
        Node,
        /// On another socket of the same board.
        Socket,
        /// On another board.
        Board,
    }
}

field! {
    /// What other caches had (`PERF_MEM_SNOOP_*`, `PERF_MEM_SNOOPX_*`).
    ///
    /// ```
    /// use pmu_events::sample::{DataSource, Snoop};
    ///
    /// assert_eq!(DataSource::from_bits(1 << 38).snoop(), Some(Snoop::Forwarded));
    /// ```
    Snoop {
        /// They were not asked.
        None,
        /// One had the line.
        Hit,
        /// None had the line.
        Miss,
        /// One had modified the line.
        HitModified,
        /// One had the line, and forwarded it.
        Forwarded,
        /// A peer transferred the line.
        Peer,
    }
}

field! {
    /// Which translation buffer was asked (`PERF_MEM_TLB_*`).
    ///
    /// ```
    /// use pmu_events::sample::{DataSource, Tlb};
    ///
    /// let source = DataSource::from_bits((1 << 1 | 1 << 3) << 26);
    /// assert_eq!((source.tlb(), source.is_tlb_hit()), (Some(Tlb::L1), Some(true)));
    /// ```
    Tlb {
        /// The first level.
        L1,
        /// The second level.
        L2,
        /// One of both levels.
        L1OrL2,
        /// The hardware walked page tables.
        Walker,
        /// The operating system handled a fault.
        Fault,
    }
}

field! {
    /// The region of caches or memory (`PERF_MEM_REGION_*`), since Linux 7.0.
    ///
    /// ```
    /// use pmu_events::sample::{DataSource, Region};
    ///
    /// assert_eq!(DataSource::from_bits(7 << 46).region(), Some(Region::MappedDevice));
    /// ```
    Region {
        /// A cache that the local agent shares.
        LocalShared,
        /// A cache of the local agent alone.
        LocalAlone,
        /// An agent of devices.
        OtherDevices,
        /// A cache that another agent shares.
        OtherShared,
        /// A cache of another agent alone.
        OtherAlone,
        /// A device that is mapped into memory.
        MappedDevice,
        /// One of eight regions of memory, by its number: 0 to 7.
        Memory(u8),
    }
}

/// Bits of a field.
const NOT_AVAILABLE: u64 = 1;
const HIT: u64 = 1 << 1;
const MISS: u64 = 1 << 2;

impl DataSource {
    /// Creates a data source from the kernel's word.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the kernel's word.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    const fn part(self, offset: u32, width: u32) -> u64 {
        self.0 >> offset & ((1 << width) - 1)
    }

    /// Returns what the instruction did.
    #[must_use]
    pub const fn operation(self) -> Option<Operation> {
        let operations = self.part(0, 5);
        Some(match operations {
            _ if operations & 1 << 1 != 0 => Operation::Load,
            _ if operations & 1 << 2 != 0 => Operation::Store,
            _ if operations & 1 << 3 != 0 => Operation::Prefetch,
            _ if operations & 1 << 4 != 0 => Operation::Execution,
            _ => return None,
        })
    }

    /// Returns where the data were.
    #[must_use]
    pub const fn level(self) -> Option<Level> {
        Some(match self.part(33, 4) {
            0x1 => Level::L1,
            0x2 => Level::L2,
            0x3 => Level::L3,
            0x4 => Level::L4,
            0x5 => Level::L2MissBuffer,
            0x6 => Level::MemorySideCache,
            0x7 => Level::L0,
            0x8 => Level::Uncached,
            0x9 => Level::Cxl,
            0xa => Level::Device,
            0xb => Level::AnyCache,
            0xc => Level::FillBuffer,
            0xd => Level::Memory,
            0xe => Level::PersistentMemory,
            // Not available, or not set.
            _ => return self.older_level(),
        })
    }

    /// The bits that were there before the numbers.
    const fn older_level(self) -> Option<Level> {
        let levels = self.part(5, 14);
        Some(match levels {
            _ if levels & 1 << 3 != 0 => Level::L1,
            _ if levels & 1 << 4 != 0 => Level::FillBuffer,
            _ if levels & 1 << 5 != 0 => Level::L2,
            _ if levels & 1 << 6 != 0 => Level::L3,
            // Local, and remote by one or two hops.
            _ if levels & (1 << 7 | 1 << 8 | 1 << 9) != 0 => Level::Memory,
            _ if levels & (1 << 10 | 1 << 11) != 0 => Level::AnyCache,
            _ if levels & 1 << 12 != 0 => Level::Device,
            _ if levels & 1 << 13 != 0 => Level::Uncached,
            _ => return None,
        })
    }

    /// Whether the level had the data.
    #[must_use]
    pub const fn is_hit(self) -> Option<bool> {
        hit(self.part(5, 14))
    }

    /// Whether the data were on another node.
    #[must_use]
    pub const fn is_remote(self) -> bool {
        self.part(37, 1) == 1 || self.part(5, 14) & (1 << 8 | 1 << 9 | 1 << 10 | 1 << 11) != 0
    }

    /// Returns how far away the data were.
    #[must_use]
    pub const fn hops(self) -> Option<Hops> {
        Some(match self.part(43, 3) {
            1 => Hops::Core,
            2 => Hops::Node,
            3 => Hops::Socket,
            4 => Hops::Board,
            _ => return None,
        })
    }

    /// Returns what other caches had.
    #[must_use]
    pub const fn snoop(self) -> Option<Snoop> {
        let (snoop, further) = (self.part(19, 5), self.part(38, 2));
        Some(match () {
            () if further & 1 != 0 => Snoop::Forwarded,
            () if further & 2 != 0 => Snoop::Peer,
            () if snoop & 1 << 4 != 0 => Snoop::HitModified,
            () if snoop & 1 << 2 != 0 => Snoop::Hit,
            () if snoop & 1 << 3 != 0 => Snoop::Miss,
            () if snoop & 1 << 1 != 0 => Snoop::None,
            () => return None,
        })
    }

    /// Whether the instruction was locked.
    #[must_use]
    pub const fn is_locked(self) -> Option<bool> {
        let lock = self.part(24, 2);
        if lock == 0 || lock & NOT_AVAILABLE != 0 { None } else { Some(lock & 2 != 0) }
    }

    /// Returns which translation buffer was asked.
    #[must_use]
    pub const fn tlb(self) -> Option<Tlb> {
        let tlb = self.part(26, 7);
        Some(match (tlb & 1 << 3 != 0, tlb & 1 << 4 != 0) {
            (true, true) => Tlb::L1OrL2,
            (true, false) => Tlb::L1,
            (false, true) => Tlb::L2,
            _ if tlb & 1 << 5 != 0 => Tlb::Walker,
            _ if tlb & 1 << 6 != 0 => Tlb::Fault,
            _ => return None,
        })
    }

    /// Whether the translation buffer had the page.
    #[must_use]
    pub const fn is_tlb_hit(self) -> Option<bool> {
        hit(self.part(26, 7))
    }

    /// Whether a load waited for an earlier store whose data could not be forwarded.
    #[must_use]
    pub const fn is_blocked_by_data(self) -> Option<bool> {
        let blocked = self.part(40, 3);
        if blocked == 0 || blocked & NOT_AVAILABLE != 0 { None } else { Some(blocked & 2 != 0) }
    }

    /// Whether a load waited because of the address of an earlier store.
    #[must_use]
    pub const fn is_blocked_by_address(self) -> Option<bool> {
        let blocked = self.part(40, 3);
        if blocked == 0 || blocked & NOT_AVAILABLE != 0 { None } else { Some(blocked & 4 != 0) }
    }

    /// Returns the region of caches or memory.
    #[must_use]
    pub const fn region(self) -> Option<Region> {
        Some(match self.part(46, 5) {
            0x2 => Region::LocalShared,
            0x3 => Region::LocalAlone,
            0x4 => Region::OtherDevices,
            0x5 => Region::OtherShared,
            0x6 => Region::OtherAlone,
            0x7 => Region::MappedDevice,
            number @ 0x8..=0xf => Region::Memory(number as u8 - 8),
            _ => return None,
        })
    }
}

const fn hit(bits: u64) -> Option<bool> {
    if bits & HIT != 0 {
        Some(true)
    } else if bits & MISS != 0 {
        Some(false)
    } else {
        None
    }
}
