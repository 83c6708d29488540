//! CL209: the host reads after an asynchronous copy to pageable memory without waiting; documents only say that the
//! copy might be complete.

use super::PathCase;
use super::result_returned_before_done::is_own_result;
use super::story::race::{RacePhrase, findings_where, name, place, subject};
use crate::diagnostics::{Finding, Severity};
use crate::order::{Hazard, Race};

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    // What a function does in a stream that it is handed is another rule's.
    let own = |it: &Race| it.hazard == Hazard::PageableCopy && !is_own_result(case, it);
    findings_where(case, own, |race| RacePhrase {
        rule: "unspecified-pageable-completion",
        code: "CL209",
        severity: Severity::Warning,
        message: format!(
            "{} reads `{}` after {}{} and nothing waits: a copy to pageable memory might be complete, and is not \
             promised to be",
            subject(case, race.later),
            race.later_access.what,
            name(case, race.earlier),
            place(case, race.earlier),
        ),
        help: "add `cudaStreamSynchronize` of that stream before the memory is read".to_owned(),
    })
}
