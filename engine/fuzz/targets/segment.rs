//! Any bytes as a segment of the store.

#![no_main]

#[path = "../checks/mod.rs"]
#[allow(dead_code)]
mod checks;

use libfuzzer_sys::fuzz_target;
use std::sync::Once;

static QUIET: Once = Once::new();

fuzz_target!(|bytes: &[u8]| {
    // The fuzzer's own hook ends the process at any panic, also at those that the reader catches.
    QUIET.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |reason| {
            if !checks::segment::decoding() {
                hook(reason);
            }
        }));
    });
    checks::segment::check(bytes);
});
