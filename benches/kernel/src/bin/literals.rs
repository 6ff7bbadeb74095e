//! The config words of `three.rs`, as numbers.

const WORDS: [u64; 3] = [0x3f24, 0x81d0, 0x20d1];

fn main() {
    println!("{:#x?}", std::hint::black_box(WORDS));
}
