//! CL401: an asynchronous copy from or to pageable host memory, which the driver stages while the call blocks.

use super::Place;
use std::collections::BTreeMap;

use super::story::{self, PathPhrase};
use super::{EntryCase, PathCase};
use crate::api::Operation;
use crate::diagnostics::{Finding, Severity};
use crate::order::{self, EventRef};
use crate::program::{CudaSite, FileId, FunctionId};
use crate::trace::notes::{HostMemory, Pageable};
use crate::trace::{Action, Block, Call, Site, StreamId, StreamKind, ThreadId, Trace, WorkKind};

/// One copy on one path; no note when its host memory is not known to be pageable there.
type Copy<'a> = (&'a PathCase<'a>, EventRef, Option<&'a Pageable>);

/// A copy that is from or to pageable memory however the program comes to it.
struct Staged<'a> {
    case: &'a PathCase<'a>,
    event: EventRef,
    note: &'a Pageable,
    severity: Severity,
    /// A function whose comment says that it does not wait, as the copy does.
    promised: Option<FunctionId>,
}

/// `pageable-async-copy` (CL401).
pub(super) fn check(entry: &EntryCase<'_>) -> Vec<Finding> {
    let noted = |case: &PathCase<'_>| !case.trace.notes.pageable.is_empty();
    if !entry.cases.iter().any(noted) {
        return Vec::new();
    }
    let mut places: BTreeMap<Place, Vec<Copy<'_>>> = BTreeMap::new();
    for case in entry.cases {
        for event in copies(case.trace) {
            let note = case.trace.notes.pageable.get(&(event.thread, event.index));
            places
                .entry(event.at(case.trace))
                .or_default()
                .push((case, event, note));
        }
    }
    // One finding per function and severity: the copies of an upload belong together.
    let mut functions: BTreeMap<(FileId, &[Place], Severity), Vec<Staged<'_>>> = BTreeMap::new();
    for staged in places
        .values()
        .filter_map(|copies| staged(copies, entry.cut_short))
    {
        let Site { file, frames, .. } = staged.event.site(staged.case.trace);
        functions
            .entry((*file, frames, staged.severity))
            .or_default()
            .push(staged);
    }
    functions.values().filter_map(|copies| report(copies)).collect()
}

fn copies(trace: &Trace) -> impl Iterator<Item = EventRef> {
    works(trace)
        .filter(|(_, call)| call.work.as_ref().is_some_and(|work| work.kind == WorkKind::Copy))
        .map(|(event, _)| event)
}

/// Calls that enqueue something, in all threads.
fn works(trace: &Trace) -> impl Iterator<Item = (EventRef, &Call)> {
    let threads = trace.threads.iter().enumerate();
    threads.flat_map(|(thread, it)| {
        let events = it.events.iter().enumerate();
        events.filter_map(move |(index, event)| match &event.action {
            Action::Call(call) if call.work.is_some() => {
                let event = EventRef {
                    thread: ThreadId(thread as u32),
                    index: index as u32,
                };
                Some((event, &**call))
            }
            _ => None,
        })
    })
}

fn staged<'a>(copies: &[Copy<'a>], cut_short: bool) -> Option<Staged<'a>> {
    let notes: Vec<&Pageable> = copies.iter().map(|it| it.2).collect::<Option<_>>()?;
    // On one path it is enough that one of its copies keeps others from running; every path must have one.
    let mut paths: Vec<(&PathCase<'_>, Option<Severity>)> = Vec::new();
    for ((case, event, _), note) in copies.iter().zip(notes) {
        let severity = match promised(case, *event, note) {
            Some(_) => Some(Severity::Warning),
            None => severity(case.trace, *event, note),
        };
        match paths.iter_mut().find(|(known, _)| std::ptr::eq(*known, *case)) {
            Some((_, most)) => *most = severity.max(*most),
            None => paths.push((*case, severity)),
        }
    }
    let severity = paths.iter().map(|(_, severity)| *severity).min()??;
    let (case, event, note) = *copies.first()?;
    Some(Staged {
        case,
        event,
        note: note?,
        promised: promised(case, event, note?),
        // On a path nobody looked at the memory may be pinned.
        severity: match cut_short && !holds_up(case, event, note?) {
            true => Severity::Info,
            false => severity,
        },
    })
}

/// Whether the host surely stands still there: a container of the standard library has no pinned memory unless somebody registers
/// it, and the host means to go on while kernels work on what it is filled with.
fn holds_up(case: &PathCase<'_>, event: EventRef, note: &Pageable) -> bool {
    let (program, from) = (case.program, case.trace.entry.file);
    let registers = |it: &&CudaSite| it.api.is_some_and(|it| it.operation == Operation::RegisterHost);
    let mut registering = program.cuda_sites().iter().filter(registers);
    let end = case.trace.threads[event.thread.0 as usize].events.len() as u32;
    let mut behind = (event.index + 1..end).filter_map(|index| call(case.trace, EventRef { index, ..event }));
    note.memory == HostMemory::Container
        && waits_for_kernel(case.trace, event, note)
        && behind.next().is_some_and(|it| it.blocks == Block::None)
        && !registering.any(|it| program.can_see(from, it.function.file))
}

/// A warning where the program means something else to go on meanwhile, a note where it takes the time of the copy, and
/// nothing where nobody could tell.
fn severity(trace: &Trace, event: EventRef, note: &Pageable) -> Option<Severity> {
    let overlaps = could_overlap(trace, event) && !is_waited_for_at_once(trace, event);
    let is_timed = || {
        let mut regions = trace.notes.regions.iter();
        regions.any(|it| it.thread == event.thread && it.holds(event.index))
    };
    match (overlaps, note.scalar) {
        (true, false) => Some(Severity::Warning),
        // What a library copies from or to a variable of its own is not the caller's to change.
        (true, _) if note.by_library && (note.scalar || note.memory == HostMemory::Local) => None,
        (true, true) if waits_for_kernel(trace, event, note) => Some(Severity::Warning),
        (true, true) => Some(Severity::Info),
        (false, _) if is_left_to_the_caller(trace, event, note) => Some(Severity::Warning),
        (false, false) if is_timed() => Some(Severity::Info),
        (false, _) if note.by_library => None,
        (false, _) if is_only_enqueued(trace, event, note) => Some(Severity::Info),
        (false, _) => None,
    }
}

/// The function on the way to the copy whose comment says that it does not wait for the device, as this copy does.
fn promised(case: &PathCase<'_>, event: EventRef, note: &Pageable) -> Option<FunctionId> {
    // What the caller has enqueued in his stream stands before it.
    if !note.filled {
        return None;
    }
    let path = event.site(case.trace).path();
    let mut around = path.into_iter().filter_map(|it| case.program.function_around(it));
    around.find(|it| case.program.says_it_does_not_wait(*it))
}

/// The copy is in a stream of the caller's, for whose other work nobody waits from then on: who hands a stream over expects
/// to go on meanwhile.
fn is_only_enqueued(trace: &Trace, event: EventRef, note: &Pageable) -> bool {
    // Who copies to the host is about to read it.
    !note.filled && is_of_caller(trace, event) && waits_for_nothing_else(trace, event)
}

/// What is copied to is kept for whoever waits for the stream he handed over: the function waits for nothing by itself, and this call
/// does, for kernels in front of it.
fn is_left_to_the_caller(trace: &Trace, event: EventRef, note: &Pageable) -> bool {
    let is_kept = matches!(note.memory, HostMemory::Heap | HostMemory::Container) && !note.by_library;
    let stream = stream_of(trace, event).map(|it| &trace.streams[it.0 as usize]);
    is_kept
        && stream.is_some_and(|it| it.handed_in.is_some())
        && waits_for_kernel(trace, event, note)
        && is_of_caller(trace, event)
        && waits_for_nothing_else(trace, event)
}

fn stream_of(trace: &Trace, event: EventRef) -> Option<StreamId> {
    let work = call(trace, event).and_then(|it| it.work.as_ref());
    work.map(|it| it.stream)
}

/// It is in a stream that nobody saw being made.
fn is_of_caller(trace: &Trace, event: EventRef) -> bool {
    stream_of(trace, event).is_some_and(|it| {
        let stream = &trace.streams[it.0 as usize];
        stream.kind == StreamKind::Unknown && !stream.created
    })
}

/// No other call waits for work.
fn waits_for_nothing_else(trace: &Trace, event: EventRef) -> bool {
    let events = &trace.threads[event.thread.0 as usize].events;
    let mut others = events
        .iter()
        .enumerate()
        .filter_map(|(index, it)| match &it.action {
            Action::Call(call) if index != event.index as usize => Some(call),
            _ => None,
        });
    others.all(|it| it.blocks == Block::None || it.work.is_some())
}

/// However little is copied to the host, the call comes back when the kernels in front of it have ended (runtime API,
/// synchronization behaviour of `cudaMemcpyAsync`).
fn waits_for_kernel(trace: &Trace, event: EventRef, note: &Pageable) -> bool {
    let work = |event| call(trace, event).and_then(|it| it.work.as_ref());
    let Some(own) = work(event).map(|it| it.stream).filter(|_| note.filled) else {
        return false;
    };
    let before = (0..event.index)
        .rev()
        .filter_map(|index| call(trace, EventRef { index, ..event }));
    let mut unwaited = before.take_while(|it| it.blocks == Block::None);
    unwaited.any(|it| {
        let work = it.work.as_ref();
        work.is_some_and(|it| it.stream == own && it.kind == WorkKind::Kernel)
    })
}

/// The copy is in a stream of its own, and other streams work too.
fn could_overlap(trace: &Trace, event: EventRef) -> bool {
    let is_default = |stream: StreamId| {
        matches!(
            trace.streams[stream.0 as usize].kind,
            StreamKind::Legacy | StreamKind::PerThread
        )
    };
    let stream = |call: &Call| call.work.as_ref().map(|it| it.stream);
    let Some(own) = call(trace, event).and_then(stream).filter(|it| !is_default(*it)) else {
        return false;
    };
    let works = |call: &Call| {
        let kinds = |kind| {
            matches!(
                kind,
                WorkKind::Kernel | WorkKind::Copy | WorkKind::Graph | WorkKind::Memset | WorkKind::Other
            )
        };
        call.work
            .as_ref()
            .is_some_and(|it| kinds(it.kind) && it.stream != own)
    };
    // Between two waits of the host, or at any time in another thread.
    let at = |index: u32| call(trace, EventRef { index, ..event });
    let end = trace.threads[event.thread.0 as usize].events.len() as u32;
    let goes_on = |call: &Call| call.blocks == Block::None || call.work.is_some();
    let behind = (event.index + 1..end)
        .filter_map(at)
        .take_while(|it| goes_on(it) || is_for_another(trace, it, own));
    let before = (0..event.index).rev().filter_map(at).take_while(|it| goes_on(it));
    // What the host has waited for is over.
    let before = before.filter(|it| it.blocks == Block::None);
    let elsewhere = || order::beside(trace, event).into_iter();
    behind.chain(before).any(works) || elsewhere().filter_map(|it| it.call(trace)).any(works)
}

/// The host waits for a stream that has nothing to do with this one.
fn is_for_another(trace: &Trace, call: &Call, own: StreamId) -> bool {
    match call.blocks {
        Block::Stream(stream) => {
            let kind = trace.streams[stream.0 as usize].kind;
            stream != own && matches!(kind, StreamKind::Blocking | StreamKind::NonBlocking)
        }
        _ => false,
    }
}

fn call(trace: &Trace, event: EventRef) -> Option<&Call> {
    let events = &trace.threads.get(event.thread.0 as usize)?.events;
    match &events.get(event.index as usize)?.action {
        Action::Call(call) => Some(call),
        _ => None,
    }
}

/// Behind it, and behind copies and memsets that follow it directly, the host waits: memory is being set up, or fetched.
fn is_waited_for_at_once(trace: &Trace, event: EventRef) -> bool {
    let own = call(trace, event)
        .and_then(|it| it.work.as_ref())
        .map(|it| it.stream);
    let mut next = event;
    loop {
        next.index += 1;
        let events = &trace.threads[next.thread.0 as usize].events;
        // Who looks for the stream to wait for, in the object that holds the memory as well, does nothing meanwhile.
        let looks = events
            .get(next.index as usize)
            .is_some_and(|it| matches!(it.action, Action::Touch(_)));
        if looks {
            continue;
        }
        let Some(call) = call(trace, next) else {
            return false;
        };
        if own.is_some_and(|own| is_for_another(trace, call, own)) {
            return false;
        }
        let moves = |it: &crate::trace::Work| matches!(it.kind, WorkKind::Copy | WorkKind::Memset);
        match (call.blocks, call.work.as_ref().is_some_and(moves)) {
            (Block::None | Block::OwnWork, true) => {}
            (Block::None, false) => return false,
            _ => return true,
        }
    }
}

fn report(copies: &[Staged<'_>]) -> Option<Finding> {
    let Staged {
        case,
        event,
        note,
        severity,
        promised,
    } = copies.first()?;
    let name = story::name_in(case.program, case.trace, *event);
    let more = match copies.len() - 1 {
        0 => String::new(),
        1 => " (and one more copy here)".to_owned(),
        count => format!(" (and {count} more copies here)"),
    };
    let memory = match note.memory {
        HostMemory::Heap => "ordinary heap memory",
        HostMemory::Container => "a standard container in pageable memory",
        HostMemory::Local => "a variable on the stack",
        HostMemory::Global => "a global variable in pageable memory",
    };
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
    if let Some(function) = promised {
        let definition = case.program.function(*function);
        let name = definition.path.last().map_or("", String::as_str);
        let said = format!("the comment at `{name}` says that it does not wait");
        steps.push(((function.file, definition.name_span), said));
    }
    for other in &copies[1..] {
        let at = other.event.at(other.case.trace);
        steps.push((at, format!("so does the copy of `{}`", other.note.buffer)));
    }
    Some(story::path_finding(
        case,
        PathPhrase {
            rule: "pageable-async-copy",
            code: "CL401",
            severity: *severity,
            primary: event.at(case.trace),
            message: format!(
                "{name} works on `{}`, which is {memory}{more}: the call may take as long as the copy, and nothing \
                 overlaps it",
                note.buffer,
            ),
            steps,
            help: format!(
                "allocate `{}` with `cudaMallocHost`, or pin it once with `cudaHostRegister`; then leave it alone until \
                 the copy has ended",
                note.buffer
            ),
        },
    ))
}
