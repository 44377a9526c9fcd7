//! Several processes on one store.

use super::EXPERIMENT;
use crate::determinism::assert_same;
use crate::program::Folder;

#[test]
fn shards_write_no_tables_and_the_same_command_without_them_does() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --store other --out whole").done();
    for number in 1..=2 {
        let answer = folder.call(&format!("run e.ron --store s --out out --shard {number}/2")).done();
        assert!(answer.err.contains("without --shard writes the tables"), "{}", answer.err);
        assert_eq!(answer.out, "");
        assert!(!folder.path("out").exists());
    }
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
