//! ELF notes, as the running kernel has them.

use std::path::Path;

use pmu_events::__private::file;

/// The build id of the kernel whose sysfs this is.
pub(crate) fn of_kernel(sysfs: &Path) -> Option<Vec<u8>> {
    /// The kernel has some hundred bytes of notes.
    const LONGEST: usize = 1 << 20;
    build_id(&file::of_user(&sysfs.join("kernel/notes"), LONGEST).ok()?)
}

/// The build id among them (`NT_GNU_BUILD_ID`).
fn build_id(mut notes: &[u8]) -> Option<Vec<u8>> {
    const BUILD_ID: u32 = 3;
    loop {
        let word = |at: usize| Some(u32::from_ne_bytes(*notes.get(at..)?.first_chunk()?));
        let (name, length, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let start = name.checked_next_multiple_of(4)?.checked_add(12)?;
        let end = start.checked_add(length)?;
        let contents = notes.get(start..end)?;
        if kind == BUILD_ID && notes.get(12..12 + name) == Some(b"GNU\0") {
            return Some(contents.to_vec());
        }
        notes = notes.get(end.checked_next_multiple_of(4)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes() {
        let note = |kind: u32, name: &[u8], contents: &[u8]| {
            let mut bytes = (name.len() as u32).to_ne_bytes().to_vec();
            bytes.extend((contents.len() as u32).to_ne_bytes());
            bytes.extend(kind.to_ne_bytes());
            for part in [name, contents] {
                bytes.extend_from_slice(part);
                bytes.resize(bytes.len().next_multiple_of(4), 0);
            }
            bytes
        };
        let others = [note(1, b"Xen\0", b"abc"), note(3, b"Xen\0", b"abcd")].concat();
        let all = [others.clone(), note(3, b"GNU\0", b"0123456789")].concat();
        assert_eq!(build_id(&all), Some(b"0123456789".to_vec()));
        assert_eq!(build_id(&others), None);
        for length in 0..all.len() - 2 {
            assert_eq!(build_id(&all[..length]), None, "{length}");
        }
        let mut endless = note(1, b"GNU\0", b"");
        endless[4..8].copy_from_slice(&u32::MAX.to_ne_bytes());
        assert_eq!(build_id(&endless), None);
    }
}
