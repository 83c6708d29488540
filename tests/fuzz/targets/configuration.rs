//! libFuzzer's way into `bodies/configuration.rs`.

#![no_main]

use cudalint_fuzz::bodies::configuration;
use cudalint_fuzz::with_room;

libfuzzer_sys::fuzz_target!(|input: &[u8]| with_room(|| configuration::run(input)));
