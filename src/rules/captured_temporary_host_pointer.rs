//! CL305: a graph holds the address of host memory that is gone when the graph is launched.

use super::PathCase;
use super::story::capture::at;
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};
use crate::trace::Mode;

/// `captured-temporary-host-pointer` (CL305).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let stale = case.trace.notes.captures.stale.iter();
    stale
        .map(|it| {
            let what = it.what.strip_suffix(".data()").unwrap_or(&it.what);
            let verb = if it.mode == Mode::Read { "reads" } else { "writes" };
            story::path_finding(
                case,
                PathPhrase {
                    rule: "captured-temporary-host-pointer",
                    code: "CL305",
                    severity: Severity::Error,
                    primary: it.used,
                    message: format!(
                        "the graph keeps the address of `{what}`, not its contents: when it is launched, the memory is gone"
                    ),
                    steps: vec![
                        (it.used, format!("the address of `{what}` becomes part of the graph")),
                        (it.ended, format!("the life of `{what}` ends")),
                        (at(&it.launch), format!("the launched graph {verb} it all the same")),
                    ],
                    help: format!(
                        "keep `{what}` alive as long as the graph, or hand the values to a kernel by argument"
                    ),
                },
            )
        })
        .collect()
}
