//! A host that waits behind the first event before anything timed is enqueued: how long it is away is measured too.

use super::{PathCase, Problem, call, is_kernel_work, warmth};
use crate::order::EventRef;
use crate::order::finished;
use crate::trace::notes::{ClockKind, Region};
use crate::trace::{Action, Block};

/// A wait of the host for the stream that is timed, with nothing enqueued between the first record and it, and work behind it.
pub(super) fn gap(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    if region.clock != ClockKind::Events {
        return None;
    }
    let at = |index: u32| EventRef {
        thread: region.thread,
        index,
    };
    let stream = finished::stream_at(trace, region.thread, region.start.position)?;
    if finished::stream_at(trace, region.thread, region.stop.position) != Some(stream) {
        return None;
    }
    let inside = region.start.position + 1..region.stop.position;
    let wait = inside.clone().map(at).find(|event| match call(trace, *event) {
        Some(call) => call.work.is_some() || call.waits_for() != Block::None,
        None => !matches!(event.of(trace).action, Action::Touch(_)),
    })?;
    let waits = call(trace, wait).is_some_and(|it| {
        let for_stream = matches!(it.waits_for(), Block::Device) || it.waits_for() == Block::Stream(stream);
        for_stream && it.work.is_none() && it.api.is_some()
    });
    // What nobody sees may enqueue something before the wait, and be what is timed behind it.
    let unseen = |from: u32, to: u32| {
        trace.notes.opaque.iter().any(|it| {
            let inside = it.thread == region.thread && from < it.position && it.position <= to;
            inside && !it.never_waits
        })
    };
    let works = inside.filter(|it| *it > wait.index).map(at);
    let is_timed = |event: EventRef| {
        let in_stream = finished::stream_at(trace, event.thread, event.index) == Some(stream);
        in_stream && call(trace, event).is_some_and(is_kernel_work)
    };
    let timed = works.into_iter().any(is_timed) || unseen(wait.index, region.stop.position);
    // Among many launches the pause hardly counts.
    let few = warmth::launches_measured(trace, region).is_some_and(|all| all < super::MANY);
    let gap = waits && timed && !unseen(region.start.position, wait.index);
    gap.then_some(Problem::Gap { wait, few })
}
