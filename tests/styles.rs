//! Small programs in the styles people write, each told apart from its sound twin by a line or two.
//!
//! `tests/data/{styles,races,captures,serialise,timing}/*.txt`: `#### name code` starts a case; a line that ends with `//-` stands in the bad
//! program only, one that starts with `//+` in the sound one only.

use std::path::Path;
use std::sync::Arc;

use cudalint::diagnostics::Severity;
use cudalint::facts;
use cudalint::program::{Program, SourceUnit};
use cudalint::rules::{self, Options};
use cudalint::syntax::{self, Defines};

/// `(name, code, hanging, sound)`.
fn cases(text: &str) -> Vec<(String, String, String, String)> {
    let parts = text.split("#### ").skip(1);
    parts
        .map(|part| {
            let (head, body) = part.split_once('\n').expect("a case has a body");
            let (name, code) = head.split_once(' ').expect("a case has a name and a code");
            let (mut hanging, mut sound) = (String::new(), String::new());
            for line in body.lines() {
                if let Some(only) = line.strip_prefix("//+") {
                    sound.push_str(only);
                } else if let Some(only) = line.trim_end().strip_suffix("//-") {
                    hanging.push_str(only);
                } else {
                    hanging.push_str(line);
                    sound.push_str(line);
                }
                hanging.push('\n');
                sound.push('\n');
            }
            (name.to_owned(), code.trim().to_owned(), hanging, sound)
        })
        .collect()
}

/// Findings of one family and at least this severity.
fn findings(source: &str, family: &str, least: Severity) -> Vec<(String, u32)> {
    let macros = syntax::collect_macros(source.as_bytes());
    let unit = SourceUnit {
        path: Arc::from("case.cu"),
        bytes: Arc::from(source.as_bytes()),
        facts: facts::extract(source.as_bytes(), &Defines::default(), &macros).into(),
        ..SourceUnit::default()
    };
    let program = Program::link(vec![unit]);
    let outcome = rules::check(&program, &Options::default());
    outcome
        .findings
        .into_iter()
        .filter(|it| it.code.starts_with(family) && it.severity >= least)
        .map(|it| (it.code.to_owned(), it.primary.span.start))
        .collect()
}

/// Every case of a folder is found, and its sound twin is not; returns how many there are.
fn compare(folder: &str, family: &str, least: Severity) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut seen = 0;
    let mut wrong = Vec::new();
    for entry in walkdir::WalkDir::new(folder).min_depth(1).sort_by_file_name() {
        let entry = entry.expect("the cases can be read");
        let text = std::fs::read_to_string(entry.path()).expect("a case is text");
        for (name, code, bad, sound) in cases(&text) {
            seen += 1;
            let found = findings(&bad, family, least);
            if !found.iter().any(|(it, _)| *it == code) {
                wrong.push(format!("{name}: {code} expected, found {found:?}"));
            }
            let found = findings(&sound, family, least);
            if !found.is_empty() {
                wrong.push(format!("{name}: the sound twin, found {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    seen
}

#[test]
fn every_style_hangs_and_its_twin_does_not() {
    let seen = compare("tests/data/styles", "CL1", Severity::Warning);
    assert!(seen > 50, "{seen} cases");
}

#[test]
fn every_style_breaks_its_capture_and_its_twin_does_not() {
    let seen = compare("tests/data/captures", "CL3", Severity::Warning);
    assert!(seen > 50, "{seen} cases");
}

#[test]
fn every_style_races_and_its_twin_does_not() {
    let seen = compare("tests/data/races", "CL2", Severity::Warning);
    assert!(seen > 50, "{seen} cases");
}

#[test]
fn every_style_serialises_and_its_twin_does_not() {
    let seen = compare("tests/data/serialise", "CL4", Severity::Warning);
    assert!(seen > 3, "{seen} cases");
}

#[test]
fn every_style_times_wrongly_and_its_twin_does_not() {
    let seen = compare("tests/data/timing", "CL5", Severity::Warning);
    assert!(seen > 8, "{seen} cases");
}
