//! Host reads in front of the wait that is meant for them: what a copy brings may stand in pageable memory, and then the
//! copy itself has waited; whoever waits for its stream behind the reads, with nothing enqueued in between, does not think so.

use super::EventRef;
use super::happens::{Happens, Moment};
use super::races::{Doubt, Hazard, Race, may_be_waited_for};
use crate::trace::{Access, Action, Block, Event, Mode, StreamId, ThreadId, Trace, WorkKind};

/// Copies whose last wait stands behind a read of what they bring.
pub(super) fn reads(trace: &Trace, order: &Happens<'_>) -> Vec<Race> {
    let mut found = Vec::new();
    for (thread, events) in trace.threads.iter().enumerate() {
        let thread = ThreadId(thread as u32);
        let events = &events.events;
        for (index, event) in events.iter().enumerate() {
            let Some((stream, written)) = brought(event) else {
                continue;
            };
            let behind = &events[index + 1..];
            let Some(wait) = behind
                .iter()
                .position(ends_search)
                .filter(|it| waits_for(&behind[*it], stream))
            else {
                continue;
            };
            let at = |offset: usize| EventRef {
                thread,
                index: (index + 1 + offset) as u32,
            };
            let copy = EventRef {
                thread,
                index: index as u32,
            };
            let is_read = |(offset, it): (usize, &'_ Event)| match &it.action {
                Action::Touch(access)
                    if access.mode == Mode::Read && access.sure && written.conflicts(access) =>
                {
                    Some((offset, (**access).clone()))
                }
                _ => None,
            };
            let Some((read, access)) = behind[..wait].iter().enumerate().find_map(is_read) else {
                continue;
            };
            let of = (Some(stream), Some(written.location.base));
            if order.ordered(Moment::Device(copy), Moment::Host(at(read)))
                || may_be_waited_for(trace, copy, at(read), of)
            {
                continue;
            }
            found.push(Race {
                hazard: Hazard::HostRead,
                earlier: copy,
                earlier_access: written.clone(),
                later: at(read),
                later_access: access,
                through: None,
                doubt: Some(Doubt::Pageable(at(wait))),
            });
        }
    }
    found
}

/// Where a copy writes that does not wait itself, and nobody knows what kind of memory that is.
fn brought(event: &Event) -> Option<(StreamId, &Access)> {
    let Action::Call(call) = &event.action else {
        return None;
    };
    let work = call.work.as_ref().filter(|_| call.blocks == Block::None)?;
    let written = work.accesses.iter().find(|it| it.mode == Mode::Write)?;
    (work.kind == WorkKind::Copy && !written.sure && !written.declared).then_some((work.stream, written))
}

/// A wait, and what is enqueued: a wait behind that is for that.
fn ends_search(event: &Event) -> bool {
    match &event.action {
        Action::Call(call) => {
            let enqueues = call
                .work
                .as_ref()
                .is_some_and(|it| !matches!(it.kind, WorkKind::Record(_)));
            enqueues || call.waits_for() != Block::None
        }
        Action::Touch(_) | Action::Store(_) => false,
        _ => true,
    }
}

fn waits_for(event: &Event, stream: StreamId) -> bool {
    match &event.action {
        Action::Call(call) => call.work.is_none() && call.waits_for() == Block::Stream(stream),
        _ => false,
    }
}
