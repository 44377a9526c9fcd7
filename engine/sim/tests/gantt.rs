//! Schedules as pictures: a line per run of nodes with the same history, a column per second.

use crate::scene::{Run, Scene};
use sim::observer::trace::Piece;
use sim::time::TICKS_PER_SECOND;
use std::fmt::Write;

/// Draws what every node did in every second, then who was killed. Times must be whole seconds.
pub fn draw(scene: &Scene, run: &Run) -> String {
    let end = run.pieces.iter().map(|piece| seconds(piece.to.0)).max().unwrap_or(0);
    let rows: Vec<String> =
        (0..scene.setup.machine.nodes()).map(|node| row(node, end, &run.pieces)).collect();
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for node in 0..rows.len() {
        match groups.last_mut() {
            Some((first, last)) if rows[*first] == rows[node] => *last = node,
            _ => groups.push((node, node)),
        }
    }
    let names: Vec<String> = groups
        .iter()
        .map(|&(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let mut text = format!("{:width$}   {}\n", "", ruler(end));
    for (name, (first, _)) in names.iter().zip(groups) {
        writeln!(text, "{name:>width$} | {}", rows[first].trim_end()).unwrap();
    }
    for line in run.lines.iter().filter(|line| line.killed) {
        writeln!(text, "killed {} at {}", letter(line.job.id), seconds(line.finish.0)).unwrap();
    }
    text
}

fn row(node: u32, end: usize, pieces: &[Piece]) -> String {
    let mut row = vec!['.'; end];
    for piece in pieces.iter().filter(|piece| piece.nodes.nodes().any(|other| other == node)) {
        for second in &mut row[seconds(piece.from.0)..seconds(piece.to.0)] {
            assert_eq!(*second, '.', "node {node} is used twice");
            *second = letter(piece.job);
        }
    }
    row.into_iter().collect()
}

fn ruler(end: usize) -> String {
    let mut text = String::new();
    for mark in (0..=end).step_by(5) {
        while text.len() < mark {
            text.push(' ');
        }
        text += &mark.to_string();
    }
    text
}

fn letter(id: u64) -> char {
    char::from_u32(id as u32).unwrap()
}

fn seconds(ticks: i64) -> usize {
    assert_eq!(ticks % TICKS_PER_SECOND, 0, "{ticks} ticks are no whole seconds");
    usize::try_from(ticks / TICKS_PER_SECOND).unwrap()
}
