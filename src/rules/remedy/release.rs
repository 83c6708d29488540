//! Moves the release to before the call that waits for it, and what loads to before what waits.

use super::{HangCase, chain, edit, unsafe_fix};
use crate::diagnostics::Fix;
use crate::facts::ir::{Expr, ExprKind, Span};
use crate::facts::places;
use crate::order::{EventRef, Gate};
use crate::program::{FileId, Program};
use crate::rules::story;
use crate::trace::{Action, Trace};

/// The release, when it is a statement of its own further down in the same block.
pub(in crate::rules) fn release_first(case: &HangCase<'_>) -> Option<Fix> {
    let (Gate::HostWait { event } | Gate::BlockingCall { event }) = &case.hang.gate else {
        return None;
    };
    let releaser = case.hang.releaser;
    // What sets its place back itself loses what is written before it gets there.
    let wait = story::wait(case.trace, case.hang.waiting, case.hang.wait);
    if releaser.thread != event.thread || wait.is_some_and(|it| !it.resets.is_empty()) {
        return None;
    }
    let (file, _) = releaser.at(case.trace);
    let moved = moved(case, releaser, *event)?;
    // Before what waits was even started, the release would come too early.
    let starts = |(other, span): (FileId, Span)| other == file && places::holds(moved.target, span);
    if chain(case.hang.waiting.site(case.trace)).any(starts) || answers(case, *event, moved.target) {
        return None;
    }
    let changes = moved.changes.into_iter();
    let edits = changes.map(|it| edit(case.program, file, it)).collect();
    let (release, wait) = (story::releaser(case), story::name(case, *event));
    Some(unsafe_fix(format!("move {release} before {wait}"), edits))
}

/// Whether the statement the release would come before also holds a wait of the host for an answer: what is released may no longer give it.
fn answers(case: &HangCase<'_>, gate: EventRef, target: Span) -> bool {
    let (trace, thread) = (case.trace, gate.thread);
    let (file, _) = case.hang.releaser.at(trace);
    let own = gate.site(trace);
    let events = &trace.threads[thread.0 as usize].events;
    let mut waits = (0..)
        .zip(events)
        .filter(|(_, event)| matches!(event.action, Action::HostWait { .. }))
        .map(|(index, _)| EventRef { thread, index }.site(trace))
        .filter(|site| *site != own);
    waits.any(|site| chain(site).any(|(other, span)| other == file && places::holds(target, span)))
}

/// The call that loads device code, when it is a statement of its own behind the start of what waits.
pub(in crate::rules) fn load_first(case: &HangCase<'_>) -> Option<Fix> {
    let Gate::Load { event } = &case.hang.gate else {
        return None;
    };
    let own = case.hang.resident.iter().filter(|it| it.thread == event.thread);
    let resident = *own.min()?;
    let (file, _) = event.at(case.trace);
    let changes = moved(case, *event, resident)?.changes.into_iter();
    let edits = changes.map(|it| edit(case.program, file, it)).collect();
    let (load, waiter) = (story::name(case, *event), story::name(case, resident));
    Some(unsafe_fix(format!("move {load} before {waiter}"), edits))
}

/// The statement of one event moved to before what leads to another one.
fn moved(case: &HangCase<'_>, event: EventRef, before: EventRef) -> Option<places::Move> {
    let (file, span) = event.at(case.trace);
    let unit = case.program.unit(file);
    chain(before.site(case.trace))
        .filter(|(other, _)| *other == file)
        .find_map(|(_, target)| places::moved_before(&unit.facts, &unit.bytes, span, target))
}

/// A wait for one value that ends with any later one, too; `None` where the call does not say so itself.
pub(in crate::rules) fn at_least(program: &Program, trace: &Trace, waiting: EventRef) -> Option<Fix> {
    const EXACT: &str = "CU_STREAM_WAIT_VALUE_EQ";
    const AT_LEAST: &str = "CU_STREAM_WAIT_VALUE_GEQ";
    let (file, span) = waiting.at(trace);
    let ExprKind::Call(call) = &places::call_at(&program.unit(file).facts, span)?.kind else {
        return None;
    };
    let is_exact = |it: &&Expr| matches!(&it.kind, ExprKind::Name(name) if name.last() == EXACT);
    let flag = call.args.iter().find(is_exact)?;
    let title = format!(
        "let a later value end {} too",
        story::name_in(program, trace, waiting)
    );
    Some(unsafe_fix(
        title,
        vec![edit(program, file, (flag.span, AT_LEAST.to_owned()))],
    ))
}
