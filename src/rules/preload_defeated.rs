//! CL107: everything is loaded, but the first launch of a module that can use the device heap still synchronises.

use super::HangCase;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::Gate;

pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let Gate::HeapSetup { event, user, uses } = &case.hang.gate else {
        return None;
    };
    let launched = story::name(case, *event);
    let waiter = story::waiter(case);
    let message = format!(
        "{launched} can never start: `{user}` in its module uses device `{uses}`, so this launch waits for {waiter} although everything is loaded"
    );
    let help = format!(
        "launch {launched} once before {waiter} starts: neither preloading nor `CUDA_MODULE_LOADING=EAGER` sets up the buffer"
    );
    Some(story::finding(
        case,
        Phrase {
            rule: "preload-defeated",
            code: "CL107",
            severity: Severity::Error,
            primary: *event,
            message,
            help,
            fix: None,
        },
    ))
}
