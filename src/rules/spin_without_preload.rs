//! CL102: a kernel spins until another kernel runs whose first launch comes later and must be loaded first.

use super::HangCase;
use super::remedy;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::Gate;

pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let Gate::FirstUse { kernel, .. } = &case.hang.gate else {
        return None;
    };
    if story::is_stream_wait(case)
        || !story::is_kernel(case.trace, case.hang.releaser)
        || !releases(case, kernel)
    {
        return None;
    }
    let message = format!(
        "`{}` can never start: {}, and loading `{}` for its first use waits for {}",
        kernel.name,
        story::waits(case),
        kernel.name,
        story::waiter(case),
    );
    let help = format!(
        "load `{0}` before {1} is launched: `cudaFuncGetAttributes(&attributes, {0})`, or one launch of it",
        kernel.name,
        story::waiter(case),
    );
    Some(story::finding(
        case,
        Phrase {
            rule: "spin-without-preload",
            code: "CL102",
            severity: Severity::Error,
            primary: case.hang.releaser,
            message,
            help,
            fix: remedy::preload(case),
        },
    ))
}

/// Whether the kernel being loaded is the one that releases.
pub(super) fn releases(case: &HangCase<'_>, kernel: &crate::trace::KernelUse) -> bool {
    story::call(case.trace, case.hang.releaser)
        .and_then(|it| it.work.as_ref())
        .and_then(|it| it.kernel.as_ref())
        .is_some_and(|it| it == kernel)
}
