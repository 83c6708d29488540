//! CL211: a function that is handed a stream uses or returns a host result that its own copy in that stream may still be
//! filling.

use super::PathCase;
use super::story::race::{RacePhrase, debug_wait, findings_where, name, place, subject};
use crate::diagnostics::{Finding, Severity};
use crate::facts::ir::Role;
use crate::order::{Hazard, Race};
use crate::trace::{Action, LEGACY};

/// `result-returned-before-done` (CL211).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let function = case.program.function(case.trace.entry).path.last();
    let function = function.map_or("", String::as_str);
    findings_where(
        case,
        |it| is_own_result(case, it),
        |race| RacePhrase {
            rule: "result-returned-before-done",
            code: "CL211",
            severity: severity(case, race),
            message: format!(
                "{} reads `{}` after {}{}, and `{function}` does not wait for {}: a copy to pageable \
             memory might be complete when its call returns, and is not promised to be",
                subject(case, race.later),
                race.later_access.what,
                name(case, race.earlier),
                place(case, race.earlier),
                match case.trace.notes.promise.streams.is_empty() {
                    true => "it",
                    false => "the stream it is handed",
                },
            ),
            help: "wait for the stream (`cudaStreamSynchronize`) before the result is used or returned"
                .to_owned(),
        },
    )
}

/// A copy to memory that is surely pageable has always been seen to be complete. Whoever waits in debug builds does not rely
/// on that.
fn severity(case: &PathCase<'_>, race: &Race) -> Severity {
    let copy = (race.earlier.thread, race.earlier.index);
    let is_pageable = case.trace.notes.pageable.contains_key(&copy);
    match is_pageable && debug_wait(case, race).is_none() {
        true => Severity::Info,
        false => Severity::Warning,
    }
}

/// Whether a race is with a copy to pageable memory in a stream that was handed in; of a function that is handed none, in a
/// stream that is neither the default one nor its object's, or in any where what it returns is read: whoever calls it cannot
/// know that there is something to wait for.
pub(super) fn is_own_result(case: &PathCase<'_>, race: &Race) -> bool {
    if race.hazard != Hazard::PageableCopy {
        return false;
    }
    let trace = case.trace;
    let Action::Call(call) = &race.earlier.of(trace).action else {
        return false;
    };
    let Some(stream) = call.work.as_ref().map(|it| it.stream) else {
        return false;
    };
    let is_handed = trace
        .streams
        .get(stream.0 as usize)
        .is_some_and(|it| it.handed_in.is_some());
    if !trace.notes.promise.streams.is_empty() {
        return is_handed;
    }
    let entry = case.program.function(trace.entry);
    let is_program = case.program.is_main(trace.entry) || entry.role == Role::Test;
    let (file, read) = race.later.at(trace);
    let is_returned = || {
        let mut returns = trace.notes.promise.returns.iter();
        file == trace.entry.file && returns.any(|it| it.start <= read.start && read.end <= it.end)
    };
    !is_program && (stream != LEGACY && !is_handed || is_returned())
}
