//! CL201: two streams touch the same memory, one of them writes it, and nothing orders them.

use super::PathCase;
use super::story::race::{RacePhrase, bare_verb, findings, name, place, subject, verb};
use crate::diagnostics::{Finding, Severity};
use crate::order::Hazard;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    findings(case, Hazard::CrossStream, |race| RacePhrase {
        rule: "unordered-cross-stream-access",
        code: "CL201",
        severity: Severity::Error,
        message: format!(
            "{} {} `{}`{} while {} may still {} it{}: nothing orders the two",
            subject(case, race.later),
            verb(&race.later_access),
            race.later_access.what,
            place(case, race.later),
            name(case, race.earlier),
            bare_verb(&race.earlier_access),
            place(case, race.earlier),
        ),
        help: "record an event behind the first and let the second stream wait for it (`cudaEventRecord`, \
               `cudaStreamWaitEvent`), or put both into one stream"
            .to_owned(),
    })
}
