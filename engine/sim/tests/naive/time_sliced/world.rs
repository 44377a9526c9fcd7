//! The machine, its jobs, and time that goes from event to event.

use super::choice::{Candidate, choose};
use super::log::{Event, What};
use super::memory::Memory;
use super::{BY_SLICE, Class, Line, Outcome, Rules, Work};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Future,
    Waiting,
    Loading { since: i64, until: i64 },
    Running { until: i64 },
    Preempted,
    Done,
}

#[derive(Clone, Debug)]
pub struct Job {
    pub work: Work,
    pub class: Class,
    pub state: State,
    /// Seconds left to run; not kept up while it runs.
    pub left: i64,
    pub nodes: Vec<usize>,
    start: i64,
    end: i64,
    load: i64,
    swap: i64,
    suspensions: u32,
}

impl Job {
    pub fn active(&self) -> bool {
        matches!(self.state, State::Loading { .. } | State::Running { .. })
    }

    fn allocated(&self) -> bool {
        self.active() || self.state == State::Preempted
    }

    /// Seconds until it ends if nobody stops it.
    pub fn until_end(&self, now: i64) -> i64 {
        match self.state {
            State::Loading { until, .. } => until - now + self.left,
            State::Running { until } => until - now,
            _ => panic!("not active"),
        }
    }

    /// Seconds of running that it still needs.
    fn remaining_run(&self, now: i64) -> i64 {
        match self.state {
            State::Running { until } => until - now,
            _ => self.left,
        }
    }
}

pub struct World<'a> {
    pub rules: &'a Rules,
    pub now: i64,
    /// In arrival order.
    pub jobs: Vec<Job>,
    memories: Vec<Memory>,
    /// The rest of this interval's slices, the present one first: (class, end).
    pub slices: Vec<(Class, i64)>,
    /// Jobs taken off at this instant's switch and not put back yet, with what they were doing.
    pub taken_off: Vec<(usize, State)>,
    log: Vec<Event>,
    began: Vec<(i64, Class)>,
}

/// Runs the jobs, which are in order of (submission, id); `None` if they are not done by the horizon.
pub fn run(rules: &Rules, jobs: &[Work], horizon: i64) -> Option<Outcome> {
    let jobs: Vec<Job> = jobs.iter().map(|work| new_job(rules, work)).collect();
    let memories = vec![Memory::new(rules.capacity, rules.last_displaced); rules.nodes];
    let mut world = World {
        rules,
        now: 0,
        jobs,
        memories,
        slices: Vec::new(),
        taken_off: Vec::new(),
        log: Vec::new(),
        began: Vec::new(),
    };
    while world.jobs.iter().any(|job| job.state != State::Done) {
        if world.now > horizon {
            return None;
        }
        world.instant();
        world.now = world.next();
    }
    Some(world.outcome())
}

fn new_job(rules: &Rules, work: &Work) -> Job {
    assert!(work.width <= rules.nodes && work.memory <= rules.capacity && work.run > 0);
    Job {
        class: rules.class(work.run),
        state: State::Future,
        left: work.run,
        nodes: Vec::new(),
        start: -1,
        end: -1,
        load: 0,
        swap: 0,
        suspensions: 0,
        work: work.clone(),
    }
}

impl World<'_> {
    fn next(&self) -> i64 {
        let mut times = vec![self.slices[0].1];
        for job in &self.jobs {
            match job.state {
                State::Future => times.push(job.work.submit),
                State::Loading { until, .. } | State::Running { until } => times.push(until),
                _ => {}
            }
        }
        times.into_iter().min().unwrap()
    }

    fn instant(&mut self) {
        for job in 0..self.jobs.len() {
            if self.jobs[job].state == (State::Running { until: self.now }) {
                self.finish(job);
            }
        }
        for job in 0..self.jobs.len() {
            if let State::Loading { since, until } = self.jobs[job].state
                && until == self.now
            {
                self.jobs[job].load += until - since;
                self.settle(job);
                self.make_progress(job);
            }
        }
        for job in &mut self.jobs {
            if job.state == State::Future && job.work.submit == self.now {
                job.state = State::Waiting;
            }
        }
        let switch = self.slices.first().is_none_or(|(_, end)| *end == self.now);
        if switch {
            self.switch();
        }
        self.pass(switch);
        self.preempt_the_rest();
        self.check();
    }

    fn switch(&mut self) {
        if !self.slices.is_empty() {
            self.slices.remove(0);
        }
        if self.slices.is_empty() {
            assert_eq!(self.now % self.rules.interval, 0);
            self.slices = self.new_interval();
        }
        self.began.push((self.now, self.slices[0].0));
        for index in 0..self.jobs.len() {
            let now = self.now;
            let job = &mut self.jobs[index];
            if job.active() {
                self.taken_off.push((index, job.state));
                job.left = job.remaining_run(now);
                job.state = State::Preempted;
            }
        }
    }

    fn new_interval(&self) -> Vec<(Class, i64)> {
        let mut shares = self.rules.shares;
        if self.rules.adaptive {
            for (class, share) in BY_SLICE.into_iter().zip(&mut shares) {
                let of_class = |job: &&Job| job.class == class;
                let here = |job: &Job| job.allocated() || job.state == State::Waiting;
                if !self.jobs.iter().filter(of_class).any(here) {
                    *share = 0.0;
                }
            }
        }
        if shares.iter().sum::<f64>() == 0.0 {
            shares = self.rules.shares;
        }
        let whole: f64 = shares.iter().sum();
        let mut slices = Vec::new();
        let mut begin = self.now;
        let mut cumulative = 0.0;
        for (class, share) in BY_SLICE.into_iter().zip(shares) {
            cumulative += share;
            let end = self.now + (self.rules.interval as f64 * cumulative / whole).round() as i64;
            if end > begin {
                slices.push((class, end));
                begin = end;
            }
        }
        slices.last_mut().unwrap().1 = self.now + self.rules.interval;
        slices
    }

    fn finish(&mut self, job: usize) {
        for &node in &self.jobs[job].nodes {
            self.memories[node].forget(job);
        }
        self.jobs[job].state = State::Done;
        self.jobs[job].end = self.now;
        self.note(job, What::Finish, 0);
    }

    /// Puts the job into the memory of its nodes.
    fn settle(&mut self, job: usize) {
        let mut charged: Vec<(usize, i64)> = Vec::new();
        for node in self.jobs[job].nodes.clone() {
            charged.extend(self.memories[node].settle(job, self.jobs[job].work.memory));
        }
        for other in 0..self.jobs.len() {
            let of_other = charged.iter().filter(|(displaced, _)| *displaced == other);
            let Some(most) = of_other.map(|(_, amount)| *amount).max() else { continue };
            assert!(!self.jobs[other].active(), "an active job was displaced");
            let seconds = self.rules.seconds(most);
            if seconds > 0 {
                self.jobs[other].left += seconds;
                self.jobs[other].swap += seconds;
                self.note(other, What::SwapOut, seconds);
            }
        }
    }

    fn make_progress(&mut self, job: usize) {
        let left = self.jobs[job].left;
        self.jobs[job].state = State::Running { until: self.now + left };
        self.note(job, What::Run, left);
    }

    /// The load that a job with nodes would need now.
    pub fn load_needed(&self, job: usize) -> i64 {
        let missing = |node: &usize| self.jobs[job].work.memory - self.memories[*node].resident(job);
        self.rules.seconds(self.jobs[job].nodes.iter().map(missing).max().unwrap())
    }

    fn begin(&mut self, job: usize) {
        let load = self.load_needed(job);
        if load == 0 {
            self.settle(job);
            self.make_progress(job);
        } else {
            self.jobs[job].state = State::Loading { since: self.now, until: self.now + load };
            self.note(job, What::Load, load);
        }
    }

    /// Puts a preempted job back on its nodes.
    pub fn resume(&mut self, job: usize) {
        assert_eq!(self.jobs[job].state, State::Preempted);
        assert!(self.own_nodes_free(job));
        match self.taken_off.iter().position(|(taken, _)| *taken == job) {
            Some(index) => self.jobs[job].state = self.taken_off.remove(index).1,
            None => self.begin(job),
        }
    }

    /// Starts a waiting job on some of the candidates.
    pub fn start(&mut self, job: usize, candidates: &[usize]) {
        assert_eq!(self.jobs[job].state, State::Waiting);
        let known = candidates.iter().map(|node| self.candidate(*node)).collect();
        let Work { width, memory, .. } = self.jobs[job].work;
        self.jobs[job].nodes = choose(self.rules.place, known, width, memory);
        self.jobs[job].start = self.now;
        self.begin(job);
    }

    fn candidate(&self, node: usize) -> Candidate {
        let mut allocated = Vec::new();
        for (number, job) in self.jobs.iter().enumerate() {
            if job.allocated() && job.nodes.contains(&node) {
                allocated.push((job.remaining_run(self.now), number, job.work.memory));
            }
        }
        Candidate { node, capacity: self.rules.capacity, free: self.memories[node].free(), allocated }
    }

    /// Nodes on which no job loads or runs.
    pub fn free_nodes(&self) -> Vec<usize> {
        let busy = |node: &usize| self.jobs.iter().any(|job| job.active() && job.nodes.contains(node));
        (0..self.rules.nodes).filter(|node| !busy(node)).collect()
    }

    pub fn own_nodes_free(&self, job: usize) -> bool {
        let free = self.free_nodes();
        self.jobs[job].nodes.iter().all(|node| free.contains(node))
    }

    /// Whether a job of the class is allocated to the node.
    pub fn has_class(&self, node: usize, class: Class) -> bool {
        self.jobs.iter().any(|job| job.class == class && job.allocated() && job.nodes.contains(&node))
    }

    /// Jobs of a class in a state, in arrival order.
    pub fn jobs_in(&self, class: Class, state: State) -> Vec<usize> {
        let found = |job: &usize| self.jobs[*job].class == class && self.jobs[*job].state == state;
        (0..self.jobs.len()).filter(found).collect()
    }

    fn preempt_the_rest(&mut self) {
        for (job, was) in std::mem::take(&mut self.taken_off) {
            if let State::Loading { since, .. } = was {
                self.jobs[job].load += self.now - since;
            }
            self.jobs[job].suspensions += 1;
            self.note(job, What::Preempt, 0);
        }
    }

    fn note(&mut self, job: usize, what: What, seconds: i64) {
        let Job { work, nodes, .. } = &self.jobs[job];
        let nodes = if matches!(what, What::Load | What::Run) { nodes.clone() } else { Vec::new() };
        self.log.push(Event { at: self.now, job: work.id, what, nodes, seconds });
    }

    /// What holds after every instant.
    fn check(&self) {
        for node in 0..self.rules.nodes {
            let here = self.jobs.iter().filter(|job| job.active() && job.nodes.contains(&node));
            assert!(here.count() <= 1, "two jobs on a node");
            let memory = &self.memories[node];
            assert!(self.rules.last_displaced || memory.used() <= self.rules.capacity);
            assert!(memory.free() >= 0);
        }
    }

    fn outcome(mut self) -> Outcome {
        self.log.sort();
        let line = |job: Job| Line {
            id: job.work.id,
            start: job.start,
            end: job.end,
            load: job.load,
            swap: job.swap,
            suspensions: job.suspensions,
            nodes: job.nodes,
        };
        Outcome { lines: self.jobs.into_iter().map(line).collect(), log: self.log, slices: self.began }
    }
}
