//! Changes that know the form of the input, so that the fuzzer gets past the first parser.

pub mod ron;
pub mod swf;

/// A small generator (splitmix64); a mutation must depend on its seed alone.
pub struct Dice(u64);

impl Dice {
    /// The dice of one mutation.
    pub fn new(seed: u32) -> Dice {
        Dice(u64::from(seed))
    }

    /// A number below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end.max(1) as u64) as usize
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// Puts the mutated bytes where the fuzzer wants them and returns how many there are.
pub fn store(bytes: &[u8], data: &mut [u8]) -> usize {
    let length = bytes.len().min(data.len());
    data[..length].copy_from_slice(&bytes[..length]);
    length
}

/// `bytes` with `new` in place of the part at `range`.
pub fn replaced(bytes: &[u8], range: std::ops::Range<usize>, new: &[u8]) -> Vec<u8> {
    [&bytes[..range.start], new, &bytes[range.end..]].concat()
}
