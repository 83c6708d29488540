//! What calls are handed, as it is spelled: whether the text of a function alone says that two calls are handed the same.

use std::collections::BTreeSet;

use super::{FileId, FunctionId, Program};
use crate::api::{self, Operation, Role};
use crate::facts::ir::{Expr, ExprKind, Function, Init, Span, Stmt, StmtKind, UnaryOp, Variable};
use crate::facts::places::{bodies, function_at, holds};
use crate::facts::visit::{self, Node};

/// How many variables are followed to what they were made of.
const MOST_VARIABLES: u32 = 3;

/// What a call in the text of a function works on: its object and its arguments.
struct Operands<'f> {
    all: Vec<&'f Expr>,
    /// It makes an object.
    makes: bool,
}

impl Program {
    /// What one call in a function is handed, the object it is made on included, where another call of this function is handed all
    /// of it, too. Variables that never change are what they were made of. A call that makes no object is handed two things at
    /// least.
    pub fn handed_alike(&self, file: FileId, first: Span, second: Span) -> Option<Vec<String>> {
        let unit = self.source(file);
        let function = function_at(&unit.facts, first)?;
        if function_at(&unit.facts, second)?.span != function.span {
            return None;
        }
        let (first, second) = (operands(function, first)?, operands(function, second)?);
        let spelled = |it: &Operands<'_>| -> Vec<String> {
            let named = it.all.iter().filter(|it| !is_literal(it));
            named
                .map(|it| spelled(&unit.bytes, made_of(function, it, MOST_VARIABLES)))
                .collect()
        };
        let (handed, also) = (spelled(&first), spelled(&second));
        let least = if first.makes { 1 } else { 2 };
        (handed.len() >= least && handed.iter().all(|it| also.contains(it))).then_some(handed)
    }

    /// Records in the text of a function, each right before a wait of the very stream it is recorded in for the very event, where
    /// the function names other streams, too.
    pub fn own_records(&self, id: FunctionId) -> Vec<(Span, Span)> {
        let function = self.function(id);
        let bytes = &self.source(id.file).bytes;
        let text = bytes.get(function.span.start as usize..function.span.end as usize);
        let mentions = |it: &[u8]| text.is_some_and(|text| memchr::memmem::find(text, it).is_some());
        if !mentions(b"EventRecord") || !mentions(b"StreamWaitEvent") {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut streams = BTreeSet::new();
        let mut marks: Vec<Mark> = Vec::new();
        visit::statements(&function.body, &mut |node| {
            let Node::Expr(it) = node else { return };
            match &it.kind {
                ExprKind::Launch(launch) => {
                    let stream = self.launch_stream(self.scope_of_function(id), launch);
                    streams.extend(stream.map(|it| spelled(bytes, it)));
                }
                ExprKind::Call(call) => {
                    let ExprKind::Name(name) = &call.callee.kind else {
                        return;
                    };
                    let Some(entry) = api::lookup_path(&name.path) else {
                        return;
                    };
                    let argument = |role: Role| {
                        let index = entry.argument(role, call.args.len())?;
                        call.args.get(index)
                    };
                    let Some(stream) = argument(Role::Stream) else {
                        return;
                    };
                    streams.insert(spelled(bytes, stream));
                    let event = argument(Role::Event).filter(|it| is_plain(it) && is_plain(stream));
                    let plain = argument(Role::Flags).is_none_or(|it| matches!(it.kind, ExprKind::Int(0)));
                    marks.push(Mark {
                        at: it.span,
                        operation: entry.operation,
                        names: event
                            .filter(|_| plain)
                            .map(|it| (spelled(bytes, it), spelled(bytes, stream))),
                    });
                }
                _ => {}
            }
        });
        for pair in marks.windows(2) {
            let (record, wait) = (&pair[0], &pair[1]);
            if record.operation == Operation::EventRecord
                && wait.operation == Operation::StreamWaitEvent
                && record.names.is_some()
                && record.names == wait.names
                && streams.len() > 1
                && follow_each_other(&function.body, record.at, wait.at)
            {
                found.push((record.at, wait.at));
            }
        }
        found
    }
}

/// A record, or a wait, or other work, in the text of a function.
struct Mark {
    at: Span,
    operation: Operation,
    /// The event and the stream, where both are plain to see.
    names: Option<(String, String)>,
}

/// A variable, a member of one, an element: whoever asks twice is told the same.
fn is_plain(it: &Expr) -> bool {
    match &it.kind {
        ExprKind::Name(_) | ExprKind::This | ExprKind::Int(_) => true,
        ExprKind::Member { object, .. } => is_plain(object),
        ExprKind::Index { object, index } => is_plain(object) && is_plain(index),
        ExprKind::Unary {
            op: UnaryOp::Deref,
            operand,
        } => is_plain(operand),
        _ => false,
    }
}

/// Whether two places stand in two statements of which one follows the other.
fn follow_each_other(body: &[Stmt], first: Span, second: Span) -> bool {
    let around = |at: Span| body.iter().position(|it| holds(it.span, at));
    match (around(first), around(second)) {
        (Some(one), Some(other)) if one == other => bodies(&body[one])
            .into_iter()
            .any(|it| follow_each_other(it, first, second)),
        (Some(one), Some(other)) => {
            let is_simple = |it: usize| matches!(body[it].kind, StmtKind::Expr(_));
            other == one + 1 && is_simple(one) && is_simple(other)
        }
        _ => false,
    }
}

/// What the call at a span is handed.
fn operands(function: &Function, at: Span) -> Option<Operands<'_>> {
    let mut found = None;
    visit::function(function, &mut |node| match node {
        Node::Expr(it) if it.span == at => found = found.take().or(of_expression(it)),
        Node::Variable(it) if it.span == at => found = found.take().or(of_variable(it)),
        _ => {}
    });
    found
}

fn of_expression(it: &Expr) -> Option<Operands<'_>> {
    match &it.kind {
        ExprKind::Call(call) => {
            let object = match &call.callee.kind {
                ExprKind::Member { object, .. } => Some(&**object),
                _ => None,
            };
            Some(Operands {
                all: object.into_iter().chain(&call.args).collect(),
                makes: false,
            })
        }
        ExprKind::New { init: Some(init), .. } | ExprKind::Construct { init, .. } => Some(Operands {
            all: init.expressions().collect(),
            makes: true,
        }),
        _ => None,
    }
}

fn of_variable(it: &Variable) -> Option<Operands<'_>> {
    let all = match it.init.as_ref()? {
        Init::Value(_) => return None,
        Init::Parens(args) => args.iter().collect(),
        Init::Braces(items) => items.iter().map(|it| &it.value).collect(),
    };
    Some(Operands { all, makes: true })
}

/// What a variable that never changes was made of, or the expression itself.
fn made_of<'f>(function: &'f Function, it: &'f Expr, depth: u32) -> &'f Expr {
    let ExprKind::Name(name) = &it.kind else { return it };
    if depth == 0 || !name.is_plain() || function.params.iter().any(|it| it.name == name.last()) {
        return it;
    }
    let is_it = |it: &Expr| matches!(&it.kind, ExprKind::Name(other) if other.is_plain() && other.last() == name.last());
    let mut declared = Vec::new();
    let mut changes = false;
    visit::function(function, &mut |node| match node {
        Node::Variable(it) if it.name == name.last() => declared.push(it),
        Node::Expr(it) => {
            changes |= match &it.kind {
                ExprKind::Assign { target, .. } => is_it(target),
                ExprKind::Unary { op, operand } => {
                    let reads = matches!(
                        op,
                        UnaryOp::Deref | UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Negate | UnaryOp::Plus
                    );
                    !reads && is_it(operand)
                }
                _ => false,
            }
        }
        _ => {}
    });
    let [variable] = declared.as_slice() else {
        return it;
    };
    match &variable.init {
        Some(Init::Value(value)) if !changes => made_of(function, value, depth - 1),
        Some(Init::Parens(args)) if !changes && args.len() == 1 => made_of(function, &args[0], depth - 1),
        _ => it,
    }
}

fn is_literal(it: &Expr) -> bool {
    matches!(
        it.kind,
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Null
    )
}

/// The text of an expression without white space.
fn spelled(bytes: &[u8], it: &Expr) -> String {
    let text = bytes
        .get(it.span.start as usize..it.span.end as usize)
        .unwrap_or_default();
    String::from_utf8_lossy(text).split_whitespace().collect()
}
