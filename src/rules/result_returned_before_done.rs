//! CL211: a function that is handed a stream uses or returns a host result that its own copy in that stream may still be
//! filling.

use super::PathCase;
use super::story::race::{RacePhrase, findings_where, name, place, subject};
use crate::diagnostics::{Finding, Severity};
use crate::order::{Hazard, Race};
use crate::trace::{Action, Trace};

/// `result-returned-before-done` (CL211).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let function = case.program.function(case.trace.entry).path.last();
    let function = function.map_or("", String::as_str);
    findings_where(
        case,
        |it| is_in_given(case.trace, it),
        |race| RacePhrase {
            rule: "result-returned-before-done",
            code: "CL211",
            severity: Severity::Warning,
            message: format!(
                "{} reads `{}` after {}{}, and `{function}` does not wait for the stream it is handed: a copy to pageable \
             memory might be complete when its call returns, and is not promised to be",
                subject(case, race.later),
                race.later_access.what,
                name(case, race.earlier),
                place(case, race.earlier),
            ),
            help: "wait for the stream (`cudaStreamSynchronize`) before the result is used or returned"
                .to_owned(),
        },
    )
}

/// Whether a race is with a copy to pageable memory in a stream that was handed in.
pub(super) fn is_in_given(trace: &Trace, race: &Race) -> bool {
    if race.hazard != Hazard::PageableCopy {
        return false;
    }
    let Action::Call(call) = &race.earlier.of(trace).action else {
        return false;
    };
    let stream = call.work.as_ref().map(|it| it.stream);
    let stream = stream.and_then(|it| trace.streams.get(it.0 as usize));
    !trace.notes.promise.streams.is_empty() && stream.is_some_and(|it| it.handed_in.is_some())
}
