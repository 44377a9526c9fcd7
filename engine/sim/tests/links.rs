//! The links of a mini-grid against the steps of the slides, against max-min fairness, and against themselves in another order.

use crate::naive::links::{demands, fair_fractions, five_steps};
use crate::workloads::cases;
use proptest::prelude::*;
use sim::cluster::network::{Network, Parts, demand};
use sim::job::JobSlot;
use sim::{Communication, Step3};
use std::collections::BTreeMap;

const STEP3: [Step3; 2] = [Step3::Unconstrained, Step3::Printed];

/// A job: its nodes on each cluster and its bandwidth.
type Wish = (Vec<u32>, f64);

fn parts(nodes: &[u32]) -> Parts {
    (0..).zip(nodes).filter(|(_, nodes)| **nodes > 0).map(|(cluster, nodes)| (cluster, *nodes)).collect()
}

/// The clusters' bandwidth and jobs, some of them on one cluster or without bandwidth.
fn wishes() -> impl Strategy<Value = (f64, Vec<Wish>)> {
    (2usize..7).prop_flat_map(|clusters| {
        let there = prop_oneof![2 => Just(0u32), 3 => 1u32..40];
        let nodes = prop::collection::vec(there, clusters).prop_map(|mut nodes| {
            nodes[0] += u32::from(nodes.iter().sum::<u32>() == 0);
            nodes
        });
        let wish = (nodes, (0u32..5).prop_map(|half| f64::from(half) / 2.0));
        ((1u32..120).prop_map(f64::from), prop::collection::vec(wish, 1..14))
    })
}

/// A network and what is known of its jobs' fractions.
struct Watched {
    network: Network,
    fractions: BTreeMap<u64, f64>,
}

impl Watched {
    fn new(clusters: usize, bandwidth: f64, step3: Step3) -> Watched {
        Watched { network: Network::idle(clusters as u32, bandwidth, step3), fractions: BTreeMap::new() }
    }

    fn join(&mut self, arrival: usize, (nodes, bandwidth): &Wish) {
        let communication = Communication { share: 0.5, bandwidth: *bandwidth };
        self.network.join(JobSlot(arrival as u32), arrival as u64, &parts(nodes), communication);
    }

    fn leave(&mut self, arrival: usize) {
        self.network.leave(JobSlot(arrival as u32));
        self.fractions.remove(&(arrival as u64));
    }

    /// Shares out; what is reported must be a change, or new.
    fn allot(&mut self) -> Result<(), TestCaseError> {
        let mut last = None;
        for moved in self.network.allot() {
            let arrival = u64::from(moved.job.0);
            prop_assert!(last < Some(arrival), "not in order of arrival");
            last = Some(arrival);
            let before = self.fractions.insert(arrival, moved.fraction);
            prop_assert_eq!(before.is_none(), moved.joined);
            prop_assert_ne!(before, Some(moved.fraction));
        }
        Ok(())
    }
}

/// The demands of those that demand something, by arrival.
fn demanded(jobs: &BTreeMap<usize, &Wish>) -> BTreeMap<u64, Vec<f64>> {
    let all = jobs.iter().map(|(arrival, (nodes, bandwidth))| (*arrival as u64, demands(nodes, *bandwidth)));
    all.filter(|(_, demands)| demands.iter().any(|demand| *demand > 0.0)).collect()
}

fn check(watched: &Watched, jobs: &BTreeMap<usize, &Wish>, step3: Step3) -> Result<(), TestCaseError> {
    let (network, bandwidth) = (&watched.network, watched.network.bandwidth());
    let demands = demanded(jobs);
    prop_assert_eq!(demands.keys().collect::<Vec<_>>(), watched.fractions.keys().collect::<Vec<_>>());
    let rows: Vec<Vec<f64>> = demands.values().cloned().collect();
    let steps = five_steps(&rows, bandwidth, step3 == Step3::Printed);
    let fair = fair_fractions(&rows, bandwidth);
    let clusters = jobs.values().next().map_or(0, |(nodes, _)| nodes.len());
    let mut used = vec![0.0; clusters];
    for (at, (row, fraction)) in rows.iter().zip(watched.fractions.values()).enumerate() {
        prop_assert!(*fraction > 0.0 && *fraction <= 1.0, "a demand is never exceeded");
        for link in 0..clusters {
            used[link] += row[link] * fraction;
            prop_assert!((row[link] * fraction - steps[at][link]).abs() <= 1e-9 * bandwidth, "{steps:?}");
        }
        if step3 == Step3::Unconstrained {
            prop_assert!((fraction - fair[at]).abs() <= 1e-6 * fraction, "{fair:?}");
        }
    }
    for (link, used) in used.iter().enumerate() {
        prop_assert!(*used <= bandwidth * (1.0 + 1e-12), "link {link} carries {used}");
        prop_assert!((network.used(link as u32) - used).abs() <= 1e-9 * bandwidth);
    }
    prop_assert!((network.in_use() - used.iter().sum::<f64>()).abs() <= 1e-9 * network.capacity());
    Ok(())
}

proptest! {
    #![proptest_config(cases(12))]

    /// Jobs come and go one by one; what was left alone is what the steps give from the start.
    #[test]
    fn allotments_follow_the_five_steps(
        (bandwidth, wishes) in wishes(),
        moves in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..20),
        printed: bool,
    ) {
        let (step3, clusters) = (STEP3[usize::from(printed)], wishes[0].0.len());
        let mut watched = Watched::new(clusters, bandwidth, step3);
        let mut there: BTreeMap<usize, &Wish> = BTreeMap::new();
        for (index, allot) in moves {
            let arrival = index.index(wishes.len());
            if there.remove(&arrival).is_some() {
                watched.leave(arrival);
            } else {
                there.insert(arrival, &wishes[arrival]);
                watched.join(arrival, &wishes[arrival]);
            }
            if allot {
                watched.allot()?;
                check(&watched, &there, step3)?;
            }
        }
        watched.allot()?;
        check(&watched, &there, step3)?;
        // Bit for bit what all of them get who start at once, the last first.
        let mut anew = Watched::new(clusters, bandwidth, step3);
        there.iter().rev().for_each(|(arrival, wish)| anew.join(*arrival, wish));
        anew.allot()?;
        prop_assert_eq!(&anew.fractions, &watched.fractions);
        prop_assert_eq!(anew.network.in_use(), watched.network.in_use());
    }

    /// The numbers of the links do not matter either, unless as printed.
    #[test]
    fn links_may_change_places((bandwidth, wishes) in wishes(), by in 0usize..6) {
        let fractions = |by: usize| {
            let clusters = wishes[0].0.len();
            let mut watched = Watched::new(clusters, bandwidth, Step3::Unconstrained);
            for (arrival, (nodes, bandwidth)) in wishes.iter().enumerate() {
                let mut nodes = nodes.clone();
                nodes.rotate_left(by % clusters);
                watched.join(arrival, &(nodes, *bandwidth));
            }
            watched.allot().map(|()| watched.fractions)
        };
        for (one, other) in fractions(0)?.values().zip(fractions(by)?.values()) {
            prop_assert!((one - other).abs() <= 1e-9 * one);
        }
    }

    #[test]
    fn on_two_clusters_both_readings_of_step_3_are_one((bandwidth, wishes) in wishes()) {
        let fractions = |step3| {
            let mut watched = Watched::new(2, bandwidth, step3);
            for (arrival, (nodes, bandwidth)) in wishes.iter().enumerate() {
                watched.join(arrival, &(nodes[..2].to_vec(), *bandwidth));
            }
            watched.allot().map(|()| watched.fractions)
        };
        prop_assert_eq!(fractions(Step3::Unconstrained)?, fractions(Step3::Printed)?);
    }
}

/// Two nodes, each on its own cluster: the demand on both links is the bandwidth.
fn pair(links: [usize; 2], bandwidth: f64) -> Wish {
    ((0..8).map(|link| u32::from(links.contains(&link))).collect(), bandwidth)
}

fn fractions(bandwidth: f64, step3: Step3, wishes: &[Wish]) -> Vec<f64> {
    let mut watched = Watched::new(8, bandwidth, step3);
    wishes.iter().enumerate().for_each(|(arrival, wish)| watched.join(arrival, wish));
    watched.allot().unwrap();
    watched.fractions.into_values().collect()
}

/// Max-min fairness of the rates would give 2, 4 and 4.
#[test]
fn jobs_on_one_link_get_the_same_fraction() {
    let wishes = [pair([0, 1], 2.0), pair([0, 2], 8.0), pair([0, 3], 10.0)];
    for step3 in STEP3 {
        assert_eq!(fractions(10.0, step3, &wishes), [0.5, 0.5, 0.5]);
    }
}

/// Link 0 lacks most, and its jobs get a third. On link 1 that leaves 8 of 10 for the other's 12: two thirds; as printed it gets 10 of the 18
/// that both demand.
#[test]
fn the_readings_differ_where_a_link_has_jobs_reduced_elsewhere() {
    let wishes = [pair([0, 1], 6.0), pair([0, 2], 24.0), pair([1, 3], 12.0)];
    let third = 10.0 / 30.0;
    assert_eq!(fractions(10.0, Step3::Unconstrained, &wishes), [third, third, (10.0 - 6.0 * third) / 12.0]);
    assert_eq!(fractions(10.0, Step3::Printed, &wishes), [third, third, 10.0 / 18.0]);
}

/// Jobs far away keep what they have, and so do those with whom only a link with room is shared.
#[test]
fn only_who_shares_a_saturated_link_is_looked_at() {
    let mut watched = Watched::new(8, 10.0, Step3::Unconstrained);
    let wishes = [pair([0, 1], 20.0), pair([2, 3], 8.0), pair([3, 4], 8.0), pair([4, 5], 1.0)];
    wishes.iter().enumerate().for_each(|(arrival, wish)| watched.join(arrival, wish));
    watched.allot().unwrap();
    assert_eq!(watched.fractions.values().copied().collect::<Vec<_>>(), [0.5, 0.625, 0.625, 1.0]);
    watched.join(4, &pair([5, 1], 1.0));
    watched.leave(1);
    let moved: Vec<(u32, bool)> =
        watched.network.allot().iter().map(|moved| (moved.job.0, moved.joined)).collect();
    assert_eq!(moved, [(0, false), (2, false), (4, true)]);
}

#[test]
fn a_job_demands_what_its_nodes_exchange_with_those_elsewhere() {
    assert_eq!(demand(2, 1, 3.0), 3.0);
    assert_eq!(demand(6, 4, 1.0), 1.6);
    assert_eq!(demand(6, 2, 1.0), 1.6);
    assert_eq!(demand(5, 5, 1.0), 0.0);
    let mut idle = Network::idle(2, 1.0, Step3::Unconstrained);
    for (share, bandwidth, nodes) in [(0.0, 1.0, [1, 1]), (1.0, 0.0, [1, 1]), (1.0, 1.0, [2, 0])] {
        assert!(!idle.join(JobSlot(0), 0, &parts(&nodes), Communication { share, bandwidth }));
    }
    idle.leave(JobSlot(7));
    assert!(idle.allot().is_empty());
    assert_eq!((idle.in_use(), idle.capacity()), (0.0, 2.0));
}
