//! Moves the release to before the call that waits for it.

use super::{HangCase, chain, edit, unsafe_fix};
use crate::diagnostics::Fix;
use crate::facts::ir::Span;
use crate::facts::places;
use crate::order::Gate;
use crate::program::FileId;
use crate::rules::story;

/// The release, when it is a statement of its own further down in the same block.
pub(in crate::rules) fn release_first(case: &HangCase<'_>) -> Option<Fix> {
    let (Gate::HostWait { event } | Gate::BlockingCall { event }) = &case.hang.gate else {
        return None;
    };
    let releaser = case.hang.releaser;
    if releaser.thread != event.thread {
        return None;
    }
    let (file, release) = releaser.at(case.trace);
    let unit = case.program.unit(file);
    let moved = chain(event.site(case.trace))
        .filter(|(other, _)| *other == file)
        .find_map(|(_, wait)| places::moved_before(&unit.facts, &unit.bytes, release, wait))?;
    // Before what waits was even started, the release would come too early.
    let starts = |(other, span): (FileId, Span)| other == file && places::holds(moved.target, span);
    if chain(case.hang.waiting.site(case.trace)).any(starts) {
        return None;
    }
    let changes = moved.changes.into_iter();
    let edits = changes.map(|it| edit(case.program, file, it)).collect();
    let (release, wait) = (story::releaser(case), story::name(case, *event));
    Some(unsafe_fix(format!("move {release} before {wait}"), edits))
}
