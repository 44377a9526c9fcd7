//! Parts of a sweep for several processes.

use crate::RunKey;
use std::fmt;
use std::str::FromStr;

/// The `number`-th of `of` parts, from 1. Which part a run belongs to depends on its key alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// The `number`-th of `of` parts; `None` unless 1 ≤ `number` ≤ `of`.
    pub fn new(number: u32, of: u32) -> Option<Shard> {
        (1..=of).contains(&number).then_some(Shard { number, of })
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many parts there are.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Whether a run belongs to this part.
    pub fn owns(self, key: &RunKey) -> bool {
        let mut start = [0; 8];
        start.copy_from_slice(&key.0[..8]);
        u64::from_le_bytes(start) % u64::from(self.of) == u64::from(self.number - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Shard, String> {
        let whole =
            |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let parts = text.split_once('/').and_then(|(number, of)| Shard::new(whole(number)?, whole(of)?));
        parts.ok_or_else(|| format!("`{text}` is no shard: I/N with 1 ≤ I ≤ N, such as 2/4"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_case::task;

    #[test]
    fn every_run_belongs_to_one_part() {
        let keys: Vec<RunKey> = (1..400).map(|nodes| task(nodes, 0).key).collect();
        let mut sizes = [0; 3];
        for key in &keys {
            let owners: Vec<u32> = (1..=3)
                .filter(|number| Shard::new(*number, 3).is_some_and(|shard| shard.owns(key)))
                .collect();
            assert_eq!(owners.len(), 1, "{key}");
            sizes[owners[0] as usize - 1] += 1;
        }
        assert!(sizes.iter().all(|size| (90..180).contains(size)), "{sizes:?}");
        assert!(keys.iter().all(|key| Shard::new(1, 1).is_some_and(|shard| shard.owns(key))));
    }

    #[test]
    fn parts_are_written_as_fractions() {
        let parsed: Result<Shard, String> = "2/4".parse();
        assert_eq!(parsed.map(|shard| shard.to_string()), Ok("2/4".to_owned()));
        for text in ["", "2", "0/4", "5/4", "1/0", "-1/4", "+1/4", "1/2/3", "1 / 2", "a/b", "1/99999999999"] {
            let problem = text.parse::<Shard>().err().unwrap_or_default();
            assert!(problem.contains("is no shard"), "{text}: {problem}");
        }
    }
}
