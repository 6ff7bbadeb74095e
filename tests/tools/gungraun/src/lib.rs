//! The benchmark of `tests/tools/run gungraun`; see the directory above.
