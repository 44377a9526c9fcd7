//! A file system on which the n-th operation fails, and what the store makes of it.
#![allow(clippy::unwrap_used)]

use super::compact::merge_all;
use super::disk::{Disk, NewFile, RealDisk, Stat};
use super::gc::{Collector, GcRules};
use super::repair::mend;
use super::rewrite::Workshop;
use super::tests::{failed, files, row};
use super::verify::survey;
use super::*;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Once, with an input or output error.
    Error,
    /// Once, for lack of room.
    NoSpace,
    /// From then on nothing that needs room succeeds.
    Full,
    /// Half of the bytes are written, then there is an error.
    ShortWrite,
    /// Half of the bytes are written and nobody says so, as after a loss of power.
    TornWrite,
    /// Half of the bytes are read and nobody says so.
    ShortRead,
    /// Names cannot be changed or removed, once.
    Refused,
    /// From then on nothing can be changed.
    ReadOnly,
    /// From then on nothing succeeds: the process is as good as dead.
    Dead,
}

const FAULTS: [Fault; 9] = [
    Fault::Error,
    Fault::NoSpace,
    Fault::Full,
    Fault::ShortWrite,
    Fault::TornWrite,
    Fault::ShortRead,
    Fault::Refused,
    Fault::ReadOnly,
    Fault::Dead,
];

/// What kind of operation is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Look,
    Read,
    Create,
    Write,
    Sync,
    Name,
}

impl Fault {
    /// Whether an operation of this kind can fail so.
    fn hits(self, kind: Kind) -> bool {
        match self {
            Fault::Error | Fault::Dead => true,
            Fault::NoSpace | Fault::Full => matches!(kind, Kind::Create | Kind::Write | Kind::Sync),
            Fault::ShortWrite | Fault::TornWrite => kind == Kind::Write,
            Fault::ShortRead => kind == Kind::Read,
            Fault::Refused => kind == Kind::Name,
            Fault::ReadOnly => !matches!(kind, Kind::Look | Kind::Read),
        }
    }

    fn lasts(self) -> bool {
        matches!(self, Fault::Full | Fault::ReadOnly | Fault::Dead)
    }

    fn error(self) -> io::Error {
        match self {
            Fault::NoSpace | Fault::Full => ErrorKind::StorageFull.into(),
            Fault::Refused => ErrorKind::PermissionDenied.into(),
            Fault::ReadOnly => ErrorKind::ReadOnlyFilesystem.into(),
            _ => io::Error::other("input/output error"),
        }
    }
}

/// The real file system with one fault in it.
#[derive(Debug)]
struct FaultyDisk {
    fault: Fault,
    /// Which of the operations that can fail so does.
    at: usize,
    count: Arc<AtomicUsize>,
}

impl FaultyDisk {
    fn new(fault: Fault, at: usize) -> FaultyDisk {
        FaultyDisk { fault, at, count: Arc::default() }
    }

    fn was_hit(&self) -> bool {
        self.count.load(Ordering::Relaxed) > self.at
    }

    /// Counts an operation, and says whether it fails.
    fn fails(&self, kind: Kind) -> bool {
        if !self.fault.hits(kind) {
            return false;
        }
        let now = self.count.fetch_add(1, Ordering::Relaxed);
        now == self.at || (now > self.at && self.fault.lasts())
    }

    fn pass(&self, kind: Kind) -> io::Result<()> {
        if self.fails(kind) { Err(self.fault.error()) } else { Ok(()) }
    }
}

impl Disk for FaultyDisk {
    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.pass(Kind::Look)?;
        RealDisk.names(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.pass(Kind::Look)?;
        RealDisk.stat(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.fails(Kind::Read) {
            if self.fault != Fault::ShortRead {
                return Err(self.fault.error());
            }
            return RealDisk.read(path).map(|bytes| bytes[..bytes.len() / 2].to_vec());
        }
        RealDisk.read(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile>> {
        self.pass(Kind::Create)?;
        let disk = FaultyDisk { fault: self.fault, at: self.at, count: Arc::clone(&self.count) };
        Ok(Box::new(FaultyFile { file: fs::File::create_new(path)?, disk }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.pass(Kind::Name)?;
        RealDisk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.pass(Kind::Name)?;
        RealDisk.remove(path)
    }

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        self.pass(Kind::Create)?;
        RealDisk.make_folder(folder)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // No power is lost here, so nothing has to be made durable.
        let _ = folder;
        self.pass(Kind::Sync)
    }
}

struct FaultyFile {
    file: fs::File,
    disk: FaultyDisk,
}

impl NewFile for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.disk.fails(Kind::Write) {
            return NewFile::write(&mut self.file, bytes);
        }
        NewFile::write(&mut self.file, &bytes[..bytes.len() / 2])?;
        if self.disk.fault == Fault::TornWrite { Ok(()) } else { Err(self.disk.fault.error()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.pass(Kind::Sync)
    }
}

/// What a scenario brought: the rows that must be there now, and the errors and warnings that were shown.
struct Told {
    safe: Vec<StoredRun>,
    words: Vec<String>,
}

/// Lets every operation of a scenario fail in every way, one after the other, and checks each time that no row is lost in
/// silence and that a clean repair makes the store sound. Returns how many faults were met.
fn every_fault(name: &str, prepare: impl FnOnce(&Path), act: impl Fn(Arc<dyn Disk>, &Path) -> Told) -> usize {
    let template = TempDir::new().unwrap();
    prepare(&template.path().join("store"));
    let mut faults = 0;
    for fault in FAULTS {
        for at in 0.. {
            let parent = TempDir::new().unwrap();
            let folder = parent.path().join("store");
            copy(&template.path().join("store"), &folder);
            let disk = Arc::new(FaultyDisk::new(fault, at));
            let told = act(Arc::clone(&disk) as Arc<dyn Disk>, &folder);
            if !disk.was_hit() {
                break;
            }
            faults += 1;
            check(&format!("{name}: {fault:?} at {at}"), fault, &folder, &told);
        }
    }
    faults
}

/// Copies a store, if it exists.
fn copy(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else { return };
    fs::create_dir(to).unwrap();
    for entry in entries {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)
        } else {
            drop(fs::copy(entry.path(), target))
        }
    }
}

fn check(scene: &str, fault: Fault, folder: &Path, told: &Told) {
    let mut before = Store::open(folder, Access::Read).unwrap();
    let warnings = before.take_warnings();
    mend(&Workshop::new(folder), false).unwrap();
    assert!(survey(&Workshop::new(folder)).unwrap().is_sound(), "{scene}");
    let store = Store::open(folder, Access::Read).unwrap();
    let keys: Vec<RunKey> = told.safe.iter().map(|row| row.key).collect();
    let found = store.fetch(&keys).unwrap();
    for (row, found) in told.safe.iter().zip(found) {
        match found {
            Some(found) => assert_eq!(found.result, row.result, "{scene}"),
            // Nobody told the writer; whoever opens the store is told.
            None => {
                assert_eq!(fault, Fault::TornWrite, "{scene}: a row is lost");
                assert!(warnings.iter().any(|warning| warning.contains("torn or altered")), "{scene}");
            }
        }
    }
    for words in &told.words {
        assert!(words.contains("store"), "{scene}: `{words}` does not say where");
    }
}

fn write_clean(folder: &Path, rows: &[StoredRun]) -> PathBuf {
    StoreWriter::open(folder).unwrap().write(rows).unwrap().unwrap()
}

/// Four sound segments with a run in two of them, a failed run, and an outcome after a failure.
fn four_segments(folder: &Path) -> Vec<StoredRun> {
    write_clean(folder, &[row(1, 1.0), row(2, 2.0)]);
    write_clean(folder, &[row(2, 2.0), row(3, 3.0)]);
    write_clean(folder, &[failed(4), failed(5)]);
    write_clean(folder, &[row(5, 5.0), row(6, 6.0)]);
    vec![row(1, 1.0), row(2, 2.0), row(3, 3.0), failed(4), row(5, 5.0), row(6, 6.0)]
}

fn damaged(folder: &Path) -> Vec<StoredRun> {
    let rows = four_segments(folder);
    fs::write(folder.join("seg-00000000001-host-1-0123456789abcdef.parquet"), b"PAR1 half").unwrap();
    let sound = write_clean(folder, &[row(7, 7.0)]);
    fs::create_dir(folder.join(QUARANTINE)).unwrap();
    fs::rename(&sound, folder.join(QUARANTINE).join(sound.file_name().unwrap())).unwrap();
    rows
}

/// The words of an error, if there is one.
fn words<T>(result: Result<T, SweepError>) -> Vec<String> {
    result.err().map(|problem| crate::chain(&problem)).into_iter().collect()
}

fn write(disk: Arc<dyn Disk>, folder: &Path) -> Told {
    let mut told = Told { safe: Vec::new(), words: Vec::new() };
    match StoreWriter::open_on(disk, folder) {
        Err(problem) => told.words = words::<()>(Err(problem)),
        Ok(writer) => {
            for rows in [[row(1, 1.0), row(2, 2.0)], [row(3, 3.0), row(4, 4.0)]] {
                match writer.write(&rows) {
                    Ok(_) => told.safe.extend(rows),
                    Err(problem) => told.words.extend(words::<()>(Err(problem))),
                }
            }
        }
    }
    told
}

/// Whatever is answered must be right.
fn open_and_fetch(disk: Arc<dyn Disk>, folder: &Path, rows: &[StoredRun]) -> Vec<String> {
    let mut store = match Store::open_on(disk, folder, Access::Write) {
        Ok(store) => store,
        Err(problem) => return words::<()>(Err(problem)),
    };
    let mut told = store.take_warnings();
    let keys: Vec<RunKey> = rows.iter().map(|row| row.key).collect();
    match store.fetch(&keys) {
        Err(problem) => told.extend(words::<()>(Err(problem))),
        Ok(found) => {
            for (row, found) in rows.iter().zip(found) {
                match found {
                    Some(found) => assert!(found.result == row.result || found.result.is_err()),
                    None => assert!(!told.is_empty(), "a run is missing and nobody says why"),
                }
            }
        }
    }
    told
}

#[test]
fn no_fault_of_the_disk_loses_a_row_in_silence() {
    let shop = |disk: Arc<dyn Disk>, folder: &Path| Workshop { disk, folder: folder.to_owned() };
    let all = |folder: &Path| drop(four_segments(folder));
    let rows = four_segments(TempDir::new().unwrap().path());
    let told = |words: Vec<String>| Told { safe: rows.clone(), words };
    let counts = [
        ("write", every_fault("write", |_| (), write)),
        (
            "open and fetch",
            every_fault(
                "open",
                |folder| drop(damaged(folder)),
                |disk, folder| told(open_and_fetch(disk, folder, &rows)),
            ),
        ),
        (
            "compact",
            every_fault("compact", all, |disk, folder| {
                told(words(merge_all(&shop(disk, folder), false, 100)))
            }),
        ),
        (
            "repair",
            every_fault(
                "repair",
                |folder| drop(damaged(folder)),
                |disk, folder| told(words(mend(&shop(disk, folder), false))),
            ),
        ),
        ("verify", every_fault("verify", all, |disk, folder| told(words(survey(&shop(disk, folder)))))),
        ("gc", every_fault("gc", all, |disk, folder| gc(&shop(disk, folder), &rows))),
    ];
    let list: Vec<String> = counts.iter().map(|(name, faults)| format!("{name} {faults}")).collect();
    let sum: usize = counts.iter().map(|(_, faults)| faults).sum();
    // Past the test's own capture, because the number is of interest.
    let _ = writeln!(io::stdout(), "faults of the disk survived: {sum} ({})", list.join(", "));
    assert!(counts.iter().all(|(_, faults)| *faults > 10));
}

/// Keeps the odd rows.
fn gc(workshop: &Workshop, rows: &[StoredRun]) -> Told {
    let kept: Vec<StoredRun> = rows.iter().step_by(2).cloned().collect();
    let keep = kept.iter().map(|row| row.key).collect();
    let rules = GcRules { keep: Some(keep), ..GcRules::default() };
    Told { safe: kept, words: words(Collector { workshop, rules: &rules, dry: false, now: 0 }.run()) }
}

#[test]
fn without_faults_the_scenarios_do_their_work() {
    let parent = TempDir::new().unwrap();
    let folder = parent.path().join("store");
    damaged(&folder);
    let done = mend(&Workshop::new(&folder), false).unwrap();
    assert_eq!((done.set_aside.len(), done.taken_back.len()), (1, 1));
    let merged = merge_all(&Workshop::new(&folder), false, 100).unwrap();
    assert_eq!((merged.before, merged.after, merged.dropped), (5, 1, 2));
    assert_eq!(files(&folder).len(), 2, "a segment and the quarantine");
}
