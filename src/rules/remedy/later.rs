//! Starts what waits behind the call that cannot get past it.

use super::{HangCase, chain, edit, unsafe_fix};
use crate::api::Operation;
use crate::diagnostics::Fix;
use crate::facts::ir::Span;
use crate::facts::places::{self, Pair};
use crate::order::{EventRef, Gate};
use crate::program::FileId;
use crate::rules::story;
use crate::trace::{Access, Action, Base, Block, Event, Location, Mode, StreamId, Wait, Work, WorkKind};

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

/// Whether nothing but the start changes its place: the statement enqueues and does nothing else, and what it enqueues
/// neither writes what the statements in between use nor held them back.
fn bears(case: &HangCase<'_>, file: FileId, pair: &Pair<'_>, start: EventRef) -> bool {
    let trace = case.trace;
    let events = &trace.threads[start.thread.0 as usize].events;
    let inside = |at: &usize, span: Span| {
        chain(&events[*at].site).any(|(other, at)| other == file && places::holds(span, at))
    };
    let from = start.index as usize;
    let Some(first) = (0..=from)
        .rev()
        .take_while(|it| inside(it, pair.first.span))
        .last()
    else {
        return false;
    };
    let begin = (first..events.len())
        .find(|it| !inside(it, pair.first.span))
        .unwrap_or(events.len());
    let turn = begin
        ..(begin..events.len())
            .find(|it| inside(it, pair.first.span))
            .unwrap_or(events.len());
    let Some(last) = turn.rev().find(|it| inside(it, pair.second.span)) else {
        return false;
    };
    let (moved, passed) = (first..begin, begin..=last);
    let only_enqueues = moved.clone().all(|it| match &events[it].action {
        Action::Call(call) => {
            call.blocks == Block::None && changes_nothing(case, file, pair.first.span, &events[it])
        }
        _ => false,
    });
    let started: Vec<&Work> = events[moved].iter().filter_map(work).collect();
    let releaser = case.hang.releaser;
    let releases_early = matches!(releaser.of(trace).action, Action::Store(_))
        && releaser.thread == start.thread
        && passed.contains(&(releaser.index as usize));
    let passing = Passing {
        released_in: match (&case.hang.gate, releaser.of(trace)) {
            (Gate::DeviceOrder { .. }, event) => work(event).map(|it| it.stream),
            _ => None,
        },
        started,
    };
    only_enqueues && !releases_early && passed.into_iter().all(|it| passing.bears(&events[it]))
}

/// What is started, and what it is moved across.
struct Passing<'a> {
    started: Vec<&'a Work>,
    /// The stream of the release, where that is enqueued too late: all that comes before it there was to come before
    /// what waits went on.
    released_in: Option<StreamId>,
}

impl Passing<'_> {
    fn bears(&self, event: &Event) -> bool {
        match &event.action {
            Action::Call(call) => {
                let ends_all = call.api.is_some_and(|it| it.operation == Operation::DeviceReset);
                !ends_all && call.work.as_ref().is_none_or(|it| self.bears_work(it))
            }
            Action::Store(write) => !self.writes(write.location.base),
            Action::Touch(access) => !self.writes(access.location.base) && !self.loses(access),
            _ => false,
        }
    }

    fn bears_work(&self, passed: &Work) -> bool {
        let is_record = matches!(passed.kind, WorkKind::Record(_));
        let is_own = self.started.iter().any(|it| it.stream == passed.stream);
        let waits_in_stream = self.started.iter().any(|it| it.kind == WorkKind::WaitValue);
        let in_release = self.released_in == Some(passed.stream);
        let held_back = match (in_release, is_record) {
            (_, true) => is_own && self.released_in.is_none(),
            (true, _) => is_own && waits_in_stream,
            (false, _) => is_own,
        };
        let meets = passed.accesses.iter().any(|it| self.writes(it.location.base));
        let loses = passed.accesses.iter().any(|it| self.loses(it));
        !held_back && !loses && (in_release || !meets)
    }

    /// Whether an access ends the life of memory that what is started uses.
    fn loses(&self, access: &Access) -> bool {
        let is_same = |it: &Location| it.base == access.location.base;
        let uses = |work: &&Work| {
            let waits = work.waits.iter().flat_map(Wait::locations);
            let accesses = work.accesses.iter().map(|it| &it.location);
            accesses
                .chain(waits)
                .chain(work.writes.iter().map(|it| &it.location))
                .any(is_same)
        };
        access.mode == Mode::Free && self.started.iter().any(uses)
    }

    /// Whether what is started writes into an object, elsewhere than at the place it waits for.
    fn writes(&self, base: Base) -> bool {
        let waits = self.started.iter().flat_map(|it| &it.waits);
        let flags: Vec<&Location> = waits.flat_map(Wait::locations).collect();
        let data = |it: &Location| it.base == base && !flags.contains(&it);
        self.started.iter().any(|work| {
            let mut written = work.accesses.iter().filter(|it| it.mode != Mode::Read);
            written.any(|it| data(&it.location)) || work.writes.iter().any(|it| data(&it.location))
        })
    }
}

/// Whether the functions that lead from a statement to an event change nothing that outlives them.
pub(super) fn changes_nothing(case: &HangCase<'_>, file: FileId, statement: Span, event: &Event) -> bool {
    let path = event.site.path();
    let Some(at) = path
        .iter()
        .position(|(other, at)| *other == file && places::holds(statement, *at))
    else {
        return false;
    };
    path[at + 1..].iter().all(|(file, span)| {
        let unit = case.program.unit(*file);
        places::function_at(&unit.facts, *span).is_some_and(places::keeps_to_itself)
    })
}

fn work(event: &Event) -> Option<&Work> {
    match &event.action {
        Action::Call(call) => call.work.as_ref(),
        _ => None,
    }
}
