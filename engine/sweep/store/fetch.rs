//! Reading results: those of some runs, or all.

use super::decode::{Defect, decode};
use super::head::{StoredHead, heads};
use super::info::SegmentInfo;
use super::load::read_whole;
use super::row::StoredRun;
use super::{Access, Store};
use crate::RunKey;
use crate::error::SweepError;
use bytes::Bytes;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

/// How often a store is opened anew for rows whose segment was merged into another one since.
const ATTEMPTS: usize = 4;

/// Rows of one segment, with where in the answer they belong.
type Wanted = HashMap<u32, Vec<usize>>;

/// Takes the rows of a segment in.
type Take<'t> = dyn FnMut(&SegmentInfo, Bytes) -> Result<(), Defect> + 't;

impl Store {
    /// The stored runs under these keys, in their order; `None` where there is none. Reads the segments concerned again. Rows
    /// that another process has moved to another segment since are found there.
    ///
    /// # Errors
    /// [`SweepError::SegmentLost`] where a segment has vanished or changed since it was indexed, and its rows are nowhere else.
    pub fn fetch(&self, keys: &[RunKey]) -> Result<Vec<Option<StoredRun>>, SweepError> {
        let mut found: Vec<Option<StoredRun>> = vec![None; keys.len()];
        let mut lost = self.fetch_into(keys, 0..keys.len(), &mut found);
        for _ in 0..ATTEMPTS {
            let Some(problem) = lost.pop() else { break };
            let rest: Vec<usize> = (0..keys.len())
                .filter(|at| found[*at].is_none() && self.index.get(&keys[*at]).is_some())
                .collect();
            let fresh = Store::open_on(Arc::clone(&self.disk), &self.folder, Access::Read)?;
            if rest.iter().any(|at| fresh.index.get(&keys[*at]).is_none()) {
                return Err(problem);
            }
            lost = fresh.fetch_into(keys, rest, &mut found);
        }
        lost.pop().map_or(Ok(found), Err)
    }

    /// Puts runs where they belong; returns why segments could not be read.
    fn fetch_into(
        &self,
        keys: &[RunKey],
        at: impl IntoIterator<Item = usize>,
        found: &mut [Option<StoredRun>],
    ) -> Vec<SweepError> {
        let mut wanted: HashMap<u32, Wanted> = HashMap::new();
        for at in at {
            if let Some(entry) = self.index.get(&keys[at]) {
                wanted.entry(entry.segment).or_default().entry(entry.row).or_default().push(at);
            }
        }
        let parts = wanted.into_par_iter().map(|(segment, rows)| self.fetch_from(segment, &rows));
        let parts: Vec<_> = parts.collect();
        let mut lost = Vec::new();
        for part in parts {
            match part {
                Ok(runs) => runs.into_iter().for_each(|(at, run)| found[at] = Some(run)),
                Err(problem) => lost.push(problem),
            }
        }
        lost
    }

    fn fetch_from(&self, segment: u32, rows: &Wanted) -> Result<Vec<(usize, StoredRun)>, SweepError> {
        let (mut row, mut found) = (0, Vec::new());
        self.rows_of(&self.segments[segment as usize].name, &mut |run| {
            for at in rows.get(&row).into_iter().flatten() {
                found.push((*at, run.clone()));
            }
            row += 1;
        })?;
        Ok(found)
    }

    /// Calls `visit` for every row of a segment. Only if the result is `Ok` may the rows be used.
    fn rows_of(&self, name: &str, visit: &mut dyn FnMut(StoredRun)) -> Result<(), SweepError> {
        decode(self.bytes_of(name)?, visit).map_err(|defect| self.lost(name, &defect))?;
        Ok(())
    }

    fn bytes_of(&self, name: &str) -> Result<Bytes, SweepError> {
        read_whole(&*self.disk, &self.folder, name).map_err(|unusable| self.lost(name, &unusable))
    }

    fn lost(&self, name: &str, why: &dyn fmt::Display) -> SweepError {
        SweepError::SegmentLost { path: self.folder.join(name), reason: why.to_string() }
    }

    /// Calls `visit` for every row of every segment, in the order of their names; a run that is in several segments is visited
    /// several times. One segment is in memory at a time. Segments that another process has merged since are looked for there.
    ///
    /// # Errors
    /// [`SweepError::SegmentLost`] where a segment has changed since it was indexed.
    pub fn scan(&self, visit: &mut dyn FnMut(&SegmentInfo, StoredRun)) -> Result<(), SweepError> {
        self.scan_segments(&mut |info, bytes| {
            let mut rows = Vec::with_capacity(info.rows);
            decode(bytes, &mut |run| rows.push(run))?;
            rows.into_iter().for_each(|run| visit(info, run));
            Ok(())
        })
    }

    /// As [`Store::scan`], without outcomes, of which nothing is decoded. On an error, rows may have been visited that must not
    /// be used.
    ///
    /// # Errors
    /// As [`Store::scan`].
    pub fn scan_heads(&self, visit: &mut dyn FnMut(&SegmentInfo, StoredHead<'_>)) -> Result<(), SweepError> {
        self.scan_segments(&mut |info, bytes| heads(bytes, &mut |head| visit(info, head)))
    }

    fn scan_segments(&self, take: &mut Take<'_>) -> Result<(), SweepError> {
        let mut done = BTreeSet::new();
        if self.scan_others(&mut done, take)?.is_none() {
            return Ok(());
        }
        for _ in 0..ATTEMPTS {
            let fresh = Store::open_on(Arc::clone(&self.disk), &self.folder, Access::Read)?;
            if fresh.scan_others(&mut done, take)?.is_none() {
                return Ok(());
            }
        }
        let path = self.folder.clone();
        Err(SweepError::SegmentLost { path, reason: "its segments are being merged all the time".to_owned() })
    }

    /// Scans the segments that are not `done`; returns the last one that was gone.
    fn scan_others(
        &self,
        done: &mut BTreeSet<String>,
        take: &mut Take<'_>,
    ) -> Result<Option<String>, SweepError> {
        let mut gone = None;
        for info in self.segments() {
            if done.contains(&info.name) {
                continue;
            }
            match self.bytes_of(&info.name) {
                Ok(bytes) => {
                    // Bytes that cannot be taken are no reason to look elsewhere: rows of them may have been visited.
                    take(info, bytes).map_err(|defect| self.lost(&info.name, &defect))?;
                    done.insert(info.name.clone());
                }
                Err(problem) => match self.disk.stat(&self.folder.join(&info.name)) {
                    Err(absent) if absent.kind() == std::io::ErrorKind::NotFound => {
                        gone = Some(info.name.clone());
                    }
                    _ => return Err(problem),
                },
            }
        }
        Ok(gone)
    }
}
