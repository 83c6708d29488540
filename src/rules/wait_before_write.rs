//! CL101: a stream waits for a value whose write is enqueued later, so CUDA cannot see that one needs the other.

use super::story::{self, PathPhrase, Phrase};
use super::{HangCase, PathCase, remedy};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::order::{EarlyWait, EventRef, Gate};
use crate::trace::Action;

/// What `CUDA_DEVICE_MAX_CONNECTIONS` is where nobody sets it: that many streams have a queue of their own.
const HARDWARE_QUEUES: u64 = 8;

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
            fix: remedy::preload(case),
        },
    ))
}

/// Waits enqueued before their writes with nothing between them that closes a cycle.
pub(super) fn early(case: &PathCase<'_>) -> Vec<Finding> {
    case.verdict
        .early_waits
        .iter()
        .map(|it| early_wait(case, it))
        .collect()
}

fn early_wait(case: &PathCase<'_>, it: &EarlyWait) -> Finding {
    let EarlyWait {
        waiting,
        releaser,
        streams,
    } = it;
    let name = |event: EventRef| story::name_in(case.program, case.trace, event);
    let (wait, write) = (name(*waiting), name(*releaser));
    let severity = match streams {
        Some(streams) if *streams <= HARDWARE_QUEUES => Severity::Info,
        _ => Severity::Warning,
    };
    let mut finding = story::path_finding(
        case,
        PathPhrase {
            rule: "wait-before-write",
            code: "CL101",
            severity,
            primary: waiting.at(case.trace),
            message: format!(
                "{wait} is enqueued before the {write} it waits for: nothing CUDA can see orders the two"
            ),
            steps: vec![
                (waiting.at(case.trace), "the stream waits from here on".to_owned()),
                (
                    releaser.at(case.trace),
                    "the value is written only here; any load, allocation or shared hardware queue in between \
                     closes a cycle"
                        .to_owned(),
                ),
            ],
            help: "enqueue the write before the wait, or order the streams with an event as well".to_owned(),
        },
    );
    if streams.is_none() {
        finding.assumptions.push(format!(
            "there are more than {HARDWARE_QUEUES} streams, so that some share a hardware queue"
        ));
        finding.confidence = Confidence::Low;
    }
    finding
}
