//! The words the capture rules share.

use super::race::without_loading;
use super::{PathPhrase, path_finding, stream_name};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::program::FileId;
use crate::rules::PathCase;
use crate::syntax::Span;
use crate::trace::capture::{Capture, CaptureMode, Incident, IncidentKind};
use crate::trace::{Site, StreamKind};

/// A finding about a capture: what was loaded before has no part in it.
pub(in crate::rules) fn finding(case: &PathCase<'_>, phrase: PathPhrase) -> Finding {
    let mut finding = path_finding(case, phrase);
    without_loading(&mut finding);
    finding
}

/// Captures whose end the path shows: only of these it is known that they were still open.
pub(in crate::rules) fn complete<'a>(case: &PathCase<'a>) -> impl Iterator<Item = &'a Capture> {
    case.trace.notes.captures.all.iter().filter(|it| it.end.is_some())
}

/// What happens in captures that are surely open, with the capture. Where a path was cut short, what an unknown condition
/// decides is left out: the call may mean something else than what was followed.
pub(in crate::rules) fn incidents<'a>(
    case: &PathCase<'a>,
) -> impl Iterator<Item = (&'a Capture, &'a Incident)> {
    let cut_short = case.trace.budgets_hit > 0;
    let open = move |capture: &Capture, it: &Incident| {
        let sure = !(it.decided || it.blurred);
        sure || capture.end.is_some() && !(cut_short && it.decided)
    };
    let captures = case.trace.notes.captures.all.iter();
    let pairs = captures.flat_map(|capture| capture.incidents.iter().map(move |it| (capture, it)));
    pairs.filter(move |(capture, it)| open(capture, it))
}

pub(in crate::rules) fn at(site: &Site) -> (FileId, Span) {
    (site.file, site.span)
}

/// "stream `s` captures from here on", as the first step of a story.
pub(in crate::rules) fn begins(case: &PathCase<'_>, capture: &Capture) -> ((FileId, Span), String) {
    let mode = match capture.mode {
        Some(CaptureMode::Global) => " in global mode",
        Some(CaptureMode::ThreadLocal) => " in thread-local mode",
        Some(CaptureMode::Relaxed) => " in relaxed mode",
        None => "",
    };
    let stream = stream_name(case.trace, capture.stream);
    (
        at(&capture.begin.site),
        format!("{stream} captures{mode} from here on"),
    )
}

/// "the capture ends here", as the last step of a story.
pub(in crate::rules) fn ends(capture: &Capture, message: &str) -> Option<((FileId, Span), String)> {
    capture.end.as_ref().map(|it| (at(&it.site), message.to_owned()))
}

/// What is said of an incident is only as sure as it is that the path is taken. Whoever has come to the same call before the
/// capture has most likely done there what it takes: `arena.reserve(bytes)`.
pub(in crate::rules) fn doubt(
    case: &PathCase<'_>,
    (capture, incident): (&Capture, &Incident),
    mut finding: Finding,
) -> Finding {
    if incident.decided {
        let most = match is_prepared(case, capture, incident) {
            true => Severity::Info,
            false => Severity::Warning,
        };
        finding.severity = finding.severity.min(most);
        finding.confidence = Confidence::Low;
        finding.assumptions.push(
            "a condition that is not known decides whether it comes to this during the capture".to_owned(),
        );
    }
    finding
}

/// Whether whoever begins the capture, itself or by a guard, made the same call before.
fn is_prepared(case: &PathCase<'_>, capture: &Capture, incident: &Incident) -> bool {
    // Where each function that is being executed goes on: in the next one, or here.
    let way = |it: &Site| [&it.frames[..], &[at(it)]].concat();
    let beginning = way(&capture.begin.site);
    let within = |place| case.program.function_around(place);
    let same_call = |it: &Site| {
        let way = way(it);
        let shared = way.iter().zip(&beginning).take_while(|(a, b)| a == b).count();
        let (own, other) = (beginning.get(shared), way.get(shared));
        let function = own.and_then(|it| within(*it));
        function.is_some() && function == other.and_then(|it| within(*it)) && shared + 2 >= beginning.len()
    };
    let events = &case.trace.threads[capture.begin.thread.0 as usize].events;
    let mut before = events.iter().take(capture.begin.position as usize);
    matches!(incident.kind, IncidentKind::Unsafe)
        && before.any(|it| at(&it.site) == at(&incident.site) && same_call(&it.site))
}

/// How the capturing stream orders against the legacy default stream.
pub(in crate::rules) fn kind(case: &PathCase<'_>, capture: &Capture) -> StreamKind {
    case.trace.streams[capture.stream.0 as usize].kind
}
