//! CL206: the host changes or gives up memory that work in flight still uses.

use super::PathCase;
use super::story::race::{RacePhrase, bare_verb, findings_where, name, place, subject};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::order::{Hazard, Race};
use crate::trace::Mode;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let mut found = findings_where(
        case,
        |it| it.hazard == Hazard::HostChange,
        |race| pinned(case, race),
    );
    let deferred = |it: &Race| it.hazard == Hazard::DeferredSource;
    found.extend(
        findings_where(case, deferred, |race| pageable(case, race))
            .into_iter()
            .map(|it| Finding {
                confidence: it.confidence.min(Confidence::Medium),
                ..it
            }),
    );
    found
}

fn pinned(case: &PathCase<'_>, race: &Race) -> RacePhrase {
    RacePhrase {
        rule: "host-buffer-dies-before-copy",
        code: "CL206",
        severity: Severity::Error,
        message: format!(
            "{} {} `{}` while {} may still {} it{}: nothing waits for it",
            subject(case, race.later),
            does(race),
            race.later_access.what,
            name(case, race.earlier),
            bare_verb(&race.earlier_access),
            place(case, race.earlier),
        ),
        help: "wait for that work before the memory is used again, or give every operation in flight a buffer of \
               its own"
            .to_owned(),
    }
}

/// No such copy has been measured to be late, but documents and users say it may be.
fn pageable(case: &PathCase<'_>, race: &Race) -> RacePhrase {
    RacePhrase {
        rule: "host-buffer-dies-before-copy",
        code: "CL206",
        severity: Severity::Warning,
        message: format!(
            "{} {} `{}` while {} may still read it{}: its access order leaves that until the stream gets there, and \
             nothing waits for it",
            subject(case, race.later),
            does(race),
            race.later_access.what,
            name(case, race.earlier),
            place(case, race.earlier),
        ),
        help: "wait for the stream before the memory is given up, or let the batch read its sources during the call \
               (`cudaMemcpySrcAccessOrderDuringApiCall`)"
            .to_owned(),
    }
}

fn does(race: &Race) -> &'static str {
    match race.later_access.mode {
        Mode::Free => "gives up",
        _ => "overwrites",
    }
}
