//! Sizes by iterative search as Fig. 6 of Sabin, Lang & Sadayappan 2006 prints it: every trial makes the whole schedule anew, and every candidate is
//! found by looking at all jobs. Knows nothing of the library; times are ticks.

/// A waiting job: the least size that it may have, and how long it is expected to run on that size and each larger one.
pub struct Waiting {
    pub least: u32,
    pub times: Vec<i64>,
}

/// The size and the start of every job, and the trials: job, size, whether it stayed.
pub type Plan = (Vec<(u32, i64)>, Vec<(usize, u32, bool)>);

/// Plans `queue` from now on, where `free` says when how many nodes are free, if nothing of the queue runs; the first begins now.
pub fn plan(free: &[(i64, i64)], queue: &[Waiting]) -> Plan {
    let mut more = vec![0; queue.len()];
    let mut marked = vec![false; queue.len()];
    let mut trials = Vec::new();
    let mut best = schedule(free, queue, &more);
    while let Some(job) = unmarked_candidate(queue, &more, &marked) {
        more[job] += 1;
        let tried = schedule(free, queue, &more);
        let improved = turnarounds(&tried, queue, &more)
            < turnarounds(&best, queue, &{
                let mut before = more.clone();
                before[job] -= 1;
                before
            });
        trials.push((job, queue[job].least + more[job] as u32, improved));
        if improved {
            best = tried;
        } else {
            marked[job] = true;
            more[job] -= 1;
        }
    }
    let sized = best.iter().zip(queue).zip(&more);
    (sized.map(|((start, job), more)| (job.least + *more as u32, *start)).collect(), trials)
}

fn unmarked_candidate(queue: &[Waiting], more: &[usize], marked: &[bool]) -> Option<usize> {
    let (mut best_improvement, mut best_job) = (0, None);
    for job in 0..queue.len() {
        let times = &queue[job].times;
        if marked[job] || more[job] + 1 == times.len() {
            continue;
        }
        let improvement = times[more[job]] - times[more[job] + 1];
        if improvement > best_improvement {
            (best_improvement, best_job) = (improvement, Some(job));
        }
    }
    best_job
}

/// The sum, which falls whenever the average does; all jobs are there, so submit times do not matter.
fn turnarounds(starts: &[i64], queue: &[Waiting], more: &[usize]) -> i128 {
    let ends = starts.iter().zip(queue).zip(more).map(|((start, job), more)| start + job.times[*more]);
    ends.map(i128::from).sum()
}

/// The starts of a conservative schedule in arrival order.
fn schedule(free: &[(i64, i64)], queue: &[Waiting], more: &[usize]) -> Vec<i64> {
    let mut free = free.to_vec();
    let sized =
        queue.iter().zip(more).map(|(job, more)| (i64::from(job.least) + *more as i64, job.times[*more]));
    sized.map(|(size, duration)| place(&mut free, size, duration)).collect()
}

/// Places a job at the earliest start at which it fits for all of its time.
fn place(free: &mut Vec<(i64, i64)>, size: i64, duration: i64) -> i64 {
    let mut begin = 0;
    let mut end = 0;
    let start = loop {
        let start = free[begin].0;
        while end < free.len() && free[end].0 < start + duration && free[end].1 >= size {
            end += 1;
        }
        if end == free.len() || free[end].0 >= start + duration {
            break start;
        }
        begin = end + 1;
        end = begin;
    };
    for at in [start, start + duration] {
        if let Err(index) = free.binary_search_by_key(&at, |step| step.0) {
            free.insert(index, (at, free[index - 1].1));
        }
    }
    free.iter_mut()
        .filter(|step| (start..start + duration).contains(&step.0))
        .for_each(|step| step.1 -= size);
    start
}
