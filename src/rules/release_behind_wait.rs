//! CL105: the release is ordered behind its own wait, by a stream, an event or the legacy default stream.

use super::HangCase;
use super::remedy;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::{DeviceOrder, Gate};

pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let Gate::DeviceOrder { event, order } = &case.hang.gate else {
        return None;
    };
    let release = story::releaser(case);
    let waiter = story::waiter(case);
    let (why, help) = match order {
        DeviceOrder::Stream(stream) => {
            let stream = story::stream_name(case.trace, *stream);
            (
                format!("both are in {stream}"),
                format!("enqueue {release} in another stream, or before {waiter}"),
            )
        }
        DeviceOrder::Legacy => (
            "the legacy default stream and blocking streams wait for each other".to_owned(),
            "create the streams with `cudaStreamNonBlocking`, or keep the legacy default stream out of it"
                .to_owned(),
        ),
        DeviceOrder::Event => (
            format!("it waits for an event recorded behind {waiter}"),
            "record the event before the operation that waits".to_owned(),
        ),
        DeviceOrder::Graph => (
            String::new(),
            "let the node that writes come before the one that waits, or leave out the edge between them"
                .to_owned(),
        ),
    };
    let message = match order {
        DeviceOrder::Graph => format!(
            "a node of the graph {release} launches waits until {flag} is written, and only nodes that come after it write it",
            flag = story::flag(case)
        ),
        _ => format!("{release} releases {waiter} but can only run after it: {why}"),
    };
    Some(story::finding(
        case,
        Phrase {
            rule: "release-behind-wait",
            code: "CL105",
            severity: Severity::Error,
            primary: *event,
            message,
            help,
            fix: remedy::non_blocking(case),
        },
    ))
}
