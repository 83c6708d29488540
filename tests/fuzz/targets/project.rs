//! libFuzzer's way into `bodies/project.rs`.

#![no_main]

use cudalint_fuzz::bodies::project;
use cudalint_fuzz::with_room;

libfuzzer_sys::fuzz_target!(|input: &[u8]| with_room(|| project::run(input)));
