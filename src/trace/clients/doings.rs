//! What a call does that a client makes, by its events.

use std::collections::BTreeSet;

use crate::api::Operation;
use crate::trace::{Action, Block, Call, Event, Mode, StreamId, Work, WorkKind};

/// Whether the host waits for the device, and nothing else is done.
pub(super) fn only_waits(events: &[Event]) -> bool {
    let waits = |it: &Event| match &it.action {
        Action::Call(call) => call.work.is_none() && call.blocks != Block::None,
        Action::Lock(_) | Action::Unlock(_) => true,
        _ => false,
    };
    let blocks = |it: &Event| matches!(&it.action, Action::Call(call) if call.blocks != Block::None);
    let frees = |it: &Event| matches!(&it.action, Action::Call(call) if call.api.is_some_and(|it| it.operation == Operation::Free));
    events.iter().all(waits) && events.iter().any(blocks) && !events.iter().any(frees)
}

/// Whether the device, or a time, is only asked for, or what stands in memory of the host.
pub(super) fn only_asks(events: &[Event]) -> bool {
    let asks = |it: &Call| it.work.is_none() && it.blocks == Block::None;
    let reads = |it: &Event| matches!(&it.action, Action::Touch(access) if access.mode == Mode::Read);
    match calls(events).next() {
        Some(_) => calls(events).all(asks),
        None => !events.is_empty() && events.iter().all(reads),
    }
}

pub(super) fn calls(events: &[Event]) -> impl Iterator<Item = &Call> {
    events.iter().filter_map(|it| match &it.action {
        Action::Call(call) => Some(&**call),
        _ => None,
    })
}

/// Whether work is enqueued.
pub(super) fn works(events: &[Event]) -> bool {
    calls(events).any(|it| it.work.as_ref().is_some_and(|it| !it.kind.is_marker()))
}

/// Whether work is enqueued that the host does not wait for.
pub(super) fn leaves_work(events: &[Event]) -> bool {
    let waits = |it: &Event| matches!(&it.action, Action::Call(call) if call.blocks != Block::None);
    let last = events.iter().rposition(waits).map_or(0, |it| it + 1);
    works(&events[last..])
}

/// Whether an event is recorded in one of these streams that nothing here waits for.
pub(super) fn leaves_event(events: &[Event], streams: &BTreeSet<StreamId>) -> bool {
    let work = || calls(events).filter_map(|it| it.work.as_ref());
    let waited = |event| work().any(|it| matches!(it.kind, WorkKind::WaitEvent(it) if it == event));
    work().any(
        |it| matches!(it.kind, WorkKind::Record(event) if streams.contains(&it.stream) && !waited(event)),
    )
}

/// Whether the host waits for all work that is enqueued.
pub(super) fn waits_last(events: &[Event]) -> bool {
    let blocks = calls(events).any(|it| it.blocks != Block::None);
    blocks && works(events) && !leaves_work(events)
}

/// Whether something is given back, and no work is done.
pub(super) fn gives_back(events: &[Event]) -> bool {
    let is_work = |it: &Call| {
        let frees = it.api.is_some_and(|it| it.operation == Operation::FreeAsync);
        !frees && it.work.as_ref().is_some_and(|it| !it.kind.is_marker())
    };
    !calls(events).any(is_work) && ends(events)
}

fn ends(events: &[Event]) -> bool {
    let ends = [
        Operation::Free,
        Operation::FreeHost,
        Operation::UnregisterHost,
        Operation::StreamDestroy,
        Operation::EventDestroy,
    ];
    calls(events).any(|it| it.api.is_some_and(|it| ends.contains(&it.operation)))
}

/// Whether a call makes something that lasts: a stream, an event, memory.
pub(super) fn makes(event: &Event) -> bool {
    matches!(&event.action, Action::Call(call) if is_making(call))
}

fn is_making(call: &Call) -> bool {
    let makers = [
        Operation::Allocate,
        Operation::AllocateAsync,
        Operation::AllocateHost,
        Operation::AllocateManaged,
        Operation::RegisterHost,
        Operation::StreamCreate,
        Operation::EventCreate,
        Operation::LibraryHandleCreate,
        Operation::PoolCreate,
    ];
    call.api.is_some_and(|it| makers.contains(&it.operation))
}

/// Whether things are made that last, and nothing is given back or worked on but to fill them.
pub(in crate::trace) fn only_makes(events: &[Event]) -> bool {
    let fills = |it: &Work| it.kind.is_marker() || matches!(it.kind, WorkKind::Copy | WorkKind::Memset);
    let is_part = |it: &Call| is_making(it) || it.work.as_ref().is_none_or(fills);
    let is_freed = |it: &Call| it.api.is_some_and(|it| it.operation == Operation::FreeAsync);
    let fills_only = calls(events).all(|it| is_part(it) && !is_freed(it));
    calls(events).any(is_making) && !ends(events) && fills_only
}

/// Whether a stream or an event is made.
pub(super) fn makes_handles(events: &[Event]) -> bool {
    let is_handle = |it: &Call| {
        it.api
            .is_some_and(|it| matches!(it.operation, Operation::StreamCreate | Operation::EventCreate))
    };
    calls(events).any(is_handle)
}
