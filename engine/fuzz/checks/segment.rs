//! The segment reader: any bytes are either a segment, which is then what it claims to be, or refused.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use sweep::store::read_segment;
use sweep::{Access, RunKey, Status, Store, StoreWriter, StoredRun};

/// Every Parquet file begins so; other inputs describe a segment and what is done to it.
const MARK: &[u8] = b"PAR1";
/// Rows of a described segment.
const MOST_ROWS: usize = 12;

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether foreign bytes are being decoded now. The decoder may panic then: the reader catches that and refuses the bytes.
#[allow(dead_code)] // Only the fuzz target has a panic hook.
pub fn decoding() -> bool {
    DECODING.get()
}

/// Checks bytes as a segment. Bytes that do not begin like one describe rows, which are written as a segment, and then changes of
/// its bytes, none of which may pass unnoticed.
pub fn check(bytes: &[u8]) {
    if bytes.starts_with(MARK) {
        if let Ok(rows) = read(bytes) {
            write_and_read(&rows);
        }
        return;
    }
    let mut words = Words(bytes);
    let rows: Vec<StoredRun> = (0..words.below(MOST_ROWS)).map(|_| row(&mut words)).collect();
    let written = write_and_read(&rows);
    let mut changed = written.clone();
    while let (Some(high), Some(low), Some(mask)) = (words.next(), words.next(), words.next()) {
        let at = usize::from(u16::from_be_bytes([high, low]));
        if let Some(byte) = changed.get_mut(at) {
            *byte ^= mask;
        }
    }
    if changed != written
        && let Ok(read) = read(&changed)
    {
        assert_eq!(print(&read), print(&rows), "other rows than were written");
    }
}

fn read(bytes: &[u8]) -> Result<Vec<StoredRun>, String> {
    DECODING.set(true);
    let rows = read_segment(bytes).map_err(|defect| defect.to_string());
    DECODING.set(false);
    rows
}

/// Rows as text, in which one NaN equals another.
fn print(rows: &[StoredRun]) -> String {
    format!("{rows:?}")
}

/// Writes the rows into a store, reads them back in all ways, and returns the segment's bytes.
fn write_and_read(rows: &[StoredRun]) -> Vec<u8> {
    let folder = Folder::new();
    let writer = StoreWriter::open(&folder.0).unwrap_or_else(|problem| panic!("{problem}"));
    let path = match writer.write(rows) {
        Ok(Some(path)) => path,
        Ok(None) => {
            assert!(rows.is_empty(), "nothing was written");
            return Vec::new();
        }
        Err(problem) => panic!("rows that cannot be written: {problem}"),
    };
    let bytes = fs::read(&path).unwrap_or_else(|problem| panic!("{problem}"));
    match read(&bytes) {
        Ok(again) => assert_eq!(print(&again), print(rows), "written and read back"),
        Err(defect) => panic!("what was written cannot be read: {defect}"),
    }
    let mut store = Store::open(&folder.0, Access::Read).unwrap_or_else(|problem| panic!("{problem}"));
    let warnings = store.take_warnings();
    assert!(warnings.iter().all(|warning| warning.contains("nondeterminism")), "{warnings:?}");
    for row in rows {
        let any_ok = rows.iter().any(|other| other.key == row.key && other.result.is_ok());
        let status = if any_ok { Status::Ok } else { Status::Failed };
        assert_eq!(store.status(&row.key), Some(status));
    }
    bytes
}

/// A folder of this thread, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let own = format!("backsweep-fuzz-{}-{:?}", std::process::id(), std::thread::current().id());
        Folder(std::env::temp_dir().join(own))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind when this fails does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The rest of a description, read byte by byte.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(self.next().unwrap_or(0)) % end
    }

    fn take(&mut self, most: usize) -> &[u8] {
        let (taken, rest) = self.0.split_at(most.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn text(&mut self) -> String {
        let length = self.below(16);
        String::from_utf8_lossy(self.take(length)).into_owned()
    }

    fn hash(&mut self) -> [u8; 32] {
        // Few different ones, so that keys come twice.
        [self.next().unwrap_or(0); 32]
    }

    fn number(&mut self) -> f64 {
        let mut bits = [0; 8];
        let taken = self.take(8);
        bits[..taken.len()].copy_from_slice(taken);
        f64::from_bits(u64::from_be_bytes(bits))
    }

    fn values(&mut self, number: usize) -> Vec<Option<f64>> {
        (0..number).map(|_| (self.below(4) > 0).then(|| self.number())).collect()
    }
}

fn row(words: &mut Words<'_>) -> StoredRun {
    let result = match words.below(4) {
        0 => Err(words.text()),
        _ => Ok(sim::Outcome {
            metrics: sim::metrics::Metrics(words.values(sim::metrics::Metrics::NAMES.len())),
            groups: (0..words.below(3)).map(|_| group(words)).collect(),
        }),
    };
    StoredRun {
        key: RunKey(words.hash()),
        spec: words.text(),
        content: (words.below(2) > 0).then(|| words.hash()),
        model: words.hash(),
        cost_class: words.number().to_bits(),
        result,
        wall_s: words.number(),
    }
}

fn group(words: &mut Words<'_>) -> sim::metrics::GroupMetrics {
    let number = sim::metrics::GroupMetrics::NAMES.len();
    let (grouping, group) = (words.text(), words.text());
    sim::metrics::GroupMetrics { grouping, group, values: words.values(number) }
}
