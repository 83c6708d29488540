//! Streams nobody saw being made that are two all the same: the program lets one of them wait for the other.
//!
//! No other stream may be one of the two under another name: what it records or waits for would order them unseen.

use std::collections::{BTreeMap, BTreeSet};

use super::{EventRef, event_refs};
use crate::trace::{Action, Block, EventId, LEGACY, StreamId, StreamKind, Trace, WorkKind};

/// Streams that are told apart by waits.
#[derive(Debug, Default)]
pub(super) struct Apart {
    /// Two streams of which the second one waits for the first.
    sent: BTreeSet<(StreamId, StreamId)>,
}

impl Apart {
    /// Those of a trace.
    pub(super) fn of(trace: &Trace) -> Apart {
        let unknown = |it: StreamId| {
            let own = trace
                .streams
                .get(it.0 as usize)
                .is_some_and(|it| it.own.is_some());
            own || kind(trace, it) == StreamKind::Unknown
        };
        if !(0..trace.streams.len()).any(|it| unknown(StreamId(it as u32))) {
            return Apart::default();
        }
        let mut sent: BTreeSet<(StreamId, StreamId)> = BTreeSet::new();
        let mut last: BTreeMap<EventId, (EventRef, StreamId)> = BTreeMap::new();
        // Streams with a name of their own that order something, and those that wait for what was recorded out of sight.
        let (mut ordering, mut blind) = (BTreeSet::new(), BTreeSet::new());
        for at in event_refs(trace) {
            let Action::Call(call) = &at.of(trace).action else {
                continue;
            };
            if let Block::Stream(it) | Block::StreamAnswered(it) = call.blocks {
                ordering.insert(it);
            }
            let Some(work) = &call.work else { continue };
            match work.kind {
                WorkKind::Record(event) => {
                    ordering.insert(work.stream);
                    last.insert(event, (at, work.stream));
                }
                WorkKind::WaitEvent(event) => {
                    ordering.insert(work.stream);
                    match last.get(&event) {
                        Some((record, stream)) if record.thread == at.thread => {
                            sent.insert((*stream, work.stream));
                        }
                        None if trace.events.contains_key(&event) => {}
                        _ => {
                            blind.insert(work.stream);
                        }
                    }
                }
                _ => {}
            }
        }
        ordering.retain(|it| unknown(*it));
        let linked =
            |one: StreamId, other: StreamId| sent.contains(&(one, other)) || sent.contains(&(other, one));
        let siblings = |first: StreamId, one: StreamId, other: StreamId| {
            sent.contains(&(first, one)) && sent.contains(&(first, other))
        };
        let is_third = |it: StreamId, one: StreamId, other: StreamId| {
            it == one
                || it == other
                || linked(it, one) && linked(it, other)
                || siblings(one, it, other)
                || siblings(other, it, one)
        };
        let mut told = sent.clone();
        told.retain(|(one, other)| {
            let meant = one != other
                && (unknown(*one) || unknown(*other))
                && [*one, *other]
                    .iter()
                    .all(|it| is_made(trace, *it) && !blind.contains(it));
            meant && ordering.iter().all(|it| is_third(*it, *one, *other))
        });
        Apart { sent: told }
    }

    /// Whether one stream waits for another one, and they are two.
    pub(super) fn waits_for(&self, later: StreamId, earlier: StreamId) -> bool {
        self.sent.contains(&(earlier, later))
    }

    /// Whether two streams are two.
    pub(super) fn holds(&self, one: StreamId, other: StreamId) -> bool {
        self.sent.contains(&(one, other)) || self.sent.contains(&(other, one))
    }
}

fn kind(trace: &Trace, stream: StreamId) -> StreamKind {
    let stream = trace.streams.get(stream.0 as usize);
    stream.map_or(StreamKind::Unknown, |it| it.kind)
}

/// A stream somebody made, rather than one of the default streams.
fn is_made(trace: &Trace, stream: StreamId) -> bool {
    stream != LEGACY && kind(trace, stream) != StreamKind::PerThread
}
