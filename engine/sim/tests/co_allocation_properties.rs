//! Co-allocation against its slow twin, and where it is something simpler.

use crate::naive::co_allocation::Walk;
use crate::scene::{Run, Scene};
use crate::workloads::{cases, communication_models, contended, grid_scenes};
use proptest::prelude::*;
use sim::kernel::simulate_with;
use sim::observer::job_log::JobLog;
use sim::observer::trace::Trace;
use sim::policy::co_allocation::{Pick, QueueRule, Sharing, SplitRule};
use sim::{CommunicationModel, MachineSpec, Penalized, PolicySpec, Step3};

fn policies(sharing: Vec<Sharing>) -> impl Strategy<Value = PolicySpec> {
    let splits =
        vec![SplitRule::LargestThenBestFit, SplitRule::LargestFirst, SplitRule::FewestIdle, SplitRule::Even];
    let rules = vec![
        (QueueRule::Scan, Pick::FirstCome),
        (QueueRule::Scan, Pick::LargestFits),
        (QueueRule::Strict, Pick::FirstCome),
        (QueueRule::StrictPerCluster, Pick::FirstCome),
    ];
    let (sharing, split) = (prop::sample::select(sharing), prop::sample::select(splits));
    let rules = prop::sample::select(rules);
    (sharing, rules, any::<bool>(), split).prop_map(|(sharing, (queue, pick), home_first, split)| {
        PolicySpec::CoAllocation { sharing, queue, pick, home_first, split }
    })
}

/// Under this policy and, if it says one, communication model.
fn under(scene: &Scene, policy: &PolicySpec, model: Option<CommunicationModel>) -> Run {
    let mut scene = scene.clone();
    scene.setup.policy = policy.clone();
    if let (MachineSpec::Clusters { communication, .. }, Some(model)) = (&mut scene.setup.machine, model) {
        *communication = model;
    }
    scene.run()
}

/// The same times, nodes, passes and events.
fn same(a: &Run, b: &Run) -> Result<(), TestCaseError> {
    prop_assert_eq!(&a.lines, &b.lines);
    prop_assert_eq!(&a.pieces, &b.pieces);
    prop_assert_eq!(a.report, b.report);
    Ok(())
}

fn walked(scene: &Scene, policy: &PolicySpec) -> Run {
    let mut observer = (JobLog::default(), Trace::default());
    let twin = Walk::of(policy, &scene.setup.machine);
    let jobs = scene.jobs.iter().copied();
    let report = simulate_with(Box::new(twin), &scene.setup, jobs, &mut observer).unwrap();
    Run { lines: observer.0.by_arrival(), pieces: observer.1.pieces, report }
}

const IDEAL: CommunicationModel = CommunicationModel::Ideal;

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn it_does_what_a_walk_of_the_list_does(
        scene in prop_oneof![
            grid_scenes(1..40, 3.0, communication_models()),
            grid_scenes(60..120, 2.0, communication_models()),
        ],
        policy in policies(vec![Sharing::Splitting]),
    ) {
        same(&under(&scene, &policy, None), &walked(&scene, &policy))?;
    }

    #[test]
    fn so_it_does_without_splitting(
        scene in grid_scenes(1..80, 1.0, Just(IDEAL)),
        policy in policies(vec![Sharing::Nothing, Sharing::Migration]),
    ) {
        same(&under(&scene, &policy, None), &walked(&scene, &policy))?;
    }

    /// Without splitting, and where no time is spent on communication, where links carry all that can be asked of them, or where the penalty is none.
    #[test]
    fn where_nothing_holds_jobs_up_all_communication_models_are_one(
        scene in grid_scenes(1..60, 3.0, contended(Just(Step3::Unconstrained))),
        policy in policies(vec![Sharing::Splitting]),
    ) {
        let ideal = under(&scene, &policy, Some(IDEAL));
        let links = |link_bandwidth| CommunicationModel::Contended { link_bandwidth, step3: Step3::Unconstrained };
        same(&ideal, &under(&scene, &policy, Some(links(1e6))))?;
        let none = CommunicationModel::FixedPenalty { penalty: 0.0, penalized: Penalized::WholeJob };
        same(&ideal, &under(&scene, &policy, Some(none)))?;
        let mut silent = scene;
        silent.jobs.iter_mut().for_each(|job| job.communication.share = 0.0);
        let contended = under(&silent, &policy, None);
        let of_talk = CommunicationModel::FixedPenalty { penalty: 9.0, penalized: Penalized::Communication };
        same(&contended, &under(&silent, &policy, Some(of_talk)))?;
        same(&contended, &under(&silent, &policy, Some(IDEAL)))?;
    }

    #[test]
    fn without_splitting_the_communication_model_does_not_matter(
        scene in grid_scenes(1..60, 1.0, communication_models()),
        policy in policies(vec![Sharing::Nothing, Sharing::Migration]),
    ) {
        same(&under(&scene, &policy, None), &under(&scene, &policy, Some(IDEAL)))?;
    }

    #[test]
    fn in_one_strict_queue_one_cluster_is_fcfs(
        mut scene in grid_scenes(1..60, 1.0, communication_models()),
        policy in policies(vec![Sharing::Nothing, Sharing::Migration, Sharing::Splitting]),
    ) {
        let PolicySpec::CoAllocation { sharing, home_first, split, .. } = policy else { unreachable!() };
        let MachineSpec::Clusters { clusters, nodes_per_cluster: nodes, .. } = &mut scene.setup.machine else {
            unreachable!()
        };
        let nodes = *nodes;
        *clusters = 1;
        scene.jobs.iter_mut().for_each(|job| job.home = 0);
        for queue in [QueueRule::Strict, QueueRule::StrictPerCluster] {
            let strict =
                PolicySpec::CoAllocation { sharing, queue, pick: Pick::FirstCome, home_first, split };
            let grid = under(&scene, &strict, None);
            same(&grid, &under(&scene, &PolicySpec::Fcfs, None))?;
            let mut flat = scene.clone();
            flat.setup.machine = MachineSpec::Flat { nodes };
            same(&grid, &under(&flat, &strict, None))?;
        }
    }

    #[test]
    fn clusters_that_share_nothing_are_machines_of_their_own(
        scene in grid_scenes(1..80, 1.0, Just(IDEAL)), queue in prop::sample::select(vec![QueueRule::Strict, QueueRule::StrictPerCluster]),
    ) {
        let MachineSpec::Clusters { clusters, nodes_per_cluster: nodes, .. } = scene.setup.machine else {
            unreachable!()
        };
        let policy = PolicySpec::CoAllocation {
            sharing: Sharing::Nothing,
            queue,
            pick: Pick::FirstCome,
            home_first: true,
            split: SplitRule::Even,
        };
        let grid = under(&scene, &policy, None);
        for cluster in 0..clusters {
            let mut alone = scene.clone();
            alone.setup.machine = MachineSpec::Flat { nodes };
            alone.jobs.retain(|job| job.home == cluster);
            let lines = grid.lines.iter().filter(|line| line.job.home == cluster);
            for (line, own) in lines.zip(under(&alone, &PolicySpec::Fcfs, None).lines) {
                prop_assert_eq!((line.job, line.start, line.finish), (own.job, own.start, own.finish));
            }
        }
    }

    /// A job that fits somewhere at the end of a pass should have started in it; and a job is split only where no cluster could hold it.
    #[test]
    fn a_scan_leaves_nothing_that_fits(
        scene in grid_scenes(1..60, 3.0, communication_models()),
    ) {
        let policy = PolicySpec::CoAllocation {
            sharing: Sharing::Splitting,
            queue: QueueRule::Scan,
            pick: Pick::FirstCome,
            home_first: true,
            split: SplitRule::LargestFirst,
        };
        let run = under(&scene, &policy, None);
        let nodes = i64::from(scene.setup.machine.nodes());
        for line in &run.lines {
            // Just before it started, jobs that ran or started earlier in its pass held too many nodes, at every instant of its wait.
            let instants = run.lines.iter().flat_map(|other| [other.start, other.finish, other.job.submit]);
            for at in instants.filter(|at| line.job.submit <= *at && *at < line.start) {
                let running = run.lines.iter().filter(|other| other.start <= at && at < other.finish);
                let busy: i64 = running.map(|other| i64::from(other.job.size)).sum();
                prop_assert!(nodes - busy < i64::from(line.job.size), "job {} at {at}", line.job.id);
            }
        }
    }
}
