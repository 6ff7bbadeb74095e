//! Keeps the C runtime and library out where the linker would put them in.
//! Targets without an operating system need none of this.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // What Cargo does not see by itself: a new file in one's own tree.
    println!("cargo::rerun-if-changed=../../arch/test");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        for argument in ["-nostartfiles", "-nostdlib", "-static", "-no-pie"] {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
}
