//! Changes of logs field by field and line by line; of compressed ones, within what they hold.

use super::{Dice, replaced};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read, Write};
use std::ops::Range;

/// Numbers at the edges of types and of rules.
const NUMBERS: &[&str] = &[
    "-1",
    "0",
    "1",
    "0.5",
    "-0.5",
    "0.0000004",
    "0.0000005",
    "60",
    "64",
    "65",
    "1000000000000",
    "1000000000001",
    "1000000000000.0000001",
    "999999999999.9999999",
    "-1000000000000",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999999999",
    "-",
    ".",
    "-.",
    "1.",
    ".1",
    "+1",
    "1e3",
    "000000000000000000007",
];

/// Changed bytes; `None` where the fuzzer's own mutations shall have their turn. `plainly` is those, for a text in a buffer with
/// room, and returns its new length.
pub fn mutate(
    bytes: &[u8],
    max_size: usize,
    seed: u32,
    plainly: impl FnOnce(&mut [u8], usize) -> usize,
) -> Option<Vec<u8>> {
    let mut dice = Dice::new(seed);
    let changed = match bytes.starts_with(&[0x1f, 0x8b]) {
        true if dice.below(4) > 0 => {
            let mut text = Vec::new();
            MultiGzDecoder::new(bytes).take(1 << 18).read_to_end(&mut text).ok()?;
            let text = match mutate_text(&text, &mut dice) {
                Some(changed) => changed,
                None => {
                    let size = text.len();
                    text.resize(size + 64, 0);
                    let size = plainly(&mut text, size);
                    text.truncate(size);
                    text
                }
            };
            compressed(&text)?
        }
        false if dice.below(64) == 0 => compressed(bytes)?,
        _ => mutate_text(bytes, &mut dice)?,
    };
    (changed.len() <= max_size).then_some(changed)
}

fn compressed(text: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).ok()?;
    encoder.finish().ok()
}

fn mutate_text(bytes: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let kind = dice.below(8);
    if kind >= 4 {
        return None;
    }
    let words = parts(bytes, |byte| byte.is_ascii_whitespace());
    let lines = parts(bytes, |byte| byte == b'\n');
    let (word, other) = (dice.pick(&words)?.clone(), dice.pick(&words)?.clone());
    let (line, end) = (dice.pick(&lines)?.clone(), bytes.len());
    Some(match kind {
        0 => replaced(bytes, word, dice.pick(NUMBERS)?.as_bytes()),
        1 => replaced(bytes, word, &bytes[other]),
        2 => replaced(bytes, end..end, &[b"\n", &bytes[line]].concat()),
        _ => replaced(bytes, line, b""),
    })
}

/// The places of what is not empty between separators.
fn parts(bytes: &[u8], separates: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in (0..bytes.len()).filter(|&at| !separates(bytes[at])) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}
