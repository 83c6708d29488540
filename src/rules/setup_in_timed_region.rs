//! CL504: something a program does once, or that only prepares the measurement, is timed together with its kernels.

use std::collections::BTreeSet;

use super::EntryCase;
use super::story::PathPhrase;
use super::timed::{Place, Problem, Timed};
use crate::diagnostics::{Finding, Severity};
use crate::order::EventRef;

/// `setup-in-timed-region` (CL504).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    entry.timed.iter().filter_map(report).collect()
}

/// What is reported as timed together with kernels: that it is done in every pass, too, is the same mistake.
pub(super) fn places(entry: &EntryCase<'_>) -> BTreeSet<Place> {
    let setup = entry.timed.iter().filter_map(|timed| match timed.problem {
        Problem::Setup {
            call,
            end_to_end: false,
        } => Some(call.at(timed.case.trace)),
        _ => None,
    });
    setup.collect()
}

fn report(timed: &Timed<'_>) -> Option<Finding> {
    let (call, end_to_end) = match timed.problem {
        Problem::Setup { call, end_to_end } => (call, end_to_end),
        Problem::Held { launch, release } => return Some(held(timed, launch, release)),
        Problem::Gap { wait, few } => return Some(gap(timed, wait, few)),
        _ => return None,
    };
    let (start, stop) = timed.region.places();
    let name = timed.name(call);
    Some(timed.finding(PathPhrase {
        rule: "setup-in-timed-region",
        code: "CL504",
        severity: if end_to_end {
            Severity::Info
        } else {
            Severity::Warning
        },
        primary: timed.seen(call),
        message: format!("{name} is timed together with the kernels: it can take longer than they do"),
        steps: vec![
            (start, "the timing begins here".to_owned()),
            (timed.seen(call), format!("{name} is called inside it")),
            (stop, "the timing ends here".to_owned()),
        ],
        help: format!("call {name} before the timing begins, or after it ends"),
    }))
}

/// The time in which a kernel holds the stream up for the host is measured with the work behind it.
fn held(timed: &Timed<'_>, launch: EventRef, release: EventRef) -> Finding {
    let (start, stop) = timed.region.places();
    let name = timed.name(launch);
    timed.finding(PathPhrase {
            rule: "setup-in-timed-region",
            code: "CL504",
            severity: Severity::Warning,
            primary: timed.seen(launch),
            message: format!(
                "{name} holds the timed stream up until the host has enqueued more work: that time is measured with the work"
            ),
            steps: vec![
                (start, "the timing begins here".to_owned()),
                (
                    timed.seen(launch),
                    format!("{name} waits in the same stream until the host lets it go"),
                ),
                (
                    timed.seen(release),
                    "the host lets it go only after it has enqueued what is to be timed".to_owned(),
                ),
                (stop, "the timing ends here".to_owned()),
            ],
            help: format!("launch {name} before the first event is recorded"),
        },
    )
}

/// The first event has passed when the host comes back from its wait: what it does until it enqueues the work is measured.
fn gap(timed: &Timed<'_>, wait: EventRef, few: bool) -> Finding {
    let (start, stop) = timed.region.places();
    let name = timed.name(wait);
    timed.finding(PathPhrase {
            rule: "setup-in-timed-region",
            code: "CL504",
            severity: match few {
                true => Severity::Warning,
                false => Severity::Info,
            },
            primary: timed.seen(wait),
            message: format!(
                "{name} waits between the first event and the work that is timed: the time the host takes to enqueue \
                 that work is measured with it"
            ),
            steps: vec![
                (start, "the timing begins here".to_owned()),
                (
                    timed.seen(wait),
                    format!("{name} returns when the first event has passed"),
                ),
                (stop, "the timing ends here".to_owned()),
            ],
            help: "record the first event behind the wait, right before the work".to_owned(),
        },
    )
}
