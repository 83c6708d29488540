//! Starts what waits behind the call that cannot get past it.

use super::{HangCase, chain, edit, unsafe_fix};
use crate::diagnostics::Fix;
use crate::facts::ir::Span;
use crate::facts::places::{self, Pair};
use crate::order::{EventRef, Gate};
use crate::program::FileId;
use crate::rules::story;
use crate::trace::{Action, Base, Block, Event, Mode, Work};

/// The statement that starts what waits, moved behind the one that is stuck because of it: what starts later waits no
/// less, and nobody could have gone on before.
///
/// `None` where the statement does more than to enqueue, where what it enqueues is written for what it is moved across,
/// and where the order of its stream held back what it is moved across.
pub(in crate::rules) fn start_later(case: &HangCase<'_>) -> Option<Fix> {
    let trace = case.trace;
    let start = super::first_resident(case);
    let behind = stuck(case)?;
    let wait = story::wait(trace, case.hang.waiting, case.hang.wait);
    if behind.thread != start.thread || behind <= start || wait.is_some_and(|it| !it.resets.is_empty()) {
        return None;
    }
    let starts: Vec<(FileId, Span)> = chain(start.site(trace)).collect();
    let behinds: Vec<(FileId, Span)> = chain(behind.site(trace)).collect();
    let ends = behinds
        .iter()
        .flat_map(|behind| starts.iter().map(move |start| (*start, *behind)));
    ends.filter(|(start, behind)| start.0 == behind.0)
        .find_map(|((file, start_span), (_, behind_span))| {
            let unit = case.program.unit(file);
            let pair = places::pair(&unit.facts, &unit.bytes, start_span, behind_span)?;
            let moved = pair.moved_down(&unit.bytes)?;
            bears(case, file, &pair, start).then_some(())?;
            let edits = moved.into_iter().map(|it| edit(case.program, file, it)).collect();
            let title = format!(
                "start {} behind {}",
                story::name(case, start),
                story::name(case, behind)
            );
            Some(unsafe_fix(title, edits))
        })
}

/// What cannot go on before what waits has ended.
fn stuck(case: &HangCase<'_>) -> Option<EventRef> {
    match &case.hang.gate {
        Gate::FirstUse { event, .. }
        | Gate::Load { event }
        | Gate::HeapSetup { event, .. }
        | Gate::LocalMemory { event, .. }
        | Gate::BlockingCall { event } => Some(*event),
        Gate::DeviceOrder { .. } => Some(case.hang.releaser),
        _ => None,
    }
}

/// Whether nothing but the start changes its place: the statement enqueues, and what it enqueues neither writes what the
/// statements in between use nor held them back.
fn bears(case: &HangCase<'_>, file: FileId, pair: &Pair<'_>, start: EventRef) -> bool {
    let trace = case.trace;
    let events = &trace.threads[start.thread.0 as usize].events;
    let in_statement = |event: &Event, span: Span| {
        chain(&event.site).any(|(other, at)| other == file && places::holds(span, at))
    };
    let from = start.index as usize;
    let first = (0..=from)
        .rev()
        .take_while(|it| in_statement(&events[*it], pair.first.span))
        .last();
    let Some(first) = first else { return false };
    let own = events[first..]
        .iter()
        .take_while(|it| in_statement(it, pair.first.span))
        .count();
    let last = (first + own..events.len())
        .rev()
        .find(|it| in_statement(&events[*it], pair.second.span));
    let Some(last) = last else { return false };
    let (moved, passed) = (&events[first..first + own], &events[first + own..=last]);
    let is_release = matches!(case.hang.gate, Gate::DeviceOrder { .. });
    let started: Vec<&Work> = moved.iter().filter_map(work).collect();
    let only_enqueues = moved.iter().all(|it| match &it.action {
        Action::Call(call) => call.blocks == Block::None,
        _ => false,
    });
    let releases_early = passed.iter().any(|it| matches!(it.action, Action::Store(_)))
        && (first + own..=last).contains(&(case.hang.releaser.index as usize));
    let held_back = |other: &Work| started.iter().any(|it| it.stream == other.stream);
    let used = |base: Base| {
        started.iter().any(|work| {
            let written = work.accesses.iter().filter(|it| it.mode != Mode::Read);
            written.into_iter().any(|it| it.location.base == base)
                || work.writes.iter().any(|it| it.location.base == base)
        })
    };
    let meets = |event: &Event| match &event.action {
        Action::Call(call) => call
            .work
            .iter()
            .any(|it| it.accesses.iter().any(|it| used(it.location.base)) || !is_release && held_back(it)),
        Action::Store(write) => used(write.location.base),
        Action::Touch(access) => used(access.location.base),
        Action::HostWait { .. }
        | Action::Spawn(_)
        | Action::Join(_)
        | Action::Lock(_)
        | Action::Unlock(_) => true,
    };
    only_enqueues && !releases_early && !passed.iter().any(meets)
}

fn work(event: &Event) -> Option<&Work> {
    match &event.action {
        Action::Call(call) => call.work.as_ref(),
        _ => None,
    }
}
