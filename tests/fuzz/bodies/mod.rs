//! What each fuzz target does with its input, without libFuzzer: `tests/fuzz_corpus.rs` runs the same code over the corpus.
//!
//! A target is a function from bytes to nothing that panics where the program breaks a promise.

pub mod baseline;
pub mod check;
pub mod compile_commands;
pub mod configuration;
pub mod facts;
pub mod facts_json;
pub mod generate;
pub mod project;
pub mod promises;
pub mod suppressions;

/// A name, and what is done with an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 8] = [
    ("baseline", baseline::run),
    ("check", check::run),
    ("compile_commands", compile_commands::run),
    ("configuration", configuration::run),
    ("facts", facts::run),
    ("facts_json", facts_json::run),
    ("project", project::run),
    ("suppressions", suppressions::run),
];

/// As much as the threads of a run have: walks over trees are recursive.
pub const STACK_BYTES: usize = 256 << 20;
