//! Workloads and setups that several benches share.
#![allow(dead_code, clippy::expect_used, missing_docs)]

use sim::{AllocatorSpec, EstimateSource, Job, MachineSpec, Passes, PolicySpec, Setup, Span};
use workload::{
    Load, LoadBy, LoadMeasure, Mode, Moldable, Parallelism, Source, TraceDir, Variant, WorkloadSpec,
};

pub const CTC: &str = "CTC-SP2-1996-3.1-cln";
pub const HPC2N: &str = "HPC2N-2002-2.2-cln";

/// The HPC2N log where `BACKSWEEP_TRACES` has it, else its twin; with a label that says which.
pub fn hpc2n() -> (&'static str, Vec<Job>) {
    let traces = TraceDir::new(std::env::var_os("BACKSWEEP_TRACES").map(Into::into));
    let (label, mode) = if traces.has(HPC2N) { ("log", Mode::Trace) } else { ("twin", Mode::Twin) };
    let spec = WorkloadSpec::new(Source::Log { name: HPC2N.into(), mode });
    (label, workload::build(&spec, 240, 1, &traces).expect("the workload builds").jobs)
}

/// The first jobs of the CTC SP2 log, or of its twin, made moldable for 512 nodes at an effective load of 0.9; with a label that says which.
pub fn ctc(parallelism: Parallelism, jobs: u64) -> (&'static str, Vec<Job>) {
    let traces = TraceDir::new(std::env::var_os("BACKSWEEP_TRACES").map(Into::into));
    let (label, mode) = if traces.has(CTC) { ("log", Mode::Trace) } else { ("twin", Mode::Twin) };
    let mut spec = WorkloadSpec::new(Source::Log { name: CTC.into(), mode });
    spec.jobs = Some(jobs);
    spec.moldable = Some(Moldable::Downey { parallelism, sigma_max: 2.0 });
    spec.load = Some(Load { target: 0.9, by: LoadBy::RunTimes, measure: LoadMeasure::Effective });
    (label, workload::build(&spec, 512, 1, &traces).expect("the workload builds").jobs)
}

/// A deep queue: 256 nodes, 100,000 jobs of the Lublin-Feitelson model at load 0.85, and estimates drawn from the round values
/// that users ask for, whatever the run time below them.
pub fn deep_queue() -> Vec<Job> {
    const ASKED_S: [i64; 13] =
        [900, 1800, 3600, 7200, 14_400, 28_800, 36_000, 43_200, 64_800, 86_400, 126_000, 161_337, 172_800];
    let mut spec = WorkloadSpec::new(Source::LublinFeitelson {
        variant: Variant::BatchAndInteractive,
        medium_offset: 2.5,
    });
    spec.jobs = Some(100_000);
    spec.load = Some(Load { target: 0.85, by: LoadBy::Arrivals, measure: LoadMeasure::Offered });
    let mut jobs = workload::build(&spec, 256, 7, &TraceDir::none()).expect("the workload builds").jobs;
    let mut draw: u64 = 12_345;
    for job in &mut jobs {
        draw ^= draw << 13;
        draw ^= draw >> 7;
        draw ^= draw << 17;
        let enough: Vec<Span> =
            ASKED_S.map(Span::from_secs).into_iter().filter(|asked| *asked >= job.run_time).collect();
        job.estimate = enough.get(draw as usize % enough.len().max(1)).copied().unwrap_or(job.run_time);
    }
    jobs
}

pub fn flat(nodes: u32, policy: PolicySpec) -> Setup {
    Setup {
        machine: MachineSpec::Flat { nodes },
        policy,
        allocator: AllocatorSpec::FirstFree,
        memory: None,
        passes: Passes::PerInstant,
        estimates: EstimateSource::Requested,
    }
}

pub fn tree(arity: u32, levels: u32, installed: u32, policy: PolicySpec) -> Setup {
    let machine = MachineSpec::Tree { arity, levels, installed: Some(installed) };
    Setup { machine, allocator: AllocatorSpec::Contiguous { relax: 0 }, ..flat(installed, policy) }
}

/// Runs to the end and returns the number of passes.
pub fn run(setup: &Setup, jobs: &[Job]) -> u64 {
    sim::simulate(setup, jobs.iter().copied(), &mut ()).expect("the run ends").passes
}
