//! The format, byte by byte, as documented in [`wire`](super).

mod bytes;
mod programs;
mod records;
mod sections;
mod texts;
