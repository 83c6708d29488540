//! CL117: more launches than a stream can queue go behind an operation that is released only afterwards.

use super::HangCase;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::Gate;

/// `launch-queue-behind-resident` (CL117).
pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let Gate::LaunchQueue { event, calls } = &case.hang.gate else {
        return None;
    };
    let launched = story::name(case, *event);
    let waiter = story::waiter(case);
    let how_many = match calls {
        0..=1_000_000_000 => format!("{calls} launches and copies"),
        _ => "launches and copies without end".to_owned(),
    };
    let message = format!(
        "{launched} blocks the host: {how_many} are queued behind {waiter}, a stream takes about 1000, and the release comes only later"
    );
    let help = format!(
        "release {waiter} after a few hundred launches at most, or launch {launched} into another stream, which drains"
    );
    Some(story::finding(
        case,
        Phrase {
            rule: "launch-queue-behind-resident",
            code: "CL117",
            severity: Severity::Warning,
            primary: *event,
            message,
            help,
            fix: None,
        },
    ))
}
