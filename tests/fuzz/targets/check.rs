//! libFuzzer's way into `bodies/check.rs`.

#![no_main]

use cudalint_fuzz::bodies::check;
use cudalint_fuzz::with_room;

libfuzzer_sys::fuzz_target!(|input: &[u8]| with_room(|| check::run(input)));
