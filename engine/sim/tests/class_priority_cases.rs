//! Class priority: schedules worked out by hand from Chiang 2001, §3.1, a rule each. Her hours are seconds here, her gigabytes megabytes: vst, st, mt
//! and lt end at 5, 50, 200 and 400 s and are drained for after 12, 45, 180 and 360 s; sj, mj and lj end at 8@2, 16@4 and 64@16.

use crate::scene::Scene;
use sim::policy::class_priority::{HostLimits, size_classes_of_the_study, time_classes_of_the_study};
use sim::{PolicySpec, SimError};
use std::collections::BTreeSet;

/// Limits on lj, mj and sj by host; the negative ones are none.
type Limits = &'static [(&'static str, [i64; 3])];

/// NCSA-LSF* with so many mt jobs at a time.
fn lsf(limits: Limits, mt: u32, drain_seed: u64) -> PolicySpec {
    let (mut time_classes, mut size_classes) = (time_classes_of_the_study(), size_classes_of_the_study());
    for class in &mut time_classes {
        class.up_to_s /= 3600;
        class.drain_after_s = class.drain_after_s.map(|seconds| seconds / 3600);
    }
    time_classes[2].at_most = Some(mt);
    size_classes.iter_mut().for_each(|class| class.memory_mb /= 1024);
    let host = |(host, most): &(&str, [i64; 3])| HostLimits {
        host: (*host).to_owned(),
        at_most: ["lj", "mj", "sj"]
            .into_iter()
            .zip(most)
            .filter_map(|(class, most)| Some((class.to_owned(), u32::try_from(*most).ok()?)))
            .collect(),
    };
    let host_limits = limits.iter().map(host).collect();
    PolicySpec::ClassPriority { time_classes, size_classes, host_limits, drain_seed }
}

/// Host and start of every job, by name.
fn starts(text: &str, policy: PolicySpec) -> String {
    let scene = Scene::parse(text, policy);
    let run = scene.run();
    let mut words = Vec::new();
    for arrival in 0..run.lines.len() {
        let name = char::from(run.lines[arrival].job.id as u8);
        let mut node = run.nodes_of(arrival)[0];
        let mut host = b'A';
        for spec in scene.setup.machine.hosts() {
            if node < spec.processors {
                break;
            }
            node -= spec.processors;
            host += 1;
        }
        words.push(format!("{name} {}{}", char::from(host), run.start_of(name)));
    }
    words.sort();
    words.join(", ")
}

/// The example of "eir": vst-lj, the other lj up to three, vst-mj, the other mj, vst-sj, the other sj. At 10 the host is empty: f, e and g are the three
/// lj, d and c fill it up. At 15 the vst jobs f and d end: h is the third lj then, and as no mj waits, b and a follow.
#[test]
fn size_classes_have_their_turns_on_a_host_from_the_largest_down() {
    let text = "hosts 128@64; y 0 64x10; z 0 64x10; a 1 1x9; b 1 1x5; c 2 16x20; d 2 16x5; e 3 32x20; f 4 32x5; g 5 32x20; h 6 32x20";
    let found = starts(text, lsf(&[("A", [3, 4, -1])], 48, 0));
    assert_eq!(found, "a A15, b A15, c A10, d A10, e A10, f A10, g A10, h A15, y A0, z A0");
}

/// "A job is skipped if not enough free processors and memory are available; other jobs in the same size class can be started on the host, but not
/// jobs in the other size classes": c passes a, b does not.
#[test]
fn a_job_that_does_not_fit_holds_up_lower_size_classes() {
    let text = "hosts 128@64; y 0 64x10; z 0 32x20; a 1 64x9; b 2 1x9; c 3 20x30";
    assert_eq!(starts(text, lsf(&[], 48, 0)), "a A10, b A10, c A3, y A0, z A0");
    // Memory counts as processors do.
    let text = "hosts 128@20; y 0 64x10@10; z 0 32x20@5; a 1 17x9@15; b 2 1x9; c 3 20x30";
    assert_eq!(starts(text, lsf(&[], 48, 0)), "a A10, b A10, c A3, y A0, z A0");
}

/// "However, vst priority jobs do not block the scheduling of jobs from other time classes."
#[test]
fn a_very_short_job_that_does_not_fit_holds_up_nobody() {
    let text = "hosts 128@64; y 0 64x10; z 0 32x20; a 1 64x5; b 2 1x9; c 3 20x30";
    assert_eq!(starts(text, lsf(&[], 48, 0)), "a A10, b A2, c A3, y A0, z A0");
}

/// "If three jobs in the lj class are already running on the host, the jobs in the vst-mj class have the next highest scheduling priority": here one.
#[test]
fn a_class_whose_limit_is_reached_holds_up_nobody() {
    let text = "hosts 128@64; y 0 64x10; a 1 20x9; b 2 1x9; c 3 16x9";
    assert_eq!(starts(text, lsf(&[("A", [1, -1, -1])], 48, 0)), "a A10, b A2, c A3, y A0");
}

/// "One host (mimir) schedules sj jobs only, and one host (modi2) schedules mj jobs only": A and B. d finds no room on C.
#[test]
fn hosts_may_be_for_one_class_only() {
    let text = "hosts 128@32,64@16,64@64; a 0 1x9; b 1 16x9; c 2 64x9; d 3 16x9; e 4 1x9";
    let found = starts(text, lsf(&[("A", [0, 0, -1]), ("B", [0, -1, 0])], 48, 0));
    assert_eq!(found, "a A0, b B1, c C2, d B3, e A4");
}

/// "The job is started on the host with the largest number of free processors."
#[test]
fn a_job_that_arrives_takes_the_host_with_most_free_processors() {
    let text = "hosts 64@64,128@64; a 0 10x50; b 1 64x50; c 2 1x50; d 3 9x50; e 4 1x50";
    // Free: 64 and 128; 64 and 118; 64 and 54; 63 and 54; 54 and 54.
    assert_eq!(starts(text, lsf(&[], 48, 0)), "a B0, b B1, c A2, d A3, e A4");
}

/// At 10 a leaves the queue for A and holds up nobody on B any longer, but B is looked at when a job ends there.
#[test]
fn an_end_calls_its_own_host_only() {
    let text = "hosts 128@64,128@64; y 0 128x10; z 0 100x20; a 1 64x30; b 2 1x9";
    assert_eq!(starts(text, lsf(&[("A", [-1, -1, 0])], 48, 0)), "a A10, b B20, y A0, z B0");
}

/// "There are also system-wide job limits on the mt and lt classes": a has to wait for y, and b does not have to wait for a.
#[test]
fn jobs_over_the_limit_of_the_system_wait_and_hold_up_nobody() {
    let text = "hosts 128@64; y 0 1x100; a 1 64x100; b 2 1x9";
    assert_eq!(starts(text, lsf(&[], 1, 0)), "a A100, b A2, y A0");
    // The only host that may run a is idle when y ends on another one.
    let found = starts(
        "hosts 128@64,128@64; y 0 1x100; a 1 64x100",
        lsf(&[("A", [0, -1, -1]), ("B", [-1, 0, 0])], 1, 0),
    );
    assert_eq!(found, "a B100, y A0");
}

/// "As long as a job has draining priority on a host, no other jobs can be scheduled at that host": at 50 a has waited for 45 s, and d must not start
/// although it fits, nor at 70, when c ends. At 100 y ends, a starts, and d beside it.
#[test]
fn a_host_is_drained_for_a_job_that_waited_for_too_long() {
    let text = "hosts 128@64; y 0 64x100; a 1 100x9; b 2 30x20; c 30 30x40; d 50 20x9";
    assert_eq!(starts(text, lsf(&[], 48, 0)), "a A100, b A2, c A30, d A100, y A0");
    let earlier = text.replace("d 50", "d 45");
    assert_eq!(starts(&earlier, lsf(&[], 48, 0)), "a A100, b A2, c A30, d A45, y A0");
}

/// "Or when another host can start the job": A is drained for a from 47 on, as B has the lj job that it may run. At 60 that ends, a starts on B, and A is
/// open again for d.
#[test]
fn a_job_with_a_drained_host_may_start_elsewhere() {
    let text = "hosts 128@64,128@64; y 0 64x200; w 0 100x60; a 1 100x9; d 47 20x9";
    assert_eq!(starts(text, lsf(&[("B", [1, -1, -1])], 48, 0)), "a B60, d A60, w B0, y A0");
}

/// "A job loses draining priority if the appropriate limit for the time class of that job has been reached while the job is waiting." A is drained for
/// the mt job a from 190 on; q and r are as many mt jobs as may run; so at 194 t and s may start on A. At 340 q ends, and a starts on the idle A.
#[test]
fn a_full_time_class_loses_its_drained_hosts() {
    let text =
        "hosts 128@64,128@64; y 0 64x300; a 1 100x100; q 190 1x150; t 191 20x9; r 192 1x150; s 194 20x9";
    let found = starts(text, lsf(&[("B", [0, 0, -1])], 2, 0));
    assert_eq!(found, "a A340, q B190, r B192, s A194, t A194, y A0");
}

/// "If the size class of a job no longer has scheduling priority on a host while that job is still waiting, a different host is used." From 47 on A is
/// drained for the mj job a, and e waits. l is an lj by its memory. It comes at 50; at 52 a gives A up, and l starts. B runs as many mj jobs as it may, so
/// a gets A again at the next event. That is at 62, when l ends; e and m wait until a starts on B at 100.
#[test]
fn a_class_whose_turn_is_over_loses_its_drained_hosts() {
    let text = "hosts 128@64,64@16; y 0 120x200@10; w 0 16x100; v 0 16x100; u 0 16x100; t 0 16x100; a 1 16x9; e 47 1x1; l 50 2x10@5; m 52 1x9";
    let found = starts(text, lsf(&[("B", [0, 4, 0])], 48, 0));
    assert_eq!(found, "a B100, e A100, l A52, m A100, t B0, u B0, v B0, w B0, y A0");
}

/// The host that is drained for a at 50 is the one on which d does not start.
#[test]
fn the_host_to_drain_is_drawn_and_the_seed_decides() {
    let text = "hosts 128@64,128@64; y 0 64x100; z 0 64x100; a 1 100x9; d 50 20x9";
    let found = |seed| starts(text, lsf(&[], 48, seed));
    let all: BTreeSet<String> = (0..20).map(found).collect();
    let both = ["a A100, d B50, y A0, z B0", "a B100, d A50, y A0, z B0"].map(str::to_owned);
    assert_eq!(all, both.into());
    assert_eq!(found(3), found(3));
}

#[test]
fn a_job_that_no_host_may_ever_run_is_refused() {
    // A has the processors but may not run lj; B may, and has not.
    let scene = Scene::parse("hosts 128@64,16@64; a 0 1x9; b 1 20x9@3", lsf(&[("A", [0, -1, -1])], 48, 0));
    let error = scene.try_run().unwrap_err();
    let reason = "no host that has 20 processors and 3072 kB may run size class `lj`".to_owned();
    assert_eq!(error, SimError::BadJob { job: u64::from('b'), reason });
}

#[test]
fn the_policy_needs_the_hosts_that_it_limits() {
    let reason = |text, limits| match Scene::parse(text, lsf(limits, 48, 0)).try_run() {
        Err(SimError::Setup { reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        reason("nodes 4; a 0 1x1", &[]),
        "ClassPriority plans for hosts; it needs machine: Hosts(hosts: [..])"
    );
    assert_eq!(
        reason("hosts 4@4,4@4; a 0 1x1", &[("eir", [3, 4, -1])]),
        "ClassPriority limits the unknown host `eir`; the machine's hosts are `A`, `B`"
    );
}

/// a is st-mj, b and c are vst-sj; b waits for 6 s. The other classes are there and empty.
#[test]
fn jobs_are_measured_by_their_classes() {
    let scene = Scene::parse("hosts 16@8; a 0 16x8/50; b 2 8x3/5; c 9 4x2/5", lsf(&[], 48, 0));
    let outcome = sim::metrics::measure(&scene.setup, &scene.jobs, &sim::MeasureSpec::default()).unwrap();
    let classes: Vec<_> = outcome.groups.iter().filter(|group| group.grouping == "class").collect();
    assert_eq!(classes.len(), 12);
    assert_eq!((&*classes[0].group, &*classes[11].group), ("vst-sj", "lt-lj"));
    let found: Vec<_> = classes
        .iter()
        .filter(|class| class.values[0] != Some(0.0))
        .map(|class| (&*class.group, class.values[0], class.values[2], class.values[4]))
        .collect();
    assert_eq!(
        found,
        [("vst-sj", Some(2.0), Some(3.0), Some(6.0)), ("st-mj", Some(1.0), Some(0.0), Some(0.0))]
    );
}
