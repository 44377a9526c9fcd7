//! A workload as an experiment writes it.

use serde::{Deserialize, Serialize};
use sim::Speedup;
use std::fmt;

/// Where the jobs come from and what is done to them. Order of application: source, `rules`, `jobs`, `speedup`, `moldable`,
/// `load`, `requested`, `memory`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadSpec {
    /// The source of the jobs.
    pub source: Source,
    /// What is dropped or mended while a log is read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rules: Rules,
    /// Number of jobs: of a log or twin the first so many; of a model, how many are generated (required there); of a
    /// stream, how many arrivals are measured per cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u64>,
    /// s: every run time t becomes t(1 − s), 0 ≤ s < 1 (Pascual & Miguel-Alonso 2008, §IV).
    #[serde(default, skip_serializing_if = "is_default")]
    pub speedup: f64,
    /// Whether the speed-up shortens the estimates too. *Assumption* (the paper is silent): true.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub scale_estimates: bool,
    /// Which jobs are moldable; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moldable: Option<Moldable>,
    /// The load to scale to; absent: as the source has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
    /// How accurate the requested times are.
    #[serde(default, skip_serializing_if = "is_default")]
    pub requested: RequestedTime,
    /// The memory that jobs need per node; absent: as the source has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryModel>,
}

/// Where jobs come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Source {
    /// A published log, by its canonical name (`HPC2N-2002-2.2-cln`), or its labelled stand-in.
    Log {
        /// Canonical name in the Parallel Workloads Archive.
        name: String,
        /// The log itself, or its twin.
        #[serde(default)]
        mode: Mode,
    },
    /// A file in Standard Workload Format, plain or gzip. Its content, not its path, decides the result.
    File {
        /// The path, relative to the working directory.
        path: String,
    },
    /// The workload of the NCSA Origin 2000 (Chiang 2001, chapter 4). `jobs` takes the first so many.
    O2k {
        /// The month.
        month: crate::model::o2k::Month,
        /// Calibrated to the month, or the raw model.
        #[serde(default)]
        fit: crate::model::o2k::O2kFit,
        /// Days of arrivals before the month, at whose beginning time zero lies.
        #[serde(default = "crate::model::o2k::warm_up_days")]
        warm_up_days: u32,
        /// Days of arrivals after the month.
        #[serde(default = "crate::model::o2k::after_days")]
        after_days: u32,
        /// CV of the gaps between arrivals at a constant rate, 1 … 2.
        #[serde(default = "crate::model::o2k::gap_variation")]
        gap_variation: f64,
        /// Share of the jobs of class vst that are dropped because they ran on dedicated hosts, 0 … 1.
        #[serde(default = "crate::model::o2k::dedicated_share")]
        dedicated_share: f64,
        /// Most Σ T of the classes mt and lt, as a share of what their limits allow: above 0, at most 1.
        #[serde(default = "crate::model::o2k::occupancy")]
        occupancy: f64,
        /// Arrivals per hour on weekdays from 18 to 24 h, where 30 arrive from 8 to 18 h: above 0.
        #[serde(default = "crate::model::o2k::intermediate_rate")]
        intermediate_rate: f64,
        /// Arrivals per hour on weekdays from 0 to 8 h: above 0.
        #[serde(default = "crate::model::o2k::low_rate")]
        low_rate: f64,
        /// Arrivals per hour on weekends from 0 to 8 h, where 9 arrive from 8 to 24 h: above 0.
        #[serde(default = "crate::model::o2k::weekend_low_rate")]
        weekend_low_rate: f64,
    },
    /// Jobs listed in the experiment itself.
    JobList {
        /// At least one, in any order; ties of submit times: order of the list.
        jobs: Vec<crate::model::job_list::ListedJob>,
    },
    /// Poisson arrivals at every cluster, simulated as they are drawn (Jones et al. 2004). `jobs` says how many of them are measured.
    Poisson {
        /// Share of its own cluster's nodes that the jobs of a stream need on average; above 0.
        #[serde(default = "crate::model::poisson::arrival_load")]
        arrival_load: f64,
        /// Mean run time in seconds; above 0.
        #[serde(default = "crate::model::poisson::mean_run_time_s")]
        mean_run_time_s: f64,
        /// Nodes of the smallest job, at least 1; sizes are uniform.
        #[serde(default = "crate::model::poisson::smallest")]
        smallest: u32,
        /// Nodes of the largest job.
        #[serde(default = "crate::model::poisson::largest")]
        largest: u32,
        /// T_C / T_E: the share of its run time in which a job communicates, 0 … 1.
        #[serde(default = "crate::model::poisson::communication_share")]
        communication_share: f64,
        /// PPBW: what each node of a job sends and receives then; 0 or more.
        #[serde(default = "crate::model::poisson::bandwidth_per_node")]
        bandwidth_per_node: f64,
        /// How run times are distributed.
        #[serde(default)]
        runs: crate::model::poisson::RunTimes,
    },
    /// The Lublin–Feitelson model (J. Parallel Distrib. Comput. 63(11), 2003).
    LublinFeitelson {
        /// Which of the model's streams.
        #[serde(default)]
        variant: Variant,
        /// u_med = u_hi − `medium_offset`; range allowed 1.5 … 3.5.
        #[serde(default = "medium_offset")]
        medium_offset: f64,
    },
}

impl fmt::Display for Source {
    /// For messages: the log's name, the file's path, the model.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Log { name, mode: Mode::Trace } => f.write_str(name),
            Source::Log { name, mode: Mode::Twin } => write!(f, "twin of {name}"),
            Source::File { path } => f.write_str(path),
            Source::JobList { .. } => f.write_str("listed jobs"),
            Source::LublinFeitelson { .. } => f.write_str("Lublin-Feitelson model"),
            Source::O2k { .. } => f.write_str(&crate::model::o2k::title(self)),
            Source::Poisson { .. } => f.write_str("Poisson model"),
        }
    }
}

/// Whether a study runs on a real log or on its synthetic stand-in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// The log itself, found in the trace directory and checked by hash.
    #[default]
    Trace,
    /// A synthetic workload fitted to the log's published and measured statistics.
    Twin,
}

/// The streams of the Lublin–Feitelson model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Variant {
    /// One stream for all jobs.
    #[default]
    Single,
    /// The batch stream only.
    Batch,
    /// Batch and interactive streams, independent, merged by arrival.
    BatchAndInteractive,
}

/// How accurate the requested times R are that policies see, given the run times T (Chiang 2001, Table 15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RequestedTime {
    /// As the source has them.
    #[default]
    AsGiven,
    /// Scenario A: min((1 + k) · T, R), k in percent.
    A(u32),
    /// Scenario B: A(20), but R of the jobs with T ≤ 10 min and T ≤ 10 % of R.
    B,
}

/// Which jobs are moldable, and how their speed grows with their nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Moldable {
    /// All, with Downey's speedup (Sabin, Lang and Sadayappan 2006, §3.2 and §5.2): σ is drawn per job, uniform on [0, `sigma_max`].
    Downey {
        /// A, the average parallelism of a job.
        #[serde(default)]
        parallelism: Parallelism,
        /// The largest σ, 0 or more.
        #[serde(default = "sigma_max")]
        sigma_max: f64,
    },
    /// All, with these speedups in turn, in queue order: for small workloads made by hand.
    Listed {
        /// At least one.
        speedups: Vec<Speedup>,
    },
}

/// The average parallelism of moldable jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Parallelism {
    /// The nodes of the machine, for every job.
    #[default]
    System,
    /// Drawn per job, uniform between `low` and `high` times the nodes that it requests.
    OfRequest {
        /// At least 1.
        #[serde(default = "parallelism_low")]
        low: f64,
        /// At least `low`.
        #[serde(default = "parallelism_high")]
        high: f64,
    },
}

/// A target for the load: Σ size·run time / (nodes · (last submit − first submit)), or what `measure` says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// The load to reach, > 0.
    pub target: f64,
    /// What is scaled.
    #[serde(default)]
    pub by: LoadBy,
    /// Which load is meant.
    #[serde(default, skip_serializing_if = "is_default")]
    pub measure: LoadMeasure,
}

/// Which load is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoadMeasure {
    /// Σ size·run time over nodes and time: what rigid jobs need.
    #[default]
    Offered,
    /// The same with the speedup on the requested nodes in place of the size: what jobs would need with ideal efficiency (Sabin, Lang and
    /// Sadayappan 2006, §3.1).
    Effective,
}

/// What is scaled to reach an offered load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoadBy {
    /// Submit times, relative to the first.
    #[default]
    Arrivals,
    /// Run times and estimates.
    RunTimes,
}

/// The memory that jobs need on each of their nodes (Esbaugh 2010, §5.4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum MemoryModel {
    /// Drawn at random: a share of the node's memory from the vector of the job's class. Short is below 600 s, long above
    /// 10,800 s of run time (after speed-up and load). The defaults are the thesis's MM5.
    Drawn {
        /// For long jobs.
        #[serde(default)]
        long: MemoryVector,
        /// For medium jobs.
        #[serde(default)]
        medium: MemoryVector,
        /// For short jobs.
        #[serde(default)]
        short: MemoryVector,
        /// Kilobytes of the node, > 0. The thesis has 400 units; only shares matter.
        #[serde(default = "node_kb")]
        node_kb: u64,
    },
    /// The amount that the source gives: more than the node has becomes all of it, none is no memory.
    Recorded {
        /// Kilobytes of the node, > 0.
        node_kb: u64,
    },
}

/// Shares of a node's memory, one of which a job needs, each as likely as any other (Esbaugh 2010, Fig. 17).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum MemoryVector {
    /// .3 .3 .3 .4 .4 .5 .5 .6 1 1
    #[default]
    Default,
    /// .6 .6 .7 .7 .8 .8 .9 .9 1 1
    High,
    /// .1 .1 .2 .2 .2 .3 .3 .4 .4 .5
    Low,
    /// .7 .7 .8 .8 .9 .9 1 1 1 1
    VeryHigh,
    /// .1 .1 .1 .2 .2 .2 .3 .3 .3 .4
    VeryLow,
    /// These shares, each above 0 and at most 1.
    Values(Vec<f64>),
}

/// Rules for reading a log. Every dropped or mended record is counted by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Which field gives the size.
    pub size: SizeField,
    /// What an estimate below the run time becomes.
    pub estimate_floor: EstimateFloor,
    /// What a missing estimate becomes.
    pub missing_estimate: MissingEstimate,
    /// What happens to a job with run time ≤ 0.
    pub no_run_time: NoRunTime,
    /// What happens to a job larger than the machine.
    pub too_large: TooLarge,
    /// What happens to a record with a negative submit time.
    pub negative_submit: NegativeSubmit,
    /// Which field gives the memory.
    #[serde(skip_serializing_if = "is_default")]
    pub memory: MemoryField,
}

/// Which SWF field gives the size of a job; the other is used where it is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SizeField {
    /// Field 8, requested processors, else field 5.
    #[default]
    Requested,
    /// Field 5, allocated processors, else field 8.
    Allocated,
}

/// What an estimate below the run time becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EstimateFloor {
    /// The run time.
    #[default]
    Runtime,
    /// It stays as logged, and the job overruns.
    AsLogged,
}

/// What a missing estimate becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MissingEstimate {
    /// The run time.
    #[default]
    Runtime,
    /// A queue limit, in seconds.
    QueueLimit(u64),
    /// The job is dropped.
    Drop,
}

/// What happens to a job with run time ≤ 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoRunTime {
    /// It is dropped.
    #[default]
    Drop,
    /// A run time of 0 becomes one second; a negative (unknown) one is dropped.
    ZeroIsOneSecond,
}

/// What happens to a job larger than the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TooLarge {
    /// It is dropped.
    #[default]
    Drop,
    /// It is cut to the machine's size.
    Clamp,
}

/// What happens to a record with a negative submit time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NegativeSubmit {
    /// It is dropped.
    #[default]
    Drop,
    /// It is submitted at time zero.
    Zero,
}

/// Which SWF field gives the memory of a job, in kilobytes per processor; the other is used where it is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemoryField {
    /// Field 10, requested memory, else field 7.
    #[default]
    Requested,
    /// Field 7, used memory, else field 10.
    Used,
}

impl WorkloadSpec {
    /// Whether what is done to the jobs is drawn anew in every replication, also where they are those of a log.
    pub fn draws_speedups(&self) -> bool {
        matches!(self.moldable, Some(Moldable::Downey { .. }))
    }

    /// The source as it is, under the default rules.
    pub fn new(source: Source) -> WorkloadSpec {
        WorkloadSpec {
            source,
            rules: Rules::default(),
            jobs: None,
            speedup: 0.0,
            scale_estimates: true,
            moldable: None,
            load: None,
            requested: RequestedTime::AsGiven,
            memory: None,
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn medium_offset() -> f64 {
    2.5
}

fn sigma_max() -> f64 {
    2.0
}

fn parallelism_low() -> f64 {
    1.0
}

fn parallelism_high() -> f64 {
    2.0
}

fn node_kb() -> u64 {
    400
}
