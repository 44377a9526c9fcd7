//! How many nodes are spoken for, when.

pub struct Plan {
    nodes: usize,
    /// (from, to, width).
    taken: Vec<(i64, i64, usize)>,
}

impl Plan {
    pub fn new(nodes: usize) -> Plan {
        Plan { nodes, taken: Vec::new() }
    }

    pub fn take(&mut self, from: i64, to: i64, width: usize) {
        if to > from {
            self.taken.push((from, to, width));
        }
    }

    fn free_at(&self, at: i64) -> usize {
        let now = self.taken.iter().filter(|(from, to, _)| *from <= at && at < *to);
        self.nodes - now.map(|(_, _, width)| width).sum::<usize>()
    }

    /// Whether so many nodes are free from then to then.
    pub fn fits(&self, from: i64, to: i64, width: usize) -> bool {
        let begins =
            self.taken.iter().map(|(begin, _, _)| *begin).filter(|begin| from < *begin && *begin < to);
        std::iter::once(from).chain(begins).all(|at| self.free_at(at) >= width)
    }

    /// The first time at which so many nodes are free for so long.
    pub fn earliest(&self, length: i64, width: usize) -> i64 {
        let mut times = vec![0];
        for (from, to, _) in &self.taken {
            times.extend([*from, *to]);
        }
        times.sort_unstable();
        let found = times.into_iter().find(|at| self.fits(*at, at + length, width));
        found.expect("the job is wider than the machine")
    }
}
