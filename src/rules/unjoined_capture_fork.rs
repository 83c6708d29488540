//! CL302: a stream joins a capture by waiting for an event of it, and is not joined back before the end, or ends it.

use super::PathCase;
use super::story::capture::{self, at, begins};
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};

/// `unjoined-capture-fork` (CL302).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let mut found = misplaced(case);
    for capture in capture::complete(case).filter(|it| it.incidents.is_empty()) {
        let Some(end) = &capture.end else { continue };
        for unjoined in &capture.unjoined {
            let origin = story::stream_name(case.trace, capture.stream);
            let fork = story::stream_name(case.trace, unjoined.stream);
            found.push(story::path_finding(
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
            ));
        }
    }
    found
}

/// Captures that are ended on a stream that only joined them.
fn misplaced(case: &PathCase<'_>) -> Vec<Finding> {
    let captures = case.trace.notes.captures.all.iter();
    captures
        .filter_map(|capture| {
            let (stream, end) = capture.misplaced_end.as_ref()?;
            let origin = story::stream_name(case.trace, capture.stream);
            let fork = story::stream_name(case.trace, *stream);
            Some(story::path_finding(
                case,
                PathPhrase {
                    rule: "unjoined-capture-fork",
                    code: "CL302",
                    severity: Severity::Error,
                    primary: at(&end.site),
                    message: format!("the capture of {origin} is ended on {fork}, which only joined it"),
                    steps: vec![
                        begins(case, capture),
                        (
                            at(&end.site),
                            "this returns `cudaErrorStreamCaptureUnmatched` and no graph".to_owned(),
                        ),
                    ],
                    help: format!("join {fork} back to {origin}, and end the capture on {origin}"),
                },
            ))
        })
        .collect()
}
