//! CL203: memory is freed in the order of one stream while another one may still use it.

use super::PathCase;
use super::story::race::{RacePhrase, findings, name, place};
use crate::diagnostics::{Finding, Severity};
use crate::order::Hazard;
use crate::trace::Mode;

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    findings(case, Hazard::AsyncFree, |race| {
        let freed_first = race.earlier_access.mode == Mode::Free;
        let (free, user) = if freed_first {
            (race.earlier, race.later)
        } else {
            (race.later, race.earlier)
        };
        if freed_first && place(case, free) == place(case, user) {
            return RacePhrase {
                rule: "unordered-async-free",
                code: "CL203",
                severity: Severity::Error,
                message: format!(
                    "{} uses `{}`{} behind {}, which has given it back",
                    name(case, user),
                    race.earlier_access.what,
                    place(case, user),
                    name(case, free),
                ),
                help: "free the memory behind its last use".to_owned(),
            };
        }
        RacePhrase {
            rule: "unordered-async-free",
            code: "CL203",
            severity: Severity::Error,
            message: format!(
                "{} gives `{}` back{} while {} may {} use it{}: nothing orders the two",
                name(case, free),
                race.earlier_access.what,
                place(case, free),
                name(case, user),
                if freed_first { "yet" } else { "still" },
                place(case, user),
            ),
            help: "record an event behind the last use and let the freeing stream wait for it, or free the memory in \
                   the stream that uses it last"
                .to_owned(),
        }
    })
}
