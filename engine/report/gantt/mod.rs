//! Gantt charts of schedules: nodes × time, a rectangle for every piece of a job on every range of neighbouring nodes, as a picture
//! (SVG) or as a page that zooms and tells (HTML). After Esbaugh's thesis, Appendix E and Fig. 25.
//!
//! * A chart is plain numbers; who simulates fills it in. The same chart gives the same bytes: no font, clock or environment is
//!   consulted.
//! * Nothing disappears: rectangles too small for the picture are drawn together as shades, and a note counts them.
//! * The page is one file without network: data, style and program are in it.

mod clock;
mod colouring;
mod html;
mod picture;
mod shades;
mod svg;
#[cfg(test)]
mod tests;

pub use colouring::Colouring;

/// A schedule to be drawn. Times are microseconds since the origin of the workload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// What it is, in a line.
    pub title: String,
    /// The facts of the case, a line each.
    pub facts: Vec<String>,
    /// Nodes of the machine, numbered from 0.
    pub nodes: u32,
    /// Where the run-time classes end, in words: short, medium, long.
    pub classes: [String; 3],
    /// The jobs.
    pub jobs: Vec<Job>,
    /// What they occupied, in any order.
    pub pieces: Vec<Piece>,
    /// When suspended jobs lost memory to others.
    pub swaps: Vec<Swap>,
    /// When slices began, and the class they belong to; in order of time.
    pub slices: Vec<(i64, String)>,
}

/// A class of jobs by run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Class {
    /// The shortest.
    #[default]
    Short,
    /// Those between.
    Medium,
    /// The longest.
    Long,
}

/// The facts of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// Its number.
    pub id: u64,
    /// Its class by run time.
    pub class: Class,
    /// Nodes.
    pub size: u32,
    /// Memory per node in kilobytes.
    pub memory_kb: u64,
    /// Submission.
    pub submit_us: i64,
    /// First start; none if it never started.
    pub start_us: Option<i64>,
    /// Finish or kill.
    pub end_us: i64,
    /// Run time without loading.
    pub run_us: i64,
    /// Requested time.
    pub estimate_us: i64,
    /// Time spent loading memory.
    pub load_us: i64,
    /// Time charged for memory that others displaced.
    pub swap_us: i64,
    /// How often it was suspended.
    pub suspensions: u32,
    /// Whether it was killed.
    pub killed: bool,
}

impl Job {
    /// From submission to first start, to the end if it never started.
    pub fn wait_us(&self) -> i64 {
        self.start_us.unwrap_or(self.end_us) - self.submit_us
    }
}

/// What a job does on its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It loads its memory and makes no progress.
    Loading,
    /// It runs.
    Running,
}

/// A job on a range of neighbouring nodes without interruption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Position of the job in [`Chart::jobs`].
    pub job: usize,
    /// The lowest node.
    pub first: u32,
    /// The highest node.
    pub last: u32,
    /// From.
    pub from_us: i64,
    /// To.
    pub to_us: i64,
    /// What it does.
    pub kind: Kind,
}

/// A suspended job was displaced from memory, and will have to load again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swap {
    /// Position of the job in [`Chart::jobs`].
    pub job: usize,
    /// When.
    pub at_us: i64,
    /// The time that it is charged.
    pub charge_us: i64,
}

/// What of a chart is shown, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// From.
    pub from_us: i64,
    /// To; later than `from_us`.
    pub to_us: i64,
    /// What colours mean; on a page to begin with.
    pub colouring: Colouring,
}

/// A finished document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its text.
    pub text: String,
    /// Rectangles of pieces that lie in the view, at least in part.
    pub rectangles: usize,
    /// How many of them are too small to be drawn one by one, and are in shades.
    pub shaded: usize,
}

impl Chart {
    /// The first submission or start, and the last end; `None` of an empty chart.
    pub fn span_us(&self) -> Option<(i64, i64)> {
        let from =
            self.jobs.iter().map(|job| job.submit_us).chain(self.pieces.iter().map(|piece| piece.from_us));
        let to = self.pieces.iter().map(|piece| piece.to_us);
        Some((from.min()?, to.max()?))
    }

    /// A picture of a part of the chart.
    pub fn svg(&self, view: View) -> Document {
        svg::document(self, view)
    }

    /// A page with a part of the chart.
    pub fn html(&self, view: View) -> Document {
        html::document(self, view)
    }

    /// The pieces that lie in the view, at least in part, by start, then by node and end: an order that does not depend on theirs.
    fn seen(&self, view: View) -> Vec<Piece> {
        let seen = |piece: &&Piece| piece.from_us < view.to_us && piece.to_us > view.from_us;
        let mut pieces: Vec<Piece> = self.pieces.iter().filter(seen).copied().collect();
        pieces.sort_by_key(|piece| (piece.from_us, piece.first, piece.to_us, piece.job));
        pieces
    }

    /// The swaps in the view, in order of time.
    fn swaps_seen(&self, view: View) -> Vec<Swap> {
        let seen = |swap: &&Swap| (view.from_us..=view.to_us).contains(&swap.at_us);
        let mut swaps: Vec<Swap> = self.swaps.iter().filter(seen).copied().collect();
        swaps.sort_by_key(|swap| (swap.at_us, swap.job));
        swaps
    }

    /// The slices that lie in the view, at least in part: from, to, class.
    fn slices_seen(&self, view: View) -> Vec<(i64, i64, &str)> {
        let ends = self.slices.iter().skip(1).map(|(from, _)| *from).chain([i64::MAX]);
        let slices = self.slices.iter().zip(ends).map(|((from, name), to)| (*from, to, name.as_str()));
        slices.filter(|(from, to, _)| *from < view.to_us && *to > view.from_us).collect()
    }
}
