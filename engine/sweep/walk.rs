//! The walk over the points of a grid. It needs constant memory and skips whole blocks of points as soon as the dimensions of a
//! rule have decided against them.

use crate::grid::Grid;

/// A walk over points: an odometer whose last dimension turns fastest.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// Positions on all dimensions; those that do not turn stay at 0.
    index: Vec<usize>,
    /// The dimensions that turn, ascending.
    active: Vec<usize>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Fresh,
    Running,
    Done,
}

impl Walk {
    pub(crate) fn over(grid: &Grid, active: Vec<usize>) -> Walk {
        let empty = active.iter().any(|&dimension| grid.len_of(dimension) == 0);
        let state = if empty { State::Done } else { State::Fresh };
        Walk { index: vec![0; grid.dimensions()], active, state }
    }

    /// The next point that no rule drops. `grid` must be the one that the walk was made for.
    pub(crate) fn next(&mut self, grid: &Grid) -> Option<&[usize]> {
        match self.state {
            State::Done => return None,
            State::Fresh => self.state = State::Running,
            State::Running => self.turn(grid, usize::MAX),
        }
        while self.state == State::Running {
            match grid.dropped_at(&self.index) {
                None => return Some(&self.index),
                // Nothing that lies deeper can bring the point back.
                Some(depth) => self.turn(grid, depth),
            }
        }
        None
    }

    /// Advances the deepest turning dimension that is not deeper than `depth`, and resets those below it.
    fn turn(&mut self, grid: &Grid, depth: usize) {
        let mut at = self.active.partition_point(|&dimension| dimension <= depth);
        for &deeper in &self.active[at..] {
            self.index[deeper] = 0;
        }
        while at > 0 {
            at -= 1;
            let dimension = self.active[at];
            self.index[dimension] += 1;
            if self.index[dimension] < grid.len_of(dimension) {
                return;
            }
            self.index[dimension] = 0;
        }
        self.state = State::Done;
    }
}
