//! The twins' own simulator: a machine, a queue, and time that goes from event to event.

use super::Line;
use sim::{Job, Speedup};

/// Where jobs go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    FirstFree,
    Block { arity: usize, levels: u32, relax: u32 },
}

impl Place {
    /// Nodes for a job of `size` among the free ones.
    pub fn find(self, size: usize, free: &[bool]) -> Option<Vec<usize>> {
        let among = |nodes: std::ops::Range<usize>| {
            let found: Vec<usize> = nodes.filter(|node| free[*node]).take(size).collect();
            (found.len() == size).then_some(found)
        };
        match self {
            Place::FirstFree => among(0..free.len()),
            Place::Block { arity, levels, relax } => {
                let mut level = 1;
                while arity.pow(level) < size {
                    level += 1;
                }
                for level in level..=(level + relax).min(levels) {
                    let width = arity.pow(level);
                    for block in 0..free.len() / width {
                        if let Some(found) = among(block * width..(block + 1) * width) {
                            return Some(found);
                        }
                    }
                }
                None
            }
        }
    }
}

/// A job on its nodes.
#[derive(Clone, Debug)]
pub struct Running {
    pub job: usize,
    pub start: i64,
    /// When it should end.
    pub due: i64,
    /// When it will.
    pub end: i64,
    pub nodes: Vec<usize>,
    pub backfilled: bool,
    /// It has reached `due` and gone on.
    pub late: bool,
}

impl Running {
    /// When its nodes are expected to be free, after now: a job that should have ended may do so any moment, in the next tick.
    pub fn free_at(&self, now: i64) -> i64 {
        self.due.max(now + 1)
    }
}

/// What happened since the last pass.
#[derive(Default)]
pub struct News {
    pub submitted: Vec<usize>,
    pub ended: Vec<Running>,
}

pub trait Scheme {
    fn pass(&mut self, world: &mut World, news: &News);

    /// Whether a pass after which nothing happens could bring another one to something, so that there must be none.
    fn shares_anew(&self) -> bool {
        false
    }

    /// A time at which the policy wants a pass.
    fn wake(&self, _world: &World) -> Option<i64> {
        None
    }
}

pub struct World {
    jobs: Vec<Job>,
    actual: bool,
    pub place: Place,
    pub now: i64,
    pub free: Vec<bool>,
    /// Waiting jobs in arrival order.
    pub queue: Vec<usize>,
    /// In the order of their starts.
    pub running: Vec<Running>,
    lines: Vec<Option<Line>>,
    pub promises: Vec<Option<i64>>,
    next: usize,
}

impl World {
    pub fn new(jobs: &[Job], actual: bool, place: Place, nodes: u32, positions: u32) -> World {
        World {
            jobs: jobs.to_vec(),
            actual,
            place,
            now: 0,
            free: (0..positions).map(|node| node < nodes).collect(),
            queue: Vec::new(),
            running: Vec::new(),
            lines: vec![None; jobs.len()],
            promises: vec![None; jobs.len()],
            next: 0,
        }
    }

    pub fn size(&self, job: usize) -> usize {
        self.jobs[job].size as usize
    }

    pub fn estimate(&self, job: usize) -> i64 {
        if self.actual { self.jobs[job].run_time.0 } else { self.jobs[job].estimate.0 }
    }

    /// The nodes of the machine.
    pub fn nodes(&self) -> usize {
        let held = self.running.iter().map(|running| running.nodes.len()).sum::<usize>();
        held + self.free.iter().filter(|node| **node).count()
    }

    pub fn speedup(&self, job: usize) -> Option<Speedup> {
        self.jobs[job].speedup
    }

    pub fn estimate_on(&self, job: usize, nodes: usize) -> i64 {
        self.on(job, nodes, self.estimate(job))
    }

    /// What a time on the nodes that the job asks for is on others.
    fn on(&self, job: usize, nodes: usize, time: i64) -> i64 {
        match self.speedup(job).filter(|_| nodes != self.size(job)) {
            Some(speedup) => {
                let sequential = time as f64 * speedup.at(self.jobs[job].size);
                ((sequential / speedup.at(nodes as u32)).round() as i64).max(1)
            }
            None => time,
        }
    }

    /// Starts a waiting job on so many nodes if there is room for it.
    pub fn try_start_on(&mut self, job: usize, nodes: usize) -> bool {
        let found = self.place.find(nodes, &self.free);
        found.is_some_and(|nodes| {
            self.start(job, nodes);
            true
        })
    }

    pub fn waited(&self, job: usize) -> i64 {
        self.now - self.jobs[job].submit.0
    }

    /// Starts a waiting job on nodes that must be free.
    pub fn start(&mut self, job: usize, nodes: Vec<usize>) {
        let backfilled = self.queue[0] != job;
        self.queue.retain(|other| *other != job);
        for &node in &nodes {
            assert!(self.free[node]);
            self.free[node] = false;
        }
        let (estimate, run_time) =
            (self.estimate_on(job, nodes.len()), self.on(job, nodes.len(), self.jobs[job].run_time.0));
        let (start, due, end) = (self.now, self.now + estimate, self.now + run_time);
        self.running.push(Running { job, start, due, end, nodes, backfilled, late: false });
    }

    /// Starts a waiting job if there is room for it.
    pub fn try_start(&mut self, job: usize) -> bool {
        self.try_start_on(job, self.size(job))
    }

    /// Takes the job off its nodes for good.
    pub fn end(&mut self, index: usize, killed: bool) -> Running {
        let gone = self.running.remove(index);
        for &node in &gone.nodes {
            self.free[node] = true;
        }
        self.lines[gone.job] = Some(Line {
            start: gone.start,
            finish: self.now,
            nodes: gone.nodes.iter().map(|node| *node as u32).collect(),
            backfilled: gone.backfilled,
            killed,
            promise: self.promises[gone.job],
        });
        gone
    }

    pub fn run(&mut self, scheme: &mut dyn Scheme, per_event: bool) {
        while let Some(next) = self.next_instant(scheme) {
            self.now = next;
            if per_event { self.pass_per_event(scheme) } else { self.pass_per_instant(scheme) }
        }
    }

    pub fn lines(self) -> Vec<Line> {
        self.lines.into_iter().map(|line| line.expect("every job ends")).collect()
    }

    fn next_instant(&self, scheme: &dyn Scheme) -> Option<i64> {
        let mut times: Vec<i64> = self.jobs.get(self.next).map(|job| job.submit.0).into_iter().collect();
        for running in &self.running {
            times.push(running.end);
            if running.end > running.due && !running.late {
                times.push(running.due);
            }
        }
        times.extend(scheme.wake(self).filter(|at| *at > self.now));
        times.into_iter().min()
    }

    fn submit(&mut self) -> Option<usize> {
        let job = self.next;
        if self.jobs.get(job)?.submit.0 != self.now {
            return None;
        }
        self.next += 1;
        self.queue.push(job);
        Some(job)
    }

    fn finish(&mut self) -> Option<Running> {
        let index = self.running.iter().position(|running| running.end == self.now)?;
        Some(self.end(index, false))
    }

    fn turn_late(&mut self) -> bool {
        let now = self.now;
        let found = self.running.iter_mut().find(|running| !running.late && running.due == now);
        found.is_some_and(|running| {
            running.late = true;
            true
        })
    }

    fn pass_per_instant(&mut self, scheme: &mut dyn Scheme) {
        let mut news = News::default();
        while let Some(ended) = self.finish() {
            news.ended.push(ended);
        }
        while self.turn_late() {}
        while let Some(job) = self.submit() {
            news.submitted.push(job);
        }
        scheme.pass(self, &news);
    }

    fn pass_per_event(&mut self, scheme: &mut dyn Scheme) {
        while let Some(job) = self.submit() {
            scheme.pass(self, &News { submitted: vec![job], ended: vec![] });
        }
        while let Some(ended) = self.finish() {
            scheme.pass(self, &News { submitted: vec![], ended: vec![ended] });
        }
        while self.turn_late() {
            scheme.pass(self, &News::default());
        }
        if !scheme.shares_anew() {
            scheme.pass(self, &News::default());
        }
    }
}
