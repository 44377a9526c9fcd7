//! Which elements go into which array, and how Slurm writes sets of indexes.

/// Elements that are submitted as one array with the indexes 1 to `size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// What is added to an index to get the number of the element.
    pub offset: u32,
    /// How many elements there are.
    pub size: u32,
}

/// Splits the elements 1 to `elements` into as few arrays of at most `largest` elements as possible; all but the last are full.
pub fn chunks(elements: u32, largest: u32) -> Vec<Chunk> {
    let largest = largest.max(1);
    let offsets = (0..elements.div_ceil(largest)).map(|number| number * largest);
    offsets.map(|offset| Chunk { offset, size: largest.min(elements - offset) }).collect()
}

/// The indexes of an expression such as `2-6,8,10-20:5%3`, which Slurm gives for the pending elements of an array; the second is
/// whether it was cut off, which Slurm shows by dots.
pub(super) fn indexes(expression: &str, largest: u32) -> (Vec<u32>, bool) {
    let text = expression.trim_matches(['[', ']']);
    let text = text.split('%').next().unwrap_or(text);
    let cut_off = text.contains("..");
    let mut found: Vec<u32> = text.split(',').flat_map(|part| range(part.trim(), largest)).collect();
    found.sort_unstable();
    found.dedup();
    (found, cut_off)
}

/// `7`, `2-6` or `10-20:5`; nothing for what is none of these.
fn range(part: &str, largest: u32) -> Vec<u32> {
    let (ends, step) = part.split_once(':').unwrap_or((part, "1"));
    let (first, last) = ends.split_once('-').unwrap_or((ends, ends));
    match (first.parse::<u32>(), last.parse::<u32>(), step.parse::<usize>()) {
        (Ok(first), Ok(last), Ok(step)) if step > 0 => (first..=last.min(largest)).step_by(step).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn arrays_are_full_but_for_the_last() {
        let chunk = |offset, size| Chunk { offset, size };
        assert_eq!(chunks(2500, 1000), [chunk(0, 1000), chunk(1000, 1000), chunk(2000, 500)]);
        assert_eq!(chunks(1000, 1000), [chunk(0, 1000)]);
        assert_eq!(chunks(0, 1000), []);
        assert_eq!(chunks(2, 0).len(), 2);
    }

    proptest! {
        #[test]
        fn every_element_is_in_one_array(elements in 0u32..5000, largest in 1u32..2000) {
            let chunks = chunks(elements, largest);
            let all: Vec<u32> =
                chunks.iter().flat_map(|chunk| (1..=chunk.size).map(|index| chunk.offset + index)).collect();
            prop_assert_eq!(all, (1..=elements).collect::<Vec<_>>());
            prop_assert!(chunks.iter().all(|chunk| (1..=largest).contains(&chunk.size)));
        }

        #[test]
        fn no_expression_is_too_odd(expression in "[0-9,:%. \\[\\]-]{0,30}") {
            prop_assert!(indexes(&expression, 100).0.iter().all(|index| *index <= 100));
        }
    }

    #[test]
    fn sets_of_indexes_are_read() {
        let read = |text| indexes(text, 1000);
        assert_eq!(read("7"), (vec![7], false));
        assert_eq!(read("2-4,8%2"), (vec![2, 3, 4, 8], false));
        assert_eq!(read("[1-9:4,3]"), (vec![1, 3, 5, 9], false));
        assert_eq!(read("1,3,5,..."), (vec![1, 3, 5], true));
        assert_eq!(read(""), (vec![], false));
        assert_eq!(indexes("1-4294967295", 3), (vec![1, 2, 3], false));
    }
}
