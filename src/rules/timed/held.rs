//! A stream that is held up inside a timed region until the host has enqueued what is to be timed.

use super::{PathCase, Problem, call};
use crate::order::EventRef;
use crate::order::finished;
use crate::trace::notes::{ClockKind, Region};
use crate::trace::{Action, Mode, StreamId, Trace, Wait, WorkKind};

/// A kernel in the timed stream that waits for a store of the host, which comes only after more has been enqueued behind it.
pub(super) fn held(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    if region.clock != ClockKind::Events {
        return None;
    }
    let stream = finished::stream_at(trace, region.thread, region.stop.position)?;
    (region.start.position + 1..region.stop.position).find_map(|index| {
        let launch = EventRef {
            thread: region.thread,
            index,
        };
        let in_stream = finished::stream_at(trace, launch.thread, index) == Some(stream);
        let mut waits = waits_of(trace, launch).filter(|_| in_stream);
        waits.find_map(|wait| {
            let release = release(trace, launch, wait)?;
            enqueues_between(trace, stream, launch, release).then_some(Problem::Held { launch, release })
        })
    })
}

/// What a kernel waits for, for ever or until it gives up.
fn waits_of(trace: &Trace, launch: EventRef) -> impl Iterator<Item = &Wait> {
    let work = call(trace, launch).and_then(|it| it.work.as_ref());
    let kernel = work.filter(|it| it.kind == WorkKind::Kernel);
    let bounded = trace
        .notes
        .stalls
        .iter()
        .filter(move |it| it.thread == launch.thread && it.position == launch.index);
    kernel
        .into_iter()
        .flat_map(|it| &it.waits)
        .chain(bounded.map(|it| &it.wait))
}

/// The host's next store to what a kernel waits for.
fn release(trace: &Trace, launch: EventRef, wait: &Wait) -> Option<EventRef> {
    let events = &trace.threads[launch.thread.0 as usize].events;
    let after = events.iter().enumerate().skip(launch.index as usize + 1);
    let mut stores = after.filter(|(_, event)| {
        let place = match &event.action {
            Action::Store(write) => Some(&write.location),
            Action::Touch(access) if access.mode == Mode::Write => Some(&access.location),
            _ => None,
        };
        place.is_some_and(|it| wait.locations().any(|waited| it.overlaps(waited, false)))
    });
    let (index, _) = stores.next()?;
    Some(EventRef {
        thread: launch.thread,
        index: index as u32,
    })
}

/// More work is enqueued in the stream between the launch and the release, or something nobody knows is called that may do so:
/// a kernel that nothing stands behind is timed itself.
fn enqueues_between(trace: &Trace, stream: StreamId, launch: EventRef, release: EventRef) -> bool {
    let between = launch.index + 1..release.index;
    let works = |index: u32| {
        let event = EventRef {
            thread: launch.thread,
            index,
        };
        let in_stream = finished::stream_at(trace, launch.thread, index) == Some(stream);
        in_stream && call(trace, event).is_some_and(super::is_kernel_work)
    };
    let mut unknown = trace.notes.opaque.iter();
    between.clone().any(works)
        || unknown.any(|it| {
            let inside = launch.index < it.position && it.position <= release.index;
            it.thread == launch.thread && inside && it.unbound && !it.never_waits
        })
}
