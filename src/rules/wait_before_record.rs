//! CL202: a wait for an event that is recorded only afterwards does nothing.

use super::PathCase;
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};
use crate::order::IdleWait;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let idle = case.verdict.idle_waits.iter();
    idle.map(|it| finding(case, it)).collect()
}

fn finding(case: &PathCase<'_>, idle: &IdleWait) -> Finding {
    let name = |event| story::name_in(case.program, case.trace, event);
    let event = case.trace.events.get(&idle.event).map_or("", String::as_str);
    let event = if event.is_empty() {
        "an event".to_owned()
    } else {
        format!("`{event}`")
    };
    let mut finding = story::path_finding(
        case,
        PathPhrase {
            rule: "wait-before-record",
            code: "CL202",
            severity: Severity::Error,
            primary: idle.wait.at(case.trace),
            message: format!(
                "{} waits for {event}, which is recorded only afterwards: an event that was never recorded is complete, \
                 so nothing waits",
                name(idle.wait)
            ),
            steps: vec![
                (
                    idle.wait.at(case.trace),
                    format!("{event} has not been recorded here: the wait does nothing"),
                ),
                (
                    idle.record.at(case.trace),
                    "it is recorded only here; earlier waits do not see this record".to_owned(),
                ),
            ],
            help: "enqueue the record before the wait".to_owned(),
        },
    );
    story::race::doubted(&mut finding, idle.doubt);
    finding
}
