//! The Lublin–Feitelson model of rigid jobs on a parallel machine.
//!
//! Generates: submit times with a daily cycle, sizes, run times. The model has no requested times: the estimate is the run
//! time; no memory either.
//! Source: Lublin & Feitelson, J. Parallel Distrib. Comput. 63(11), 2003, and the constants of the authors' generator.
//! Parameters: [`Variant`], machine size (u_hi = log₂ of it, except in the interactive stream), `medium_offset`
//! (u_med = u_hi − offset), seed; the paper's symbols are the fields of [`Parameters`].
//! Differs: a size above the machine (possible where its size is no power of two, or is below 46 for interactive jobs) is
//! cut to it; random numbers come from separate streams for arrivals, sizes and run times of batch and interactive jobs;
//! a run time is at least one second. Times are cut to whole seconds, as the authors' generator does (its statistics are
//! met so, and missed with fractions). The first day begins at midnight.
//! Cost: constant per job, about 100 draws' worth of arithmetic for the large gamma shapes. Ties: of two jobs arriving at
//! one instant the batch job is first.

use super::gamma_distribution::gamma_cdf;
use crate::rng::{Rng, Stream};
use crate::{Variant, WorkloadError};
use sim::{Job, Span, Time};

/// Half-hour buckets of the daily cycle.
const BUCKETS: usize = 48;
const BUCKET_S: f64 = 1800.0;
/// Exponents above these are drawn again: e¹² s is 45 hours of run time, e¹³ / 1800 points about five days.
const LARGEST_RUN_EXPONENT: f64 = 12.0;
const LARGEST_GAP_EXPONENT: f64 = 13.0;

/// The constants of one stream of jobs; the names are the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Probability of a serial job.
    pub p_serial: f64,
    /// Probability (of all jobs) of a parallel job whose size is a power of two.
    pub p_pow2: f64,
    /// Smallest log₂ of a parallel size.
    pub u_low: f64,
    /// Where the two uniform stages of log₂ size meet.
    pub u_med: f64,
    /// Largest log₂ of a size.
    pub u_hi: f64,
    /// Probability of the first stage.
    pub u_prob: f64,
    /// Shape and scale of the first gamma of ln run time.
    pub first: (f64, f64),
    /// Shape and scale of the second gamma of ln run time.
    pub second: (f64, f64),
    /// The first gamma's probability is `pa` · size + `pb`.
    pub pa: f64,
    /// See `pa`.
    pub pb: f64,
    /// Shape and scale of ln gap in points, before `arar`.
    pub gap: (f64, f64),
    /// Shape and scale of the daily cycle.
    pub cycle: (f64, f64),
    /// Factor on the shape of the gap, which calibrates the arrival rate.
    pub arar: f64,
}

impl Parameters {
    /// One stream for all jobs, on a machine of 2^`u_hi` nodes.
    pub fn single(u_hi: f64, medium_offset: f64) -> Parameters {
        Parameters {
            p_serial: 0.244,
            p_pow2: 0.576,
            u_low: 0.8,
            u_med: u_hi - medium_offset,
            u_hi,
            u_prob: 0.86,
            first: (4.2, 0.94),
            second: (312.0, 0.03),
            pa: -0.0054,
            pb: 0.78,
            gap: (10.2303, 0.4871),
            cycle: (8.1737, 3.9631),
            arar: 1.0225,
        }
    }

    /// The batch stream, on a machine of 2^`u_hi` nodes.
    pub fn batch(u_hi: f64, medium_offset: f64) -> Parameters {
        Parameters {
            p_serial: 0.2927,
            p_pow2: 0.6686,
            u_low: 1.2,
            u_med: u_hi - medium_offset,
            u_hi,
            u_prob: 0.875,
            first: (6.57, 0.823),
            second: (639.1, 0.0156),
            pa: -0.003,
            pb: 0.6986,
            gap: (6.0415, 0.8531),
            cycle: (6.1271, 5.2740),
            arar: 1.0519,
        }
    }

    /// The interactive stream, which does not depend on the machine.
    pub fn interactive() -> Parameters {
        Parameters {
            p_serial: 0.1541,
            p_pow2: 0.625,
            u_low: 1.0,
            u_med: 3.0,
            u_hi: 5.5,
            u_prob: 0.705,
            first: (3.8351, 0.6605),
            second: (7.073, 0.6856),
            pa: -0.0118,
            pb: 0.9156,
            gap: (6.5510, 0.6621),
            cycle: (8.9186, 3.6680),
            arar: 0.9797,
        }
    }
}

/// One stream of jobs: the state of its arrival process and its random streams.
#[derive(Clone, Debug)]
struct JobStream {
    parameters: Parameters,
    nodes: u32,
    weights: [f64; BUCKETS],
    arrivals: Rng,
    sizes: Rng,
    run_times: Rng,
    /// Half hours since the start of the workload.
    bucket: u64,
    /// Points spent in that bucket.
    points: f64,
}

/// A job before it has a place in the merged workload.
#[derive(Clone, Copy, Debug)]
struct Draft {
    submit_s: f64,
    size: u32,
    run_time_s: f64,
}

impl JobStream {
    fn new(parameters: Parameters, nodes: u32, seed: u64, part: u32) -> JobStream {
        JobStream {
            parameters,
            nodes,
            weights: cycle_weights(parameters.cycle),
            arrivals: Rng::of_part(seed, part, Stream::Arrivals),
            sizes: Rng::of_part(seed, part, Stream::Sizes),
            run_times: Rng::of_part(seed, part, Stream::RunTimes),
            bucket: 0,
            points: 0.0,
        }
    }

    fn draw(&mut self) -> Draft {
        let submit_s = self.arrival();
        let size = self.size();
        Draft { submit_s, size, run_time_s: self.run_time(size) }
    }

    /// The next submit time in seconds: each gap is a number of points; passing through a bucket costs its weight.
    fn arrival(&mut self) -> f64 {
        let (shape, scale) = self.parameters.gap;
        let exponent =
            below(LARGEST_GAP_EXPONENT, || self.arrivals.gamma(shape * self.parameters.arar, scale));
        self.points += libm::exp(exponent) / BUCKET_S;
        let mut weight = self.weight();
        while self.points > weight {
            self.points -= weight;
            self.bucket += 1;
            weight = self.weight();
        }
        (self.bucket as f64 + self.points / weight) * BUCKET_S
    }

    fn weight(&self) -> f64 {
        self.weights[(self.bucket % BUCKETS as u64) as usize]
    }

    fn size(&mut self) -> u32 {
        let p = &self.parameters;
        let kind = self.sizes.unit();
        if kind < p.p_serial {
            return 1;
        }
        let exponent = if self.sizes.chance(p.u_prob) {
            self.sizes.uniform(p.u_low, p.u_med)
        } else {
            self.sizes.uniform(p.u_med, p.u_hi)
        };
        let exponent = if kind < p.p_serial + p.p_pow2 { libm::rint(exponent) } else { exponent };
        (libm::rint(libm::exp2(exponent)) as u32).clamp(1, self.nodes)
    }

    fn run_time(&mut self, size: u32) -> f64 {
        let p = self.parameters;
        let first = (p.pa * f64::from(size) + p.pb).clamp(0.0, 1.0);
        libm::exp(below(LARGEST_RUN_EXPONENT, || self.run_times.hyper_gamma(first, p.first, p.second)))
    }
}

/// Draws until the value is at most `largest`.
fn below(largest: f64, mut draw: impl FnMut() -> f64) -> f64 {
    loop {
        let value = draw();
        if value <= largest {
            return value;
        }
    }
}

/// The weight of each half hour of the day, mean 1.
fn cycle_weights((shape, scale): (f64, f64)) -> [f64; BUCKETS] {
    let mut weights = [0.0; BUCKETS];
    for i in 11..11 + BUCKETS {
        let upper = gamma_cdf(shape, scale, i as f64 + 0.5);
        weights[(i - 1) % BUCKETS] = upper - gamma_cdf(shape, scale, i as f64 - 0.5);
    }
    let mean = weights.iter().sum::<f64>() / BUCKETS as f64;
    weights.map(|weight| weight / mean)
}

/// The model as an endless iterator over its jobs in submit order. The jobs of a seed do not depend on how many are taken.
#[derive(Clone, Debug)]
pub struct LublinFeitelson {
    /// The batch stream (or the single one), and its next job.
    main: (JobStream, Draft),
    /// The interactive stream and its next job, where the variant has one.
    interactive: Option<(JobStream, Draft)>,
    taken: u64,
}

impl LublinFeitelson {
    /// The model for a machine with this many nodes; u_med = u_hi − `medium_offset`.
    ///
    /// # Errors
    /// [`WorkloadError::BadParameter`] for an offset outside 1.5 … 3.5, and for a machine so small that u_med lies below
    /// u_low.
    pub fn new(
        variant: Variant,
        nodes: u32,
        medium_offset: f64,
        seed: u64,
    ) -> Result<LublinFeitelson, WorkloadError> {
        if !(1.5..=3.5).contains(&medium_offset) {
            return Err(WorkloadError::BadParameter {
                field: "medium_offset",
                value: medium_offset.to_string(),
                expected: "a number from 1.5 to 3.5".to_owned(),
            });
        }
        let u_hi = libm::log2(f64::from(nodes));
        let parameters = match variant {
            Variant::Single => Parameters::single(u_hi, medium_offset),
            Variant::Batch | Variant::BatchAndInteractive => Parameters::batch(u_hi, medium_offset),
        };
        if parameters.u_med < parameters.u_low {
            let least = libm::ceil(libm::exp2(parameters.u_low + medium_offset));
            return Err(WorkloadError::BadParameter {
                field: "nodes",
                value: nodes.to_string(),
                expected: format!("at least {least} for this model with medium_offset {medium_offset}"),
            });
        }
        let stream = |parameters, part| {
            let mut stream = JobStream::new(parameters, nodes, seed, part);
            let first = stream.draw();
            (stream, first)
        };
        let interactive =
            (variant == Variant::BatchAndInteractive).then(|| stream(Parameters::interactive(), 1));
        Ok(LublinFeitelson { main: stream(parameters, 0), interactive, taken: 0 })
    }

    /// The next job, and whether it is of the interactive stream.
    fn advance(&mut self) -> (Job, bool) {
        let (batch, interactive) = (&mut self.main, &mut self.interactive);
        let (is_interactive, (stream, next)) = match interactive {
            Some(other) if other.1.submit_s < batch.1.submit_s => (true, other),
            _ => (false, batch),
        };
        let draft = std::mem::replace(next, stream.draw());
        self.taken += 1;
        let run_time = Span::from_secs_f64(libm::floor(draft.run_time_s).max(1.0));
        let job = Job {
            id: self.taken,
            submit: Time::ZERO + Span::from_secs_f64(libm::floor(draft.submit_s)),
            run_time,
            estimate: run_time,
            size: draft.size,
            memory_kb: 0,
            ..Job::default()
        };
        (job, is_interactive)
    }
}

impl Iterator for LublinFeitelson {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        Some(self.advance().0)
    }
}

#[cfg(test)]
#[path = "lublin_feitelson_tests.rs"]
mod tests;
