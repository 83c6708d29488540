//! Makes a stream non-blocking where it is created.

use super::{HangCase, edit, unsafe_fix};
use crate::diagnostics::{Edit, Fix};
use crate::facts::ir::{ExprKind, Span};
use crate::facts::places::{self, Change};
use crate::order::{DeviceOrder, Link};
use crate::program::{FileId, Program};
use crate::rules::story;
use crate::trace::{Action, StreamId, StreamKind, Trace};

/// How a call creates a stream: its name, what it becomes, where its flags are, and the flag that is meant.
const CREATORS: &[(&str, &str, usize, &str)] = &[
    (
        "cudaStreamCreate",
        "cudaStreamCreateWithFlags",
        1,
        "cudaStreamNonBlocking",
    ),
    (
        "cudaStreamCreateWithFlags",
        "cudaStreamCreateWithFlags",
        1,
        "cudaStreamNonBlocking",
    ),
    (
        "cudaStreamCreateWithPriority",
        "cudaStreamCreateWithPriority",
        1,
        "cudaStreamNonBlocking",
    ),
    ("cuStreamCreate", "cuStreamCreate", 1, "CU_STREAM_NON_BLOCKING"),
    (
        "cuStreamCreateWithPriority",
        "cuStreamCreateWithPriority",
        1,
        "CU_STREAM_NON_BLOCKING",
    ),
];

/// The stream that the legacy default stream waits for, or that waits for it, created so that neither does.
pub(in crate::rules) fn non_blocking(case: &HangCase<'_>) -> Option<Fix> {
    // A write that is enqueued behind its wait stays a mistake in any stream.
    if story::is_stream_wait(case) && !matches!(case.hang.releaser.of(case.trace).action, Action::Store(_)) {
        return None;
    }
    let stream = case.hang.cycle.iter().find_map(|link| match link {
        Link::After {
            operation,
            earlier,
            order: DeviceOrder::Legacy,
        } => [earlier, operation].into_iter().find_map(|it| {
            let work = story::call(case.trace, *it)?.work.as_ref()?;
            is_blocking(case, work.stream).then_some(work.stream)
        }),
        _ => None,
    })?;
    created_non_blocking(case.program, case.trace, &[stream])
}

/// Some streams created so that the legacy default stream does not wait for them.
pub(in crate::rules) fn created_non_blocking(
    program: &Program,
    trace: &Trace,
    streams: &[StreamId],
) -> Option<Fix> {
    let mut edits: Vec<Edit> = Vec::new();
    for stream in streams {
        let site = trace.streams[stream.0 as usize].made.as_ref()?;
        for change in flags(program, site.file, site.span)? {
            let edit = edit(program, site.file, change);
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
    }
    let mut names: Vec<String> = streams.iter().map(|it| story::stream_name(trace, *it)).collect();
    names.dedup();
    let title = format!("create {} with `cudaStreamNonBlocking`", names.join(" and "));
    Some(unsafe_fix(title, edits))
}

fn is_blocking(case: &HangCase<'_>, stream: StreamId) -> bool {
    case.trace.streams[stream.0 as usize].kind == StreamKind::Blocking
}

/// Edits of the call that creates a stream.
fn flags(program: &Program, file: FileId, span: Span) -> Option<Vec<Change>> {
    let ExprKind::Call(call) = &places::call_at(&program.unit(file).facts, span)?.kind else {
        return None;
    };
    let ExprKind::Name(name) = &call.callee.kind else {
        return None;
    };
    let (_, becomes, position, flag) = CREATORS
        .iter()
        .find(|it| it.0 == name.last() && name.is_plain())?;
    if let Some(written) = call.args.get(*position) {
        return Some(vec![(written.span, (*flag).to_owned())]);
    }
    let end = call.args.last()?.span.end;
    let behind = Span { start: end, end };
    Some(vec![
        (call.callee.span, (*becomes).to_owned()),
        (behind, format!(", {flag}")),
    ])
}
