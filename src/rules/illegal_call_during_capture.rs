//! CL301: a call that a capture forbids, made while a stream captures.

use super::Place;
use super::remedy;
use super::story::capture::{self, at, begins, ends};
use super::story::{self, PathPhrase};
use super::{EntryCase, PathCase};
use crate::diagnostics::{Confidence, Finding, Fix, Severity};
use crate::order;
use crate::trace::capture::{Capture, CaptureMode, Incident, IncidentKind, Spot};

const RULE: &str = "illegal-call-during-capture";
pub(super) const CODE: &str = "CL301";
const END_IT: &str = "end the capture on every way out, that of an error too: `cudaStreamEndCapture` gives a graph, which \
                      is to be destroyed where nobody wants it";
const INVALID: &str =
    "the capture is invalid by now: this returns `cudaErrorStreamCaptureInvalidated` and no graph";

/// `illegal-call-during-capture` (CL301).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let own = capture::incidents(case).filter_map(|(capture, it)| own_call(case, capture, it));
    let mut found: Vec<Finding> = own.collect();
    found.extend(foreign(case));
    found.extend(refused(case));
    found.extend(inherited(case));
    found.extend(answered(case));
    found
}

fn own_call(case: &PathCase<'_>, capture: &Capture, incident: &Incident) -> Option<Finding> {
    let stream = story::stream_name(case.trace, capture.stream);
    if matches!(incident.kind, IncidentKind::Begun) {
        return Some(begun_again(case, capture, incident));
    }
    let (message, help) = match incident.kind {
        IncidentKind::Prohibited => (
            format!(
                "`{}` is called while {stream} captures: no capture mode allows it, and the capture becomes invalid",
                incident.name
            ),
            "move the call before the capture begins or behind its end".to_owned(),
        ),
        IncidentKind::Unsafe => (
            format!(
                "`{}` is called while {stream} captures {}: it fails, and the capture becomes invalid",
                incident.name,
                mode_words(capture)
            ),
            "move the call before the capture begins or behind its end, or guard it with `cudaThreadExchangeStreamCaptureMode` \
             and `cudaStreamCaptureModeRelaxed`"
                .to_owned(),
        ),
        _ => return None,
    };
    let mut steps = vec![
        begins(case, capture),
        (
            at(&incident.site),
            "it fails with `cudaErrorStreamCaptureUnsupported`".to_owned(),
        ),
    ];
    steps.extend(ends(capture, INVALID));
    let mut found = finding(case, at(&incident.site), message, steps, help);
    let in_time = remedy::outside(case, capture, &incident.site);
    let borne = matches!(incident.kind, IncidentKind::Unsafe).then(|| remedy::relaxed(case, capture));
    found.fix = Fix::or(in_time, borne.flatten());
    Some(capture::doubt(case, (capture, incident), found))
}

/// A stream that captures is to begin a capture.
fn begun_again(case: &PathCase<'_>, capture: &Capture, incident: &Incident) -> Finding {
    let stream = story::stream_name(case.trace, capture.stream);
    let message = format!(
        "`{}` is called while {stream} captures already: nothing has ended the capture that was begun before",
        incident.name
    );
    let mut steps = vec![
        begins(case, capture),
        (
            at(&incident.site),
            "it fails with `cudaErrorIllegalState`, and the capture from before goes on".to_owned(),
        ),
    ];
    if let Some((left, _)) = left_before_end(std::slice::from_ref(case), capture) {
        let words = "control goes back to the caller here, and nothing ends the capture on this way out";
        steps.insert(1, (at(&left.site), words.to_owned()));
    }
    let help = END_IT.to_owned();
    let found = finding(case, at(&incident.site), message, steps, help);
    capture::doubt(case, (capture, incident), found)
}

/// Captures that a function ends behind the place where it goes back to its caller on another path, with the capture open.
pub(super) fn left_open(entry: &EntryCase<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for case in entry.cases.iter().filter(|it| it.trace.budgets_hit == 0) {
        for capture in &case.trace.notes.captures.all {
            let begun = |it: &Incident| matches!(it.kind, IncidentKind::Begun);
            if capture.end.is_some() || capture.misplaced_end.is_some() || capture.incidents.iter().any(begun)
            {
                continue;
            }
            let Some((left, end)) = left_before_end(entry.cases, capture) else {
                continue;
            };
            let finding = goes_back(case, capture, left, end);
            if found.iter().all(|it| it.primary != finding.primary) {
                found.push(finding);
            }
        }
    }
    found
}

/// Where a function goes back with a capture open, and the end behind that in the same function, which other paths come to.
fn left_before_end<'a>(cases: &'a [PathCase<'_>], capture: &'a Capture) -> Option<(&'a Spot, Place)> {
    let begin = capture.begin.site.path();
    let captures = cases.iter().flat_map(|it| &it.trace.notes.captures.all);
    let alike = captures.filter(|it| at(&it.begin.site) == at(&capture.begin.site));
    let ended = alike.filter_map(|it| Some((it.begin.site.path(), it.end.as_ref()?.site.path())));
    for (other, end) in ended {
        let shared = other.iter().zip(&end).take_while(|(a, b)| a == b).count();
        // As deep in the calls as that function is.
        let depth = (begin.len() + shared).checked_sub(other.len());
        let (Some(depth), Some(end)) = (depth, end.get(shared)) else {
            continue;
        };
        let left = capture.left.iter().find(|it| it.site.frames.len() == depth);
        let before = |it: &&Spot| it.site.file == end.0 && it.site.span.end <= end.1.start;
        if let Some(left) = left.filter(before) {
            return Some((left, *end));
        }
    }
    None
}

fn goes_back(case: &PathCase<'_>, capture: &Capture, left: &Spot, end: Place) -> Finding {
    let stream = story::stream_name(case.trace, capture.stream);
    let message =
        format!("control goes back here while {stream} captures: nothing ends the capture on this way out");
    let steps = vec![
        begins(case, capture),
        (
            at(&left.site),
            format!("on this way out {stream} goes on capturing: the next work in it is not executed"),
        ),
        (end, "other ways come to the end of the capture here".to_owned()),
    ];
    let help = END_IT.to_owned();
    let mut found = finding(case, at(&left.site), message, steps, help);
    found.severity = Severity::Warning;
    found.confidence = found.confidence.min(Confidence::Medium);
    found
}

fn mode_words(capture: &Capture) -> &'static str {
    match capture.mode {
        Some(CaptureMode::ThreadLocal) => "in thread-local mode",
        _ => "in global mode",
    }
}

/// Calls of other threads.
fn foreign<'a>(case: &'a PathCase<'_>) -> impl Iterator<Item = Finding> + use<'a> {
    order::captures::foreign(case.trace).into_iter().filter(|it| !it.legacy).map(|it| {
        let name = story::name_in(case.program, case.trace, it.event);
        let stream = story::stream_name(case.trace, it.capture.stream);
        let message = format!(
            "{name} may run while another thread captures {stream}: it fails here, and the capture becomes invalid there"
        );
        let mut steps = vec![
            begins(case, it.capture),
            (it.event.at(case.trace), "nothing keeps this apart from the capture".to_owned()),
        ];
        steps.extend(ends(it.capture, INVALID));
        let help = "capture with `cudaStreamCaptureModeThreadLocal`, or keep the two apart".to_owned();
        let mut found = finding(case, it.event.at(case.trace), message, steps, help);
        let is_global = it.capture.mode == Some(CaptureMode::Global);
        found.fix = is_global.then(|| remedy::thread_local(case, it.capture)).flatten();
        found
    })
}

/// Calls before the end of a capture that was begun before the entry point is called.
fn inherited<'a>(case: &'a PathCase<'_>) -> impl Iterator<Item = Finding> + use<'a> {
    let captures = case.trace.notes.captures.inherited.iter();
    let pairs = captures.flat_map(|capture| capture.incidents.iter().map(move |it| (capture, it)));
    pairs.map(|(capture, incident)| {
        let stream = story::stream_name(case.trace, capture.stream);
        let message = format!(
            "`{}` is called while {stream} captures: no capture mode allows it, and the capture becomes invalid",
            incident.name
        );
        let steps = vec![
            (
                at(&incident.site),
                "it fails with `cudaErrorStreamCaptureUnsupported`".to_owned(),
            ),
            (
                at(&capture.end.site),
                format!("the capture of {stream} that ends here was begun before: {INVALID}"),
            ),
        ];
        let help = "move the call behind the end of the capture".to_owned();
        finding(case, at(&incident.site), message, steps, help)
    })
}

/// Calls on the paths on which the caller captures, as it is asked for.
fn answered<'a>(case: &'a PathCase<'_>) -> impl Iterator<Item = Finding> + use<'a> {
    case.trace.notes.captures.answered.iter().map(|it| {
        let stream = story::stream_name(case.trace, it.stream);
        let name = &it.incident.name;
        let message = format!(
            "`{name}` is called where {stream} may be captured by the caller, which is asked for: it fails then, and the \
             capture becomes invalid"
        );
        let steps = vec![
            (at(&it.asked), format!("this tells whether {stream} captures")),
            (
                at(&it.incident.site),
                "where it does, this fails with `cudaErrorStreamCaptureUnsupported`".to_owned(),
            ),
        ];
        let help = format!("call `{name}` only where the answer was `cudaStreamCaptureStatusNone`");
        let mut finding = finding(case, at(&it.incident.site), message, steps, help);
        finding.severity = Severity::Warning;
        finding.assumptions.push(format!("the caller captures {stream}"));
        finding
    })
}

/// Captures of the legacy default stream.
fn refused<'a>(case: &'a PathCase<'_>) -> impl Iterator<Item = Finding> + use<'a> {
    case.trace.notes.captures.refused.iter().map(|spot| {
        let message = "the legacy default stream cannot be captured: the capture does not begin".to_owned();
        let help = "capture a stream made by `cudaStreamCreate`, or `cudaStreamPerThread`".to_owned();
        let steps = vec![(
            at(&spot.site),
            "it fails with `cudaErrorStreamCaptureUnsupported`".to_owned(),
        )];
        finding(case, at(&spot.site), message, steps, help)
    })
}

fn finding(
    case: &PathCase<'_>,
    primary: (crate::program::FileId, crate::syntax::Span),
    message: String,
    steps: Vec<((crate::program::FileId, crate::syntax::Span), String)>,
    help: String,
) -> Finding {
    capture::finding(
        case,
        PathPhrase {
            rule: RULE,
            code: CODE,
            severity: Severity::Error,
            primary,
            message,
            steps,
            help,
        },
    )
}
