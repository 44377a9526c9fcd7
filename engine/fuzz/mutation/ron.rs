//! Changes of RON texts piece by piece: a piece is a value, an entry or an item, as brackets and commas delimit them.

use super::{Dice, replaced};
use std::ops::Range;
use sweep::FIELDS;

/// Numbers at the edges of types and of rules.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "0.5",
    "-0.0",
    "1e-9",
    "1e308",
    "inf",
    "-inf",
    "NaN",
    "255",
    "65536",
    "999999",
    "1000001",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551615",
    "340282366920938463463374607431768211455",
    "0x10",
    "1_000",
    "0.1000000000000000055",
];

/// Pieces of the language.
const PIECES: &[&str] = &[
    "Range(from: 0, to: 10, step: 1)",
    "Range(from: 0.0, to: 1.0, count: 3)",
    "LogRange(from: 1, to: 1000, count: 4)",
    "Some(1)",
    "None",
    "[]",
    "()",
    "{}",
    "\"\"",
    "Fcfs",
    "Easy()",
    "Conservative()",
    "Priority(order: Arrival)",
    "Flat(nodes: 64)",
    "Tree(arity: 4, levels: 3)",
    "LublinFeitelson()",
    "Log(name: \"HPC2N-2002-2.2-cln\", mode: Twin)",
    "File(path: \"a.swf\")",
    "JobList(jobs: [(run_time_s: 5.0, nodes: 2)])",
    "\"load > 0.5 and policy = Fcfs\"",
    "\"nodes != 64\"",
    "r#\"a\"#",
    "'a'",
    "/* a */",
    "true",
    "false",
    "union: [(set: {\"load\": 0.5})]",
    "zip: [(fields: {\"nodes\": [1, 2], \"load\": [0.5, 0.6]})]",
    "zip: [(name: \"g\", labels: [\"a\", \"b\"], fields: {\"nodes\": [1, 2]})]",
    "exclude: [\"load = 0.5\"]",
    "only: [\"load <= 0.7\"]",
    "modes: [Trace, Twin]",
    "seed: 7",
    "replications: 3",
];

/// A changed text; `None` where the fuzzer's own mutations shall have their turn.
pub fn mutate(bytes: &[u8], max_size: usize, seed: u32) -> Option<Vec<u8>> {
    let mut dice = Dice::new(seed);
    let kind = dice.below(12);
    if kind >= 7 {
        return None;
    }
    let pieces = pieces(bytes);
    let piece = dice.pick(&pieces)?.clone();
    let other = dice.pick(&pieces)?.clone();
    let changed = match kind {
        0 => without(bytes, piece),
        1 => {
            let twice = [&bytes[piece.clone()], b", ", &bytes[piece.clone()]].concat();
            replaced(bytes, piece, &twice)
        }
        2 => replaced(bytes, piece, &bytes[other]),
        3 => {
            let number = dice.pick(&numbers(bytes))?.clone();
            replaced(bytes, number, dice.pick(NUMBERS)?.as_bytes())
        }
        4 => replaced(bytes, piece, dice.pick(PIECES)?.as_bytes()),
        5 => {
            let name = dice.pick(&FIELDS)?.name;
            let values = if dice.below(2) == 0 { NUMBERS } else { PIECES };
            let value = dice.pick(values)?;
            let entry = match dice.below(3) {
                0 => format!("\"{name}\": {value}, "),
                1 => format!("\"{name}\": [{value}], "),
                _ => format!("\"{name}\""),
            };
            replaced(bytes, piece.start..piece.start, entry.as_bytes())
        }
        _ => {
            let name = dice.pick(&FIELDS)?.name;
            let value = String::from_utf8_lossy(&bytes[piece]).replace('\n', " ");
            [bytes, format!("\n// --set {name}={value}").as_bytes()].concat()
        }
    };
    (changed.len() <= max_size).then_some(changed)
}

/// Without a piece and the comma after it.
fn without(bytes: &[u8], piece: Range<usize>) -> Vec<u8> {
    let comma = bytes[piece.end..].iter().position(|byte| !byte.is_ascii_whitespace());
    let end = match comma {
        Some(at) if bytes[piece.end + at] == b',' => piece.end + at + 1,
        _ => piece.end,
    };
    replaced(bytes, piece.start..end, b"")
}

/// The places of all pieces between brackets, commas and colons.
fn pieces(bytes: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut open, mut quoted) = (Vec::new(), Vec::new(), false);
    // Where the current piece, and the value of the current entry, began.
    let (mut start, mut value) = (0, 0);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' => {
                open.push((start, value));
                (start, value) = (at + 1, at + 1);
            }
            b')' | b']' | b'}' | b',' => {
                found.extend([start..at, value..at]);
                (start, value) = (at + 1, at + 1);
                if *byte != b',' {
                    (start, value) = open.pop().unwrap_or((at + 1, at + 1));
                }
            }
            b':' => value = at + 1,
            _ => {}
        }
    }
    found.iter().map(|piece| trimmed(bytes, piece)).filter(|piece| !piece.is_empty()).collect()
}

fn trimmed(bytes: &[u8], piece: &Range<usize>) -> Range<usize> {
    let own = &bytes[piece.clone()];
    let start = piece.start + (own.len() - own.trim_ascii_start().len());
    start..start + own.trim_ascii().len()
}

/// The places of all numbers.
fn numbers(bytes: &[u8]) -> Vec<Range<usize>> {
    let part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in (0..bytes.len()).filter(|&at| part(bytes[at])) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}
