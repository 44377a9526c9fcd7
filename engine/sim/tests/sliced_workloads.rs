//! Random scenes for time slicing: small machines, few jobs whose run times straddle the bounds of the classes, and every
//! option.

use crate::naive::time_sliced::{Fit, Place, Rules, Work};
use crate::sliced::Sliced;
use proptest::prelude::*;

/// The numbers from which a job is made: gap, width, run time, memory.
type Raw = (i64, (u32, u32), i64, i64);

fn raw_jobs() -> impl Strategy<Value = Vec<Raw>> {
    let gap = prop_oneof![3 => Just(0i64), 3 => 0i64..6, 3 => 5i64..80];
    let width = (0u32..4, 0u32..1000);
    let run = prop_oneof![3 => 1i64..30, 2 => 28i64..33, 2 => 30i64..51, 1 => 49i64..53, 2 => 51i64..300];
    let memory =
        prop_oneof![6 => (1i64..=10).prop_map(|tenths| 40 * tenths), 2 => 0i64..=400, 1 => Just(400)];
    prop::collection::vec((gap, width, run, memory), 1..60)
}

fn make_jobs(raw: &[Raw], rules: &Rules) -> Vec<Work> {
    let nodes = rules.nodes as u32;
    let mut submit = 0;
    let mut jobs = Vec::new();
    for (index, &(gap, (kind, number), run, memory)) in raw.iter().enumerate() {
        submit += gap;
        let most = if kind == 0 { nodes } else { nodes.div_ceil(1 << (kind - 1)) };
        let width = (1 + number % most) as usize;
        jobs.push(Work { id: index as u64 + 1, submit, width, run, memory });
    }
    jobs
}

fn shares() -> impl Strategy<Value = [f64; 3]> {
    let all = [[0.5, 0.3, 0.2], [0.34, 0.33, 0.33], [0.6, 0.25, 0.15], [0.2, 0.3, 0.5]];
    let not_all = [[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    prop_oneof![4 => prop::sample::select(all.to_vec()), 1 => prop::sample::select(not_all.to_vec())]
}

fn fits() -> impl Strategy<Value = Fit> {
    prop::sample::select(vec![Fit::Best, Fit::Worst, Fit::First])
}

fn places() -> impl Strategy<Value = Place> {
    let aware = (fits(), fits(), any::<bool>(), any::<bool>());
    prop_oneof![
        1 => Just(Place::FirstFree),
        1 => Just(Place::Intelligent),
        3 => aware.prop_map(|(first, second, unfit_as_printed, soonest_release)| {
            Place::MemoryAware { first, second, unfit_as_printed, soonest_release }
        }),
    ]
}

fn rules() -> impl Strategy<Value = Rules> {
    let machine = (2usize..=16, prop_oneof![3 => 2i64..=10, 1 => 0i64..=1], any::<bool>());
    let slicing = (shares(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.8));
    (machine, slicing, places()).prop_map(|(machine, slicing, place)| {
        let (nodes, transfer, last_displaced) = machine;
        let (shares, adaptive, easy, non_type) = slicing;
        // A class without a slice runs in those of others or never.
        let non_type = non_type || shares.contains(&0.0);
        Rules {
            nodes,
            shares,
            interval: 100,
            adaptive,
            easy,
            non_type,
            short_below: 30,
            long_above: 50,
            place,
            capacity: 400,
            transfer,
            last_displaced,
        }
    })
}

/// Scenes of every kind.
pub fn sliced_scenes() -> impl Strategy<Value = Sliced> {
    (rules(), raw_jobs()).prop_map(|(rules, raw)| Sliced { jobs: make_jobs(&raw, &rules), rules })
}
