//! The fixed sample that `cargo test` looks at, and the budget: what of it is known not to stay.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::dice::name_hash;
use super::measure::{Subject, Verdict};
use super::programs::{Program, programs};
use super::rewrites::{REWRITES, Rewrite};

/// The seed of the sample.
pub const SEED: u64 = 1;

/// One pair of program and rewrite of so many is in the sample, whichever other programs there are.
const ONE_OF: u64 = 23;

/// A variant by name: rewrite and program.
pub type Name = (String, String);

/// The variants of the sample in which the answer does not stay, with what became of it, and how many there are in all.
pub fn broken() -> (BTreeMap<Name, String>, usize) {
    let results: Vec<Vec<(Name, Verdict)>> = programs(None).into_par_iter().map(verdicts).collect();
    let all: Vec<(Name, Verdict)> = results.into_iter().flatten().collect();
    let count = all.len();
    let broken = all
        .into_iter()
        .filter(|(_, verdict)| !verdict.stays())
        .map(|(name, verdict)| (name, verdict.to_string()))
        .collect();
    (broken, count)
}

fn verdicts(program: Program) -> Vec<(Name, Verdict)> {
    let chosen: Vec<&Rewrite> = REWRITES.iter().filter(|it| is_chosen(it, &program)).collect();
    if chosen.is_empty() {
        return Vec::new();
    }
    let Some(subject) = Subject::new(program) else {
        return Vec::new();
    };
    let judged = chosen.into_iter().filter_map(|rewrite| {
        let variant = subject.variant(rewrite, SEED, 0)?;
        let name = (rewrite.name.to_owned(), subject.program.name.clone());
        Some((name, subject.judge(&variant)))
    });
    judged.collect()
}

fn is_chosen(rewrite: &Rewrite, program: &Program) -> bool {
    rank(rewrite, &program.name).is_multiple_of(ONE_OF)
}

/// The order in which a rewrite takes programs.
pub fn rank(rewrite: &Rewrite, program: &str) -> u64 {
    // The low bits of the hash depend on little of the text.
    name_hash(&format!("{program} {}", rewrite.name)) >> 24
}

/// Where the budget is.
pub fn budget_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/metamorphic/known.txt")
}
