//! What clusters share: jobs that run elsewhere or in several clusters, and the links between them.

use super::JobRecord;
use crate::cluster::{Cluster, LinkUse};
use crate::time::{Span, Time};

/// Jobs that ran on another cluster than their home, and jobs that ran in several. Source: Jones et al. 2004, "Models".
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sharing {
    jobs: u64,
    migrated: u64,
    split: u64,
    /// Σ (end − start) / run time of split jobs.
    split_slowdown: f64,
}

impl Sharing {
    /// Takes an ended job in.
    pub fn add(&mut self, now: Time, record: &JobRecord<'_>) {
        self.jobs += 1;
        self.migrated += u64::from(record.migrated);
        if record.spans > 1 {
            self.split += 1;
            let run_time = record.run_time.max(Span::TICK);
            self.split_slowdown += (now - record.started).0 as f64 / run_time.0 as f64;
        }
    }

    pub fn merge(&mut self, next: &Sharing) {
        self.jobs += next.jobs;
        self.migrated += next.migrated;
        self.split += next.split;
        self.split_slowdown += next.split_slowdown;
    }

    /// One of its metrics.
    pub fn value(&self, name: &str) -> Option<f64> {
        let (above, below) = match name {
            "migrated_share" => (self.migrated as f64, self.jobs),
            "split_share" => (self.split as f64, self.jobs),
            "mean_split_slowdown" => (self.split_slowdown, self.split),
            _ => return None,
        };
        (below > 0).then(|| above / below as f64)
    }
}

/// What is used of links that are contended, since the last pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// Nothing where they are not.
    now: Option<LinkUse>,
}

impl Links {
    /// The share in use × ticks, over so many ticks since the last pass.
    pub fn share_ticks(&self, ticks: i128) -> f64 {
        let share = self.now.map_or(0.0, |links| links.in_use / links.capacity);
        if share.is_finite() { share * ticks as f64 } else { 0.0 }
    }

    /// Looks again, after a pass.
    pub fn look(&mut self, cluster: &Cluster) {
        self.now = cluster.link_use();
    }
}
