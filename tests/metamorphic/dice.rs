//! Reproducible choices: a small generator (SplitMix64) and a stable hash of names.

/// A stream of numbers that a seed determines.
pub struct Dice(u64);

impl Dice {
    /// Choices for one variant of one program.
    pub fn new(seed: u64, names: &[&str], number: u32) -> Self {
        let hash = names.iter().fold(seed, |hash, name| mix(hash ^ name_hash(name)));
        Dice(mix(hash ^ u64::from(number)))
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.0) % limit as u64) as usize
    }

    /// Heads or tails.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    /// One of some.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() {
            return None;
        }
        Some(&from[self.below(from.len())])
    }
}

/// FNV-1a: the same on every machine and in every version.
pub fn name_hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
