//! CL105: the release is ordered behind its own wait, by a stream, an event or the legacy default stream.

use super::HangCase;
use super::remedy;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::{DeviceOrder, Gate, Link};

pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let Gate::DeviceOrder { event, order } = &case.hang.gate else {
        return None;
    };
    let release = story::releaser(case);
    let waiter = story::waiter(case);
    let (why, help) = match (order, waits_between(case)) {
        (DeviceOrder::Stream(_), Some(between)) => (
            format!("it is queued behind {between}, which itself waits for {waiter} to get past its wait"),
            format!("enqueue {release} in a stream of its own, or before {between}"),
        ),
        (DeviceOrder::Stream(stream), None) => {
            let stream = story::stream_name(case.trace, *stream);
            (
                format!("both are in {stream}"),
                format!("enqueue {release} in another stream, or before {waiter}"),
            )
        }
        (DeviceOrder::Legacy, _) => (
            "the legacy default stream and blocking streams wait for each other".to_owned(),
            "create the streams with `cudaStreamNonBlocking`, or keep the legacy default stream out of it"
                .to_owned(),
        ),
        (DeviceOrder::Event, _) => (
            format!("it waits for an event recorded behind {waiter}"),
            "record the event before the operation that waits".to_owned(),
        ),
        (DeviceOrder::Executable, _) => (
            "a launch of an executable graph waits for the launch before it, whatever their streams"
                .to_owned(),
            format!("instantiate the graph once per stream, or enqueue {release} before that launch"),
        ),
        (DeviceOrder::Wait, _) => (
            String::new(),
            "let one of them write before it waits, or begin the exchange with a write from outside"
                .to_owned(),
        ),
        (DeviceOrder::Graph, _) => (
            String::new(),
            "let the node that writes come before the one that waits, or leave out the edge between them"
                .to_owned(),
        ),
    };
    let message = match order {
        DeviceOrder::Wait => format!(
            "{} wait for each other: each writes what the other one waits for only when its own wait is over",
            ring(case)
        ),
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

/// Another operation of the cycle that waits: the release is queued behind that one.
fn waits_between(case: &HangCase<'_>) -> Option<String> {
    case.hang.cycle.iter().find_map(|it| match it {
        Link::Waits { operation, .. } if *operation != case.hang.waiting => {
            Some(story::name(case, *operation))
        }
        _ => None,
    })
}

/// The kernels that wait for each other.
fn ring(case: &HangCase<'_>) -> String {
    let links = case.hang.cycle.iter();
    let mut names: Vec<String> = links
        .filter_map(|it| match it {
            Link::Waits { operation, .. } => Some(story::name(case, *operation)),
            _ => None,
        })
        .collect();
    names.dedup();
    match names.as_slice() {
        [one] => format!("two launches of {one}"),
        [one, other] => format!("{one} and {other}"),
        _ => names.join(", "),
    }
}
