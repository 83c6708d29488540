//! Work that runs once, while a stream captures, and that the graph would have to do again whenever it is launched.

use super::EventRef;
use super::happens::{Happens, Trust};
use crate::trace::capture::{Capture, Node};
use crate::trace::{Access, Action, Base, Call, Mode, Trace, WorkKind};

/// Such work.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut<'t> {
    /// The capture that it is no part of.
    pub capture: &'t Capture,
    /// The work.
    pub work: EventRef,
    /// What it writes, or what it reads of what the graph is still to write.
    pub about: &'t Access,
    /// The captured operation that reads what it writes.
    pub reader: Option<&'t Node>,
    /// Why once is not enough.
    pub stale: Stale<'t>,
}

/// Why work that is done once would have to be done again.
#[derive(Clone, Copy, Debug)]
pub enum Stale<'t> {
    /// What it prepares, the graph changes.
    Spent,
    /// The graph changes what it reads.
    ByGraph(&'t Node),
    /// It reads what was captured before, and has not been done yet.
    Ahead(&'t Node),
    /// Somebody changes what it reads behind the capture.
    Later(EventRef),
}

/// All of it. Of a graph that is launched once, or out of sight, nobody knows that it should do more.
pub fn left_out(trace: &Trace) -> Vec<LeftOut<'_>> {
    let mut found = Vec::new();
    for capture in &trace.notes.captures.all {
        let Some(end) = capture
            .end
            .as_ref()
            .filter(|it| it.thread == capture.begin.thread)
        else {
            continue;
        };
        let launches = trace.notes.captures.launches.iter();
        let behind = launches.filter(|it| it.spot.thread == end.thread && it.spot.position >= end.position);
        if behind.count() < 2 || capture.misplaced_end.is_some() || !capture.incidents.is_empty() {
            continue;
        }
        let (begin, end) = (capture.begin.position, end.position);
        let inside = inside(trace, capture, (begin, end));
        let behind = EventRef {
            thread: capture.begin.thread,
            index: end,
        };
        let stale = stale(trace, capture, &inside, behind);
        for work in &inside {
            found.extend(judge(trace, capture, *work, &inside, &stale));
        }
    }
    found
}

/// Work that is surely enqueued between the begin of a capture and its end, and is no part of it.
fn inside(trace: &Trace, capture: &Capture, (begin, end): (u32, u32)) -> Vec<EventRef> {
    let thread = capture.begin.thread;
    let at = |index| EventRef { thread, index };
    let own = |it: &EventRef| it.thread == thread && begin <= it.index && it.index < end;
    let waits = |it: &crate::trace::Event| matches!(&it.action, Action::HostWait { ended_by, .. } if !ended_by.is_empty());
    let events = &trace.threads[thread.0 as usize].events;
    let shared = events
        .get(begin as usize..end as usize)
        .unwrap_or_default()
        .iter()
        .any(waits);
    let order = shared.then(|| Happens::new(trace, Trust::MEASURED));
    let given = |it: &EventRef| {
        order.as_ref().is_some_and(|order| {
            it.thread != thread && order.issued_before(at(begin), *it) && order.issued_before(*it, at(end))
        })
    };
    let does = |(_, call): &(EventRef, &Call)| {
        call.work
            .as_ref()
            .is_some_and(|it| matches!(it.kind, WorkKind::Kernel | WorkKind::Memset | WorkKind::Copy))
    };
    let work = super::captures::calls(trace).filter(does).map(|it| it.0);
    work.filter(|it| own(it) || given(it)).collect()
}

fn judge<'t>(
    trace: &'t Trace,
    capture: &'t Capture,
    work: EventRef,
    inside: &[EventRef],
    stale: &[(EventRef, Stale<'t>)],
) -> Option<LeftOut<'t>> {
    let accesses = accesses_of(trace, work)?;
    // It is done again outside of the graph as well.
    let again = |it: EventRef| {
        let later = it.thread != work.thread || it.index > work.index;
        later && it.at(trace) == work.at(trace) && !inside.contains(&it)
    };
    if super::captures::calls(trace).any(|(it, _)| again(it)) {
        return None;
    }
    let written = accesses
        .iter()
        .filter(|it| it.mode == Mode::Write && is_memory(it));
    let uses = |written: &'t Access| {
        let reads = move |it: &Access| it.mode == Mode::Read && it.sure && it.conflicts(written);
        let readers = capture
            .nodes
            .iter()
            .filter(move |it| it.accesses.iter().any(reads));
        readers.map(move |reader| (written, reader))
    };
    for (written, reader) in written.flat_map(uses) {
        let inputs = || stale.iter().find(|it| it.0 == work).map(|it| it.1);
        let stale = spent(capture, accesses, written, reader).or_else(inputs);
        if let Some(stale) = stale {
            return Some(LeftOut {
                capture,
                work,
                about: written,
                reader: Some(reader),
                stale,
            });
        }
    }
    let (about, node) = ahead(capture, work, accesses)?;
    Some(LeftOut {
        capture,
        work,
        about,
        reader: None,
        stale: Stale::Ahead(node),
    })
}

/// What work reads of what operations captured before it write: none of them has been done yet.
fn ahead<'t>(capture: &'t Capture, work: EventRef, accesses: &'t [Access]) -> Option<(&'t Access, &'t Node)> {
    let is_before = |it: &&Node| it.made.0 == work.thread && it.made.1 < work.index;
    let mut before = capture.nodes.iter().filter(is_before);
    before.find_map(|node| {
        let makes = |input: &Access| {
            let mut made = node.accesses.iter();
            made.any(|it| it.mode == Mode::Write && it.sure && it.conflicts(input))
        };
        inputs(accesses).find(|it| makes(it)).map(|it| (it, node))
    })
}

/// Those of them whose inputs change, or come from one of them whose inputs do.
fn stale<'t>(
    trace: &'t Trace,
    capture: &'t Capture,
    inside: &[EventRef],
    behind: EventRef,
) -> Vec<(EventRef, Stale<'t>)> {
    let mut found: Vec<(EventRef, Stale<'t>)> = Vec::new();
    for work in inside {
        let Some(accesses) = accesses_of(trace, *work) else {
            continue;
        };
        let feeds = |(it, _): &&(EventRef, Stale<'t>)| {
            let made = accesses_of(trace, *it).into_iter().flatten();
            let mut made = made.filter(|it| it.mode == Mode::Write && it.sure);
            it.thread == work.thread && made.any(|it| inputs(accesses).any(|own| own.conflicts(it)))
        };
        let stale = by_graph(capture, accesses)
            .or_else(|| later(trace, accesses, behind))
            .or_else(|| found.iter().find(feeds).map(|it| it.1));
        found.extend(stale.map(|it| (*work, it)));
    }
    found
}

/// A memset prepares what the very operation that reads it adds to.
fn spent<'t>(capture: &Capture, accesses: &[Access], written: &Access, reader: &Node) -> Option<Stale<'t>> {
    let prepares = accesses.iter().all(|it| it.mode == Mode::Write);
    let changes = |it: &Access| it.mode == Mode::Write && it.sure && it.conflicts(written);
    let others = capture.nodes.iter().filter(|it| it.made != reader.made);
    let prepared_there = others.flat_map(|it| &it.accesses).any(changes);
    (prepares && !prepared_there && reader.accesses.iter().any(changes)).then_some(Stale::Spent)
}

fn by_graph<'t>(capture: &'t Capture, accesses: &[Access]) -> Option<Stale<'t>> {
    let read =
        |it: &Access| it.mode == Mode::Write && it.sure && inputs(accesses).any(|own| own.conflicts(it));
    let changes = |node: &&Node| node.accesses.iter().any(read);
    capture.nodes.iter().find(changes).map(Stale::ByGraph)
}

fn later<'t>(trace: &'t Trace, accesses: &[Access], behind: EventRef) -> Option<Stale<'t>> {
    let changes = |it: &Access| it.mode == Mode::Write && inputs(accesses).any(|own| own.conflicts(it));
    let mut calls = super::captures::calls(trace)
        .filter(|(it, _)| it.thread == behind.thread && it.index >= behind.index);
    let found = calls.find(|(it, call)| {
        let is_graph = call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Graph);
        !is_graph && accesses_of(trace, *it).is_some_and(|it| it.iter().any(changes))
    });
    found.map(|it| Stale::Later(it.0))
}

/// What work reads of the memory of the device.
fn inputs(accesses: &[Access]) -> impl Iterator<Item = &Access> {
    let reads = accesses.iter().filter(|it| it.mode == Mode::Read && it.sure);
    reads.filter(|it| is_memory(it))
}

fn is_memory(access: &Access) -> bool {
    matches!(
        access.location.base,
        Base::Allocation(_) | Base::Global(_) | Base::Instance(..)
    )
}

fn accesses_of(trace: &Trace, at: EventRef) -> Option<&[Access]> {
    match &at.of(trace).action {
        Action::Call(call) => Some(&call.work.as_ref()?.accesses),
        _ => None,
    }
}
