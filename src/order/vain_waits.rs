//! Waits of the host that a function ends with, and that cover nothing of what it enqueued.

use super::own_waits::{is_seen_by_others, is_work};
use super::{EventRef, event_refs};
use crate::trace::{Block, LEGACY, StreamId, ThreadId, Trace, Work, WorkKind};

/// A wait for a stream in which the function has put nothing, while its work in another one goes on.
#[derive(Clone, Copy, Debug)]
pub struct VainWait {
    /// The wait.
    pub wait: EventRef,
    /// The stream it is for.
    pub waited: StreamId,
    /// The last work of the function.
    pub work: EventRef,
    /// Where that is.
    pub used: StreamId,
}

/// The wait a path ends with, where it is such a one.
///
/// Somebody else may have work in the stream; but then this would be the place where it is read or used, and nothing more happens.
pub fn vain_wait(trace: &Trace) -> Option<VainWait> {
    if trace.stopped || trace.threads.len() > 1 || !trace.notes.lost.is_empty() {
        return None;
    }
    let begins = trace.notes.promise.begin;
    let own = |it: &EventRef| it.thread == ThreadId(0) && it.index >= begins;
    let waits = event_refs(trace).filter(own).filter_map(|at| {
        let block = at.call(trace)?.waits_for();
        (block != Block::None).then_some((at, block))
    });
    let [(wait, Block::Stream(waited))] = waits.collect::<Vec<_>>()[..] else {
        return None;
    };
    let all: Vec<(EventRef, &Work)> = event_refs(trace)
        .filter_map(|at| Some((at, at.work(trace)?)))
        .collect();
    let (work, used) = all
        .iter()
        .rev()
        .find(|it| is_work(it.1))
        .map(|it| (it.0, it.1.stream))?;
    let alone = all.iter().all(|it| it.1.stream == used && !is_mark(it.1));
    let are_two = used != waited && is_made_here(trace, used) && !is_made_here(trace, waited);
    (alone && are_two && own(&work) && work < wait && !is_seen_by_others(trace, work, used)).then_some(
        VainWait {
            wait,
            waited,
            work,
            used,
        },
    )
}

/// Others may wait by it.
fn is_mark(work: &Work) -> bool {
    matches!(work.kind, WorkKind::Record(_) | WorkKind::WaitEvent(_))
}

fn is_made_here(trace: &Trace, stream: StreamId) -> bool {
    let it = &trace.streams[stream.0 as usize];
    stream != LEGACY && it.created && it.handed_in.is_none()
}
