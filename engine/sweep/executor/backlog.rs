//! What is still to be done: the runs that this process has not begun and that no other is known to have done.

use super::order::Entry;
use std::collections::VecDeque;

/// Runs that nobody is known to have done. Own ones first; those of other shards when there are none of these.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    own: VecDeque<Entry>,
    others: VecDeque<Entry>,
    draws: Draws,
}

/// How much to take at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Take {
    /// So many runs.
    pub runs: usize,
    /// More than that, if they share a workload with the last.
    pub whole_groups: bool,
    /// From anywhere among those that cost about the same, because other processes may be at the first ones.
    pub scattered: bool,
}

impl Backlog {
    /// A backlog of own runs in their order of work and of others' runs in that of their owners, who are met from behind.
    /// Processes with different salts scatter differently.
    pub fn new(own: Vec<Entry>, mut others: Vec<Entry>, salt: u64) -> Backlog {
        others.reverse();
        Backlog { own: own.into(), others: others.into(), draws: Draws { salt, drawn: 0 } }
    }

    /// Runs in it.
    pub fn len(&self) -> usize {
        self.own.len() + self.others.len()
    }

    /// All of them.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.own.iter().chain(&self.others)
    }

    /// Whether only runs of other shards are left.
    pub fn is_of_others(&self) -> bool {
        self.own.is_empty()
    }

    /// Takes out the runs that others have done.
    pub fn forget(&mut self, mut done: impl FnMut(&Entry) -> bool) -> Vec<Entry> {
        let mut forgotten = Vec::new();
        for list in [&mut self.own, &mut self.others] {
            list.retain(|entry| {
                let gone = done(entry);
                if gone {
                    forgotten.push(*entry);
                }
                !gone
            });
        }
        forgotten
    }

    /// Puts back runs that were taken and not begun.
    pub fn put_back(&mut self, entries: Vec<Entry>) {
        entries.into_iter().rev().for_each(|entry| self.own.push_front(entry));
    }

    /// Takes the next runs; none where there are none.
    pub fn take(&mut self, take: Take) -> Vec<Entry> {
        let list = if self.own.is_empty() { &mut self.others } else { &mut self.own };
        let Some(first) = list.front().map(|entry| entry.level) else { return Vec::new() };
        let runs = take.runs.max(1);
        let (mut begin, mut within) = (0, list.len());
        if take.scattered {
            within = list.iter().take_while(|entry| entry.level == first).count();
            let at = self.draws.below(within);
            // From the beginning of its group, if that is near.
            let near = (at + 1).saturating_sub(runs);
            begin = (near..=at).find(|near| list[*near].group == list[at].group).unwrap_or(at);
        }
        let mut end = (begin + runs).min(within);
        while take.whole_groups && end < within && list[end].group == list[end - 1].group {
            end += 1;
        }
        list.drain(begin..end).collect()
    }
}

/// Numbers that differ between processes and from draw to draw. They decide the order of work, never a result.
#[derive(Debug, Default)]
struct Draws {
    salt: u64,
    drawn: u64,
}

impl Draws {
    /// The next number below `bound`; 0 where that is 0.
    fn below(&mut self, bound: usize) -> usize {
        self.drawn += 1;
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.salt.to_le_bytes());
        bytes[8..].copy_from_slice(&self.drawn.to_le_bytes());
        let mut number = [0; 8];
        number.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..8]);
        (u64::from_le_bytes(number) % bound.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// So many runs on each of several workloads; the first `long` runs are on a higher level.
    fn entries(groups: usize, each: usize, long: usize) -> Vec<Entry> {
        (0..groups * each)
            .map(|task| {
                let level = if task < long { 3 } else { 1 };
                Entry {
                    task,
                    group: task / each,
                    source: 0,
                    class: 0,
                    policy: 0,
                    rank_s: 1.0,
                    known: false,
                    level,
                }
            })
            .collect()
    }

    fn tasks(entries: &[Entry]) -> Vec<usize> {
        entries.iter().map(|entry| entry.task).collect()
    }

    const IN_ORDER: Take = Take { runs: 4, whole_groups: true, scattered: false };
    const SCATTERED: Take = Take { runs: 4, whole_groups: false, scattered: true };

    #[test]
    fn alone_it_goes_in_order_and_keeps_groups_whole() {
        let mut backlog = Backlog::new(entries(4, 3, 0), Vec::new(), 1);
        assert_eq!(tasks(&backlog.take(IN_ORDER)), [0, 1, 2, 3, 4, 5]);
        assert_eq!(tasks(&backlog.take(Take { whole_groups: false, ..IN_ORDER })), [6, 7, 8, 9]);
        backlog.put_back(entries(1, 3, 0));
        assert_eq!(tasks(&backlog.take(Take { runs: 0, ..IN_ORDER })), [0, 1, 2]);
        assert_eq!(tasks(&backlog.take(IN_ORDER)), [10, 11]);
        assert!(backlog.take(IN_ORDER).is_empty());
    }

    #[test]
    fn scattered_it_takes_every_run_once_and_the_long_ones_first() {
        for salt in 0..50 {
            let mut backlog = Backlog::new(entries(10, 5, 20), Vec::new(), salt);
            let mut taken = Vec::new();
            loop {
                let some = tasks(&backlog.take(SCATTERED));
                if some.is_empty() {
                    break;
                }
                assert!(some.len() <= 4);
                taken.extend(some);
            }
            assert_eq!(taken.iter().collect::<BTreeSet<_>>().len(), 50);
            assert!(taken[..20].iter().all(|task| *task < 20), "{taken:?}");
        }
    }

    #[test]
    fn different_salts_begin_at_different_runs() {
        let first = |salt| tasks(&Backlog::new(entries(100, 1, 0), Vec::new(), salt).take(SCATTERED))[0];
        assert!((0..20).map(first).collect::<BTreeSet<_>>().len() > 12);
    }

    #[test]
    fn others_come_last_and_from_behind() {
        let mut backlog = Backlog::new(entries(1, 2, 0), entries(2, 3, 0), 1);
        assert!(!backlog.is_of_others() && backlog.len() == 8);
        assert_eq!(tasks(&backlog.take(IN_ORDER)), [0, 1]);
        assert!(backlog.is_of_others());
        assert_eq!(tasks(&backlog.take(Take { runs: 2, ..IN_ORDER })), [5, 4, 3]);
        let gone = backlog.forget(|entry| entry.task == 1);
        assert_eq!((tasks(&gone), backlog.len()), (vec![1], 2));
    }
}
