//! Events around calls that nobody sees, which are handed a stream to work in, and not that of the events.

use super::{Problem, calls, is_kernel_work};
use crate::order::finished;
use crate::rules::PathCase;
use crate::trace::notes::{ClockKind, Opaque, Region};
use crate::trace::{Block, StreamId, Trace, WorkKind};

/// Nothing but such calls is timed, and the second event does not come behind what they enqueue.
pub(super) fn handed(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    if region.clock != ClockKind::Events || calls(trace, region).any(|(_, it)| is_kernel_work(it)) {
        return None;
    }
    let recorded = finished::stream_at(trace, region.thread, region.stop.position)?;
    let between = region.start.position + 1..=region.stop.position;
    let unseen = trace.notes.opaque.iter().enumerate().filter(|(_, it)| {
        let inside = it.thread == region.thread && between.contains(&it.position);
        inside && !it.never_waits
    });
    let unseen: Vec<(usize, &Opaque)> = unseen.collect();
    let (call, first) = *unseen.first()?;
    let used = *first.streams.first()?;
    let astray = |(_, it): &(usize, &Opaque)| {
        let mut streams = it.streams.iter();
        !it.streams.is_empty() && streams.all(|it| finished::are_apart(trace, *it, recorded))
    };
    let told = unseen.iter().all(astray) && !may_join(trace, region, first.position, recorded);
    told.then_some(Problem::Handed { call, recorded, used })
}

/// Whether anything between a call and the end of a region may wait for what the call enqueues.
fn may_join(trace: &Trace, region: &Region, call: u32, recorded: StreamId) -> bool {
    calls(trace, region).any(|(event, it)| {
        let joins = it
            .work
            .as_ref()
            .is_some_and(|it| it.stream == recorded && matches!(it.kind, WorkKind::WaitEvent(_)));
        event.index >= call && (joins || it.blocks != Block::None)
    })
}
