//! libFuzzer's way into `bodies/baseline.rs`.

#![no_main]

use cudalint_fuzz::bodies::baseline;
use cudalint_fuzz::with_room;

libfuzzer_sys::fuzz_target!(|input: &[u8]| with_room(|| baseline::run(input)));
