//! CL207: work in the legacy default stream and in a non-blocking stream touch the same memory: these two never wait
//! for each other.

use super::PathCase;
use super::story::race::{RacePhrase, bare_verb, findings, name, place, verb};
use crate::diagnostics::{Finding, Severity};
use crate::order::Hazard;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    findings(case, Hazard::NullStream, |race| {
        RacePhrase {
        rule: "null-stream-beside-nonblocking",
        code: "CL207",
        severity: Severity::Error,
        message: format!(
            "{} {} `{}`{} while {} may still {} it{}: a non-blocking stream and the legacy default stream do not wait \
             for each other",
            name(case, race.later),
            verb(&race.later_access),
            race.later_access.what,
            place(case, race.later),
            name(case, race.earlier),
            bare_verb(&race.earlier_access),
            place(case, race.earlier),
        ),
        help: "pass the stream to both (the asynchronous form takes one), order them with an event, or wait between them".to_owned(),
    }
    })
}
