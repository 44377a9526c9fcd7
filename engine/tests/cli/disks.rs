//! The whole program on a disk that is full, and on one that cannot be written to. Mounting needs rights that not everybody has.

use super::EXPERIMENT;
use crate::program::Folder;
use std::io::{self, Write};
use std::process::Command;

/// A file system of its own below a folder, gone at the end.
struct Mounted<'a>(&'a Folder);

impl Mounted<'_> {
    /// `None`, and a line on stdout, where it is not allowed.
    fn new<'a>(folder: &'a Folder, test: &str) -> Option<Mounted<'a>> {
        std::fs::create_dir(folder.path("disk")).unwrap();
        let options = ["-t", "tmpfs", "-o", "size=12k,nr_inodes=64", "backsweep-test"];
        let mounted = Command::new("mount").args(options).arg(folder.path("disk")).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Mounted(folder));
        }
        // Past the test's own capture: a test that was left out must not look like one that passed.
        let _ = writeln!(io::stdout(), "{test} skipped: cannot mount");
        None
    }

    fn remount(&self, options: &str) {
        let output = Command::new("mount")
            .args(["-o", &format!("remount,{options}")])
            .arg(self.0.path("disk"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path("disk")).output();
    }
}

#[test]
fn a_full_disk_is_told_and_the_next_run_repairs() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    let Some(disk) = Mounted::new(&folder, "a_full_disk_is_told_and_the_next_run_repairs") else { return };
    let full = folder.call("run e.ron --store disk/store");
    assert_eq!(full.code, Some(1), "{}", full.err);
    let plain: String = full.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(plain.contains("cannot write to the store disk/store"), "{}", full.err);
    assert!(plain.contains("No space left on device") && !plain.contains("panicked"), "{}", full.err);
    assert_eq!(
        folder.names().iter().filter(|name| name.ends_with(".tmp")).count(),
        0,
        "what was begun is gone"
    );
    disk.remount("size=10m");
    folder.call("run e.ron --store disk/store").done();
    folder.call("store verify --store disk/store").done();
    assert!(folder.call("run e.ron --store disk/store").done().err.contains("nothing to run"));
}

#[test]
fn a_store_on_a_read_only_disk_answers_and_refuses_more() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    let Some(disk) = Mounted::new(&folder, "a_store_on_a_read_only_disk_answers_and_refuses_more") else {
        return;
    };
    disk.remount("size=10m");
    folder.call("run e.ron --store disk/store").done();
    disk.remount("ro");
    assert!(folder.call("run e.ron --store disk/store").done().err.contains("nothing to run"));
    folder.call("store ls --store disk/store").done();
    folder.call("store verify --store disk/store").done();
    let more = "run e.ron --store disk/store --set load=0.7";
    folder.call(more).refused(&["cannot write to disk/store", "Read-only file system", "--store"]);
    let compact = folder.call("store gc --store disk/store --max-size 1B --delete");
    assert_eq!(compact.code, Some(1));
    assert!(compact.err.contains("disk/store"), "{}", compact.err);
    disk.remount("rw");
    folder.call(more).done();
}
