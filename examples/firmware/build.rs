//! Excludes the C runtime and library, which the linker would otherwise add.
//! Targets without an operating system do not need this.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo does not detect new files in the custom tree by itself.
    println!("cargo::rerun-if-changed=../../arch/test");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        for argument in ["-nostartfiles", "-nostdlib", "-static", "-no-pie"] {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
}
