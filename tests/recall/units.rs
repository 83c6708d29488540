//! The judge and the budget themselves: an answer that is wrong is called wrong.

use std::collections::BTreeSet;

use cudalint::diagnostics::{Confidence, Severity};

use crate::measure::budget::{Entry, Kind, deviations, parse, render};
use crate::measure::check::{Answer, Found, Summary};
use crate::measure::judge::{Verdict, judge};
use crate::measure::label::Label;

fn label(text: &str) -> Label {
    toml::from_str(text).expect("a label")
}

fn answer(findings: &[(&'static str, Severity, &str, u32)]) -> Answer {
    let found = |(code, severity, path, line): &(&'static str, Severity, &str, u32)| Found {
        summary: Summary {
            path: (*path).to_owned(),
            line: *line,
            code,
            severity: *severity,
            confidence: Confidence::High,
        },
        places: vec![("main.cu".to_owned(), 1), ((*path).to_owned(), *line)],
    };
    Answer {
        findings: findings.iter().map(found).collect(),
        internal_errors: Vec::new(),
    }
}

#[test]
fn a_defect_is_found_by_its_family_near_an_accepted_line() {
    use Severity::{Error, Info, Warning};
    let label = label("family = \"race\"\nbad = true\nlines = [\"src/pipeline.cu:40\"]\n");
    for (finding, verdict) in [
        (("CL201", Error, "pipeline.cu", 40), Verdict::Found),
        (("CL201", Warning, "src/pipeline.cu", 42), Verdict::Found),
        (("CL201", Warning, "pipeline.cu", 38), Verdict::Found),
        (("CL201", Warning, "pipeline.cu", 43), Verdict::Missed),
        (("CL201", Warning, "other.cu", 40), Verdict::Missed),
        (("CL201", Info, "pipeline.cu", 40), Verdict::Missed),
        (("CL101", Error, "pipeline.cu", 40), Verdict::Missed),
    ] {
        assert_eq!(judge(&label, &answer(&[finding])), verdict, "{finding:?}");
    }
    assert_eq!(judge(&label, &answer(&[])), Verdict::Missed);
}

#[test]
fn a_clean_program_is_flagged_by_any_code_that_counts() {
    use Severity::{Error, Info, Warning};
    let every = label("family = \"race\"\nbad = false\n");
    let some = label("family = \"clean\"\nbad = false\ncodes = [\"CL2\"]\n");
    for (finding, of_every, of_some) in [
        (("CL402", Error, "a.cu", 1), Verdict::Flagged, Verdict::Silent),
        (("CL402", Warning, "a.cu", 1), Verdict::Warned, Verdict::Silent),
        (("CL201", Error, "a.cu", 1), Verdict::Flagged, Verdict::Flagged),
        (("CL201", Warning, "a.cu", 1), Verdict::Warned, Verdict::Warned),
        (("CL201", Info, "a.cu", 1), Verdict::Silent, Verdict::Silent),
    ] {
        assert_eq!(judge(&every, &answer(&[finding])), of_every, "{finding:?}");
        assert_eq!(judge(&some, &answer(&[finding])), of_some, "{finding:?}");
    }
}

#[test]
fn a_defect_without_lines_is_found_anywhere() {
    let label = label("family = \"race\"\nbad = true\ncodes = [\"CL1\"]\n");
    let found = answer(&[("CL102", Severity::Error, "a.cu", 7)]);
    let other = answer(&[("CL202", Severity::Error, "a.cu", 7)]);
    assert_eq!(judge(&label, &found), Verdict::Found);
    assert_eq!(judge(&label, &other), Verdict::Missed);
}

#[test]
fn macros_come_from_the_compiler_flags() {
    let label = label("family = \"clean\"\nbad = false\nbuild = \"-DNDEBUG -lcuda -DWIDTH=3\"\n");
    assert_eq!(label.defines(), ["NDEBUG", "WIDTH=3"]);
}

fn failures() -> BTreeSet<Entry> {
    [
        ("exam", Kind::Missed, "001-ring"),
        ("exam", Kind::Missed, "002-pool"),
        ("exam", Kind::Together, "001-ring"),
        ("probes", Kind::Flagged, "g1"),
    ]
    .map(|(set, kind, name)| Entry::new(set, kind, name))
    .into()
}

#[test]
fn a_budget_is_read_as_it_was_written() {
    let failures = failures();
    let text = render(&failures);
    let budget = parse(&text).expect("it was just written");
    assert_eq!(budget.keys().cloned().collect::<BTreeSet<_>>(), failures);
    for (entry, line) in &budget {
        let line = text.lines().nth(line - 1).expect("a line of the text");
        assert_eq!(line.trim(), format!("{:?},", entry.name));
    }
    assert!(parse("[exam]\nmised = [\"a\"]\n").is_err(), "an unknown kind");
    assert!(
        parse(&render(&BTreeSet::new()))
            .expect("only comments")
            .is_empty()
    );
}

#[test]
fn a_new_failure_and_a_failure_that_is_gone_are_both_told() {
    let budget = parse(&render(&failures())).expect("it was just written");
    let told = |now: &BTreeSet<Entry>, is_measured: fn(&Entry) -> bool| {
        deviations(&budget, now, is_measured, |_| "details".to_owned())
    };
    assert!(told(&failures(), |_| true).is_empty());

    let mut worse = failures();
    worse.insert(Entry::new("exam", Kind::Flagged, "003-clean"));
    assert_eq!(
        told(&worse, |_| true),
        ["exam/003-clean passed before and is `flagged` now: details"]
    );
    assert!(told(&worse, |it| it.kind != Kind::Flagged).is_empty());

    let mut better = failures();
    better.remove(&Entry::new("exam", Kind::Missed, "002-pool"));
    let line = budget[&Entry::new("exam", Kind::Missed, "002-pool")];
    let expected =
        format!("exam/002-pool is not `missed` any more: delete line {line} of tests/programs/budget.toml");
    assert_eq!(told(&better, |_| true), [expected]);
}
