//! CL502: a host clock is stopped while the work it times still runs, or started while other work does.

use super::EntryCase;
use super::remedy;
use super::story::PathPhrase;
use super::timed::{Problem, Share, Timed};
use crate::diagnostics::{Finding, Severity};
use crate::order::EventRef;

/// `unsynchronised-timing` (CL502).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    entry.timed.iter().filter_map(report).collect()
}

fn report(timed: &Timed<'_>) -> Option<Finding> {
    match timed.problem {
        Problem::Unsynchronised { work, share } => Some(stopped_early(timed, work, share)),
        Problem::Pending { work } => Some(started_early(timed, work)),
        Problem::NotReady => Some(asked_early(timed)),
        _ => None,
    }
}

fn stopped_early(timed: &Timed<'_>, work: EventRef, share: Share) -> Finding {
    let (start, stop) = timed.region.places();
    let name = timed.name(work);
    let mut finding = timed.finding(PathPhrase {
        rule: "unsynchronised-timing",
        code: "CL502",
        severity: timed.severity(match share {
            Share::All => Severity::Error,
            Share::Some => Severity::Warning,
            Share::Little => Severity::Info,
        }),
        primary: stop,
        message: if share != Share::All {
            format!("the clock is read while {name} still runs: other work of the region is waited for")
        } else {
            format!("the clock is read while {name} still runs: the call is timed, not the work")
        },
        steps: vec![
            (start, "the clock is started here".to_owned()),
            (
                timed.seen(work),
                format!("{name} is enqueued; the call returns at once"),
            ),
            (
                stop,
                "the clock is read, and nothing has waited for it".to_owned(),
            ),
        ],
        help:
            "wait for the work before the clock is read: `cudaStreamSynchronize` or `cudaDeviceSynchronize` \
                   (`cudaGetLastError` does not wait), or time it with events recorded in its stream"
                .to_owned(),
    });
    finding.fix = remedy::wait_before_clock(timed.case, work, stop);
    finding
}

fn asked_early(timed: &Timed<'_>) -> Finding {
    let (start, stop) = timed.region.places();
    let asked = timed.seen(EventRef {
        thread: timed.region.thread,
        index: timed.region.asked.unwrap_or(timed.region.stop.position),
    });
    timed.finding(PathPhrase {
            rule: "unsynchronised-timing",
            code: "CL502",
            severity: timed.severity(Severity::Error),
            primary: asked,
            message: "the time between two events is asked for before anything has waited for the second one: the call \
                      fails with `cudaErrorNotReady` and gives no time"
                .to_owned(),
            steps: vec![
                (start, "the first event is recorded here".to_owned()),
                (stop, "the second event is recorded here; the call returns at once".to_owned()),
                (asked, "the time is asked for, and nothing has waited for it".to_owned()),
            ],
            help: "wait for the second event (`cudaEventSynchronize`), or for its stream, before the time is asked for"
                .to_owned(),
        },
    )
}

fn started_early(timed: &Timed<'_>, work: EventRef) -> Finding {
    let (start, stop) = timed.region.places();
    let name = timed.name(work);
    let mut finding = timed.finding(PathPhrase {
        rule: "unsynchronised-timing",
        code: "CL502",
        severity: Severity::Warning,
        primary: start,
        message: format!("the clock is started while {name} still runs: its time is measured too"),
        steps: vec![
            (
                timed.seen(work),
                format!("{name} is enqueued; the call returns at once"),
            ),
            (
                start,
                "the clock is started, and nothing has waited for it".to_owned(),
            ),
            (
                stop,
                "what is waited for before the clock is read includes it".to_owned(),
            ),
        ],
        help: "wait for the earlier work before the clock is started: `cudaStreamSynchronize` or \
                   `cudaDeviceSynchronize`"
            .to_owned(),
    });
    finding.fix = remedy::wait_before_clock(timed.case, work, start);
    finding
}
