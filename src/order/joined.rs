//! Work in a stream that branches off inside a region and is joined behind its end.

use std::collections::BTreeSet;

use super::{EventRef, finished};
use crate::trace::notes::Region;
use crate::trace::{Action, Block, EventId, StreamId, Trace, WorkKind};

/// Whether the stream of some work waits, itself or by way of others, for something that is recorded inside the region in the
/// stream of the second event: it is a part of what is timed.
pub fn branches_off(trace: &Trace, region: &Region, work: EventRef) -> bool {
    let timed = finished::stream_at(trace, region.thread, region.stop.position);
    let (Some(timed), Some(enqueued)) = (timed, work.work(trace)) else {
        return false;
    };
    let mut branched = Followers::of(timed);
    for index in region.start.position..work.index {
        let thread = region.thread;
        branched.pass(trace, EventRef { thread, index });
    }
    branched.streams.contains(&enqueued.stream)
}

/// The wait by which the stream of the second event comes to wait for some work of a region only when that event is recorded: the
/// stream of the work waits, itself or by way of others, for something that is recorded in the other one inside the region, so
/// that it is a part of what is timed. Else the wait of the host for what comes of the kernels of that work, and for nothing else.
pub fn late_join(trace: &Trace, region: &Region, work: EventRef) -> Option<EventRef> {
    if !branches_off(trace, region, work) {
        return None;
    }
    let timed = finished::stream_at(trace, region.thread, region.stop.position)?;
    let enqueued = work.work(trace)?;
    let at = |index| EventRef {
        thread: region.thread,
        index,
    };
    let stop = region.stop.position;
    let end = trace.threads[region.thread.0 as usize].events.len() as u32;
    let mut followers = Followers::of(enqueued.stream);
    let is_kernel = matches!(enqueued.kind, WorkKind::Kernel | WorkKind::Graph);
    let mut by_host = None;
    for event in (work.index + 1..end).map(at) {
        followers.pass(trace, event);
        if event.index < stop {
            continue;
        }
        if followers.streams.contains(&timed) {
            return Some(event);
        }
        if is_kernel && by_host.is_none() && followers.let_host_wait(trace, event) {
            by_host = Some(event);
        }
    }
    by_host
}

/// Streams that have come to wait for a place in one of them, and events recorded there behind that.
struct Followers {
    streams: BTreeSet<StreamId>,
    events: BTreeSet<EventId>,
}

impl Followers {
    fn of(stream: StreamId) -> Self {
        Followers {
            streams: BTreeSet::from([stream]),
            events: BTreeSet::new(),
        }
    }

    fn pass(&mut self, trace: &Trace, event: EventRef) {
        let Some(work) = event.work(trace) else { return };
        match work.kind {
            WorkKind::Record(event) if self.streams.contains(&work.stream) => {
                self.events.insert(event);
            }
            WorkKind::Record(event) => {
                self.events.remove(&event);
            }
            WorkKind::WaitEvent(event) if self.events.contains(&event) => {
                self.streams.insert(work.stream);
            }
            _ => {}
        }
    }

    /// Whether the host waits for one of these streams or events, and for nothing else.
    fn let_host_wait(&self, trace: &Trace, wait: EventRef) -> bool {
        let Action::Call(call) = &wait.of(trace).action else {
            return false;
        };
        match call.waits_for() {
            Block::Stream(stream) => self.streams.contains(&stream),
            Block::Event(event) => self.events.contains(&event),
            _ => false,
        }
    }
}
