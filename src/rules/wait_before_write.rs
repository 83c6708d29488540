//! CL101: a stream waits for a value whose write is enqueued later, so CUDA cannot see that one needs the other.

use super::story::{self, Phrase};
use super::{Certainty, HangCase};
use crate::diagnostics::{Finding, Severity, Step};
use crate::order::{EventRef, Gate};
use crate::program::Program;
use crate::trace::{Action, Trace};

pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    if !story::is_stream_wait(case) || matches!(case.hang.releaser.of(case.trace).action, Action::Store(_)) {
        return None;
    }
    let between = match &case.hang.gate {
        Gate::FirstUse { kernel, .. } => format!("the first use of `{}`, which must be loaded", kernel.name),
        Gate::Load { event } => format!("{}, which loads device code", story::name(case, *event)),
        _ => return None,
    };
    let message = format!(
        "{}, but the write is enqueued later and between them stands {between}",
        story::waits(case),
    );
    let help = "enqueue the write before the wait, or order the streams with an event: record it behind the work, then \
                `cudaStreamWaitEvent`; loading every kernel first removes this cause only"
        .to_owned();
    Some(story::finding(
        case,
        Phrase {
            rule: "wait-before-write",
            code: "CL101",
            severity: Severity::Error,
            primary: case.hang.waiting,
            message,
            help,
        },
    ))
}

/// A wait enqueued before its write with nothing between them that closes a cycle.
pub(super) fn early(
    program: &Program,
    trace: &Trace,
    waiting: EventRef,
    releaser: EventRef,
    certainty: Certainty,
) -> Finding {
    let step = |event: EventRef, message: String| Step {
        location: story::location(program, event.at(trace)),
        message,
    };
    let wait = story::name_in(program, trace, waiting);
    let write = story::name_in(program, trace, releaser);
    Finding {
        rule: "wait-before-write",
        code: "CL101",
        severity: Severity::Warning,
        confidence: certainty.confidence,
        primary: story::location(program, waiting.at(trace)),
        message: format!("{wait} is enqueued before the {write} it waits for: nothing CUDA can see orders the two"),
        steps: vec![
            step(waiting, "the stream waits from here on".to_owned()),
            step(releaser, "the value is written only here; any load, allocation or shared hardware queue in between closes a cycle".to_owned()),
        ],
        help: Some("enqueue the write before the wait, or order the streams with an event as well".to_owned()),
        evidence: None,
        assumptions: certainty.assumptions,
        configuration: certainty.configuration,
        fix: None,
    }
}
