//! Immediate service on one host: a test run, and the processors that its jobs lend to it.

use super::partition::Partition;
use crate::job::{JobSlot, Request};
use crate::kernel::Pass;
use crate::policy::immediate_service::Terms;
use crate::time::Time;

/// A test run.
#[derive(Debug)]
pub struct Test {
    /// The job that is tested.
    pub job: JobSlot,
    /// All the processors that it asks for.
    pub size: u32,
    /// What it holds of the host's memory.
    kb: u64,
    /// The end of its quantum.
    pub ends: Time,
    /// Jobs of the host with the processors that they are to get back; those that end are taken out.
    pub lenders: Vec<(JobSlot, u32)>,
}

impl Partition {
    /// Free memory, if a job can be tested here now.
    pub fn room_for_test(&self, request: &Request, terms: &Terms) -> Option<u64> {
        let fits = request.size <= self.processors && request.memory_kb.min(terms.initial_kb) <= self.free_kb;
        (fits && self.test.is_none()).then_some(self.free_kb)
    }

    /// Tests a job: on free processors first, then on those of the jobs here, one by one from the one that has the most, the last placed of these.
    pub fn test(&mut self, pass: &mut Pass<'_>, host: usize, job: JobSlot, terms: &Terms) {
        let Request { size, memory_kb, .. } = *pass.request(job);
        let mut owed = vec![0; self.members.len()];
        for _ in self.free().min(size)..size {
            let left = |place: &usize| self.members[*place].held - owed[*place];
            // The last of equal ones.
            if let Some(place) = (0..self.members.len()).max_by_key(left) {
                owed[place] += 1;
            }
        }
        let mut lenders = Vec::new();
        for (member, lent) in self.members.iter_mut().zip(owed).filter(|(_, lent)| *lent > 0) {
            member.held -= lent;
            let resized = pass.resize(member.job, member.held);
            debug_assert!(resized, "nothing is in the way of giving up processors");
            lenders.push((member.job, lent));
        }
        let (kb, ends) = (memory_kb.min(terms.initial_kb), pass.now() + terms.quantum);
        let nodes = pass.cluster().hosts().map(|hosts| hosts.get(host).nodes.clone());
        let free = nodes.and_then(|nodes| pass.cluster().free().first_in(nodes.start, nodes.end, size));
        let started = free.is_some_and(|free| pass.start_test(job, free, kb, !lenders.is_empty()));
        debug_assert!(started, "the host has the memory, and the processors were made free");
        self.free_kb -= kb;
        self.test = Some(Test { job, size, kb, ends, lenders });
        pass.wake_at(ends);
    }

    /// Ends the test if its job has ended or its time has come, and gives back what was lent; returns the job.
    pub fn end_test(&mut self, pass: &mut Pass<'_>, has_ended: bool) -> Option<JobSlot> {
        // A test whose job is done at the end of its quantum is over when the job has ended.
        let test =
            self.test.take_if(|test| has_ended || test.ends <= pass.now() && pass.requeue(test.job))?;
        self.free_kb += test.kb;
        for (job, lent) in test.lenders {
            if let Some(member) = self.members.iter_mut().find(|member| member.job == job) {
                member.held += lent;
                let resized = pass.resize(job, member.held);
                debug_assert!(resized, "the test has left its processors");
            }
        }
        self.due = Time::ZERO;
        Some(test.job)
    }
}
