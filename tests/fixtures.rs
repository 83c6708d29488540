//! Fixtures and cards say what they expect: `//~ rule` (in a card `// <--`) on the line where a finding's primary span
//! starts, and nothing else anywhere.

mod harness;

use cudalint::diagnostics::rule::RULES;
use cudalint::facts::{self, FileFacts};
use cudalint::syntax::{Defines, MacroTable};

use harness::{NOTES, analyse, expectations, files, fixtures, found, matches};

#[test]
fn every_fixture_finds_what_it_expects_and_nothing_else() {
    let mut wrong = Vec::new();
    let all = fixtures();
    assert!(all.len() > 10, "fixtures are missing");
    for fixture in &all {
        let files = files(fixture);
        let expected = expectations(&files);
        let outcome = analyse(&files);
        let mut found = found(&files, &outcome);
        let is_note = |rule: &str| NOTES.contains(&rule) && !fixture.to_string_lossy().contains(rule);
        found.retain(|it| !is_note(&it.3));
        let name = fixture
            .strip_prefix(env!("CARGO_MANIFEST_DIR"))
            .unwrap_or(fixture)
            .display()
            .to_string();
        for it in expected
            .iter()
            .filter(|it| !found.iter().any(|actual| matches(it, actual)))
        {
            wrong.push(format!("{name}: missing {} at {}:{}", it.3, it.0, it.1));
        }
        for actual in found
            .iter()
            .filter(|actual| !expected.iter().any(|it| matches(it, actual)))
        {
            wrong.push(format!(
                "{name}: unexpected {} {} at {}:{}: {}",
                actual.2, actual.3, actual.0, actual.1, actual.4
            ));
        }
        let is_bad = fixture
            .file_name()
            .is_some_and(|it| it.to_string_lossy().starts_with("bad"));
        if is_bad == expected.is_empty() {
            wrong.push(format!(
                "{name}: a bad fixture names its findings, a good one has none"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} fixtures:\n{}",
        wrong.len(),
        all.len(),
        wrong.join("\n")
    );
}

/// The first ```cuda block behind a heading.
fn block<'a>(card: &'a str, heading: &str) -> Option<&'a str> {
    let section = card.split_once(&format!("## {heading}\n"))?.1;
    let section = section.split("\n## ").next()?;
    Some(section.split_once("```cuda\n")?.1.split_once("```")?.0)
}

/// Line and rule of what the rules find in one file.
fn lines_and_rules(name: &str, text: &str) -> Vec<(u32, String, String)> {
    let files = [(name.to_owned(), text.as_bytes().to_vec())];
    let outcome = analyse(&files);
    found(&files, &outcome)
        .into_iter()
        .map(|it| (it.1, it.3, it.2))
        .collect()
}

#[test]
fn every_example_fires_its_rule_and_every_remedy_is_silent() {
    let mut wrong = Vec::new();
    let rules: Vec<_> = RULES.iter().filter(|rule| rule.group != "suppressions").collect();
    assert!(rules.len() >= 7, "cards are missing");
    for rule in rules {
        let (Some(example), Some(remedy)) = (block(rule.card, "Example"), block(rule.card, "Use instead"))
        else {
            wrong.push(format!("{}: a card has an example and a remedy", rule.name));
            continue;
        };
        let marked = example
            .lines()
            .position(|line| line.contains("// <--"))
            .map(|index| index as u32 + 1);
        // What another rule has to say of the same lines as a note is no second finding.
        let found: Vec<(u32, String)> = lines_and_rules("example.cu", example)
            .into_iter()
            .filter(|it| it.2 != "info" || it.1 == rule.name)
            .map(|it| (it.0, it.1))
            .collect();
        let fires = |it: &(u32, String)| it.1 == rule.name && Some(it.0) == marked;
        if found.len() != 1 || !found.iter().all(fires) {
            wrong.push(format!(
                "{}: the example gives {found:?}, marked line {marked:?}",
                rule.name
            ));
        }
        let mut found = lines_and_rules("remedy.cu", remedy);
        found.retain(|it| rule.name == it.1 || !NOTES.contains(&it.1.as_str()));
        if !found.is_empty() {
            wrong.push(format!("{}: the remedy gives {found:?}", rule.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn facts_of_every_fixture_read_back_as_they_were_written() {
    for (path, bytes) in fixtures().iter().flat_map(|fixture| files(fixture)) {
        let facts = facts::extract(&bytes, &Defines::for_cuda(13_000), &MacroTable::default());
        let written = facts.to_json().expect("facts can be written");
        let read = FileFacts::from_json(&written).expect("facts can be read");
        assert_eq!(read, facts, "{path}");
    }
}
