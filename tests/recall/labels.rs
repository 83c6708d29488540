//! Labels say what can be true.

use std::collections::BTreeSet;

use crate::measure::label::{family_codes, file_name, sets};

/// What a label may say; `tests/programs/README.md` explains each.
const KEYS: &[&str] = &[
    "family",
    "bad",
    "lines",
    "codes",
    "build",
    "expect",
    "expect_lazy",
    "expect_eager",
    "twin",
    "why",
    "exclusive",
    "doc_grey",
    "hazard",
    "near",
    "file",
    "line",
    "confidence",
];

/// How a run can end.
const OUTCOMES: &[&str] = &["done", "wrong", "slow", "error", "hang"];

#[test]
fn every_label_can_be_true() {
    let mut wrong = Vec::new();
    for set in sets() {
        let names: BTreeSet<&str> = set.programs.iter().map(|it| it.name.as_str()).collect();
        for program in &set.programs {
            let text = std::fs::read_to_string(program.folder.join("label.toml")).expect("it was just read");
            let table: toml::Table = toml::from_str(&text).expect("it was just read");
            let mut say = |what: String| wrong.push(format!("{}/{}: {what}", set.name, program.name));
            for key in table.keys().filter(|it| !KEYS.contains(&it.as_str())) {
                say(format!("`{key}` is no key of a label"));
            }
            let label = &program.label;
            let has_family = !family_codes(&label.family).is_empty();
            if !has_family && (label.bad || label.family != "clean") {
                say(format!("`{}` is no family of a bad program", label.family));
            }
            if label.bad && label.lines.is_empty() && label.codes.is_none() {
                say("a bad program has `lines`, or `codes` that count anywhere".to_owned());
            }
            if !label.bad && !label.lines.is_empty() {
                say("a clean program has no `lines`".to_owned());
            }
            if table
                .get("why")
                .and_then(|it| it.as_str())
                .is_none_or(str::is_empty)
            {
                say("no `why`".to_owned());
            }
            for key in ["expect", "expect_lazy", "expect_eager"] {
                let outcome = table.get(key).map(|it| it.as_str().unwrap_or_default());
                if outcome.is_some_and(|it| !OUTCOMES.contains(&it)) {
                    say(format!("`{key}` is none of {OUTCOMES:?}"));
                }
            }
            // Empty where there is none.
            let twin = table
                .get("twin")
                .and_then(|it| it.as_str())
                .filter(|it| !it.is_empty());
            if let Some(twin) = twin.filter(|it| !names.contains(it)) {
                say(format!("there is no twin `{twin}`"));
            }
            for (file, line) in label.places() {
                let files = walkdir::WalkDir::new(&program.folder).into_iter().flatten();
                let mut named = files.filter(|it| file_name(&it.path().to_string_lossy()) == file);
                let lines = named.next().map(|it| {
                    std::fs::read_to_string(it.path())
                        .expect("it is text")
                        .lines()
                        .count()
                });
                if lines.is_none_or(|lines| line == 0 || line as usize > lines) {
                    say(format!("there is no {file}:{line}"));
                }
            }
            if !program.folder.join("cudalint.toml").is_file() {
                say("no `cudalint.toml`, so it is no project of its own".to_owned());
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_set_is_there() {
    let sets = sets();
    let names: BTreeSet<&str> = sets.iter().map(|it| it.name.as_str()).collect();
    for name in ["exam", "probes", "silent", "found"] {
        assert!(names.contains(name), "{names:?}");
    }
    for set in &sets {
        assert!(set.programs.len() >= 30, "{} has lost programs", set.name);
    }
}
