//! The evaluator against the system's C++ compiler: what the engine holds as known must be what the program prints.

pub mod compare;
pub mod compiler;
pub mod conditionals;
pub mod conformance;
pub mod csmith;
pub mod engine;
pub mod generate;

use std::ops::Range;

use compare::{Verdict, Wrong, judge};
use compiler::{Compiler, Outcome};
use engine::{claim, for_each_of};

/// Random programs, from seed 0 on, that run with every test.
pub const SEEDS: u64 = 100;

/// Files of random conditionals that do.
pub const CONDITIONALS: u64 = 20;

/// Programs compiled together.
pub const BATCH: usize = 50;

/// Where random programs come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Generator {
    /// `generate`: what host code of CUDA programs is made of.
    #[default]
    Own,
    /// `csmith`: C's integers, structs, unions, arrays and pointers.
    Csmith,
}

impl Generator {
    /// The program of a seed.
    pub fn program(self, seed: u64) -> Result<String, String> {
        match self {
            Generator::Own => Ok(generate::program(seed)),
            Generator::Csmith => csmith::program(seed),
        }
    }
}

/// A program about which the engine is wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its seed.
    pub seed: u64,
    /// Every wrong value; empty when the engine panicked.
    pub wrong: Vec<Wrong>,
    /// The message of a panic.
    pub panic: Option<String>,
}

/// How many programs went how.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Programs compared.
    pub programs: usize,
    /// Programs left out: undefined behaviour, or no end.
    pub undefined: usize,
    /// Programs the compiler does not take, with what it says: a fault of the generator.
    pub rejected: Vec<(u64, String)>,
    /// What the real runs observe.
    pub observations: usize,
    /// Of those, known.
    pub known: usize,
    /// Observations that the engine knows another value of, where a branch nobody looks at is not taken.
    pub assumed: usize,
    /// Programs about which the engine is wrong.
    pub failures: Vec<Failure>,
}

impl Tally {
    /// Both together.
    pub fn with(mut self, other: Tally) -> Tally {
        self.programs += other.programs;
        self.undefined += other.undefined;
        self.rejected.extend(other.rejected);
        self.observations += other.observations;
        self.known += other.known;
        self.assumed += other.assumed;
        self.failures.extend(other.failures);
        self
    }
}

/// Compares the programs of these seeds, on every core.
pub fn check_seeds(compiler: &Compiler, generator: Generator, seeds: Range<u64>) -> Result<Tally, String> {
    let seeds: Vec<u64> = seeds.collect();
    let batches: Vec<&[u64]> = seeds.chunks(BATCH).collect();
    let tallies = for_each_of(&batches, |it| check_batch(compiler, generator, it));
    let tallies: Result<Vec<Tally>, String> = tallies.into_iter().collect();
    Ok(tallies?.into_iter().fold(Tally::default(), Tally::with))
}

fn check_batch(compiler: &Compiler, generator: Generator, seeds: &[u64]) -> Result<Tally, String> {
    let programs: Result<Vec<String>, String> = seeds.iter().map(|it| generator.program(*it)).collect();
    let programs = programs?;
    let texts: Vec<&str> = programs.iter().map(String::as_str).collect();
    let mut tally = Tally::default();
    for ((seed, text), outcome) in seeds.iter().zip(&texts).zip(compiler.run_batch(&texts)?) {
        let printed = match outcome {
            Outcome::Printed(printed) => printed,
            Outcome::Undefined => {
                tally.undefined += 1;
                continue;
            }
            Outcome::Rejected(message) => {
                tally.rejected.push((*seed, message));
                continue;
            }
        };
        tally.programs += 1;
        let (verdict, panic) = verdict(text, &printed);
        tally.observations += verdict.observations;
        tally.known += verdict.known;
        tally.assumed += verdict.assumed;
        if panic.is_some() || !verdict.wrong.is_empty() {
            let (seed, wrong) = (*seed, verdict.wrong);
            tally.failures.push(Failure { seed, wrong, panic });
        }
    }
    Ok(tally)
}

/// What the engine says of a program, held against what it printed; and the message of a panic.
pub fn verdict(source: &str, printed: &[(u32, i64)]) -> (Verdict, Option<String>) {
    match claim(source) {
        Ok(claim) => (judge(&claim, printed), None),
        Err(message) => (
            Verdict {
                observations: printed.len(),
                ..Verdict::default()
            },
            Some(message),
        ),
    }
}
