//! libFuzzer's way into `bodies/suppressions.rs`.

#![no_main]

use cudalint_fuzz::bodies::suppressions;
use cudalint_fuzz::with_room;

libfuzzer_sys::fuzz_target!(|input: &[u8]| with_room(|| suppressions::run(input)));
