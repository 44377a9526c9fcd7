//! Sets of nodes: dense (which nodes are free) and sparse (where a job runs).

use smallvec::SmallVec;

/// Nodes per machine word.
pub const WORD: u32 = u64::BITS;

/// The nodes of one job: (word index, bit mask) pairs by ascending index, no empty masks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    words: SmallVec<[(u32, u64); 2]>,
    count: u32,
}

impl Placement {
    /// No nodes; what a job that is not placed has.
    pub fn empty() -> Placement {
        Placement::default()
    }

    /// The nodes with these numbers, in any order; repeated numbers count once.
    pub fn of(nodes: impl IntoIterator<Item = u32>) -> Placement {
        let mut sorted: Vec<u32> = nodes.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut placement = Placement::empty();
        for node in sorted {
            placement.push(node / WORD, 1 << (node % WORD));
        }
        placement
    }

    /// Adds the nodes of `mask` in word `word`, which must not lie below an earlier word.
    pub fn push(&mut self, word: u32, mask: u64) {
        if mask == 0 {
            return;
        }
        self.count += mask.count_ones();
        match self.words.last_mut() {
            Some((last, bits)) if *last == word => *bits |= mask,
            _ => self.words.push((word, mask)),
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// (word index, mask) pairs, ascending.
    pub fn words(&self) -> &[(u32, u64)] {
        &self.words
    }

    /// Node numbers, ascending.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flat_map(|&(word, mask)| bits(mask).map(move |bit| word * WORD + bit))
    }

    /// The `count` nodes with the lowest numbers, and the rest; all of them, and none, where there are no more.
    pub fn split(&self, count: u32) -> (Placement, Placement) {
        let (mut low, mut rest) = (Placement::empty(), Placement::empty());
        for &(word, mask) in &self.words {
            let taken = lowest_bits(mask, count.saturating_sub(low.len()));
            low.push(word, taken);
            rest.push(word, mask ^ taken);
        }
        (low, rest)
    }

    /// The nodes of both.
    pub fn union(&self, other: &Placement) -> Placement {
        let (mut ours, mut theirs) = (self.words.as_slice(), other.words.as_slice());
        let mut both = Placement::empty();
        while let (Some(&(word, mask)), Some(&(their_word, their_mask))) = (ours.first(), theirs.first()) {
            let mut all = 0;
            if word <= their_word {
                all |= mask;
                ours = &ours[1..];
            }
            if their_word <= word {
                all |= their_mask;
                theirs = &theirs[1..];
            }
            both.push(word.min(their_word), all);
        }
        for &(word, mask) in ours.iter().chain(theirs) {
            both.push(word, mask);
        }
        both
    }

    /// Lowest and highest node number, `None` when empty.
    pub fn span(&self) -> Option<(u32, u32)> {
        let (first, low) = self.words.first()?;
        let (last, high) = self.words.last()?;
        Some((first * WORD + low.trailing_zeros(), last * WORD + (WORD - 1 - high.leading_zeros())))
    }
}

/// The positions of the set bits, ascending.
pub fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros());
        mask &= mask.wrapping_sub(1);
        bit
    })
}

/// The lowest `count` set bits of `mask`; all of them where there are fewer.
pub fn lowest_bits(mask: u64, count: u32) -> u64 {
    if mask.count_ones() <= count {
        return mask;
    }
    // In byte k: how many bits are set in the bytes up to k. Whole bytes are taken together, what is left of the next one by one.
    let pairs = mask - ((mask >> 1) & 0x5555_5555_5555_5555);
    let quads = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (quads + (quads >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let up_to = bytes.wrapping_mul(EACH_BYTE);
    let wanted = u64::from(count) * EACH_BYTE;
    let fitting = (((wanted | EACH_BYTE << 7) - up_to) & (EACH_BYTE << 7)).count_ones();
    let whole = (1u64 << (8 * fitting)) - 1;
    let mut rest = mask & !whole;
    for _ in (mask & whole).count_ones()..count {
        rest &= rest - 1;
    }
    mask ^ rest
}

/// A bit in each byte.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// A set over all node numbers of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    /// Room for the numbers 0 … `positions` − 1, of which the lowest `present` are in the set.
    pub fn lowest(positions: u32, present: u32) -> NodeSet {
        let mut words = vec![0; positions.div_ceil(WORD) as usize];
        for (index, word) in words.iter_mut().enumerate() {
            let below = present.saturating_sub(index as u32 * WORD).min(WORD);
            *word = if below == WORD { u64::MAX } else { (1 << below) - 1 };
        }
        NodeSet { words }
    }

    /// The set with these bit words, node 0 in the lowest bit of the first.
    pub fn from_words(words: &[u64]) -> NodeSet {
        NodeSet { words: words.to_vec() }
    }

    /// Bit words, node 0 in the lowest bit of the first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Bit words for changing.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Number of nodes in the set.
    pub fn len(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether all nodes of `placement` are in the set.
    pub fn contains_all(&self, placement: &Placement) -> bool {
        placement.words().iter().all(|&(word, mask)| self.words[word as usize] & mask == mask)
    }

    /// Puts the nodes of `placement` into the set.
    pub fn insert(&mut self, placement: &Placement) {
        for &(word, mask) in placement.words() {
            self.words[word as usize] |= mask;
        }
    }

    /// Takes the nodes of `placement` out of the set.
    pub fn remove(&mut self, placement: &Placement) {
        for &(word, mask) in placement.words() {
            self.words[word as usize] &= !mask;
        }
    }

    /// Node numbers, ascending.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(word, &mask)| bits(mask).map(move |bit| word as u32 * WORD + bit))
    }

    /// The lowest `size` members at or after node `from` and before node `to`; `None` where there are fewer.
    pub fn first_in(&self, from: u32, to: u32, size: u32) -> Option<Placement> {
        first_in(&self.words, from, to, size)
    }
}

/// The words of `set` that hold nodes from `from` to `to` − 1, with their indices and all other nodes masked out.
fn slice(set: &[u64], from: u32, to: u32) -> impl Iterator<Item = (u32, u64)> + '_ {
    (from / WORD..to.div_ceil(WORD)).map_while(move |index| {
        let mut mask = *set.get(index as usize)?;
        if index == from / WORD {
            mask &= u64::MAX << (from % WORD);
        }
        if to < (index + 1) * WORD {
            mask &= (1 << (to % WORD)) - 1;
        }
        Some((index, mask))
    })
}

/// How many nodes of `set` (bit words) lie from `from` to `to` − 1.
pub fn count_in(set: &[u64], from: u32, to: u32) -> u32 {
    slice(set, from, to).map(|(_, mask)| mask.count_ones()).sum()
}

/// The lowest `size` nodes of `set` (bit words); `None` where there are fewer.
pub fn lowest_in(set: &[u64], size: u32) -> Option<Placement> {
    let mut placement = Placement::empty();
    for (word, &mask) in set.iter().enumerate() {
        if mask != 0 {
            placement.push(word as u32, lowest_bits(mask, size - placement.len()));
            if placement.len() == size {
                return Some(placement);
            }
        }
    }
    None
}

/// The lowest `size` nodes of `set` (bit words) from `from` to `to` − 1; `None` where there are fewer.
pub fn first_in(set: &[u64], from: u32, to: u32, size: u32) -> Option<Placement> {
    let mut placement = Placement::empty();
    for (word, mask) in slice(set, from, to) {
        placement.push(word, lowest_bits(mask, size - placement.len()));
        if placement.len() == size {
            return Some(placement);
        }
    }
    None
}

/// Adds the lowest `size` nodes of `set` (bit words) from `from` to `to` − 1, which must lie above all nodes of the placement; as many as there are.
pub fn append_lowest(placement: &mut Placement, set: &[u64], from: u32, to: u32, size: u32) {
    let all = placement.len() + size;
    for (word, mask) in slice(set, from, to) {
        placement.push(word, lowest_bits(mask, all - placement.len()));
        if placement.len() == all {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lowest_bits_takes_from_below() {
        assert_eq!(lowest_bits(0b1011_0100, 2), 0b0001_0100);
        assert_eq!(lowest_bits(0b11, 5), 0b11);
        assert_eq!(lowest_bits(u64::MAX, 0), 0);
    }

    #[test]
    fn lowest_bits_takes_one_after_the_other() {
        let mut mask: u64 = 1;
        for step in 0..1000 {
            mask = mask.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let dense =
                [mask, mask | mask.rotate_left(7), mask & mask.rotate_left(11), u64::MAX << (step % 64)];
            for mask in dense {
                for count in 0..=65 {
                    let one_by_one = bits(mask).take(count as usize).fold(0, |taken, bit| taken | 1 << bit);
                    assert_eq!(lowest_bits(mask, count), one_by_one, "{count} of {mask:#x}");
                }
            }
        }
    }

    #[test]
    fn placements_come_apart_and_together() {
        let all = [3, 60, 64, 65, 200, 300];
        for count in 0..8 {
            let (low, rest) = Placement::of(all).split(count);
            let cut = all.len().min(count as usize);
            assert_eq!(
                (&low, &rest),
                (&Placement::of(all[..cut].to_vec()), &Placement::of(all[cut..].to_vec()))
            );
            assert_eq!(low.union(&rest), Placement::of(all));
            assert_eq!(rest.union(&low), Placement::of(all));
        }
        assert_eq!(Placement::of([1, 65]).union(&Placement::of([1, 66, 129])).len(), 4);
    }

    #[test]
    fn first_in_respects_both_ends_across_words() {
        let mut set = NodeSet::lowest(200, 200);
        set.remove(&Placement::of([60, 62, 64]));
        let found = set.first_in(59, 130, 5).unwrap();
        assert_eq!(found.nodes().collect::<Vec<_>>(), [59, 61, 63, 65, 66]);
        assert_eq!(found.span(), Some((59, 66)));
        assert_eq!(set.first_in(128, 132, 5), None);
        assert_eq!(NodeSet::lowest(256, 240).len(), 240);
    }
}
