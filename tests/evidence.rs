//! Cards, fixtures and `rules/evidence/` are in step: no card claims what no evidence shows.
#![cfg(all(feature = "verify", unix))]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cudalint::diagnostics::evidence;
use cudalint::diagnostics::rule::{RULES, Rule, Status};
use cudalint::verify::program::fixtures_below;
use cudalint::verify::record::Record;
use cudalint::verify::{Program, Workplace, fixed};

/// Every record, by file name.
fn records() -> BTreeMap<String, Record> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/evidence");
    let entries = std::fs::read_dir(folder).expect("evidence is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let records = paths.filter(|path| path.extension().is_some_and(|it| it == "json"));
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("a record can be read");
        let record =
            serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.display().to_string(), record)
    };
    records.map(read).collect()
}

/// Every fixture; fails where one has no header that can be read.
fn fixtures() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    fixtures_below(&folder).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Whether the card says that a GPU did something.
fn claims(rule: &Rule) -> bool {
    let section = rule.card.split_once("## Evidence\n").map_or("", |(_, rest)| rest);
    let section = section.split("\n## ").next().unwrap_or_default();
    section.contains("Measured") || section.contains("measured on")
}

#[test]
fn good_fixtures_end_well() {
    let ends_well = |it: &Program| it.expectation.lazy.allows("done") && it.expectation.eager.allows("done");
    let wrong = fixtures().into_iter().filter(|it| !it.is_bad() && !ends_well(it));
    let wrong: Vec<String> = wrong
        .map(|it| format!("{}: {}", it.name, it.expectation))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn evidence_is_about_the_fixtures_as_they_are() {
    let fixtures = fixtures();
    let mut wrong = Vec::new();
    for (file, record) in records() {
        let words = [
            &record.gpu,
            &record.driver,
            &record.cuda,
            &record.nvcc,
            &record.architecture,
        ];
        assert!(
            record.version == 2 && words.iter().all(|it| !it.is_empty()),
            "{file}"
        );
        for (name, recorded) in &record.fixtures {
            let mut complain = |problem: &str| {
                wrong.push(format!(
                    "{file}: {name} {problem}: record it again, or take it out"
                ))
            };
            if let Some(fixed) = &recorded.fixed
                && (fixed.lazy.is_empty() || fixed.lazy.len() != fixed.eager.len())
            {
                complain("was not tried equally often in both modes after its fix");
            }
            let only_fixed = recorded.fixed.is_some() && recorded.lazy.is_empty();
            if !only_fixed && recorded.lazy.is_empty() || recorded.lazy.len() != recorded.eager.len() {
                complain("was not tried equally often in both modes");
            }
            let Some(fixture) = fixtures.iter().find(|it| it.name == *name) else {
                complain("does not exist");
                continue;
            };
            if fixture.expectation.to_string() != recorded.expected {
                complain("is predicted to do something else by now");
            }
            if !recorded.source.is_empty() && recorded.source != fixture.code {
                complain("has changed since");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn recorded_rules_behaved_as_predicted_and_say_so() {
    for rule in RULES {
        for measured in evidence::of_rule(rule.name) {
            assert_eq!(measured.as_predicted(), measured.of(), "{measured:?}");
            assert_eq!(measured.fixed.0, measured.fixed.1, "{measured:?}");
            let name = rule.name;
            assert!(claims(rule), "rules/{name}.md says nothing of what was measured");
        }
        let recorded = rule
            .card
            .contains(&format!("Recorded by `cudalint verify {}`", rule.name));
        assert_eq!(recorded, evidence::sentence(rule.name).is_some(), "{}", rule.name);
    }
}

/// What was proved is what is offered now.
#[test]
fn recorded_fixes_are_those_of_today() {
    let records = records();
    let recorded: BTreeMap<&String, &String> = records
        .values()
        .flat_map(|record| &record.fixtures)
        .filter_map(|(name, it)| Some((name, &it.fixed.as_ref()?.source)))
        .collect();
    let mut fixtures = fixtures();
    fixtures.retain(|it| recorded.contains_key(&it.name));
    let work = Workplace::new(false).expect("a temporary folder");
    let fixes = fixed::programs(&fixtures, work.path()).unwrap_or_else(|failure| panic!("{failure}"));
    let now: BTreeMap<&String, &String> = fixes.programs.iter().map(|it| (&it.name, &it.code)).collect();
    assert_eq!(now, recorded, "run `cudalint verify --fix` again");
}

/// Where fixed fixtures were run, the card says what came of it, and nowhere else.
#[test]
fn recorded_fixes_are_told_on_the_card() {
    for rule in RULES {
        let ran = evidence::of_rule(rule.name).any(|it| it.fixed.1 > 0);
        let command = format!("Recorded by `cudalint verify --fix {}`", rule.name);
        assert_eq!(rule.card.contains(&command), ran, "rules/{}.md", rule.name);
    }
}

/// The numbers of the cards are explained, and what is said to be measured again is.
#[test]
fn measurements_say_which_of_them_the_probe_repeats() {
    let text = include_str!("../rules/measurements.toml");
    let table: BTreeMap<String, toml::Table> = toml::from_str(text).expect("a table of measurements");
    let probed = table.iter().filter(|(_, it)| it.contains_key("probe"));
    let probed: Vec<&str> = probed.map(|(name, _)| name.as_str()).collect();
    assert_eq!(probed, cudalint::probe::cases::GROUPS);
    let card = cudalint::diagnostics::rule::rule("first-launch-behind-resident").map(|it| it.card);
    assert!(card.is_some_and(|it| it.contains("`cudalint probe --only M1` repeats M1")));
}

/// Holds from the moment a run over all fixtures was recorded.
#[test]
fn no_card_claims_what_no_evidence_shows() {
    if !records().values().any(|record| record.complete) {
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

#[test]
fn the_documentation_tells_what_was_recorded() {
    for (file, name, expected) in [
        ("docs/verify.md", "evidence", table()),
        ("README.md", "proved", proved()),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(&path).expect("the page");
        let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        let (head, rest) = text.split_once(&begin).expect("the marker");
        let (shown, tail) = rest.split_once(&end).expect("the other marker");
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            let updated = format!("{head}{begin}{expected}{end}{tail}");
            std::fs::write(&path, updated).expect("the page can be written");
            continue;
        }
        assert!(
            shown == expected,
            "{file} is stale: run with UPDATE_SNAPSHOTS=1; it should show\n{expected}"
        );
    }
}

/// All rules together, machine by machine.
fn proved() -> String {
    let mut machines: BTreeMap<String, [(usize, usize); 3]> = BTreeMap::new();
    for it in RULES.iter().flat_map(|rule| evidence::of_rule(rule.name)) {
        let machine = format!("{}, driver {}, CUDA {}", it.gpu, it.driver, it.cuda);
        let sums = machines.entry(machine).or_default();
        for (sum, (some, all)) in sums.iter_mut().zip([it.bad, it.good, it.fixed]) {
            *sum = (sum.0 + some, sum.1 + all);
        }
    }
    let mut text = "Every rule comes with whole small programs, and they ran on GPUs ([rule by rule](docs/verify.md#evidence); `cudalint verify` repeats it):\n\n\
                    | where | bad ones that did what was predicted in every trial | good ones that completed | bad ones that completed once fixed |\n|---|---|---|---|\n"
        .to_owned();
    for (machine, counts) in machines {
        let [bad, good, fixed] = counts.map(of);
        text.push_str(&format!("| {machine} | {bad} | {good} | {fixed} |\n"));
    }
    text.push_str(&format!(
        "\nA bad one is predicted to hang, to fail, to give wrong data or to take too long. {} of them are predicted to complete here: they only stall for a\n\
         while, or nothing promises that they complete, and this GPU and driver let them.\n",
        harmless()
    ));
    text
}

/// How many bad programs of rules completed in every trial, as predicted.
fn harmless() -> usize {
    let fixtures = records().into_values().flat_map(|it| it.fixtures);
    let is_done = |outcomes: &[String]| outcomes.iter().all(|it| it == "done");
    fixtures
        .filter(|(name, it)| is_bad(name) && !it.lazy.is_empty() && is_done(&it.lazy) && is_done(&it.eager))
        .count()
}

/// Whether a fixture is a bad one of a rule.
fn is_bad(name: &str) -> bool {
    let parts = name.split_once('/');
    parts.is_some_and(|(rule, file)| {
        file.starts_with("bad-") && cudalint::diagnostics::rule::rule(rule).is_some()
    })
}

/// A count as the tables show it.
fn of(count: (usize, usize)) -> String {
    match count {
        (_, 0) => "–".to_owned(),
        (some, all) => format!("{some} of {all}"),
    }
}

fn table() -> String {
    let mut table = "| rule | where | trials per mode | bad ones as predicted | good ones complete | fixed ones complete |\n|---|---|---|---|---|---|\n".to_owned();
    for rule in RULES {
        for it in evidence::of_rule(rule.name) {
            let place = format!("{}, driver {}, CUDA {}", it.gpu, it.driver, it.cuda);
            let [bad, good, fixed] = [it.bad, it.good, it.fixed].map(of);
            table.push_str(&format!(
                "| {} | {place} | {} | {bad} | {good} | {fixed} |\n",
                rule.name, it.trials
            ));
        }
    }
    table
}
