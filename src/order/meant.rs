//! What a path shows of the order two unordered operations were meant to have.

use super::{EventRef, Race};
use crate::trace::{Action, Event, EventId, StreamId, Trace, WorkKind};

/// Whether the first of two operations waits for an event that is recorded only behind the second: it was to come later.
pub fn is_turned_round(trace: &Trace, race: &Race) -> bool {
    if race.earlier.thread != race.later.thread {
        return false;
    }
    let events = &trace.threads[race.earlier.thread.0 as usize].events;
    let (first, second) = (race.earlier.index as usize, race.later.index as usize);
    let (Some((waiter, _)), Some((writer, _))) = (work_of(&events[first]), work_of(&events[second])) else {
        return false;
    };
    let records =
        |event: &Event, wanted: EventId| work_of(event).is_some_and(|it| it.1 == WorkKind::Record(wanted));
    events[..first].iter().enumerate().any(|(at, event)| {
        let Some((stream, WorkKind::WaitEvent(awaited))) = work_of(event) else {
            return false;
        };
        let behind =
            |event: &Event| records(event, awaited) && work_of(event).is_some_and(|it| it.0 == writer);
        stream == waiter
            && !events[..at].iter().any(|it| records(it, awaited))
            && events[second..].iter().any(behind)
    })
}

/// The stream of work that an event enqueues, and its kind.
fn work_of(event: &Event) -> Option<(StreamId, WorkKind)> {
    match &event.action {
        Action::Call(call) => call.work.as_ref().map(|it| (it.stream, it.kind)),
        _ => None,
    }
}

/// Whether work stands behind a wait for a word in its stream.
pub fn is_held_back(trace: &Trace, work: EventRef) -> bool {
    let stream = work_of(work.of(trace)).map(|it| it.0);
    let events = &trace.threads[work.thread.0 as usize].events[..work.index as usize];
    let held =
        |event: &Event| work_of(event).is_some_and(|it| Some(it.0) == stream && it.1 == WorkKind::WaitValue);
    events.iter().any(held)
}
