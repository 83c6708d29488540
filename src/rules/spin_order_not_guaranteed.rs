//! CL119: a kernel spins until a kernel in another stream runs: it works, and nothing promises that both run at once.

use super::story::{self, PathPhrase};
use super::{PathCase, spin_grid_fills_device};
use crate::diagnostics::{Finding, Severity};
use crate::order::UnpromisedWait;

/// `spin-order-not-guaranteed` (CL119).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    case.verdict
        .unpromised_waits
        .iter()
        .filter(|it| !spin_grid_fills_device::takes(case, it))
        .filter_map(|it| finding(case, it))
        .collect()
}

fn finding(case: &PathCase<'_>, unpromised: &UnpromisedWait) -> Option<Finding> {
    let name = |event| story::name_in(case.program, case.trace, event);
    let wait = story::wait(case.trace, unpromised.waiting, unpromised.wait)?;
    let (waiter, setter, flag) = (
        name(unpromised.waiting),
        name(unpromised.releaser),
        story::place(wait),
    );
    let who = if waiter == setter {
        format!("{waiter} spins until another launch of it writes {flag}")
    } else {
        format!("{waiter} spins until {setter} writes {flag}")
    };
    let message =
        format!("{who}, in another stream: nothing promises that two streams ever run at the same time");
    let phrase = PathPhrase {
        rule: "spin-order-not-guaranteed",
        code: "CL119",
        severity: Severity::Info,
        primary: unpromised.waiting.at(case.trace),
        message,
        steps: vec![
            (unpromised.waiting.at(case.trace), format!("{waiter} may fill what the other needs to start")),
            (
                unpromised.releaser.at(case.trace),
                format!("{setter} releases it only if both are resident at once"),
            ),
        ],
        help: "enqueue the setter first in the same stream, order the two with an event, or make both blocks of one \
               cooperative grid"
            .to_owned(),
    };
    Some(story::path_finding(case, phrase))
}
