//! Which of the candidate nodes a starting job gets.

/// The order in which nodes with room are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    Best,
    Worst,
    First,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    FirstFree,
    /// Fewest allocated jobs first.
    Intelligent,
    MemoryAware {
        first: Fit,
        second: Fit,
        /// Nodes count as unfit as in Appendix B.
        unfit_as_printed: bool,
        /// Unfit nodes are ranked as in Fig. 14.
        soonest_release: bool,
    },
}

/// What an allocator knows about a candidate.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub node: usize,
    pub capacity: i64,
    pub free: i64,
    /// (remaining run time, number, memory) of the jobs allocated to the node.
    pub allocated: Vec<(i64, usize, i64)>,
}

impl Candidate {
    fn total(&self) -> i64 {
        self.allocated.iter().map(|(_, _, memory)| memory).sum()
    }

    fn fits(&self, memory: i64) -> bool {
        self.free >= memory && self.capacity - self.total() >= memory
    }

    /// When all the jobs that will be left, and the new one, fit together.
    fn all_fit_at(&self, memory: i64) -> i64 {
        let mut jobs = self.allocated.clone();
        jobs.sort_unstable();
        let mut room = self.capacity - self.total();
        let mut at = 0;
        for (remaining, _, freed) in jobs {
            if room >= memory {
                break;
            }
            room += freed;
            at = remaining;
        }
        assert!(room >= memory);
        at
    }

    fn soonest_release(&self) -> i64 {
        self.allocated.iter().map(|(remaining, _, _)| *remaining).min().unwrap_or(0)
    }
}

/// `width` nodes of the candidates, of which there are enough, in ascending order.
pub fn choose(place: Place, mut candidates: Vec<Candidate>, width: usize, memory: i64) -> Vec<usize> {
    candidates.sort_by_key(|candidate| candidate.node);
    match place {
        Place::FirstFree => {}
        Place::Intelligent => {
            candidates.sort_by_key(|candidate| (candidate.allocated.len(), candidate.node));
        }
        Place::MemoryAware { first, second, unfit_as_printed, soonest_release } => {
            let (fit, others): (Vec<_>, Vec<_>) =
                candidates.iter().cloned().partition(|candidate| candidate.fits(memory));
            if fit.len() >= width {
                candidates = ordered(first, fit);
            } else {
                let (mut unfit, rest): (Vec<_>, Vec<_>) = if unfit_as_printed {
                    candidates.iter().cloned().partition(|candidate| candidate.total() < memory)
                } else {
                    (others, fit)
                };
                unfit.sort_by_key(|candidate| {
                    let at = if soonest_release {
                        candidate.soonest_release()
                    } else {
                        candidate.all_fit_at(memory)
                    };
                    (at, candidate.node)
                });
                candidates = unfit;
                candidates.extend(ordered(second, rest));
            }
        }
    }
    let mut nodes: Vec<usize> = candidates.into_iter().take(width).map(|candidate| candidate.node).collect();
    assert_eq!(nodes.len(), width);
    nodes.sort_unstable();
    nodes
}

fn ordered(fit: Fit, mut nodes: Vec<Candidate>) -> Vec<Candidate> {
    match fit {
        Fit::First => nodes.sort_by_key(|candidate| candidate.node),
        Fit::Best => nodes.sort_by_key(|candidate| (candidate.free, candidate.node)),
        Fit::Worst => {
            nodes.sort_by_key(|candidate| (candidate.free, candidate.node));
            nodes.reverse();
        }
    }
    nodes
}
