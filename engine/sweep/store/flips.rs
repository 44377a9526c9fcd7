//! Every byte of a segment altered, every length cut off.
#![allow(clippy::unwrap_used)]

use super::decode::{decode, index};
use super::info::{NameParts, segment_name};
use super::tests::{failed, files, row};
use super::*;
use bytes::Bytes;
use std::fs;
use std::io::{self, Write};
use tempfile::TempDir;

fn segment() -> (Vec<StoredRun>, Vec<u8>, String) {
    let rows = vec![row(1, 1.0), failed(2)];
    let folder = TempDir::new().unwrap();
    let path = StoreWriter::open(folder.path()).unwrap().write(&rows).unwrap().unwrap();
    (rows, fs::read(&path).unwrap(), path.file_name().unwrap().to_str().unwrap().to_owned())
}

/// A file that is not what its name promises is set aside, and the next run writes its rows again.
fn assert_set_aside_and_written_again(folder: &Path, name: &str, bytes: &[u8], rows: &[StoredRun]) {
    fs::write(folder.join(name), bytes).unwrap();
    let mut store = Store::open(folder, Access::Write).unwrap();
    assert!(store.is_empty(), "{} bytes", bytes.len());
    assert!(store.take_warnings().iter().any(|warning| warning.contains("torn or altered")));
    assert_eq!(files(&folder.join(QUARANTINE)), [name]);
    assert!(rows.iter().all(|row| store.status(&row.key).is_none()));
}

#[test]
fn every_altered_byte_and_every_length_is_noticed() {
    let (rows, bytes, name) = segment();
    let folder = TempDir::new().unwrap();
    let mut cases = 0;
    for at in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[at] ^= 1 << (at % 8);
        let parts = NameParts::of(&name).unwrap();
        assert!(!parts.matches(&altered) && !parts.matches(&bytes[..at]), "byte {at}");
        // Through the whole store for some of them, because that takes its time.
        if at % 23 == 0 {
            assert_set_aside_and_written_again(folder.path(), &name, &altered, &rows);
            assert_set_aside_and_written_again(folder.path(), &name, &bytes[..at], &rows);
        }
        cases += 2;
    }
    StoreWriter::open(folder.path()).unwrap().write(&rows).unwrap();
    let mut store = Store::open(folder.path(), Access::Read).unwrap();
    assert_eq!((store.len(), store.take_warnings()), (2, Vec::new()));
    let _ = writeln!(io::stdout(), "altered and cut segments noticed by their name: {cases}");
}

/// With a forged name the decoder and the checksum see the bytes: what they let pass is what was written.
#[test]
fn altered_bytes_under_a_fitting_name_are_noticed_too() {
    let (rows, bytes, _) = segment();
    let folder = TempDir::new().unwrap();
    let (mut refused, mut harmless) = (0, 0);
    for at in 0..bytes.len() {
        let bits = if at % 16 == 0 { 0..8 } else { at % 8..at % 8 + 1 };
        for bit in bits {
            let mut altered = bytes.clone();
            altered[at] ^= 1 << bit;
            // Opening may be deceived, but does not panic.
            let _ = index(Bytes::from(altered.clone()), &mut |_| ());
            let mut found = Vec::new();
            match decode(Bytes::from(altered), &mut |run| found.push(run)) {
                Ok(_) => {
                    assert_eq!(found, rows, "bit {bit} of byte {at}");
                    harmless += 1;
                }
                Err(_) => refused += 1,
            }
        }
        assert!(read_segment(&bytes[..at]).is_err(), "the first {at} bytes");
    }
    // Bytes that nobody reads: statistics, the name of the writing program.
    assert!(harmless < refused, "{harmless} of {refused}");
    let _ = writeln!(
        io::stdout(),
        "altered segments under a fitting name: {refused} refused, {harmless} harmless"
    );

    // Through the whole store: never a wrong row.
    for at in (0..bytes.len()).step_by(41) {
        let mut altered = bytes.clone();
        altered[at] ^= 0x10;
        let name = segment_name(1, "host", 1, &altered);
        fs::write(folder.path().join(&name), &altered).unwrap();
        let store = Store::open(folder.path(), Access::Read).unwrap();
        let keys: Vec<RunKey> = rows.iter().map(|row| row.key).collect();
        if let Ok(found) = store.fetch(&keys) {
            for (found, row) in found.iter().zip(&rows) {
                assert!(found.as_ref().is_none_or(|found| found == row), "byte {at}");
            }
        }
        fs::remove_file(folder.path().join(&name)).unwrap();
    }
}
