//! What a program does for the order of two operations that is not enough: it says more than that nothing orders them.

use super::{EventRef, event_refs};
use crate::trace::{Action, Block, EventId, StreamId, Trace, Work, WorkKind};

/// An event that orders the two not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The event.
    pub event: EventId,
    /// Where it is recorded.
    pub record: EventRef,
    /// Where the later operation's stream, or the host before it, waits for it, if that is done.
    pub wait: Option<EventRef>,
    /// It is recorded in the stream of the earlier operation, ahead of that.
    pub early: bool,
}

/// The last event that the later of two operations waits for, or else the first one recorded behind the earlier. Both are known
/// not to be in order; without `earlier`, that is work of a caller.
pub fn attempt(trace: &Trace, earlier: Option<EventRef>, later: EventRef) -> Option<Attempt> {
    let source = earlier.and_then(|it| Some(it.work(trace)?.stream));
    let waits = later.work(trace).map(|it| it.stream);
    let is_behind = |it: &EventRef| earlier.is_none_or(|from| from.thread != it.thread || from < *it);
    let before = event_refs(trace).filter(|it| it.thread == later.thread && *it < later);
    let awaited: Vec<(EventRef, EventId)> = before
        .filter_map(|it| Some((it, awaited(trace, it, waits)?)))
        .collect();
    let by_wait = awaited.iter().rev().find_map(|(wait, event)| {
        let record = record_before(trace, *event, *wait)?;
        let stream = record.work(trace)?.stream;
        let early =
            source == Some(stream) && earlier.is_some_and(|it| it.thread == record.thread && record < it);
        let elsewhere = source != Some(stream) && is_behind(wait) && is_behind(&record);
        (early || elsewhere).then_some(Attempt {
            event: *event,
            record,
            wait: Some(*wait),
            early,
        })
    });
    by_wait.or_else(|| unheeded(trace, earlier?, source?, later))
}

/// The event that another stream waits for, where it is recorded in the stream of an operation, ahead of that.
pub fn outrun(trace: &Trace, work: EventRef) -> Option<Attempt> {
    let stream = work.work(trace)?.stream;
    let ahead = event_refs(trace).filter(|it| it.thread == work.thread && *it < work);
    let ahead: Vec<EventRef> = ahead.collect();
    ahead.iter().rev().find_map(|record| {
        let (event, _) = record.recorded(trace).filter(|it| it.1 == stream)?;
        let heeds = |it: &EventRef| {
            let is_behind = it.thread != record.thread || it > record;
            let waits = |it: &Work| it.stream != stream && it.kind == WorkKind::WaitEvent(event);
            is_behind && it.work(trace).is_some_and(waits)
        };
        let wait = event_refs(trace).find(heeds)?;
        Some(Attempt {
            event,
            record: *record,
            wait: Some(wait),
            early: true,
        })
    })
}

/// What is recorded behind the earlier operation, in its stream.
fn unheeded(trace: &Trace, earlier: EventRef, source: StreamId, later: EventRef) -> Option<Attempt> {
    let in_time = |it: &EventRef| {
        it.thread == earlier.thread && *it > earlier && (it.thread != later.thread || *it < later)
    };
    event_refs(trace).filter(in_time).find_map(|record| {
        let (event, _) = record.recorded(trace).filter(|it| it.1 == source)?;
        Some(Attempt {
            event,
            record,
            wait: None,
            early: false,
        })
    })
}

/// The event that an operation makes a stream wait for, or the host.
fn awaited(trace: &Trace, at: EventRef, waits: Option<StreamId>) -> Option<EventId> {
    let Action::Call(call) = &at.of(trace).action else {
        return None;
    };
    let of_stream = call.work.as_ref().filter(|it| waits == Some(it.stream));
    match (call.blocks, of_stream.map(|it| it.kind)) {
        (Block::Event(event), _) | (_, Some(WorkKind::WaitEvent(event))) => Some(event),
        _ => None,
    }
}

/// The record that a wait finds: the last one before it in its thread, or one in another.
fn record_before(trace: &Trace, event: EventId, wait: EventRef) -> Option<EventRef> {
    let records = |it: &EventRef| it.recorded(trace).is_some_and(|it| it.0 == event);
    let all: Vec<EventRef> = event_refs(trace).filter(records).collect();
    let own = all
        .iter()
        .rev()
        .find(|it| it.thread == wait.thread && **it < wait);
    own.or_else(|| all.iter().find(|it| it.thread != wait.thread))
        .copied()
}
