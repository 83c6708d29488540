//! Captures and graphs across threads and streams: what another thread breaks, which launches of one graph meet.

use std::collections::BTreeSet;

use super::EventRef;
use super::happens::{Happens, Moment, Trust};
use crate::api::{Capture as Legality, Operation};
use crate::trace::capture::{Capture, CaptureMode, Fed, GraphLaunch, IncidentKind, Spot};
use crate::trace::{
    Access, Action, Base, Call, Event, LEGACY, Location, Mode, Step, StreamKind, ThreadId, Trace, WorkKind,
};

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

/// The capture that is open on a thread when it makes a call.
fn open_at(trace: &Trace, made: EventRef) -> Option<&Capture> {
    trace.notes.captures.all.iter().find(|it| {
        let ends = it.end.as_ref().is_none_or(|end| made.index < end.position);
        it.begin.thread == made.thread && it.begin.position <= made.index && ends
    })
}

/// Whether a call is made while its thread captures.
pub fn is_captured(trace: &Trace, made: EventRef) -> bool {
    open_at(trace, made).is_some()
}

/// Whether a call enqueues work while its thread captures, and the work is no part of the graph: it runs once, and is missing
/// from every launch.
pub fn is_left_out(trace: &Trace, made: EventRef) -> bool {
    let enqueues = matches!(&made.of(trace).action, Action::Call(call) if call.work.is_some());
    let is_node = |it: &Capture| it.nodes.iter().any(|node| node.made == (made.thread, made.index));
    enqueues && open_at(trace, made).is_some_and(|it| !is_node(it))
}

/// Whether a capture that ends before a call of its thread comes to no graph.
pub fn has_failed_before(trace: &Trace, made: EventRef) -> bool {
    let breaks = |it: &IncidentKind| {
        matches!(
            it,
            IncidentKind::Prohibited
                | IncidentKind::Unsafe
                | IncidentKind::OutsideEvent(..)
                | IncidentKind::OtherCapture(..)
        )
    };
    trace.notes.captures.all.iter().any(|it| {
        let ended = it
            .end
            .as_ref()
            .is_some_and(|end| end.thread == made.thread && end.position < made.index);
        ended && (!it.unjoined.is_empty() || it.incidents.iter().any(|it| breaks(&it.kind)))
    })
}

/// Whether anything may free memory that captured work uses, between the beginning of a capture and the last launch of a graph:
/// that launch would use it still.
pub fn may_free_what_it_uses(trace: &Trace, capture: &Capture) -> bool {
    let thread = capture.begin.thread;
    let events = &trace.threads[thread.0 as usize].events;
    let notes = &trace.notes.captures;
    let launches = notes.launches.iter().map(|it| &it.spot);
    let last = launches.chain(&capture.end).filter(|it| it.thread == thread);
    let last = last.map(|it| it.position as usize).max().unwrap_or(events.len());
    let meanwhile = (0..).zip(events).take(last).skip(capture.begin.position as usize);
    let frees = |event: &Event| match &event.action {
        Action::Call(call) => call.api.is_some_and(|it| {
            use Operation::{Free, FreeHost, ThrustAlgorithm, UnregisterHost};
            matches!(it.operation, Free | FreeHost | ThrustAlgorithm | UnregisterHost)
        }),
        _ => false,
    };
    let is_used = |index: u32| {
        let mut nodes = notes.all.iter().flat_map(|it| &it.nodes);
        nodes.any(|it| it.made < (thread, index))
    };
    let mut freed = meanwhile.filter(|(_, event)| frees(event));
    freed.any(|(index, _)| is_used(index))
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

/// A node that reads host memory, which is filled anew for another node, or for a copy to somewhere else, and not after: the first
/// one never sees what was prepared for it.
#[derive(Clone, Copy, Debug)]
pub struct Refilled<'t> {
    /// The first launch of the first node's graph.
    pub launch: &'t Spot,
    /// The first node's read.
    pub first: &'t Access,
    /// The call that makes the first node.
    pub made: EventRef,
    /// Where the memory is filled again.
    pub refill: EventRef,
    /// The second read.
    pub second: &'t Access,
    /// Another node reads there, rather than a copy that is made at once.
    pub is_captured: bool,
}

/// Captured reads of host memory whose contents were replaced for a later read before they were ever read.
pub fn refilled(trace: &Trace) -> Vec<Refilled<'_>> {
    let mut reads: Vec<(&Fed, Vec<EventRef>)> = Vec::new();
    for fed in &trace.notes.captures.fed {
        let known = |it: &Fed| it.made == fed.made && it.access.location == fed.access.location;
        if !reads.iter().any(|it| known(it.0))
            && let Some(way) = way_to_launch(trace, fed)
        {
            reads.push((fed, way));
        }
    }
    let mut found: Vec<Refilled<'_>> = Vec::new();
    for (first, way) in &reads {
        let (thread, made) = first.made;
        let own = way.iter().take_while(|it| it.thread == thread).count();
        // The last one that is captured before the launch: what it reads is what everybody reads.
        let same = |it: &&&Fed| {
            let between = it.made.0 == thread && it.made.1 > made && (it.made.1 as usize) < own;
            between && trimmed(&it.access.location) == trimmed(&first.access.location)
        };
        let all = reads.iter().map(|it| &it.0);
        let captured = all.filter(same).max_by_key(|it| it.made.1);
        let together = captured.is_some_and(|it| {
            first.launch.thread == it.launch.thread && first.launch.position == it.launch.position
        });
        let captured = captured.map(|it| (it.made.1 as usize, &it.access, true));
        let at_once = copied_elsewhere(trace, first, way).map(|(at, it)| (at, it, false));
        let Some((second_at, second, is_captured)) = captured.or(at_once) else {
            continue;
        };
        let action = |at: EventRef| at.of(trace);
        let written = |all: &[EventRef]| -> Vec<EventRef> {
            let fills = all.iter().filter(|it| fills(action(**it), &first.access));
            fills.copied().collect()
        };
        let prepared = written(&way[..made as usize]);
        let refill = written(&way[made as usize..second_at]);
        // What one launch hands to both is the same, whatever it is.
        let writes = |it: &EventRef| may_write(action(*it), &first.access);
        let fed_later = !together && way[second_at..].iter().any(writes);
        // Nobody else writes there: neither whoever made the graph, once another thread launches it, nor a third one.
        let launching = first.launch.thread;
        let others = super::event_refs(trace)
            .filter(|it| it.thread != launching && (it.thread != thread || it.index as usize >= own));
        let mut others: Vec<EventRef> = others.collect();
        others.retain(writes);
        let by_others = match thread == launching {
            true => others.iter().any(|it| it.thread != thread),
            false => !others.is_empty(),
        };
        let (Some(again), false, false) = (refill.first(), fed_later, by_others) else {
            continue;
        };
        let value = |at: &EventRef| match &action(*at).action {
            Action::Store(write) => write.value,
            _ => None,
        };
        // What is captured next is meant to read something else, whoever filled the memory first.
        let is_changed = match prepared.last() {
            Some(last) => value(last).is_none() || value(last) != value(again),
            None => is_captured,
        };
        let is_known =
            |it: &Refilled<'_>| it.first.at == first.access.at && it.refill.at(trace) == again.at(trace);
        if is_changed && !found.iter().any(is_known) {
            found.push(Refilled {
                launch: &first.launch,
                first: &first.access,
                made: EventRef { thread, index: made },
                refill: *again,
                second,
                is_captured,
            });
        }
    }
    found
}

/// What happens until the first launch of a node's graph: the events of the thread that makes the node, up to the launch or to the
/// start of the thread that launches, and then those of that one.
fn way_to_launch(trace: &Trace, fed: &Fed) -> Option<Vec<EventRef>> {
    let events = |thread: ThreadId, until: usize| {
        let all = trace.threads[thread.0 as usize].events.len();
        (0..until.min(all) as u32).map(move |index| EventRef { thread, index })
    };
    let (maker, launching) = (fed.made.0, fed.launch.thread);
    let launch = fed.launch.position as usize;
    if maker == launching {
        return Some(events(maker, launch).collect());
    }
    let own = &trace.threads[maker.0 as usize].events;
    let starts = |it: &crate::trace::Event| matches!(it.action, Action::Spawn(thread) if thread == launching);
    let start = own.iter().position(starts)?;
    (start > fed.made.1 as usize).then(|| events(maker, start).chain(events(launching, launch)).collect())
}

/// The last copy on the way from a capture to its launch that is made at once, from where a node reads to memory the node does not
/// write; with its place on the way.
fn copied_elsewhere<'t>(trace: &'t Trace, node: &Fed, way: &[EventRef]) -> Option<(usize, &'t Access)> {
    let made = node.made.1 as usize;
    let nodes = trace.notes.captures.all.iter().flat_map(|it| &it.nodes);
    let own = nodes.into_iter().find(|it| it.made == node.made)?;
    let written = |accesses: &[Access]| -> BTreeSet<Base> {
        let writes = accesses.iter().filter(|it| it.mode == Mode::Write);
        writes.map(|it| it.location.base).collect()
    };
    let by_node = written(&own.accesses);
    let mut behind = way.iter().enumerate().skip(made + 1).rev();
    behind.find_map(|(at, event)| {
        let Action::Call(call) = &event.of(trace).action else {
            return None;
        };
        let work = call.work.as_ref().filter(|it| it.kind == WorkKind::Copy)?;
        let is_read =
            |it: &&Access| it.mode == Mode::Read && trimmed(&it.location) == trimmed(&node.access.location);
        let read = work.accesses.iter().find(is_read)?;
        let elsewhere = written(&work.accesses).difference(&by_node).next().is_some();
        (elsewhere && !by_node.is_empty()).then_some((at, read))
    })
}

/// What a captured copy writes, where nothing else on the path writes it: neither another call nor a kernel; `None`
/// where something does, or may.
pub fn written_alone(trace: &Trace, made: EventRef) -> Option<&Access> {
    let nodes: Vec<_> = trace.notes.captures.all.iter().flat_map(|it| &it.nodes).collect();
    let by = |it: (ThreadId, u32)| it == (made.thread, made.index);
    let own = nodes.iter().find(|it| by(it.made))?;
    let mut writes = own.accesses.iter().filter(|it| it.mode == Mode::Write);
    let (written, None) = (writes.next()?, writes.next()) else {
        return None;
    };
    let meets = |it: &Access| it.mode == Mode::Write && may_meet(it, written);
    let of_nodes = nodes.iter().filter(|it| !by(it.made)).flat_map(|it| &it.accesses);
    let of_calls = calls(trace)
        .filter(|(event, _)| *event != made)
        .filter_map(|(_, call)| call.work.as_ref())
        .filter(|work| work.kind != WorkKind::Graph)
        .flat_map(|work| &work.accesses);
    let own_accesses = own.accesses.iter();
    let is_same = |it: &Access| own_accesses.clone().any(|own| std::ptr::eq(own, it));
    let mut others = of_nodes.chain(of_calls);
    (!others.any(|it| meets(it) && !is_same(it))).then_some(written)
}

/// Whether two writes may share memory.
fn may_meet(first: &Access, second: &Access) -> bool {
    let begin = |it: &Access| match it.location.path.as_slice() {
        [] => Some(0),
        [Step::Element(index)] => Some(*index),
        _ => None,
    };
    let is_known = |it: &Step| matches!(it, Step::Element(_) | Step::Field(_));
    let (one, two) = (&first.location, &second.location);
    let differs = |(one, two): (&Step, &Step)| one != two && is_known(one) && is_known(two);
    let apart = match (begin(first), begin(second)) {
        // The same statement at another element copies the next piece.
        (Some(from), Some(other)) if first.at == second.at => from != other,
        (Some(from), Some(other)) => {
            let ends = |it: &Access, from: i64| it.count.map(|count| from + count);
            ends(first, from).is_some_and(|it| it <= other)
                || ends(second, other).is_some_and(|it| it <= from)
        }
        _ => one.path.iter().zip(&two.path).any(differs),
    };
    // What a pointer that is kept there leads to is other memory.
    let leads_away = |it: &Location| {
        it.path
            .iter()
            .any(|step| matches!(step, Step::Field(name) if name.as_ref() == "*"))
    };
    one.base == two.base && !apart && leads_away(one) == leads_away(two)
}

/// The place without steps to first elements.
fn trimmed(location: &Location) -> (Base, Vec<&Step>) {
    let steps = location.path.iter().filter(|it| **it != Step::Element(0));
    (location.base, steps.collect())
}

/// A host access that surely writes what a copy reads.
fn fills(event: &Event, read: &Access) -> bool {
    let place = match &event.action {
        Action::Store(write) if !write.guess => &write.location,
        Action::Touch(access) if access.mode == Mode::Write && access.sure => &access.location,
        _ => return false,
    };
    let ((base, path), (read_base, start)) = (trimmed(place), trimmed(&read.location));
    let Some(rest) = path.strip_prefix(start.as_slice()).filter(|_| base == read_base) else {
        return false;
    };
    match rest.first() {
        None | Some(Step::Field(_)) => true,
        Some(Step::Element(index)) => read.count.is_some_and(|count| (0..count).contains(index)),
        Some(Step::At(_) | Step::Any) => false,
    }
}

/// Anything that may change the memory a copy reads.
fn may_write(event: &Event, read: &Access) -> bool {
    let hits = |location: &Location| location.base == read.location.base;
    match &event.action {
        Action::Store(write) => hits(&write.location),
        Action::Touch(access) => access.mode != Mode::Read && hits(&access.location),
        Action::Call(call) => call.work.iter().any(|work| {
            let writes = work.accesses.iter().filter(|it| it.mode != Mode::Read);
            writes.into_iter().any(|it| hits(&it.location)) || work.writes.iter().any(|it| hits(&it.location))
        }),
        _ => false,
    }
}

fn event_at(spot: &Spot) -> EventRef {
    EventRef {
        thread: spot.thread,
        index: spot.position,
    }
}

pub(super) fn calls(trace: &Trace) -> impl Iterator<Item = (EventRef, &Call)> {
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
