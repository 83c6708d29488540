//! Completion by simulation: host threads step through their events, the device completes what can complete.

mod released;

use std::collections::{BTreeMap, BTreeSet};

use super::queue;
use super::{DeviceOrder, EarlyWait, EventRef, touches};
use crate::api::Operation;
use crate::program::kernels::LoadKind;
use crate::program::{FileId, Program};
use crate::trace::{
    Action, Block, Call, EventId, KernelUse, LEGACY, Load, Location, StreamId, StreamKind, ThreadId, Trace,
    Wait, Work, WorkKind, Write,
};

/// Local arrays beyond this size make the first launch resize local memory (M5).
const LOCAL_MEMORY_BYTES: u64 = 1024;

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
    pub(super) device: i64,
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
    lock: bool,
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
    loaded: BTreeSet<KernelUse>,
    launched: BTreeSet<KernelUse>,
    touched: BTreeSet<FileId>,
    any_launch: bool,
    /// Local memory per thread there is room for.
    local_memory: u64,
    /// What a launch has set up: `true` for the output buffer, `false` for the heap.
    prepared: BTreeSet<bool>,
    libraries: BTreeSet<String>,
    last_in_stream: BTreeMap<StreamId, OperationId>,
    records: BTreeMap<EventId, OperationId>,
    barriers: BTreeMap<i64, OperationId>,
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
            any_launch: false,
            local_memory: LOCAL_MEMORY_BYTES,
            prepared: BTreeSet::new(),
            libraries: BTreeSet::new(),
            last_in_stream: BTreeMap::new(),
            records: BTreeMap::new(),
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
            Action::Call(_) => self
                .lock_holder()
                .filter(|holder| *holder != thread)
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

    /// The thread that holds the context lock: it is blocked in a call that keeps it (M13).
    fn lock_holder(&self) -> Option<ThreadId> {
        self.threads
            .iter()
            .position(|host| {
                host.blocked
                    .as_ref()
                    .is_some_and(|it| it.lock && it.until.iter().any(|operation| !self.is_done(*operation)))
            })
            .map(|index| ThreadId(index as u32))
    }

    fn find_writers(
        &self,
        waiting: EventRef,
        locations: &[Location],
        until: Option<(crate::facts::ir::BinaryOp, i64)>,
    ) -> Vec<Releaser> {
        let wait = Wait {
            locations: locations.to_vec(),
            until,
            load: LoadKind::Fresh,
            width: 0,
            times: 1,
            last: false,
            holds: Vec::new(),
            at: waiting.at(self.trace),
            what: String::new(),
        };
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
                .map(|work| self.enqueue(event, work, call.device));
            let full = own.and_then(|it| self.full_queue(it));
            let (until, cause) = match full {
                Some((resident, calls)) => (vec![resident], Cause::Queue(calls)),
                None => (self.waited_for(call, own), Cause::Call),
            };
            if !until.is_empty() {
                self.threads[index].blocked = Some(Blocked {
                    until,
                    cause,
                    lock: call.lock,
                });
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
            Block::None | Block::StreamAnswered(_) | Block::EventAnswered(_) => Vec::new(),
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
                    theirs.is_some_and(|theirs| {
                        theirs == stream || stream == LEGACY && self.is_blocking(theirs)
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

    fn open_on(&self, device: i64) -> Vec<OperationId> {
        (0..self.operations.len())
            .filter(|it| self.operations[*it].device == device && !self.is_done(*it))
            .collect()
    }

    /// Deals with what a call loads: nothing, a context barrier, or a host block.
    fn load(&mut self, event: EventRef, call: &Call) -> Option<Blocked> {
        let open = self.open_on(call.device);
        let gate = match call.load.as_ref()? {
            Load::Kernel(kernel) => self.load_kernel(kernel, call),
            Load::Module => Some(Gate::Block(Cause::Load)),
            Load::Library(library) => self
                .libraries
                .insert(library.clone())
                .then_some(Gate::Block(Cause::Load)),
            Load::Unit(file) => {
                self.touched.insert(*file);
                None
            }
        };
        match gate? {
            Gate::Block(_) | Gate::Barrier(_) if open.is_empty() => None,
            Gate::Block(cause) => {
                let lock = !matches!(cause, Cause::LocalMemory(_));
                Some(Blocked {
                    until: open,
                    cause,
                    lock,
                })
            }
            Gate::Barrier(cause) => {
                self.put_barrier(event, cause, call.device, &open);
                None
            }
        }
    }

    fn load_kernel(&mut self, kernel: &KernelUse, call: &Call) -> Option<Gate> {
        let launches = call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Kernel);
        let file = kernel.function.map(|it| it.file);
        let first_use = !self.loaded.iter().any(|it| it.may_be(kernel)) && self.lazy;
        self.loaded.insert(kernel.clone());
        let untouched = file.is_some_and(|it| self.touched.insert(it));
        let first_launch = launches && !self.launched.iter().any(|it| it.may_be(kernel));
        if launches {
            self.launched.insert(kernel.clone());
        }
        let heap = if launches { self.heap_setup(kernel) } else { None };
        let local = kernel
            .function
            .and_then(|it| self.program.kernel(it))
            .map_or(0, |it| it.local_bytes);
        // What one launch has made room for stays.
        let grows = local > self.local_memory;
        if launches {
            self.local_memory = self.local_memory.max(local);
        }
        if first_launch && grows {
            return Some(Gate::Block(Cause::LocalMemory(local)));
        }
        if first_use {
            let cause = Cause::FirstUse {
                kernel: kernel.clone(),
                blocks_host: untouched,
            };
            return Some(if untouched {
                Gate::Block(cause)
            } else {
                Gate::Barrier(cause)
            });
        }
        heap.map(Gate::Barrier)
    }

    /// The first launch of the process sets up the device heap when any loaded module can use it (M4), and so does the
    /// first launch of a kernel that uses it itself (M1).
    fn heap_setup(&mut self, kernel: &KernelUse) -> Option<Cause> {
        let first_launch = !std::mem::replace(&mut self.any_launch, true);
        let own = kernel
            .function
            .and_then(|it| Some((it, self.program.heap_use(it)?)));
        // `printf` and `assert` share a buffer; `malloc` and `new` use the heap.
        let first_of_user =
            own.is_some_and(|(_, uses)| self.prepared.insert(matches!(uses, "printf" | "assert")));
        let loaded = || self.touched.iter().find_map(|file| self.program.heap_user(*file));
        let (user, uses) = match (own, first_launch) {
            (Some(own), _) if first_launch || first_of_user => own,
            (None, true) => loaded()?,
            _ => return None,
        };
        let user = self
            .program
            .function(user)
            .path
            .last()
            .cloned()
            .unwrap_or_default();
        Some(Cause::Heap {
            user,
            uses: uses.to_owned(),
        })
    }

    fn put_barrier(&mut self, event: EventRef, cause: Cause, device: i64, open: &[OperationId]) {
        let barrier = DeviceOperation {
            event,
            work: None,
            barrier: Some(cause),
            stream: None,
            device,
            needs: open.iter().map(|it| (*it, Need::Drain)).collect(),
            state: State::Pending,
            releasers: Vec::new(),
        };
        self.operations.push(barrier);
        self.barriers.insert(device, self.operations.len() - 1);
    }

    // Device.

    fn enqueue(&mut self, event: EventRef, work: &'t Work, device: i64) -> OperationId {
        let mut needs = Vec::new();
        if let Some(last) = self.last_in_stream.get(&work.stream) {
            needs.push((*last, Need::Order(DeviceOrder::Stream(work.stream))));
        }
        for (stream, last) in &self.last_in_stream {
            let ordered = work.stream == LEGACY && self.is_blocking(*stream)
                || *stream == LEGACY && self.is_blocking(work.stream);
            if ordered && *stream != work.stream && self.operations[*last].device == device {
                needs.push((*last, Need::Order(DeviceOrder::Legacy)));
            }
        }
        if let Some(barrier) = self.barriers.get(&device) {
            needs.push((*barrier, Need::Barrier));
        }
        match work.kind {
            WorkKind::WaitEvent(it) => {
                if let Some(record) = self.records.get(&it) {
                    needs.push((*record, Need::Order(DeviceOrder::Event)));
                }
            }
            WorkKind::Record(it) => {
                self.records.insert(it, self.operations.len());
            }
            _ => {}
        }
        // A loop that reads its place once waits for nobody: it is over at once or never, and has a rule of its own.
        let releasers = work
            .waits
            .iter()
            .map(|wait| match wait.load {
                LoadKind::Fresh => self.relevant_releasers(event, wait),
                LoadKind::Cached | LoadKind::Plain => Vec::new(),
            })
            .collect();
        let id = self.operations.len();
        self.operations.push(DeviceOperation {
            event,
            work: Some(work),
            barrier: None,
            stream: Some(work.stream),
            device,
            needs,
            state: State::Pending,
            releasers,
        });
        self.last_in_stream.insert(work.stream, id);
        self.enqueued_as.insert(event, id);
        self.progress_device();
        id
    }

    /// What can release a wait. A write before the wait was enqueued that is not known to end it is taken for
    /// initialisation when something else can release it.
    fn relevant_releasers(&self, event: EventRef, wait: &Wait) -> Vec<Releaser> {
        let all = releasers_of(self.trace, event, wait);
        let is_initialisation = |it: &Releaser| {
            let write = writes_of(&it.event.of(self.trace).action).get(it.write);
            let unsure = wait.until.is_none() || write.is_some_and(|write| write.value.is_none());
            unsure && self.has_happened(*it) && !self.is_kernel(it.event)
        };
        let reset = self.last_reset(wait);
        let undone = |it: &Releaser| {
            self.happened
                .get(&it.event)
                .is_some_and(|when| reset.is_some_and(|reset| *when < reset))
                && self.has_happened(*it)
        };
        let later: Vec<Releaser> = all
            .iter()
            .filter(|it| !is_initialisation(it) && !undone(it))
            .copied()
            .collect();
        if later.is_empty() { all } else { later }
    }

    fn note(&mut self, event: EventRef) {
        self.clock += 1;
        self.happened.insert(event, self.clock);
    }

    /// When the place was last set back to a value that does not end the wait.
    fn last_reset(&self, wait: &Wait) -> Option<u32> {
        let resets = |event: EventRef| {
            let covers = |write: &Write| {
                write.value.is_some() && !wait.satisfied_by(write.value) && touches(write, &wait.locations)
            };
            writes_of(&event.of(self.trace).action).iter().any(covers)
        };
        self.happened
            .iter()
            .filter(|(event, _)| resets(**event))
            .map(|(_, when)| *when)
            .max()
    }

    fn is_kernel(&self, event: EventRef) -> bool {
        matches!(&event.of(self.trace).action, Action::Call(call) if call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Kernel))
    }

    fn progress_device(&mut self) {
        loop {
            let mut moved = false;
            for id in 0..self.operations.len() {
                let operation = &self.operations[id];
                let next = match operation.state {
                    State::Done => continue,
                    State::Pending if operation.needs.iter().all(|(it, _)| self.is_done(*it)) => {
                        State::Running
                    }
                    State::Pending => continue,
                    State::Running if self.is_released(operation) => State::Done,
                    State::Running => continue,
                };
                self.operations[id].state = next;
                self.note(self.operations[id].event);
                moved = true;
            }
            if !moved {
                return;
            }
        }
    }

    /// Stream waits that were enqueued before any of their writes, on a path that completes.
    pub(super) fn early_waits(&self) -> Vec<EarlyWait> {
        let mut found = Vec::new();
        for operation in &self.operations {
            let Some(work) = operation.work.filter(|it| it.kind == WorkKind::WaitValue) else {
                continue;
            };
            for (releasers, _) in operation.releasers.iter().zip(&work.waits) {
                let device_only =
                    !releasers.is_empty() && releasers.iter().all(|it| self.is_write_value(it.event));
                let later = releasers
                    .iter()
                    .all(|it| self.enqueue_order(it.event) > self.enqueue_order(operation.event));
                if let (true, true, Some(first)) = (device_only, later, releasers.first()) {
                    found.push(EarlyWait {
                        waiting: operation.event,
                        releaser: first.event,
                    });
                }
            }
        }
        found
    }

    fn enqueue_order(&self, event: EventRef) -> usize {
        self.enqueued_as.get(&event).copied().unwrap_or(usize::MAX)
    }

    fn is_write_value(&self, event: EventRef) -> bool {
        matches!(&event.of(self.trace).action, Action::Call(call)
            if call.api.is_some_and(|it| matches!(it.operation, Operation::StreamWriteValue | Operation::StreamBatchMemOp)))
    }
}

/// Everything on the path that can end a wait.
pub(super) fn releasers_of(trace: &Trace, waiting: EventRef, wait: &Wait) -> Vec<Releaser> {
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
                if touches(write, &wait.locations) && wait.satisfied_by(write.value) {
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

fn is_graph(action: &Action) -> bool {
    matches!(action, Action::Call(call) if call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Graph))
}

/// What a load does to the host or the device.
enum Gate {
    Block(Cause),
    Barrier(Cause),
}

/// The writes of an event.
pub(super) fn writes_of(action: &Action) -> &[Write] {
    match action {
        Action::Store(write) => std::slice::from_ref(write),
        Action::Call(call) => call.work.as_ref().map_or(&[], |work| &work.writes),
        _ => &[],
    }
}
