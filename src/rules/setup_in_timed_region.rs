//! CL504: something a program does once is timed together with its kernels.

use super::EntryCase;
use super::story::{self, PathPhrase};
use super::timed::{Problem, Timed};
use crate::diagnostics::{Finding, Severity};

/// `setup-in-timed-region` (CL504).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    entry.timed.iter().filter_map(report).collect()
}

fn report(timed: &Timed<'_>) -> Option<Finding> {
    let Problem::Setup { call, end_to_end } = timed.problem else {
        return None;
    };
    let (start, stop) = timed.region.places();
    let name = timed.name(call);
    Some(story::path_finding(
        timed.case,
        PathPhrase {
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
        },
    ))
}
