//! CL104: a call that waits for the whole device as a side effect stands between a resident operation and its release.

use super::HangCase;
use super::remedy;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::Gate;

pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let Gate::BlockingCall { event } = &case.hang.gate else {
        return None;
    };
    let call = story::name(case, *event);
    let message = format!(
        "{call} waits for {}, which is released only later: {}",
        story::waiter(case),
        story::waits(case)
    );
    let help = format!(
        "release {} before {call}, or move {call} behind the synchronisation that follows the release{}",
        story::waiter(case),
        alternative(&call)
    );
    Some(story::finding(
        case,
        Phrase {
            rule: "blocking-call-behind-resident",
            code: "CL104",
            severity: Severity::Error,
            primary: *event,
            message,
            help,
            fix: remedy::release_first(case).or_else(|| remedy::free_in_stream(case)),
        },
    ))
}

fn alternative(call: &str) -> &'static str {
    if call.contains("cudaFree`") {
        "; memory from `cudaMallocAsync` can be given back with `cudaFreeAsync`, which does not wait"
    } else {
        ""
    }
}
