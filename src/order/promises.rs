//! What a function that is handed a stream promises to its caller: what it is handed is ready for work in that stream and in
//! no other, and what it does to it has its place in that stream.

use std::sync::Arc;

use super::EventRef;
use super::apart::Apart;
use super::happens::{Happens, Moment, Trust};
use super::races::{self, Hazard, Race};
use crate::trace::notes::Forgotten;
use crate::trace::{
    Access, Action, Base, Block, Call, DeviceId, Event, Extent, LEGACY, Mode, Site, Stream, StreamId,
    StreamKind, ThreadId, Trace, Work, WorkKind,
};

/// A promise that is not kept.
#[derive(Clone, Debug)]
pub struct Breach {
    /// How it shows.
    pub how: How,
    /// The work outside of the stream.
    pub work: EventRef,
    /// What it does to the caller's memory.
    pub access: Access,
    /// Where it is enqueued.
    pub stream: StreamId,
    /// The stream that was handed in, in the user's words.
    pub given: String,
    /// The call that should have been given the stream.
    pub through: Option<Forgotten>,
    /// Some work of the same path uses the caller's memory in the stream.
    pub works_in_given: bool,
    /// The work stands in a stream that the function made itself, or that it lets wait for the one it is handed, rather
    /// than in the default stream.
    pub forked: bool,
    /// Nobody saw that stream being made.
    pub lent: bool,
    /// The stream was not handed in by itself: somebody else keeps it.
    pub kept: bool,
    /// It is a stream that was handed in too, by itself or when the object was made.
    pub both: bool,
}

/// How a broken promise shows.
#[derive(Clone, Debug)]
pub enum How {
    /// Against other work of the function itself, in the stream.
    Inside(Box<Race>),
    /// Against what the caller enqueued in the stream before.
    Before,
    /// Against what the caller enqueues in it next.
    After,
}

/// Promises that a path breaks: its streams may be non-blocking ones.
pub fn breaches(trace: &Trace) -> Vec<Breach> {
    let promise = &trace.notes.promise;
    let keeps = trace.streams.iter().any(|it| it.kept);
    if promise.streams.is_empty() && promise.members.is_empty() && !keeps || trace.has_waits() {
        return Vec::new();
    }
    let apart = match trace.lets_stream_wait() {
        true => Apart::of(trace),
        false => Apart::default(),
    };
    let (view, given) = non_blocking(trace, &apart);
    let mut found = inside(trace, &view, &given);
    // What others do with the stream of an object is not known.
    if !promise.streams.is_empty() {
        found.extend(against_caller(trace, view, &given, &apart));
    }
    // What a constructor does is no promise of the method.
    found.retain(|it| it.work.thread != ThreadId(0) || it.work.index >= promise.begin);
    for it in &mut found {
        it.through = through(trace, it.work);
    }
    found
}

/// The call in the text of the function that work happens in, and that is left with the default stream.
fn through(trace: &Trace, work: EventRef) -> Option<Forgotten> {
    let frames = &work.site(trace).frames;
    let mut calls = trace.notes.promise.forgotten.iter();
    calls.find(|call| frames.contains(&call.site)).cloned()
}

/// Calls that get the default stream where another one was handed in, with something of the caller's, and that nothing waits
/// for that stream before.
pub fn forgotten(trace: &Trace) -> Vec<Forgotten> {
    let all = &trace.notes.promise.forgotten;
    if all.is_empty() || trace.has_waits() {
        return Vec::new();
    }
    let waits = |call: &&Forgotten| {
        let events = &trace.threads[call.thread.0 as usize].events;
        let before = events.iter().take(call.position as usize);
        let blocks = before.filter_map(|it| match &it.action {
            Action::Call(call) => Some(call.waits_for()),
            _ => None,
        });
        let given = |stream: StreamId| trace.streams[stream.0 as usize].handed_in.is_some();
        blocks.into_iter().any(|it| match it {
            Block::Stream(stream) => given(stream),
            Block::Device | Block::Event(_) => true,
            _ => false,
        })
    };
    let all = all.iter().filter(|it| it.what.is_some() && !waits(it));
    all.cloned().collect()
}

/// Work in the default stream beside work in a stream that was handed in.
#[derive(Clone, Debug)]
pub struct Aside {
    /// The work outside of the stream.
    pub work: EventRef,
    /// Work of the same path in the stream, that nothing orders with it.
    pub other: EventRef,
    /// The stream that was handed in, in the user's words.
    pub given: String,
    /// The call that should have been given the stream.
    pub through: Option<Forgotten>,
}

/// Work in the default stream, and other work of the path in a stream that was handed in that nothing orders with it, where the two
/// may use the same memory: nobody knows what the first uses, or which part of what both use. What a function made itself is
/// known, so what is not known is the caller's, or leads to it.
pub fn asides(trace: &Trace) -> Vec<Aside> {
    if trace.notes.promise.streams.is_empty() || trace.has_waits() {
        return Vec::new();
    }
    let begin = trace.notes.promise.begin;
    let kernels = super::event_refs(trace).filter(|it| {
        let work = it.work(trace).filter(|it| is_default(trace, it.stream));
        let works = work.is_some_and(|it| match it.kind {
            WorkKind::Kernel => true,
            WorkKind::Other => it.accesses.iter().any(is_spread),
            _ => false,
        });
        works && (it.thread != ThreadId(0) || it.index >= begin)
    });
    let kernels: Vec<EventRef> = kernels.collect();
    if kernels.is_empty() {
        return Vec::new();
    }
    let apart = match trace.lets_stream_wait() {
        true => Apart::of(trace),
        false => Apart::default(),
    };
    let (view, given) = non_blocking(trace, &apart);
    let in_given = super::event_refs(&view).filter(|it| {
        let touches = |it: &Access| matches!(it.mode, Mode::Read | Mode::Write);
        let work = it.work(&view).filter(|it| given.contains(&it.stream));
        work.is_some_and(|it| match it.kind {
            WorkKind::Kernel => true,
            WorkKind::Copy | WorkKind::Memset | WorkKind::Other => it.accesses.iter().any(touches),
            _ => false,
        })
    });
    let in_given: Vec<EventRef> = in_given.collect();
    if in_given.is_empty() {
        return Vec::new();
    }
    let order = Happens::new(&view, Trust::MEASURED);
    let aside = |work: EventRef| {
        let comes_first = |a: EventRef, b: EventRef| order.ordered(Moment::Device(a), Moment::Device(b));
        let loose = |it: &&EventRef| !comes_first(**it, work) && !comes_first(work, **it);
        let here = work.work(&view)?;
        let may_meet = |it: &&EventRef| it.work(&view).is_some_and(|it| may_share(here, it));
        let other = in_given.iter().filter(loose).filter(may_meet);
        let other = *other.min_by_key(|it| (it.thread != work.thread, it.index.abs_diff(work.index)))?;
        let given = other.work(&view)?.stream;
        Some(Aside {
            work,
            other,
            given: view.streams[given.0 as usize].name.clone(),
            through: through(trace, work),
        })
    };
    kernels.into_iter().filter_map(aside).collect()
}

/// An event that is recorded in the default stream by what is handed another one.
#[derive(Clone, Debug)]
pub struct MarkedElsewhere {
    /// The record.
    pub record: EventRef,
    /// The stream that was handed in, in the user's words.
    pub given: String,
}

/// Events that a path records in the legacy default stream where it was handed another one and has enqueued nothing in the default
/// one: they stand for nothing the path or its caller did. Who lets a stream wait for the event, or has waited for work before,
/// means something else.
pub fn marked_elsewhere(trace: &Trace) -> Vec<MarkedElsewhere> {
    let promise = &trace.notes.promise;
    let Some(given) = promise.streams.first().filter(|_| !trace.has_waits()) else {
        return Vec::new();
    };
    let kind = |it: EventRef| Some((it.work(trace)?.stream, it.work(trace)?.kind));
    let is_waited_for = |event| {
        super::event_refs(trace).any(|it| kind(it).is_some_and(|it| it.1 == WorkKind::WaitEvent(event)))
    };
    let is_record = |it: &EventRef| {
        let begun = it.thread != ThreadId(0) || it.index >= promise.begin;
        begun && matches!(kind(*it), Some((LEGACY, WorkKind::Record(event))) if !is_waited_for(event))
    };
    let follows_something = |record: &EventRef| {
        let events = trace.threads[record.thread.0 as usize].events.iter();
        events.take(record.index as usize).any(|it| match &it.action {
            Action::Call(call) => {
                let works = call.work.as_ref().filter(|it| it.stream == LEGACY);
                works.is_some_and(|it| !matches!(it.kind, WorkKind::Record(_)))
                    || call.waits_for() != Block::None
            }
            _ => false,
        })
    };
    let records = super::event_refs(trace).filter(|it| is_record(it) && !follows_something(it));
    records
        .map(|record| MarkedElsewhere {
            record,
            given: given.clone(),
        })
        .collect()
}

/// An access of more than one element.
fn is_spread(access: &Access) -> bool {
    access.extent != Extent::Element && matches!(access.mode, Mode::Read | Mode::Write)
}

/// Whether the first work may use memory that the second changes, or change what that uses, as far as anybody knows.
fn may_share(first: &Work, second: &Work) -> bool {
    let is_own = |it: &Access| {
        let place = &it.location;
        it.sure && matches!(place.base, Base::Local(_) | Base::Allocation(_)) && !place.is_behind_pointer()
    };
    let meets = |mine: &Access| {
        let mut theirs = second.accesses.iter();
        theirs.any(|it| {
            it.location.base == mine.location.base && (mine.mode == Mode::Write || it.mode == Mode::Write)
        })
    };
    let known = first.kind == WorkKind::Other || !first.accesses.is_empty();
    !known
        || first
            .accesses
            .iter()
            .any(|it| !is_own(it) || is_spread(it) && meets(it))
}

/// The path as it is when the streams it is handed are non-blocking ones, and those.
fn non_blocking(trace: &Trace, apart: &Apart) -> (Trace, Vec<StreamId>) {
    let mut view = trace.clone();
    let mut given = Vec::new();
    for (index, stream) in view.streams.iter_mut().enumerate() {
        if stream.handed_in.is_some() && stream.kind == StreamKind::Unknown {
            stream.kind = StreamKind::NonBlocking;
            stream.created = true;
            given.push(StreamId(index as u32));
        }
    }
    merge_kept(&mut view, &mut given, apart);
    if given.is_empty() {
        given.push(StreamId(view.streams.len() as u32));
        view.streams.push(Stream {
            kind: StreamKind::NonBlocking,
            name: trace.notes.promise.streams.first().cloned().unwrap_or_default(),
            device: DeviceId::FIRST,
            created: true,
            handed_in: Some(0),
            kept: false,
            carried: false,
            element: false,
            made: None,
            own: None,
        });
    }
    (view, given)
}

/// Streams that somebody else keeps are non-blocking ones too, and may all be the same: two calls return it. Those that wait
/// for what is handed in, or that this waits for, are others.
fn merge_kept(view: &mut Trace, given: &mut Vec<StreamId>, apart: &Apart) {
    let kept: Vec<StreamId> = view
        .streams
        .iter()
        .enumerate()
        .filter(|(_, it)| it.kept && it.kind == StreamKind::Unknown)
        .map(|(index, _)| StreamId(index as u32))
        .filter(|it| !given.iter().any(|given| apart.holds(*it, *given)))
        .collect();
    let Some(first) = given.first().or(kept.first()).copied() else {
        return;
    };
    if kept.is_empty() {
        return;
    }
    let stream = &mut view.streams[first.0 as usize];
    (stream.kind, stream.created) = (StreamKind::NonBlocking, true);
    for event in view.threads.iter_mut().flat_map(|it| &mut it.events) {
        if let Action::Call(call) = &mut event.action {
            if let Some(work) = &mut call.work
                && kept.contains(&work.stream)
            {
                work.stream = first;
            }
            if let Block::Stream(stream) = &mut call.blocks
                && kept.contains(stream)
            {
                *stream = first;
            }
        }
    }
    for call in &mut view.notes.opaque {
        if kept.iter().any(|it| call.streams.contains(it)) {
            call.streams.insert(first);
        }
    }
    if given.is_empty() {
        given.push(first);
    }
}

/// Work in one of the streams, and other work of the path that nothing orders with it.
///
/// Between two accesses of one call its caller does nothing: whichever streams it hands in, it cannot order them.
fn inside(trace: &Trace, view: &Trace, given: &[StreamId]) -> Vec<Breach> {
    let (races, _) = races::find(view);
    let stream = |at: EventRef| Some(at.work(view)?.stream);
    let in_call = |it: EventRef| it.thread != ThreadId(0) || it.index >= trace.notes.promise.begin;
    // A stream that somebody keeps may be any.
    let is_handed = |it: EventRef| {
        let stream = it.work(trace).map(|it| &trace.streams[it.stream.0 as usize]);
        stream.is_some_and(|it| it.handed_in.is_some())
    };
    let called_with = |it: EventRef| in_call(it) && is_handed(it);
    // A wait that does not help is told as what it is.
    let waits = |race: &Race, stream: StreamId| {
        let (first, last) = (race.earlier.index as usize, race.later.index as usize);
        let events = &view.threads[race.later.thread.0 as usize].events;
        let between = events.get(first..last).unwrap_or_default();
        between.iter().any(|it| match &it.action {
            Action::Call(call) => call
                .work
                .as_ref()
                .is_some_and(|it| it.stream == stream && matches!(it.kind, WorkKind::WaitEvent(_))),
            _ => false,
        })
    };
    let apart = |race: &Race, later: StreamId| {
        called_with(race.earlier) && called_with(race.later) && !waits(race, later)
    };
    let breach = |race: Race| {
        let (first, second) = (stream(race.earlier)?, stream(race.later)?);
        let both = first != second && given.contains(&first) && given.contains(&second);
        let (work, access, elsewhere, mine) = match (given.contains(&first), given.contains(&second)) {
            (true, false) => (race.later, race.later_access.clone(), second, first),
            (false, true) => (race.earlier, race.earlier_access.clone(), first, second),
            (true, true) if both => (race.later, race.later_access.clone(), second, first),
            _ => return None,
        };
        let told = both && apart(&race, second)
            || is_default(view, elsewhere)
            || is_fork(view, elsewhere)
                && race.hazard == Hazard::CrossStream
                && !is_lane_of(view, elsewhere, mine);
        told.then(|| Breach {
            how: How::Inside(Box::new(race)),
            work,
            access,
            stream: elsewhere,
            given: view.streams[mine.0 as usize].name.clone(),
            through: None,
            works_in_given: true,
            forked: is_fork(view, elsewhere),
            lent: false,
            kept: view.streams[mine.0 as usize].kept,
            both,
        })
    };
    races.into_iter().filter_map(breach).collect()
}

/// Whether a stream is one of several that an object lends beside its own: which of them that is, and what they are ordered with, only
/// its class knows.
fn is_lane_of(trace: &Trace, stream: StreamId, given: StreamId) -> bool {
    let of = |it: StreamId| &trace.streams[it.0 as usize];
    of(given).carried && of(stream).element
}

/// A stream the function made itself, or one that an object made for itself.
fn is_fork(trace: &Trace, stream: StreamId) -> bool {
    let it = &trace.streams[stream.0 as usize];
    (it.created || it.own.is_some())
        && it.handed_in.is_none()
        && it.device != DeviceId::NONE
        && matches!(it.kind, StreamKind::Blocking | StreamKind::NonBlocking)
}

/// How a function orders work in a stream nobody saw being made with what is in a stream it is handed: so these are two.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lent {
    /// It forks the work there, and does not join it.
    Forked,
    /// It joins the work, and has not forked it there.
    Joined,
}

/// How a function orders work, where that is in such a stream.
fn lent(trace: &Trace, apart: &Apart, work: EventRef, given: &[StreamId]) -> Option<Lent> {
    let stream = work.work(trace)?.stream;
    let it = &trace.streams[stream.0 as usize];
    if it.created || it.own.is_some() || it.handed_in.is_some() {
        return None;
    }
    let forks = given.iter().any(|it| apart.waits_for(stream, *it));
    let joins = given.iter().any(|it| apart.waits_for(*it, stream));
    match (forks, joins) {
        (true, false) => (!is_left_to_others(trace, work, stream)).then_some(Lent::Forked),
        (false, true) => Some(Lent::Joined),
        // A join that comes too early is the fault of the join.
        _ => None,
    }
}

/// Whether something behind work in its stream stands for it that others may wait for, or the host waits for it.
fn is_left_to_others(trace: &Trace, work: EventRef, stream: StreamId) -> bool {
    let events = &trace.threads[work.thread.0 as usize].events;
    let later = events.get(work.index as usize + 1..).unwrap_or_default();
    later.iter().any(|it| match &it.action {
        Action::Call(call) => {
            let records = call
                .work
                .as_ref()
                .is_some_and(|it| it.stream == stream && matches!(it.kind, WorkKind::Record(_)));
            records
                || matches!(call.waits_for(), Block::Stream(it) | Block::StreamAnswered(it) if it == stream)
        }
        _ => false,
    })
}

fn is_default(trace: &Trace, stream: StreamId) -> bool {
    stream == LEGACY || trace.streams[stream.0 as usize].kind == StreamKind::PerThread
}

/// Work outside of the streams on what the caller handed in, and the caller's own work in them before and after.
fn against_caller(trace: &Trace, mut view: Trace, given: &[StreamId], apart: &Apart) -> Vec<Breach> {
    let memory = &trace.notes.promise.memory;
    let events = trace.threads[0].events.len();
    let site = Site {
        file: trace.entry.file,
        span: crate::syntax::Span::default(),
        frames: Arc::from([]),
    };
    let own = &mut view.threads[0].events;
    own.splice(0..0, given.iter().map(|it| callers_work(*it, &site)));
    own.extend(given.iter().map(|it| callers_work(*it, &site)));
    let order = Happens::new(&view, Trust::MEASURED);
    let shift = given.len() as u32;
    let at = |index: usize| EventRef {
        thread: ThreadId(0),
        index: index as u32,
    };
    let before: Vec<EventRef> = (0..given.len()).map(at).collect();
    let after: Vec<EventRef> = (0..given.len()).map(|it| at(given.len() + events + it)).collect();
    let mut found = Vec::new();
    let works_in_given = trace.threads.iter().flat_map(|it| &it.events).any(|it| {
        let Action::Call(call) = &it.action else {
            return false;
        };
        let work = call.work.as_ref().filter(|it| given.contains(&it.stream));
        work.is_some_and(|it| it.accesses.iter().any(|it| memory.contains(&it.location.base)))
    });
    for event in super::event_refs(trace) {
        let Some(work) = event.work(trace) else {
            continue;
        };
        // A stream without any work of the function itself is one that others are to wait for.
        let lent = lent(trace, apart, event, given).filter(|it| works_in_given || *it == Lent::Joined);
        let forked = lent.is_some() || is_fork(trace, work.stream);
        if !is_default(&view, work.stream) && !forked || work.kind.is_marker() {
            continue;
        }
        if given.iter().any(|it| is_lane_of(&view, work.stream, *it)) {
            continue;
        }
        let in_view = match event.thread {
            ThreadId(0) => EventRef {
                index: event.index + shift,
                ..event
            },
            _ => event,
        };
        let moment = Moment::Device(in_view);
        // Of what is copied from one to the other by whatever direction fits, one at least is no memory of the host.
        let is_theirs = |it: &Access| !it.declared && memory.contains(&it.location.base);
        let between =
            work.kind == WorkKind::Copy && work.accesses.len() == 2 && work.accesses.iter().all(is_theirs);
        let theirs = work.accesses.iter().filter(|it| {
            let made = (it.sure || between) && !it.declared || it.declared && work.kind == WorkKind::Kernel;
            made && it.mode != Mode::Allocate && memory.contains(&it.location.base)
        });
        let mut theirs: Vec<&Access> = theirs.collect();
        theirs.sort_by_key(|it| (it.declared, it.mode == Mode::Read));
        for access in theirs {
            let waits = |earlier: bool| {
                trace.notes.opaque.iter().any(|it| {
                    let between = it.thread == event.thread && earlier == (it.position <= event.index);
                    let streams: &[StreamId] = if earlier { given } else { &[work.stream] };
                    between && it.may_wait_for_callers(streams, access.location.base)
                })
            };
            let loose = |caller: &EventRef| !order.ordered(Moment::Device(*caller), moment);
            let unjoined = |caller: &EventRef| !order.ordered(moment, Moment::Device(*caller));
            let starts_early = lent != Some(Lent::Forked) && before.iter().all(loose) && !waits(true);
            let mut hows = Vec::new();
            if starts_early {
                hows.push(How::Before);
            }
            // Of work in the default stream one of the two says enough.
            let left = || forked && is_told(trace, event, work.stream);
            if (forked || !starts_early) && after.iter().all(unjoined) && !waits(false) && !left() {
                hows.push(How::After);
            }
            found.extend(hows.into_iter().map(|how| Breach {
                how,
                work: event,
                access: access.clone(),
                stream: work.stream,
                given: view.streams[given[0].0 as usize].name.clone(),
                through: None,
                works_in_given,
                forked,
                lent: lent.is_some(),
                kept: false,
                both: false,
            }));
        }
    }
    found
}

/// Whether an event stands for work when the function has returned that somebody else can wait for: it is recorded behind the
/// work, in its stream, and kept.
fn is_told(trace: &Trace, work: EventRef, stream: StreamId) -> bool {
    let events = &trace.threads[work.thread.0 as usize].events;
    let mut behind = events.iter().skip(work.index as usize + 1);
    behind.any(|it| match &it.action {
        Action::Call(call) => call.work.as_ref().is_some_and(|it| {
            let event = match it.kind {
                WorkKind::Record(event) => event,
                _ => return false,
            };
            it.stream == stream && trace.notes.promise.events.contains(&event)
        }),
        _ => false,
    })
}

/// What the caller enqueues itself.
pub(super) fn callers_work(stream: StreamId, site: &Site) -> Event {
    let work = Work {
        kind: WorkKind::Other,
        stream,
        kernel: None,
        waits: Vec::new(),
        writes: Vec::new(),
        accesses: Vec::new(),
    };
    Event {
        site: site.clone(),
        action: Action::Call(Box::new(Call {
            name: String::new(),
            api: None,
            work: Some(work),
            blocks: Block::None,
            load: None,
            device: DeviceId::FIRST,
            debug_only: false,
        })),
    }
}
