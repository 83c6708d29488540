//! CL302: a stream joins a capture by waiting for an event of it, and is not joined back before the end, or ends it.

use super::PathCase;
use super::remedy;
use super::story::capture::{self, at, begins};
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};
use crate::trace::capture::{Capture, Misplaced};

/// `unjoined-capture-fork` (CL302).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let mut found = misplaced(case);
    for capture in capture::complete(case).filter(|it| it.incidents.is_empty()) {
        let Some(end) = &capture.end else { continue };
        for unjoined in &capture.unjoined {
            let origin = story::stream_name(case.trace, capture.stream);
            let fork = story::stream_name(case.trace, unjoined.stream);
            let mut finding = capture::finding(
                case,
                PathPhrase {
                    rule: "unjoined-capture-fork",
                    code: "CL302",
                    severity: Severity::Error,
                    primary: at(&end.site),
                    message: format!(
                        "the capture of {origin} ends while {fork} still has captured work that is not joined back"
                    ),
                    steps: vec![
                        begins(case, capture),
                        (
                            at(&unjoined.fork),
                            format!("{fork} joins the capture by waiting for an event of it"),
                        ),
                        (
                            at(&unjoined.work),
                            format!("this work of {fork} is captured, and {origin} never waits for it"),
                        ),
                        (
                            at(&end.site),
                            "this returns `cudaErrorStreamCaptureUnjoined` and no graph".to_owned(),
                        ),
                    ],
                    help: format!(
                        "record an event on {fork} behind its work and let {origin} wait for it before the capture ends"
                    ),
                },
            );
            finding.fix = remedy::join_fork(case, &end.site, unjoined);
            found.push(finding);
        }
    }
    found
}

/// Captures that are ended on another stream.
fn misplaced(case: &PathCase<'_>) -> Vec<Finding> {
    let captures = case.trace.notes.captures.all.iter();
    captures
        .filter_map(|capture| Some(wrong_end(case, capture, capture.misplaced_end.as_ref()?)))
        .collect()
}

fn wrong_end(case: &PathCase<'_>, capture: &Capture, end: &Misplaced) -> Finding {
    let origin = story::stream_name(case.trace, capture.stream);
    let other = format!("stream `{}`", end.stream);
    let (why, fails, help) = if end.joined {
        (
            "only joined it",
            "this returns `cudaErrorStreamCaptureUnmatched` and no graph",
            format!("join {other} back to {origin}, and end the capture on {origin}"),
        )
    } else {
        (
            "does not capture",
            "this returns `cudaErrorIllegalState` and no graph, and the capture goes on",
            format!("end the capture on {origin}, where it began"),
        )
    };
    capture::finding(
        case,
        PathPhrase {
            rule: "unjoined-capture-fork",
            code: "CL302",
            severity: Severity::Error,
            primary: at(&end.spot.site),
            message: format!("the capture of {origin} is ended on {other}, which {why}"),
            steps: vec![begins(case, capture), (at(&end.spot.site), fails.to_owned())],
            help,
        },
    )
}
