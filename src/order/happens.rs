//! What certainly happens before what: stream order, the legacy default stream, events, and waits of the host.
//!
//! Every host thread and every stream is a chain; a clock says how far along each chain everything has certainly
//! ended. Only guaranteed edges count, and those the caller chooses to trust.

use std::collections::{BTreeMap, BTreeSet};

use super::{EventRef, event_refs};
use crate::api::{Blocking, Operation};
use crate::facts::ir::BinaryOp;
use crate::trace::{
    Action, Block, Call, DeviceId, EventId, LEGACY, Location, StreamId, StreamKind, ThreadId, Trace, Wait,
    Work, WorkKind, Write,
};

/// Edges no document promises, and whether to rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust {
    /// `cudaFree` and its like wait for the device ("may perform implicit synchronization").
    pub implicit: bool,
    /// Asynchronous copies to pageable memory are complete when the call returns ("might be synchronous").
    pub pageable: bool,
    /// Launches of one executable graph come one after the other, whatever their streams.
    pub graphs: bool,
}

impl Trust {
    /// What was measured counts.
    pub const MEASURED: Trust = Trust {
        implicit: true,
        pageable: true,
        graphs: true,
    };
    /// Only what documents promise counts.
    pub const DOCUMENTED: Trust = Trust {
        implicit: false,
        pageable: false,
        graphs: true,
    };
}

/// Something that happens: a step of a host thread, or the work a call enqueued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// The host executes this event.
    Host(EventRef),
    /// The device executes the work of this call.
    Device(EventRef),
}

/// For each chain, how many of its moments have certainly ended.
type Clock = Vec<u32>;

/// The order of one trace.
#[derive(Debug)]
pub struct Happens<'t> {
    trace: &'t Trace,
    trust: Trust,
    /// Devices whose legacy default streams are told apart: each has one of its own.
    legacy_devices: Vec<DeviceId>,
    /// What has ended when a host event begins.
    host: BTreeMap<EventRef, Clock>,
    /// What has ended when the work of a call begins, its chain, and its place in it.
    device: BTreeMap<EventRef, (Clock, usize, u32)>,
    /// The record an event wait waits for, host waits included.
    records_of: BTreeMap<EventRef, Option<EventRef>>,
    /// Waits for an event that was recorded again by a thread that nothing shows to have come so far.
    early_waits: BTreeSet<EventRef>,
    /// Calls with work, in the order they were looked at.
    enqueued: Vec<EventRef>,
    /// When each event was looked at: no event that comes first for sure comes later here.
    sequence: BTreeMap<EventRef, usize>,
}

/// The state while the trace is walked.
struct Walk {
    threads: Vec<Option<Clock>>,
    next: Vec<usize>,
    running: Vec<bool>,
    /// The clock after the last work of each stream on each device: one handle means the default stream of every device.
    streams: Vec<BTreeMap<DeviceId, Clock>>,
    /// Where each event was recorded, and what has ended once that is reached.
    records: BTreeMap<EventId, Vec<(EventRef, Clock)>>,
    /// What had ended when each thread was started.
    started: Vec<Clock>,
    /// The end of the last launch of each executable graph.
    graphs: BTreeMap<u32, Clock>,
    /// Who wrote what, and what has ended once the write is seen.
    writes: Vec<Written>,
    /// The same of the whole trace, where that was worked out before.
    known: Vec<Written>,
    /// What work writes behind waits of its own.
    answers: Vec<Answer>,
}

/// The longest chain of waits that are enqueued before the writes that end them.
const MOST_LINKS: usize = 16;

/// A write, and what has ended once it is seen.
struct Written {
    location: Location,
    /// What follows the place was written too.
    range: bool,
    value: Option<i64>,
    ended: Clock,
}

impl Written {
    fn new(write: &Write, ended: Clock) -> Self {
        Written {
            location: write.location.clone(),
            range: write.range,
            value: write.value,
            ended,
        }
    }

    fn reaches(&self, places: &[&Location]) -> bool {
        places.iter().any(|it| self.location.overlaps(it, self.range))
    }
}

/// A write that comes behind waits of the same work.
struct Answer {
    location: Location,
    range: bool,
    /// Where a request is written.
    asked: Vec<Location>,
}

impl Walk {
    /// Whoever wrote a place had done everything before it; what comes after the wait itself did not end it.
    /// Whether anybody did.
    fn join_writes(&self, clock: &mut Clock, places: &[&Location], (chain, position): (usize, u32)) -> bool {
        let later = self.known.iter().filter(|it| it.ended[chain] < position);
        let written = self.writes.iter().chain(later);
        let mut reaching = written.filter(|it| it.reaches(places)).peekable();
        let any = reaching.peek().is_some();
        reaching.for_each(|it| join(clock, &it.ended));
        any
    }

    /// What nobody is known to have ended was ended by somebody: it may be the device, when all its work was done.
    fn join_everything(&self, clock: &mut Clock) {
        let streams = self.streams.iter().flat_map(BTreeMap::values);
        streams.for_each(|it| join(clock, it));
    }

    /// Work that waits in each of its rounds answers in each: whoever waits for an answer again sees one to what was
    /// asked last, unless that is known to come after what was waited for.
    fn join_requests(&self, clock: &mut Clock, places: &[&Location], until: Option<(BinaryOp, i64)>) {
        let seen = |it: &&Answer| places.iter().any(|place| it.location.overlaps(place, it.range));
        let asked: Vec<&Location> = self
            .answers
            .iter()
            .filter(seen)
            .flat_map(|it| &it.asked)
            .collect();
        if asked.is_empty() {
            return;
        }
        let threads = self.threads.len();
        let issued = |it: &Written| it.ended[..threads].iter().zip(&*clock).all(|(a, b)| a <= b);
        let requests: Vec<&Written> = self
            .writes
            .iter()
            .filter(|it| it.reaches(&asked) && issued(it))
            .collect();
        let least = match until {
            Some((BinaryOp::Equal | BinaryOp::GreaterEqual, least)) => Some(least),
            Some((BinaryOp::Greater, below)) => below.checked_add(1),
            _ => None,
        };
        // An answer repeats its request where some request holds what is waited for.
        let least = least.filter(|least| requests.iter().any(|it| it.value == Some(*least)));
        let is_later = |it: &Written| least.is_some_and(|least| it.value.is_some_and(|it| it > least));
        for request in requests.into_iter().filter(|it| !is_later(it)) {
            join(clock, &request.ended);
        }
    }
}

impl<'t> Happens<'t> {
    /// Works out the order of a trace.
    pub fn new(trace: &'t Trace, trust: Trust) -> Self {
        let (mut order, mut writes) = Self::with_writes(trace, trust, Vec::new());
        if !trace.has_waits() {
            return order;
        }
        // A wait may be enqueued before the write that ends it, and that may follow another such wait.
        for _ in 0..MOST_LINKS {
            let before: Vec<Clock> = writes.iter().map(|it| it.ended.clone()).collect();
            (order, writes) = Self::with_writes(trace, trust, writes);
            if writes.iter().map(|it| &it.ended).eq(&before) {
                break;
            }
        }
        order
    }

    /// The order when these writes are known beforehand, and all writes.
    fn with_writes(trace: &'t Trace, trust: Trust, known: Vec<Written>) -> (Self, Vec<Written>) {
        let legacy_devices = legacy_devices(trace);
        let chains = trace.threads.len() + trace.streams.len() + legacy_devices.len();
        let mut walk = Walk {
            threads: vec![None; trace.threads.len()],
            next: vec![0; trace.threads.len()],
            running: vec![false; trace.threads.len()],
            streams: vec![BTreeMap::new(); trace.streams.len()],
            records: BTreeMap::new(),
            started: vec![Clock::new(); trace.threads.len()],
            graphs: BTreeMap::new(),
            writes: Vec::new(),
            known,
            answers: Vec::new(),
        };
        let mut order = Happens {
            trace,
            trust,
            legacy_devices,
            host: BTreeMap::new(),
            device: BTreeMap::new(),
            records_of: BTreeMap::new(),
            early_waits: BTreeSet::new(),
            enqueued: Vec::new(),
            sequence: BTreeMap::new(),
        };
        if let Some(main) = walk.threads.first_mut() {
            *main = Some(vec![0; chains]);
        }
        for thread in 0..trace.threads.len() {
            order.run(&mut walk, thread);
        }
        (order, walk.writes)
    }

    /// Whether `first` has certainly ended when `second` begins.
    pub fn ordered(&self, first: Moment, second: Moment) -> bool {
        let clock = match second {
            Moment::Host(event) => self.host.get(&event),
            Moment::Device(event) => self.device.get(&event).map(|it| &it.0),
        };
        let place = match first {
            Moment::Host(event) => Some((event.thread.0 as usize, event.index + 1)),
            Moment::Device(event) => self.device.get(&event).map(|it| (it.1, it.2)),
        };
        match (clock, place) {
            (Some(clock), Some((chain, position))) => clock.get(chain).is_some_and(|it| *it >= position),
            _ => false,
        }
    }

    /// Whether one host event comes before another in program order, or by starting and joining threads.
    pub fn issued_before(&self, first: EventRef, second: EventRef) -> bool {
        self.ordered(Moment::Host(first), Moment::Host(second))
    }

    /// Work that was enqueued before a host event and has not certainly ended when it begins.
    pub fn outstanding(&self, at: EventRef) -> Vec<EventRef> {
        let open = |it: &&EventRef| {
            self.issued_before(**it, at) && !self.ordered(Moment::Device(**it), Moment::Host(at))
        };
        self.enqueued.iter().filter(open).copied().collect()
    }

    /// Calls with work, in the order they are enqueued.
    pub fn enqueued(&self) -> &[EventRef] {
        &self.enqueued
    }

    /// A position in one order of all events that agrees with everything that is certain.
    pub fn sequence(&self, event: EventRef) -> usize {
        self.sequence.get(&event).copied().unwrap_or(usize::MAX)
    }

    /// The record a wait for an event waits for: `None` when `wait` is no such wait, `Some(None)` when nothing was
    /// recorded before it.
    pub fn record_of(&self, wait: EventRef) -> Option<Option<EventRef>> {
        self.records_of.get(&wait).copied()
    }

    /// Runs a thread until it ends or has not been started.
    fn run(&mut self, walk: &mut Walk, thread: usize) {
        self.run_to(walk, thread, usize::MAX);
    }

    /// What a thread waits for and nobody has written so far is written by another thread that has not come to it.
    fn run_writers(&mut self, walk: &mut Walk, thread: usize, places: &[Location]) {
        let hits = |location: &Location, range: bool| places.iter().any(|it| location.overlaps(it, range));
        if walk.writes.iter().any(|it| hits(&it.location, it.range)) {
            return;
        }
        for other in (0..self.trace.threads.len()).filter(|it| *it != thread) {
            let events = self.trace.threads[other].events.iter().enumerate();
            let mut writes = events
                .skip(walk.next[other])
                .filter(|(_, event)| match &event.action {
                    Action::Store(write) => hits(&write.location, write.range),
                    _ => false,
                });
            if let Some((first, _)) = writes.next() {
                self.run_to(walk, other, first + 1);
            }
        }
    }

    fn run_to(&mut self, walk: &mut Walk, thread: usize, end: usize) {
        if walk.running[thread] {
            return;
        }
        walk.running[thread] = true;
        while walk.threads[thread].is_some()
            && walk.next[thread] < end
            && let Some(event) = self.trace.threads[thread].events.get(walk.next[thread])
        {
            let at = EventRef {
                thread: ThreadId(thread as u32),
                index: walk.next[thread] as u32,
            };
            walk.next[thread] += 1;
            self.step(walk, at, &event.action);
        }
        walk.running[thread] = false;
    }

    fn step(&mut self, walk: &mut Walk, at: EventRef, action: &Action) {
        let thread = at.thread.0 as usize;
        let Some(mut clock) = walk.threads[thread].clone() else {
            return;
        };
        if let Action::Join(other) = action {
            self.run(walk, other.0 as usize);
            if let Some(theirs) = &walk.threads[other.0 as usize] {
                join(&mut clock, theirs);
            }
        }
        self.sequence.insert(at, self.host.len());
        self.host.insert(at, clock.clone());
        clock[thread] = at.index + 1;
        match action {
            Action::Call(call) => self.call(walk, at, call, &mut clock),
            Action::Spawn(child) => {
                walk.threads[child.0 as usize] = Some(clock.clone());
                walk.started[child.0 as usize].clone_from(&clock);
            }
            Action::Store(write) => walk.writes.push(Written::new(write, clock.clone())),
            Action::HostWait { ended_by, .. } if !ended_by.is_empty() => {
                for store in ended_by {
                    self.join_store(walk, *store, &mut clock);
                }
            }
            Action::HostWait { locations, until, .. } => {
                self.run_writers(walk, thread, locations);
                // Whoever wrote the place had done everything before it.
                let place = (thread, at.index + 1);
                let locations: Vec<&Location> = locations.iter().collect();
                if !walk.join_writes(&mut clock, &locations, place) {
                    walk.join_everything(&mut clock);
                }
                walk.join_requests(&mut clock, &locations, *until);
            }
            Action::Join(_) | Action::Lock(_) | Action::Unlock(_) | Action::Touch(_) => {}
        }
        walk.threads[thread] = Some(clock);
    }

    /// What has ended when a store of another thread is seen.
    fn join_store(&mut self, walk: &mut Walk, (thread, index): (ThreadId, u32), clock: &mut Clock) {
        self.run_to(walk, thread.0 as usize, index as usize + 1);
        if let Some(theirs) = self.host.get(&EventRef { thread, index }) {
            join(clock, theirs);
            let own = &mut clock[thread.0 as usize];
            *own = (*own).max(index + 1);
        }
    }

    fn call(&mut self, walk: &mut Walk, at: EventRef, call: &Call, clock: &mut Clock) {
        let own = call
            .work
            .as_ref()
            .map(|work| self.enqueue(walk, at, work, self.trace.device_of(call), clock));
        match call.waits_for() {
            Block::OwnWork if self.relies_on_pageable(call) => {}
            Block::OwnWork | Block::PerhapsOwnWork => own.iter().for_each(|it| join(clock, it)),
            Block::Stream(stream) | Block::StreamAnswered(stream) => {
                let streams = walk.streams.iter().enumerate();
                for (index, ended) in streams {
                    let other = StreamId(index as u32);
                    if stream == LEGACY && (other == LEGACY || self.joins_legacy(other)) {
                        self.join_on(clock, other, ended, call.device);
                    } else if other == stream {
                        ended.values().for_each(|it| join(clock, it));
                    }
                }
            }
            Block::Event(event) | Block::EventAnswered(event) => {
                if let Some(ended) = self.await_record(walk, event, at, clock) {
                    join(clock, &ended);
                }
            }
            // Thrust promises to be done when it returns, whatever else waits inside.
            Block::Device if !self.trust.implicit && is_algorithm(call) => {
                own.iter().for_each(|it| join(clock, it));
            }
            Block::Device if !self.trust.implicit && is_side_effect(call) => {}
            Block::Device => {
                for (index, ended) in walk.streams.iter().enumerate() {
                    self.join_on(clock, StreamId(index as u32), ended, call.device);
                }
            }
            Block::None => {}
        }
    }

    /// What has ended behind a wait for an event: its last record, but of those of a thread that is known to let this one go on, the
    /// last one before it did.
    fn await_record(&mut self, walk: &Walk, event: EventId, at: EventRef, clock: &Clock) -> Option<Clock> {
        let records = walk.records.get(&event).map_or(&[][..], Vec::as_slice);
        let seen = |clock: &Clock, it: EventRef| clock.get(it.thread.0 as usize).copied().unwrap_or(0);
        let started = &walk.started[at.thread.0 as usize];
        let is_certain = |it: EventRef| {
            it.thread == at.thread || seen(clock, it) == seen(started, it) || seen(clock, it) > it.index
        };
        let record = records.iter().rev().find(|it| is_certain(it.0));
        if record.map(|it| it.0) != records.last().map(|it| it.0) {
            self.early_waits.insert(at);
        }
        self.records_of.insert(at, record.map(|it| it.0));
        record.map(|it| it.1.clone())
    }

    /// Whether a thread has come by a wait that may have been too early for what was recorded.
    pub fn waited_early(&self, before: EventRef) -> bool {
        let first = EventRef { index: 0, ..before };
        self.early_waits.range(first..before).next().is_some()
    }

    fn relies_on_pageable(&self, call: &Call) -> bool {
        !self.trust.pageable && call.api.is_some_and(|it| it.blocks == Blocking::PageableToHost)
    }

    /// Enqueues work; the result is the clock at its end.
    fn enqueue(
        &mut self,
        walk: &mut Walk,
        at: EventRef,
        work: &Work,
        device: DeviceId,
        clock: &Clock,
    ) -> Clock {
        let stream = work.stream.0 as usize;
        let mut start = clock.clone();
        let apart = work.stream == LEGACY && !self.legacy_devices.is_empty();
        // Copies of the default stream may be between two devices, and then wait for both.
        let alone = apart && work.kind != WorkKind::Copy;
        let own = walk.streams[stream].iter();
        own.filter(|(of, _)| !alone || !self.trace.are_two(**of, device))
            .for_each(|(_, ended)| join(&mut start, ended));
        for (index, ended) in walk.streams.iter().enumerate() {
            let other = StreamId(index as u32);
            let through_legacy = work.stream == LEGACY && self.joins_legacy(other)
                || other == LEGACY && self.joins_legacy(work.stream);
            if through_legacy && other != work.stream {
                self.join_on(&mut start, other, ended, device);
            }
        }
        if let WorkKind::WaitEvent(event) = work.kind
            && let Some(ended) = self.await_record(walk, event, at, clock)
        {
            join(&mut start, &ended);
        }
        let graph = launched_graph(self.trace, at, work).filter(|_| self.trust.graphs);
        if let Some(ended) = graph.and_then(|it| walk.graphs.get(&it)) {
            join(&mut start, ended);
        }
        let chain = self.chain(work.stream, device);
        let place = (chain, start[chain] + 1);
        for wait in &work.waits {
            let locations: Vec<&Location> = wait.locations().collect();
            walk.join_writes(&mut start, &locations, place);
            if work.kind == WorkKind::WaitValue {
                let until = wait.awaited.first().and_then(|it| it.until);
                walk.join_requests(&mut start, &locations, until);
            }
        }
        let position = start[chain] + 1;
        let mut end = start.clone();
        end[chain] = position;
        self.device.insert(at, (start, chain, position));
        self.enqueued.push(at);
        if let WorkKind::Record(event) = work.kind {
            walk.records.entry(event).or_default().push((at, end.clone()));
        }
        for write in &work.writes {
            walk.writes.push(Written::new(write, end.clone()));
            if write.after_wait {
                walk.answers.push(Answer {
                    location: write.location.clone(),
                    range: write.range,
                    asked: work.waits.iter().flat_map(Wait::locations).cloned().collect(),
                });
            }
        }
        if let Some(graph) = graph {
            walk.graphs.insert(graph, end.clone());
        }
        if apart && !alone {
            for ended in walk.streams[stream].values_mut() {
                join(ended, &end);
            }
        }
        walk.streams[stream].insert(device, end.clone());
        end
    }

    /// Waits for what a stream does on a device. The default stream stands for one on each; any other stream is of one
    /// device, whichever was current when it was used.
    fn join_on(
        &self,
        clock: &mut Clock,
        stream: StreamId,
        ended: &BTreeMap<DeviceId, Clock>,
        device: DeviceId,
    ) {
        let may_be = |of: &DeviceId| !self.trace.are_two(*of, device);
        let all = stream != LEGACY && ended.keys().any(may_be);
        let on = ended.iter().filter(|(of, _)| all || may_be(of));
        on.for_each(|(_, it)| join(clock, it));
    }

    /// The chain work of a stream belongs to.
    fn chain(&self, stream: StreamId, device: DeviceId) -> usize {
        let of = self.legacy_devices.iter().position(|it| *it == device);
        match of.filter(|_| stream == LEGACY) {
            Some(index) => self.trace.threads.len() + self.trace.streams.len() + index,
            None => self.trace.threads.len() + stream.0 as usize,
        }
    }

    /// Streams that wait for the legacy default stream, and it for them; of an unknown stream nobody can say that it
    /// does not.
    fn joins_legacy(&self, stream: StreamId) -> bool {
        let kind = self.trace.streams.get(stream.0 as usize).map(|it| it.kind);
        matches!(
            kind,
            Some(StreamKind::Blocking | StreamKind::PerThread | StreamKind::Unknown)
        )
    }
}

/// Work that other threads enqueue and that may run while the work of a call does, where that does not block the call.
pub fn beside(trace: &Trace, call: EventRef) -> Vec<EventRef> {
    let others = event_refs(trace).filter(|it| it.thread != call.thread && it.work(trace).is_some());
    let mut others: Vec<EventRef> = others.collect();
    if !others.is_empty() {
        let trust = Trust {
            pageable: false,
            ..Trust::MEASURED
        };
        let order = Happens::new(trace, trust);
        let ends = |one: EventRef, other: EventRef| order.ordered(Moment::Device(one), Moment::Host(other));
        others.retain(|it| !ends(*it, call) && !ends(call, *it));
    }
    others
}

/// The executable graph a launch launches.
pub(super) fn launched_graph(trace: &Trace, at: EventRef, work: &Work) -> Option<u32> {
    if work.kind != WorkKind::Graph {
        return None;
    }
    let mut launches = trace.notes.captures.launches.iter();
    let launch = launches.find(|it| (it.spot.thread, it.spot.position) == (at.thread, at.index));
    launch.map(|it| it.exec)
}

/// Devices with work in their legacy default streams, where there are several.
pub fn legacy_devices(trace: &Trace) -> Vec<DeviceId> {
    let events = trace.threads.iter().flat_map(|it| &it.events);
    let mut devices: Vec<DeviceId> = events
        .filter_map(|event| match &event.action {
            Action::Call(call) => call
                .work
                .as_ref()
                .filter(|it| it.stream == LEGACY)
                .map(|_| call.device),
            _ => None,
        })
        .collect();
    devices.sort_unstable();
    devices.dedup();
    if devices.len() < 2 { Vec::new() } else { devices }
}

fn is_algorithm(call: &Call) -> bool {
    call.api
        .is_some_and(|it| it.operation == Operation::ThrustAlgorithm)
}

/// Waiting for the device is not what the call is for.
pub(super) fn is_side_effect(call: &Call) -> bool {
    call.api.is_none_or(|it| {
        !matches!(
            it.operation,
            Operation::DeviceSynchronize | Operation::DeviceReset | Operation::ContextDestroy
        )
    })
}

fn join(clock: &mut Clock, other: &Clock) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}
