//! How many programs are got right, set by set and rule by rule: `cargo bench --bench recall -- [--list] [--write-budget]`.
//!
//! First the sets under `tests/programs`, which nobody wrote for a rule: alone, as one project, and from inside each folder of that
//! project; what fails is named. Then the fixtures, by rule. `--list` says what was reported in each failure, and names every mark of a
//! fixture that was missed and every finding that no mark expects. `--write-budget` writes `tests/programs/budget.toml`. Without it
//! the bench fails when something fails that the budget does not hold, or the other way round.

#[expect(dead_code, reason = "the bench runs no command")]
#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/harness/mod.rs"]
mod harness;
#[path = "../tests/recall/measure/mod.rs"]
mod measure;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use harness::{Expectation, Found, NOTES, analyse, expectations, files, fixtures, found, matches};
use measure::budget::{self, Entry, Kind};
use measure::judge::{Verdict, judge};
use measure::label::sets;
use measure::{Measured, measure};

fn main() -> io::Result<ExitCode> {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    let list = has("--list");
    let mut out = io::stdout().lock();
    let code = programs(&mut out, list, has("--write-budget"))?;
    by_rule(&mut out, list)?;
    Ok(code)
}

/// The sets of programs; fails when the budget says something else.
fn programs(out: &mut impl Write, list: bool, write_budget: bool) -> io::Result<ExitCode> {
    writeln!(
        out,
        "{:10} {:>4} {:>6} {:>7} {:>6} {:>7} {:>7} {:>8} {:>9} {:>7}",
        "set", "bad", "found", "missed", "clean", "silent", "warned", "flagged", "together", "inside"
    )?;
    let mut all: Vec<Measured> = Vec::new();
    for set in sets() {
        let measured = measure(set, |_| true);
        set_line(out, &measured)?;
        all.push(measured);
    }
    writeln!(out)?;
    let failures: BTreeSet<Entry> = all.iter().flat_map(Measured::failures).collect();
    let details = |entry: &Entry| {
        let set = all.iter().find(|it| it.set.name == entry.set);
        set.map_or_else(String::new, |it| it.details(entry))
    };
    for entry in &failures {
        write!(out, "{:8} {}/{}", entry.kind.as_str(), entry.set, entry.name)?;
        match list {
            true => writeln!(out, ": {}", details(entry))?,
            false => writeln!(out)?,
        }
    }
    let mut is_right = true;
    for answer in all
        .iter()
        .flat_map(|it| it.alone.iter().chain(it.inside.values()))
    {
        for error in &answer.internal_errors {
            writeln!(out, "BUG      {error}")?;
            is_right = false;
        }
    }
    if write_budget {
        std::fs::write(budget::path(), budget::render(&failures))?;
    } else {
        let text = std::fs::read_to_string(budget::path())?;
        let budget = budget::parse(&text).map_err(io::Error::other)?;
        for it in budget::deviations(&budget, &failures, |_| true, details) {
            writeln!(out, "BUDGET   {it}")?;
            is_right = false;
        }
    }
    writeln!(out)?;
    Ok(match is_right {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn set_line(out: &mut impl Write, it: &Measured) -> io::Result<()> {
    let verdicts: Vec<Verdict> = it
        .answers()
        .map(|(program, answer)| judge(&program.label, answer))
        .collect();
    let count = |wanted: Verdict| verdicts.iter().filter(|it| **it == wanted).count();
    let [found, missed] = [Verdict::Found, Verdict::Missed].map(count);
    let [silent, warned, flagged] = [Verdict::Silent, Verdict::Warned, Verdict::Flagged].map(count);
    let failures = it.failures();
    let differ = |kind| failures.iter().filter(|it| it.kind == kind).count();
    writeln!(
        out,
        "{:10} {:>4} {found:>6} {missed:>7} {:>6} {silent:>7} {warned:>7} {flagged:>8} {:>9} {:>7}",
        it.set.name,
        found + missed,
        silent + warned + flagged,
        differ(Kind::Together),
        differ(Kind::Inside)
    )
}

/// The fixtures.
fn by_rule(out: &mut impl Write, list: bool) -> io::Result<()> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for fixture in fixtures() {
        let files = files(&fixture);
        let expected: Vec<Expectation> = expectations(&files).into_iter().collect();
        let mut actual = found(&files, &analyse(&files));
        let folder = names(&fixture, 2);
        actual.retain(|it| !NOTES.contains(&it.3.as_str()) || it.3 == folder);
        add(&mut scores, &folder, &expected, &actual);
        if list {
            list_wrong(out, &names(&fixture, 1), &expected, &actual)?;
        }
    }
    print(out, &scores)
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
