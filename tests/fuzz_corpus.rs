//! The fuzz targets without a fuzzer: over their corpora, over mutants of them and of the fixtures, and over generated programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

#[path = "fuzz/bodies/mod.rs"]
mod bodies;

use bodies::{STACK_BYTES, TARGETS};

/// Mutants of a target whose inputs are source text, and of one whose inputs are settings.
const MUTANTS: [usize; 2] = [100, 600];

/// Programs from the grammar.
const PROGRAMS: usize = 120;

/// Longer seeds are left to the fuzzer.
const LONGEST_SEED: usize = 3_000;

/// Targets that read any source file.
const OF_SOURCE: [&str; 4] = ["check", "facts", "facts_json", "suppressions"];

#[test]
fn the_corpora_break_no_promise() {
    let inputs = TARGETS.iter().flat_map(|(target, _)| {
        let corpus = files(&root().join("corpus").join(target));
        assert!(!corpus.is_empty(), "`{target}` has no corpus");
        corpus.into_iter().map(|it| (*target, it))
    });
    run_all(inputs.collect());
}

#[test]
fn mutants_break_no_promise() {
    let fixtures = files(&root().join("../../fixtures"));
    let mut inputs = Vec::new();
    for (target, _) in TARGETS.iter().filter(|(target, _)| *target != "project") {
        let of_source = OF_SOURCE.contains(target);
        let mut seeds = files(&root().join("corpus").join(target));
        if of_source {
            seeds.extend(fixtures.iter().cloned());
        }
        seeds.retain(|(_, bytes)| bytes.len() <= LONGEST_SEED);
        let mut random = Random(0x00C0_DA11 + target.len() as u64);
        for index in 0..MUTANTS[usize::from(!of_source)] {
            let name = format!("mutant {index} of {target}");
            inputs.push((*target, (name, mutant(&mut random, &seeds))));
        }
    }
    run_all(inputs);
}

#[test]
fn generated_programs_break_no_promise() {
    let mut random = Random(7);
    let program = |index| {
        let length = 100 + random.below(900);
        let bytes = (0..length).map(|_| random.next() as u8).collect();
        ("project", (format!("program {index}"), bytes))
    };
    run_all((0..PROGRAMS).map(program).collect());
}

#[test]
fn the_fuzzer_is_built_with_the_same_targets() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest can be read");
    let built = manifest.split("[[bin]]").skip(1).filter_map(|it| {
        let name = it.split('"').nth(1)?;
        root()
            .join("targets")
            .join(format!("{name}.rs"))
            .is_file()
            .then_some(name)
    });
    let known = TARGETS.iter().map(|(target, _)| *target);
    assert_eq!(built.collect::<BTreeSet<_>>(), known.collect::<BTreeSet<_>>());
}

/// A name and bytes.
type Input = (String, Vec<u8>);

/// Runs targets over inputs; what fails is written where the message says.
fn run_all(inputs: Vec<(&str, Input)>) {
    let one = |(target, (name, bytes)): &(&str, Input)| -> Option<String> {
        let (_, run) = TARGETS.iter().find(|(it, _)| it == target)?;
        let failed = std::panic::catch_unwind(|| run(bytes)).is_err();
        failed.then(|| {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
                .join(format!("{target} {name}").replace([' ', '/'], "-"));
            std::fs::write(&path, bytes).expect("the input can be written");
            format!("{target} fails on {name}, which is {}", path.display())
        })
    };
    let threads = rayon::ThreadPoolBuilder::new()
        .stack_size(STACK_BYTES)
        .build()
        .expect("threads");
    let failed: Vec<String> = threads.install(|| inputs.par_iter().with_max_len(1).filter_map(one).collect());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A seed after one to four cuts, repetitions and insertions of pieces of other seeds.
fn mutant(random: &mut Random, seeds: &[Input]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].1.clone();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(40)).min(bytes.len()).max(at);
        match random.below(5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].repeat(1 + random.below(8));
                bytes.splice(at..at, piece);
            }
            2 => bytes.truncate(at),
            3 if at < bytes.len() => bytes[at] = random.next() as u8,
            _ => {
                let other = &seeds[random.below(seeds.len())].1;
                let from = random.below(other.len() + 1);
                let to = (from + random.below(60)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
        }
    }
    bytes
}

/// Files below a folder with their paths, in order.
fn files(folder: &Path) -> Vec<Input> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name();
    let paths = entries
        .into_iter()
        .map(|it| it.expect("the folder can be read").into_path());
    let read = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        (name, std::fs::read(path).expect("the file can be read"))
    };
    paths.filter(|it| it.is_file()).map(read).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz")
}

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}
