//! The order of small hand-made traces: one idea each.

use super::tests::{Builder, call, plain};
use super::{EventRef, Happens, Moment, Trust};
use crate::trace::{Action, Block, EventId, LEGACY, StreamId, StreamKind, ThreadId, WorkKind};

const A: StreamId = StreamId(1);
const B: StreamId = StreamId(2);

fn at(thread: u32, index: u32) -> EventRef {
    EventRef {
        thread: ThreadId(thread),
        index,
    }
}

impl Builder {
    fn run(&mut self, stream: StreamId) -> &mut Self {
        self.work(0, plain(WorkKind::Kernel, stream), None)
    }

    fn event(&mut self, kind: WorkKind, stream: StreamId) -> &mut Self {
        self.work(0, plain(kind, stream), None)
    }

    /// Whether the work of one event of the main thread has ended when that of another begins.
    fn device(&self, first: u32, second: u32) -> bool {
        let order = Happens::new(&self.trace, Trust::MEASURED);
        order.ordered(Moment::Device(at(0, first)), Moment::Device(at(0, second)))
    }

    fn host(&self, first: u32, second: u32, trust: Trust) -> bool {
        let order = Happens::new(&self.trace, trust);
        order.ordered(Moment::Device(at(0, first)), Moment::Host(at(0, second)))
    }
}

#[test]
fn one_stream_is_ordered_and_two_are_not() {
    let mut it = Builder::new(StreamKind::Blocking);
    it.run(A).run(A).run(B);
    assert!(it.device(0, 1));
    assert!(!it.device(0, 2) && !it.device(1, 2) && !it.device(1, 0));
}

#[test]
fn legacy_work_orders_blocking_streams_and_no_others() {
    for (kind, ordered) in [
        (StreamKind::Blocking, true),
        (StreamKind::NonBlocking, false),
        (StreamKind::PerThread, true),
        (StreamKind::Unknown, true),
    ] {
        let mut it = Builder::new(kind);
        it.run(A).run(LEGACY).run(B);
        assert_eq!(it.device(0, 1), ordered, "{kind:?}");
        assert_eq!(it.device(0, 2), ordered, "{kind:?}");
    }
}

#[test]
fn an_event_orders_what_was_recorded_and_only_if_it_was() {
    let event = EventId(1);
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.run(A).event(WorkKind::Record(event), A).run(A);
    it.event(WorkKind::WaitEvent(event), B).run(B);
    assert!(it.device(0, 4), "behind the record");
    assert!(!it.device(2, 4), "enqueued after the record");
    let mut never = Builder::new(StreamKind::NonBlocking);
    never.event(WorkKind::WaitEvent(event), B);
    never.run(A).event(WorkKind::Record(event), A).run(B);
    assert!(!never.device(1, 3));
    let order = Happens::new(&never.trace, Trust::MEASURED);
    assert_eq!(order.record_of(at(0, 0)), Some(None));
}

#[test]
fn a_new_record_replaces_the_old_one() {
    let event = EventId(1);
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.run(A)
        .event(WorkKind::Record(event), A)
        .event(WorkKind::Record(event), B);
    it.work(0, plain(WorkKind::WaitEvent(event), StreamId(0)), None)
        .run(LEGACY);
    assert!(!it.device(0, 4));
}

#[test]
fn waiting_for_a_stream_completes_that_stream_only() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.run(A).run(B).sync(Block::Stream(A)).run(B).store(0, 1);
    assert!(it.device(0, 3));
    assert!(it.host(0, 4, Trust::DOCUMENTED) && !it.host(1, 4, Trust::DOCUMENTED));
    let order = Happens::new(&it.trace, Trust::DOCUMENTED);
    assert_eq!(order.outstanding(at(0, 4)), [at(0, 1), at(0, 3)]);
}

#[test]
fn a_free_is_a_barrier_only_for_those_who_trust_it() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.run(A)
        .push(0, call("cudaFree", None, Block::Device, None))
        .store(0, 1);
    assert!(it.host(0, 2, Trust::MEASURED));
    assert!(!it.host(0, 2, Trust::DOCUMENTED));
}

#[test]
fn a_joined_thread_has_enqueued_its_work_and_not_finished_it() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.push(0, Action::Spawn(ThreadId(1)))
        .push(0, Action::Join(ThreadId(1)))
        .run(B);
    it.work(1, plain(WorkKind::Kernel, A), None);
    let order = Happens::new(&it.trace, Trust::MEASURED);
    assert!(order.issued_before(at(1, 0), at(0, 2)));
    assert!(!order.ordered(Moment::Device(at(1, 0)), Moment::Device(at(0, 2))));
    let mut synchronised = Builder::new(StreamKind::NonBlocking);
    synchronised
        .push(0, Action::Spawn(ThreadId(1)))
        .push(0, Action::Join(ThreadId(1)))
        .run(B);
    synchronised.work(1, plain(WorkKind::Kernel, A), None);
    synchronised.push(1, call("cudaStreamSynchronize", None, Block::Stream(A), None));
    let order = Happens::new(&synchronised.trace, Trust::MEASURED);
    assert!(order.ordered(Moment::Device(at(1, 0)), Moment::Device(at(0, 2))));
}

#[test]
fn threads_that_run_side_by_side_are_in_no_order() {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.push(0, Action::Spawn(ThreadId(1)))
        .run(B)
        .push(0, Action::Join(ThreadId(1)));
    it.work(1, plain(WorkKind::Kernel, A), None);
    let order = Happens::new(&it.trace, Trust::MEASURED);
    assert!(!order.issued_before(at(1, 0), at(0, 1)) && !order.issued_before(at(0, 1), at(1, 0)));
}
