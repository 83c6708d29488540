//! Conflicting accesses that no guaranteed path orders, and waits for events that do nothing.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::apart::Apart;
use super::happens::{Happens, Moment, Trust, is_side_effect};
use super::siblings::at_once;
use super::{EventRef, event_refs};
use crate::trace::{
    Access, Action, Base, Block, DeviceId, Event, EventId, LEGACY, Location, Mode, OwnField, Step, StreamId,
    StreamKind, ThreadId, Trace, WorkKind,
};

/// Accesses of one object that are compared with each other.
const ACCESSES_PER_OBJECT: usize = 240;

/// Two accesses of the same memory, at least one of which changes it, and nothing orders them.
#[derive(Clone, Debug)]
pub struct Race {
    /// What kind of hazard it is.
    pub hazard: Hazard,
    /// The access that was enqueued first.
    pub earlier: EventRef,
    /// What it accesses.
    pub earlier_access: Access,
    /// The one that came later in the program.
    pub later: EventRef,
    /// What it accesses.
    pub later_access: Access,
    /// The call that orders the two without any promise, for [`Hazard::FreeBarrier`].
    pub through: Option<EventRef>,
    /// What is taken for granted beside what the path shows.
    pub doubt: Option<Doubt>,
}

/// What makes a race less sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Two host threads enqueue the work, and are not seen to wait for each other.
    Threads,
    /// What a kernel does is only known from its declaration.
    Declaration,
    /// What is not seen works on what it is handed: that it does, and in the stream it is handed.
    Handed,
    /// Nobody knows who fills memory that is copied from next: it was handed to somebody who is not seen.
    Filled,
    /// Nobody saw the two streams being made: they are two because one waits for the other.
    Streams,
    /// Nobody saw the host memory being allocated: into pageable memory a copy waits itself, and this wait for it would be of no use.
    Pageable(EventRef),
}

/// Kinds of hazards. Each race is of one kind, the most specific.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hazard {
    /// Work in two streams.
    CrossStream,
    /// Work in the legacy default stream and in a non-blocking stream.
    NullStream,
    /// A stream-ordered free, and a use in another stream.
    AsyncFree,
    /// A stream-ordered allocation, and a use in another stream.
    AsyncAllocation,
    /// The host reads what work in flight writes.
    HostRead,
    /// The host changes or gives up what work in flight uses.
    HostChange,
    /// The same of pageable memory, which a copy was told to read when its stream gets there, and may have staged.
    DeferredSource,
    /// Ordered only because a call that frees memory happens to wait.
    FreeBarrier,
    /// Ordered only if an asynchronous copy to pageable memory is complete when its call returns.
    PageableCopy,
}

/// A wait for an event that was not recorded yet, and is recorded later.
#[derive(Clone, Debug)]
pub struct IdleWait {
    /// The wait.
    pub wait: EventRef,
    /// The event.
    pub event: EventId,
    /// The record that comes too late.
    pub record: EventRef,
    /// Why what the wait leaves unordered may be in order all the same.
    pub doubt: Option<Doubt>,
}

/// One access, as the search sees it.
struct Item<'t> {
    event: EventRef,
    /// Stream of device work; `None` for the host.
    stream: Option<StreamId>,
    access: &'t Access,
    moment: Moment,
}

/// All hazards of a trace.
pub(super) fn find(trace: &Trace) -> (Vec<Race>, Vec<IdleWait>) {
    let measured = Happens::new(trace, Trust::MEASURED);
    let mut idle = idle_waits(trace, &measured);
    let apart = Apart::of(trace);
    let mut groups = by_object(trace);
    set_aside_waits(trace, &mut groups);
    for group in groups.values_mut() {
        group.sort_by_key(|it| measured.sequence(it.event));
    }
    // Worked out only where there is something they could tell apart.
    let (implicit, pageable) = (OnceCell::new(), OnceCell::new());
    let implicit = || {
        implicit.get_or_init(|| {
            let trust = Trust {
                implicit: false,
                ..Trust::MEASURED
            };
            Happens::new(trace, trust)
        })
    };
    let pageable = || {
        pageable.get_or_init(|| {
            let trust = Trust {
                pageable: false,
                ..Trust::MEASURED
            };
            Happens::new(trace, trust)
        })
    };
    let mut races: Vec<Race> = Vec::new();
    for group in groups.values() {
        for (index, later) in group.iter().enumerate() {
            for earlier in group[..index].iter().rev() {
                let is_gone = used_behind_free(trace, &measured, earlier, later);
                let hazard = hazard(trace, &measured, &apart, earlier, later);
                let Some(hazard) = hazard.or(is_gone.then_some(Hazard::AsyncFree)) else {
                    continue;
                };
                let ordered = |order: &Happens<'_>| order.ordered(earlier.moment, later.moment);
                let hazard = if is_gone || !ordered(&measured) {
                    hazard
                } else if later.access.mode != Mode::Free && !ordered(implicit()) {
                    Hazard::FreeBarrier
                } else if hazard == Hazard::HostRead && !ordered(pageable()) {
                    Hazard::PageableCopy
                } else {
                    continue;
                };
                let hazard = match hazard {
                    Hazard::HostChange if is_deferred(trace, earlier) => Hazard::DeferredSource,
                    Hazard::FreeBarrier if is_deferred(trace, earlier) => continue,
                    other => other,
                };
                let doubt = doubt(trace, &measured, earlier, later);
                let of = (earlier.stream, Some(earlier.access.location.base));
                // What was enqueued first may wait for what comes later.
                if may_be_waited_for(trace, earlier.event, later.event, of)
                    || measured.ordered(later.moment, earlier.moment)
                {
                    continue;
                }
                races.push(Race {
                    doubt,
                    hazard,
                    earlier: earlier.event,
                    earlier_access: earlier.access.clone(),
                    later: later.event,
                    later_access: later.access.clone(),
                    through: (hazard == Hazard::FreeBarrier)
                        .then(|| barrier(trace, earlier.event, later.event))
                        .flatten(),
                });
            }
        }
    }
    // What nothing needed to wait for is the first turn of a slot that nobody has used.
    idle.retain_mut(|wait| {
        let of = races.iter().filter(|race| explains(trace, &measured, wait, race));
        let doubts: Vec<_> = of.map(|race| race.doubt).collect();
        wait.doubt = doubts.iter().copied().min_by_key(|it| it.is_some()).flatten();
        !doubts.is_empty()
    });
    races.retain(|race| !idle.iter().any(|wait| explains(trace, &measured, wait, race)));
    if trace.has_waits() {
        races.retain(|race| !is_set_up(trace, race));
    } else {
        races.extend(super::nodes::races(trace));
        races.extend(super::belated::reads(trace, &measured));
    }
    (once(trace, races), idle)
}

/// Whether something is done by a call that knows no stream, and meets work in a stream that only the client knows.
fn is_left_to_client(trace: &Trace, earlier: EventRef, later: EventRef, stream: StreamId) -> bool {
    let is_of_client = later.thread == ThreadId(0) && trace.notes.client_streams.contains(&stream);
    let comes_before =
        |it: &Range<usize>| it.contains(&(later.index as usize)) && (earlier.index as usize) < it.start;
    is_of_client && trace.notes.unordered_calls.iter().any(comes_before)
}

/// Whether a client works on one element in two streams of its own, and chose both: it is for the client to order them.
fn is_choice_of_caller(trace: &Trace, streams: [StreamId; 2], access: &Access) -> bool {
    let is_handed = |it: &StreamId| trace.notes.client_streams.contains(it);
    let is_asked = |it: &Step| trace.notes.asked_elements.contains(it);
    streams[0] != streams[1] && streams.iter().all(is_handed) && access.location.path.iter().any(is_asked)
}

/// Whether a batch of copies reads pageable memory in the order of its stream.
fn is_deferred(trace: &Trace, item: &Item<'_>) -> bool {
    let read = (item.event.thread, item.event.index, item.access.location.base);
    item.access.mode == Mode::Read && trace.notes.deferred.contains(&read)
}

/// Memory is filled on the idle device before the work that waits for other work begins: that is over in practice.
fn is_set_up(trace: &Trace, race: &Race) -> bool {
    let Action::Call(call) = &race.earlier.of(trace).action else {
        return false;
    };
    let kind = call.work.as_ref().map(|it| it.kind);
    race.hazard == Hazard::NullStream && matches!(kind, Some(WorkKind::Memset | WorkKind::Copy))
}

fn doubt(trace: &Trace, order: &Happens<'_>, earlier: &Item<'_>, later: &Item<'_>) -> Option<Doubt> {
    let is_assumed = |one: StreamId, other: StreamId| one != other && !told_apart(trace, one, other);
    if let (Some(one), Some(other)) = (earlier.stream, later.stream)
        && is_assumed(one, other)
    {
        Some(Doubt::Streams)
    } else if earlier.access.declared || later.access.declared {
        // Whatever the other one does with it is too much beside a write.
        let writes = [earlier.access, later.access]
            .iter()
            .any(|it| !it.declared && it.mode != Mode::Read);
        Some(match writes {
            true => Doubt::Handed,
            false if is_copied_on(trace, later) => Doubt::Filled,
            false => Doubt::Declaration,
        })
    } else if !order.issued_before(earlier.event, later.event) || order.waited_early(later.event) {
        Some(Doubt::Threads)
    } else {
        None
    }
}

/// Whether memory of the host that was handed to somebody is read by the next work that uses it: what that reads comes from there.
fn is_copied_on(trace: &Trace, handed: &Item<'_>) -> bool {
    let base = handed.access.location.base;
    let events = &trace.threads[handed.event.thread.0 as usize].events;
    let mut behind = events.iter().skip(handed.event.index as usize + 1);
    let next = behind.find_map(|it| match &it.action {
        Action::Touch(access) if access.location.base == base && !access.declared => Some(false),
        Action::Call(call) => {
            let mut accesses = call.work.iter().flat_map(|it| &it.accesses);
            let own = accesses.find(|it| it.location.base == base)?;
            Some(own.mode == Mode::Read && own.sure)
        }
        _ => None,
    });
    handed.stream.is_none() && next == Some(true)
}

/// Whether a function nobody knows is called between two events that may wait for the work of the first.
pub(super) fn may_be_waited_for(
    trace: &Trace,
    earlier: EventRef,
    later: EventRef,
    (stream, object): (Option<StreamId>, Option<Base>),
) -> bool {
    let unseen = trace.notes.opaque.iter().any(|it| {
        let begins = earlier.thread != it.thread || it.position > earlier.index;
        let between = it.thread == later.thread && begins && it.position <= later.index;
        between && !it.asks() && it.may_wait_for(stream, object)
    });
    unseen
        || stream.is_some_and(|it| {
            some_stream_is_waited_for(trace, earlier, later, it)
                || some_event_is_waited_for(trace, earlier, later, it)
        })
}

/// Whether the host waits between two events for an event that nobody made and nobody recorded on this path, while one that was made
/// on it is recorded behind the first: it comes out of what was forgotten, and may be that one.
fn some_event_is_waited_for(trace: &Trace, earlier: EventRef, later: EventRef, stream: StreamId) -> bool {
    let recorded = |it: EventRef| it.recorded(trace).filter(|it| it.1 == stream);
    let events = &trace.threads[earlier.thread.0 as usize].events;
    let behind = (earlier.index + 1..events.len() as u32).map(|index| EventRef { index, ..earlier });
    let is_own = |event: EventId| trace.events.contains_key(&event);
    if !behind.filter_map(recorded).any(|it| is_own(it.0)) {
        return false;
    }
    let from = if earlier.thread == later.thread {
        earlier.index
    } else {
        0
    };
    let mut between = (from..later.index).map(|index| EventRef { index, ..later });
    between.any(|it| match &it.of(trace).action {
        Action::Call(call) => match call.waits_for() {
            Block::Event(event) | Block::EventAnswered(event) => is_forgotten(trace, event),
            _ => false,
        },
        _ => false,
    })
}

/// Whether nobody made an event on this path, and nobody recorded it: it comes out of what was forgotten.
pub(super) fn is_forgotten(trace: &Trace, event: EventId) -> bool {
    !trace.events.contains_key(&event) && event_refs(trace).all(|it| records(trace, it) != Some(event))
}

/// Whether the host waits between two events for a stream nobody knows, one out of a table that others filled, which may be this one.
fn some_stream_is_waited_for(trace: &Trace, earlier: EventRef, later: EventRef, stream: StreamId) -> bool {
    let from = match earlier.thread == later.thread {
        true => earlier.index as usize + 1,
        false => 0,
    };
    let events = &trace.threads[later.thread.0 as usize].events;
    let between = events.get(from..later.index as usize).unwrap_or_default();
    let is_anyone = |it: StreamId| {
        let nameless = |it: &crate::trace::Stream| {
            // An element that nobody told apart from the others is of their kind, and may be one of them.
            let may_be_any = it.kind == StreamKind::Unknown || it.own.is_none();
            may_be_any && !it.created && it.handed_in.is_none()
        };
        it != stream
            && trace.streams.get(it.0 as usize).is_some_and(nameless)
            && !told_apart(trace, it, stream)
    };
    between.iter().any(|it| match &it.action {
        Action::Call(call) => {
            matches!(call.waits_for(), Block::Stream(it) | Block::StreamAnswered(it) if is_anyone(it))
        }
        _ => false,
    })
}

/// The call between two events that waits for the device as a side effect.
fn barrier(trace: &Trace, earlier: EventRef, later: EventRef) -> Option<EventRef> {
    let from = if earlier.thread == later.thread {
        earlier.index
    } else {
        0
    };
    let between = (from..later.index).map(|index| EventRef { index, ..later });
    between.into_iter().find(|it| {
        matches!(&it.of(trace).action, Action::Call(call) if call.waits_for() == Block::Device && is_side_effect(call))
    })
}

/// Each missing edge once: one finding per earlier and per later place.
fn once(trace: &Trace, mut races: Vec<Race>) -> Vec<Race> {
    let doubtful = |it: &Race| {
        matches!(
            it.hazard,
            Hazard::FreeBarrier | Hazard::PageableCopy | Hazard::DeferredSource
        )
    };
    races.sort_by_key(|it| {
        (
            doubtful(it),
            it.doubt.is_some(),
            it.later,
            std::cmp::Reverse(it.earlier),
        )
    });
    let (mut earlier, mut later) = (BTreeSet::new(), BTreeSet::new());
    races.retain(|race| {
        let is_new = !earlier.contains(&race.earlier.at(trace)) && !later.contains(&race.later.at(trace));
        if is_new {
            earlier.insert(race.earlier.at(trace));
            later.insert(race.later.at(trace));
        }
        is_new
    });
    races
}

/// Accesses by object.
fn by_object(trace: &Trace) -> BTreeMap<Base, Vec<Item<'_>>> {
    let mut groups: BTreeMap<Base, Vec<Item<'_>>> = BTreeMap::new();
    for (thread, events) in trace.threads.iter().enumerate() {
        for (index, event) in events.events.iter().enumerate() {
            let at = EventRef {
                thread: ThreadId(thread as u32),
                index: index as u32,
            };
            let (accesses, stream, moment) = match &event.action {
                Action::Touch(access) => (std::slice::from_ref(&**access), None, Moment::Host(at)),
                Action::Call(call) => match &call.work {
                    Some(work) => (work.accesses.as_slice(), Some(work.stream), Moment::Device(at)),
                    None => continue,
                },
                _ => continue,
            };
            for access in accesses.iter().filter(|it| it.sure) {
                let group = groups.entry(access.location.base).or_default();
                if group.len() < ACCESSES_PER_OBJECT {
                    group.push(Item {
                        event: at,
                        stream,
                        access,
                        moment,
                    });
                }
            }
        }
    }
    groups
}

/// Work that waits for other work, and the memory it waits on, order things in ways no event does.
fn set_aside_waits(trace: &Trace, groups: &mut BTreeMap<Base, Vec<Item<'_>>>) {
    if !trace.has_waits() {
        return;
    }
    for event in trace.threads.iter().flat_map(|it| &it.events) {
        let places: Vec<&Location> = match &event.action {
            Action::HostWait { locations, .. } => locations.iter().collect(),
            Action::Call(call) => {
                let waits = call.work.iter().flat_map(|it| &it.waits);
                waits.flat_map(|it| it.locations()).collect()
            }
            _ => continue,
        };
        places.iter().for_each(|it| {
            groups.remove(&it.base);
        });
    }
    let waits = |at: EventRef| match &at.of(trace).action {
        Action::Call(call) => call.work.as_ref().is_some_and(|it| !it.waits.is_empty()),
        _ => false,
    };
    for group in groups.values_mut() {
        group.retain(|it| !waits(it.event));
    }
}

/// Work in a stream uses what was given back in the order of this very stream before, by the same function.
fn used_behind_free(trace: &Trace, order: &Happens<'_>, earlier: &Item<'_>, later: &Item<'_>) -> bool {
    let frees =
        earlier.access.mode == Mode::Free && !matches!(later.access.mode, Mode::Free | Mode::Allocate);
    let sure = earlier.access.sure && later.access.sure && !later.access.declared;
    let together = earlier.stream.is_some() && earlier.stream == later.stream;
    let (free, user) = (earlier.event.site(trace), later.event.site(trace));
    // A graph may allocate anew what was freed, whenever it is launched.
    let is_graph = |it: &Event| match &it.action {
        Action::Call(call) => call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Graph),
        _ => false,
    };
    let (first, last) = (earlier.event.index as usize, later.event.index as usize);
    let events = &trace.threads[earlier.event.thread.0 as usize].events;
    let between = events.get(first..=last).unwrap_or_default();
    frees
        && earlier.event.thread == later.event.thread
        && !between.iter().any(is_graph)
        && sure
        && together
        && free.frames == user.frames
        && earlier.access.conflicts(later.access)
        && order.issued_before(earlier.event, later.event)
}

/// What kind of hazard two accesses would be if nothing ordered them.
fn hazard(
    trace: &Trace,
    order: &Happens<'_>,
    apart: &Apart,
    earlier: &Item<'_>,
    later: &Item<'_>,
) -> Option<Hazard> {
    // A host access that came first was over before anything later was enqueued.
    let first = earlier.stream?;
    let candidate = earlier.event != later.event
        && match later.stream {
            Some(second) if second == first => {
                first == LEGACY && on_two_devices(trace, earlier.event, later.event)
            }
            Some(second) => told_apart(trace, first, second) || told_by_wait(apart, earlier, later),
            // Whichever stream it is that was handed in, the host does not wait for it.
            None => {
                let it = &trace.streams[first.0 as usize];
                is_known(trace, first)
                    || it.handed_in.is_some()
                    || it.own.is_some()
                    || it.kept && !waits_between(trace, earlier.event, later.event)
            }
        }
        && earlier.access.conflicts(later.access)
        && (order.issued_before(earlier.event, later.event)
            || later.stream.is_some() && at_once(trace, order, earlier.event, later.event));
    if !candidate || is_left_to_client(trace, earlier.event, later.event, first) {
        return None;
    }
    let modes = [earlier.access.mode, later.access.mode];
    let Some(second) = later.stream else {
        // What is only declared may wait for what the host writes.
        if earlier.access.declared && modes[1] != Mode::Read {
            return None;
        }
        return Some(match modes {
            [_, Mode::Read] => Hazard::HostRead,
            _ => Hazard::HostChange,
        });
    };
    if is_choice_of_caller(trace, [first, second], later.access) {
        return None;
    }
    let kinds = [kind(trace, first), kind(trace, second)];
    Some(if modes.contains(&Mode::Free) {
        Hazard::AsyncFree
    } else if modes.contains(&Mode::Allocate) {
        Hazard::AsyncAllocation
    } else if kinds.contains(&StreamKind::NonBlocking)
        && (first == LEGACY || second == LEGACY)
        && [first, second].iter().all(|it| is_stream(trace, *it))
    {
        Hazard::NullStream
    } else {
        Hazard::CrossStream
    })
}

/// Whether the host waits for anything between two events: of a stream that somebody keeps nobody knows which other one it is.
fn waits_between(trace: &Trace, earlier: EventRef, later: EventRef) -> bool {
    let events = &trace.threads[earlier.thread.0 as usize].events;
    let between = events.get(earlier.index as usize + 1..later.index as usize);
    let waits = |it: &Event| match &it.action {
        Action::Call(call) => call.waits_for() != Block::None,
        Action::Touch(_) => false,
        _ => true,
    };
    earlier.thread != later.thread || between.is_none_or(|it| it.iter().any(waits))
}

fn kind(trace: &Trace, stream: StreamId) -> StreamKind {
    trace
        .streams
        .get(stream.0 as usize)
        .map_or(StreamKind::Unknown, |it| it.kind)
}

/// Whether work is enqueued on two devices for sure: each has a legacy default stream of its own.
fn on_two_devices(trace: &Trace, one: EventRef, other: EventRef) -> bool {
    match (&one.of(trace).action, &other.of(trace).action) {
        (Action::Call(one), Action::Call(other)) => {
            trace.are_two(trace.device_of(one), trace.device_of(other))
        }
        _ => false,
    }
}

/// Not the queue of a request.
fn is_stream(trace: &Trace, stream: StreamId) -> bool {
    trace
        .streams
        .get(stream.0 as usize)
        .is_some_and(|it| it.device != DeviceId::NONE)
}

/// Whether two streams are two for sure, and the legacy default stream does not stand between them unseen.
fn told_apart(trace: &Trace, one: StreamId, other: StreamId) -> bool {
    let new = |it: StreamId| is_known(trace, it) && kind(trace, it) == StreamKind::NonBlocking;
    let older = |it: StreamId, than: StreamId| {
        let handed_in = trace.streams.get(it.0 as usize).and_then(|it| it.handed_in);
        handed_in.is_some_and(|count| count <= than.0)
    };
    is_known(trace, one) && is_known(trace, other)
        || new(one) && older(other, one)
        || new(other) && older(one, other)
        || match (own(trace, one), own(trace, other)) {
            (Some(one), Some(other)) => one.is_apart(other),
            // What this path made, and the default streams, are none that an object made for itself before.
            (Some(_), None) => is_known(trace, other),
            (None, Some(_)) => is_known(trace, one),
            (None, None) => false,
        }
}

fn own(trace: &Trace, stream: StreamId) -> Option<&OwnField> {
    trace.streams.get(stream.0 as usize)?.own.as_ref()
}

/// Whether one of two streams waits for the other, which makes them two: for what is sure of both accesses.
fn told_by_wait(apart: &Apart, earlier: &Item<'_>, later: &Item<'_>) -> bool {
    let is_plain = |it: &Item<'_>| !it.access.declared && it.access.mode != Mode::Allocate;
    earlier.event.thread == later.event.thread
        && is_plain(earlier)
        && is_plain(later)
        && matches!((earlier.stream, later.stream), (Some(one), Some(other)) if apart.holds(one, other))
}

/// Streams handed in from outside may be any stream, also the one they are compared with.
fn is_known(trace: &Trace, stream: StreamId) -> bool {
    trace
        .streams
        .get(stream.0 as usize)
        .is_some_and(|it| it.created && it.kind != StreamKind::Unknown)
}

/// Waits for events of this path that are recorded only later. A wait that stands in a loop and finds a record in another
/// iteration is meant to find none in the first.
fn idle_waits(trace: &Trace, order: &Happens<'_>) -> Vec<IdleWait> {
    let mut effective = BTreeSet::new();
    let mut idle = Vec::new();
    for (at, event) in waits(trace) {
        match order.record_of(at) {
            Some(Some(_)) => {
                effective.insert(at.at(trace));
            }
            Some(None) => idle.push((at, event)),
            None => {}
        }
    }
    let mut found: Vec<IdleWait> = Vec::new();
    for (wait, event) in idle {
        if effective.contains(&wait.at(trace))
            || !trace.events.contains_key(&event)
            || found.iter().any(|it| it.wait.at(trace) == wait.at(trace))
        {
            continue;
        }
        let later = order
            .enqueued()
            .iter()
            .find(|it| records(trace, **it) == Some(event) && order.issued_before(wait, **it));
        if let Some(record) = later
            && !is_repeated(trace, wait, *record)
        {
            found.push(IdleWait {
                wait,
                event,
                record: *record,
                doubt: None,
            });
        }
    }
    found
}

/// Whether both stand in a loop that was not followed to its end: a later pass waits for what an earlier one recorded.
fn is_repeated(trace: &Trace, wait: EventRef, record: EventRef) -> bool {
    let notes = &trace.notes;
    let cut = |execution: u32, known: bool| !known || notes.trips.contains_key(&execution);
    let around = |at: EventRef| {
        notes
            .passes
            .iter()
            .filter(move |pass| {
                pass.thread == at.thread && pass.holds(at.index) && cut(pass.execution, pass.known_trips)
            })
            .map(|pass| pass.execution)
    };
    around(wait).any(|execution| around(record).any(|it| it == execution))
}

/// Waits for events, of streams and of the host.
fn waits(trace: &Trace) -> Vec<(EventRef, EventId)> {
    let mut found = Vec::new();
    for (thread, events) in trace.threads.iter().enumerate() {
        for (index, event) in events.events.iter().enumerate() {
            let Action::Call(call) = &event.action else {
                continue;
            };
            let waited = match (call.waits_for(), call.work.as_ref().map(|it| it.kind)) {
                (_, Some(WorkKind::WaitEvent(event))) => event,
                (Block::Event(event), _) => event,
                _ => continue,
            };
            let at = EventRef {
                thread: ThreadId(thread as u32),
                index: index as u32,
            };
            found.push((at, waited));
        }
    }
    found
}

fn records(trace: &Trace, at: EventRef) -> Option<EventId> {
    at.recorded(trace).map(|it| it.0)
}

/// Whether the missing record is why the race is one: the record comes behind the earlier access, and the wait stands
/// where the later access is ordered.
fn explains(trace: &Trace, order: &Happens<'_>, wait: &IdleWait, race: &Race) -> bool {
    if wait.wait.thread != race.later.thread || wait.wait > race.later {
        return false;
    }
    let stream_of = |at: EventRef| match &at.of(trace).action {
        Action::Call(call) => call.work.as_ref().map(|it| it.stream),
        _ => None,
    };
    let is_behind = match stream_of(wait.wait) {
        Some(stream) => stream_of(race.later) == Some(stream),
        None => true,
    };
    let moment = |at: EventRef| match stream_of(at) {
        Some(_) => Moment::Device(at),
        None => Moment::Host(at),
    };
    is_behind && order.ordered(moment(race.earlier), Moment::Device(wait.record))
}
