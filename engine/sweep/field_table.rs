//! The table of fields. A new field of a case is a new row here and nothing else in this crate.

use crate::check;
use crate::field::{Field, FieldKind, Lack, canonical, value};
use crate::run_spec::Case;
use sim::policy::{EarlyEnd, Order, Overrun, Reservations, Shadow};
use sim::{AllocatorSpec, MachineSpec, PolicySpec};
use workload::{Load, LoadBy};

/// Every field that an experiment can set or vary, in the order of their documentation.
pub static FIELDS: &[Field] = &[
    Field {
        name: "machine",
        kind: FieldKind::Text,
        values: "Flat(nodes: N) or Tree(arity: K, levels: N, installed: M)",
        unit: "",
        default: "required",
        doc: "Nodes and how they are joined. Missing nodes of a tree are the highest-numbered ones (assumption).",
        stage: 0,
        shapes: true,
        parse: |text| {
            value(text, check::machine, |case, new| {
                case.machine = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.machine)),
    },
    Field {
        name: "nodes",
        kind: FieldKind::Int,
        values: "a whole number, 1 or more",
        unit: "nodes",
        default: "required",
        doc: "Number of nodes: of a flat machine all, of a tree the installed ones.",
        stage: 1,
        shapes: true,
        parse: |text| value(text, check::nodes, set_nodes),
        get: |case| Some(case.machine.nodes().to_string()),
    },
    Field {
        name: "policy",
        kind: FieldKind::Text,
        values: "Fcfs, Easy(overrun: ..), Conservative(early_end: ..) or Priority(order: .., reservations: ..)",
        unit: "",
        default: "required",
        doc: "Which waiting job starts, and when.",
        stage: 0,
        shapes: true,
        parse: |text| {
            value(text, check::policy, |case, new| {
                case.policy = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.policy)),
    },
    Field {
        name: "overrun",
        kind: FieldKind::Text,
        values: "KillBackfilled or Extend",
        unit: "",
        default: "KillBackfilled",
        doc: "What happens to backfilled jobs that hold reserved nodes beyond their estimates (Pascual 2008, III); of Easy.",
        stage: 1,
        shapes: true,
        parse: |text| value(text, check::anything, set_overrun),
        get: |case| match &case.policy {
            PolicySpec::Easy { overrun, .. } => Some(canonical(overrun)),
            _ => None,
        },
    },
    Field {
        name: "shadow",
        kind: FieldKind::Text,
        values: "Placement or Count",
        unit: "",
        default: "Placement",
        doc: "What the head's reservation waits for (assumption: Pascual 2008, III is silent); of Easy.",
        stage: 1,
        shapes: true,
        parse: |text| value(text, check::anything, set_shadow),
        get: |case| match &case.policy {
            PolicySpec::Easy { shadow, .. } => Some(canonical(shadow)),
            _ => None,
        },
    },
    Field {
        name: "early_end",
        kind: FieldKind::Text,
        values: "Compress or Replan",
        unit: "",
        default: "Compress",
        doc: "What happens to the reservations when a job ends early (assumption: simulators are split); of Conservative.",
        stage: 1,
        shapes: true,
        parse: |text| value(text, check::anything, set_early_end),
        get: |case| match &case.policy {
            PolicySpec::Conservative { early_end } => Some(canonical(early_end)),
            _ => None,
        },
    },
    Field {
        name: "order",
        kind: FieldKind::Text,
        values: "Arrival, ShortestFirst, LargestExpansionFirst, SmallestFirst, LargestFirst or Weighted(wait: .., expansion: .., nodes: ..)",
        unit: "",
        default: "required",
        doc: "The order in which waiting jobs are considered (Chiang 2001, 3.2); of Priority.",
        stage: 1,
        shapes: true,
        parse: |text| value(text, check::order, set_order),
        get: |case| match &case.policy {
            PolicySpec::Priority { order, .. } => Some(canonical(order)),
            _ => None,
        },
    },
    Field {
        name: "reservations",
        kind: FieldKind::Text,
        values: "AtMost(N) or All",
        unit: "",
        default: "required",
        doc: "How many jobs that cannot start get a reservation; of Priority.",
        stage: 1,
        shapes: true,
        parse: |text| value(text, check::anything, set_reservations),
        get: |case| match &case.policy {
            PolicySpec::Priority { reservations, .. } => Some(canonical(reservations)),
            _ => None,
        },
    },
    Field {
        name: "allocator",
        kind: FieldKind::Text,
        values: "FirstFree or Contiguous(relax: N)",
        unit: "",
        default: "FirstFree",
        doc: "Which nodes a job gets (Pascual 2008, III).",
        stage: 0,
        shapes: true,
        parse: |text| {
            value(text, check::anything, |case, new| {
                case.allocator = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.allocator)),
    },
    Field {
        name: "relax",
        kind: FieldKind::Int,
        values: "a whole number, 0 or more",
        unit: "levels",
        default: "0",
        doc: "Levels above the job's own that are searched too (0 in Pascual 2008, its future work above); of Contiguous.",
        stage: 1,
        shapes: true,
        parse: |text| value(text, check::anything, set_relax),
        get: |case| match &case.allocator {
            AllocatorSpec::Contiguous { relax } => Some(relax.to_string()),
            _ => None,
        },
    },
    Field {
        name: "source",
        kind: FieldKind::Text,
        values: "Log(name: \"..\"), File(path: \"..\") or LublinFeitelson(variant: .., medium_offset: ..)",
        unit: "",
        default: "required",
        doc: "Where the jobs come from.",
        stage: 0,
        shapes: true,
        parse: |text| {
            value(text, check::source, |case, new| {
                case.workload.source = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.workload.source)),
    },
    Field {
        name: "n_jobs",
        kind: FieldKind::Int,
        values: "a whole number, 1 or more; None",
        unit: "jobs",
        default: "None",
        doc: "Number of jobs: of a log the first so many, of a model how many are generated.",
        stage: 1,
        shapes: true,
        parse: |text| {
            value(text, check::optional_jobs, |case, new| {
                case.workload.jobs = new;
                Ok(())
            })
        },
        get: |case| case.workload.jobs.map(|jobs| jobs.to_string()),
    },
    Field {
        name: "speedup",
        kind: FieldKind::Real,
        values: "0 <= s < 1",
        unit: "",
        default: "0.0",
        doc: "Every run time t becomes t(1 - s) (Pascual 2008, IV).",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::speedup, |case, new| {
                case.workload.speedup = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.workload.speedup)),
    },
    Field {
        name: "scale_estimates",
        kind: FieldKind::Text,
        values: "true or false",
        unit: "",
        default: "true",
        doc: "Whether the speed-up shortens the estimates too (assumption: the paper is silent).",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::anything, |case, new| {
                case.workload.scale_estimates = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.workload.scale_estimates)),
    },
    Field {
        name: "load",
        kind: FieldKind::Real,
        values: "a number above 0; None",
        unit: "",
        default: "None",
        doc: "The offered load to scale to: sum of size x run time / (nodes x (last submit - first submit)).",
        stage: 1,
        shapes: true,
        parse: |text| value(text, check::optional_load, set_load),
        get: |case| case.workload.load.map(|load| canonical(&load.target)),
    },
    Field {
        name: "load_by",
        kind: FieldKind::Text,
        values: "Arrivals or RunTimes",
        unit: "",
        default: "Arrivals",
        doc: "What is scaled to reach the load.",
        stage: 2,
        shapes: true,
        parse: |text| value(text, check::anything, set_load_by),
        get: |case| case.workload.load.map(|load| canonical(&load.by)),
    },
    Field {
        name: "size_field",
        kind: FieldKind::Text,
        values: "Requested or Allocated",
        unit: "",
        default: "Requested",
        doc: "Which field of a log gives a job's size.",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::anything, |case, new| {
                case.workload.rules.size = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.workload.rules.size)),
    },
    Field {
        name: "estimate_floor",
        kind: FieldKind::Text,
        values: "Runtime or AsLogged",
        unit: "",
        default: "Runtime",
        doc: "What an estimate below the run time becomes.",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::anything, |case, new| {
                case.workload.rules.estimate_floor = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.workload.rules.estimate_floor)),
    },
    Field {
        name: "missing_estimate",
        kind: FieldKind::Text,
        values: "Runtime, QueueLimit(SECONDS) or Drop",
        unit: "",
        default: "Runtime",
        doc: "What a missing estimate becomes.",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::missing_estimate, |case, new| {
                case.workload.rules.missing_estimate = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.workload.rules.missing_estimate)),
    },
    Field {
        name: "no_run_time",
        kind: FieldKind::Text,
        values: "Drop or ZeroIsOneSecond",
        unit: "",
        default: "Drop",
        doc: "What happens to a job with run time <= 0.",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::anything, |case, new| {
                case.workload.rules.no_run_time = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.workload.rules.no_run_time)),
    },
    Field {
        name: "too_large",
        kind: FieldKind::Text,
        values: "Drop or Clamp",
        unit: "",
        default: "Drop",
        doc: "What happens to a job larger than the machine.",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::anything, |case, new| {
                case.workload.rules.too_large = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.workload.rules.too_large)),
    },
    Field {
        name: "negative_submit",
        kind: FieldKind::Text,
        values: "Drop or Zero",
        unit: "",
        default: "Drop",
        doc: "What happens to a record with a negative submit time.",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::anything, |case, new| {
                case.workload.rules.negative_submit = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.workload.rules.negative_submit)),
    },
    Field {
        name: "passes",
        kind: FieldKind::Text,
        values: "PerInstant or PerEvent",
        unit: "",
        default: "PerInstant",
        doc: "How many scheduling passes an instant gets.",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::anything, |case, new| {
                case.passes = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.passes)),
    },
    Field {
        name: "estimates",
        kind: FieldKind::Text,
        values: "Requested or Actual",
        unit: "",
        default: "Requested",
        doc: "Which estimates policies see.",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::anything, |case, new| {
                case.estimates = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.estimates)),
    },
    Field {
        name: "bound_s",
        kind: FieldKind::Real,
        values: "a number above 0",
        unit: "s",
        default: "10.0",
        doc: "The bound of the bounded slowdown.",
        stage: 1,
        shapes: false,
        parse: |text| {
            value(text, check::bound, |case, new| {
                case.measure.bound_s = new;
                Ok(())
            })
        },
        get: |case| Some(canonical(&case.measure.bound_s)),
    },
];

fn set_nodes(case: &mut Case, new: u32) -> Result<(), Lack> {
    match &mut case.machine {
        MachineSpec::Flat { nodes } => *nodes = new,
        MachineSpec::Tree { installed, .. } => *installed = Some(new),
    }
    Ok(())
}

fn set_overrun(case: &mut Case, new: Overrun) -> Result<(), Lack> {
    match &mut case.policy {
        PolicySpec::Easy { overrun, .. } => *overrun = new,
        other => return Err(Lack::of("policy", other)),
    }
    Ok(())
}

fn set_shadow(case: &mut Case, new: Shadow) -> Result<(), Lack> {
    match &mut case.policy {
        PolicySpec::Easy { shadow, .. } => *shadow = new,
        other => return Err(Lack::of("policy", other)),
    }
    Ok(())
}

fn set_early_end(case: &mut Case, new: EarlyEnd) -> Result<(), Lack> {
    match &mut case.policy {
        PolicySpec::Conservative { early_end } => *early_end = new,
        other => return Err(Lack::of("policy", other)),
    }
    Ok(())
}

fn set_order(case: &mut Case, new: Order) -> Result<(), Lack> {
    match &mut case.policy {
        PolicySpec::Priority { order, .. } => *order = new,
        other => return Err(Lack::of("policy", other)),
    }
    Ok(())
}

fn set_reservations(case: &mut Case, new: Reservations) -> Result<(), Lack> {
    match &mut case.policy {
        PolicySpec::Priority { reservations, .. } => *reservations = new,
        other => return Err(Lack::of("policy", other)),
    }
    Ok(())
}

fn set_relax(case: &mut Case, new: u32) -> Result<(), Lack> {
    match &mut case.allocator {
        AllocatorSpec::Contiguous { relax } => *relax = new,
        other => return Err(Lack::of("allocator", other)),
    }
    Ok(())
}

fn set_load(case: &mut Case, new: Option<f64>) -> Result<(), Lack> {
    let by = case.workload.load.map_or_else(LoadBy::default, |load| load.by);
    case.workload.load = new.map(|target| Load { target, by });
    Ok(())
}

fn set_load_by(case: &mut Case, new: LoadBy) -> Result<(), Lack> {
    match &mut case.workload.load {
        Some(load) => load.by = new,
        None => return Err(Lack { object: "load", variant: "None".into() }),
    }
    Ok(())
}
