//! What keeps work in two streams apart: work in the legacy default stream, and calls that give memory back.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use super::EventRef;
use super::finished::Walk;
use super::positions::Positions;
use crate::api::Operation;
use crate::program::Program;
use crate::trace::{
    Access, Action, Base, Block, Call, LEGACY, Mode, StreamId, StreamKind, ThreadId, Trace, Work, WorkKind,
};

/// An operation between two in different streams that nothing else orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separator {
    /// The operation in the legacy default stream, or the call that gives memory back.
    pub separator: EventRef,
    /// Work that it waits for.
    pub earlier: EventRef,
    /// Work in another stream that waits for it.
    pub later: EventRef,
}

/// All separators of a trace that memory does not ask for: at most one finding per operation.
pub fn separators(program: &Program, trace: &Trace) -> Vec<Separator> {
    let blocking = |stream: &&crate::trace::Stream| stream.created && stream.kind == StreamKind::Blocking;
    if trace.streams.iter().filter(blocking).count() < 2 || trace.launch_blocking {
        return Vec::new();
    }
    let threads = 0..trace.threads.len() as u32;
    threads
        .flat_map(|thread| of_thread(program, trace, ThreadId(thread)))
        .collect()
}

fn of_thread(program: &Program, trace: &Trace, thread: ThreadId) -> Vec<Separator> {
    let count = trace.threads[thread.0 as usize].events.len() as u32;
    let at = |index: u32| call_at(trace, thread, index);
    // The host need not wait for what stands between: by itself it would wait for its own work only, and be done with a copy to the
    // device at once.
    let of_kernels = LazyCell::new(|| used_by_kernels(trace));
    let separates = |call: &Call, work: &Work| {
        let mut written = work.accesses.iter().filter(|it| it.mode == Mode::Write);
        let goes_on = match work.kind {
            WorkKind::Other => true,
            WorkKind::Copy => written
                .next()
                .is_some_and(|it| of_kernels.contains(&it.location.base)),
            _ => false,
        };
        is_work(call, work) || call.blocks == Block::OwnWork && goes_on
    };
    let is_legacy =
        |index: &u32| at(*index).is_some_and(|(call, work)| work.stream == LEGACY && separates(call, work));
    let legacy: Vec<u32> = (0..count).filter(is_legacy).collect();
    if legacy.is_empty() {
        return Vec::new();
    }
    let ordered = ordered_otherwise(trace, thread, count);
    let opaque = opaque_of(trace, thread);
    along(trace, thread, &opaque, |index, done| {
        let is_meant = legacy.contains(&index);
        is_meant
            .then(|| pair(program, trace, thread, index, (&legacy, done, &opaque, &ordered)))
            .flatten()
    })
}

/// The separators of a thread, where what is asked of each of its events, with what the host has seen end before it, says what
/// comes before and behind it.
fn along(
    trace: &Trace,
    thread: ThreadId,
    opaque: &BTreeSet<u32>,
    mut around: impl FnMut(u32, &Positions) -> Option<(u32, u32)>,
) -> Vec<Separator> {
    let mut walk = Walk::new(trace, thread);
    let mut found = Vec::new();
    for index in 0..trace.threads[thread.0 as usize].events.len() as u32 {
        if opaque.contains(&index) {
            walk.done.insert_before(index);
        }
        if let Some((earlier, later)) = around(index, &walk.done) {
            let event = |index| EventRef { thread, index };
            found.push(Separator {
                separator: event(index),
                earlier: event(earlier),
                later: event(later),
            });
        }
        walk.step(index);
    }
    found
}

/// Memory that kernels use.
fn used_by_kernels(trace: &Trace) -> BTreeSet<Base> {
    let works = super::event_refs(trace).filter_map(|it| it.work(trace));
    let kernels = works.filter(|it| matches!(it.kind, WorkKind::Kernel | WorkKind::Graph));
    kernels
        .flat_map(|it| &it.accesses)
        .map(|it| it.location.base)
        .collect()
}

/// All calls of a trace that give memory back, and wait for the device, between kernels in two streams of the program: the later one
/// could run beside the earlier one, but is enqueued only when that has ended.
pub fn frees(trace: &Trace) -> Vec<Separator> {
    if trace.streams.iter().filter(|it| it.created).count() < 2 || trace.launch_blocking {
        return Vec::new();
    }
    let threads = 0..trace.threads.len() as u32;
    threads
        .flat_map(|it| frees_of_thread(trace, ThreadId(it)))
        .collect()
}

fn frees_of_thread(trace: &Trace, thread: ThreadId) -> Vec<Separator> {
    let events = &trace.threads[thread.0 as usize].events;
    let count = events.len() as u32;
    let frees = |index: u32| matches!(&events[index as usize].action, Action::Call(call) if gives_back(call));
    if !(0..count).any(frees) {
        return Vec::new();
    }
    let kernel_in = |index: u32| -> Option<StreamId> {
        let (_, work) = call_at(trace, thread, index)?;
        let is_kernel = matches!(work.kind, WorkKind::Kernel | WorkKind::Graph);
        (is_kernel && trace.streams[work.stream.0 as usize].created).then_some(work.stream)
    };
    let ordered = ordered_otherwise(trace, thread, count);
    let opaque = opaque_of(trace, thread);
    let goes_on = |index: &u32| match &events[*index as usize].action {
        Action::Call(call) => {
            (call.waits_for() == Block::None || gives_back(call)) && !opaque.contains(index)
        }
        Action::HostWait { .. } | Action::Join(_) => false,
        _ => true,
    };
    along(trace, thread, &opaque, |index, done| {
        if !frees(index) {
            return None;
        }
        let mut later = (index + 1..count).take_while(goes_on);
        let (later, stream) = later.find_map(|it| Some((it, kernel_in(it)?)))?;
        let before = ordered.get(&later);
        let apart = |it: &u32| {
            !done.contains(*it)
                && kernel_in(*it).is_some_and(|other| other != stream)
                && !before.is_some_and(|before| before.contains(*it))
        };
        Some(((0..index).rev().find(apart)?, later))
    })
}

fn gives_back(call: &Call) -> bool {
    let operation = call.api.map(|it| it.operation);
    matches!(operation, Some(Operation::Free | Operation::FreeHost)) && call.waits_for() == Block::Device
}

/// Where a thread calls what nobody knows.
fn opaque_of(trace: &Trace, thread: ThreadId) -> BTreeSet<u32> {
    let of_thread = trace.notes.opaque.iter().filter(|it| it.thread == thread);
    of_thread.map(|it| it.position).collect()
}

/// What each operation comes after by streams, events and waits alone.
fn ordered_otherwise(trace: &Trace, thread: ThreadId, count: u32) -> BTreeMap<u32, Positions> {
    let mut walk = Walk::new(trace, thread);
    walk.legacy = false;
    let mut ordered = BTreeMap::new();
    for index in 0..count {
        if let Some((_, work)) = call_at(trace, thread, index) {
            ordered.insert(index, walk.before(work.stream));
        }
        walk.step(index);
    }
    ordered
}

/// The last work still in flight before an operation, and the first behind it, in two blocking streams.
fn pair(
    program: &Program,
    trace: &Trace,
    thread: ThreadId,
    index: u32,
    (legacy, done, opaque, ordered): (&[u32], &Positions, &BTreeSet<u32>, &BTreeMap<u32, Positions>),
) -> Option<(u32, u32)> {
    let in_blocking = |index: u32| -> Option<StreamId> {
        let (call, work) = call_at(trace, thread, index)?;
        let stream = &trace.streams[work.stream.0 as usize];
        let counts = stream.created && stream.kind == StreamKind::Blocking && is_work(call, work);
        counts.then_some(work.stream)
    };
    let at = |index: u32| call_at(trace, thread, index);
    let events = &trace.threads[thread.0 as usize].events;
    let goes_on = |it: &u32| match &events[*it as usize].action {
        Action::Call(call) => call.waits_for() == Block::None && !opaque.contains(it),
        Action::HostWait { .. } | Action::Join(_) => false,
        _ => true,
    };
    let later = (index + 1..events.len() as u32).take_while(goes_on);
    let later = later.filter_map(|it| Some((it, in_blocking(it)?)));
    // What is still in flight and comes before a later operation by the legacy stream alone, the last one first.
    let apart = |later: u32, stream: StreamId| {
        let before = ordered.get(&later);
        (0..index).rev().filter(move |it| {
            !done.contains(*it)
                && in_blocking(*it).is_some_and(|other| other != stream)
                && !before.is_some_and(|before| before.contains(*it))
        })
    };
    let is_relied_on = || {
        later.clone().any(|(later, stream)| {
            let last = at(later);
            last.is_some_and(|last| {
                apart(later, stream).any(|it| at(it).is_some_and(|it| conflict(it.1, last.1)))
            })
        })
    };
    let (_, separator) = call_at(trace, thread, index)?;
    for (later, stream) in later.clone() {
        let Some(earlier) = apart(later, stream).next() else {
            continue;
        };
        let (_, first) = call_at(trace, thread, earlier)?;
        let (_, last) = call_at(trace, thread, later)?;
        // Where memory asks for another operation of the legacy stream between the two, nothing is lost by this one.
        let asked_for = |it: &Work| depends(program, first, it) && depends(program, it, last);
        let mut between = legacy.iter().filter(|it| (earlier..later).contains(it));
        if !asked_for(separator) && !between.any(|it| at(*it).is_some_and(|it| asked_for(it.1))) {
            // Where the same memory is written on one side and used on the other, it is the program's barrier.
            return (!is_relied_on()).then_some((earlier, later));
        }
    }
    None
}

/// Kernels, graphs, library calls and asynchronous copies and fills.
fn is_work(call: &Call, work: &Work) -> bool {
    let kinds = matches!(
        work.kind,
        WorkKind::Kernel | WorkKind::Graph | WorkKind::Copy | WorkKind::Memset | WorkKind::Other
    );
    kinds && call.blocks == Block::None
}

/// Whether memory may ask for the order of two operations: where nothing is known of one, it may.
fn depends(program: &Program, first: &Work, second: &Work) -> bool {
    if touches_nothing(program, first) || touches_nothing(program, second) {
        return false;
    }
    let same = |a: &Access, b: &Access| {
        a.may_conflict(b)
            || a.location.base == b.location.base && a.location == b.location && a.offsets == b.offsets
    };
    first.accesses.is_empty()
        || second.accesses.is_empty()
        || first
            .accesses
            .iter()
            .any(|a| second.accesses.iter().any(|b| same(a, b)))
}

/// Whether two operations certainly meet in memory that one of them writes.
fn conflict(first: &Work, second: &Work) -> bool {
    let sure = |it: &&Access| it.sure && !it.declared;
    let seconds = || second.accesses.iter().filter(sure);
    let mut firsts = first.accesses.iter().filter(sure);
    firsts.any(|a| seconds().any(|b| a.conflicts(b)))
}

/// Whether work is a kernel of which everything is known, and that accesses no memory of others.
pub(super) fn touches_nothing(program: &Program, work: &Work) -> bool {
    let function = work.kernel.as_ref().and_then(|it| it.function);
    let summary = function.and_then(|it| program.kernel(it));
    work.accesses.is_empty()
        && summary.is_some_and(|it| {
            let is_known = !(it.incomplete || it.dependent);
            is_known && it.reads.is_empty() && it.writes.is_empty() && it.heap_uses.is_empty()
        })
}

fn call_at(trace: &Trace, thread: ThreadId, index: u32) -> Option<(&Call, &Work)> {
    match &trace.threads[thread.0 as usize]
        .events
        .get(index as usize)?
        .action
    {
        Action::Call(call) => Some((call, call.work.as_ref()?)),
        _ => None,
    }
}
