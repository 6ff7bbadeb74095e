//! Counters that are read without a system call.

mod layout;
mod protocol;

#[cfg(test)]
mod tests;
