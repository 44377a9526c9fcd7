//! Usage: busy nodes and queue length over time.

use super::Observer;
use crate::cluster::Cluster;
use crate::time::Time;

/// Integrates busy nodes over time and keeps the longest queue.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    busy: u32,
    since: Time,
    /// Σ busy nodes × time, in node-ticks.
    pub busy_node_ticks: i128,
    /// The most jobs that waited after any pass.
    pub max_queue_length: usize,
    /// Installed nodes.
    pub nodes: u32,
}

impl Observer for Usage {
    fn begin(&mut self, cluster: &Cluster) {
        self.nodes = cluster.nodes();
    }

    fn passed(&mut self, now: Time, waiting: usize, cluster: &Cluster) {
        self.busy_node_ticks += i128::from(self.busy) * i128::from((now - self.since).0);
        self.busy = cluster.nodes() - cluster.free_count();
        self.since = now;
        self.max_queue_length = self.max_queue_length.max(waiting);
    }
}
