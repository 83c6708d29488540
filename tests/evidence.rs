//! Cards, fixtures and `rules/evidence/` are in step: no card claims what no evidence shows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cudalint::diagnostics::evidence;
use cudalint::diagnostics::rule::{RULES, Rule, Status};
use serde_json::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every record, by file name.
fn records() -> BTreeMap<String, Value> {
    let entries = std::fs::read_dir(root().join("rules/evidence")).expect("evidence is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let records = paths.filter(|path| path.extension().is_some_and(|it| it == "json"));
    let read = |path: PathBuf| {
        let name = path
            .file_name()
            .map(|it| it.to_string_lossy().into_owned())
            .unwrap_or_default();
        let bytes = std::fs::read(&path).expect("a record can be read");
        (name, serde_json::from_slice(&bytes).expect("a record is JSON"))
    };
    records.map(read).collect()
}

/// Name and record of every fixture that was run.
fn fixtures(record: &Value) -> impl Iterator<Item = (&String, &Value)> {
    record["fixtures"].as_object().into_iter().flatten()
}

/// What the header of a fixture predicts today, as written.
fn header(name: &str) -> Option<String> {
    let path = root().join("fixtures").join(name);
    let files = walkdir::WalkDir::new(path).sort_by_file_name().into_iter();
    let files = files.filter_map(Result::ok).filter(|it| it.file_type().is_file());
    files
        .filter_map(|it| std::fs::read(it.path()).ok())
        .find_map(|bytes| written(&String::from_utf8_lossy(&bytes)))
}

fn written(text: &str) -> Option<String> {
    let value = |line: &str| {
        let comment = line.trim_start_matches('\u{feff}').strip_prefix("//")?;
        Some(comment.trim_start().strip_prefix("verify:")?.trim().to_owned())
    };
    text.lines().find_map(value)
}

#[test]
fn every_fixture_says_what_it_does_on_a_gpu() {
    let mut wrong = Vec::new();
    let folders = walkdir::WalkDir::new(root().join("fixtures"))
        .min_depth(2)
        .max_depth(2)
        .sort_by_file_name();
    for entry in folders.into_iter().filter_map(Result::ok) {
        let name = entry
            .path()
            .strip_prefix(root().join("fixtures"))
            .unwrap_or(Path::new(""))
            .to_string_lossy()
            .into_owned();
        let is_good = entry.file_name().to_string_lossy().starts_with("good");
        match header(&name) {
            None => wrong.push(format!("fixtures/{name} has no `// verify:` line")),
            #[cfg(all(feature = "verify", unix))]
            Some(text) => match cudalint::verify::Expectation::parse(&text) {
                None => wrong.push(format!("fixtures/{name}: cannot read `// verify: {text}`")),
                Some(it) if is_good && !(it.lazy.allows("done") && it.eager.allows("done")) => {
                    wrong.push(format!("fixtures/{name} is good and does not end well: `{text}`"));
                }
                Some(_) => {}
            },
            #[cfg(not(all(feature = "verify", unix)))]
            Some(_) => drop(is_good),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the card says that a GPU did something.
fn claims(rule: &Rule) -> bool {
    let section = rule.card.split_once("## Evidence\n").map_or("", |(_, rest)| rest);
    let section = section.split("\n## ").next().unwrap_or_default();
    section.contains("Measured") || section.contains("measured on")
}

#[test]
fn evidence_is_about_the_fixtures_that_exist() {
    let mut wrong = Vec::new();
    for (file, record) in records() {
        assert_eq!(record["version"], 2, "{file}");
        for key in ["gpu", "driver", "cuda", "nvcc", "architecture"] {
            assert!(
                record[key].as_str().is_some_and(|it| !it.is_empty()),
                "{file}: `{key}`"
            );
        }
        for (name, fixture) in fixtures(&record) {
            let trials = |mode: &str| fixture[mode].as_array().map_or(0, Vec::len);
            if trials("LAZY") == 0 || trials("LAZY") != trials("EAGER") {
                wrong.push(format!(
                    "{file}: {name} has {} and {} trials",
                    trials("LAZY"),
                    trials("EAGER")
                ));
            }
            match header(name) {
                None => wrong.push(format!("{file}: there is no fixture {name}")),
                #[cfg(all(feature = "verify", unix))]
                Some(text) => {
                    let today = cudalint::verify::Expectation::parse(&text).map(|it| it.to_string());
                    if today.as_deref() != fixture["expected"].as_str() {
                        wrong.push(format!(
                            "{file}: {name} is predicted to do something else by now: `{text}`"
                        ));
                    }
                }
                #[cfg(not(all(feature = "verify", unix)))]
                Some(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn recorded_rules_behaved_as_predicted_and_say_so() {
    for rule in RULES {
        for measured in evidence::of_rule(rule.name) {
            assert_eq!(measured.as_predicted, measured.of, "{measured:?}");
            assert!(
                claims(rule),
                "rules/{}.md says nothing of what was measured",
                rule.name
            );
        }
        let recorded = rule
            .card
            .contains(&format!("Recorded by `cudalint verify {}`", rule.name));
        assert_eq!(recorded, evidence::sentence(rule.name).is_some(), "{}", rule.name);
    }
}

/// Holds from the moment a run over all fixtures was recorded.
#[test]
fn no_card_claims_what_no_evidence_shows() {
    if !records().values().any(|record| record["complete"] == true) {
        return;
    }
    let stable = RULES
        .iter()
        .filter(|rule| rule.status == Status::Stable && claims(rule));
    let silent: Vec<&str> = stable
        .filter(|it| evidence::sentence(it.name).is_none())
        .map(|it| it.name)
        .collect();
    assert!(
        silent.is_empty(),
        "measured, say the cards, but nothing is recorded: {silent:?}"
    );
}
