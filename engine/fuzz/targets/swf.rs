//! Any bytes as a log, plain or gzip.

#![no_main]

#[path = "../checks/mod.rs"]
#[allow(dead_code)]
mod checks;
#[path = "../mutation/mod.rs"]
#[allow(dead_code)]
mod mutation;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|bytes: &[u8]| checks::swf::check(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mutated = mutation::swf::mutate(&data[..size], max_size, seed, |text, size| {
        let most = text.len();
        fuzzer_mutate(text, size, most)
    });
    match mutated {
        Some(bytes) => mutation::store(&bytes, data),
        None => fuzzer_mutate(data, size, max_size),
    }
});
