//! Host functions that wait for what a thread gives only when they have returned.

use std::collections::BTreeMap;

use super::happens::{Happens, Moment, Trust};
use super::{EventRef, Settings};
use crate::api;
use crate::program::FileId;
use crate::syntax::Span;
use crate::trace::{
    Action, Block, Call, Callback, LEGACY, Load, Location, StreamKind, ThreadId, Trace, WorkKind,
};

/// A host function that waits for a mutex held across a wait for its own stream, or for another host function.
#[derive(Clone, Debug, PartialEq)]
pub struct StuckCallback {
    /// The call that enqueues it.
    pub enqueued: EventRef,
    /// Where it waits.
    pub at: (FileId, Span),
    /// Why it waits for ever.
    pub why: StuckReason,
}

/// Why a host function waits for ever.
#[derive(Clone, Debug, PartialEq)]
pub enum StuckReason {
    /// A thread holds the mutex in a call that waits for the stream.
    Mutex {
        /// Where the thread takes it.
        locked: EventRef,
        /// The call it makes while holding it.
        call: EventRef,
        /// Another thread enqueues the host function: it may have run before.
        other_thread: bool,
    },
    /// A thread holds the mutex in a call that waits for the context lock, which another thread has while it loads code: that
    /// waits for the host function (M15).
    Loading {
        /// Where the thread takes the mutex.
        locked: EventRef,
        /// The call it makes while holding it.
        call: EventRef,
        /// The first launch of a module, by the other thread.
        launch: EventRef,
    },
    /// Only another host function, enqueued later, ends the wait.
    Callback {
        /// The call that enqueues the other one.
        other: EventRef,
        /// What is waited for, in the user's words.
        what: String,
    },
}

/// Every host function of a path that waits for what cannot come.
pub fn stuck_callbacks(trace: &Trace, settings: Settings) -> Vec<StuckCallback> {
    let mut found: Vec<StuckCallback> = Vec::new();
    let lazy = settings.lazy_loading && !trace.eager;
    let mut loading: Option<(Happens<'_>, Vec<EventRef>)> = None;
    for callback in &trace.notes.callbacks {
        let Some(enqueued) = enqueuing_event(trace, callback) else {
            continue;
        };
        let threads = (0..trace.threads.len() as u32).map(ThreadId);
        for (mutex, site) in &callback.locks {
            let holder = threads
                .clone()
                .find_map(|it| held_across(trace, enqueued, mutex, it));
            if let Some((locked, call)) = holder {
                found.push(StuckCallback {
                    enqueued,
                    at: (site.file, site.span),
                    why: StuckReason::Mutex {
                        locked,
                        call,
                        other_thread: call.thread != enqueued.thread,
                    },
                });
                continue;
            }
            if !lazy || trace.threads.len() < 2 {
                continue;
            }
            let (order, launches) = loading.get_or_insert_with(|| {
                let order = Happens::new(trace, Trust::MEASURED);
                let launches = first_launches(trace, &order);
                (order, launches)
            });
            if let Some(why) = kept_out(trace, order, launches, enqueued, mutex) {
                found.push(StuckCallback {
                    enqueued,
                    at: (site.file, site.span),
                    why,
                });
            }
        }
    }
    found.extend(super::event_refs(trace).filter_map(|it| waits_for_callback(trace, it)));
    found
}

/// The event of the call that enqueued a host function into a stream; none for a node of a graph.
fn enqueuing_event(trace: &Trace, callback: &Callback) -> Option<EventRef> {
    let event = EventRef {
        thread: callback.thread,
        index: callback.position,
    };
    let events = &trace.threads[callback.thread.0 as usize].events;
    match &events.get(event.index as usize)?.action {
        Action::Call(call) => is_host_function(call).then_some(event),
        _ => None,
    }
}

fn is_host_function(call: &Call) -> bool {
    call.work
        .as_ref()
        .is_some_and(|it| it.kind == WorkKind::HostFunction)
}

/// A lock of the mutex, and a call under it that waits for the host function to return.
fn held_across(
    trace: &Trace,
    enqueued: EventRef,
    mutex: &Location,
    thread: ThreadId,
) -> Option<(EventRef, EventRef)> {
    let mut locked = None;
    for event in super::event_refs(trace).filter(|it| it.thread == thread) {
        let enqueued_already = thread != enqueued.thread || event.index > enqueued.index;
        match &event.of(trace).action {
            Action::Lock(it) if it == mutex => locked = Some(event),
            Action::Unlock(it) if it == mutex => locked = None,
            Action::Call(call) if enqueued_already && waits_for(trace, call, enqueued, event) => match locked
            {
                Some(locked) => return Some((locked, event)),
                // The host function has returned by now.
                None if thread == enqueued.thread => return None,
                None => {}
            },
            Action::Call(call)
                if enqueued_already
                    && locked.is_some()
                    && waits_for_one_behind(trace, call, mutex, event) =>
            {
                return locked.map(|it| (it, event));
            }
            // Whoever joins the enqueuing thread knows nothing of its host functions.
            _ => {}
        }
    }
    None
}

/// A call under the mutex that another thread keeps out of the context while it loads code: loading waits for the host function,
/// which has not returned by then.
fn kept_out(
    trace: &Trace,
    order: &Happens<'_>,
    launches: &[EventRef],
    enqueued: EventRef,
    mutex: &Location,
) -> Option<StuckReason> {
    let apart = |one: EventRef, other: EventRef| {
        one.thread != other.thread
            && !order.ordered(Moment::Host(one), Moment::Host(other))
            && !order.ordered(Moment::Host(other), Moment::Host(one))
    };
    let is_open_at = |at: EventRef| {
        let follows = match at.thread == enqueued.thread {
            true => enqueued.index < at.index,
            false => apart(enqueued, at),
        };
        follows && !order.ordered(Moment::Device(enqueued), Moment::Host(at))
    };
    let launches: Vec<EventRef> = launches.iter().copied().filter(|it| is_open_at(*it)).collect();
    if launches.is_empty() {
        return None;
    }
    let mut locked: BTreeMap<ThreadId, EventRef> = BTreeMap::new();
    for event in super::event_refs(trace) {
        match &event.of(trace).action {
            Action::Lock(it) if it == mutex => {
                locked.insert(event.thread, event);
            }
            Action::Unlock(it) if it == mutex => {
                locked.remove(&event.thread);
            }
            Action::Call(call) if call.lock() != api::Lock::None && is_open_at(event) => {
                let launch = launches.iter().find(|it| apart(**it, event));
                if let (Some(locked), Some(launch)) = (locked.get(&event.thread), launch) {
                    return Some(StuckReason::Loading {
                        locked: *locked,
                        call: event,
                        launch: *launch,
                    });
                }
            }
            _ => {}
        }
    }
    None
}

/// Launches before which nothing of their module was loaded for sure.
fn first_launches(trace: &Trace, order: &Happens<'_>) -> Vec<EventRef> {
    let unit = |it: EventRef| match &it.of(trace).action {
        Action::Call(call) => match &call.load {
            Some(Load::Kernel(kernel)) => kernel.function.map(|it| it.file),
            Some(Load::Unit(file)) => Some(*file),
            _ => None,
        },
        _ => None,
    };
    let loads = super::event_refs(trace).filter_map(|it| Some((it, unit(it)?)));
    let loads: Vec<(EventRef, FileId)> = loads.collect();
    let is_launch = |it: EventRef| it.work(trace).is_some_and(|it| it.kind == WorkKind::Kernel);
    let is_first = |(at, unit): &&(EventRef, FileId)| {
        let before = |it: EventRef| order.ordered(Moment::Host(it), Moment::Host(*at));
        is_launch(*at)
            && !loads
                .iter()
                .any(|(it, other)| other == unit && it != at && before(*it))
    };
    loads.iter().filter(is_first).map(|it| it.0).collect()
}

/// Whether a call returns only when the host function has.
fn waits_for(trace: &Trace, call: &Call, enqueued: EventRef, event: EventRef) -> bool {
    let Action::Call(host) = &enqueued.of(trace).action else {
        return false;
    };
    let Some(stream) = host.work.as_ref().map(|it| it.stream) else {
        return false;
    };
    let kind = trace.streams[stream.0 as usize].kind;
    let is_blocking = matches!(kind, StreamKind::Blocking | StreamKind::PerThread);
    let covers = |waited| waited == stream || waited == LEGACY && is_blocking;
    match call.blocks {
        Block::Stream(waited) => covers(waited),
        Block::OwnWork => call.work.as_ref().is_some_and(|it| covers(it.stream)),
        Block::Device => call.device == trace.device_of(host),
        Block::Event(waited) => {
            event.thread == enqueued.thread && recorded_between(trace, enqueued, event, waited)
        }
        Block::None | Block::PerhapsOwnWork | Block::StreamAnswered(_) | Block::EventAnswered(_) => false,
    }
}

/// Whether the event is recorded in the stream of the host function behind it.
fn recorded_between(trace: &Trace, enqueued: EventRef, wait: EventRef, event: crate::trace::EventId) -> bool {
    let stream = |it: EventRef| match &it.of(trace).action {
        Action::Call(call) => call.work.as_ref().map(|it| (it.stream, it.kind)),
        _ => None,
    };
    let Some((own, _)) = stream(enqueued) else {
        return false;
    };
    let between = super::event_refs(trace)
        .filter(|it| it.thread == wait.thread && enqueued.index < it.index && it.index < wait.index);
    between
        .into_iter()
        .any(|it| stream(it) == Some((own, WorkKind::Record(event))))
}

/// Whether a call waits for an event out of what was forgotten, and all that are recorded by then come behind a host function that
/// takes a mutex.
fn waits_for_one_behind(trace: &Trace, call: &Call, mutex: &Location, wait: EventRef) -> bool {
    let Block::Event(waited) = call.blocks else {
        return false;
    };
    if !super::races::is_forgotten(trace, waited) {
        return false;
    }
    let takes = |it: &&Callback| it.locks.iter().any(|(it, _)| it == mutex);
    let takers = trace.notes.callbacks.iter().filter(takes);
    let takers: Vec<EventRef> = takers.filter_map(|it| enqueuing_event(trace, it)).collect();
    let stream_of = |it: &EventRef| it.work(trace).map(|it| it.stream);
    let is_behind = |record: EventRef, stream| {
        takers
            .iter()
            .any(|it| it.thread == record.thread && it.index < record.index && stream_of(it) == Some(stream))
    };
    let before = (0..wait.index).map(|index| EventRef { index, ..wait });
    let records = before.filter_map(|it| Some((it, it.recorded(trace)?)));
    let own: Vec<_> = records
        .filter(|(_, it)| trace.events.contains_key(&it.0))
        .collect();
    !own.is_empty() && own.iter().all(|(at, (_, stream))| is_behind(*at, *stream))
}

/// A host function whose wait only host functions behind it end.
fn waits_for_callback(trace: &Trace, event: EventRef) -> Option<StuckCallback> {
    let Action::Call(call) = &event.of(trace).action else {
        return None;
    };
    let work = call
        .work
        .as_ref()
        .filter(|it| it.kind == WorkKind::HostFunction)?;
    work.waits.iter().find_map(|wait| {
        let mut other = None;
        for writer in super::event_refs(trace).filter(|it| *it != event) {
            let action = &writer.of(trace).action;
            let ends = super::simulate::writes_of(action)
                .iter()
                .any(|write| wait.ended_by(write));
            if !ends {
                continue;
            }
            let later = writer.thread == event.thread && writer.index > event.index;
            let is_callback = matches!(action, Action::Call(call) if is_host_function(call));
            let initialises = !is_callback && writer.thread == event.thread && !later && !wait.is_known();
            if initialises {
                continue;
            }
            if !is_callback || !later {
                return None;
            }
            other.get_or_insert(writer);
        }
        Some(StuckCallback {
            enqueued: event,
            at: wait.at,
            why: StuckReason::Callback {
                other: other?,
                what: wait.what.clone(),
            },
        })
    })
}
