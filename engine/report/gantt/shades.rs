//! Rectangles that are too small to be drawn one by one, drawn together: the picture is divided into cells, and a cell is painted in
//! the colour that covers most of it, the stronger the more of it is covered at all.

use std::collections::BTreeMap;

/// Pixels of a cell's side, and where there are more rectangles than [`MANY`], so that the document stays small.
const FINE: f64 = 2.0;
const COARSE: f64 = 4.0;
const MANY: usize = 50_000;
/// Strengths of a colour; the least that is covered has the first.
pub(super) const LEVELS: u8 = 4;

/// A rectangle in pixels: left, top, right, bottom.
pub(super) type Rectangle = [f64; 4];

/// What covers the cells of a plot.
pub(super) struct Shades {
    columns: usize,
    rows: usize,
    colours: usize,
    /// Pixels of a cell's side.
    cell: f64,
    /// Pixels² by row, column and colour; empty until something is added.
    covered: Vec<f32>,
}

impl Shades {
    /// Nothing yet, on a plot of this size, in so many colours, for so many rectangles.
    pub fn new((width, height): (f64, f64), colours: usize, rectangles: usize) -> Shades {
        let cell = if rectangles > MANY { COARSE } else { FINE };
        let cells = |pixels: f64| (pixels / cell).ceil().max(1.0) as usize;
        Shades { columns: cells(width), rows: cells(height), colours, cell, covered: Vec::new() }
    }

    /// Adds a rectangle within the plot.
    pub fn add(&mut self, [left, top, right, bottom]: Rectangle, colour: usize) {
        if self.covered.is_empty() {
            self.covered = vec![0.0; self.columns * self.rows * self.colours];
        }
        for (row, high) in overlaps(top, bottom, self.rows, self.cell) {
            for (column, wide) in overlaps(left, right, self.columns, self.cell) {
                self.covered[(row * self.columns + column) * self.colours + colour] += (high * wide) as f32;
            }
        }
    }

    /// What to paint, by colour and level: rectangles of cells, none of which overlap.
    pub fn painted(&self) -> BTreeMap<(usize, u8), Vec<Rectangle>> {
        let mut painted: BTreeMap<(usize, u8), Vec<Rectangle>> = BTreeMap::new();
        if self.covered.is_empty() {
            return painted;
        }
        // Runs of equal cells of the row above, by their ends, that may be continued downwards.
        let mut above: BTreeMap<(usize, usize), ((usize, u8), usize)> = BTreeMap::new();
        for row in 0..self.rows {
            let mut runs = BTreeMap::new();
            for (from, to, paint) in self.runs(row) {
                let pixel = |cell: usize| cell as f64 * self.cell;
                let rectangles = painted.entry(paint).or_default();
                let at = match above.get(&(from, to)) {
                    Some((same, at)) if *same == paint => {
                        rectangles[*at][3] = pixel(row + 1);
                        *at
                    }
                    _ => {
                        rectangles.push([pixel(from), pixel(row), pixel(to), pixel(row + 1)]);
                        rectangles.len() - 1
                    }
                };
                runs.insert((from, to), (paint, at));
            }
            above = runs;
        }
        painted
    }

    /// Neighbouring cells of a row that look alike.
    fn runs(&self, row: usize) -> Vec<(usize, usize, (usize, u8))> {
        let mut runs: Vec<(usize, usize, (usize, u8))> = Vec::new();
        for column in 0..self.columns {
            let Some(paint) = self.look(row, column) else { continue };
            match runs.last_mut() {
                Some((_, to, same)) if *to == column && *same == paint => *to += 1,
                _ => runs.push((column, column + 1, paint)),
            }
        }
        runs
    }

    /// The colour that covers most of a cell (of equal ones the first), and how much is covered at all.
    fn look(&self, row: usize, column: usize) -> Option<(usize, u8)> {
        let at = (row * self.columns + column) * self.colours;
        let covered = &self.covered[at..at + self.colours];
        let total: f64 = covered.iter().copied().map(f64::from).sum();
        if total <= 0.0 {
            return None;
        }
        let mut most = 0;
        for (colour, area) in covered.iter().enumerate() {
            if *area > covered[most] {
                most = colour;
            }
        }
        let level =
            (total / (self.cell * self.cell) * f64::from(LEVELS)).round().clamp(1.0, f64::from(LEVELS));
        Some((most, level as u8))
    }
}

/// The cells of a line that an interval lies in, and how many pixels of each it covers.
fn overlaps(from: f64, to: f64, cells: usize, side: f64) -> impl Iterator<Item = (usize, f64)> {
    let first = (from / side).floor().max(0.0) as usize;
    let last = ((to / side).ceil() as usize).min(cells);
    (first..last).map(move |cell| {
        let (low, high) = (cell as f64 * side, (cell + 1) as f64 * side);
        (cell, (to.min(high) - from.max(low)).max(0.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_the_colour_of_most_and_the_strength_of_all() {
        let mut shades = Shades::new((8.0, 4.0), 2, 2);
        assert!(shades.painted().is_empty());
        shades.add([0.0, 0.0, 1.0, 2.0], 0);
        shades.add([1.0, 0.0, 2.0, 1.5], 1);
        let painted = shades.painted();
        assert_eq!(painted.into_iter().collect::<Vec<_>>(), [((0, 4), vec![[0.0, 0.0, 2.0, 2.0]])]);
    }

    #[test]
    fn the_least_area_leaves_a_trace() {
        let mut shades = Shades::new((8.0, 4.0), 1, 1);
        shades.add([7.999, 3.999, 8.0, 4.0], 0);
        assert_eq!(shades.painted().get(&(0, 1)), Some(&vec![[6.0, 2.0, 8.0, 4.0]]));
    }

    #[test]
    fn cells_that_look_alike_are_one_rectangle() {
        let mut shades = Shades::new((20.0, 20.0), 1, 2);
        shades.add([2.0, 4.0, 10.0, 12.0], 0);
        shades.add([12.0, 4.0, 14.0, 6.0], 0);
        let expected = vec![[2.0, 4.0, 10.0, 12.0], [12.0, 4.0, 14.0, 6.0]];
        assert_eq!(shades.painted().get(&(0, 4)), Some(&expected));
    }
}
