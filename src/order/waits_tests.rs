//! Waits that need no deadlock to be wrong, and full launch queues, on small hand-made traces.

use super::tests::{A, B, Builder, kernel, kernel_use, plain};
use super::{Gate, Settings, Verdict, judge};
use crate::program::kernels::LoadKind;
use crate::program::{FileId, Program};
use crate::trace::notes::Pass;
use crate::trace::{Action, Block, EventId, Load, Site, StreamKind, ThreadId, WorkKind};

fn verdict(it: &Builder) -> Verdict {
    judge(&Program::default(), &it.trace, Settings { lazy_loading: false })
}

/// Two streams, with the setter loaded.
fn two_streams() -> Builder {
    let mut it = Builder::new(StreamKind::NonBlocking);
    it.preload("k1").preload("k2");
    it
}

/// Makes every wait of the trace one that reads its place once.
fn read_once(it: &mut Builder) {
    for event in it.trace.threads.iter_mut().flat_map(|thread| &mut thread.events) {
        if let Action::Call(call) = &mut event.action
            && let Some(work) = &mut call.work
        {
            work.waits.iter_mut().for_each(|wait| wait.load = LoadKind::Plain);
        }
    }
}

#[test]
fn a_plain_spin_misses_what_is_written_after_its_launch() {
    let mut it = two_streams();
    it.spin("k1", A).store(0, 1).sync(Block::Device);
    read_once(&mut it);
    let found = verdict(&it);
    assert!(found.hangs.is_empty());
    assert!(matches!(found.stale_waits.as_slice(), [only] if only.certain));
}

#[test]
fn a_plain_spin_sees_what_is_written_before_its_launch() {
    let mut it = two_streams();
    it.store(0, 1).spin("k1", A).store(0, 1).sync(Block::Device);
    read_once(&mut it);
    assert!(verdict(&it).stale_waits.is_empty());
    let mut it = two_streams();
    it.set(0, "k2", A).spin("k1", A).sync(Block::Device);
    read_once(&mut it);
    assert!(verdict(&it).stale_waits.is_empty());
}

#[test]
fn a_plain_spin_may_miss_what_a_kernel_in_another_stream_writes() {
    let mut it = two_streams();
    it.set(0, "k2", B).spin("k1", A).sync(Block::Device);
    read_once(&mut it);
    assert!(matches!(verdict(&it).stale_waits.as_slice(), [only] if !only.certain));
}

#[test]
fn two_kernels_in_two_streams_rest_on_no_promise_in_either_order() {
    for setter_first in [true, false] {
        let mut it = two_streams();
        if setter_first {
            it.set(0, "k2", B);
        }
        it.spin("k1", A);
        if !setter_first {
            it.set(0, "k2", B);
        }
        it.sync(Block::Device);
        assert_eq!(verdict(&it).unpromised_waits.len(), 1);
    }
}

#[test]
fn streams_events_and_the_host_are_promises() {
    let mut same_stream = two_streams();
    same_stream.set(0, "k2", A).spin("k1", A).sync(Block::Device);
    let mut event = two_streams();
    event
        .set(0, "k2", B)
        .work(0, plain(WorkKind::Record(EventId(0)), B), None)
        .work(0, plain(WorkKind::WaitEvent(EventId(0)), A), None)
        .spin("k1", A)
        .sync(Block::Device);
    let mut waited = two_streams();
    waited
        .set(0, "k2", B)
        .sync(Block::Stream(B))
        .spin("k1", A)
        .sync(Block::Device);
    let mut host = two_streams();
    host.spin("k1", A).set(0, "k2", B).store(0, 1).sync(Block::Device);
    for it in [same_stream, event, waited, host] {
        assert_eq!(verdict(&it).unpromised_waits, []);
    }
}

/// A resident kernel, one launch that stands for `trips` launches, and then the release.
fn loop_behind_resident(stream: crate::trace::StreamId, trips: u64) -> Builder {
    let mut it = two_streams();
    it.spin("k1", A);
    let start = it.trace.threads[0].events.len() as u32;
    let step = kernel("step", stream, Vec::new(), Vec::new());
    it.work(0, step, Some(Load::Kernel(kernel_use("step"))));
    it.trace.notes.passes.push(Pass {
        thread: ThreadId(0),
        site: Site {
            file: FileId(0),
            span: crate::syntax::Span::default(),
            frames: [].into(),
        },
        events: (start, start + 1),
        execution: 1,
        known_trips: true,
    });
    it.trace.notes.trips.insert(1, trips);
    it.store(0, 1).sync(Block::Device);
    it
}

#[test]
fn the_launch_queue_of_a_stream_is_full_after_a_thousand_launches() {
    let gate = |stream, trips| {
        verdict(&loop_behind_resident(stream, trips))
            .hangs
            .pop()
            .map(|it| it.gate)
    };
    assert!(matches!(
        gate(A, 2_000),
        Some(Gate::LaunchQueue { calls: 2_000, .. })
    ));
    assert!(matches!(gate(A, u64::MAX), Some(Gate::LaunchQueue { .. })));
    assert_eq!(gate(A, 900), None);
    assert_eq!(gate(B, 5_000), None);
}

#[test]
fn a_release_by_another_thread_empties_the_queue() {
    let mut it = two_streams();
    it.push(0, Action::Spawn(ThreadId(1)));
    it.store(1, 1);
    it.trace.threads[0]
        .events
        .extend(loop_behind_resident(A, 5_000).trace.threads.remove(0).events);
    let events = &mut it.trace.threads[0].events;
    events.retain(|event| !matches!(event.action, Action::Store(_)));
    let last = events
        .iter()
        .position(|event| matches!(&event.action, Action::Call(call) if call.name == "step"));
    let last = last.expect("the loop is there") as u32;
    it.trace.notes = loop_behind_resident(A, 5_000).trace.notes;
    it.trace.notes.passes[0].events = (last, last + 1);
    assert!(verdict(&it).hangs.is_empty());
}

#[test]
fn launch_blocking_waits_for_the_kernel_it_launches() {
    let mut it = two_streams();
    it.spin("k1", A).store(0, 1).sync(Block::Device);
    assert!(verdict(&it).hangs.is_empty());
    it.trace.launch_blocking = true;
    assert!(matches!(verdict(&it).hangs.as_slice(), [hang] if matches!(hang.gate, Gate::HostWait { .. })));
}
