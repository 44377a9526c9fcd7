//! Mini-grids under plain FCFS: what the machine does to jobs whose nodes lie in several clusters. Times worked out by hand.

use crate::scene::{EASY, Scene, check, check_all};
use crate::script::{get, run_script, scene, second, start_all};
use expect_test::expect;
use sim::cluster::Cluster;
use sim::cluster::node_set::Placement;
use sim::job::Rate;
use sim::kernel::Pass;
use sim::observer::{JobRecord, Observer};
use sim::{MachineSpec, PolicySpec, SimError, Time, simulate};

/// Without contention a mini-grid is one pool, whatever the jobs exchange; so it is with a penalty of 0, and with links that carry it all.
#[test]
fn split_jobs_run_at_full_rate_where_nothing_is_contended() {
    let jobs = "a 0 6x4%0.5,1; b 0 6x3%1,1; c 1 2x2^2";
    let texts = ["grid 3x4", "grid 3x4 penalty=0", "grid 3x4 links=3.2", "nodes 12"];
    let texts = texts.map(|machine| format!("{machine}; {jobs}"));
    check_all(
        &[&texts[0], &texts[1], &texts[2], &texts[3]],
        &[PolicySpec::Fcfs],
        expect![[r#"
                   0    5
             0-5 | aaaa.
             6-7 | bbbcc
            8-11 | bbb..
        "#]],
    );
}

/// a lies in one cluster and runs for its 4 s, b and c in two.
#[test]
fn a_fixed_penalty_stretches_split_jobs() {
    check(
        "grid 3x4 penalty=0.5; a 0 3x4; b 0 3x4; c 0 4x2",
        PolicySpec::Fcfs,
        expect![[r#"
                    0    5
              0-2 | aaaa..
              3-5 | bbbbbb
              6-9 | ccc...
            10-11 | ......
        "#]],
    );
}

/// Alone, a and b would demand all of link 1. Together they have half of what they demand; when a is done, b goes on at full rate.
#[test]
fn links_are_shared_out_anew_when_a_split_job_ends() {
    check(
        "grid 3x4 links=1.6; a 0 6x4%1,1; b 0 6x8%1,1",
        PolicySpec::Fcfs,
        expect![[r#"
                   0    5    10
             0-5 | aaaaaaaa....
            6-11 | bbbbbbbbbbbb
        "#]],
    );
}

/// b starts later: a is done with half of its work then, and does the rest at half its rate.
#[test]
fn links_are_shared_out_anew_when_a_split_job_starts() {
    check(
        "grid 3x4 links=1.6; a 0 6x4%1,1; b 2 6x4%1,1; c 3 1x1%1,1",
        PolicySpec::Fcfs,
        expect![[r#"
                   0    5
               0 | aaaaaac.
             1-5 | aaaaaa..
            6-11 | ..bbbbbb
        "#]],
    );
}

/// A third of the bandwidth makes 0.5 + 0.5 / (1/3) = 2 times the time; the estimate, which is 4 s, is known to be wrong at 4.
#[test]
fn time_of_computation_is_not_stretched() {
    let mut scene = scene("grid 2x2 links=1; a 0 4x4%0.5,2.25");
    let run = scene.run();
    assert_eq!(run.lines[0].finish, Time::from_secs(8));
    assert_eq!(run.report.passes, 3);
    scene.setup.policy = EASY;
    assert_eq!(scene.run().lines, run.lines);
}

/// In how many clusters jobs lie when they start and end, who migrated, and what is used of the links after each pass.
#[derive(Default)]
struct Watch {
    jobs: Vec<(char, u32, bool)>,
    links: Vec<(f64, f64)>,
}

impl Observer for Watch {
    fn begin(&mut self, cluster: &Cluster) {
        assert_eq!(cluster.clusters(), 3);
    }
    fn submitted(&mut self, _: Time, job: &JobRecord<'_>) {
        assert_eq!((job.spans, job.migrated), (0, false));
    }
    fn started(&mut self, _: Time, job: &JobRecord<'_>) {
        self.jobs.push((char::from_u32(job.job.id as u32).unwrap(), job.spans, job.migrated));
    }
    fn ended(&mut self, _: Time, job: &JobRecord<'_>) {
        self.jobs.push((char::from_u32(job.job.id as u32).unwrap(), job.spans, job.migrated));
    }
    fn passed(&mut self, _: Time, _: usize, cluster: &Cluster) {
        let links = cluster.link_use().unwrap();
        self.links.push((links.in_use, links.capacity));
    }
}

#[test]
fn observers_see_where_jobs_lie_and_what_links_carry() {
    let scene = scene("grid 3x4 links=1.6; a 0 3x1^1; b 0 1x2^0; c 3 6x4%1,1; d 3 6x8%1,1");
    let mut watch = Watch::default();
    simulate(&scene.setup, scene.jobs.iter().copied(), &mut watch).unwrap();
    let starts = [('a', 1, true), ('b', 1, false), ('a', 1, true), ('b', 1, false)];
    let split = [('c', 2, false), ('d', 2, false), ('c', 2, false), ('d', 2, false)];
    assert_eq!(watch.jobs, [starts, split].concat());
    // Starts, two ends, starts, two estimates that were too short, two ends.
    let in_use: Vec<f64> = watch.links.iter().map(|(in_use, _)| *in_use).collect();
    assert_eq!(in_use[..4], [0.0, 0.0, 0.0, 3.2]);
    assert_eq!(in_use[in_use.len() - 1], 0.0);
    assert!(in_use.iter().all(|used| [0.0, 3.2].contains(used)) && watch.links[0].1 == 1.6 * 3.0);
}

/// a is suspended from 2 to 5; meanwhile b has the link for itself.
#[test]
fn a_suspended_job_leaves_its_links() {
    let scene = scene("grid 3x4 links=1.6; a 0 6x4%1,1; b 0 6x8%1,1; w 2 1x3; x 5 1x1");
    let run = run_script(&scene, |pass: &mut Pass<'_>| match second(pass) {
        0 => assert!(pass.start(get(pass, 'a')) && pass.start(get(pass, 'b'))),
        2 => {
            assert!(pass.suspend(get(pass, 'a')));
            assert!(pass.start_on(get(pass, 'w'), Placement::of([0])));
        }
        5 => {
            assert!(pass.resume(get(pass, 'a')));
            assert!(!pass.start(get(pass, 'x')));
        }
        _ => start_all(pass),
    });
    // a did 1 s until 2, b 1 + 3 until 5; at half rate a has 6 s to go, until 11, when b has 1 s left.
    let run = run.unwrap();
    let finish = |arrival: usize| run.lines[arrival].finish;
    assert_eq!((finish(0), finish(1)), (Time::from_secs(11), Time::from_secs(12)));
}

#[test]
fn no_policy_sets_the_rate_of_a_split_job() {
    let scene = scene("grid 3x4 links=1.6; a 0 6x4%1,1");
    let run = run_script(&scene, |pass: &mut Pass<'_>| {
        let a = get(pass, 'a');
        assert!(pass.start(a) && !pass.set_rate(a, Rate::FULL));
    });
    let Err(SimError::Illegal { reason, .. }) = run else { panic!("{run:?}") };
    assert_eq!(reason, "its rate cannot change, for its clusters decide it");
}

#[test]
fn jobs_that_make_no_sense_are_refused() {
    for (job, wanted) in [
        ("a 0 1x1^3", "is submitted at cluster 3 of 3 (they are numbered from 0)"),
        ("a 0 13x1", "asks for 13 nodes of a machine of 12"),
        (
            "a 0 1x1%1.5,1",
            "communicates for a share 1.5 of its time with bandwidth 1; shares are 0 to 1, bandwidths 0 or more",
        ),
        (
            "a 0 1x1%0.5,-1",
            "communicates for a share 0.5 of its time with bandwidth -1; shares are 0 to 1, bandwidths 0 or more",
        ),
        (
            "a 0 1x1%NaN,1",
            "communicates for a share NaN of its time with bandwidth 1; shares are 0 to 1, bandwidths 0 or more",
        ),
        (
            "a 0 1x1%1,inf",
            "communicates for a share 1 of its time with bandwidth inf; shares are 0 to 1, bandwidths 0 or more",
        ),
    ] {
        let error = Scene::parse(&format!("grid 3x4; {job}"), PolicySpec::Fcfs).try_run().unwrap_err();
        let SimError::BadJob { reason, .. } = error else { panic!("{error}") };
        assert_eq!(reason, wanted);
    }
    // Elsewhere the home means nothing.
    scene("nodes 1; a 0 1x1^9").run();
}

#[test]
fn machines_that_make_no_sense_are_refused() {
    for (clusters, nodes_per_cluster, wanted) in [
        (0, 4, "a mini-grid needs at least one cluster"),
        (4, 0, "a cluster needs at least one node: nodes_per_cluster is 0"),
        (3_000, 2_000, "3000 clusters of 2000 nodes have more than the 4194304 supported"),
        (u32::MAX, u32::MAX, "4294967295 clusters of 4294967295 nodes have more than the 4194304 supported"),
    ] {
        let communication = sim::CommunicationModel::Ideal;
        let machine = MachineSpec::Clusters { clusters, nodes_per_cluster, communication };
        let Err(SimError::Machine { reason }) = machine.validate() else { panic!("{machine:?}") };
        assert_eq!(reason, wanted);
    }
}
