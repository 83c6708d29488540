//! What a stream is called at some place of the program.

use crate::api::{self, Role};
use crate::facts::ir::{Expr, ExprKind, Function, Span};
use crate::facts::{places, visit};
use crate::order::EventRef;
use crate::program::{FileId, Program, Scope};
use crate::rules::Place;
use crate::rules::story;
use crate::trace::{LEGACY, Trace};

/// The stream that an operation is enqueued in, as it can be written at another place; `None` where nothing is known to
/// name it there.
///
/// What names it where the operation is enqueued is followed to the callers, argument by argument, until the function of
/// the other place is reached.
pub(super) fn stream_at(program: &Program, trace: &Trace, event: EventRef, there: Place) -> Option<String> {
    let call = story::call(trace, event)?;
    let is_default = call.work.as_ref().is_some_and(|it| it.stream == LEGACY);
    let path = event.site(trace).path();
    let mut at = path.len() - 1;
    let mut expression = match written_stream(program, trace, event) {
        Some(written) if !matches!(written.kind, ExprKind::Int(0) | ExprKind::Null) => written,
        _ if is_default => return Some("0".to_owned()),
        _ => return None,
    };
    let mut text = source(program, path[at].0, expression.span)?;
    loop {
        let here = path[at];
        let root = root(expression)?;
        let function = places::function_at(&program.unit(here.0).facts, here.1)?;
        let same = |name: &&str| names_same(program, here, there, function, name);
        if same(&root) {
            return names(expression).iter().all(same).then_some(text);
        }
        let position = function.params.iter().position(|it| it.name == root)?;
        at = at.checked_sub(1)?;
        let caller = path[at];
        let argument = argument(program, caller, position)?;
        let outer = source(program, caller.0, argument.span)?;
        // A field of what is handed on may be private there, or its class unknown.
        if text != root {
            return None;
        }
        text = outer;
        expression = argument;
    }
}

/// Whether a name used at one place means the same thing at another.
fn names_same(program: &Program, here: Place, there: Place, function: &Function, root: &str) -> bool {
    let unit = program.unit(there.0);
    let Some(other) = places::function_at(&unit.facts, there.1) else {
        return false;
    };
    if here.0 == there.0 && other.span == function.span {
        let lambda = |at: Place| places::lambda_at(other, at.1);
        return lambda(here) == lambda(there) && places::is_in_scope(&unit.facts, &unit.bytes, root, there.1);
    }
    // A field, from another method of its class.
    let class = |it: &Function| it.path[..it.path.len().saturating_sub(1)].to_vec();
    let is_method = function.path.len() > function.namespaces as usize + 1;
    let knows = |it: &Function| it.params.iter().any(|it| it.name == root) || declares(it, root);
    is_method && class(function) == class(other) && !knows(function) && !knows(other)
}

/// Whether a function has a variable of this name.
fn declares(function: &Function, name: &str) -> bool {
    let mut found = false;
    visit::function(function, &mut |node| {
        if let visit::Node::Variable(it) = node {
            found |= it.name == name;
        }
    });
    found
}

/// The stream argument of a call or launch, as it is written.
pub(super) fn written_stream<'p>(program: &'p Program, trace: &Trace, event: EventRef) -> Option<&'p Expr> {
    let (file, span) = event.at(trace);
    match &places::call_at(&program.unit(file).facts, span)?.kind {
        ExprKind::Launch(launch) => program.launch_stream(Scope { file, path: &[] }, launch),
        ExprKind::Call(call) => {
            let api = story::call(trace, event)?.api?;
            call.args.get(api.argument(Role::Stream, call.args.len())?)
        }
        _ => None,
    }
}

/// Where a call names its stream, when it does, and where its last argument ends; `None` for a call that takes none.
pub(super) fn stream_argument(program: &Program, (file, span): Place) -> Option<(Option<Span>, u32)> {
    let ExprKind::Call(call) = &places::call_at(&program.unit(file).facts, span)?.kind else {
        return None;
    };
    let ExprKind::Name(name) = &call.callee.kind else {
        return None;
    };
    let api = api::lookup(name.last())?;
    let end = call.args.last()?.span.end;
    let written = api
        .argument(Role::Stream, call.args.len())
        .and_then(|it| call.args.get(it));
    // `cudaEventRecord(event)` records in the default stream.
    let takes_one = (0..=call.args.len() + 1).any(|count| api.role(call.args.len(), count) == Role::Stream);
    (written.is_some() || takes_one).then(|| (written.map(|it| it.span), end))
}

/// An argument of a call.
pub(super) fn argument(program: &Program, (file, span): Place, position: usize) -> Option<&Expr> {
    match &places::call_at(&program.unit(file).facts, span)?.kind {
        ExprKind::Call(call) => call.args.get(position),
        _ => None,
    }
}

/// The variable a place starts from; `None` for what does something when it is evaluated.
pub(super) fn root(expression: &Expr) -> Option<&str> {
    match &expression.kind {
        ExprKind::Name(name) if name.is_plain() => Some(name.last()),
        ExprKind::This => Some("this"),
        ExprKind::Member { object, .. } => root(object),
        ExprKind::Index { object, index } => {
            is_still(index).then_some(())?;
            root(object)
        }
        // `stream.get()`: a method that takes nothing.
        ExprKind::Call(call) if call.args.is_empty() => match &call.callee.kind {
            ExprKind::Member { object, .. } => root(object),
            _ => None,
        },
        _ => None,
    }
}

/// All variables an expression names.
fn names(expression: &Expr) -> Vec<&str> {
    let mut names = Vec::new();
    visit::expression(expression, &mut |node| {
        if let visit::Node::Expr(it) = node
            && let ExprKind::Name(name) = &it.kind
        {
            names.push(name.last());
        }
    });
    names
}

/// Whether evaluating an index changes nothing.
fn is_still(index: &Expr) -> bool {
    match &index.kind {
        ExprKind::Int(_) => true,
        ExprKind::Binary { left, right, .. } => is_still(left) && is_still(right),
        _ => root(index).is_some(),
    }
}

/// The bytes of an expression, where they stand in one line.
fn source(program: &Program, file: FileId, span: Span) -> Option<String> {
    let bytes = program
        .unit(file)
        .bytes
        .get(span.start as usize..span.end as usize)?;
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.contains('\n')).then(|| text.to_owned())
}
