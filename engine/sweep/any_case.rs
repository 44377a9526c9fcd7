//! Cases of every kind, for property tests.

use crate::Case;
use proptest::prelude::*;
use sim::allocator::{Fit, TimeUntilFit, UnfitNodes};
use sim::cluster::memory::SwapCharge;
use sim::metrics::WaitReading;
use sim::policy::class_priority::{HostLimits, SizeClass, TimeClass};
use sim::policy::co_allocation::{Pick, QueueRule, Sharing, SplitRule};
use sim::policy::fair_share::{
    LaterJobs, LimitRounding, Movable, ReservedSize, RunningWeight, ShareAmong, ShareWeight, SlopeOf,
};
use sim::policy::{
    EarlyEnd, Holders, ImmediateService, Order, Overrun, Reservations, ServiceForm, Shadow, Shares,
    SliceBackfill, Slide,
};
use sim::{
    AllocatorSpec, CommunicationModel, EstimateSource, HostSpec, MachineSpec, MeasureSpec, MemorySpec,
    Passes, Penalized, PolicySpec, Speedup, Steady, Step3, WarmUp,
};
use workload::model::job_list::ListedJob;
use workload::model::o2k::{Month, O2kFit};
use workload::model::poisson::RunTimes;
use workload::{
    EstimateFloor, Load, LoadBy, LoadMeasure, MemoryField, MemoryModel, MemoryVector, MissingEstimate, Mode,
    Moldable, NegativeSubmit, NoRunTime, Parallelism, RequestedTime, Rules, SizeField, Source, TooLarge,
    Variant, WorkloadSpec,
};

fn either<T: Clone + std::fmt::Debug + 'static>(a: T, b: T) -> impl Strategy<Value = T> {
    prop_oneof![Just(a), Just(b)]
}

fn any_machine() -> impl Strategy<Value = MachineSpec> {
    prop_oneof![
        (1u32..9).prop_map(|nodes| MachineSpec::Flat { nodes }),
        (2u32..4, 1u32..4, prop::option::of(1u32..3))
            .prop_map(|(arity, levels, installed)| MachineSpec::Tree { arity, levels, installed }),
        prop::collection::vec((1u32..3, 1u64..3), 1..3).prop_map(|sizes| MachineSpec::Hosts {
            hosts: sizes.into_iter().enumerate().map(any_host).collect()
        }),
        (1u32..3, 2u32..4, any_communication()).prop_map(|(clusters, nodes_per_cluster, communication)| {
            MachineSpec::Clusters { clusters, nodes_per_cluster, communication }
        }),
    ]
}

fn any_communication() -> impl Strategy<Value = CommunicationModel> {
    prop_oneof![
        Just(CommunicationModel::Ideal),
        (0u32..3, either(Penalized::WholeJob, Penalized::Communication)).prop_map(|(third, penalized)| {
            CommunicationModel::FixedPenalty { penalty: f64::from(third) / 3.0, penalized }
        }),
        (1u32..3, either(Step3::Unconstrained, Step3::Printed)).prop_map(|(third, step3)| {
            CommunicationModel::Contended { link_bandwidth: f64::from(third) / 3.0, step3 }
        }),
    ]
}

fn any_host((index, (processors, memory_mb)): (usize, (u32, u64))) -> HostSpec {
    HostSpec { name: format!("host {index}"), processors, memory_mb }
}

fn any_source() -> impl Strategy<Value = Source> {
    let variants =
        prop_oneof![Just(Variant::Single), Just(Variant::Batch), Just(Variant::BatchAndInteractive)];
    prop_oneof![
        ("[ab]", either(Mode::Trace, Mode::Twin)).prop_map(|(name, mode)| Source::Log { name, mode }),
        "[ab]".prop_map(|path| Source::File { path }),
        (variants, 0u32..3).prop_map(|(variant, step)| Source::LublinFeitelson {
            variant,
            medium_offset: 1.5 + f64::from(step) / 10.0
        }),
        any_o2k(),
        (0u32..2, 1u32..3).prop_map(|(step, nodes)| {
            let (submit_s, run_time_s) = (f64::from(step), 1.5 * f64::from(nodes));
            let job = ListedJob { submit_s, run_time_s, nodes, estimate_s: (step > 0).then_some(9.0) };
            Source::JobList { jobs: vec![job] }
        }),
        any_poisson(),
    ]
}

fn any_o2k() -> impl Strategy<Value = Source> {
    let month = either(Month::Jan2000, Month::Dec2000);
    let fit = either(O2kFit::Calibrated, O2kFit::Raw);
    (month, fit, 0u32..3, 0u32..2).prop_map(|(month, fit, days, part)| Source::O2k {
        month,
        fit,
        warm_up_days: days,
        after_days: 2 * days,
        gap_variation: 1.0 + f64::from(part) * 0.3,
        dedicated_share: f64::from(part) * 0.7,
        occupancy: 0.9 + f64::from(part) * 0.05,
        intermediate_rate: 17.5 + f64::from(part),
        low_rate: 7.5 - f64::from(part),
        weekend_low_rate: 4.0 + f64::from(part),
    })
}

fn any_poisson() -> impl Strategy<Value = Source> {
    (1u32..3, either(RunTimes::Exponential, RunTimes::Constant)).prop_map(|(number, runs)| Source::Poisson {
        arrival_load: f64::from(number) * 0.7,
        mean_run_time_s: f64::from(number) * 1.1,
        smallest: 10 * number,
        largest: 90 + number,
        communication_share: f64::from(number) * 0.3,
        bandwidth_per_node: f64::from(number),
        runs,
    })
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let missing = prop_oneof![
        Just(MissingEstimate::Runtime),
        (1u64..3).prop_map(MissingEstimate::QueueLimit),
        Just(MissingEstimate::Drop)
    ];
    let rules = (
        either(SizeField::Requested, SizeField::Allocated),
        either(EstimateFloor::Runtime, EstimateFloor::AsLogged),
        missing,
        either(NoRunTime::Drop, NoRunTime::ZeroIsOneSecond),
        either(TooLarge::Drop, TooLarge::Clamp),
        either(NegativeSubmit::Drop, NegativeSubmit::Zero),
        either(MemoryField::Requested, MemoryField::Used),
    )
        .prop_map(
            |(size, estimate_floor, missing_estimate, no_run_time, too_large, negative_submit, memory)| {
                Rules {
                    size,
                    estimate_floor,
                    missing_estimate,
                    no_run_time,
                    too_large,
                    negative_submit,
                    memory,
                }
            },
        );
    prop_oneof![Just(Rules::default()), rules]
}

fn any_memory() -> impl Strategy<Value = MemoryModel> {
    let vector = || {
        prop_oneof![
            Just(MemoryVector::Default),
            Just(MemoryVector::High),
            Just(MemoryVector::Low),
            Just(MemoryVector::VeryHigh),
            Just(MemoryVector::VeryLow),
            (1u32..3).prop_map(|n| MemoryVector::Values(vec![f64::from(n) / 3.0; n as usize])),
        ]
    };
    prop_oneof![
        (vector(), vector(), vector(), 1u64..3)
            .prop_map(|(long, medium, short, node_kb)| MemoryModel::Drawn { long, medium, short, node_kb }),
        (1u64..3).prop_map(|node_kb| MemoryModel::Recorded { node_kb }),
    ]
}

fn any_moldable() -> impl Strategy<Value = Moldable> {
    let parallelism = prop_oneof![
        Just(Parallelism::System),
        (1u32..3, 0u32..2).prop_map(|(low, more)| Parallelism::OfRequest {
            low: f64::from(low) * 1.1,
            high: f64::from(low + more) * 1.1
        }),
    ];
    let drawn = (parallelism, 0u32..3)
        .prop_map(|(parallelism, third)| Moldable::Downey { parallelism, sigma_max: f64::from(third) / 3.0 });
    let listed = (1u32..3, 0u32..2).prop_map(|(number, sigma)| Moldable::Listed {
        speedups: vec![
            Speedup { parallelism: f64::from(number) * 1.1, sigma: f64::from(sigma) };
            number as usize
        ],
    });
    prop_oneof![drawn, listed]
}

fn any_workload() -> impl Strategy<Value = WorkloadSpec> {
    let measure = either(LoadMeasure::Offered, LoadMeasure::Effective);
    let load =
        prop::option::of((1u32..3, either(LoadBy::Arrivals, LoadBy::RunTimes), measure)).prop_map(|load| {
            load.map(|(third, by, measure)| Load { target: f64::from(third) / 3.0, by, measure })
        });
    let memory = prop::option::of(any_memory());
    let requested = prop_oneof![
        Just(RequestedTime::AsGiven),
        (1u32..3).prop_map(RequestedTime::A),
        Just(RequestedTime::B)
    ];
    let times = (0u32..3, any::<bool>(), requested, prop::option::of(any_moldable()));
    (any_source(), any_rules(), prop::option::of(1u64..3), times, load, memory).prop_map(
        |(source, rules, jobs, (speedup, scale_estimates, requested, moldable), load, memory)| WorkloadSpec {
            source,
            rules,
            jobs,
            speedup: f64::from(speedup) * 0.05,
            scale_estimates,
            moldable,
            load,
            requested,
            memory,
        },
    )
}

fn any_policy() -> impl Strategy<Value = PolicySpec> {
    let reservations = prop_oneof![Just(Reservations::All), (0u32..3).prop_map(Reservations::AtMost)];
    let service = (1u64..3, either(ServiceForm::Preemptive, ServiceForm::Soon)).prop_map(|(number, form)| {
        let quantum_s = number * 30;
        ImmediateService { quantum_s, initial_mb: number, form, settled_quanta: number }
    });
    let backfill = (
        any_order(),
        reservations.clone(),
        either(Holders::DynamicJob, Holders::FixedJob),
        either(Slide::Sliding, Slide::NonSliding),
        0u64..2,
        prop::option::of(service),
    )
        .prop_map(|(order, reservations, holders, slide, grace_s, immediate_service)| {
            PolicySpec::PriorityBackfill { order, reservations, holders, slide, grace_s, immediate_service }
        });
    prop_oneof![
        Just(PolicySpec::Fcfs),
        Just(PolicySpec::Iterative),
        backfill,
        (either(Overrun::KillBackfilled, Overrun::Extend), either(Shadow::Placement, Shadow::Count))
            .prop_map(|(overrun, shadow)| PolicySpec::Easy { overrun, shadow }),
        either(EarlyEnd::Compress, EarlyEnd::Replan)
            .prop_map(|early_end| PolicySpec::Conservative { early_end }),
        (any_order(), reservations)
            .prop_map(|(order, reservations)| PolicySpec::Priority { order, reservations }),
        any_time_slicing(),
        any_eqspatial(),
        any_class_priority(),
        any_fair_share(),
        any_co_allocation(),
    ]
}

fn any_co_allocation() -> impl Strategy<Value = PolicySpec> {
    let sharing = prop::sample::select(vec![Sharing::Nothing, Sharing::Migration, Sharing::Splitting]);
    let queue = prop::sample::select(vec![QueueRule::Scan, QueueRule::Strict, QueueRule::StrictPerCluster]);
    let split = prop::sample::select(vec![
        SplitRule::LargestThenBestFit,
        SplitRule::LargestFirst,
        SplitRule::FewestIdle,
        SplitRule::Even,
    ]);
    (sharing, queue, either(Pick::FirstCome, Pick::LargestFits), any::<bool>(), split).prop_map(
        |(sharing, queue, pick, home_first, split)| PolicySpec::CoAllocation {
            sharing,
            queue,
            pick,
            home_first,
            split,
        },
    )
}

fn any_eqspatial() -> impl Strategy<Value = PolicySpec> {
    let service = (1u64..3).prop_map(|number| ImmediateService {
        quantum_s: number * 30,
        initial_mb: number,
        ..ImmediateService::default()
    });
    (0u64..3, prop::option::of(1u64..3), prop::option::of(service)).prop_map(
        |(minutes, hours, immediate_service)| PolicySpec::EqSpatial {
            min_interval_s: minutes * 60,
            full_after_s: hours.map(|hours| hours * 3600),
            immediate_service,
        },
    )
}

fn any_order() -> impl Strategy<Value = Order> {
    prop_oneof![
        prop::sample::select(vec![
            Order::Arrival,
            Order::ShortestFirst,
            Order::LargestExpansionFirst,
            Order::SmallestFirst,
            Order::LargestFirst,
            Order::PriorityP,
            Order::PriorityPm,
            Order::NcsaMs,
            Order::LxfW,
            Order::MhpccMs,
        ]),
        (0u32..2, 0u32..2, 0u32..2, 0u32..2, 0u32..2).prop_map(|(wait, expansion, nodes, memory, larger)| {
            Order::Weighted {
                wait: f64::from(wait),
                expansion: f64::from(expansion) / 3.0,
                nodes: f64::from(nodes) * 0.1,
                memory: f64::from(memory),
                larger: f64::from(larger) * 0.5,
            }
        }),
    ]
}

fn any_time_slicing() -> impl Strategy<Value = PolicySpec> {
    let backfill = either(SliceBackfill::ProtectAll, SliceBackfill::ProtectFirst);
    let shares = (1u32..3, 0u32..2).prop_map(|(long, short)| Shares {
        long: f64::from(long) * 0.3,
        medium: 0.25,
        short: f64::from(short),
    });
    (1u64..3, shares, any::<bool>(), backfill, any::<bool>()).prop_map(
        |(hours, shares, adaptive, backfill, non_type)| PolicySpec::TimeSlicing {
            interval_s: hours * 3600,
            shares,
            adaptive,
            backfill,
            non_type,
            short_below_s: hours * 300,
            long_above_s: hours * 7200,
        },
    )
}

fn any_class_priority() -> impl Strategy<Value = PolicySpec> {
    let time_class = |number: u64, at_most: Option<u32>| TimeClass {
        name: format!("time {number}"),
        up_to_s: number * 60,
        drain_after_s: at_most.map(|_| number * 30),
        at_most,
        goes_first: at_most.is_none(),
    };
    let size_class = |number: u32| SizeClass {
        name: format!("size {number}"),
        processors: number,
        memory_mb: u64::from(number),
    };
    (1u64..3, 1u32..3, prop::option::of(1u32..3), 0u64..3).prop_map(
        move |(times, sizes, at_most, drain_seed)| PolicySpec::ClassPriority {
            time_classes: (1..=times).map(|number| time_class(number, at_most)).collect(),
            size_classes: (1..=sizes).map(size_class).collect(),
            host_limits: at_most.map(any_host_limits).into_iter().collect(),
            drain_seed,
        },
    )
}

fn any_fair_share() -> impl Strategy<Value = PolicySpec> {
    let weights = (
        either(ShareAmong::WaitingAndRunning, ShareAmong::Waiting),
        either(RunningWeight::Full, RunningWeight::Remaining),
        either(ShareWeight::Requested, ShareWeight::Sequential),
        prop::sample::select(vec![LimitRounding::Floor, LimitRounding::Nearest, LimitRounding::Ceil]),
    );
    let choices = (
        either(LaterJobs::WholeProfile, LaterJobs::StartingNow),
        either(ReservedSize::Renewed, ReservedSize::KeepsSize),
        either(Movable::Directional, Movable::Printed),
        either(SlopeOf::RightDerivative, SlopeOf::ForwardDifference),
    );
    (1u32..3, 0u32..3, weights, choices).prop_map(|(overbooking, efficiency, weights, choices)| {
        let (share_among, running_weight, share_weight, limit_rounding) = weights;
        let (later_jobs, reserved_size, movable, slope) = choices;
        PolicySpec::FairShare {
            overbooking: f64::from(overbooking) * 1.1,
            efficiency: f64::from(efficiency) / 3.0,
            share_among,
            running_weight,
            share_weight,
            limit_rounding,
            later_jobs,
            reserved_size,
            movable,
            slope,
        }
    })
}

fn any_host_limits(most: u32) -> HostLimits {
    HostLimits { host: "host 0".into(), at_most: vec![("size 1".into(), most)] }
}

fn any_allocator() -> impl Strategy<Value = AllocatorSpec> {
    let fit = || prop_oneof![Just(Fit::BestFit), Just(Fit::WorstFit), Just(Fit::FirstFit)];
    let unfit = either(UnfitNodes::CannotHoldAll, UnfitNodes::AsPrinted);
    let until = either(TimeUntilFit::AllFit, TimeUntilFit::SoonestRelease);
    prop_oneof![
        Just(AllocatorSpec::FirstFree),
        (0u32..2).prop_map(|relax| AllocatorSpec::Contiguous { relax }),
        Just(AllocatorSpec::IntelligentNodeSelection),
        (fit(), fit(), unfit, until).prop_map(|(first, second, unfit_nodes, time_until_fit)| {
            AllocatorSpec::MemoryAware { first, second, unfit_nodes, time_until_fit }
        }),
    ]
}

fn any_node_memory() -> impl Strategy<Value = Option<MemorySpec>> {
    let charge = either(SwapCharge::AllDisplaced, SwapCharge::LastDisplaced);
    prop::option::of((1u64..3, 0u64..2, charge).prop_map(|(capacity, transfer_s, swap_charge)| MemorySpec {
        capacity_kb: capacity * 200,
        transfer_s,
        swap_charge,
    }))
}

/// A case with any variant of anything. Few values of each field, so that equal cases occur.
pub fn any_case() -> impl Strategy<Value = Case> {
    let measure = prop_oneof![
        Just(MeasureSpec::default()),
        (0u32..2, 0u32..2).prop_map(|(bound, classes)| MeasureSpec {
            bound_s: f64::from(bound),
            run_time_classes_s: vec![60.0; classes as usize],
            size_classes: vec![8; classes as usize],
            memory_classes_kb: vec![40; classes as usize],
            work_classes_node_s: vec![200.0; bound as usize],
            coarse_run_time_classes_s: vec![30.0; bound as usize],
            submitted_from_s: (classes > 0).then(|| f64::from(bound)),
            submitted_before_s: (classes > 0).then_some(7.0),
            model_cells: bound > 0,
            wait: if bound > 0 { WaitReading::BeyondRunTime } else { WaitReading::UntilStart },
            steady: (classes == bound).then(|| Steady {
                warm_up: if bound > 0 { WarmUp::Share(0.1) } else { WarmUp::Nothing },
                batches: 16,
                backlog_cap: 7 + bound,
            }),
        })
    ];
    let rest = (
        either(Passes::PerInstant, Passes::PerEvent),
        either(EstimateSource::Requested, EstimateSource::Actual),
        measure,
        any_node_memory(),
    );
    (any_machine(), any_workload(), any_policy(), any_allocator(), rest).prop_map(
        |(machine, workload, policy, allocator, (passes, estimates, measure, memory))| Case {
            machine,
            workload,
            policy,
            allocator,
            memory,
            passes,
            estimates,
            measure,
        },
    )
}
