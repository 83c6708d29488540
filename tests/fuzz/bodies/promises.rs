//! What is promised about every finding and every report, whatever was analysed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use cudalint::diagnostics::rule::{RULES, rule};
use cudalint::diagnostics::{Finding, Location, edits, sort};
use cudalint::report::{Format, Report, RuleInfo, Statistics, render};
use serde_json::Value;

/// Bytes of files by path.
pub type Sources = BTreeMap<Arc<str>, Arc<[u8]>>;

/// Findings are in order, once each, in files that are there, and every format can tell of them.
pub fn check_findings(findings: &[Finding], sources: &Sources) {
    let mut sorted = findings.to_vec();
    sort(&mut sorted);
    assert_eq!(sorted, findings, "findings are not sorted");
    let mut seen = BTreeSet::new();
    for finding in findings {
        check_finding(finding, sources);
        let identity = (&finding.primary, finding.rule, &finding.message);
        assert!(seen.insert(identity), "twice: {identity:?}");
    }
    check_fixes(findings, sources);
    check_reports(findings, sources);
}

fn check_finding(finding: &Finding, sources: &Sources) {
    let known = rule(finding.rule).unwrap_or_else(|| panic!("there is no rule `{}`", finding.rule));
    assert_eq!((known.name, known.code), (finding.rule, finding.code));
    assert!(!finding.message.trim().is_empty(), "{finding:?}");
    for location in finding.locations() {
        check_location(location, sources);
    }
}

/// Inside the file, and in text not inside a character.
fn check_location(location: &Location, sources: &Sources) {
    let bytes = sources.get(&location.path);
    let bytes = bytes.unwrap_or_else(|| panic!("`{}` is no file of the project", location.path));
    let (start, end) = (location.span.start as usize, location.span.end as usize);
    assert!(bytes.get(start..end).is_some(), "{location:?} of {}", bytes.len());
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert!(text.get(start..end).is_some(), "{location:?} splits a character");
    }
}

/// Each fix can be applied alone, and all that go together can be together.
fn check_fixes(findings: &[Finding], sources: &Sources) {
    let fixes: Vec<_> = findings.iter().filter_map(|it| it.fix.as_ref()).collect();
    let alone = fixes.iter().map(|fix| vec![*fix]);
    for chosen in alone.chain([edits::compatible(fixes.iter().copied())]) {
        for (path, edits) in edits::by_file(&chosen) {
            edits.iter().for_each(|it| check_location(&it.location, sources));
            assert!(
                edits::apply(&sources[path], &edits).is_some(),
                "cannot apply {edits:?}"
            );
        }
    }
}

/// Every format can be written, and those that are JSON are.
fn check_reports(findings: &[Finding], sources: &Sources) {
    let rules: Vec<RuleInfo<'_>> = RULES.iter().map(RuleInfo::from).collect();
    let report = Report {
        findings,
        sources,
        statistics: &Statistics::default(),
        rules: &rules,
        version: "0",
        run: cudalint::report::RunInfo::default(),
    };
    for format in Format::ALL {
        let mut written = Vec::new();
        render(format, &report, true, 80, &mut written).expect("writing to memory does not fail");
        match format {
            Format::Json => check_json(&written, findings.len()),
            Format::Sarif | Format::Gitlab => {
                let _: Value = serde_json::from_slice(&written).expect("the report is JSON");
            }
            Format::JsonLines => {
                let lines = written.split(|it| *it == b'\n').filter(|it| !it.is_empty());
                let values = lines.map(|it| serde_json::from_slice::<Value>(it).expect("the line is JSON"));
                assert_eq!(values.count(), findings.len());
            }
            _ => {}
        }
    }
}

/// The report is what its schema says.
fn check_json(written: &[u8], findings: usize) {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let schema = include_str!("../../../src/report/findings.schema.json");
        let schema = serde_json::from_str(schema).expect("the schema is JSON");
        jsonschema::validator_for(&schema).expect("the schema is one")
    });
    let report: Value = serde_json::from_slice(written).expect("the report is JSON");
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(findings));
    if let Err(error) = schema.validate(&report) {
        panic!("the report breaks its schema: {error} at {}", error.instance_path);
    }
}
