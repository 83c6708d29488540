//! Memory that is the same at every call of a function that is handed a stream: calls with different streams use it at once.

use std::collections::{BTreeMap, BTreeSet};

use super::{EventRef, event_refs};
use crate::trace::{
    Access, Action, Base, Block, Call, EventId, Mode, StreamId, StreamKind, ThreadId, Trace, WorkKind,
};

/// Work in a stream that was handed in that writes such memory, and is under way when the function returns.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The first work that writes it.
    pub write: EventRef,
    /// How it does.
    pub access: Access,
    /// The last work that uses it.
    pub last: EventRef,
    /// It is written at the first call alone, and other calls use it.
    pub once: bool,
    /// A wait for an earlier call, and the record that it finds: that stands ahead of the last use.
    pub outrun: Option<(EventRef, EventRef)>,
    /// The stream, in the user's words.
    pub given: String,
}

/// Host memory that a copy reads which is under way when the function returns.
#[derive(Clone, Debug)]
pub struct Refilled {
    /// The first store of the host, where that is seen.
    pub write: Option<EventRef>,
    /// The copy.
    pub copy: EventRef,
    /// What it reads.
    pub access: Access,
    /// Its stream, in the user's words.
    pub given: String,
    /// An event is recorded behind the copy: the next call may wait for that.
    pub marked: bool,
}

/// Memory that every call may fill anew, whatever the copy of the call before still reads: the host waits for nothing before it
/// does.
pub fn refilled(trace: &Trace) -> Vec<Refilled> {
    let promise = &trace.notes.promise;
    if promise.streams.is_empty() || trace.has_waits() || trace.threads.len() > 1 {
        return Vec::new();
    }
    let mut found: Vec<Refilled> = Vec::new();
    for copy in event_refs(trace).filter(|it| it.index >= promise.begin && !is_first_time(trace, *it)) {
        let Some(work) = copy.work(trace).filter(|it| it.kind == WorkKind::Copy) else {
            continue;
        };
        let staged = trace.notes.pageable.contains_key(&(copy.thread, copy.index));
        let reads = |it: &&Access| {
            let base = it.location.base;
            let lasts = matches!(base, Base::Allocation(_)) && promise.lasting.contains(&base);
            lasts
                && it.mode == Mode::Read
                && it.sure
                && found.iter().all(|it| it.access.location.base != base)
        };
        let read = work.accesses.iter().find(reads).filter(|_| !staged);
        let Some(access) = read.filter(|_| is_given(trace, work.stream)) else {
            continue;
        };
        let (stream, base) = (work.stream, access.location.base);
        let before = event_refs(trace).take_while(|it| it.index < copy.index);
        let mut own = before.filter(|it| it.index >= promise.begin);
        let write = own.find(|it| is_written(&it.of(trace).action, base));
        let behind = &trace.threads[0].events[copy.index as usize + 1..];
        let marked = calls(behind).any(|it| {
            let work = it.work.as_ref();
            work.is_some_and(|it| it.stream == stream && matches!(it.kind, WorkKind::Record(_)))
        });
        let waited = |position: u32| position <= copy.index;
        let may_be_over = calls(&trace.threads[0].events[..copy.index as usize])
            .any(|it| it.waits_for() != Block::None)
            || unseen_waits(trace, stream, base, waited)
            || is_done(trace, stream, base, copy.index);
        if !may_be_over {
            found.push(Refilled {
                write,
                copy,
                access: access.clone(),
                given: trace.streams[stream.0 as usize].name.clone(),
                marked,
            });
        }
    }
    found
}

fn is_written(action: &Action, base: Base) -> bool {
    match action {
        Action::Store(write) => write.location.base == base,
        Action::Touch(access) => access.mode == Mode::Write && access.location.base == base,
        _ => false,
    }
}

/// Such work of a path: nothing lets the stream wait for an earlier call, and the function does not wait for its own work, or for what
/// it does at the first call alone.
pub fn shared(trace: &Trace) -> Vec<Shared> {
    let promise = &trace.notes.promise;
    if promise.streams.is_empty()
        || promise.lasting.is_empty()
        || trace.has_waits()
        || trace.threads.len() > 1
    {
        return Vec::new();
    }
    let mut used: BTreeMap<(StreamId, Base), Vec<(EventRef, &Access)>> = BTreeMap::new();
    for event in event_refs(trace) {
        let Some(work) = event.work(trace).filter(|it| is_given(trace, it.stream)) else {
            continue;
        };
        for access in work.accesses.iter().filter(|it| is_use(it)) {
            let base = access.location.base;
            if promise.lasting.contains(&base) {
                used.entry((work.stream, base)).or_default().push((event, access));
            }
        }
    }
    let shared = used.into_iter().filter_map(|((stream, base), uses)| {
        let (first, _) = uses.first()?;
        let (last, _) = uses.last()?;
        // Launches of one executable graph never overlap.
        let is_graph = |it: EventRef| it.work(trace).is_some_and(|it| it.kind == WorkKind::Graph);
        if is_graph(*first) && uses.iter().all(|it| it.0 == *first) {
            return None;
        }
        let is_write = |it: &Access| it.mode == Mode::Write && it.sure && !it.atomic;
        let writes = || uses.iter().filter(|(_, it)| is_write(it));
        let at_every_call = writes().find(|(event, _)| !is_first_time(trace, *event));
        let (write, access) = at_every_call.or_else(|| writes().next())?;
        let once = at_every_call.is_none();
        let free = match once {
            true => {
                let later = |(event, _): &&(EventRef, &Access)| !is_first_time(trace, *event);
                let used = uses.iter().rev().find(later)?;
                used.0.index > write.index
                    && !lets_wait(trace, stream, write.index, used.0.index)
                    && !is_done(trace, stream, base, write.index)
            }
            false => {
                !waits_before(trace, stream, base, first.index, last.index)
                    && !is_done(trace, stream, base, last.index)
            }
        };
        free.then(|| Shared {
            write: *write,
            access: (*access).clone(),
            last: *last,
            once,
            outrun: outrun(trace, stream, first.index, last.index).filter(|_| !once),
            given: trace.streams[stream.0 as usize].name.clone(),
        })
    });
    shared.collect()
}

fn is_given(trace: &Trace, stream: StreamId) -> bool {
    let it = &trace.streams[stream.0 as usize];
    it.handed_in.is_some() && !it.kept && it.kind == StreamKind::Unknown
}

/// A use of memory on the device.
fn is_use(access: &Access) -> bool {
    matches!(access.mode, Mode::Read | Mode::Write) && !access.declared
}

/// Whether what happens changes what lets it happen, for the next call too.
fn is_first_time(trace: &Trace, event: EventRef) -> bool {
    let promise = &trace.notes.promise;
    promise.once.iter().any(|it| {
        it.thread == event.thread
            && (it.events.0..it.events.1).contains(&event.index)
            && !it.by.is_disjoint(&promise.lasting)
    })
}

/// Whether every call lets the stream wait for something between what happens at the first one and a use.
fn lets_wait(trace: &Trace, stream: StreamId, from: u32, to: u32) -> bool {
    let between = event_refs(trace).filter(|it| (from..to).contains(&it.index) && !is_first_time(trace, *it));
    let mut works = between.filter_map(|it| it.work(trace));
    works.any(|it| it.stream == stream && matches!(it.kind, WorkKind::WaitEvent(_)))
}

/// Whether the stream, or the host, may have waited for the last use of an earlier call.
fn waits_before(trace: &Trace, stream: StreamId, base: Base, first: u32, last: u32) -> bool {
    let events = &trace.threads[0].events[..first as usize];
    calls(events).any(|it| it.waits_for() == Block::Device)
        || waits_for_earlier(trace, stream, first).any(|(_, event)| {
            let record = last_record(trace, event, stream);
            record.is_none_or(|it| it.index > last)
        })
        || unseen_waits(trace, stream, base, |position| position <= first)
}

/// Such a wait that is not enough, and what it waits for: the event is recorded ahead of the last use.
fn outrun(trace: &Trace, stream: StreamId, first: u32, last: u32) -> Option<(EventRef, EventRef)> {
    let mut waits = waits_for_earlier(trace, stream, first);
    waits.find_map(|(wait, event)| {
        let record = last_record(trace, event, stream)?;
        (record.index < last).then_some((wait, record))
    })
}

/// Waits of the stream, or of the host, for events that an earlier call recorded.
fn waits_for_earlier(
    trace: &Trace,
    stream: StreamId,
    first: u32,
) -> impl Iterator<Item = (EventRef, EventId)> {
    let before = event_refs(trace).take_while(move |it| it.index < first);
    let mut recorded: BTreeSet<EventId> = BTreeSet::new();
    before.filter_map(move |at| {
        let Action::Call(call) = &at.of(trace).action else {
            return None;
        };
        let event = match (
            call.work.as_ref().map(|it| (it.kind, it.stream)),
            call.waits_for(),
        ) {
            (Some((WorkKind::Record(event), _)), _) => {
                recorded.insert(event);
                return None;
            }
            (Some((WorkKind::WaitEvent(event), own)), _) if own == stream => event,
            (_, Block::Event(event)) => event,
            _ => return None,
        };
        (!recorded.contains(&event)).then_some((at, event))
    })
}

/// Where a path records an event last in a stream.
fn last_record(trace: &Trace, event: EventId, stream: StreamId) -> Option<EventRef> {
    let records = |it: &EventRef| it.recorded(trace) == Some((event, stream));
    event_refs(trace).filter(records).last()
}

/// Whether the function may have waited for its work in the stream behind the last use.
fn is_done(trace: &Trace, stream: StreamId, base: Base, last: u32) -> bool {
    let events = &trace.threads[0].events[last as usize..];
    let waits = |it: &Call| match it.waits_for() {
        Block::None => false,
        Block::OwnWork => it.work.as_ref().is_some_and(|work| work.stream == stream),
        Block::Stream(other) | Block::StreamAnswered(other) => other == stream,
        _ => true,
    };
    calls(events).any(waits) || unseen_waits(trace, stream, base, |position| position > last)
}

fn calls(events: &[crate::trace::Event]) -> impl Iterator<Item = &Call> {
    events.iter().filter_map(|it| match &it.action {
        Action::Call(call) => Some(&**call),
        _ => None,
    })
}

fn unseen_waits(trace: &Trace, stream: StreamId, base: Base, is_there: impl Fn(u32) -> bool) -> bool {
    let mut unseen = trace
        .notes
        .opaque
        .iter()
        .filter(|it| it.thread == ThreadId(0) && is_there(it.position));
    unseen.any(|it| !it.never_waits && it.may_wait_for_callers(&[stream], base))
}
