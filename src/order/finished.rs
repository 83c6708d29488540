//! What has ended when a host thread, or the record of an event, comes to a point: the work that is surely or possibly
//! waited for, so that only what nothing waits for is called unfinished.

use std::collections::{BTreeMap, BTreeSet};

use super::EventRef;
use super::happens::{Happens, Moment, Trust};
use super::positions::Positions;
use crate::trace::notes::{Mark, Region};
use crate::trace::{
    Action, Block, Call, Event, EventId, LEGACY, StreamId, StreamKind, ThreadId, Trace, Work, WorkKind,
};

/// Work of a region that may still run when its last mark is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leftover {
    /// Nothing waits for these.
    pub unfinished: Vec<EventRef>,
    /// These have ended.
    pub finished: Vec<EventRef>,
}

/// Work enqueued inside a region, by whether the host waits for it before it reads the clock again.
///
/// Whatever may be a wait counts as one: a stream of unknown origin, a function that is neither in the project nor in
/// the C or C++ library, another thread that is joined.
pub fn at_host_stop(trace: &Trace, region: &Region) -> Leftover {
    let mut walk = Walk::new(trace, region.thread);
    walk.run(region);
    let ended = |index: &u32| walk.done.contains(*index);
    let mut leftover = split(trace, region, ended);
    let others = of_other_threads(trace, region);
    leftover.finished.extend(others.finished);
    leftover.unfinished.extend(others.unfinished);
    leftover
}

/// The same of work that other threads were given inside a region: those that its own thread is known to have waited for there.
fn of_other_threads(trace: &Trace, region: &Region) -> Leftover {
    let at = |index: u32| EventRef {
        thread: region.thread,
        index,
    };
    let (start, stop) = (region.start.position, region.stop.position);
    let events = &trace.threads[region.thread.0 as usize].events;
    let inside = events.get(start as usize..stop as usize).unwrap_or_default();
    let waits = |it: &Event| matches!(&it.action, Action::HostWait { ended_by, .. } if !ended_by.is_empty());
    let mut leftover = Leftover::default();
    if !inside.iter().any(waits) || !trace.notes.opaque.iter().all(|it| it.never_waits) {
        return leftover;
    }
    let order = Happens::new(trace, Trust::MEASURED);
    for work in order
        .enqueued()
        .iter()
        .copied()
        .filter(|it| it.thread != region.thread)
    {
        let kind = work_at(trace, work.thread, work.index).map(|it| it.kind);
        let is_order = kind.is_some_and(WorkKind::is_marker);
        if is_order || !order.issued_before(at(start), work) || !order.issued_before(work, at(stop)) {
            continue;
        }
        match order.ordered(Moment::Device(work), Moment::Host(at(stop))) {
            true => leftover.finished.push(work),
            false => leftover.unfinished.push(work),
        }
    }
    leftover
}

/// Work enqueued between two event records, by whether the second record comes after it on the device.
pub fn at_record(trace: &Trace, region: &Region, given: Given) -> Leftover {
    let ended = before_record(trace, region, given);
    match ended {
        Some(ended) => split(trace, region, |index| ended.contains(*index)),
        None => Leftover::default(),
    }
}

/// Whether the second record of a region comes after the first one on the device.
pub fn is_in_order(trace: &Trace, region: &Region, given: Given) -> bool {
    let ended = before_record(trace, region, given);
    ended.is_none_or(|it| it.contains(region.start.position))
}

/// What the second record of a region comes after.
fn before_record(trace: &Trace, region: &Region, given: Given) -> Option<Positions> {
    let mut walk = Walk::new(trace, region.thread);
    walk.given = given;
    walk.run(region);
    let stream = work_at(trace, region.thread, region.stop.position)?.stream;
    let mut ended = walk.before(stream);
    ended.join(&walk.done);
    Some(ended)
}

/// What is taken of streams that were handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// They may be any.
    Any,
    /// They do not wait for the default stream, nor it for them.
    NonBlocking,
    /// They are none of those that the path made before.
    Foreign,
    /// They do not wait for the default stream, nor it for them, and neither do streams that come out of objects.
    Apart,
}

/// Whether no work in one stream comes before work in another unless an event makes it.
pub fn are_apart(trace: &Trace, one: StreamId, other: StreamId) -> bool {
    let walk = Walk::new(trace, ThreadId(0));
    !walk.orders(one, other) && !walk.orders(other, one)
}

/// Whether the host may have waited for the second record of a region when it asks for the time.
pub fn may_be_over(trace: &Trace, region: &Region) -> bool {
    // A path that was cut short may end before the call that asks.
    let Some(position) = region
        .asked
        .filter(|it| call_at(trace, region.thread, *it).is_some())
    else {
        return true;
    };
    let mut walk = Walk::new(trace, region.thread);
    let stop = Mark {
        position,
        unseen: u32::MAX,
        ..region.stop.clone()
    };
    walk.run(&Region {
        stop,
        ..region.clone()
    });
    walk.done.contains(region.stop.position)
}

/// Whether nothing the host does between a call and a mark may be a wait for the work of the call.
pub fn is_open_at(trace: &Trace, work: EventRef, mark: &Mark) -> bool {
    let mut walk = Walk::new(trace, work.thread);
    walk.given = Given::Apart;
    walk.follow(work.index, mark.position, mark.unseen as usize);
    !walk.done.contains(work.index)
}

/// Work enqueued before a region begins that nothing has waited for by then, and that the host waits for inside it.
pub fn at_host_start(trace: &Trace, region: &Region) -> Vec<EventRef> {
    let mut walk = Walk::new(trace, region.thread);
    let whole = |stop: &Mark| Region {
        start: Mark {
            position: 0,
            ..region.start.clone()
        },
        stop: stop.clone(),
        ..region.clone()
    };
    walk.run(&whole(&region.start));
    let before = walk.done;
    let mut walk = Walk::new(trace, region.thread);
    walk.run(&whole(&region.stop));
    let is_work =
        |index: &u32| work_at(trace, region.thread, *index).is_some_and(|work| !work.kind.is_marker());
    (0..region.start.position)
        .filter(|index| is_work(index) && !before.contains(*index) && walk.done.contains(*index))
        .map(|index| EventRef {
            thread: region.thread,
            index,
        })
        .collect()
}

/// The stream an operation at a position of a thread is enqueued in.
pub fn stream_at(trace: &Trace, thread: ThreadId, position: u32) -> Option<StreamId> {
    work_at(trace, thread, position).map(|work| work.stream)
}

fn work_at(trace: &Trace, thread: ThreadId, position: u32) -> Option<&Work> {
    call_at(trace, thread, position)?.work.as_ref()
}

fn call_at(trace: &Trace, thread: ThreadId, position: u32) -> Option<&Call> {
    let events = &trace.threads.get(thread.0 as usize)?.events;
    match &events.get(position as usize)?.action {
        Action::Call(call) => Some(call),
        _ => None,
    }
}

fn split(trace: &Trace, region: &Region, ended: impl Fn(&u32) -> bool) -> Leftover {
    let mut leftover = Leftover::default();
    for index in region.start.position..region.stop.position {
        let Some(work) = work_at(trace, region.thread, index) else {
            continue;
        };
        if work.kind.is_marker() {
            continue;
        }
        let event = EventRef {
            thread: region.thread,
            index,
        };
        if ended(&index) {
            leftover.finished.push(event);
        } else {
            leftover.unfinished.push(event);
        }
    }
    leftover
}

/// One thread's enqueued work, followed from event to event.
pub(super) struct Walk<'t> {
    trace: &'t Trace,
    thread: ThreadId,
    /// What the next operation of a stream comes after.
    fronts: BTreeMap<StreamId, Positions>,
    records: BTreeMap<EventId, Positions>,
    /// What has ended, whatever ended it.
    pub(super) done: Positions,
    /// The legacy default stream and blocking streams wait for each other.
    pub(super) legacy: bool,
    given: Given,
}

impl<'t> Walk<'t> {
    pub(super) fn new(trace: &'t Trace, thread: ThreadId) -> Self {
        Walk {
            trace,
            thread,
            fronts: BTreeMap::new(),
            records: BTreeMap::new(),
            done: Positions::default(),
            legacy: true,
            given: Given::Any,
        }
    }

    /// Follows a region.
    fn run(&mut self, region: &Region) {
        // A call right behind the second reading is none before it; where nobody knows what the time is told for, it may be.
        let unseen = match self.trace.shown(region).next().is_some() {
            true => region.stop.unseen as usize,
            false => usize::MAX,
        };
        self.follow(region.start.position, region.stop.position, unseen);
    }

    /// Follows events and so many of the calls nobody sees; of what comes before them only which events are recorded matters.
    fn follow(&mut self, start: u32, end: u32, unseen: usize) {
        for index in 0..start {
            if let Some(Work {
                kind: WorkKind::Record(event),
                ..
            }) = work_at(self.trace, self.thread, index)
            {
                self.records.insert(*event, Positions::default());
            }
        }
        let before_stop = self.trace.notes.opaque.iter().take(unseen);
        let opaque: BTreeSet<u32> = before_stop
            .filter(|it| it.thread == self.thread && !it.never_waits)
            .map(|it| it.position)
            .collect();
        for index in start..end {
            if opaque.contains(&index) {
                self.done.insert_before(index);
            }
            self.step(index);
        }
        if opaque.contains(&end) {
            self.done.insert_before(end);
        }
    }

    pub(super) fn step(&mut self, index: u32) {
        let Some(event) = self.trace.threads[self.thread.0 as usize]
            .events
            .get(index as usize)
        else {
            return;
        };
        match &event.action {
            Action::Call(call) => {
                if let Some(work) = &call.work {
                    self.enqueue(index, work);
                }
                self.wait(call, index);
            }
            // Another thread, or the kernel that stores what is polled, may have waited for everything.
            Action::HostWait { .. } | Action::Join(_) => self.done.insert_before(index),
            _ => {}
        }
    }

    fn enqueue(&mut self, index: u32, work: &Work) {
        let mut before = self.before(work.stream);
        before.insert(index);
        match work.kind {
            WorkKind::Record(event) => {
                self.records.insert(event, before.clone());
            }
            WorkKind::WaitEvent(event) => {
                if let Some(recorded) = self.records.get(&event) {
                    before.join(recorded);
                }
            }
            _ => {}
        }
        self.fronts.insert(work.stream, before);
    }

    fn wait(&mut self, call: &Call, index: u32) {
        match call.waits_for() {
            Block::None => {}
            Block::Device => self.done.insert_before(index + 1),
            Block::Stream(stream) | Block::StreamAnswered(stream) => {
                let ended = self.before(stream);
                self.done.join(&ended);
            }
            Block::OwnWork | Block::PerhapsOwnWork => {
                let stream = call.work.as_ref().map_or(LEGACY, |it| it.stream);
                let ended = self.before(stream);
                self.done.join(&ended);
            }
            Block::Event(event) | Block::EventAnswered(event) => match self.records.get(&event) {
                Some(ended) => self.done.join(ended),
                None => self.done.insert_before(index),
            },
        }
    }

    /// What the next operation of a stream comes after, as far as one cannot rule it out.
    pub(super) fn before(&self, stream: StreamId) -> Positions {
        let mut found = Positions::default();
        let fronts = self.fronts.iter();
        let earlier = fronts.filter(|(other, _)| self.orders(**other, stream));
        earlier.for_each(|(_, front)| found.join(front));
        found
    }

    /// Whether one stream was handed in, and the other is none of those that callers can know: it was made later, or that is
    /// taken for granted.
    fn is_foreign(&self, given: StreamId, own: StreamId) -> bool {
        let of = |id: StreamId| &self.trace.streams[id.0 as usize];
        let is_made = of(own).created && of(own).kind == StreamKind::NonBlocking;
        let handed = of(given)
            .handed_in
            .filter(|_| of(given).kind == StreamKind::Unknown);
        is_made && handed.is_some_and(|count| count <= own.0 || self.given == Given::Foreign)
    }

    /// Whether work in one stream comes before later work in another.
    fn orders(&self, earlier: StreamId, later: StreamId) -> bool {
        if earlier == later {
            return true;
        }
        let of = |id: StreamId| &self.trace.streams[id.0 as usize];
        let (a, b) = (of(earlier), of(later));
        let legacy = |kind| self.legacy && kind == StreamKind::Legacy;
        let apart = |it: &crate::trace::Stream| {
            let given = match self.given {
                Given::Any | Given::Foreign => false,
                Given::NonBlocking => it.handed_in.is_some(),
                Given::Apart => !it.created,
            };
            it.kind == StreamKind::NonBlocking || it.kind == StreamKind::Unknown && given
        };
        match (legacy(a.kind), legacy(b.kind)) {
            (true, _) => !apart(b),
            (_, true) => !apart(a),
            // Two names of one stream, for all one knows: an element nobody knows the index of is any that is made there.
            _ if !(a.created && b.created) && a.made.is_some() && a.made == b.made => true,
            _ if self.is_foreign(earlier, later) || self.is_foreign(later, earlier) => false,
            _ => !a.created && !b.created || a.kind == StreamKind::Unknown || b.kind == StreamKind::Unknown,
        }
    }
}
