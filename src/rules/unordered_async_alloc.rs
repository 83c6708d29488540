//! CL204: memory allocated in the order of one stream is used in another one before the allocation is known to have run.

use super::PathCase;
use super::story::race::{RacePhrase, findings, name, place};
use crate::diagnostics::{Finding, Severity};
use crate::order::Hazard;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    findings(case, Hazard::AsyncAllocation, |race| {
        RacePhrase {
        rule: "unordered-async-alloc",
        code: "CL204",
        severity: Severity::Error,
        message: format!(
            "{} uses `{}`{}, but {} allocates it{}: nothing orders the two",
            name(case, race.later),
            race.later_access.what,
            place(case, race.later),
            name(case, race.earlier),
            place(case, race.earlier),
        ),
        help: "record an event behind the allocation and let the other stream wait for it, or allocate in the stream \
               that uses the memory; uses in the allocating stream need nothing"
            .to_owned(),
    }
    })
}
