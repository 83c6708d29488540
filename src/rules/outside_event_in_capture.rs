//! CL306: a capture waits for an event recorded outside of it or in another capture, or the host asks after an event inside of it.

use super::story::capture::{self, at, begins, ends};
use super::story::{self, PathPhrase};
use super::{PathCase, remedy};
use crate::diagnostics::{Finding, Severity};
use crate::trace::capture::{Capture, Incident, IncidentKind};

/// `outside-event-in-capture` (CL306).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let incidents = capture::incidents(case);
    incidents
        .filter_map(|(capture, incident)| report(case, capture, incident))
        .collect()
}

fn report(case: &PathCase<'_>, capture: &Capture, incident: &Incident) -> Option<Finding> {
    let stream = story::stream_name(case.trace, capture.stream);
    let event = |name: &str| {
        if name.is_empty() {
            "an event".to_owned()
        } else {
            format!("`{name}`")
        }
    };
    let (message, recorded, error, help) = match &incident.kind {
        IncidentKind::OutsideEvent(name, site) => (
            format!(
                "the capture of {stream} waits for {}, which was recorded outside of it",
                event(name)
            ),
            (at(site), "this record is not part of the capture".to_owned()),
            "cudaErrorStreamCaptureIsolation",
            "let the stream the graph is launched in wait before the launch, or mark the wait with `cudaEventWaitExternal`",
        ),
        IncidentKind::OtherCapture(name, site, other) => (
            format!(
                "the capture of {stream} waits for {}, which belongs to the capture of {}",
                event(name),
                story::stream_name(case.trace, *other)
            ),
            (at(site), "this record is part of the other capture".to_owned()),
            "cudaErrorStreamCaptureMerge",
            "capture both streams as one graph, by letting the second wait for an event of the first instead of \
             beginning a capture of its own",
        ),
        IncidentKind::EndedCapture(name, site) => (
            format!(
                "the capture of {stream} waits for {}, whose last record is part of a capture that has ended",
                event(name)
            ),
            (at(site), "this record is captured, not executed".to_owned()),
            "cudaErrorInvalidValue",
            "record the event again in this capture, or order the launches of the two graphs",
        ),
        IncidentKind::CapturedEvent(name, site) => (
            format!(
                "`{}` asks after {}, which was recorded into the capture of {stream} and has not happened",
                incident.name,
                event(name)
            ),
            (at(site), "this record is captured, not executed".to_owned()),
            "cudaErrorCapturedEvent",
            "ask after the graph was launched, and record the event with `cudaEventRecordExternal`",
        ),
        _ => return None,
    };
    let mut steps = vec![recorded, begins(case, capture)];
    if matches!(incident.kind, IncidentKind::CapturedEvent(..)) {
        steps.swap(0, 1);
    }
    steps.push((at(&incident.site), format!("it fails with `{error}`")));
    steps.extend(ends(capture, "there is no graph"));
    let mut found = capture::finding(
        case,
        PathPhrase {
            rule: "outside-event-in-capture",
            code: "CL306",
            severity: Severity::Error,
            primary: at(&incident.site),
            message,
            steps,
            help: help.to_owned(),
        },
    );
    if let IncidentKind::OutsideEvent(_, recorded) = &incident.kind {
        found.fix = remedy::wait_at_launch(case, &incident.site, recorded);
    }
    Some(capture::doubt(case, (capture, incident), found))
}
