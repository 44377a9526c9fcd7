//! Signals and time limits: what is finished is kept, and the command that is printed goes on.

use super::{ENDLESS, EXPERIMENT};
use crate::determinism::assert_same;
use crate::program::{Answer, Folder};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};

/// A call in progress, and what it has said so far.
struct Call {
    child: Child,
    err: BufReader<ChildStderr>,
    text: String,
}

impl Call {
    fn new(folder: &Folder, line: &str) -> Call {
        let mut child = folder.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let err = BufReader::new(child.stderr.take().unwrap());
        Call { child, err, text: String::new() }
    }

    fn wait_for(&mut self, part: &str) -> &mut Call {
        while !self.text.contains(part) {
            assert!(self.err.read_line(&mut self.text).unwrap() > 0, "{}", self.text);
        }
        self
    }

    fn signal(&mut self, name: &str) -> &mut Call {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        self
    }

    fn end(mut self) -> Answer {
        self.err.read_to_string(&mut self.text).unwrap();
        let output = self.child.wait_with_output().unwrap();
        Answer { err: self.text, ..Answer::of(&output) }
    }
}

fn cached(folder: &Folder, file: &str) -> u64 {
    let out = folder.call(&format!("plan {file} --json")).done().out;
    serde_json::from_str::<Value>(&out).unwrap()["cached"].as_u64().unwrap()
}

#[test]
fn after_one_signal_the_runs_in_flight_are_kept_and_the_printed_command_goes_on() {
    for signal in ["INT", "TERM"] {
        let folder = Folder::new();
        let experiment =
            EXPERIMENT.replace("Some(200)", "Some(2000)").replace("replications: 3", "replications: 60");
        folder.write("e.ron", experiment);
        let mut call = Call::new(&folder, "run e.ron --jobs 1 --progress json --out 'my results'");
        call.wait_for("run_finished").signal(signal);
        let answer = call.end();
        assert_eq!(answer.code, Some(130), "{}", answer.err);
        assert!(answer.err.contains("interrupted: "), "{}", answer.err);
        assert!(
            answer.err.contains(" run e.ron --jobs 1 --progress json --out 'my results'"),
            "{}",
            answer.err
        );
        assert!(!folder.path("my results").exists());
        let cached = cached(&folder, "e.ron");
        let told = answer.err.matches("\"event\":\"run_finished\"").count() as u64;
        assert!((1..240).contains(&cached) && cached >= told, "{cached} of {told} finished runs were kept");
        folder.call("run e.ron --out 'my results'").done();
        folder.call("run e.ron --store other --out undisturbed").done();
        assert_same(&folder, "my results", "undisturbed");
    }
}

/// The second run takes minutes, unless it is given up.
#[test]
fn after_two_signals_the_runs_in_flight_are_given_up() {
    let folder = Folder::new();
    folder.write("endless.ron", ENDLESS);
    let mut call = Call::new(&folder, "run endless.ron --jobs 2 --progress json");
    call.wait_for("run_finished").signal("INT").wait_for("a second signal gives them up").signal("TERM");
    let answer = call.end();
    assert_eq!(answer.code, Some(130), "{}", answer.err);
    assert!(answer.err.contains("interrupted: 1 run kept in .backsweep/store, 1 left"), "{}", answer.err);
    assert_eq!(cached(&folder, "endless.ron"), 1);
}

#[test]
fn sigusr1_is_a_planned_stop_with_a_grace_period() {
    let folder = Folder::new();
    folder.write("endless.ron", ENDLESS);
    let mut call = Call::new(&folder, "run endless.ron --jobs 2 --grace 1s --progress json");
    call.wait_for("run_finished").signal("USR1");
    let answer = call.end();
    assert_eq!(answer.code, Some(0), "{}", answer.err);
    assert!(
        answer.err.contains("SIGUSR1: no more runs; those in flight have 1.0 s to end"),
        "{}",
        answer.err
    );
    assert!(
        answer.err.contains("stopped as planned: 1 run kept in .backsweep/store, 1 left"),
        "{}",
        answer.err
    );
    assert!(answer.out.is_empty() && !folder.path("results").exists());
}

#[test]
fn a_time_limit_is_a_planned_stop() {
    let folder = Folder::new();
    folder.write("endless.ron", ENDLESS);
    let answer = folder.call("run endless.ron --jobs 2 --time-limit 3s --grace 1s --shard 1/1");
    assert_eq!(answer.code, Some(0), "{}", answer.err);
    assert!(answer.err.contains("the time limit is reached: no more runs"), "{}", answer.err);
    assert!(answer.err.contains("stopped as planned: 1 run kept"), "{}", answer.err);
    assert!(answer.err.contains(" run endless.ron --jobs 2 --time-limit 3s --grace 1s --shard 1/1"));
}
