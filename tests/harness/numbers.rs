//! How far the engine comes with the programs of this repository: what is counted, and the committed table of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cudalint::diagnostics::{Confidence, Finding, Severity};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::harness::{analyse, files, fixtures};

/// What a run comes to, over one program or over many.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// Programs that were analysed, each for itself.
    pub programs: u64,
    /// What the run counted, by name.
    pub counters: BTreeMap<String, u64>,
    /// Findings: errors, warnings, infos.
    pub findings: [u64; 3],
    /// Findings of high, medium and low confidence.
    pub confidence: [u64; 3],
    /// Those of them that assume something.
    pub assuming: [u64; 3],
    /// Assumptions of all findings together.
    pub assumptions: u64,
}

/// What the committed table says of a set of programs.
///
/// Losses are compared, and exactly: a new program that loses nothing leaves the table as it is. The totals beside
/// them are there to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    /// Programs.
    pub programs: u64,
    /// Entry points.
    pub entry_points: u64,
    /// Of those, with a path that was not followed to its end.
    pub cut: u64,
    /// Launches and CUDA calls in host code.
    pub cuda_calls: u64,
    /// Of those, on no path.
    pub unreached: u64,
    /// Calls of the program's own functions on paths.
    pub calls: u64,
    /// Of those, not entered.
    pub not_followed: u64,
    /// Assumptions per finding, in hundredths.
    pub assumptions_per_100_findings: u64,
}

/// How far assumptions may move: they come with findings, and so with every bad program that is added.
pub const ASSUMPTIONS_MAY_MOVE: u64 = 2;

impl Numbers {
    /// What one program comes to.
    pub fn of(counters: BTreeMap<String, u64>, findings: &[Finding]) -> Self {
        let mut it = Numbers {
            programs: 1,
            counters,
            ..Numbers::default()
        };
        for finding in findings {
            let severity = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "info",
            };
            let confidence = match finding.confidence {
                Confidence::High => "high",
                Confidence::Medium => "medium",
                Confidence::Low => "low",
            };
            it.add_finding(severity, confidence, finding.assumptions.len());
        }
        it
    }

    /// One more finding.
    pub fn add_finding(&mut self, severity: &str, confidence: &str, assumptions: usize) {
        let place = |words: [&str; 3], word: &str| words.iter().position(|it| *it == word).unwrap_or(2);
        let confidence = place(["high", "medium", "low"], confidence);
        self.findings[place(["error", "warning", "info"], severity)] += 1;
        self.confidence[confidence] += 1;
        self.assuming[confidence] += u64::from(assumptions > 0);
        self.assumptions += assumptions as u64;
    }

    /// Two sets of programs taken together.
    pub fn and(mut self, other: Self) -> Self {
        self.programs += other.programs;
        for (name, count) in other.counters {
            *self.counters.entry(name).or_default() += count;
        }
        let add = |mine: &mut [u64; 3], theirs: [u64; 3]| {
            mine.iter_mut().zip(theirs).for_each(|(mine, it)| *mine += it);
        };
        add(&mut self.findings, other.findings);
        add(&mut self.confidence, other.confidence);
        add(&mut self.assuming, other.assuming);
        self.assumptions += other.assumptions;
        self
    }

    /// A counter; what was never counted is 0.
    pub fn count(&self, name: &str) -> u64 {
        self.counters.get(name).copied().unwrap_or_default()
    }

    /// The row of the table.
    pub fn row(&self) -> Row {
        let lost = |all: &str, kept: &str| self.count(all) - self.count(kept);
        let findings: u64 = self.findings.iter().sum();
        Row {
            programs: self.programs,
            entry_points: self.count("entry points"),
            cut: lost("entry points", "entry points completed"),
            cuda_calls: self.count("launches and CUDA calls"),
            unreached: lost("launches and CUDA calls", "launches and CUDA calls executed"),
            calls: self.count("calls of own functions"),
            not_followed: lost("calls of own functions", "calls of own functions followed"),
            assumptions_per_100_findings: (self.assumptions * 100).checked_div(findings).unwrap_or_default(),
        }
    }
}

impl Row {
    /// What is worse than in the committed row, and what is better.
    pub fn against(&self, committed: &Row) -> (Vec<String>, Vec<String>) {
        let (mut worse, mut better) = (Vec::new(), Vec::new());
        let mut compare = |name: &str, now: u64, then: u64, may_move: u64| {
            let text = format!("{name}: {then} → {now}");
            if now > then + may_move {
                worse.push(text);
            } else if now + may_move < then {
                better.push(text);
            }
        };
        compare("entry points cut", self.cut, committed.cut, 0);
        compare("CUDA calls unreached", self.unreached, committed.unreached, 0);
        compare("calls not followed", self.not_followed, committed.not_followed, 0);
        compare(
            "assumptions per 100 findings",
            self.assumptions_per_100_findings,
            committed.assumptions_per_100_findings,
            ASSUMPTIONS_MAY_MOVE,
        );
        (worse, better)
    }
}

/// The sets of programs in this repository, by name: the fixtures, and every folder of `tests/programs`.
pub fn sets() -> BTreeMap<String, Vec<PathBuf>> {
    let mut sets = BTreeMap::from([("fixtures".to_owned(), fixtures())]);
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    for set in folders(&programs) {
        let name = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
        sets.insert(name, folders(&set));
    }
    sets.retain(|_, programs| !programs.is_empty());
    sets
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|it| it.path()).filter(|it| it.is_dir()).collect();
    folders.sort();
    folders
}

/// What the programs of a set come to, each analysed for itself.
pub fn measure(programs: &[PathBuf]) -> Numbers {
    let numbers = programs.par_iter().map(|it| measure_one(it));
    numbers.reduce(Numbers::default, Numbers::and)
}

/// Endings of source files; what lies beside them says what is expected.
const SOURCES: [&str; 9] = ["cu", "cuh", "cpp", "cc", "c", "h", "hpp", "inl", "inc"];

/// What one program comes to.
pub fn measure_one(program: &Path) -> Numbers {
    let mut files = files(program);
    files.retain(|(name, _)| SOURCES.contains(&name.rsplit('.').next().unwrap_or_default()));
    let outcome = analyse(&files);
    let counters = outcome.counters.iter();
    let counters = counters
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect();
    Numbers::of(counters, &outcome.findings)
}

/// Where the committed table is.
pub fn table_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/numbers.toml")
}

/// The committed table.
pub fn table() -> BTreeMap<String, Row> {
    let text = std::fs::read_to_string(table_path()).unwrap_or_default();
    toml::from_str(&text).expect("tests/data/numbers.toml holds rows by the names of sets")
}

/// The table as it is committed.
pub fn written(table: &BTreeMap<String, Row>) -> String {
    let rows = toml::to_string(table).expect("rows are plain tables");
    format!(
        "# How far the engine comes with the programs of this repository; `cargo bench --bench numbers -- --write` writes it.\n\
         # A test compares what is lost (cut, unreached, not-followed) exactly, and assumptions to within \
         {ASSUMPTIONS_MAY_MOVE}.\n\n{rows}"
    )
}
