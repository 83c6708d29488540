//! Captures and graphs across threads and streams: what another thread breaks, which launches of one graph meet.

use std::collections::BTreeSet;

use super::EventRef;
use super::happens::{Happens, Moment, Trust};
use crate::api::{Capture as Legality, Operation};
use crate::trace::capture::{Capture, CaptureMode, GraphLaunch, Spot};
use crate::trace::{Action, Call, LEGACY, Location, StreamKind, ThreadId, Trace};

/// A call of another thread that may be made while a stream captures.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'t> {
    /// The capture.
    pub capture: &'t Capture,
    /// The call.
    pub event: EventRef,
    /// It works on the legacy default stream.
    pub legacy: bool,
}

/// One executable graph in two streams, with nothing that orders the launches.
#[derive(Clone, Copy, Debug)]
pub struct SharedExec<'t> {
    /// The earlier launch.
    pub first: &'t GraphLaunch,
    /// The later one.
    pub second: &'t GraphLaunch,
}

/// Calls of other threads that a capture does not bear.
pub fn foreign(trace: &Trace) -> Vec<Foreign<'_>> {
    let captures = &trace.notes.captures.all;
    if trace.threads.len() < 2 || captures.iter().all(|it| it.end.is_none()) {
        return Vec::new();
    }
    let order = Happens::new(trace, Trust::MEASURED);
    let mut found = Vec::new();
    for capture in captures {
        let Some(end) = &capture.end else { continue };
        if end.thread != capture.begin.thread {
            continue;
        }
        for (event, call) in calls(trace).filter(|it| it.0.thread != capture.begin.thread) {
            let Some(legacy) = breaks(trace, capture, event, call) else {
                continue;
            };
            let apart = order.issued_before(event, event_at(&capture.begin))
                || order.issued_before(event_at(end), event)
                || !shares_time(trace, capture, event);
            if !apart {
                found.push(Foreign {
                    capture,
                    event,
                    legacy,
                });
            }
        }
    }
    found
}

/// Whether a capture of another thread is broken by a call, and whether because it is on the legacy default stream.
fn breaks(trace: &Trace, capture: &Capture, event: EventRef, call: &Call) -> Option<bool> {
    if call.device != capture.device {
        return None;
    }
    let blocking = trace.streams[capture.stream.0 as usize].kind == StreamKind::Blocking;
    let api = call.api;
    if blocking && call.work.as_ref().is_some_and(|it| it.stream == LEGACY) {
        let known = api.is_none_or(|it| {
            matches!(
                it.operation,
                Operation::Copy
                    | Operation::Memset
                    | Operation::EventRecord
                    | Operation::StreamWaitEvent
                    | Operation::Launch
                    | Operation::CooperativeLaunch
            )
        });
        return known.then_some(true);
    }
    let api = api?;
    let global = capture.mode == Some(CaptureMode::Global);
    let exempt = &trace.notes.captures.exempt;
    let asks = match (api.capture, api.operation) {
        (Legality::Prohibited, Operation::DeviceSynchronize) => return Some(false),
        (Legality::Prohibited, Operation::StreamSynchronize | Operation::StreamQuery) => true,
        (Legality::Unsafe, operation) => operation != Operation::ThrustAlgorithm,
        _ => false,
    };
    (asks && global && !exempt.contains(&(event.thread, event.index))).then_some(false)
}

/// No mutex keeps the call and the whole capture apart.
fn shares_time(trace: &Trace, capture: &Capture, event: EventRef) -> bool {
    let held = |thread: ThreadId, index: u32| -> BTreeSet<&Location> {
        let events = &trace.threads[thread.0 as usize].events;
        let mut held = BTreeSet::new();
        for event in events.iter().take(index as usize) {
            match &event.action {
                Action::Lock(mutex) => {
                    held.insert(mutex);
                }
                Action::Unlock(mutex) => {
                    held.remove(mutex);
                }
                _ => {}
            }
        }
        held
    };
    let capturing = held(capture.begin.thread, capture.begin.position);
    held(event.thread, event.index).is_disjoint(&capturing)
}

/// Launches of one executable graph in different streams that nothing orders.
pub fn shared_execs(trace: &Trace) -> Vec<SharedExec<'_>> {
    let launches = &trace.notes.captures.launches;
    let differ = |a: &GraphLaunch, b: &GraphLaunch| a.exec == b.exec && a.stream != b.stream;
    let pairs: Vec<(&GraphLaunch, &GraphLaunch)> = launches
        .iter()
        .enumerate()
        .flat_map(|(index, second)| launches[..index].iter().map(move |first| (first, second)))
        .filter(|(first, second)| differ(first, second))
        .collect();
    if pairs.is_empty() {
        return Vec::new();
    }
    let trust = Trust {
        graphs: false,
        ..Trust::MEASURED
    };
    let order = Happens::new(trace, trust);
    let works = |launch: &GraphLaunch| {
        let event = event_at(&launch.spot);
        let events = &trace.threads[event.thread.0 as usize].events;
        events.len() > event.index as usize
    };
    let ordered = |first: &GraphLaunch, second: &GraphLaunch| {
        order.ordered(
            Moment::Device(event_at(&first.spot)),
            Moment::Device(event_at(&second.spot)),
        )
    };
    pairs
        .into_iter()
        .filter(|(first, second)| works(first) && works(second))
        .filter(|(first, second)| !ordered(first, second) && !ordered(second, first))
        .map(|(first, second)| SharedExec { first, second })
        .collect()
}

fn event_at(spot: &Spot) -> EventRef {
    EventRef {
        thread: spot.thread,
        index: spot.position,
    }
}

fn calls(trace: &Trace) -> impl Iterator<Item = (EventRef, &Call)> {
    let threads = trace.threads.iter().enumerate();
    threads.flat_map(|(thread, it)| {
        let events = it.events.iter().enumerate();
        events.filter_map(move |(index, event)| match &event.action {
            Action::Call(call) => {
                let event = EventRef {
                    thread: ThreadId(thread as u32),
                    index: index as u32,
                };
                Some((event, &**call))
            }
            _ => None,
        })
    })
}
