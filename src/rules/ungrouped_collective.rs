//! CL116: one thread calls a collective for one device after the other, each of which may wait for the next.

use super::PathCase;
use super::story::{self, PathPhrase, path_finding};
use crate::diagnostics::{Finding, Severity};
use crate::order::Ungrouped;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let pairs = crate::order::ungrouped_collectives(case.trace);
    pairs.iter().map(|it| finding(case, it)).collect()
}

fn finding(case: &PathCase<'_>, pair: &Ungrouped) -> Finding {
    let name = |event| story::name_in(case.program, case.trace, event);
    let call = name(pair.first);
    let at = |event: crate::order::EventRef| event.at(case.trace);
    let mut steps = vec![(
        at(pair.first),
        format!("{call} for one device: it may not return before the others take part"),
    )];
    let message = match pair.sync {
        Some(sync) => {
            let sync_name = name(sync);
            steps.push((
                at(sync),
                format!("{sync_name} waits for a collective that the other devices have not joined"),
            ));
            format!(
                "{call} is called for one device after the other, and {sync_name} waits in between for what needs them all"
            )
        }
        None => format!(
            "{call} is called for one device after the other on one thread, with no group around the calls: each may wait \
             for the ones that come after it"
        ),
    };
    steps.push((at(pair.second), "the next device takes part only here".to_owned()));
    path_finding(
        case,
        PathPhrase {
            rule: "ungrouped-collective",
            code: "CL116",
            severity: Severity::Error,
            primary: at(pair.first),
            message,
            steps,
            help: "put the calls for all devices between `ncclGroupStart()` and `ncclGroupEnd()`, and synchronise behind the \
                   group; or use one thread per device"
                .to_owned(),
        },
    )
}
