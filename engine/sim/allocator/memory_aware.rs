//! Memory-aware allocation in two stages.
//!
//! Decides: of the candidates (the free nodes that the policy allows), those *fit* that have enough free memory for the job now and could hold it beside
//! all jobs allocated to them. If there are enough of them, the first-stage fit chooses among them. If not, some node must swap anyway: then first the nodes
//! are taken that do not fit, in the order of their time until fit, and the rest are chosen from the other candidates by the second-stage fit.
//! Source: Esbaugh 2010, §4.2, Fig. 14, App. B and C.
//! Parameters: `first`, `second`: [`Fit`]; `unfit_nodes`: [`UnfitNodes`]; `time_until_fit`: [`TimeUntilFit`].
//! Differs: Fig. 14 asks for more fitting nodes than needed, App. B for as many; the latter is taken.
//! Ties: lower number; worst fit, higher number (Fig. 23). Jobs of one node that end at the same time: earlier arrival first.
//! Cost: a look at each candidate and its jobs and a selection among them; constant for the room.

use super::{Allocator, Asked, Fit, TimeUntilFit, UnfitNodes};
use crate::cluster::Cluster;
use crate::cluster::memory::{Claim, Tenants};
use crate::cluster::node_set::Placement;
use crate::time::Span;
use smallvec::SmallVec;

/// The allocator; see the module.
pub struct MemoryAware {
    /// Where enough nodes fit.
    pub first: Fit,
    /// Where not, for the rest.
    pub second: Fit,
    /// Which nodes do not fit.
    pub unfit_nodes: UnfitNodes,
    /// Their order.
    pub time_until_fit: TimeUntilFit,
}

/// A candidate: free memory in kilobytes, and number.
type Candidate = (u64, u32);

impl MemoryAware {
    fn choose(
        &self,
        asked: &Asked<'_>,
        tenants: &Tenants,
        candidates: impl Iterator<Item = Candidate>,
    ) -> Vec<u32> {
        let need = tenants.need(asked.memory_kb);
        let size = asked.size as usize;
        let holds =
            |&(free, node): &Candidate| free >= need && holds_all(tenants, tenants.claimed_kb(node), need);
        let (fitting, unfit): (Vec<Candidate>, Vec<Candidate>) = candidates.partition(holds);
        if fitting.len() >= size {
            return take(self.first, fitting, size);
        }
        let (unfit, mut rest) = match self.unfit_nodes {
            UnfitNodes::CannotHoldAll => (unfit, fitting),
            UnfitNodes::AsPrinted => [fitting, unfit]
                .concat()
                .into_iter()
                .partition(|&(_, node): &Candidate| tenants.claimed_kb(node) < need),
        };
        let mut ranked: Vec<(Span, Candidate)> = unfit
            .into_iter()
            .map(|candidate| (self.time_until_fit(asked, tenants, need, candidate.1), candidate))
            .collect();
        if ranked.len() > size {
            ranked.select_nth_unstable_by_key(size, |&(wait, (_, node))| (wait, node));
        }
        let left_over = ranked.split_off(size.min(ranked.len()));
        rest.extend(left_over.into_iter().map(|(_, candidate)| candidate));
        let mut chosen: Vec<u32> = ranked.into_iter().map(|(_, (_, node))| node).collect();
        let missing = size - chosen.len();
        chosen.extend(take(self.second, rest, missing));
        chosen
    }

    fn time_until_fit(&self, asked: &Asked<'_>, tenants: &Tenants, need: u64, node: u32) -> Span {
        let claims = tenants.claims(node);
        match self.time_until_fit {
            TimeUntilFit::SoonestRelease => {
                claims.iter().map(|claim| (asked.outlook)(claim.job).0).min().unwrap_or(Span::ZERO)
            }
            TimeUntilFit::AllFit => {
                let room = |claimed: u64| holds_all(tenants, claimed, need);
                let mut claimed = tenants.claimed_kb(node);
                if room(claimed) {
                    return Span::ZERO;
                }
                let mut ends: SmallVec<[((Span, u64), &Claim); 4]> =
                    claims.iter().map(|claim| ((asked.outlook)(claim.job), claim)).collect();
                ends.sort_unstable_by_key(|(outlook, _)| *outlook);
                for ((end, _), claim) in ends {
                    claimed -= claim.need_kb;
                    if room(claimed) {
                        return end;
                    }
                }
                Span::FOREVER
            }
        }
    }
}

/// Whether a node holds so much beside what is claimed of it; one that is claimed more than once over holds nothing, not even a job
/// without memory.
fn holds_all(tenants: &Tenants, claimed_kb: u64, need: u64) -> bool {
    tenants.capacity_kb().checked_sub(claimed_kb).is_some_and(|left| left >= need)
}

/// The `size` candidates that a fit prefers; all where there are fewer.
fn take(fit: Fit, mut candidates: Vec<Candidate>, size: usize) -> Vec<u32> {
    let size = size.min(candidates.len());
    if size < candidates.len() {
        match fit {
            // Candidates come in node order, but not where some of them have been looked at before.
            Fit::FirstFit => _ = candidates.select_nth_unstable_by_key(size, |&(_, node)| node),
            Fit::BestFit => _ = candidates.select_nth_unstable(size),
            Fit::WorstFit => _ = candidates.select_nth_unstable_by(size, |a, b| b.cmp(a)),
        }
    }
    candidates.truncate(size);
    candidates.into_iter().map(|(_, node)| node).collect()
}

impl Allocator for MemoryAware {
    fn place(&self, asked: &Asked<'_>, cluster: &Cluster) -> Option<Placement> {
        let tenants = cluster.tenants()?;
        let candidates = asked.candidates(cluster);
        if candidates.len() < asked.size {
            return None;
        }
        let candidates = candidates.nodes().map(|node| (tenants.free_kb(node), node));
        Some(Placement::of(self.choose(asked, tenants, candidates)))
    }

    fn looks_at_tenants(&self) -> bool {
        true
    }
}
