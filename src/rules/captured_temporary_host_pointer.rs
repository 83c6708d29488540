//! CL305: a graph holds the address of host memory that is gone, or filled for another one, when the graph is launched.

use super::story::PathPhrase;
use super::story::capture::{self, at};
use super::{PathCase, remedy};
use crate::diagnostics::{Finding, Severity};
use crate::order::captures::{self, Refilled};
use crate::order::event_refs;
use crate::trace::Mode;

/// `captured-temporary-host-pointer` (CL305).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let stale = case.trace.notes.captures.stale.iter();
    let stale = stale
        .map(|it| {
            let what = it.what.strip_suffix(".data()").unwrap_or(&it.what);
            let verb = if it.mode == Mode::Read { "reads" } else { "writes" };
            let mut steps = vec![
                (it.used, format!("the address of `{what}` becomes part of the graph")),
                (it.ended, format!("the life of `{what}` ends")),
            ];
            if let Some(launch) = &it.launch {
                steps.push((at(launch), format!("the launched graph {verb} it all the same")));
            }
            let mut found = capture::finding(
                case,
                PathPhrase {
                    rule: "captured-temporary-host-pointer",
                    code: "CL305",
                    severity: Severity::Error,
                    primary: it.used,
                    message: format!(
                        "the graph keeps the address of `{what}`, not its contents: when it is launched, the memory is gone"
                    ),
                    steps,
                    help: format!(
                        "keep `{what}` alive as long as the graph, or hand the values to a kernel by argument"
                    ),
                },
            );
            let mut calls = event_refs(case.trace).filter(|made| made.at(case.trace) == it.used);
            let made = calls.find(|made| captures::is_captured(case.trace, *made));
            found.fix = made.and_then(|made| remedy::copy_at_once(case, made, what));
            found
        });
    let refilled = captures::refilled(case.trace);
    stale
        .chain(refilled.iter().map(|it| replaced(case, it)))
        .collect()
}

/// What was prepared for one node is replaced for another before the first is launched.
fn replaced(case: &PathCase<'_>, refilled: &Refilled<'_>) -> Finding {
    let what = refilled
        .first
        .what
        .strip_suffix(".data()")
        .unwrap_or(&refilled.first.what);
    let mut steps = vec![
        (
            refilled.first.at,
            format!("the address of `{what}` becomes part of a graph"),
        ),
        (
            refilled.refill.at(case.trace),
            "the same memory is filled again".to_owned(),
        ),
    ];
    if refilled.second.at != refilled.first.at {
        let told = if refilled.is_captured {
            "for this one, which reads it too"
        } else {
            "for this copy, which is made at once"
        };
        steps.push((refilled.second.at, told.to_owned()));
    }
    steps.push((
        at(&refilled.launch.site),
        "the launched graph reads what was filled in last".to_owned(),
    ));
    let mut found = capture::finding(
        case,
        PathPhrase {
            rule: "captured-temporary-host-pointer",
            code: "CL305",
            severity: Severity::Error,
            primary: refilled.first.at,
            message: format!(
                "the graph keeps the address of `{what}`, not its contents: the memory is filled for another {} \
                 before the graph is launched",
                if refilled.is_captured {
                    "captured copy"
                } else {
                    "copy"
                }
            ),
            steps,
            help: "give each captured copy memory of its own for as long as its graph lives".to_owned(),
        },
    );
    found.fix = remedy::copy_at_once(case, refilled.made, what);
    found
}
