//! Reads fixtures, runs the rules over them and compares what they find with what the fixtures expect.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cudalint::facts;
use cudalint::program::{Program, SourceUnit};
use cudalint::rules::{self, Options};
use cudalint::syntax::{self, Defines, LineIndex, MacroTable};

/// `(file, line, severity, rule)`; the severity only where the fixture names one.
pub type Expectation = (String, u32, Option<String>, String);

/// `(file, line, severity, rule, message)`.
pub type Found = (String, u32, String, String, String);

/// Rules that note what works and what nothing promises: fixtures of other rules, and their remedies, may rest on it.
pub const NOTES: [&str; 1] = ["spin-order-not-guaranteed"];

/// Every fixture, sorted: a file, or a directory of files that make one program.
pub fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(root)
        .min_depth(2)
        .max_depth(2)
        .sort_by_file_name()
    {
        let path = entry.expect("fixtures can be read").into_path();
        let name = path
            .file_name()
            .and_then(|it| it.to_str())
            .unwrap_or_default()
            .to_owned();
        if name.starts_with("bad") || name.starts_with("good") {
            found.push(path);
        }
    }
    found
}

/// The files of a fixture: itself, or everything in its directory.
pub fn files(fixture: &Path) -> Vec<(String, Vec<u8>)> {
    walkdir::WalkDir::new(fixture)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.expect("fixtures can be read").into_path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path
                .file_name()
                .and_then(|it| it.to_str())
                .unwrap_or_default()
                .to_owned();
            (name, std::fs::read(&path).expect("fixtures can be read"))
        })
        .collect()
}

/// What all rules find in a program.
pub fn analyse(files: &[(String, Vec<u8>)]) -> rules::Outcome {
    let mut table = MacroTable::default();
    for (_, bytes) in files {
        table.merge(syntax::collect_macros(bytes));
    }
    let defines = Defines::for_cuda(13_000);
    let units = files
        .iter()
        .map(|(name, bytes)| SourceUnit {
            path: Arc::from(name.as_str()),
            bytes: Arc::from(bytes.as_slice()),
            facts: facts::extract(bytes, &defines, &table).into(),
            ..SourceUnit::default()
        })
        .collect();
    rules::check(&Program::link(units), &Options::default())
}

/// What the marks in a program say.
pub fn expectations(files: &[(String, Vec<u8>)]) -> BTreeSet<Expectation> {
    let mut expected = BTreeSet::new();
    for (name, bytes) in files {
        let text = String::from_utf8_lossy(bytes);
        for (index, line) in text.lines().enumerate() {
            let Some((_, marks)) = line.split_once("//~") else {
                continue;
            };
            for mark in marks.split(',') {
                let words: Vec<&str> = mark.split_whitespace().collect();
                let (severity, rule) = match words.as_slice() {
                    [rule] => (None, (*rule).to_owned()),
                    [severity, rule, ..] => (Some((*severity).to_owned()), (*rule).to_owned()),
                    [] => continue,
                };
                expected.insert((name.clone(), index as u32 + 1, severity, rule));
            }
        }
    }
    expected
}

/// What was found, as the marks would say it.
pub fn found(files: &[(String, Vec<u8>)], outcome: &rules::Outcome) -> Vec<Found> {
    outcome
        .findings
        .iter()
        .map(|finding| {
            let bytes = files
                .iter()
                .find(|(name, _)| **name == *finding.primary.path)
                .map(|(_, bytes)| bytes);
            let line = bytes.map_or(0, |bytes| {
                LineIndex::new(bytes).line_column(finding.primary.span.start).0
            });
            let severity = format!("{:?}", finding.severity).to_lowercase();
            (
                finding.primary.path.to_string(),
                line,
                severity,
                finding.rule.to_owned(),
                finding.message.clone(),
            )
        })
        .collect()
}

/// Whether a finding is the one that a mark expects.
pub fn matches(expected: &Expectation, actual: &Found) -> bool {
    expected.0 == actual.0
        && expected.1 == actual.1
        && expected.3 == actual.3
        && expected.2.as_ref().is_none_or(|severity| *severity == actual.2)
}
