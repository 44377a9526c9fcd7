//! The files of an experiment are replaced together or not at all, and not written again where they are up to date.

use super::EXPERIMENT;
use crate::determinism::assert_same;
use crate::program::Folder;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

const FIGURE: &str = "results/mine/figures/waits-model.svg";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder
}

/// Every file below a folder with its bytes, manifests and pieces included.
fn everything(folder: &Folder, below: &str) -> BTreeMap<String, Vec<u8>> {
    let names = folder.names().into_iter().filter(|name| name.starts_with(below) && !name.ends_with('/'));
    names.map(|name| (name.clone(), fs::read(folder.path(&name)).unwrap())).collect()
}

#[test]
fn results_that_are_up_to_date_are_left_alone() {
    let folder = folder();
    let first = folder.call("run e.ron").done();
    let before = everything(&folder, "results/");
    let again = folder.call("run e.ron").done();
    assert!(again.err.contains("results in results are up to date (written 2"), "{}", again.err);
    assert_eq!((&again.out, everything(&folder, "results/")), (&first.out, before.clone()));
    // The manifest is of the first call, which wrote the files.
    assert!(!again.err.contains("results are in"), "{}", again.err);

    // Whatever is asked otherwise is written.
    let other = folder.call("run e.ron --set replications=2").done();
    assert!(other.err.contains("results are in results"), "{}", other.err);
    assert_ne!(everything(&folder, "results/"), before);
    let back = folder.call("run e.ron").done();
    assert!(back.err.contains("results are in results") && back.out == first.out, "{}", back.err);
}

#[test]
fn files_that_were_changed_or_lost_are_written_again() {
    let folder = folder();
    let first = folder.call("run e.ron --out whole --store s").done();
    folder.call("run e.ron --out results --store s").done();
    for name in [FIGURE, "results/scorecard.md", "results/mine/quick/groups.parquet"] {
        let changed: [fn(&Path); 2] =
            [|path| fs::write(path, "changed").unwrap(), |path| fs::remove_file(path).unwrap()];
        for change in changed {
            change(&folder.path(name));
            let again = folder.call("run e.ron --store s").done();
            assert!(again.err.contains(&format!("{name} is not as it was written")), "{}", again.err);
            assert_eq!(again.out, first.out);
            assert_same(&folder, "whole", "results");
        }
    }
    fs::remove_file(folder.path("results/mine/quick/manifest.json")).unwrap();
    let again = folder.call("run e.ron --store s").done();
    assert!(again.err.contains("results are in results"), "{}", again.err);
    assert!(folder.path("results/mine/quick/manifest.json").is_file());
}

#[test]
fn figures_that_cannot_be_drawn_are_named_each_time() {
    let folder = folder();
    // The figure shows ratios to FCFS, which is then set aside.
    folder.write(
        "e.ron",
        EXPERIMENT.replace("id: \"waits\",", "id: \"waits\", normalise_by: {\"policy\": \"Fcfs\"},"),
    );
    let line = "run e.ron --set 'policy=Easy()'";
    let warnings = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("warning")).map(str::to_owned).collect()
    };
    let first = warnings(&folder.call(line).done().err);
    assert_eq!(first.len(), 1, "{first:?}");
    let again = folder.call(line).done();
    assert!(again.err.contains("up to date"), "{}", again.err);
    assert_eq!(warnings(&again.err), first);
}

/// A file system of its own in memory, unmounted when dropped.
struct SmallDisk<'a>(&'a Path);

impl SmallDisk<'_> {
    /// `None` where this process may not mount.
    fn mount(path: &Path) -> Option<SmallDisk<'_>> {
        fs::create_dir_all(path).unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(path).output();
        mounted.is_ok_and(|output| output.status.success()).then_some(SmallDisk(path))
    }

    fn resize(&self, bytes: u64) {
        let size = format!("remount,size={bytes}");
        assert!(Command::new("mount").args(["-o", &size]).arg(self.0).status().unwrap().success());
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

/// Memory is given in pages.
const PAGE: u64 = 4096;

// Where it may not mount, the test says so.
#[allow(clippy::print_stdout)]
#[test]
fn a_full_disk_leaves_the_old_results() {
    let folder = folder();
    folder.call("run e.ron --store s --out whole").done();
    let place = folder.path("out");
    let Some(disk) = SmallDisk::mount(&place) else {
        println!("skipped: cannot mount a file system of its own");
        return;
    };
    folder.call("run e.ron --store s --out out --set replications=2").done();
    let old = everything(&folder, "out/");
    let pages: u64 = old.values().map(|bytes| (bytes.len() as u64).div_ceil(PAGE)).sum();
    let mut refused = 0;
    // With every amount of room, from none at all to enough for the new results beside the old ones.
    for room in 0.. {
        disk.resize((pages + room) * PAGE);
        let answer = folder.call("run e.ron --store s --out out");
        if answer.code == Some(0) {
            break;
        }
        assert_eq!(answer.code, Some(1), "{}", answer.err);
        assert!(answer.err.contains("No space left"), "{}", answer.err);
        assert!(
            everything(&folder, "out/") == old,
            "with room for {room} pages the old results were touched"
        );
        refused += 1;
    }
    assert!(refused > 8, "only {refused} disks were too small");
    assert_same(&folder, "whole", "out");
}
