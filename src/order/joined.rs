//! Work in a stream that branches off inside a region and is joined behind its end.

use super::{EventRef, finished};
use crate::trace::notes::Region;
use crate::trace::{Action, Block, StreamId, Trace, WorkKind};

/// The wait by which the stream of the second event comes to wait for some work of a region only when that event is recorded: the
/// stream of the work waits for something that is recorded in the other one inside the region, so that it is a part of what is timed.
/// Else the wait of the host for what the kernels of that work leave, and for nothing else.
pub fn late_join(trace: &Trace, region: &Region, work: EventRef) -> Option<EventRef> {
    let timed = finished::stream_at(trace, region.thread, region.stop.position)?;
    let used = work.work(trace)?.stream;
    let at = |index| EventRef {
        thread: region.thread,
        index,
    };
    // A wait of one stream for what is recorded in another one at or behind a place.
    let is_wait = |wait: EventRef, (waits, records, from)| {
        let enqueued = wait.work(trace).filter(|it| it.stream == waits)?;
        let WorkKind::WaitEvent(event) = enqueued.kind else {
            return None;
        };
        let mut before = (0..wait.index)
            .rev()
            .map(at)
            .filter_map(|it| Some((it, it.recorded(trace)?)));
        let (record, (_, stream)) = before.find(|(_, it)| it.0 == event)?;
        (stream == records && from <= record.index).then_some(wait)
    };
    let (start, stop) = (region.start.position, region.stop.position);
    let mut inside = (start..work.index).map(at);
    inside.find_map(|it| is_wait(it, (used, timed, start)))?;
    let end = trace.threads[region.thread.0 as usize].events.len() as u32;
    let mut behind = (stop..end).map(at);
    let joins = behind.find_map(|it| is_wait(it, (timed, used, work.index)));
    let is_kernel = || {
        work.work(trace)
            .is_some_and(|it| matches!(it.kind, WorkKind::Kernel | WorkKind::Graph))
    };
    joins.or_else(|| {
        let mut behind = (stop..end).map(at).filter(|_| is_kernel());
        behind.find(|it| host_waits_for(trace, *it, used, work))
    })
}

/// Whether the host waits for a stream and nothing else, behind some work in it.
fn host_waits_for(trace: &Trace, wait: EventRef, stream: StreamId, work: EventRef) -> bool {
    let Action::Call(call) = &wait.of(trace).action else {
        return false;
    };
    match call.waits_for() {
        Block::Stream(it) => it == stream,
        Block::Event(event) => {
            let between = (work.index..wait.index).rev();
            let mut records = between.filter_map(|index| {
                EventRef { index, ..wait }
                    .recorded(trace)
                    .filter(|it| it.0 == event)
            });
            records.next().is_some_and(|it| it.1 == stream)
        }
        _ => false,
    }
}
