//! libFuzzer's way into `bodies/compile_commands.rs`.

#![no_main]

use cudalint_fuzz::bodies::compile_commands;
use cudalint_fuzz::with_room;

libfuzzer_sys::fuzz_target!(|input: &[u8]| with_room(|| compile_commands::run(input)));
