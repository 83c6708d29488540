//! Keeps captures whole.

use super::named::{argument, stream_at};
use super::waits::{event_wait, put, stream_words};
use super::{edit, unsafe_fix};
use crate::diagnostics::Fix;
use crate::facts::ir::Span;
use crate::facts::places;
use crate::order::event_refs;
use crate::program::FileId;
use crate::rules::PathCase;
use crate::trace::Site;
use crate::trace::capture::{Capture, Unjoined};

/// The forked stream is joined back before the capture ends.
pub(in crate::rules) fn join_fork(case: &PathCase<'_>, end: &Site, unjoined: &Unjoined) -> Option<Fix> {
    let program = case.program;
    let (file, span) = (end.file, end.span);
    let unit = program.unit(file);
    let statement = places::statement_at(&unit.facts, &unit.bytes, span)?;
    let work = event_refs(case.trace).find(|it| *it.site(case.trace) == unjoined.work)?;
    let fork = stream_at(program, case.trace, work, (file, statement))?;
    let origin = program.words(file, argument(program, (file, span), 0)?.span);
    let lines = event_wait(program, file, &fork, &origin)?;
    let title = format!("join {} back before the capture ends", stream_words(&fork));
    put(program, title, (file, statement), &lines)
}

/// A call that no capture bears is made before the capture begins, where both stand in one block.
pub(in crate::rules) fn outside(case: &PathCase<'_>, capture: &Capture, call: &Site) -> Option<Fix> {
    let program = case.program;
    let begin: (FileId, Span) = (capture.begin.site.file, capture.begin.site.span);
    if begin.0 != call.file {
        return None;
    }
    let unit = program.unit(call.file);
    let moved = places::moved_before(&unit.facts, &unit.bytes, call.span, begin.1)?;
    let edits = moved.changes.into_iter();
    let edits = edits.map(|it| edit(program, call.file, it)).collect();
    let name = program.words(call.file, call.span);
    Some(unsafe_fix(
        format!("call `{name}` before the capture begins"),
        edits,
    ))
}
