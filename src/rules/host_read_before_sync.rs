//! CL205: the host reads memory that work in flight may not have written yet.

use super::PathCase;
use super::story::race::{RacePhrase, findings, name, place, subject};
use crate::diagnostics::{Finding, Severity};
use crate::order::Hazard;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    findings(case, Hazard::HostRead, |race| {
        RacePhrase {
        rule: "host-read-before-sync",
        code: "CL205",
        severity: Severity::Error,
        message: format!(
            "{} reads `{}` before {} is known to have written it{}: nothing waits for it",
            subject(case, race.later),
            race.later_access.what,
            name(case, race.earlier),
            place(case, race.earlier),
        ),
        help: "wait first: `cudaStreamSynchronize` of that stream, or `cudaEventSynchronize` of an event recorded \
               behind it"
            .to_owned(),
    }
    })
}
