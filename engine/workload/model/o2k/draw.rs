//! Jobs of the raw model, one at a time: P, then M given P, R given both, T given all three.

use super::actual::ActualTimes;
use super::class::{of_column, size_class};
use super::draft::Draft;
use super::memory;
use super::month::Month;
use super::processors::Processors;
use super::requested::{RequestedTimes, region};
use crate::rng::{Rng, Stream};

/// The distributions of the raw model (weekday peaks of October to December 2000).
#[derive(Clone, Debug)]
pub struct Distributions {
    processors: Processors,
    requested: RequestedTimes,
    actual: ActualTimes,
    month: Month,
}

impl Distributions {
    /// Those of late 2000, with the month's sizes and its cap on memory.
    pub fn new(month: Month) -> Distributions {
        Distributions {
            processors: Processors::new(month),
            requested: RequestedTimes::new(),
            actual: ActualTimes::new(),
            month,
        }
    }

    fn request(&self, streams: &mut Streams) -> (u32, u32) {
        let processors = self.processors.draw(&mut streams.sizes);
        (processors, memory::draw(processors, self.month, &mut streams.memory))
    }

    fn finish(&self, processors: u32, memory_mb: u32, requested_s: u32, streams: &mut Streams) -> Draft {
        let actual_s = self.actual.draw(requested_s, processors, memory_mb, &mut streams.run_times);
        Draft { processors, memory_mb, requested_s, actual_s }
    }

    /// A job of any class.
    pub fn draw(&self, streams: &mut Streams) -> Draft {
        let (processors, memory_mb) = self.request(streams);
        let requested_s = self.requested.draw(region(processors, memory_mb), &mut streams.estimates);
        self.finish(processors, memory_mb, requested_s, streams)
    }

    /// A job as [`Distributions::draw`] makes them, given that it is of a class (a column of Table 6).
    pub fn draw_of_class(&self, column: usize, streams: &mut Streams) -> Draft {
        let (time, size) = of_column(column);
        loop {
            let (processors, memory_mb) = self.request(streams);
            if size_class(processors, memory_mb) != size {
                continue;
            }
            let region = region(processors, memory_mb);
            if streams.selection.chance(self.requested.relative_mass(region, time)) {
                let requested_s = self.requested.draw_within(region, time, &mut streams.estimates);
                return self.finish(processors, memory_mb, requested_s, streams);
            }
        }
    }
}

/// The random numbers of one part of a workload.
#[derive(Clone, Debug)]
pub struct Streams {
    sizes: Rng,
    memory: Rng,
    estimates: Rng,
    run_times: Rng,
    /// Which of the drawn jobs are taken.
    pub selection: Rng,
}

impl Streams {
    /// Those of a part.
    pub fn new(seed: u64, part: u8) -> Streams {
        let stream = |purpose| Rng::of_part(seed, u32::from(part), purpose);
        Streams {
            sizes: stream(Stream::Sizes),
            memory: stream(Stream::Memory),
            estimates: stream(Stream::Estimates),
            run_times: stream(Stream::RunTimes),
            selection: stream(Stream::Selection),
        }
    }
}
