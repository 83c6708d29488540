//! libFuzzer's way into `bodies/facts_json.rs`.

#![no_main]

use cudalint_fuzz::bodies::facts_json;
use cudalint_fuzz::with_room;

libfuzzer_sys::fuzz_target!(|input: &[u8]| with_room(|| facts_json::run(input)));
