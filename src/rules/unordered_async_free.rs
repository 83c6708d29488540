//! CL203: memory is freed in the order of one stream while another one may still use it.

use super::PathCase;
use super::story::location;
use super::story::race::{RacePhrase, findings, name, place};
use crate::diagnostics::{Confidence, Finding, Severity, Step, evidence};
use crate::order::Hazard;
use crate::program::{FreedByDefault, Program};
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

/// What others may still use in their streams is given back in the order of the default one.
pub(super) fn by_default(program: &Program) -> Vec<Finding> {
    let found = program.freed_by_default();
    found.iter().map(|it| freed(program, it)).collect()
}

fn freed(program: &Program, it: &FreedByDefault) -> Finding {
    let (function, user) = (program.function(it.function), program.function(it.user));
    let own_name = function.path.last().map_or("", String::as_str);
    let user_name = user.path.last().map_or("", String::as_str);
    let what = &it.what;
    let step = |at, message: String| Step::new(location(program, at), message);
    Finding {
        rule: "unordered-async-free",
        code: "CL203",
        severity: Severity::Warning,
        confidence: Confidence::Low,
        primary: location(program, it.call),
        message: format!(
            "`{own_name}` gives `{what}` back in the default stream: work on it in a non-blocking stream may still run, \
             and the next allocation may get the memory"
        ),
        steps: vec![
            step(
                (it.function.file, function.name_span),
                format!("`{own_name}` is handed `{what}`, and no stream"),
            ),
            step(
                (it.user.file, user.name_span),
                format!("`{user_name}`, for one, is handed a stream that its callers choose"),
            ),
            step(
                it.call,
                "the memory is free when the default stream gets here; `cudaFree` would wait for all streams"
                    .to_owned(),
            ),
        ],
        help: Some(format!(
            "wait for the device before, or take the stream that used `{what}` last and free it there"
        )),
        evidence: evidence::sentence("unordered-async-free"),
        assumptions: vec![format!(
            "a caller gives `{what}` up while work in a non-blocking stream may use it"
        )],
        configuration: None,
        fix: None,
        picture: None,
    }
}
