//! The order engine on small hand-made traces: one idea each.

use super::{DeviceOrder, Gate, Settings, judge};
use crate::api;
use crate::facts::ir::{BinaryOp, Span};
use crate::program::{FileId, FunctionId, Program};
use crate::trace::{
    Action, Awaited, Base, Block, Call, DeviceId, Event, EventId, KernelUse, LEGACY, Load, Location, Site,
    Stream, StreamId, StreamKind, Thread, ThreadId, Trace, Wait, Work, WorkKind, Write,
};

pub(super) const A: StreamId = StreamId(1);
pub(super) const B: StreamId = StreamId(2);

/// A trace under construction: every event gets a place of its own.
pub(super) struct Builder {
    pub(super) trace: Trace,
    next: u32,
}

impl Builder {
    pub(super) fn new(kind: StreamKind) -> Self {
        let stream = |kind, name: &str| Stream {
            kind,
            name: name.to_owned(),
            device: DeviceId::FIRST,
            created: true,
            handed_in: None,
            kept: false,
            carried: false,
            element: false,
            made: None,
            own: None,
        };
        let trace = Trace {
            entry: FunctionId {
                file: FileId(0),
                index: 0,
            },
            threads: vec![Thread::default()],
            streams: vec![
                stream(StreamKind::Legacy, ""),
                stream(kind, "a"),
                stream(kind, "b"),
            ],
            devices: vec![Some(0), Some(1)],
            eager: false,
            bare: false,
            launch_blocking: false,
            budgets_hit: 0,
            stopped: false,
            assumptions: Vec::new(),
            executed: [].into(),
            decisions: Vec::new(),
            notes: crate::trace::notes::Notes::default(),
            events: [].into(),
        };
        Builder { trace, next: 0 }
    }

    pub(super) fn push(&mut self, thread: usize, action: Action) -> &mut Self {
        self.next += 1;
        let site = Site {
            file: FileId(0),
            span: Span {
                start: self.next,
                end: self.next + 1,
            },
            frames: [].into(),
        };
        while self.trace.threads.len() <= thread {
            self.trace.threads.push(Thread::default());
        }
        self.trace.threads[thread].events.push(Event { site, action });
        self
    }

    pub(super) fn work(&mut self, thread: usize, work: Work, load: Option<Load>) -> &mut Self {
        let name = work
            .kernel
            .as_ref()
            .map_or_else(|| format!("{:?}", work.kind), |it| it.name.clone());
        self.push(thread, call(&name, Some(work), Block::None, load))
    }

    pub(super) fn spin(&mut self, name: &str, stream: StreamId) -> &mut Self {
        let wait = Wait::plain(
            Awaited::any_of(&[flag()], Some((BinaryOp::NotEqual, 0))),
            (FileId(0), Span::default()),
            "flag".to_owned(),
        );
        self.work(
            0,
            kernel(name, stream, vec![wait], Vec::new()),
            Some(Load::Kernel(kernel_use(name))),
        )
    }

    pub(super) fn set(&mut self, thread: usize, name: &str, stream: StreamId) -> &mut Self {
        self.work(
            thread,
            kernel(name, stream, Vec::new(), vec![write(Some(1))]),
            Some(Load::Kernel(kernel_use(name))),
        )
    }

    pub(super) fn preload(&mut self, name: &str) -> &mut Self {
        self.push(
            0,
            call(
                "cudaFuncGetAttributes",
                None,
                Block::None,
                Some(Load::Kernel(kernel_use(name))),
            ),
        )
    }

    pub(super) fn sync(&mut self, blocks: Block) -> &mut Self {
        self.push(0, call("cudaDeviceSynchronize", None, blocks, None))
    }

    pub(super) fn store(&mut self, thread: usize, value: i64) -> &mut Self {
        self.push(thread, Action::Store(write(Some(value))))
    }

    fn gate(&self, lazy_loading: bool) -> Option<Gate> {
        let verdict = judge(&Program::default(), &self.trace, Settings { lazy_loading });
        verdict.hangs.into_iter().next().map(|it| it.gate)
    }
}

fn flag() -> Location {
    Location::object(Base::Allocation(0))
}

fn write(value: Option<i64>) -> Write {
    Write {
        location: flag(),
        range: false,
        value,
        least: None,
        at: (FileId(0), Span::default()),
        guess: false,
        after_wait: false,
        added: None,
    }
}

pub(super) fn kernel_use(name: &str) -> KernelUse {
    KernelUse {
        function: None,
        name: name.to_owned(),
        arguments: Vec::new(),
    }
}

pub(super) fn kernel(name: &str, stream: StreamId, waits: Vec<Wait>, writes: Vec<Write>) -> Work {
    Work {
        kind: WorkKind::Kernel,
        stream,
        kernel: Some(kernel_use(name)),
        waits,
        writes,
        accesses: Vec::new(),
    }
}

pub(super) fn plain(kind: WorkKind, stream: StreamId) -> Work {
    Work {
        kind,
        stream,
        kernel: None,
        waits: Vec::new(),
        writes: Vec::new(),
        accesses: Vec::new(),
    }
}

pub(super) fn call(name: &str, work: Option<Work>, blocks: Block, load: Option<Load>) -> Action {
    let api = api::lookup(name);
    Action::Call(Box::new(Call {
        name: name.to_owned(),
        api,
        work,
        blocks,
        load,
        device: DeviceId::FIRST,
        debug_only: false,
    }))
}

#[test]
fn first_launch_of_the_setter_hangs_lazily_and_completes_eagerly() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.spin("k1", A).set(0, "k2", B).sync(Block::Device);
    assert!(matches!(it.gate(true), Some(Gate::FirstUse { kernel, .. }) if kernel.name == "k2"));
    assert_eq!(it.gate(false), None);
}

#[test]
fn preload_before_the_spinner_removes_the_barrier_and_after_it_does_not() {
    let mut before = Builder::new(StreamKind::NonBlocking);
    before
        .preload("k2")
        .spin("k1", A)
        .set(0, "k2", B)
        .sync(Block::Device);
    assert_eq!(before.gate(true), None);
    let mut after = Builder::new(StreamKind::NonBlocking);
    after
        .spin("k1", A)
        .preload("k2")
        .set(0, "k2", B)
        .sync(Block::Device);
    assert!(matches!(after.gate(true), Some(Gate::FirstUse { .. })));
}

#[test]
fn setter_in_the_same_stream_runs_after_the_spinner() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.preload("k2").spin("k1", A).set(0, "k2", A).sync(Block::Device);
    assert!(matches!(
        it.gate(false),
        Some(Gate::DeviceOrder {
            order: DeviceOrder::Stream(A),
            ..
        })
    ));
}

#[test]
fn legacy_stream_joins_blocking_streams_and_leaves_non_blocking_ones_alone() {
    for (kind, hangs) in [
        (StreamKind::Blocking, true),
        (StreamKind::NonBlocking, false),
        (StreamKind::Unknown, false),
    ] {
        let mut it = Builder::new(kind);
        it.preload("k2")
            .spin("k1", A)
            .set(0, "k2", LEGACY)
            .sync(Block::Device);
        let gate = it.gate(true);
        assert_eq!(
            matches!(
                gate,
                Some(Gate::DeviceOrder {
                    order: DeviceOrder::Legacy,
                    ..
                })
            ),
            hangs,
            "{kind:?}"
        );
    }
}

#[test]
fn event_wait_orders_the_setter_behind_the_spinner_only_when_it_was_recorded_before() {
    let event = EventId(1);
    let mut recorded = Builder::new(StreamKind::NonBlocking);
    recorded
        .preload("k2")
        .spin("k1", A)
        .work(0, plain(WorkKind::Record(event), A), None);
    recorded
        .work(0, plain(WorkKind::WaitEvent(event), B), None)
        .set(0, "k2", B)
        .sync(Block::Device);
    assert!(matches!(
        recorded.gate(true),
        Some(Gate::DeviceOrder {
            order: DeviceOrder::Event,
            ..
        })
    ));
    let mut never = Builder::new(StreamKind::NonBlocking);
    never
        .preload("k2")
        .spin("k1", A)
        .work(0, plain(WorkKind::WaitEvent(event), B), None);
    never
        .work(0, plain(WorkKind::Record(event), A), None)
        .set(0, "k2", B)
        .sync(Block::Device);
    assert_eq!(never.gate(true), None);
}

#[test]
fn host_store_releases_unless_the_host_waits_first() {
    let mut first = Builder::new(StreamKind::NonBlocking);
    first.store(0, 0).spin("k1", A).store(0, 1).sync(Block::Device);
    assert_eq!(first.gate(true), None);
    let mut late = Builder::new(StreamKind::NonBlocking);
    late.store(0, 0).spin("k1", A).sync(Block::Stream(A)).store(0, 1);
    assert!(matches!(late.gate(true), Some(Gate::HostWait { .. })));
}

#[test]
fn waiting_for_another_stream_is_no_wait_for_the_spinner() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.preload("work").spin("k1", A).work(
        0,
        kernel("work", B, Vec::new(), Vec::new()),
        Some(Load::Kernel(kernel_use("work"))),
    );
    it.sync(Block::Stream(B)).store(0, 1).sync(Block::Device);
    assert_eq!(it.gate(true), None);
}

#[test]
fn first_launch_behind_a_spinner_the_host_releases_hangs_only_when_the_host_waits_for_it() {
    let launch = |it: &mut Builder| {
        it.work(
            0,
            kernel("work", B, Vec::new(), Vec::new()),
            Some(Load::Kernel(kernel_use("work"))),
        );
    };
    let mut waits = Builder::new(StreamKind::NonBlocking);
    waits.spin("k1", A);
    launch(&mut waits);
    waits.sync(Block::Stream(B)).store(0, 1);
    assert!(matches!(waits.gate(true), Some(Gate::FirstUse { .. })));
    let mut goes_on = Builder::new(StreamKind::NonBlocking);
    goes_on.spin("k1", A);
    launch(&mut goes_on);
    goes_on.store(0, 1).sync(Block::Device);
    assert_eq!(goes_on.gate(true), None);
}

#[test]
fn free_holds_the_context_lock_so_another_thread_can_store_but_not_call() {
    let free = || call("cudaFree", None, Block::Device, None);
    let mut stores = Builder::new(StreamKind::NonBlocking);
    stores
        .push(0, Action::Spawn(ThreadId(1)))
        .spin("k1", A)
        .push(0, free())
        .push(0, Action::Join(ThreadId(1)));
    stores.store(1, 1);
    assert_eq!(stores.gate(true), None);
    let mut copies = Builder::new(StreamKind::NonBlocking);
    copies
        .push(0, Action::Spawn(ThreadId(1)))
        .spin("k1", A)
        .push(0, free())
        .push(0, Action::Join(ThreadId(1)));
    let copy = Work {
        writes: vec![write(None)],
        ..plain(WorkKind::Copy, B)
    };
    copies.push(1, call("cudaMemcpyAsync", Some(copy), Block::None, None));
    assert!(matches!(copies.gate(true), Some(Gate::BlockingCall { .. })));
}

#[test]
fn a_plain_device_sync_holds_no_lock() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.push(0, Action::Spawn(ThreadId(1)))
        .spin("k1", A)
        .sync(Block::Device)
        .push(0, Action::Join(ThreadId(1)));
    let copy = Work {
        writes: vec![write(None)],
        ..plain(WorkKind::Copy, B)
    };
    it.push(1, call("cudaMemcpyAsync", Some(copy), Block::None, None));
    assert_eq!(it.gate(true), None);
}

#[test]
fn join_before_the_release_is_a_wait_of_the_host() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.push(0, Action::Spawn(ThreadId(1)))
        .spin("k1", A)
        .push(0, Action::Join(ThreadId(1)))
        .store(0, 1);
    it.push(1, call("cudaDeviceSynchronize", None, Block::Device, None));
    assert!(matches!(it.gate(true), Some(Gate::HostWait { .. })));
}

#[test]
fn a_value_that_cannot_end_the_wait_is_no_release() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.spin("k1", A).store(0, 0).sync(Block::Device);
    assert_eq!(
        it.gate(true),
        None,
        "released from outside as far as anyone can see"
    );
    it.store(0, 1);
    assert!(matches!(it.gate(true), Some(Gate::HostWait { .. })));
}

#[test]
fn other_devices_are_not_held_up() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.spin("k1", A);
    it.push(
        0,
        Action::Call(Box::new(Call {
            name: "cudaFree".to_owned(),
            api: api::lookup("cudaFree"),
            work: None,
            blocks: Block::Device,
            load: None,
            device: DeviceId(1),
            debug_only: false,
        })),
    );
    it.store(0, 1).sync(Block::Device);
    assert_eq!(it.gate(true), None);
}

#[test]
fn a_wait_value_before_its_write_is_told_even_when_it_completes() {
    let wait = Wait::plain(
        Awaited::any_of(&[flag()], Some((BinaryOp::Equal, 1))),
        (FileId(0), Span::default()),
        "flag".to_owned(),
    );
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.work(
        0,
        Work {
            waits: vec![wait],
            ..plain(WorkKind::WaitValue, A)
        },
        None,
    );
    let release = Work {
        writes: vec![write(Some(1))],
        ..plain(WorkKind::WriteValue, B)
    };
    it.push(0, call("cuStreamWriteValue32", Some(release), Block::None, None))
        .sync(Block::Device);
    let verdict = judge(&Program::default(), &it.trace, Settings { lazy_loading: true });
    assert!(verdict.hangs.is_empty());
    assert_eq!(verdict.early_waits.len(), 1);
}

#[test]
fn what_was_there_before_the_inner_wait_let_go_ends_no_service() {
    let at = (FileId(0), Span::default());
    let inner = Wait::plain(
        Awaited::any_of(&[flag()], Some((BinaryOp::NotEqual, 0))),
        at,
        "flag".to_owned(),
    );
    let end = Wait {
        behind: true,
        ..Wait::plain(
            Awaited::any_of(&[flag()], Some((BinaryOp::Equal, 0))),
            at,
            "flag".to_owned(),
        )
    };
    let service = |closing: bool| {
        let mut it = Builder::new(StreamKind::NonBlocking);
        let work = kernel("serve", A, vec![inner.clone(), end.clone()], Vec::new());
        it.store(0, 0)
            .work(0, work, Some(Load::Kernel(kernel_use("serve"))))
            .store(0, 1);
        if closing {
            it.store(0, 0);
        }
        it.sync(Block::Device);
        it.store(0, 0);
        it.gate(false).is_some()
    };
    assert!(service(false));
    assert!(!service(true));
}
