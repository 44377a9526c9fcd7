//! What clusters share, worked out by hand.

use crate::scene::Scene;
use sim::metrics::measure;
use sim::observer::steady::{Steady, WarmUp};
use sim::{MeasureSpec, PolicySpec};

/// Migrated, split, how much slower the split ones, and the links' use.
fn shares(text: &str, steady: Option<Steady>) -> [Option<f64>; 4] {
    let scene = Scene::parse(text, PolicySpec::Fcfs);
    let spec = MeasureSpec { steady, ..MeasureSpec::default() };
    let metrics = measure(&scene.setup, &scene.jobs, &spec).unwrap().metrics;
    ["migrated_share", "split_share", "mean_split_slowdown", "link_utilization"].map(|name| metrics.get(name))
}

const ALL: Steady = Steady { warm_up: WarmUp::Nothing, batches: 2, backlog_cap: 300 };

/// a of cluster 2 runs on cluster 0, b on clusters 0 and 1.
#[test]
fn jobs_away_from_home_and_jobs_in_several_clusters_are_told_apart() {
    let text = "grid 3x4; a 0 2x3^2; b 0 4x3";
    let expected = [Some(0.5), Some(0.5), Some(1.0), None];
    assert_eq!(shares(text, None), expected);
    assert_eq!(shares(text, Some(ALL)), expected);
    assert_eq!(shares("nodes 12; a 0 2x3", None), [None; 4]);
}

/// Until 8 both have half of the 1.6 that they demand of each of two links, one of them the same; then b has all. Of 4.8, 3.2 are in use
/// throughout. a takes 8 s instead of 4, b 12 instead of 8.
#[test]
fn contended_links_are_used_by_split_jobs() {
    let text = "grid 3x4 links=1.6; a 0 6x4%1,1; b 0 6x8%1,1";
    assert_eq!(shares(text, None), [Some(0.0), Some(1.0), Some(1.75), None]);
    let [migrated, split, slowdown, links] = shares(text, Some(ALL));
    assert_eq!((migrated, split, slowdown), (Some(0.0), Some(1.0), Some(1.75)));
    assert!((links.unwrap() - 2.0 / 3.0).abs() < 1e-9, "{links:?}");
}
