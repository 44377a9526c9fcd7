//! Fields of the policy and the allocator.

use super::{part, whole};
use crate::check;
use crate::field::{Access, Field, FieldKind, Lack, Shape, canonical, value};
use crate::run_spec::Case;
use sim::policy::Order;
use sim::{AllocatorSpec, PolicySpec};

pub(super) static ROWS: &[Field] = &[
    Field {
        name: "policy",
        path: "policy",
        kind: FieldKind::Text,
        values: "Fcfs, Easy(overrun: ..), Conservative(early_end: ..) or Priority(order: .., reservations: ..)",
        unit: "",
        default: "required",
        doc: "Which waiting job starts, and when.",
        source: "Pascual 2008, III; Chiang 2001, 3.2",
        stage: 0,
        shape: Shape::Value,
        access: whole!(check::policy, policy),
    },
    Field {
        name: "overrun",
        path: "policy.overrun",
        kind: FieldKind::Text,
        values: "KillBackfilled or Extend",
        unit: "",
        default: "KillBackfilled",
        doc: "What happens to backfilled jobs that hold reserved nodes beyond their estimates; of Easy.",
        source: "Pascual 2008, III; who is killed first: assumption",
        stage: 1,
        shape: Shape::Free,
        access: part!(check::anything, "policy", policy, PolicySpec::Easy { overrun, .. } => overrun),
    },
    Field {
        name: "shadow",
        path: "policy.shadow",
        kind: FieldKind::Text,
        values: "Placement or Count",
        unit: "",
        default: "Placement",
        doc: "What the head's reservation waits for; of Easy.",
        source: "assumption: Pascual 2008, III is silent",
        stage: 1,
        shape: Shape::Free,
        access: part!(check::anything, "policy", policy, PolicySpec::Easy { shadow, .. } => shadow),
    },
    Field {
        name: "early_end",
        path: "policy.early_end",
        kind: FieldKind::Text,
        values: "Compress or Replan",
        unit: "",
        default: "Compress",
        doc: "What happens to the reservations when a job ends early; of Conservative.",
        source: "assumption: simulators are split",
        stage: 1,
        shape: Shape::Free,
        access: part!(check::anything, "policy", policy, PolicySpec::Conservative { early_end } => early_end),
    },
    Field {
        name: "order",
        path: "policy.order",
        kind: FieldKind::Text,
        values: "Arrival, ShortestFirst, LargestExpansionFirst, SmallestFirst, LargestFirst or Weighted(wait: .., expansion: .., nodes: ..)",
        unit: "",
        default: "required",
        doc: "The order in which waiting jobs are considered; of Priority.",
        source: "Chiang 2001, 3.2",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::order, "policy", policy, PolicySpec::Priority { order, .. } => order),
    },
    Field {
        name: "weight_wait",
        path: "policy.order.wait",
        kind: FieldKind::Real,
        values: "a number",
        unit: "1/h",
        default: "0.0",
        doc: "Weight of the wait in hours; of Priority(order: Weighted).",
        source: "Chiang 2001, 3.2",
        stage: 2,
        shape: Shape::Free,
        access: Access {
            parse: |text| value(text, check::weight, |case, new| weights(case).map(|[wait, ..]| *wait = new)),
            get: |case| weights(&mut case.clone()).ok().map(|[wait, ..]| canonical(wait)),
        },
    },
    Field {
        name: "weight_expansion",
        path: "policy.order.expansion",
        kind: FieldKind::Real,
        values: "a number",
        unit: "",
        default: "0.0",
        doc: "Weight of the expansion factor; of Priority(order: Weighted).",
        source: "Chiang 2001, 3.2",
        stage: 2,
        shape: Shape::Free,
        access: Access {
            parse: |text| {
                value(text, check::weight, |case, new| {
                    weights(case).map(|[_, expansion, _]| *expansion = new)
                })
            },
            get: |case| weights(&mut case.clone()).ok().map(|[_, expansion, _]| canonical(expansion)),
        },
    },
    Field {
        name: "weight_nodes",
        path: "policy.order.nodes",
        kind: FieldKind::Real,
        values: "a number",
        unit: "1/node",
        default: "0.0",
        doc: "Weight of the requested nodes; of Priority(order: Weighted).",
        source: "Chiang 2001, 3.2",
        stage: 2,
        shape: Shape::Free,
        access: Access {
            parse: |text| {
                value(text, check::weight, |case, new| weights(case).map(|[.., nodes]| *nodes = new))
            },
            get: |case| weights(&mut case.clone()).ok().map(|[.., nodes]| canonical(nodes)),
        },
    },
    Field {
        name: "reservations",
        path: "policy.reservations",
        kind: FieldKind::Text,
        values: "AtMost(N) or All",
        unit: "",
        default: "required",
        doc: "How many jobs that cannot start get a reservation; of Priority.",
        source: "Chiang 2001, 3.2",
        stage: 1,
        shape: Shape::Free,
        access: part!(check::anything, "policy", policy, PolicySpec::Priority { reservations, .. } => reservations),
    },
    Field {
        name: "allocator",
        path: "allocator",
        kind: FieldKind::Text,
        values: "FirstFree or Contiguous(relax: N)",
        unit: "",
        default: "FirstFree",
        doc: "Which nodes a job gets.",
        source: "Pascual 2008, III",
        stage: 0,
        shape: Shape::Value,
        access: whole!(check::anything, allocator),
    },
    Field {
        name: "relax",
        path: "allocator.relax",
        kind: FieldKind::Int,
        values: "a whole number, 0 or more",
        unit: "levels",
        default: "0",
        doc: "Levels above the job's own that are searched too; of Contiguous.",
        source: "Pascual 2008, III for 0; above: its future work, V",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::anything, "allocator", allocator, AllocatorSpec::Contiguous { relax } => relax),
    },
];

/// The three weights of an order that has them.
fn weights(case: &mut Case) -> Result<[&mut f64; 3], Lack> {
    match &mut case.policy {
        PolicySpec::Priority { order: Order::Weighted { wait, expansion, nodes }, .. } => {
            Ok([wait, expansion, nodes])
        }
        PolicySpec::Priority { order, .. } => Err(Lack::of("order", order)),
        other => Err(Lack::of("policy", other)),
    }
}
