//! Priority backfilling on hosts: its slow twin, its special cases, and what holds of every schedule.

use crate::naive::hosts::{self, seconds};
use crate::scene::{EXTEND, Run, Scene};
use crate::workloads::{Accuracy, cases, hosts_scenes, orders, reservations};
use proptest::prelude::*;
use sim::policy::{EarlyEnd, Holders, Order, Reservations, Slide};
use sim::{HostSpec, MachineSpec, PolicySpec};

/// A policy with a sliding reservation for each of `reservations` jobs.
fn sliding(order: Order, reservations: Reservations, holders: Holders) -> PolicySpec {
    PolicySpec::PriorityBackfill {
        order,
        reservations,
        holders,
        slide: Slide::Sliding,
        grace_s: 0,
        immediate_service: None,
    }
}

fn any_order() -> impl Strategy<Value = Order> {
    let weighted = [Order::PriorityP, Order::PriorityPm, Order::NcsaMs, Order::LxfW, Order::MhpccMs];
    prop_oneof![orders(), prop::sample::select(weighted.to_vec())]
}

pub fn any_policy() -> impl Strategy<Value = PolicySpec> {
    let kinds = [
        (Holders::DynamicJob, Slide::Sliding),
        (Holders::FixedJob, Slide::Sliding),
        (Holders::FixedJob, Slide::NonSliding),
    ];
    (any_order(), reservations(), prop::sample::select(kinds.to_vec()), prop::sample::select(vec![0u64, 7]))
        .prop_map(|(order, reservations, (holders, slide), grace_s)| PolicySpec::PriorityBackfill {
            order,
            reservations,
            holders,
            slide,
            grace_s,
            immediate_service: None,
        })
}

fn under(scene: &Scene, policy: PolicySpec) -> Run {
    let mut scene = scene.clone();
    scene.setup.policy = policy;
    scene.run()
}

pub fn host_of(scene: &Scene, node: u32) -> usize {
    let mut first = 0;
    let hosts = scene.setup.machine.hosts().iter();
    let ends = hosts.map(|host| {
        first += host.processors;
        first
    });
    ends.take_while(|end| *end <= node).count()
}

/// The same machine and jobs without hosts and memory, and with one host whose memory suffices for all.
fn one_host(scene: &Scene) -> (Scene, Scene) {
    let nodes = scene.setup.machine.hosts().iter().map(|host| host.processors).max().unwrap();
    let (mut flat, mut host) = (scene.clone(), scene.clone());
    flat.setup.machine = MachineSpec::Flat { nodes };
    let all = HostSpec { name: "all".into(), processors: nodes, memory_mb: 1 << 20 };
    host.setup.machine = MachineSpec::Hosts { hosts: vec![all] };
    (flat, host)
}

fn same(a: &Run, b: &Run) -> Result<(), TestCaseError> {
    prop_assert_eq!(&a.lines, &b.lines);
    prop_assert_eq!(&a.pieces, &b.pieces);
    Ok(())
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn the_policy_does_what_its_twin_does(mut scene in hosts_scenes(1..30, Accuracy::Any), policy in any_policy()) {
        scene.setup.policy = policy;
        let run = scene.run();
        for (arrival, (line, stay)) in run.lines.iter().zip(hosts::run(&scene)).enumerate() {
            let (start, finish) = (seconds(line.start.0), seconds(line.finish.0));
            let host = host_of(&scene, run.nodes_of(arrival)[0]);
            prop_assert_eq!((arrival, host, start, finish), (arrival, stay.host, stay.start, stay.finish));
        }
    }

    #[test]
    fn on_one_host_without_memory_it_is_priority_backfilling(
        scene in hosts_scenes(1..30, Accuracy::UpperBound),
        (order, reservations) in (orders(), reservations()),
    ) {
        let (flat, host) = one_host(&scene);
        let on_host = under(&host, sliding(order, reservations, Holders::DynamicJob));
        same(&on_host, &under(&flat, PolicySpec::Priority { order, reservations }))?;
    }

    #[test]
    fn in_arrival_order_it_is_easy_with_one_reservation_and_conservative_with_all(
        scene in hosts_scenes(1..30, Accuracy::UpperBound)
    ) {
        let (flat, host) = one_host(&scene);
        let on_host = |reservations| under(&host, sliding(Order::Arrival, reservations, Holders::DynamicJob));
        same(&on_host(Reservations::AtMost(1)), &under(&flat, EXTEND))?;
        let replanned = PolicySpec::Conservative { early_end: EarlyEnd::Replan };
        same(&on_host(Reservations::All), &under(&flat, replanned))?;
    }

    #[test]
    fn in_arrival_order_fixed_jobs_are_dynamic_ones(
        scene in hosts_scenes(1..30, Accuracy::Any),
        reservations in reservations(),
    ) {
        let of = |holders| under(&scene, sliding(Order::Arrival, reservations, holders));
        same(&of(Holders::DynamicJob), &of(Holders::FixedJob))?;
    }

    #[test]
    fn no_host_is_ever_oversubscribed(scene in hosts_scenes(1..40, Accuracy::Any), policy in any_policy()) {
        let run = under(&scene, policy);
        prop_assert_eq!(run.lines.len(), scene.jobs.len());
        for (arrival, line) in run.lines.iter().enumerate() {
            prop_assert!(line.start >= line.job.submit && !line.killed);
            prop_assert_eq!(line.finish - line.start, line.job.run_time);
            let nodes = run.nodes_of(arrival);
            let host = host_of(&scene, nodes[0]);
            prop_assert!(nodes.iter().all(|node| host_of(&scene, *node) == host));
            // What is held when a job starts is the most that is held until the next one does.
            let HostSpec { processors, memory_mb, .. } = scene.setup.machine.hosts()[host];
            let beside = run.lines.iter().enumerate().filter(|(other, running)| {
                running.start <= line.start && line.start < running.finish
                    && host_of(&scene, run.nodes_of(*other)[0]) == host
            });
            let (size, kb) = beside.fold((0, 0), |(size, kb), (_, running)| (size + running.job.size, kb + running.job.memory_kb));
            prop_assert!(size <= processors && kb <= memory_mb * 1024);
        }
    }
}
