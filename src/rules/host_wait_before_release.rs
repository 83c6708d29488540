//! CL106: the host waits for something behind a resident operation before it issues the release.

use super::HangCase;
use super::launch_blocking_with_resident::is_blocking_launch;
use super::remedy;
use super::story::{self, Phrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::Gate;

pub(super) fn check(case: &HangCase<'_>) -> Option<Finding> {
    let Gate::HostWait { event } = &case.hang.gate else {
        return None;
    };
    if is_blocking_launch(case) {
        return None;
    }
    let wait = story::name(case, *event);
    let waiter = story::waiter(case);
    let message = format!(
        "{wait} waits for {waiter}, which is released only later: {}",
        story::waits(case)
    );
    let help = format!(
        "issue the release ({}) before the host waits",
        story::releaser(case)
    );
    Some(story::finding(
        case,
        Phrase {
            rule: "host-wait-before-release",
            code: "CL106",
            severity: Severity::Error,
            primary: *event,
            message,
            help,
            fix: remedy::release_first(case).or_else(|| remedy::non_blocking(case)),
        },
    ))
}
