//! The conformance programs: one feature of C++ each, under `tests/conformance/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::compare::Verdict;
use super::compiler::Compiler;
use super::engine::for_each_of;
use super::verdict;

/// What the engine makes of all programs.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Programs.
    pub programs: usize,
    /// What the real runs observe.
    pub observations: usize,
    /// Of those, known to the engine, and rightly so.
    pub known: usize,
    /// Each known value that is not the real one: `area/name.cpp:line`, and what it is about.
    pub wrong: BTreeMap<String, String>,
    /// Programs that do not compile, do not end well, or make the engine panic.
    pub broken: Vec<String>,
}

/// Where the programs are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

/// Runs every program by both.
pub fn run(compiler: &Compiler) -> Answers {
    let files = walkdir::WalkDir::new(folder()).sort_by_file_name().into_iter();
    let files = files.map(|it| it.expect("the programs can be read").into_path());
    let files: Vec<PathBuf> = files
        .filter(|it| it.extension().is_some_and(|it| it == "cpp"))
        .collect();
    let verdicts = for_each_of(&files, |path| (name_of(path), run_one(compiler, path)));
    let mut answers = Answers::default();
    for (name, verdict) in verdicts {
        answers.programs += 1;
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(message) => {
                answers.broken.push(format!("{name}: {message}"));
                continue;
            }
        };
        answers.observations += verdict.observations;
        answers.known += verdict.known;
        for it in verdict.wrong {
            let real = it
                .real
                .map_or("no such observation".to_owned(), |it| it.to_string());
            let about = answers.wrong.entry(format!("{name}:{}", it.line)).or_default();
            let _ = write!(about, " known {}, real {real};", it.known);
        }
    }
    answers
}

fn name_of(path: &Path) -> String {
    let shown = path.strip_prefix(folder()).unwrap_or(path);
    shown.display().to_string().replace('\\', "/")
}

fn run_one(compiler: &Compiler, path: &Path) -> Result<Verdict, String> {
    let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let printed = compiler.run_one(&source)?;
    match verdict(&source, &printed) {
        (verdict, None) => Ok(verdict),
        (_, Some(panic)) => Err(format!("the engine panics: {panic}")),
    }
}

/// What is known to fail today: `tests/conformance/budget.txt`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// How many answers are known.
    pub known: usize,
    /// Answers that are wrong, as `area/name.cpp:line`.
    pub wrong: BTreeSet<String>,
    /// Seeds of random programs that are wrong.
    pub seeds: BTreeSet<u64>,
    /// How many random conditionals are decided wrongly.
    pub conditionals: usize,
}

/// What the file opens with.
const HEAD: &str = "\
# What the engine gets wrong today, about the programs beside this file and about the random programs of the first seeds.
# It only gets shorter: a line for every wrong value, a number for every seed. Written by
#     cargo bench --bench differential -- --update-budget
";

impl Budget {
    /// Reads the file.
    pub fn read() -> Budget {
        Budget::parse(&std::fs::read_to_string(folder().join("budget.txt")).unwrap_or_default())
    }

    /// What a text says.
    pub fn parse(text: &str) -> Budget {
        let mut budget = Budget::default();
        for line in text.lines().filter(|it| !it.starts_with('#') && !it.is_empty()) {
            match line.split_once(' ') {
                Some(("known", count)) => {
                    budget.known = count.parse().expect("a count stands behind `known`")
                }
                Some(("conditionals", count)) => budget.conditionals = count.parse().expect("a count"),
                Some(("wrong", place)) => {
                    budget.wrong.insert(place.to_owned());
                }
                Some(("seed", seed)) => {
                    budget.seeds.insert(seed.parse().expect("a seed is a number"));
                }
                _ => panic!("`{line}` says nothing a budget can say"),
            }
        }
        budget
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let wrong = self.wrong.iter().map(|it| format!("wrong {it}\n"));
        let seeds = self.seeds.iter().map(|it| format!("seed {it}\n"));
        let lines: String = wrong.chain(seeds).collect();
        format!(
            "{HEAD}known {}\nconditionals {}\n{lines}",
            self.known, self.conditionals
        )
    }

    /// What must be changed, in the engine or in the file; empty when all is as it says.
    pub fn differences(&self, answers: &Answers, failing: &BTreeSet<u64>) -> Vec<String> {
        let mut found = Vec::new();
        for (place, about) in answers.wrong.iter().filter(|it| !self.wrong.contains(it.0)) {
            found.push(format!("{place} is wrong:{about}"));
        }
        for place in self.wrong.iter().filter(|it| !answers.wrong.contains_key(*it)) {
            found.push(format!("{place} is right now: take it out of the budget"));
        }
        found.extend(
            failing
                .difference(&self.seeds)
                .map(|it| format!("the program of seed {it} is wrong")),
        );
        for seed in self.seeds.difference(failing) {
            found.push(format!(
                "the program of seed {seed} is right now: take it out of the budget"
            ));
        }
        if answers.known < self.known {
            found.push(format!(
                "{} answers are known, and were {}",
                answers.known, self.known
            ));
        }
        if answers.known > self.known {
            found.push(format!(
                "{} answers are known, more than the {} of the budget: put the new number there",
                answers.known, self.known
            ));
        }
        found
    }
}
