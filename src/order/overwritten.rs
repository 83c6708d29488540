//! Events that are recorded again in another stream before anything waits for the first record: what waits then waits for the last
//! stream only.

use std::collections::BTreeMap;

use super::{EventRef, event_refs};
use crate::trace::{Action, Block, EventId, StreamId, StreamKind, Trace, WorkKind};

/// A record that nothing can wait for any more.
#[derive(Clone, Copy, Debug)]
pub struct Overwritten {
    /// The record that is lost.
    pub lost: EventRef,
    /// The one that takes its place.
    pub record: EventRef,
    /// The wait that is left with the last one, of a stream or of the host.
    pub wait: EventRef,
    /// The stream whose work is not waited for.
    pub stream: StreamId,
}

/// Such records of a path: one call makes them in the passes of a loop, each in another stream.
pub fn overwritten(trace: &Trace) -> Vec<Overwritten> {
    let mut last: BTreeMap<EventId, (EventRef, StreamId)> = BTreeMap::new();
    let mut lost: BTreeMap<EventId, (EventRef, EventRef, StreamId)> = BTreeMap::new();
    let mut found = Vec::new();
    for at in event_refs(trace) {
        let Action::Call(call) = &at.of(trace).action else {
            continue;
        };
        let work = call.work.as_ref().map(|it| (it.kind, it.stream));
        let (event, stream) = match (work, call.waits_for()) {
            (Some((WorkKind::Record(event), stream)), _) => {
                if let Some((earlier, other)) = last.insert(event, (at, stream))
                    && are_two(trace, (earlier, other), (at, stream))
                {
                    lost.entry(event).or_insert((earlier, at, other));
                }
                continue;
            }
            (Some((WorkKind::WaitEvent(event), stream)), _) => (event, Some(stream)),
            (_, Block::Event(event)) => (event, None),
            (_, blocks) => {
                let own = call.work.as_ref().map(|it| it.stream);
                let is_over = |it: StreamId| match blocks {
                    Block::Stream(stream) | Block::StreamAnswered(stream) => it == stream,
                    Block::OwnWork | Block::PerhapsOwnWork => Some(it) == own,
                    Block::Device => true,
                    _ => false,
                };
                last.retain(|_, it| !is_over(it.1));
                lost.retain(|_, it| !is_over(it.2));
                continue;
            }
        };
        last.remove(&event);
        if let Some((lost, record, other)) = lost.remove(&event)
            && stream != Some(other)
            && record.thread == at.thread
        {
            found.push(Overwritten {
                lost,
                record,
                wait: at,
                stream: other,
            });
        }
    }
    found
}

/// Whether one call makes both records, in two passes of a loop and in two streams: those that the path made, or parts of a
/// list or table.
fn are_two(
    trace: &Trace,
    (earlier, one): (EventRef, StreamId),
    (later, other): (EventRef, StreamId),
) -> bool {
    let of = |id: StreamId| &trace.streams[id.0 as usize];
    let is_made = |id: StreamId| of(id).created && of(id).kind != StreamKind::Unknown;
    let is_part = |id: StreamId| !of(id).name.contains('(') && of(id).name.contains(['.', '>', '[']);
    // The first element of a table stands where that does: it takes one that does not to tell.
    let are_elements = || of(one).name == of(other).name && (of(one).element || of(other).element);
    one != other
        && earlier.thread == later.thread
        && earlier.site(trace) == later.site(trace)
        && (is_made(one) && is_made(other) || is_part(one) && is_part(other) || are_elements())
}
