//! Numbers of the format.

/// At the beginning, in the order of bytes of the machine that wrote the file.
pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"PERFILE2");

/// Of `struct perf_file_header`, in bytes.
pub(crate) const HEADER: u64 = 104;

/// Where the header has the length of the records.
pub(crate) const DATA_SIZE: u64 = 48;

/// The kind of a record that ends a round: all records before the one before it are older than
/// those that follow (`PERF_RECORD_FINISHED_ROUND`).
pub(crate) const FINISHED_ROUND: u32 = 68;

/// `PERF_RECORD_AUXTRACE`, `PERF_RECORD_COMPRESSED`, `PERF_RECORD_COMPRESSED2`
pub(crate) const AUXTRACE: u32 = 71;
pub(crate) const COMPRESSED: u32 = 81;
pub(crate) const COMPRESSED2: u32 = 83;

/// `PERF_RECORD_MMAP`, `PERF_RECORD_LOST`, `PERF_RECORD_COMM`, `PERF_RECORD_FORK`,
/// `PERF_RECORD_SAMPLE`, `PERF_RECORD_MMAP2`, `PERF_RECORD_LOST_SAMPLES`
pub(crate) const MMAP: u32 = 1;
pub(crate) const LOST: u32 = 2;
pub(crate) const COMM: u32 = 3;
pub(crate) const FORK: u32 = 7;
pub(crate) const SAMPLE: u32 = 9;
pub(crate) const MMAP2: u32 = 10;
pub(crate) const LOST_SAMPLES: u32 = 13;

/// `PERF_RECORD_MISC_KERNEL`, `PERF_RECORD_MISC_USER`
pub(crate) const OF_KERNEL: u16 = 1;
pub(crate) const OF_USER: u16 = 2;
/// Of a mapping: it has the build id of its file (`PERF_RECORD_MISC_MMAP_BUILD_ID`).
pub(crate) const HAS_BUILD_ID: u16 = 1 << 14;

/// `PERF_TYPE_SOFTWARE`, `PERF_TYPE_TRACEPOINT`, `PERF_TYPE_RAW`
pub(crate) const SOFTWARE: u32 = 1;
pub(crate) const TRACEPOINT: u32 = 2;
pub(crate) const RAW: u32 = 4;

/// Sections behind the records, by their bit in the header (`HEADER_*` in
/// `tools/perf/util/header.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Feature {
    TracingData = 1,
    BuildId = 2,
    Hostname = 3,
    OsRelease = 4,
    Version = 5,
    Arch = 6,
    NumberOfCpus = 7,
    CpuDescription = 8,
    Cpuid = 9,
    CommandLine = 11,
    EventDescription = 12,
    CpuTopology = 13,
    NumaTopology = 14,
    /// It is empty, and says that samples have branches.
    BranchStack = 15,
    PmuMappings = 16,
    GroupDescription = 17,
    /// It is empty, and says that the file has counts.
    Stat = 19,
    Cache = 20,
    SampleTime = 21,
    ClockId = 23,
    ClockData = 29,
}

/// What a path or text of a section is padded to (`NAME_ALIGN`).
pub(crate) const NAME_ALIGN: usize = 64;
