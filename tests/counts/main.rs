//! Counts on a simulated kernel, whose truth is known: what the library says is counted is
//! true, an estimate is as near as its share of the time allows, and all else has a reason.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod allocations;
mod beside_kernel;
mod cases;
mod doctor;
mod follow;
mod laboratory;
#[allow(dead_code)]
#[path = "../machines/mod.rs"]
mod machines;
mod places;
mod random;
mod regions;
#[allow(dead_code)]
#[path = "../common/rights.rs"]
mod rights;
mod user_reads;
