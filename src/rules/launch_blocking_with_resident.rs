//! CL118: the program makes every launch wait for its kernel, and launches one that is released only afterwards.

use super::HangCase;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::Gate;

/// `launch-blocking-with-resident` (CL118).
pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let Gate::HostWait { event } = &case.hang.gate else {
        return None;
    };
    if !is_blocking_launch(case) {
        return None;
    }
    let launched = story::name(case, *event);
    let waiter = story::waiter(case);
    let what = if *event == case.hang.waiting {
        "it".to_owned()
    } else {
        waiter
    };
    let message = format!(
        "the launch of {launched} never returns: the program sets `CUDA_LAUNCH_BLOCKING=1`, and {what} is released only after it"
    );
    let help =
        "do not set `CUDA_LAUNCH_BLOCKING` in a program whose kernels wait for what the host does next"
            .to_owned();
    Some(story::finding(
        case,
        Phrase {
            rule: "launch-blocking-with-resident",
            code: "CL118",
            severity: Severity::Warning,
            primary: *event,
            message,
            help,
            fix: None,
        },
    ))
}

/// Whether the host is stuck in a launch, which only `CUDA_LAUNCH_BLOCKING` makes wait.
pub(super) fn is_blocking_launch(case: &HangCase<'_>) -> bool {
    match &case.hang.gate {
        Gate::HostWait { event } => case.trace.launch_blocking && story::is_kernel(case.trace, *event),
        _ => false,
    }
}
