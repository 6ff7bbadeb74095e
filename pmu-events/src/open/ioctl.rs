//! The ioctl request codes: direction, size of the argument, `$`, and number
//! (`include/uapi/asm-generic/ioctl.h`).

/// On these architectures the direction has three bits
/// (`arch/*/include/uapi/asm/ioctl.h`).
const HAS_WIDE_DIRECTION: bool = cfg!(any(
    target_arch = "mips",
    target_arch = "mips32r6",
    target_arch = "mips64",
    target_arch = "mips64r6",
    target_arch = "powerpc",
    target_arch = "powerpc64",
    target_arch = "sparc",
    target_arch = "sparc64",
));

#[derive(Clone, Copy)]
enum Direction {
    None,
    /// From the program to the kernel.
    Write,
    /// From the kernel to the program.
    Read,
}

const fn number(is_wide: bool, direction: Direction, size: usize, nr: u32) -> u32 {
    let direction = match (direction, is_wide) {
        (Direction::None, false) => 0,
        (Direction::Write, false) => 1 << 30,
        (Direction::Read, false) => 2 << 30,
        (Direction::None, true) => 1 << 29,
        (Direction::Read, true) => 2 << 29,
        (Direction::Write, true) => 4 << 29,
    };
    direction | (size as u32) << 16 | (b'$' as u32) << 8 | nr
}

const fn here(direction: Direction, size: usize, nr: u32) -> u32 {
    number(HAS_WIDE_DIRECTION, direction, size, nr)
}

pub(super) const ENABLE: u32 = here(Direction::None, 0, 0);
pub(super) const DISABLE: u32 = here(Direction::None, 0, 1);
pub(super) const RESET: u32 = here(Direction::None, 0, 3);
pub(super) const PERIOD: u32 = here(Direction::Write, size_of::<u64>(), 4);
// An argument declared as a pointer has the size of a pointer.
/// Another counter's file, whose buffer gets the records.
#[cfg_attr(not(feature = "sample"), allow(dead_code))]
pub(super) const SET_OUTPUT: u32 = here(Direction::None, 0, 5);
pub(super) const SET_FILTER: u32 = here(Direction::Write, size_of::<usize>(), 6);
pub(super) const ID: u32 = here(Direction::Read, size_of::<usize>(), 7);

/// `PERF_IOC_FLAG_GROUP`
pub(super) const GROUP: u64 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let cases = [
            (false, Direction::None, 0, 0, 0x2400),
            (true, Direction::None, 0, 0, 0x2000_2400),
            (false, Direction::None, 0, 3, 0x2403),
            (true, Direction::None, 0, 3, 0x2000_2403),
            (false, Direction::Write, 8, 4, 0x4008_2404),
            (true, Direction::Write, 8, 4, 0x8008_2404),
            (false, Direction::Write, 8, 6, 0x4008_2406),
            (false, Direction::Read, 8, 7, 0x8008_2407),
            (true, Direction::Read, 8, 7, 0x4008_2407),
            (false, Direction::Read, 4, 7, 0x8004_2407),
        ];
        for (is_wide, direction, size, nr, expected) in cases {
            assert_eq!(number(is_wide, direction, size, nr), expected, "{expected:#x}");
        }
    }
}
