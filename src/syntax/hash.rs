//! The one hash map of the crate.

use std::hash::{BuildHasherDefault, Hasher};

/// A hash map with a quick, fixed hash. Never iterated into output: its order means nothing.
#[expect(
    clippy::disallowed_types,
    reason = "this alias is the permitted use; nothing iterates it into output"
)]
pub type FastMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// Multiply and rotate, eight bytes at a time; not meant to withstand chosen keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct FastHasher {
    state: u64,
}

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.mix(chunk.iter().fold(0, |word, &byte| (word << 8) | u64::from(byte)));
        }
        self.mix(
            chunks
                .remainder()
                .iter()
                .fold(1, |word, &byte| (word << 8) | u64::from(byte)),
        );
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    fn finish(&self) -> u64 {
        self.state.rotate_left(26)
    }
}

impl FastHasher {
    fn mix(&mut self, word: u64) {
        self.state = (self.state.rotate_left(5) ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }
}
