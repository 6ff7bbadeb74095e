//! SHA-256 (FIPS 180-4) and base64 (RFC 4648), as a content security policy has them.

/// The first 32 bits of the fractional part of a root of the first primes.
fn fractions(count: usize, root: impl Fn(f64) -> f64) -> Vec<u32> {
    let is_prime = |n: &u32| (2..*n).all(|divisor| !n.is_multiple_of(divisor));
    let fraction = |prime| (root(f64::from(prime)).fract() * 4_294_967_296.0) as u32;
    (2..).filter(is_prime).take(count).map(fraction).collect()
}

pub fn sha256(message: &[u8]) -> [u8; 32] {
    let constants = fractions(64, f64::cbrt);
    let mut state = fractions(8, f64::sqrt);
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if (message.len() + 1).next_multiple_of(64) - message.len() < 9 {
        padded.extend([0; 64]);
    }
    let end = padded.len();
    padded[end - 8..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
    for block in padded.chunks(64) {
        let word = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().expect("it has four"));
        let mut words: Vec<u32> = block.chunks(4).map(word).collect();
        for t in 16..64 {
            let (a, b): (u32, u32) = (words[t - 15], words[t - 2]);
            let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            let sum = words[t - 16].wrapping_add(s0).wrapping_add(words[t - 7]).wrapping_add(s1);
            words.push(sum);
        }
        let mut s = state.clone();
        for t in 0..64 {
            let s1 = s[4].rotate_right(6) ^ s[4].rotate_right(11) ^ s[4].rotate_right(25);
            let choice = (s[4] & s[5]) ^ (!s[4] & s[6]);
            let first = [s1, choice, constants[t], words[t]]
                .iter()
                .fold(s[7], |sum, &n| sum.wrapping_add(n));
            let s0 = s[0].rotate_right(2) ^ s[0].rotate_right(13) ^ s[0].rotate_right(22);
            let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(first);
            s[0] = first.wrapping_add(s0).wrapping_add(majority);
        }
        state.iter_mut().zip(s).for_each(|(old, new)| *old = old.wrapping_add(new));
    }
    let bytes: Vec<u8> = state.into_iter().flat_map(u32::to_be_bytes).collect();
    bytes.try_into().expect("it has 32")
}

pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
        let bits = bits << (8 * (3 - three.len()));
        for digit in 0..4 {
            let is_there = digit <= three.len();
            let value = (bits >> (18 - 6 * digit) & 63) as usize;
            text.push(if is_there { DIGITS[value].into() } else { '=' });
        }
    }
    text
}

/// The examples of the standards.
#[test]
fn examples() {
    let hex = |message: &[u8]| sha256(message).map(|byte| format!("{byte:02x}")).concat();
    let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    for (message, expected) in [
        (&b""[..], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (long, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    ] {
        assert_eq!(hex(message), expected);
    }
    for (bytes, expected) in
        [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
    {
        assert_eq!(base64(bytes.as_bytes()), expected);
    }
}
