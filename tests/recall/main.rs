//! Programs nobody wrote for a rule: what passed still passes, what is known to fail is written down, and company changes no answer.

#[expect(dead_code, reason = "no test here asks for everything")]
#[path = "../common/mod.rs"]
mod common;
mod labels;
mod measure;
mod on_gpu;
mod units;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use common::Project;
use measure::budget::{self, Budget, Entry, Kind};
use measure::check::{Answer, OneProject};
use measure::label::{Program, Set, sets};
use measure::{Measured, measure};

/// Programs of a set that are also checked from inside their folder of the one project, which takes a check of the whole set each,
/// beside the first of which the budget says that it fails; the bench does all.
const SAMPLE: usize = 4;

/// Every set; measured once for all tests.
static SETS: LazyLock<Vec<Measured>> = LazyLock::new(|| {
    let budget = read_budget();
    let measured = |set: Set| {
        let count = set.programs.len();
        let fails = budget
            .keys()
            .find(|it| it.set == set.name && it.kind == Kind::Inside);
        let fails = fails.and_then(|it| set.programs.iter().position(|program| program.name == it.name));
        measure(set, |index| is_in_sample(index, count) || fails == Some(index))
    };
    sets().into_iter().map(measured).collect()
});

/// A few, spread over the set.
fn is_in_sample(index: usize, count: usize) -> bool {
    index.is_multiple_of(count.div_ceil(SAMPLE))
}

fn read_budget() -> Budget {
    let path = budget::path();
    let text = std::fs::read_to_string(&path).expect("the budget is there");
    budget::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares what fails in some ways with the budget.
fn holds(kinds: &[Kind], is_measured: impl Fn(&Entry) -> bool) {
    let failures: BTreeSet<Entry> = SETS.iter().flat_map(Measured::failures).collect();
    let details = |entry: &Entry| {
        let set = SETS.iter().find(|it| it.set.name == entry.set);
        set.map_or_else(String::new, |it| it.details(entry))
    };
    let wrong = budget::deviations(
        &read_budget(),
        &failures,
        |entry| kinds.contains(&entry.kind) && is_measured(entry),
        details,
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn what_passed_still_passes_and_the_budget_holds_nothing_that_passes() {
    holds(&[Kind::Missed, Kind::Flagged, Kind::Warned], |_| true);
}

#[test]
fn a_program_gets_the_same_answer_alone_and_in_one_project() {
    holds(&[Kind::Together], |_| true);
}

#[test]
fn a_program_gets_the_same_answer_from_inside_its_folder_and_from_the_root() {
    let is_measured = |entry: &Entry| {
        let set = SETS.iter().find(|it| it.set.name == entry.set);
        let index = set.and_then(|it| it.set.programs.iter().position(|it| it.name == entry.name));
        // What is not there at all fails no more.
        index.is_none_or(|index| set.is_some_and(|it| it.inside.contains_key(&index)))
    };
    holds(&[Kind::Inside], is_measured);
}

#[test]
fn no_program_meets_a_bug_of_the_tool() {
    let wrong: BTreeSet<&String> = SETS
        .iter()
        .flat_map(|it| it.alone.iter().chain(&it.together).chain(it.inside.values()))
        .flat_map(|it| &it.internal_errors)
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// `(path, line, code, severity, confidence)` of what the binary prints, in order.
type Printed = Vec<(String, u64, String, String, String)>;

fn printed(folder: &std::path::Path, args: &[String]) -> Printed {
    let mut command = Project::new(&[]).command(&["check", "--format", "json"]);
    command.0.args(args).arg(".").current_dir(folder);
    let outcome = command.run();
    let document: serde_json::Value = serde_json::from_str(&outcome.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}: {}", folder.display(), outcome.stderr));
    let findings = document["findings"].as_array().expect("a list").iter();
    let text = |it: &serde_json::Value| it.as_str().expect("a text").to_owned();
    findings
        .map(|it| {
            let line = it["line"].as_u64().expect("a number");
            let (code, severity) = (text(&it["code"]), text(&it["severity"]));
            (text(&it["path"]), line, code, severity, text(&it["confidence"]))
        })
        .collect()
}

fn in_words(answer: &Answer, prefix: &str) -> Printed {
    let findings = answer.findings.iter().map(|it| &it.summary);
    findings
        .map(|it| {
            let (severity, confidence) = (it.severity.as_str(), it.confidence.as_str());
            let path = format!("{prefix}{}", it.path);
            (
                path,
                u64::from(it.line),
                it.code.to_owned(),
                severity.to_owned(),
                confidence.to_owned(),
            )
        })
        .collect()
}

#[test]
fn the_command_prints_these_answers() {
    for it in SETS.iter() {
        let count = it.set.programs.len();
        for (index, (program, answer)) in it.answers().enumerate() {
            let needs_macros = !program.label.defines().is_empty();
            if needs_macros || is_in_sample(index, count) {
                let mut args = vec!["--isolated".to_owned()];
                args.extend(program.label.defines().iter().map(|it| format!("-D{it}")));
                assert_eq!(
                    printed(&program.folder, &args),
                    in_words(answer, ""),
                    "{}/{}",
                    it.set.name,
                    program.name
                );
            }
        }
    }
}

#[test]
fn the_command_prints_these_answers_in_one_project() {
    for it in SETS.iter() {
        let project = OneProject::new(&it.set);
        let mut expected: Printed = Vec::new();
        for (program, answer) in it.set.programs.iter().zip(&it.together) {
            expected.extend(in_words(answer, &format!("{}/", program.name)));
        }
        let mut actual = printed(project.root(), &[]);
        actual.sort();
        expected.sort();
        assert_eq!(actual, expected, "{}", it.set.name);
        let (index, answer) = it.inside.iter().next().expect("the first is in the sample");
        let program: &Program = &it.set.programs[*index];
        let folder = project.root().join(&program.name);
        assert_eq!(printed(&folder, &[]), in_words(answer, ""), "{}", program.name);
    }
}
