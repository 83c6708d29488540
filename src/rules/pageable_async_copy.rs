//! CL401: an asynchronous copy from or to pageable host memory, which the driver stages while the call blocks.

use std::collections::BTreeMap;

use super::PathCase;
use super::story::{self, PathPhrase};
use crate::diagnostics::{Finding, Severity};
use crate::facts::ir::Span;
use crate::order::EventRef;
use crate::program::FileId;
use crate::trace::notes::{HostMemory, Pageable};
use crate::trace::{Action, Block, Call, StreamKind, ThreadId, Trace, WorkKind};

/// One copy on one path; no note when its host memory is not known to be pageable there.
type Copy<'a> = (&'a PathCase<'a>, EventRef, Option<&'a Pageable>);

/// `pageable-async-copy` (CL401).
pub(super) fn check(cases: &[PathCase<'_>]) -> Vec<Finding> {
    let mut places: BTreeMap<(FileId, Span), Vec<Copy<'_>>> = BTreeMap::new();
    if cases.iter().all(|case| case.trace.notes.pageable.is_empty()) {
        return Vec::new();
    }
    for case in cases {
        for event in copies(case.trace) {
            let note = case.trace.notes.pageable.get(&(event.thread, event.index));
            places
                .entry(event.at(case.trace))
                .or_default()
                .push((case, event, note));
        }
    }
    places.values().filter_map(|copies| report(copies)).collect()
}

fn copies(trace: &Trace) -> impl Iterator<Item = EventRef> {
    let threads = trace.threads.iter().enumerate();
    threads.flat_map(|(thread, it)| {
        let is_copy = |action: &Action| match action {
            Action::Call(call) => call.work.as_ref().is_some_and(|work| work.kind == WorkKind::Copy),
            _ => false,
        };
        let events = it.events.iter().enumerate();
        events
            .filter(move |(_, event)| is_copy(&event.action))
            .map(move |(index, _)| EventRef {
                thread: ThreadId(thread as u32),
                index: index as u32,
            })
    })
}

/// A copy that is from or to pageable memory however the program comes to it.
fn report(copies: &[Copy<'_>]) -> Option<Finding> {
    let notes: Vec<&Pageable> = copies.iter().map(|it| it.2).collect::<Option<_>>()?;
    let severity = copies
        .iter()
        .zip(&notes)
        .map(|((case, event, _), note)| severity(case.trace, *event, note))
        .min()?;
    let ((case, event, _), note) = (copies.first()?, notes.first()?);
    let name = story::name_in(case.program, case.trace, *event);
    let mut steps = Vec::new();
    if let Some(place) = note.allocated {
        steps.push((
            place,
            format!("`{}` is allocated here, and nothing pins it", note.buffer),
        ));
    }
    steps.push((
        event.at(case.trace),
        "the driver copies through a staging buffer of its own".to_owned(),
    ));
    Some(story::path_finding(
        case,
        PathPhrase {
            rule: "pageable-async-copy",
            code: "CL401",
            severity,
            primary: event.at(case.trace),
            message: format!(
                "{name} works on `{}`, which is {}: the call may take as long as the copy, and nothing overlaps it",
                note.buffer,
                memory(note.memory),
            ),
            steps,
            help: format!(
                "allocate `{}` with `cudaMallocHost`, or pin it once with `cudaHostRegister`",
                note.buffer
            ),
        },
    ))
}

fn memory(kind: HostMemory) -> &'static str {
    match kind {
        HostMemory::Heap => "ordinary heap memory",
        HostMemory::Container => "a standard container in pageable memory",
        HostMemory::Local => "a variable on the stack",
        HostMemory::Global => "a global variable in pageable memory",
    }
}

/// A warning where the program means something else to go on meanwhile.
fn severity(trace: &Trace, event: EventRef, note: &Pageable) -> Severity {
    if note.scalar || !is_own_stream(trace, event) || is_waited_for_at_once(trace, event) {
        Severity::Info
    } else {
        Severity::Warning
    }
}

fn call(trace: &Trace, event: EventRef) -> Option<&Call> {
    let events = &trace.threads.get(event.thread.0 as usize)?.events;
    match &events.get(event.index as usize)?.action {
        Action::Call(call) => Some(call),
        _ => None,
    }
}

/// A stream of its own, rather than the default stream.
fn is_own_stream(trace: &Trace, event: EventRef) -> bool {
    let stream = call(trace, event)
        .and_then(|it| it.work.as_ref())
        .map(|it| it.stream);
    stream.is_some_and(|it| {
        !matches!(
            trace.streams[it.0 as usize].kind,
            StreamKind::Legacy | StreamKind::PerThread
        )
    })
}

/// Behind it, and behind copies that follow it directly, the host waits.
fn is_waited_for_at_once(trace: &Trace, event: EventRef) -> bool {
    let mut next = event;
    loop {
        next.index += 1;
        let Some(call) = call(trace, next) else {
            return false;
        };
        let is_copy = call.work.as_ref().is_some_and(|work| work.kind == WorkKind::Copy);
        match (call.blocks, is_copy) {
            (Block::None | Block::OwnWork, true) => {}
            (Block::None, false) => return false,
            _ => return true,
        }
    }
}
