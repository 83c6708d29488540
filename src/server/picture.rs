//! A finding as the JSON report tells it, with its picture: lanes, calls and who waits for whom.

use serde_json::{Value, json};

use super::target::Answer;
use crate::report::{self, Report, RunInfo, Statistics, svg};

/// What is known of the finding with a fingerprint, or of the first one that satisfies a question.
pub(super) fn picture(answer: &Answer, is_it: &dyn Fn(&str, u32, u32, &str) -> bool) -> Option<Value> {
    let statistics = Statistics::default();
    let report = Report {
        findings: &answer.findings,
        sources: &answer.sources,
        statistics: &statistics,
        rules: &[],
        version: env!("CARGO_PKG_VERSION"),
        run: RunInfo::default(),
    };
    let document = report::document(&report);
    let mut pairs = document.findings.iter().zip(&answer.findings);
    let (finding, _) = pairs.find(|(object, finding)| {
        let address = answer.addresses.get(&finding.primary.path);
        let place = &object.place;
        address.is_some_and(|it| is_it(it, place.line, place.end_line, &object.fingerprint))
    })?;
    Some(json!({
        "title": finding.message,
        "svg": svg::alone(finding),
        "finding": finding,
    }))
}
