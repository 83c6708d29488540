//! CL209: the host reads after an asynchronous copy to pageable memory without waiting; documents only say that the
//! copy might be complete.

use super::PathCase;
use super::story::race::{RacePhrase, findings, name, place, subject};
use crate::diagnostics::{Finding, Severity};
use crate::order::Hazard;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    findings(case, Hazard::PageableCopy, |race| RacePhrase {
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
