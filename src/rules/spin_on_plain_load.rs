//! CL110: a kernel spins on memory that is read only once, and it is written after the launch.

use super::PathCase;
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::StaleWait;

/// `spin-on-plain-load` (CL110).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    case.verdict
        .stale_waits
        .iter()
        .filter_map(|it| finding(case, it))
        .collect()
}

fn finding(case: &PathCase<'_>, stale: &StaleWait) -> Option<Finding> {
    let name = |event| story::name_in(case.program, case.trace, event);
    let wait = story::wait(case.trace, stale.waiting, stale.wait)?;
    let (kernel, release) = (name(stale.waiting), name(stale.releaser));
    let flag = story::place(wait);
    let message = format!(
        "{kernel} reads {flag} once and then spins forever: the load is plain, so the loop keeps the first value, and {flag} is written only after the launch"
    );
    let mut steps = vec![
        (
            stale.waiting.at(case.trace),
            format!("{kernel} is launched before {flag} is written"),
        ),
        (wait.at, format!("this loop reads {flag} with a plain load")),
    ];
    let written = if story::is_kernel(case.trace, stale.releaser) {
        format!("{release} writes {flag}, and the loop does not look again")
    } else {
        format!("{flag} is written here, and the loop does not look again")
    };
    steps.push((stale.releaser.at(case.trace), written));
    let phrase = PathPhrase {
        rule: "spin-on-plain-load",
        code: "CL110",
        severity: Severity::Error,
        primary: wait.at,
        message,
        steps,
        help:
            "read it through `volatile`, `cuda::atomic_ref` or an atomic operation: `*(volatile int *)flag`"
                .to_owned(),
    };
    let mut finding = story::path_finding(case, phrase);
    if !stale.certain {
        finding
            .assumptions
            .push("the other thread writes after the launch".to_owned());
        finding.severity = Severity::Warning;
        finding.confidence = finding.confidence.min(crate::diagnostics::Confidence::Low);
    }
    Some(finding)
}
