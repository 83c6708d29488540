//! Keeps captures whole.

use super::dialect::Dialect;
use super::named::{argument, stream_argument, stream_at};
use super::waits::{event_wait, put, stream_words};
use super::{edit, fresh_name, unsafe_fix};
use crate::api::Operation;
use crate::diagnostics::Fix;
use crate::facts::ir::{ExprKind, Span};
use crate::facts::places;
use crate::order::{EventRef, captures, event_refs};
use crate::program::FileId;
use crate::rules::{PathCase, story};
use crate::trace::Site;
use crate::trace::capture::{Capture, CaptureMode, Unjoined};

/// The forked stream is joined back before the capture ends.
pub(in crate::rules) fn join_fork(case: &PathCase<'_>, end: &Site, unjoined: &Unjoined) -> Option<Fix> {
    let program = case.program;
    let (file, span) = (end.file, end.span);
    let unit = program.unit(file);
    let statement = places::statement_at(&unit.facts, &unit.bytes, span)?;
    let work = event_refs(case.trace).find(|it| *it.site(case.trace) == unjoined.work)?;
    let fork = stream_at(program, case.trace, work, (file, statement))?;
    let origin = program.words(file, argument(program, (file, span), 0)?.span);
    let lines = event_wait(program, file, &fork, &origin)?;
    let title = format!("join {} back before the capture ends", stream_words(&fork));
    put(program, title, (file, statement), &lines)
}

/// A call that no capture bears is made before the capture begins, where both stand in one block.
pub(in crate::rules) fn outside(case: &PathCase<'_>, capture: &Capture, call: &Site) -> Option<Fix> {
    let program = case.program;
    let begin: (FileId, Span) = (capture.begin.site.file, capture.begin.site.span);
    if begin.0 != call.file {
        return None;
    }
    let unit = program.unit(call.file);
    let moved = places::moved_before(&unit.facts, &unit.bytes, call.span, begin.1)?;
    let edits = moved.changes.into_iter();
    let edits = edits.map(|it| edit(program, call.file, it)).collect();
    let name = program.words(call.file, call.span);
    Some(unsafe_fix(
        format!("call `{name}` before the capture begins"),
        edits,
    ))
}

/// The capture begins in a mode that bears the calls of other threads.
pub(in crate::rules) fn thread_local(case: &PathCase<'_>, capture: &Capture) -> Option<Fix> {
    in_mode(case, capture, CaptureMode::ThreadLocal)
}

/// The capture begins in the mode that bears a call which hands out, or takes back, memory or the like.
///
/// `None` where what is freed meanwhile is used by what was captured before: each launch would use it.
pub(in crate::rules) fn relaxed(case: &PathCase<'_>, capture: &Capture) -> Option<Fix> {
    (!captures::may_free_what_it_uses(case.trace, capture)).then_some(())?;
    in_mode(case, capture, CaptureMode::Relaxed)
}

/// Another mode where the capture begins; `None` where that call is not told one in so many words.
fn in_mode(case: &PathCase<'_>, capture: &Capture, mode: CaptureMode) -> Option<Fix> {
    let program = case.program;
    let place = (capture.begin.site.file, capture.begin.site.span);
    let written = argument(program, place, 1)?;
    let ExprKind::Name(name) = &written.kind else {
        return None;
    };
    let same = |words: &&[(CaptureMode, &str); 3]| words.iter().any(|it| it.1 == name.last());
    let becomes = MODES.iter().find(same)?.iter().find(|it| it.0 == mode)?.1;
    let title = format!("begin the capture with `{becomes}`");
    Some(unsafe_fix(
        title,
        vec![edit(program, place.0, (written.span, becomes.to_owned()))],
    ))
}

/// What the runtime and the driver call the modes of a capture.
const MODES: [[(CaptureMode, &str); 3]; 2] = [
    [
        (CaptureMode::Global, "cudaStreamCaptureModeGlobal"),
        (CaptureMode::ThreadLocal, "cudaStreamCaptureModeThreadLocal"),
        (CaptureMode::Relaxed, "cudaStreamCaptureModeRelaxed"),
    ],
    [
        (CaptureMode::Global, "CU_STREAM_CAPTURE_MODE_GLOBAL"),
        (CaptureMode::ThreadLocal, "CU_STREAM_CAPTURE_MODE_THREAD_LOCAL"),
        (CaptureMode::Relaxed, "CU_STREAM_CAPTURE_MODE_RELAXED"),
    ],
];

/// A wait for an event from outside of the capture becomes a node that waits for it whenever the graph is launched.
///
/// `None` where the same call is also made outside of a capture, which takes no such flag, and where the event is recorded
/// during the capture: the work before it was to be part of the graph.
pub(in crate::rules) fn wait_at_launch(case: &PathCase<'_>, wait: &Site, recorded: &Site) -> Option<Fix> {
    const FLAG: &str = "cudaEventWaitExternal";
    let (program, trace) = (case.program, case.trace);
    let (file, span) = (wait.file, wait.span);
    let ExprKind::Call(call) = &places::call_at(&program.unit(file).facts, span)?.kind else {
        return None;
    };
    let is_wait = matches!(&call.callee.kind, ExprKind::Name(name) if name.is_plain() && name.last() == "cudaStreamWaitEvent");
    let elsewhere = |it: EventRef| it.at(trace) == (file, span) && !captures::is_captured(trace, it);
    let late = |it: EventRef| it.site(trace) == recorded && captures::is_captured(trace, it);
    if !is_wait || event_refs(trace).any(|it| elsewhere(it) || late(it)) {
        return None;
    }
    let change = match call.args.as_slice() {
        [_, event] => {
            let end = event.span.end;
            (Span { start: end, end }, format!(", {FLAG}"))
        }
        [_, _, flags] if matches!(flags.kind, ExprKind::Int(0)) => (flags.span, FLAG.to_owned()),
        _ => return None,
    };
    let event = program.words(file, call.args.get(1)?.span);
    let title = format!("wait for `{event}` whenever the graph is launched");
    Some(unsafe_fix(title, vec![edit(program, file, change)]))
}

/// What a graph would copy at each launch, from memory that holds it only now, copied once: before the capture begins where
/// both stand in one block, else in a stream that no capture knows.
///
/// `None` where anything else writes what is copied to, so that a later launch would need the copy again.
pub(in crate::rules) fn copy_at_once(case: &PathCase<'_>, made: EventRef, what: &str) -> Option<Fix> {
    let (program, trace) = (case.program, case.trace);
    let call = story::call(trace, made)?;
    let is_copy = call.api.is_some_and(|it| it.operation == Operation::Copy);
    captures::written_alone(trace, made).filter(|_| is_copy)?;
    let (file, span) = made.at(trace);
    let before = before_begin(case, made, what);
    let unit = program.unit(file);
    let dialect = Dialect::of(program, file)?.runtime()?;
    let apart = || {
        let statement = places::call_statement(&unit.facts, &unit.bytes, span)?;
        let stream = stream_argument(program, (file, span))?.0?;
        let name = |base: &str| fresh_name(&unit.bytes, &[base]);
        let (upload, mode) = (name("upload"), name("capture_mode"));
        let exchange = dialect.statement(&format!("cudaThreadExchangeStreamCaptureMode(&{mode})"));
        let first = [
            "{".to_owned(),
            format!("  cudaStreamCaptureMode {mode} = cudaStreamCaptureModeRelaxed;"),
            format!("  {exchange}"),
            format!("  cudaStream_t {upload};"),
            format!(
                "  {}",
                dialect.statement(&format!(
                    "cudaStreamCreateWithFlags(&{upload}, cudaStreamNonBlocking)"
                ))
            ),
        ];
        let last = [
            format!("  {}", dialect.wait_for_stream(&upload)),
            format!("  {}", dialect.statement(&format!("cudaStreamDestroy({upload})"))),
            format!("  {exchange}"),
            "}".to_owned(),
        ];
        let start = Span {
            end: statement.start,
            ..statement
        };
        let changes = [
            places::insertion(&unit.bytes, statement, &first),
            (start, "  ".to_owned()),
            (stream, upload),
            places::insertion_behind(&unit.bytes, statement, &last)?,
        ];
        let edits = changes.into_iter().map(|it| edit(program, file, it)).collect();
        Some(unsafe_fix(
            format!("copy `{what}` once, outside of the capture"),
            edits,
        ))
    };
    Fix::first_of(before.into_iter().chain(apart()).collect())
}

fn before_begin(case: &PathCase<'_>, made: EventRef, what: &str) -> Option<Fix> {
    let (program, trace) = (case.program, case.trace);
    let (file, span) = made.at(trace);
    let holds = |it: &&Capture| {
        let ends = it.end.as_ref().is_none_or(|end| made.index < end.position);
        it.begin.thread == made.thread && it.begin.position <= made.index && ends
    };
    let capture = trace.notes.captures.all.iter().find(holds)?;
    let begin = (capture.begin.site.file, capture.begin.site.span);
    let unit = program.unit(file);
    let mut moved =
        places::moved_before(&unit.facts, &unit.bytes, span, begin.1).filter(|_| begin.0 == file)?;
    let stream = stream_at(program, trace, made, (file, moved.target))?;
    let wait = Dialect::of(program, file)?.wait_for_stream(&stream);
    let (_, line) = places::insertion(&unit.bytes, moved.target, &[wait]);
    moved.changes.first_mut()?.1.push_str(&line);
    let edits = moved
        .changes
        .into_iter()
        .map(|it| edit(program, file, it))
        .collect();
    Some(unsafe_fix(
        format!("copy `{what}` once, before the capture begins"),
        edits,
    ))
}
