//! What is known to fail today, in `tests/programs/budget.toml`, and how it differs from what fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::label;

/// How a program fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Its defect is not reported.
    Missed,
    /// It is clean and gets an error.
    Flagged,
    /// It is clean and gets a warning.
    Warned,
    /// From the root of one project it gets another answer than alone.
    Together,
    /// From inside its folder it gets another answer than from the root of the same project.
    Inside,
}

impl Kind {
    /// As in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Missed => "missed",
            Kind::Flagged => "flagged",
            Kind::Warned => "warned",
            Kind::Together => "together",
            Kind::Inside => "inside",
        }
    }
}

/// A program that fails.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Name of its set.
    pub set: String,
    /// How.
    pub kind: Kind,
    /// Its own name.
    pub name: String,
}

impl Entry {
    /// A program that fails.
    pub fn new(set: &str, kind: Kind, name: &str) -> Self {
        Entry {
            set: set.to_owned(),
            kind,
            name: name.to_owned(),
        }
    }
}

/// What is known to fail, with the line it stands on.
pub type Budget = BTreeMap<Entry, usize>;

/// Where it stands.
pub fn path() -> PathBuf {
    label::root().join("budget.toml")
}

/// Reads the text of a budget.
pub fn parse(text: &str) -> Result<Budget, toml::de::Error> {
    type File = BTreeMap<String, BTreeMap<Kind, Vec<Spanned<String>>>>;
    let file: File = toml::from_str(text)?;
    let mut budget = Budget::new();
    for (set, kinds) in &file {
        for (kind, names) in kinds {
            for name in names {
                let line = text[..name.span().start].matches('\n').count() + 1;
                budget.insert(Entry::new(set, *kind, name.get_ref()), line);
            }
        }
    }
    Ok(budget)
}

/// The text of a budget that holds what fails.
pub fn render(failures: &BTreeSet<Entry>) -> String {
    let mut text = String::from(
        "# What is known to fail; README.md says what the words mean. CI fails on everything else that fails, and on a line here that does not.\n\
         # `cargo bench --bench recall -- --write-budget` writes this file anew.\n",
    );
    let (mut set, mut kind) = ("", None);
    for entry in failures {
        let is_new_set = entry.set != set;
        if kind.is_some() && (is_new_set || kind != Some(entry.kind)) {
            text.push_str("]\n");
        }
        if is_new_set {
            let _ = writeln!(text, "\n[{}]", entry.set);
        }
        if is_new_set || kind != Some(entry.kind) {
            let _ = writeln!(text, "{} = [", entry.kind.as_str());
        }
        let _ = writeln!(text, "    {:?},", entry.name);
        (set, kind) = (&entry.set, Some(entry.kind));
    }
    if kind.is_some() {
        text.push_str("]\n");
    }
    text
}

/// What the budget does not say of what fails, and what it says of what does not; only of entries that were measured.
pub fn deviations(
    budget: &Budget,
    failures: &BTreeSet<Entry>,
    is_measured: impl Fn(&Entry) -> bool,
    details: impl Fn(&Entry) -> String,
) -> Vec<String> {
    let new = failures
        .iter()
        .filter(|it| is_measured(it) && !budget.contains_key(it));
    let mut wrong: Vec<String> = new
        .map(|it| {
            let (set, kind, name) = (&it.set, it.kind.as_str(), &it.name);
            format!("{set}/{name} passed before and is `{kind}` now: {}", details(it))
        })
        .collect();
    let gone = budget
        .iter()
        .filter(|(it, _)| is_measured(it) && !failures.contains(it));
    wrong.extend(gone.map(|(it, line)| {
        let (set, kind, name) = (&it.set, it.kind.as_str(), &it.name);
        format!("{set}/{name} is not `{kind}` any more: delete line {line} of tests/programs/budget.toml")
    }));
    wrong
}
