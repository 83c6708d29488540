//! CL108: a kernel with large local arrays is launched for the first time behind an operation that cannot end.

use super::HangCase;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::Gate;

/// `local-memory-behind-resident` (CL108).
pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let Gate::LocalMemory { event, bytes } = &case.hang.gate else {
        return None;
    };
    let launched = story::name(case, *event);
    let waiter = story::waiter(case);
    let message = format!(
        "the first launch of {launched} waits for {waiter}, which is released only later: its local arrays take {bytes} bytes per thread, and CUDA resizes local memory on an idle device only"
    );
    let help = format!(
        "launch {launched} once before {waiter} starts: neither preloading it nor `CUDA_MODULE_LOADING=EAGER` makes room; or move the arrays to global or shared memory"
    );
    Some(story::finding(
        case,
        Phrase {
            rule: "local-memory-behind-resident",
            code: "CL108",
            severity: Severity::Error,
            primary: *event,
            message,
            help,
            fix: None,
        },
    ))
}
