//! The format, byte by byte, as the head of [`wire`](super) has it.

mod bytes;
mod programs;
mod records;
mod sections;
mod texts;
