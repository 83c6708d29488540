//! CL503: the events that time some work are recorded in a stream the work is not in, or in front of the work.

use super::EntryCase;
use super::remedy;
use super::story::{self, PathPhrase};
use super::timed::{Problem, Timed};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::order::EventRef;
use crate::trace::{LEGACY, StreamId, Trace};

/// `timing-event-on-other-stream` (CL503).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    entry.timed.iter().filter_map(report).collect()
}

fn report(timed: &Timed<'_>) -> Option<Finding> {
    let (work, recorded, used, partly, joined, assumed) = match timed.problem {
        Problem::OtherStream {
            work,
            recorded,
            used,
            partly,
            joined,
            assumed,
        } => (work, recorded, used, partly, joined, assumed),
        Problem::Astray { recorded, used } => return Some(astray(timed, recorded, used)),
        Problem::Handed { call, recorded, used } => return Some(handed(timed, call, recorded, used)),
        Problem::Behind { work, sure } => return Some(behind(timed, work, sure)),
        _ => return None,
    };
    let (start, stop) = timed.region.places();
    let trace = timed.case.trace;
    let name = timed.name(work);
    let taken = taken_for_granted(trace, recorded, used);
    let (recorded, used) = (
        story::stream_name(trace, recorded),
        story::stream_name(trace, used),
    );
    let mut steps = vec![
        (start, "the timing begins here".to_owned()),
        (timed.seen(work), format!("{name} is enqueued in {used}")),
        (
            stop,
            format!(
                "{recorded} comes here without waiting: {}",
                match partly {
                    true => "the time between the events is that of the others",
                    false => "the time between the events says nothing of the work",
                }
            ),
        ),
    ];
    // A wait of one stream for another is work of its own.
    let by_host = joined.is_some_and(|it| it.work(trace).is_none());
    if let Some(joined) = joined {
        let waits = if by_host { "the host" } else { recorded.as_str() };
        let only = format!("only here does {waits} wait for {used}");
        steps.push((joined.at(trace), only));
    }
    let mut finding = timed.finding(PathPhrase {
        rule: "timing-event-on-other-stream",
        code: "CL503",
        severity: timed.severity(if partly || assumed {
            Severity::Warning
        } else {
            Severity::Error
        }),
        primary: stop,
        message: if partly && joined.is_none() {
            format!(
                "some launches of {name} run in {used}, but the event that ends the timing is recorded in \
                     {recorded}, which does not wait for them"
            )
        } else {
            format!(
                "{name} runs in {used}, but the event that ends its timing is recorded in {recorded}, which \
                     does not wait for it"
            )
        },
        steps,
        help: match joined {
            Some(_) if !by_host => {
                format!("record the second event behind the wait of {recorded} for {used}")
            }
            Some(_) => {
                format!("let {recorded} wait for the work in {used} before the second event is recorded")
            }
            None => format!(
                "record both events in {used}, or let {recorded} wait for the work with an event first"
            ),
        },
    });
    // What is joined is timed by an event behind that.
    if !partly || joined.is_none() {
        finding.fix = remedy::record_with_work(timed.case, work, [start, stop]);
    }
    if assumed {
        finding.assumptions.push(taken);
    }
    Some(finding)
}

/// What is assumed of the one of two streams that was handed in.
fn taken_for_granted(trace: &Trace, recorded: StreamId, used: StreamId) -> String {
    let name = |stream| story::stream_name(trace, stream);
    match trace.streams[recorded.0 as usize].handed_in {
        Some(_) => format!("{} is not {}, which is made here", name(recorded), name(used)),
        None if recorded == LEGACY => non_blocking(&name(used)),
        None => format!("{} is not {}, which is made here", name(used), name(recorded)),
    }
}

fn non_blocking(stream: &str) -> String {
    format!("{stream} is a non-blocking stream")
}

/// A timer whose second event went astray.
fn astray(timed: &Timed<'_>, recorded: StreamId, used: StreamId) -> Finding {
    let (start, stop) = timed.region.places();
    let trace = timed.case.trace;
    let (recorded, used) = (
        story::stream_name(trace, recorded),
        story::stream_name(trace, used),
    );
    let mut finding = timed.finding(PathPhrase {
            rule: "timing-event-on-other-stream",
            code: "CL503",
            severity: timed.severity(Severity::Warning),
            primary: stop,
            message: format!(
                "the timing begins in {used}, but the event that ends it is recorded in {recorded}, which does not wait \
                 for what is enqueued between the two"
            ),
            steps: vec![
                (start, format!("the timing begins here, in {used}")),
                (
                    stop,
                    format!(
                        "{recorded} comes here without waiting for {used}: the time between the events says nothing of \
                         its work"
                    ),
                ),
            ],
            help: format!("record both events in {used}"),
        },
    );
    finding.assumptions.push(non_blocking(&used));
    finding
}

/// What is timed is done by calls nobody sees, in a stream they are handed.
fn handed(timed: &Timed<'_>, call: usize, recorded: StreamId, used: StreamId) -> Finding {
    let (start, stop) = timed.region.places();
    let trace = timed.case.trace;
    let (recorded, used) = (
        story::stream_name(trace, recorded),
        story::stream_name(trace, used),
    );
    let call = &trace.notes.opaque[call];
    let name = format!("`{}`", call.name);
    let mut finding = timed.finding(PathPhrase {
        rule: "timing-event-on-other-stream",
        code: "CL503",
        severity: timed.severity(Severity::Warning),
        primary: stop,
        message: format!(
            "{name} is handed {used} to work in, but the event that ends its timing is recorded in {recorded}, which does \
             not wait for it"
        ),
        steps: vec![
            (start, "the timing begins here".to_owned()),
            (
                (call.site.file, call.site.span),
                format!("what {name} does is enqueued in {used}"),
            ),
            (
                stop,
                format!(
                    "{recorded} comes here without waiting: the time between the events says nothing of the work"
                ),
            ),
        ],
        help: format!("let {recorded} wait for {used} with an event before the second event is recorded"),
    });
    finding
        .assumptions
        .push(format!("{name} works in the stream it is handed"));
    finding.confidence = finding.confidence.min(Confidence::Medium);
    finding
}

/// Both events are recorded before the work is enqueued.
fn behind(timed: &Timed<'_>, work: EventRef, sure: bool) -> Finding {
    let (start, stop) = timed.region.places();
    let name = timed.name(work);
    timed.finding(PathPhrase {
            rule: "timing-event-on-other-stream",
            code: "CL503",
            severity: timed.severity(if sure { Severity::Error } else { Severity::Warning }),
            primary: stop,
            message: format!(
                "the event that ends the timing is recorded before {name} is enqueued: no work stands between the two events"
            ),
            steps: vec![
                (start, "the timing begins here".to_owned()),
                (
                    stop,
                    "and ends here, with nothing enqueued in between: what is measured is how long the host took".to_owned(),
                ),
                (timed.seen(work), format!("{name} is enqueued only behind both events")),
            ],
            help: format!("record the second event behind {name}"),
        },
    )
}
