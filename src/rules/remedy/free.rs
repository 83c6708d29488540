//! Frees in the stream that used the memory last, which does not wait for the whole device.

use super::named::{root, stream_at};
use super::waits::stream_words;
use super::{HangCase, edit, unsafe_fix};
use crate::api::Operation;
use crate::diagnostics::Fix;
use crate::facts::ir::{Expr, ExprKind, Span};
use crate::facts::{places, visit};
use crate::order::{EventRef, Gate};
use crate::program::{FileId, Program};
use crate::rules::story;
use crate::trace::{Action, Call};

/// `cudaFreeAsync` in the place of `cudaFree`; memory from `cudaMalloc` may be freed by it once it is not used any more.
///
/// `None` where nothing in the same function says which stream used the memory.
pub(in crate::rules) fn free_in_stream(case: &HangCase<'_>) -> Option<Fix> {
    let Gate::BlockingCall { event } = &case.hang.gate else {
        return None;
    };
    let (file, span) = event.at(case.trace);
    let facts = &case.program.unit(file).facts;
    let ExprKind::Call(call) = &places::call_at(facts, span)?.kind else {
        return None;
    };
    let [pointer] = call.args.as_slice() else {
        return None;
    };
    let is_free =
        matches!(&call.callee.kind, ExprKind::Name(name) if name.is_plain() && name.last() == "cudaFree");
    if !is_free || root(pointer).is_none() {
        return None;
    }
    let (stream, title) = match last_stream(case, *event, pointer) {
        Some(stream) => {
            let title = format!(
                "free `{}` in {}, which used it last",
                words(case, file, pointer),
                stream_words(&stream)
            );
            (stream, title)
        }
        None if is_ordinary(case) => {
            let title = format!(
                "free `{}` in the order of the default stream",
                words(case, file, pointer)
            );
            ("0".to_owned(), title)
        }
        None => return None,
    };
    let end = pointer.span.end;
    let edits = vec![
        edit(case.program, file, (call.callee.span, "cudaFreeAsync".to_owned())),
        edit(
            case.program,
            file,
            (Span { start: end, end }, format!(", {stream}")),
        ),
    ];
    Some(unsafe_fix(title, edits))
}

fn words(case: &HangCase<'_>, file: FileId, pointer: &Expr) -> String {
    case.program.words(file, pointer.span)
}

/// Whether what is freed on this path can only be what `cudaFreeAsync` takes: managed memory is none of it.
fn is_ordinary(case: &HangCase<'_>) -> bool {
    let events = case.trace.threads.iter().flat_map(|it| &it.events);
    let managed = |call: &Call| {
        call.api
            .is_some_and(|it| it.operation == Operation::AllocateManaged)
    };
    !events
        .into_iter()
        .any(|it| matches!(&it.action, Action::Call(call) if managed(call)))
}

/// The stream of the last work that is handed a pointer, as it is written in the function that frees it.
fn last_stream(case: &HangCase<'_>, free: EventRef, pointer: &Expr) -> Option<String> {
    let (file, span) = free.at(case.trace);
    let unit = case.program.unit(file);
    let function = places::function_at(&unit.facts, span)?.span;
    let words = case.program.words(file, pointer.span);
    let earlier = (0..free.index).rev().map(|index| EventRef { index, ..free });
    let uses = earlier.filter(|it| {
        let (other, at) = it.at(case.trace);
        other == file && places::holds(function, at)
    });
    // Other memory than that of `cudaMalloc` and the pools is not to be freed this way.
    if !uses.clone().any(|it| allocates(case, it, &words)) {
        return None;
    }
    let last = uses.into_iter().find(|it| is_use(case, *it, &words))?;
    stream_at(case.program, case.trace, last, (file, span))
}

/// Whether a call makes a pointer with these words one to memory of its own.
fn allocates(case: &HangCase<'_>, event: EventRef, words: &str) -> bool {
    let (file, span) = event.at(case.trace);
    let is_malloc = story::call(case.trace, event).is_some_and(|it| it.name == "cudaMalloc");
    let call = places::call_at(&case.program.unit(file).facts, span);
    is_malloc && call.is_some_and(|it| mentions(case.program, file, it, words))
}

/// Whether a call enqueues work and is handed these words.
fn is_use(case: &HangCase<'_>, event: EventRef, words: &str) -> bool {
    let (file, span) = event.at(case.trace);
    let enqueues = story::call(case.trace, event).is_some_and(|it| it.work.is_some());
    let args = match places::call_at(&case.program.unit(file).facts, span).map(|it| &it.kind) {
        Some(ExprKind::Launch(launch)) => &launch.args,
        Some(ExprKind::Call(it)) => &it.args,
        _ => return false,
    };
    enqueues && args.iter().any(|it| mentions(case.program, file, it, words))
}

fn mentions(program: &Program, file: FileId, expression: &Expr, words: &str) -> bool {
    let mut found = false;
    visit::expression(expression, &mut |node| {
        if let visit::Node::Expr(it) = node {
            found |= program.words(file, it.span) == words;
        }
    });
    found
}
