//! CL206: the host changes or gives up memory that work in flight still uses.

use super::PathCase;
use super::story::race::{RacePhrase, bare_verb, findings, name, place, subject};
use crate::diagnostics::{Finding, Severity};
use crate::order::Hazard;
use crate::trace::Mode;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    findings(case, Hazard::HostChange, |race| {
        let does = match race.later_access.mode {
            Mode::Free => "gives up",
            _ => "overwrites",
        };
        RacePhrase {
            rule: "host-buffer-dies-before-copy",
            code: "CL206",
            severity: Severity::Error,
            message: format!(
                "{} {does} `{}` while {} may still {} it{}: nothing waits for it",
                subject(case, race.later),
                race.later_access.what,
                name(case, race.earlier),
                bare_verb(&race.earlier_access),
                place(case, race.earlier),
            ),
            help: "wait for that work before the memory is used again, or give every operation in flight a buffer of \
                   its own"
                .to_owned(),
        }
    })
}
