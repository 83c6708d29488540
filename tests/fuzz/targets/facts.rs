//! libFuzzer's way into `bodies/facts.rs`.

#![no_main]

use cudalint_fuzz::bodies::facts;
use cudalint_fuzz::with_room;

libfuzzer_sys::fuzz_target!(|input: &[u8]| with_room(|| facts::run(input)));
