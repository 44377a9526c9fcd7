//! Several processes on one store.

use super::EXPERIMENT;
use crate::determinism::assert_same;
use crate::program::Folder;

#[test]
fn shards_write_no_tables_and_the_same_command_without_them_does() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --store other --out whole").done();
    // The second shard is never begun: the first takes its runs over.
    let answer = folder.call("run e.ron --store s --shard 1/2 --out out").done();
    assert!(answer.err.contains("shard 1/2: all runs are answered; to write the tables:"), "{}", answer.err);
    assert!(answer.err.contains(" run e.ron --store s --out out\n"), "{}", answer.err);
    assert_eq!(answer.out, "");
    assert!(!folder.path("out").exists());
    let answer = folder.call("run e.ron --store s --out out").done();
    assert!(answer.err.contains("all 12 runs answered by the store"), "{}", answer.err);
    assert_same(&folder, "whole", "out");
}

#[test]
fn a_shard_is_a_fraction() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --shard 3/2").refused(&["--shard", "3/2", "1 ≤ I ≤ N"]);
}
