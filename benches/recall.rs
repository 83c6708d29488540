//! How many fixtures each rule gets right: `cargo bench --bench recall -- [--list]`.
//!
//! `--list` names every mark that was missed and every finding that no mark expects.

#[path = "../tests/harness/mod.rs"]
mod harness;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use harness::{Expectation, Found, NOTES, analyse, expectations, files, fixtures, found, matches};

fn main() -> io::Result<()> {
    let list = std::env::args().any(|argument| argument == "--list");
    let mut out = io::stdout().lock();
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for fixture in fixtures() {
        let files = files(&fixture);
        let expected: Vec<Expectation> = expectations(&files).into_iter().collect();
        let mut actual = found(&files, &analyse(&files));
        let folder = names(&fixture, 2);
        actual.retain(|it| !NOTES.contains(&it.3.as_str()) || it.3 == folder);
        add(&mut scores, &folder, &expected, &actual);
        if list {
            list_wrong(&mut out, &names(&fixture, 1), &expected, &actual)?;
        }
    }
    print(&mut out, &scores)
}

/// What a rule makes of the fixtures.
#[derive(Default)]
struct Score {
    /// Fixtures with a mark of the rule.
    bad: usize,
    /// Of those, with every mark met.
    found: usize,
    /// Good fixtures in the rule's folder.
    good: usize,
    /// Good fixtures anywhere that the rule reports.
    flagged: usize,
    /// Marks, and those that a finding meets.
    marks: usize,
    met: usize,
    /// Findings, in all fixtures.
    findings: usize,
}

fn add(scores: &mut BTreeMap<String, Score>, folder: &str, expected: &[Expectation], actual: &[Found]) {
    let is_good = expected.is_empty();
    scores.entry(folder.to_owned()).or_default().good += usize::from(is_good);
    let mut rules: Vec<&String> = expected.iter().map(|it| &it.3).collect();
    rules.extend(actual.iter().map(|it| &it.3));
    rules.sort();
    rules.dedup();
    for rule in rules {
        let marks = expected.iter().filter(|it| it.3 == *rule);
        let score = scores.entry(rule.clone()).or_default();
        let count = marks.clone().count();
        let met = marks
            .filter(|it| actual.iter().any(|actual| matches(it, actual)))
            .count();
        score.marks += count;
        score.met += met;
        score.findings += actual.iter().filter(|it| it.3 == *rule).count();
        score.bad += usize::from(count > 0);
        score.found += usize::from(count > 0 && met == count);
        score.flagged += usize::from(is_good);
    }
}

fn list_wrong(
    out: &mut impl Write,
    name: &str,
    expected: &[Expectation],
    actual: &[Found],
) -> io::Result<()> {
    for it in expected
        .iter()
        .filter(|it| !actual.iter().any(|actual| matches(it, actual)))
    {
        writeln!(out, "missed  {name} {}:{}: {}", it.0, it.1, it.3)?;
    }
    for it in actual
        .iter()
        .filter(|it| !expected.iter().any(|mark| matches(mark, it)))
    {
        writeln!(
            out,
            "flagged {name} {}:{}: {} {}: {}",
            it.0, it.1, it.2, it.3, it.4
        )?;
    }
    Ok(())
}

fn print(out: &mut impl Write, scores: &BTreeMap<String, Score>) -> io::Result<()> {
    writeln!(
        out,
        "{:34} {:>4} {:>6} {:>7} {:>5} {:>8} {:>10} {:>7}",
        "rule", "bad", "found", "missed", "good", "flagged", "precision", "recall"
    )?;
    let mut total = Score::default();
    for (rule, score) in scores {
        line(out, rule, score)?;
        total.bad += score.bad;
        total.found += score.found;
        total.good += score.good;
        total.flagged += score.flagged;
        total.marks += score.marks;
        total.met += score.met;
        total.findings += score.findings;
    }
    line(out, "all", &total)
}

fn line(out: &mut impl Write, name: &str, it: &Score) -> io::Result<()> {
    writeln!(
        out,
        "{name:34} {:>4} {:>6} {:>7} {:>5} {:>8} {:>10} {:>7}",
        it.bad,
        it.found,
        it.bad - it.found,
        it.good,
        it.flagged,
        share(it.met, it.findings),
        share(it.met, it.marks)
    )
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        "-".to_owned()
    } else {
        format!("{:.3}", part as f64 / whole as f64)
    }
}

/// The n-th name from the end of a path.
fn names(path: &Path, from_end: usize) -> String {
    let mut parts = path.iter().rev();
    parts
        .nth(from_end - 1)
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
