//! Moves a wait of the host behind what ends it.

use super::later::changes_nothing;
use super::{HangCase, chain, edit, unsafe_fix};
use crate::diagnostics::Fix;
use crate::facts::ir::Span;
use crate::facts::places::{self, Pair};
use crate::order::{EventRef, Gate};
use crate::program::FileId;
use crate::rules::story;
use crate::trace::{Action, Block, Event, Location, Write};

/// The statement that waits, and does nothing else, moved behind the one that lets go what it waits for.
///
/// `None` where the host does anything else between the two: that may be meant to come behind the wait.
pub(in crate::rules) fn wait_behind(case: &HangCase<'_>) -> Option<Fix> {
    let (Gate::HostWait { event: gate } | Gate::BlockingCall { event: gate }) = &case.hang.gate else {
        return None;
    };
    let trace = case.trace;
    let release = releases(case, *gate)?;
    // What sets its place back itself loses what is written before it gets there.
    let wait = story::wait(trace, case.hang.waiting, case.hang.wait);
    if wait.is_some_and(|it| !it.resets.is_empty())
        || is_waited_among(case, release)
        || is_answered(case, *gate)
    {
        return None;
    }
    let waits: Vec<(FileId, Span)> = chain(gate.site(trace)).collect();
    let releases: Vec<(FileId, Span)> = chain(release.site(trace)).collect();
    let ends = waits
        .iter()
        .flat_map(|wait| releases.iter().map(move |release| (*wait, *release)));
    ends.filter(|(wait, release)| wait.0 == release.0)
        .find_map(|((file, wait), (_, release_span))| {
            let unit = case.program.unit(file);
            let pair = places::pair(&unit.facts, &unit.bytes, wait, release_span)?;
            let moved = pair.repeated_down(&unit.bytes)?;
            only_waits(case, file, &pair, *gate, release).then_some(())?;
            let edits = moved.into_iter().map(|it| edit(case.program, file, it)).collect();
            let words = case.program.words(file, release_span);
            let title = format!(
                "wait in {} only behind `{}`",
                story::name(case, *gate),
                first_line(&words)
            );
            Some(unsafe_fix(title, edits))
        })
}

/// What the thread that waits does next for the release: the release, the start of the thread that makes it, or what
/// that thread waits for.
fn releases(case: &HangCase<'_>, gate: EventRef) -> Option<EventRef> {
    let (trace, releaser) = (case.trace, case.hang.releaser);
    if releaser.thread == gate.thread {
        return (releaser.index > gate.index).then_some(releaser);
    }
    let others = &trace.threads[releaser.thread.0 as usize].events;
    let awaited: Vec<&Location> = others
        .iter()
        .take(releaser.index as usize)
        .flat_map(|it| match &it.action {
            Action::HostWait { locations, .. } => locations.as_slice(),
            _ => &[],
        })
        .collect();
    let lets_go = |it: &EventRef| match &it.of(trace).action {
        Action::Spawn(thread) => *thread == releaser.thread,
        Action::Store(write) => awaited.contains(&&write.location),
        _ => false,
    };
    let own = &trace.threads[gate.thread.0 as usize].events;
    let later = (gate.index + 1..own.len() as u32).map(|index| EventRef { index, ..gate });
    later.into_iter().find(lets_go)
}

/// Whether what waits also writes where it is let go: whoever does that may first look at what it finds there, and without
/// the wait it finds nothing yet.
fn is_answered(case: &HangCase<'_>, gate: EventRef) -> bool {
    let (trace, waiting) = (case.trace, case.hang.waiting);
    let is_there = |it: &Write| it.location.base == case.hang.write.location.base;
    let by_work = match &waiting.of(trace).action {
        Action::Call(call) => call
            .work
            .as_ref()
            .is_some_and(|it| it.writes.iter().any(is_there)),
        _ => false,
    };
    let own = &trace.threads[waiting.thread.0 as usize].events;
    let mut stores = own.iter().filter_map(|it| match &it.action {
        Action::Store(write) => Some(write),
        _ => None,
    });
    by_work || waiting.thread != gate.thread && stores.any(is_there)
}

/// Whether a loop that starts what waits, again and again before the release, also waits for the device: perhaps for what an
/// earlier turn started.
fn is_waited_among(case: &HangCase<'_>, release: EventRef) -> bool {
    let (trace, waiting) = (case.trace, case.hang.waiting);
    let loops: Vec<(FileId, Span)> = chain(waiting.site(trace))
        .flat_map(|(file, span)| {
            let unit = case.program.unit(file);
            let around = places::statements_around(&unit.facts, &unit.bytes, span);
            let is_whole = |outer: Span| {
                let mut released = chain(release.site(trace));
                released.any(|(other, at)| other == file && places::holds(outer, at))
            };
            let loops = around.into_iter().filter(|it| it.is_loop && !is_whole(it.span));
            loops.map(|it| (file, it.span)).collect::<Vec<_>>()
        })
        .collect();
    let blocks = |it: &&Event| matches!(&it.action, Action::Call(call) if call.blocks != Block::None);
    let inside = |event: &Event| {
        let mut places = chain(&event.site);
        places.any(|(file, at)| loops.iter().any(|it| it.0 == file && places::holds(it.1, at)))
    };
    let own = &trace.threads[waiting.thread.0 as usize].events;
    own.iter().filter(blocks).any(inside)
}

/// Whether the first statement only waits, and nothing happens between it and the second.
fn only_waits(case: &HangCase<'_>, file: FileId, pair: &Pair<'_>, gate: EventRef, release: EventRef) -> bool {
    let events = &case.trace.threads[gate.thread.0 as usize].events;
    let inside =
        |event: &Event, span: Span| chain(&event.site).any(|it| it.0 == file && places::holds(span, it.1));
    let mut meanwhile = events
        .iter()
        .take(release.index as usize)
        .skip(gate.index as usize);
    let own = events.iter().take(release.index as usize);
    let own = own.filter(|it| inside(it, pair.first.span));
    let waits = |it: &Event| match &it.action {
        Action::Call(call) => {
            call.work.is_none()
                && !matches!(call.blocks, Block::None | Block::Device)
                && changes_nothing(case, file, pair.first.span, it)
        }
        _ => false,
    };
    own.into_iter().all(waits)
        && meanwhile.all(|it| inside(it, pair.first.span) || inside(it, pair.second.span))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
