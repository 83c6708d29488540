//! CL502: a host clock is stopped while the work it times still runs.

use super::EntryCase;
use super::story::{self, PathPhrase};
use super::timed::{Problem, Timed};
use crate::diagnostics::{Finding, Severity};

/// `unsynchronised-timing` (CL502).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    entry.timed.iter().filter_map(report).collect()
}

fn report(timed: &Timed<'_>) -> Option<Finding> {
    let Problem::Unsynchronised { work, partly } = timed.problem else {
        return None;
    };
    let (start, stop) = timed.region.places();
    let name = timed.name(work);
    Some(story::path_finding(
        timed.case,
        PathPhrase {
            rule: "unsynchronised-timing",
            code: "CL502",
            severity: timed.severity(if partly { Severity::Info } else { Severity::Error }),
            primary: stop,
            message: if partly {
                format!("the clock is read while {name} still runs: other work of the region is waited for")
            } else {
                format!("the clock is read while {name} still runs: the call is timed, not the work")
            },
            steps: vec![
                (start, "the clock is started here".to_owned()),
                (timed.seen(work), format!("{name} is enqueued; the call returns at once")),
                (stop, "the clock is read, and nothing has waited for it".to_owned()),
            ],
            help: "wait for the work before the clock is read: `cudaStreamSynchronize` or `cudaDeviceSynchronize` \
                   (`cudaGetLastError` does not wait), or time it with events recorded in its stream"
                .to_owned(),
        },
    ))
}
