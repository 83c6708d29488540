//! CL304: a graph that allocates and does not free is launched again before anybody freed its memory.

use super::PathCase;
use super::story::PathPhrase;
use super::story::capture::{self, at};
use crate::diagnostics::{Finding, Severity};

/// `relaunch-with-unfreed-allocation` (CL304).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let relaunches = case.trace.notes.captures.relaunches.iter();
    relaunches
        .map(|it| {
            capture::finding(
                case,
                PathPhrase {
                    rule: "relaunch-with-unfreed-allocation",
                    code: "CL304",
                    severity: Severity::Error,
                    primary: at(&it.site),
                    message: format!(
                        "the graph allocates `{}` and is launched again before that is freed: the second launch fails",
                        it.what
                    ),
                    steps: vec![
                        (it.allocated, "this allocation is part of the graph, and no free of it is".to_owned()),
                        (at(&it.before), "the first launch allocates".to_owned()),
                        (at(&it.site), "a launch after that returns `cudaErrorInvalidValue`".to_owned()),
                    ],
                    help: "free the memory in the graph or between the launches, or instantiate with \
                           `cudaGraphInstantiateFlagAutoFreeOnLaunch`"
                        .to_owned(),
                },
            )
        })
        .collect()
}
