//! `fixtures/field-cases.md` and the `// field:` headers of the fixtures say the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Case and fixture, e.g. `("A6", "spin-without-preload/bad-x.cu")`.
type Pair = (String, String);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The rows of the table: case, and the text of what becomes of it.
fn rows() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("field-cases.md")).expect("the table can be read");
    text.lines()
        .filter_map(|line| {
            let mut cells = line.trim().trim_matches('|').split('|').map(str::trim);
            let case = cells.next()?;
            let is_case = case.starts_with(|it: char| it.is_ascii_uppercase())
                && case.len() > 1
                && case[1..].chars().all(|it| it.is_ascii_digit());
            is_case.then(|| (case.to_owned(), cells.next_back().unwrap_or_default().to_owned()))
        })
        .collect()
}

/// Fixtures a row names, in backticks.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|it| it.contains('/'))
}

fn listed() -> BTreeSet<Pair> {
    rows()
        .iter()
        .flat_map(|(case, text)| named(text).map(|it| (case.clone(), it.to_owned())))
        .collect()
}

/// What the headers say; a fixture in a directory carries the header in one of its files.
fn headers() -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    for entry in walkdir::WalkDir::new(root()).min_depth(2) {
        let path = entry.expect("fixtures can be read").into_path();
        let Ok(bytes) = fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let header = text.lines().take_while(|line| line.starts_with("//"));
        let Some(cases) = header.filter_map(|line| line.strip_prefix("// field:")).next() else {
            continue;
        };
        let relative = path.strip_prefix(root()).expect("it is under the root");
        let fixture: Vec<String> = relative
            .iter()
            .take(2)
            .map(|it| it.to_string_lossy().into_owned())
            .collect();
        for case in cases.split(',') {
            pairs.insert((case.trim().to_owned(), fixture.join("/")));
        }
    }
    pairs
}

#[test]
fn every_fixture_of_a_case_exists_and_every_header_is_listed() {
    let (listed, headers) = (listed(), headers());
    assert!(!listed.is_empty(), "the table names fixtures");
    let mut wrong = Vec::new();
    for (case, fixture) in listed.difference(&headers) {
        wrong.push(format!(
            "{case}: fixtures/{fixture} is missing, or has no `// field: {case}`"
        ));
    }
    for (case, fixture) in headers.difference(&listed) {
        wrong.push(format!(
            "fixtures/{fixture}: field-cases.md does not list it under {case}"
        ));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_is_listed_once_and_says_what_becomes_of_it() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (case, text) in rows() {
        assert!(!text.is_empty(), "{case}: no fixture and no reason");
        *seen.entry(case).or_default() += 1;
    }
    let twice: Vec<_> = seen.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    for (class, count) in [
        ('A', 26),
        ('B', 17),
        ('C', 11),
        ('D', 16),
        ('E', 10),
        ('F', 10),
        ('K', 5),
        ('L', 11),
    ] {
        let missing: Vec<String> = (1..=count)
            .map(|number| format!("{class}{number}"))
            .filter(|case| !seen.contains_key(case))
            .collect();
        assert!(missing.is_empty(), "not listed: {}", missing.join(", "));
    }
}
