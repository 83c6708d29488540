//! Captures and executable graphs in small hand-made traces: one idea each.

use super::captures::{foreign, shared_execs};
use super::tests::{Builder, call, plain};
use crate::trace::DeviceId;
use crate::trace::capture::{Capture, CaptureMode, GraphLaunch, Spot};
use crate::trace::{
    Action, Base, Block, EventId, LEGACY, Location, StreamId, StreamKind, ThreadId, WorkKind,
};

const A: StreamId = StreamId(1);
const B: StreamId = StreamId(2);
const OTHER: ThreadId = ThreadId(1);

impl Builder {
    fn calls(&mut self, thread: usize, name: &str) -> &mut Self {
        self.push(thread, call(name, None, Block::None, None))
    }

    /// The event a thread's last event is.
    fn last(&self, thread: usize) -> Spot {
        let events = &self.trace.threads[thread].events;
        Spot {
            thread: ThreadId(thread as u32),
            position: events.len() as u32 - 1,
            site: events[events.len() - 1].site.clone(),
        }
    }

    /// The main thread captures one kernel on the first stream.
    fn capture(&mut self, mode: CaptureMode) -> &mut Self {
        self.calls(0, "cudaStreamBeginCapture");
        let begin = self.last(0);
        self.calls(0, "cudaStreamEndCapture");
        let end = Some(self.last(0));
        self.trace.notes.captures.all.push(Capture {
            stream: A,
            mode: Some(mode),
            device: DeviceId::FIRST,
            begin,
            end,
            nodes: Vec::new(),
            incidents: Vec::new(),
            unjoined: Vec::new(),
            misplaced_end: None,
            left: Vec::new(),
            unknowns: 0,
            choices: 0,
            open: false,
            replaced: false,
            discarded: false,
        });
        self
    }

    fn launches(&mut self, exec: u32, stream: StreamId) -> &mut Self {
        self.work(0, plain(WorkKind::Kernel, stream), None);
        let launch = GraphLaunch {
            exec,
            name: "graph".to_owned(),
            stream,
            spot: self.last(0),
        };
        self.trace.notes.captures.launches.push(launch);
        self
    }

    /// Whether each call found in another thread is one on the legacy default stream.
    fn foreign(&self) -> Vec<bool> {
        foreign(&self.trace).iter().map(|it| it.legacy).collect()
    }
}

/// A capture with one call of another thread that nothing keeps apart from it.
fn beside(mode: CaptureMode, kind: StreamKind, name: &str) -> Builder {
    let mut it = Builder::new(kind);
    it.push(0, Action::Spawn(OTHER)).capture(mode).calls(1, name);
    it
}

#[test]
fn what_another_thread_may_call_depends_on_the_mode_of_the_capture() {
    for (mode, name, breaks) in [
        (CaptureMode::Global, "cudaMalloc", true),
        (CaptureMode::ThreadLocal, "cudaMalloc", false),
        (CaptureMode::Relaxed, "cudaMalloc", false),
        (CaptureMode::Relaxed, "cudaDeviceSynchronize", true),
        (CaptureMode::Global, "cudaFuncGetAttributes", false),
    ] {
        let it = beside(mode, StreamKind::NonBlocking, name);
        assert_eq!(it.foreign(), vec![false; usize::from(breaks)], "{name} {mode:?}");
    }
}

#[test]
fn a_thread_in_a_mode_of_its_own_a_device_of_its_own_and_an_open_end_are_left_alone() {
    let found = || beside(CaptureMode::Global, StreamKind::NonBlocking, "cudaMalloc");
    let mut exempt = found();
    exempt.trace.notes.captures.exempt.insert((OTHER, 0));
    assert!(exempt.foreign().is_empty());
    let mut elsewhere = found();
    elsewhere.trace.notes.captures.all[0].device = DeviceId(1);
    assert!(elsewhere.foreign().is_empty());
    let mut open = found();
    open.trace.notes.captures.all[0].end = None;
    assert!(open.foreign().is_empty());
}

#[test]
fn threads_that_start_later_or_are_joined_before_do_not_meet_the_capture() {
    let mut later = Builder::new(StreamKind::NonBlocking);
    later.capture(CaptureMode::Global).push(0, Action::Spawn(OTHER));
    assert!(later.calls(1, "cudaMalloc").foreign().is_empty());
    let mut before = Builder::new(StreamKind::NonBlocking);
    before.push(0, Action::Spawn(OTHER)).push(0, Action::Join(OTHER));
    before.capture(CaptureMode::Global).calls(1, "cudaMalloc");
    assert!(before.foreign().is_empty());
}

#[test]
fn one_mutex_keeps_threads_apart_and_two_do_not() {
    let mutex = |index| Location::object(Base::Allocation(index));
    for (theirs, meets) in [(7, false), (8, true)] {
        let mut it = Builder::new(StreamKind::NonBlocking);
        it.push(0, Action::Spawn(OTHER)).push(0, Action::Lock(mutex(7)));
        it.capture(CaptureMode::Global).push(0, Action::Unlock(mutex(7)));
        it.push(1, Action::Lock(mutex(theirs))).calls(1, "cudaMalloc");
        it.push(1, Action::Unlock(mutex(theirs)));
        assert_eq!(!it.foreign().is_empty(), meets);
    }
}

#[test]
fn legacy_work_of_another_thread_breaks_captures_of_blocking_streams_in_every_mode() {
    for (kind, found) in [
        (StreamKind::Blocking, vec![true]),
        (StreamKind::NonBlocking, vec![]),
        (StreamKind::Unknown, vec![]),
    ] {
        let mut it = Builder::new(kind);
        it.push(0, Action::Spawn(OTHER)).capture(CaptureMode::Relaxed);
        it.push(
            1,
            call(
                "cudaMemcpy",
                Some(plain(WorkKind::Copy, LEGACY)),
                Block::None,
                None,
            ),
        );
        assert_eq!(it.foreign(), found, "{kind:?}");
    }
}

#[test]
fn one_executable_graph_in_two_streams_needs_something_between_the_launches() {
    let new = || Builder::new(StreamKind::NonBlocking);
    let mut apart = new();
    apart.launches(1, A).launches(1, B);
    assert_eq!(shared_execs(&apart.trace).len(), 1);
    let mut two = new();
    two.launches(1, A).launches(2, B);
    let mut same = new();
    same.launches(1, A).launches(1, A);
    let mut waited = new();
    waited.launches(1, A).sync(Block::Stream(A)).launches(1, B);
    let event = EventId(1);
    let mut recorded = new();
    recorded
        .launches(1, A)
        .work(0, plain(WorkKind::Record(event), A), None)
        .work(0, plain(WorkKind::WaitEvent(event), B), None)
        .launches(1, B);
    for (name, it) in [
        ("two graphs", two),
        ("one stream", same),
        ("a host wait", waited),
        ("an event", recorded),
    ] {
        assert!(shared_execs(&it.trace).is_empty(), "{name}");
    }
}
