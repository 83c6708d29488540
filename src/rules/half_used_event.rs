//! CL220: an event that a class keeps is recorded and nothing waits for it, or waited for and nothing records it.

use super::PathCase;
use super::story::{self, PathPhrase, location};
use crate::diagnostics::{Confidence, Finding, Severity, Step, evidence};
use crate::order::overwritten::{Overwritten, overwritten};
use crate::program::{FileId, HalfUsed, Program};
use crate::syntax::Span;

/// Calls that are shown.
const MOST_CALLS: usize = 4;

/// `half-used-event` (CL220).
pub(super) fn check(program: &Program, found: &[HalfUsed]) -> Vec<Finding> {
    found.iter().filter_map(|it| finding(program, it)).collect()
}

fn finding(program: &Program, half: &HalfUsed) -> Option<Finding> {
    let name = &half.field;
    let (first, _) = half.calls.split_first()?;
    let step = |at: (FileId, Span), message: String| Step::new(location(program, at), message);
    let declared = step(
        half.declared,
        format!("`{name}` is declared here, and handed to nobody"),
    );
    let calls = half.calls.iter().take(MOST_CALLS);
    let calls = calls.map(|at| match half.recorded {
        true => step(*at, "it is recorded here".to_owned()),
        false => step(
            *at,
            "here somebody asks whether it was reached: it was, at once".to_owned(),
        ),
    });
    let (message, help) = match half.recorded {
        true => (
            format!(
                "`{name}` is recorded, but nothing waits for it or asks after it: what is used again behind it may still be in use"
            ),
            format!("wait for `{name}` before what it stands for is used again, or take it out"),
        ),
        false => (
            format!(
                "`{name}` is waited for, but nothing records it: an event that was never recorded is complete, so nothing waits"
            ),
            format!("record `{name}` behind the work it is to stand for"),
        ),
    };
    Some(Finding {
        rule: "half-used-event",
        code: "CL220",
        severity: match half.recorded {
            true => Severity::Warning,
            false => Severity::Error,
        },
        confidence: Confidence::Medium,
        primary: location(program, *first),
        message,
        steps: std::iter::once(declared).chain(calls).collect(),
        help: Some(help),
        evidence: evidence::sentence("half-used-event"),
        assumptions: vec![format!("nothing outside of the project uses `{name}`")],
        configuration: None,
        fix: None,
        picture: None,
    })
}

/// Records that nothing can wait for any more: the event is recorded again in another stream.
pub(super) fn lost(case: &PathCase<'_>) -> Vec<Finding> {
    let all = overwritten(case.trace);
    all.iter().map(|it| lost_record(case, it)).collect()
}

fn lost_record(case: &PathCase<'_>, it: &Overwritten) -> Finding {
    let (record, wait) = (it.record.at(case.trace), it.wait.at(case.trace));
    let stream = story::stream_name(case.trace, it.stream);
    let mut finding = story::path_finding(
        case,
        PathPhrase {
            rule: "half-used-event",
            code: "CL220",
            severity: Severity::Warning,
            primary: record,
            message: format!(
                "the event is recorded again in another stream before anything waits for it: what waits then waits for the \
                 last stream only, and not for {stream}"
            ),
            steps: vec![
                (
                    it.lost.at(case.trace),
                    format!("the event is recorded in {stream}"),
                ),
                (
                    record,
                    "the next pass records it in another stream: the first record is gone".to_owned(),
                ),
                (wait, "this waits for what was recorded last".to_owned()),
            ],
            help: "wait for the event behind each record, or give each stream an event of its own".to_owned(),
        },
    );
    finding.confidence = finding.confidence.min(Confidence::Medium);
    finding
}
