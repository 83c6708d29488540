//! Host threads that run at once: nothing says which of two events comes first.

use super::EventRef;
use super::happens::{Happens, Moment};
use crate::trace::{Action, Block, Event, EventId, Location, ThreadId, Trace, WorkKind};

/// Whether the work of two calls is enqueued by threads that do not wait for each other, one beside the other.
pub(super) fn at_once(trace: &Trace, order: &Happens<'_>, one: EventRef, other: EventRef) -> bool {
    one.thread != other.thread
        && !order.issued_before(one, other)
        && !order.issued_before(other, one)
        && [one, other].iter().all(|it| is_free(trace, *it))
        && !take_turns(trace, order, one, other)
}

/// Nothing on the way to an event could have waited for another thread, and its own thread is seen to end.
fn is_free(trace: &Trace, event: EventRef) -> bool {
    let mut at = event;
    // As deep as threads start threads, and no circle.
    for _ in 0..trace.threads.len() {
        if waits_for_others(trace, at) {
            return false;
        }
        if at.thread == ThreadId(0) {
            return true;
        }
        match spawn_of(trace, at.thread).filter(|_| is_joined(trace, at.thread)) {
            Some(spawn) => at = spawn,
            None => return false,
        }
    }
    false
}

fn waits_for_others(trace: &Trace, before: EventRef) -> bool {
    let events = &trace.threads[before.thread.0 as usize].events;
    let foreign = |event: EventId| {
        let others = trace.threads.iter().enumerate();
        others
            .filter(|(thread, _)| *thread != before.thread.0 as usize)
            .flat_map(|(_, it)| &it.events)
            .any(|it| records(&it.action) == Some(event))
    };
    // Where it is known what ended every wait for another thread, what comes behind them is as it may be.
    let until = &events[..events.len().min(before.index as usize)];
    let is_wait = |it: &&Event| matches!(it.action, Action::HostWait { .. });
    let is_understood = |it: &Event| match &it.action {
        Action::HostWait { ended_by, .. } => !ended_by.is_empty(),
        _ => true,
    };
    let understood = until.iter().any(|it| is_wait(&it)) && until.iter().filter(is_wait).all(is_understood);
    let waits = until.iter().any(|it| match &it.action {
        Action::HostWait { .. } => !understood,
        Action::Call(_) if understood => false,
        Action::Call(call) => match (&call.blocks, call.work.as_ref().map(|it| it.kind)) {
            (Block::Event(event) | Block::EventAnswered(event), _) => foreign(*event),
            (_, Some(WorkKind::WaitEvent(event))) => foreign(event),
            _ => false,
        },
        _ => false,
    });
    let unknown = trace.notes.opaque.iter().any(|it| {
        it.thread == before.thread
            && it.position <= before.index
            && (it.hands_out || it.may_wait_for(None, None))
    });
    waits || unknown
}

fn records(action: &Action) -> Option<EventId> {
    match action {
        Action::Call(call) => match call.work.as_ref()?.kind {
            WorkKind::Record(event) => Some(event),
            _ => None,
        },
        _ => None,
    }
}

fn spawn_of(trace: &Trace, thread: ThreadId) -> Option<EventRef> {
    find(
        trace,
        |action| matches!(action, Action::Spawn(it) if *it == thread),
    )
}

fn is_joined(trace: &Trace, thread: ThreadId) -> bool {
    find(
        trace,
        |action| matches!(action, Action::Join(it) if *it == thread),
    )
    .is_some()
}

fn find(trace: &Trace, wanted: impl Fn(&Action) -> bool) -> Option<EventRef> {
    trace.threads.iter().enumerate().find_map(|(thread, it)| {
        let index = it.events.iter().position(|event| wanted(&event.action))?;
        Some(EventRef {
            thread: ThreadId(thread as u32),
            index: index as u32,
        })
    })
}

/// Both enqueue while they hold a lock, and what they enqueue has ended when they give it back. Of two locks that have
/// nothing to do with each other nobody can be sure that they are two.
fn take_turns(trace: &Trace, order: &Happens<'_>, one: EventRef, other: EventRef) -> bool {
    let (mine, theirs) = (held(trace, one), held(trace, other));
    if mine.is_empty() || theirs.is_empty() {
        return false;
    }
    let Some(lock) = mine.iter().find(|it| theirs.contains(it)) else {
        return true;
    };
    [one, other]
        .iter()
        .all(|event| match given_back(trace, *event, lock) {
            Some(end) => order.ordered(Moment::Device(*event), Moment::Host(end)),
            None => true,
        })
}

/// Locks a thread holds at an event.
fn held(trace: &Trace, at: EventRef) -> Vec<Location> {
    let mut held = Vec::new();
    for event in trace.threads[at.thread.0 as usize]
        .events
        .iter()
        .take(at.index as usize)
    {
        match &event.action {
            Action::Lock(lock) => held.push(lock.clone()),
            Action::Unlock(lock) => {
                if let Some(index) = held.iter().rposition(|it| it == lock) {
                    held.remove(index);
                }
            }
            _ => {}
        }
    }
    held
}

fn given_back(trace: &Trace, from: EventRef, lock: &Location) -> Option<EventRef> {
    let events = &trace.threads[from.thread.0 as usize].events;
    let index = (from.index as usize..events.len())
        .find(|index| matches!(&events[*index].action, Action::Unlock(it) if it == lock))?;
    Some(EventRef {
        index: index as u32,
        ..from
    })
}
