//! Scenes: a machine and a few jobs in one line of text, run under a policy and compared with a picture.

use crate::gantt;
use expect_test::Expect;
use sim::observer::job_log::{JobLine, JobLog};
use sim::observer::trace::{Piece, Trace};
use sim::policy::{Overrun, Shadow};
use sim::{
    AllocatorSpec, Communication, CommunicationModel, EstimateSource, HostSpec, Job, MachineSpec, Passes,
    Penalized, PolicySpec, RunReport, Setup, SimError, Span, Speedup, Step3, Time, simulate,
};
use std::fmt;

/// A setup and its jobs.
#[derive(Clone)]
pub struct Scene {
    pub setup: Setup,
    pub jobs: Vec<Job>,
}

/// EASY as its parameters default to.
pub const EASY: PolicySpec = easy(Overrun::KillBackfilled, Shadow::Placement);
/// EASY that kills nobody.
pub const EXTEND: PolicySpec = easy(Overrun::Extend, Shadow::Placement);

pub const fn easy(overrun: Overrun, shadow: Shadow) -> PolicySpec {
    PolicySpec::Easy { overrun, shadow }
}

/// Short enough to read in the report of a failed property.
impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.setup)?;
        for job in &self.jobs {
            let Job { id, submit, run_time, estimate, size, .. } = job;
            write!(f, "; {id} {submit} {size} x {run_time} / {estimate}")?;
        }
        Ok(())
    }
}

/// All that a run left.
#[derive(Clone, Debug)]
pub struct Run {
    /// In arrival order.
    pub lines: Vec<JobLine>,
    pub pieces: Vec<Piece>,
    pub report: RunReport,
}

impl Scene {
    /// Reads `MACHINE [OPTION…]; NAME SUBMIT SIZExRUN[/ESTIMATE][@MB][~A,SIGMA][%SHARE,BANDWIDTH][^HOME]; …`. Machines: `nodes N`, `tree KxN`,
    /// `tree KxN/INSTALLED`, `hosts PROCESSORS@MB,…`, `grid CLUSTERSxNODES`. Options: `contiguous`, `contiguous+RELAX`, `per-event`, `actual`; of
    /// a grid `penalty=P`, `links=BANDWIDTH`. Names are single letters, times whole seconds, memory (by default none) megabytes; a job with a
    /// speedup is moldable. The home is the first cluster by default.
    pub fn parse(text: &str, policy: PolicySpec) -> Scene {
        let mut parts = text.split(';').map(str::trim);
        let setup = parse_setup(parts.next().unwrap(), policy);
        Scene { setup, jobs: parts.filter(|part| !part.is_empty()).map(parse_job).collect() }
    }

    /// Runs it.
    pub fn try_run(&self) -> Result<Run, SimError> {
        let mut observer = (JobLog::default(), Trace::default());
        let report = simulate(&self.setup, self.jobs.iter().copied(), &mut observer)?;
        Ok(Run { lines: observer.0.by_arrival(), pieces: observer.1.pieces, report })
    }

    /// Runs it; it must work.
    pub fn run(&self) -> Run {
        self.try_run().unwrap_or_else(|error| panic!("{error}\n{self:#?}"))
    }
}

impl Run {
    /// The nodes of the job with this arrival number, from its first piece.
    pub fn nodes_of(&self, arrival: usize) -> Vec<u32> {
        let id = self.lines[arrival].job.id;
        let piece = self.pieces.iter().find(|piece| piece.job == id);
        piece.map_or_else(Vec::new, |piece| piece.nodes.nodes().collect())
    }

    /// Start of a job by its letter, in whole seconds.
    pub fn start_of(&self, name: char) -> i64 {
        let line = self.lines.iter().find(|line| line.job.id == u64::from(name)).unwrap();
        line.start.0 / sim::time::TICKS_PER_SECOND
    }
}

fn parse_setup(text: &str, policy: PolicySpec) -> Setup {
    let mut words = text.split_whitespace();
    let machine = match (words.next().unwrap(), words.next().unwrap()) {
        ("nodes", nodes) => MachineSpec::Flat { nodes: nodes.parse().unwrap() },
        ("tree", shape) => {
            let (shape, installed) = match shape.split_once('/') {
                Some((shape, installed)) => (shape, Some(installed.parse().unwrap())),
                None => (shape, None),
            };
            let (arity, levels) = shape.split_once('x').unwrap();
            MachineSpec::Tree { arity: arity.parse().unwrap(), levels: levels.parse().unwrap(), installed }
        }
        ("hosts", table) => {
            MachineSpec::Hosts { hosts: table.split(',').enumerate().map(parse_host).collect() }
        }
        ("grid", shape) => {
            let (clusters, nodes) = shape.split_once('x').unwrap();
            MachineSpec::Clusters {
                clusters: clusters.parse().unwrap(),
                nodes_per_cluster: nodes.parse().unwrap(),
                communication: CommunicationModel::Ideal,
            }
        }
        other => panic!("no such machine: {other:?}"),
    };
    let mut setup = Setup {
        machine,
        policy,
        allocator: AllocatorSpec::FirstFree,
        memory: None,
        passes: Passes::PerInstant,
        estimates: EstimateSource::Requested,
    };
    for word in words {
        match word {
            "contiguous" => setup.allocator = AllocatorSpec::Contiguous { relax: 0 },
            "per-event" => setup.passes = Passes::PerEvent,
            "actual" => setup.estimates = EstimateSource::Actual,
            other if other.contains('=') => set_communication(&mut setup.machine, other),
            other => {
                let relax = other.strip_prefix("contiguous+").unwrap().parse().unwrap();
                setup.allocator = AllocatorSpec::Contiguous { relax };
            }
        }
    }
    setup
}

fn set_communication(machine: &mut MachineSpec, option: &str) {
    let MachineSpec::Clusters { communication, .. } = machine else { panic!("{option} is of a grid") };
    let (name, number) = option.split_once('=').unwrap();
    let number = number.parse().unwrap();
    *communication = match name {
        "penalty" => CommunicationModel::FixedPenalty { penalty: number, penalized: Penalized::WholeJob },
        "links" => CommunicationModel::Contended { link_bandwidth: number, step3: Step3::Unconstrained },
        other => panic!("no such option: {other}"),
    };
}

/// Hosts are called A, B, ….
fn parse_host((index, text): (usize, &str)) -> HostSpec {
    let (processors, memory_mb) = text.split_once('@').unwrap();
    let name = char::from(b'A' + index as u8).to_string();
    HostSpec { name, processors: processors.parse().unwrap(), memory_mb: memory_mb.parse().unwrap() }
}

fn parse_job(text: &str) -> Job {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [name, submit, shape] = words[..] else {
        panic!("not NAME SUBMIT SIZExRUN[/ESTIMATE][@MB][~A,SIGMA][%SHARE,BANDWIDTH][^HOME]: {text}")
    };
    let (shape, home) = shape.split_once('^').unwrap_or((shape, "0"));
    let (shape, communication) = shape.split_once('%').unwrap_or((shape, "0,0"));
    let (share, bandwidth) = communication.split_once(',').unwrap();
    let (shape, speedup) = shape.split_once('~').unwrap_or((shape, ""));
    let speedup = speedup.split_once(',').map(|(parallelism, sigma)| Speedup {
        parallelism: parallelism.parse().unwrap(),
        sigma: sigma.parse().unwrap(),
    });
    let (shape, megabytes) = shape.split_once('@').unwrap_or((shape, "0"));
    let (size, times) = shape.split_once('x').unwrap();
    let (run_time, estimate) = times.split_once('/').unwrap_or((times, times));
    Job {
        id: u64::from(name.chars().next().unwrap()),
        submit: Time::from_secs(submit.parse().unwrap()),
        run_time: Span::from_secs(run_time.parse().unwrap()),
        estimate: Span::from_secs(estimate.parse().unwrap()),
        size: size.parse().unwrap(),
        memory_kb: megabytes.parse::<u64>().unwrap() * 1024,
        home: home.parse().unwrap(),
        communication: Communication { share: share.parse().unwrap(), bandwidth: bandwidth.parse().unwrap() },
        speedup,
        ..Job::default()
    }
}

/// Runs the scene under the policy and compares the Gantt chart.
pub fn check(text: &str, policy: PolicySpec, expected: Expect) {
    check_all(&[text], &[policy], expected);
}

/// As [`check`], for several scenes and policies that all give the same chart.
pub fn check_all(texts: &[&str], policies: &[PolicySpec], expected: Expect) {
    let mut charts = Vec::new();
    for text in texts {
        for policy in policies {
            let scene = Scene::parse(text, policy.clone());
            charts.push((gantt::draw(&scene, &scene.run()), format!("{text}\nunder {policy:?}")));
        }
    }
    expected.assert_eq(&charts[0].0);
    for (chart, what) in &charts {
        assert_eq!(*chart, charts[0].0, "{what}");
    }
}
