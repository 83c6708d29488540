//! CL103: something else is loaded for the first time behind an operation that cannot end, before its release.

use super::HangCase;
use super::remedy;
use super::spin_without_preload::releases;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::Gate;

pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let stream_write = story::is_stream_wait(case)
        && !matches!(
            case.hang.releaser.of(case.trace).action,
            crate::trace::Action::Store(_)
        );
    let (event, message, help) = match &case.hang.gate {
        Gate::FirstUse { event, kernel, .. }
            if !(stream_write
                || releases(case, kernel) && story::is_kernel(case.trace, case.hang.releaser)) =>
        {
            (
                *event,
                format!(
                    "first use of `{}` behind {}: loading it waits for {}, which is released only later",
                    kernel.name,
                    story::waiter(case),
                    story::waiter(case),
                ),
                format!(
                    "load `{0}` before {1} starts (`cudaFuncGetAttributes(&attributes, {0})`, or one launch of it), or release {1} first",
                    kernel.name,
                    story::waiter(case),
                ),
            )
        }
        Gate::Load { event } if !stream_write => (
            *event,
            format!(
                "{} loads device code behind {}: it waits for {}, which is released only later",
                story::name(case, *event),
                story::waiter(case),
                story::waiter(case),
            ),
            format!(
                "call {} before {} starts, or release it first",
                story::name(case, *event),
                story::waiter(case)
            ),
        ),
        _ => return None,
    };
    Some(story::finding(
        case,
        Phrase {
            rule: "first-launch-behind-resident",
            code: "CL103",
            severity: Severity::Error,
            primary: event,
            message,
            help,
            fix: remedy::preload(case).or_else(|| remedy::load_first(case)),
        },
    ))
}
