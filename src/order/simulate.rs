//! Completion by simulation: host threads step through their events, the device completes what can complete.

mod device;
mod loading;
mod released;

use std::collections::{BTreeMap, BTreeSet};

use super::queue;
use super::{DeviceOrder, EventRef};
use crate::api::Lock;
use crate::program::{FileId, Program};
use crate::trace::{
    Action, Awaited, Block, Call, DeviceId, EventId, KernelUse, LEGACY, Location, StreamId, StreamKind,
    ThreadId, Trace, Wait, Work, WorkKind, Write,
};

/// Local arrays beyond this size make the first launch resize local memory (M5).
const LOCAL_MEMORY_BYTES: u64 = 1024;

/// A stream; of the legacy default streams, the one of a device.
pub(super) type Queue = (StreamId, Option<DeviceId>);

pub(super) fn queue_of(stream: StreamId, device: DeviceId) -> Queue {
    (stream, (stream == LEGACY).then_some(device))
}

/// Which runnable host thread goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// The oldest: a spawned thread runs when its parent is stuck.
    ParentFirst,
    /// The youngest: a spawned thread runs at once.
    ChildFirst,
}

impl Policy {
    pub(super) const ALL: [Policy; 2] = [Policy::ParentFirst, Policy::ChildFirst];
}

/// Index into [`Simulation::operations`].
pub(super) type OperationId = usize;

/// Something the device does.
#[derive(Debug)]
pub(super) struct DeviceOperation<'t> {
    pub(super) event: EventRef,
    pub(super) work: Option<&'t Work>,
    pub(super) barrier: Option<Cause>,
    pub(super) stream: Option<StreamId>,
    pub(super) device: DeviceId,
    pub(super) needs: Vec<(OperationId, Need)>,
    pub(super) state: State,
    /// For each wait, what can release it; empty: released from outside.
    pub(super) releasers: Vec<Vec<Releaser>>,
}

/// Why an operation needs another one to have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Order(DeviceOrder),
    Barrier,
    /// Everything a barrier waits for.
    Drain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Pending,
    Running,
    Done,
}

/// One write that ends a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Releaser {
    pub(super) event: EventRef,
    pub(super) write: usize,
    pub(super) guess: bool,
}

/// Why a call blocks or puts a barrier.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cause {
    FirstUse {
        kernel: KernelUse,
        blocks_host: bool,
    },
    Load,
    Heap {
        user: String,
        uses: String,
    },
    LocalMemory(u64),
    /// The launch queue is full: this many calls are in it.
    Queue(u64),
    Call,
}

/// Where a host thread is.
#[derive(Debug)]
pub(super) struct HostThread {
    pub(super) next: usize,
    pub(super) started: bool,
    /// Work of the current call was enqueued.
    enqueued: bool,
    /// The load of the current call was dealt with.
    loaded: bool,
    pub(super) blocked: Option<Blocked>,
}

/// A call that has not returned.
#[derive(Debug)]
pub(super) struct Blocked {
    pub(super) until: Vec<OperationId>,
    pub(super) cause: Cause,
    pub(super) lock: Lock,
}

/// Why a thread cannot take its next step.
#[derive(Debug, PartialEq)]
pub(super) enum Stuck {
    Blocked,
    Finished,
    NotStarted,
    ContextLock(ThreadId),
    Join(ThreadId),
    Mutex(ThreadId),
    Flag,
}

pub(super) struct Simulation<'t> {
    pub(super) program: &'t Program,
    pub(super) trace: &'t Trace,
    lazy: bool,
    policy: Policy,
    pub(super) operations: Vec<DeviceOperation<'t>>,
    pub(super) threads: Vec<HostThread>,
    loaded: BTreeSet<(DeviceId, KernelUse)>,
    launched: BTreeSet<(DeviceId, KernelUse)>,
    touched: BTreeSet<(DeviceId, FileId)>,
    /// Devices with a launch behind them.
    set_up: BTreeSet<DeviceId>,
    /// Local memory per thread there is room for, where it is more than at the start.
    local_memory: BTreeMap<DeviceId, u64>,
    /// What a launch has set up: `true` for the output buffer, `false` for the heap.
    prepared: BTreeSet<(DeviceId, bool)>,
    libraries: BTreeSet<(DeviceId, String)>,
    last_in_stream: BTreeMap<Queue, OperationId>,
    records: BTreeMap<EventId, OperationId>,
    /// The last launch of each executable graph.
    graphs: BTreeMap<u32, OperationId>,
    barriers: BTreeMap<DeviceId, OperationId>,
    mutexes: BTreeMap<Location, ThreadId>,
    /// When a host store, or the work of a call, happened.
    happened: BTreeMap<EventRef, u32>,
    clock: u32,
    enqueued_as: BTreeMap<EventRef, OperationId>,
    /// What ends each wait of the host.
    host_waits: BTreeMap<EventRef, Vec<Releaser>>,
    /// An operation that never ends, whatever releases it.
    held: Option<EventRef>,
    /// How many calls a recorded one stands for, where a loop runs longer than it was followed.
    stands_for: BTreeMap<EventRef, u64>,
}

impl<'t> Simulation<'t> {
    pub(super) fn new(program: &'t Program, trace: &'t Trace, lazy: bool, policy: Policy) -> Self {
        let threads = (0..trace.threads.len())
            .map(|index| HostThread {
                next: 0,
                started: index == 0,
                enqueued: false,
                loaded: false,
                blocked: None,
            })
            .collect();
        Simulation {
            program,
            trace,
            lazy,
            policy,
            operations: Vec::new(),
            threads,
            loaded: BTreeSet::new(),
            launched: BTreeSet::new(),
            touched: BTreeSet::new(),
            set_up: BTreeSet::new(),
            local_memory: BTreeMap::new(),
            prepared: BTreeSet::new(),
            libraries: BTreeSet::new(),
            last_in_stream: BTreeMap::new(),
            records: BTreeMap::new(),
            graphs: BTreeMap::new(),
            barriers: BTreeMap::new(),
            mutexes: BTreeMap::new(),
            happened: BTreeMap::new(),
            clock: 0,
            enqueued_as: BTreeMap::new(),
            host_waits: BTreeMap::new(),
            held: None,
            stands_for: queue::stands_for(trace),
        }
        .with_host_waits()
    }

    /// Whether the host never gets to its end when this operation does not.
    pub(super) fn host_needs(
        program: &'t Program,
        trace: &'t Trace,
        lazy: bool,
        operation: EventRef,
    ) -> bool {
        let mut simulation = Simulation::new(program, trace, lazy, Policy::ParentFirst);
        simulation.held = Some(operation);
        simulation.run();
        let threads = (0..trace.threads.len()).map(|it| ThreadId(it as u32));
        threads
            .filter_map(|it| simulation.why_stuck(it))
            .any(|it| !matches!(it, Stuck::Finished | Stuck::NotStarted))
    }

    fn with_host_waits(mut self) -> Self {
        for (thread, events) in self.trace.threads.iter().enumerate() {
            for (index, event) in events.events.iter().enumerate() {
                if let Action::HostWait { locations, until, .. } = &event.action {
                    let event = EventRef {
                        thread: ThreadId(thread as u32),
                        index: index as u32,
                    };
                    let writers = self.find_writers(event, locations, *until);
                    self.host_waits.insert(event, writers);
                }
            }
        }
        self
    }

    /// Events whose write ends a host wait; none when it is released from outside.
    pub(super) fn writers(&self, waiting: EventRef) -> &[Releaser] {
        self.host_waits.get(&waiting).map_or(&[], Vec::as_slice)
    }

    /// Runs until nothing moves.
    pub(super) fn run(&mut self) {
        loop {
            self.progress_device();
            let mut order: Vec<usize> = (0..self.threads.len()).collect();
            if self.policy == Policy::ChildFirst {
                order.reverse();
            }
            let Some(thread) = order
                .into_iter()
                .find(|index| self.why_stuck(ThreadId(*index as u32)).is_none())
            else {
                return;
            };
            self.step(ThreadId(thread as u32));
        }
    }

    /// How many calls an event stands for.
    pub(super) fn calls_of(&self, event: EventRef) -> u64 {
        self.stands_for.get(&event).copied().unwrap_or(1)
    }

    pub(super) fn is_done(&self, operation: OperationId) -> bool {
        self.operations[operation].state == State::Done
    }

    pub(super) fn operation_of(&self, event: EventRef) -> Option<OperationId> {
        self.enqueued_as.get(&event).copied()
    }

    fn event(&self, thread: ThreadId) -> Option<(EventRef, &'t Action)> {
        let next = self.threads[thread.0 as usize].next;
        let event = self.trace.threads[thread.0 as usize].events.get(next)?;
        Some((
            EventRef {
                thread,
                index: next as u32,
            },
            &event.action,
        ))
    }

    /// Whether a thread can take its next step, and if not, why.
    pub(super) fn why_stuck(&self, thread: ThreadId) -> Option<Stuck> {
        let host = &self.threads[thread.0 as usize];
        if !host.started {
            return Some(Stuck::NotStarted);
        }
        if let Some(blocked) = &host.blocked {
            return blocked
                .until
                .iter()
                .any(|it| !self.is_done(*it))
                .then_some(Stuck::Blocked);
        }
        let Some((event, action)) = self.event(thread) else {
            return Some(Stuck::Finished);
        };
        match action {
            Action::Call(call) => self
                .holder_against(thread, self.wanted_lock(call))
                .map(Stuck::ContextLock),
            Action::Join(other) => (!self.is_finished(*other)).then_some(Stuck::Join(*other)),
            Action::Lock(mutex) => self
                .mutexes
                .get(mutex)
                .filter(|holder| **holder != thread)
                .map(|it| Stuck::Mutex(*it)),
            Action::HostWait { .. } => {
                let writers = self.writers(event);
                let open = !writers.is_empty() && !writers.iter().any(|it| self.has_happened(*it));
                open.then_some(Stuck::Flag)
            }
            Action::Store(_) | Action::Spawn(_) | Action::Unlock(_) | Action::Touch(_) => None,
        }
    }

    fn is_finished(&self, thread: ThreadId) -> bool {
        let host = &self.threads[thread.0 as usize];
        host.started && host.next >= self.trace.threads[thread.0 as usize].events.len()
    }

    /// How a call takes the context lock now: what it still has to load it loads alone.
    fn wanted_lock(&self, call: &Call) -> Lock {
        if call.load.as_ref().is_some_and(|it| self.loads_alone(it, call)) {
            Lock::Write
        } else {
            call.lock()
        }
    }

    /// Another thread that is blocked in a call and keeps the context lock, so that it cannot be had like this (M13, M14).
    fn holder_against(&self, thread: ThreadId, wanted: Lock) -> Option<ThreadId> {
        let holds = |host: &HostThread| {
            let open = |it: &&Blocked| it.until.iter().any(|operation| !self.is_done(*operation));
            host.blocked
                .as_ref()
                .filter(open)
                .map_or(Lock::None, |it| it.lock)
        };
        let conflicts = |held: Lock| match (held, wanted) {
            (Lock::None, _) => false,
            (Lock::All, _) => true,
            (_, Lock::None) => false,
            (Lock::Read, _) => wanted >= Lock::Write,
            (Lock::Write, _) => true,
        };
        let others = self
            .threads
            .iter()
            .enumerate()
            .map(|(index, host)| (ThreadId(index as u32), host));
        let mut others = others.filter(|(other, _)| *other != thread);
        others.find(|(_, host)| conflicts(holds(host))).map(|it| it.0)
    }

    fn find_writers(
        &self,
        waiting: EventRef,
        locations: &[Location],
        until: Option<(crate::facts::ir::BinaryOp, i64)>,
    ) -> Vec<Releaser> {
        let wait = Wait::plain(
            Awaited::any_of(locations, until),
            waiting.at(self.trace),
            String::new(),
        );
        let own_thread = waiting.thread;
        let all = releasers_of(self.trace, waiting, &wait);
        // A thread does not store what it is itself polling for.
        all.into_iter()
            .filter(|it| {
                it.event.thread != own_thread
                    || it.event.index < waiting.index
                    || self.is_device_write(it.event)
            })
            .collect()
    }

    fn is_device_write(&self, event: EventRef) -> bool {
        matches!(&event.of(self.trace).action, Action::Call(_))
    }

    // Host.

    fn step(&mut self, thread: ThreadId) {
        let Some((event, action)) = self.event(thread) else {
            return;
        };
        match action {
            Action::Call(call) => {
                self.step_call(thread, event, call);
                return;
            }
            Action::Store(_) => {
                self.note(event);
            }
            Action::Spawn(child) => self.threads[child.0 as usize].started = true,
            Action::Lock(mutex) => {
                self.mutexes.insert(mutex.clone(), thread);
            }
            Action::Unlock(mutex) => {
                self.mutexes.remove(mutex);
            }
            Action::Join(_) | Action::HostWait { .. } | Action::Touch(_) => {}
        }
        self.threads[thread.0 as usize].next += 1;
    }

    /// A call loads, then enqueues, then waits; each part may block.
    fn step_call(&mut self, thread: ThreadId, event: EventRef, call: &'t Call) {
        let index = thread.0 as usize;
        self.threads[index].blocked = None;
        if !self.threads[index].loaded {
            self.threads[index].loaded = true;
            if let Some(blocked) = self.load(event, call) {
                self.threads[index].blocked = Some(blocked);
                return;
            }
        }
        if !self.threads[index].enqueued {
            self.threads[index].enqueued = true;
            let own = call
                .work
                .as_ref()
                .map(|work| self.enqueue(event, work, self.trace.device_of(call)));
            let full = own.and_then(|it| self.full_queue(it));
            let (until, cause, lock) = match full {
                // A full launch queue blocks only its caller (M13).
                Some((resident, calls)) => (vec![resident], Cause::Queue(calls), Lock::None),
                None => (self.waited_for(call, own), Cause::Call, call.lock()),
            };
            if !until.is_empty() {
                self.threads[index].blocked = Some(Blocked { until, cause, lock });
                return;
            }
        }
        self.threads[index].enqueued = false;
        self.threads[index].loaded = false;
        self.threads[index].next += 1;
    }

    fn waited_for(&self, call: &Call, own: Option<OperationId>) -> Vec<OperationId> {
        let open = |it: &OperationId| !self.is_done(*it);
        let blocks_launch =
            self.trace.launch_blocking && call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Kernel);
        match call.blocks {
            _ if blocks_launch => own.into_iter().filter(open).collect(),
            Block::None | Block::PerhapsOwnWork | Block::StreamAnswered(_) | Block::EventAnswered(_) => {
                Vec::new()
            }
            Block::OwnWork => own.into_iter().filter(open).collect(),
            Block::Device => self.open_on(call.device),
            Block::Event(event) => self
                .records
                .get(&event)
                .copied()
                .into_iter()
                .filter(open)
                .collect(),
            Block::Stream(stream) => (0..self.operations.len())
                .filter(|it| {
                    let theirs = self.operations[*it].stream;
                    theirs.is_some_and(|theirs| match stream {
                        LEGACY => {
                            let own = theirs == LEGACY || self.is_blocking(theirs);
                            own && self.operations[*it].device == call.device
                        }
                        _ => theirs == stream,
                    })
                })
                .filter(open)
                .collect(),
        }
    }

    fn is_blocking(&self, stream: StreamId) -> bool {
        matches!(self.kind(stream), StreamKind::Blocking | StreamKind::PerThread)
    }

    fn kind(&self, stream: StreamId) -> StreamKind {
        self.trace.streams[stream.0 as usize].kind
    }

    pub(super) fn queue(&self, operation: OperationId) -> Option<Queue> {
        let operation = &self.operations[operation];
        operation.stream.map(|it| queue_of(it, operation.device))
    }

    fn open_on(&self, device: DeviceId) -> Vec<OperationId> {
        (0..self.operations.len())
            .filter(|it| self.operations[*it].device == device && !self.is_done(*it))
            .collect()
    }

    // Device.
}

/// Everything on the path that can end a wait.
pub(super) fn releasers_of(trace: &Trace, waiting: EventRef, wait: &Wait) -> Vec<Releaser> {
    let mut found = all_releasers_of(trace, waiting, wait);
    let meant: Vec<bool> = found.iter().map(|it| !is_in_vain(trace, wait, it)).collect();
    if meant.contains(&true) {
        let mut meant = meant.into_iter();
        found.retain(|_| meant.next() == Some(true));
    }
    found
}

/// Whether a notification finds a condition as it was: whoever notifies has stored nothing that it reads since it notified last.
fn is_in_vain(trace: &Trace, wait: &Wait, releaser: &Releaser) -> bool {
    let writes = writes_of(&releaser.event.of(trace).action);
    let Some(notified) = writes.get(releaser.write) else {
        return false;
    };
    let key = (wait.at, notified.location.clone());
    let Some(reads) = trace.notes.conditions.get(&key).filter(|it| !it.is_empty()) else {
        return false;
    };
    let events = &trace.threads[releaser.event.thread.0 as usize].events;
    let before = events[..releaser.event.index as usize].iter().rev();
    let before = before.filter_map(|it| match &it.action {
        Action::Store(write) => Some(write),
        _ => None,
    });
    let earlier = writes[..releaser.write].iter().rev().chain(before);
    let mut since = earlier.take_while(|it| it.location != notified.location);
    !since.any(|it| reads.iter().any(|read| it.location.overlaps(read, it.range)))
}

fn all_releasers_of(trace: &Trace, waiting: EventRef, wait: &Wait) -> Vec<Releaser> {
    let mut found = Vec::new();
    for (thread, events) in trace.threads.iter().enumerate() {
        for (index, event) in events.events.iter().enumerate() {
            let event_ref = EventRef {
                thread: ThreadId(thread as u32),
                index: index as u32,
            };
            // Nothing releases itself; what a graph would only write behind its own wait never comes.
            let own = event_ref == waiting;
            if own && !is_graph(&event.action) {
                continue;
            }
            for (number, write) in writes_of(&event.action).iter().enumerate() {
                if own && !write.after_wait {
                    continue;
                }
                if wait.ended_by(write) {
                    found.push(Releaser {
                        event: event_ref,
                        write: number,
                        guess: write.guess,
                    });
                }
            }
        }
    }
    found
}

/// Whether an operation that waits has set the place back itself right before: what was written earlier is gone.
pub(super) fn resets_itself(trace: &Trace, waiting: EventRef, wait: &Wait) -> bool {
    let writes = writes_of(&waiting.of(trace).action);
    let mut own = wait.resets.iter().filter_map(|it| writes.get(*it as usize));
    own.any(|it| wait.kept_by(it))
}

fn is_graph(action: &Action) -> bool {
    matches!(action, Action::Call(call) if call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Graph))
}

/// The writes of an event.
pub(super) fn writes_of(action: &Action) -> &[Write] {
    match action {
        Action::Store(write) => std::slice::from_ref(write),
        Action::Call(call) => call.work.as_ref().map_or(&[], |work| &work.writes),
        _ => &[],
    }
}
