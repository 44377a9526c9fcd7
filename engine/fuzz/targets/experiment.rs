//! Any text as an experiment and as a case.

#![no_main]

#[path = "../checks/mod.rs"]
#[allow(dead_code)]
mod checks;
#[path = "../mutation/mod.rs"]
#[allow(dead_code)]
mod mutation;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|bytes: &[u8]| checks::experiment::check(&String::from_utf8_lossy(bytes)));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match mutation::ron::mutate(&data[..size], max_size, seed) {
        Some(text) => mutation::store(&text, data),
        None => fuzzer_mutate(data, size, max_size),
    }
});
