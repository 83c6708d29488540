//! CL208: two accesses are ordered only because a call that frees memory happens to wait for the device.

use super::PathCase;
use super::story::race::{RacePhrase, bare_verb, findings, name, place, subject};
use crate::diagnostics::{Finding, Severity};
use crate::order::Hazard;
use crate::trace::Mode;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    findings(case, Hazard::FreeBarrier, |race| {
        let barrier = race
            .through
            .map_or_else(|| "a call".to_owned(), |it| name(case, it));
        RacePhrase {
            rule: "free-as-barrier",
            code: "CL208",
            severity: Severity::Warning,
            message: format!(
                "only {barrier} keeps {} from {} `{}` while {} may still {} it{}: it may wait for the device, and need \
                 not",
                subject(case, race.later),
                match race.later_access.mode {
                    Mode::Read => "reading",
                    _ => "changing",
                },
                race.later_access.what,
                name(case, race.earlier),
                bare_verb(&race.earlier_access),
                place(case, race.earlier),
            ),
            help: "say it: `cudaStreamSynchronize` of the stream of the first access, or an event, before the second"
                .to_owned(),
        }
    })
}
