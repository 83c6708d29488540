//! CL303: work on the legacy default stream while another stream captures: it fails, or is silently not in the graph.

use super::PathCase;
use super::story::capture::{self, at, begins, ends};
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};
use crate::order;
use crate::trace::StreamKind;
use crate::trace::capture::{Capture, CaptureMode, IncidentKind};

/// `legacy-stream-during-capture` (CL303).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (capture, incident) in capture::incidents(case) {
        // Nobody misses anything in a graph that is thrown away.
        let is_missed = !capture.discarded || capture::kind(case, capture) != StreamKind::NonBlocking;
        let name = format!("`{}`", incident.name);
        let finding = match incident.kind {
            IncidentKind::Legacy if is_missed => report(case, capture, &name, at(&incident.site)),
            IncidentKind::LegacyJoin => joins(case, capture, &name, at(&incident.site)),
            _ => continue,
        };
        found.push(capture::doubt(case, (capture, incident), finding));
    }
    for it in order::captures::foreign(case.trace).iter().filter(|it| it.legacy) {
        let name = story::name_in(case.program, case.trace, it.event);
        found.push(report(case, it.capture, &name, it.event.at(case.trace)));
    }
    found
}

/// The legacy default stream is made to wait for an event of a capture.
fn joins(
    case: &PathCase<'_>,
    capture: &Capture,
    name: &str,
    primary: (crate::program::FileId, crate::syntax::Span),
) -> Finding {
    let stream = story::stream_name(case.trace, capture.stream);
    let mut steps = vec![
        begins(case, capture),
        (
            primary,
            "it fails with `cudaErrorStreamCaptureImplicit`".to_owned(),
        ),
    ];
    steps.extend(ends(
        capture,
        "the graph is made without what was to come behind it, if at all",
    ));
    capture::finding(
        case,
        PathPhrase {
            rule: "legacy-stream-during-capture",
            code: "CL303",
            severity: Severity::Error,
            primary,
            message: format!(
                "{name} lets the legacy default stream wait for an event of the capture of {stream}: that stream cannot \
                 take part in a capture, and the call fails"
            ),
            steps,
            help: "let a stream that was created wait instead, and put the work there".to_owned(),
        },
    )
}

fn report(
    case: &PathCase<'_>,
    capture: &Capture,
    name: &str,
    primary: (crate::program::FileId, crate::syntax::Span),
) -> Finding {
    let stream = story::stream_name(case.trace, capture.stream);
    let (message, step, end) = match capture::kind(case, capture) {
        StreamKind::NonBlocking => (
            format!(
                "{name} works on the legacy default stream while {stream} captures: it runs now and is missing from the \
                 graph, and nothing reports that"
            ),
            "it is not captured: a launch of the graph does not repeat it",
            "the graph is made without it",
        ),
        StreamKind::Unknown => (
            format!(
                "{name} works on the legacy default stream while {stream} captures: it fails, or it runs now and is \
                 missing from the graph"
            ),
            "with a blocking stream it fails with `cudaErrorStreamCaptureImplicit`, with a non-blocking one it is not captured",
            "there is no graph, or one without it",
        ),
        _ => (
            format!(
                "{name} works on the legacy default stream, which waits for {stream}, while that captures: it fails, and \
                 the capture becomes invalid"
            ),
            "it fails with `cudaErrorStreamCaptureImplicit`",
            "this returns `cudaErrorStreamCaptureInvalidated` and no graph",
        ),
    };
    let mut steps = vec![begins(case, capture), (primary, step.to_owned())];
    steps.extend(ends(capture, end));
    // Who asks for the relaxed mode may mean to run things meanwhile.
    let meant =
        capture.mode == Some(CaptureMode::Relaxed) && capture::kind(case, capture) != StreamKind::Blocking;
    capture::finding(
        case,
        PathPhrase {
            rule: "legacy-stream-during-capture",
            code: "CL303",
            severity: if meant { Severity::Warning } else { Severity::Error },
            primary,
            message,
            steps,
            help: format!("hand {stream} to the call, or make it before the capture begins"),
        },
    )
}
