//! Waits for a stream without the mutex that its host function takes.

use super::{edit, unsafe_fix};
use crate::api;
use crate::diagnostics::Fix;
use crate::facts::ir::{Expr, ExprKind, Function, Role, Span, Stmt, StmtKind, Target, UnaryOp, Variable};
use crate::facts::places::{self, Change};
use crate::facts::visit;
use crate::order::EventRef;
use crate::program::{FileId, Program};
use crate::rules::{PathCase, story};

/// The wait comes before the lock where it directly follows it; else the lock is given back for as long as the wait takes.
///
/// `None` where what the wait is told may be changed meanwhile by whoever gets the mutex.
pub(in crate::rules) fn wait_unlocked(case: &PathCase<'_>, locked: EventRef, call: EventRef) -> Option<Fix> {
    let (program, trace) = (case.program, case.trace);
    let ((file, lock), (other, wait)) = (locked.at(trace), call.at(trace));
    let unit = program.unit(file);
    let function = places::function_at(&unit.facts, lock)?;
    if other != file || !places::holds(function.span, wait) {
        return None;
    }
    let pair = places::pair(&unit.facts, &unit.bytes, lock, wait)?;
    let StmtKind::Declare(variables) = &pair.first.kind else {
        return None;
    };
    let [guard] = variables.as_slice() else {
        return None;
    };
    let statement = only_call(pair.second, wait)?;
    let mut read: Vec<&str> = names(pair.between);
    read.extend(names(std::slice::from_ref(statement.expression)));
    read.extend(statement.headers.iter().flat_map(|it| names_of(it)));
    let is_given = |name: &str| function.params.iter().any(|it| it.name == name);
    let is_still = read
        .iter()
        .all(|it| is_given(it) || !is_changed_elsewhere(case, function, it));
    if !is_still {
        return None;
    }
    let title = |what: &str| format!("{what} {}", story::name_in(program, trace, call));
    if pair.between.is_empty() && statement.is_all {
        let edits = pair.moved_down(&unit.bytes)?;
        let edits = edits.into_iter().map(|it| edit(program, file, it)).collect();
        return Some(unsafe_fix(title("take the mutex only behind"), edits));
    }
    let whole = places::statement_at(&unit.facts, &unit.bytes, wait)?;
    if whole != statement.expression.span {
        return None;
    }
    let lines = |what: &str| [format!("{}.{what}();", guard.name)];
    let mut changes = vec![
        places::insertion(&unit.bytes, whole, &lines("unlock")),
        places::insertion_behind(&unit.bytes, whole, &lines("lock"))?,
    ];
    changes.extend(giving_back(program, file, pair.first, guard)?);
    let edits = changes.into_iter().map(|it| edit(program, file, it)).collect();
    Some(unsafe_fix(title("give the mutex back during"), edits))
}

/// A statement that makes one call, by itself or in loops.
struct OnlyCall<'a> {
    expression: &'a Stmt,
    headers: Vec<&'a Expr>,
    /// Nothing else is done in it.
    is_all: bool,
}

fn only_call(statement: &Stmt, wait: Span) -> Option<OnlyCall<'_>> {
    match &statement.kind {
        StmtKind::Expr(_) => Some(OnlyCall {
            expression: statement,
            headers: Vec::new(),
            is_all: true,
        }),
        StmtKind::Loop {
            condition,
            step,
            body,
            ..
        } => within(body, wait, condition.iter().chain(step).collect()),
        StmtKind::RangeFor { range, body, .. } => within(body, wait, vec![range]),
        StmtKind::Block(body) => within(body, wait, Vec::new()),
        _ => None,
    }
}

fn within<'a>(body: &'a [Stmt], wait: Span, headers: Vec<&'a Expr>) -> Option<OnlyCall<'a>> {
    let inner = body.iter().find(|it| places::holds(it.span, wait))?;
    let mut found = only_call(inner, wait)?;
    found.is_all &= body.len() == 1;
    found.headers.extend(headers);
    Some(found)
}

/// What makes a guard one that can be given back.
fn giving_back(
    program: &Program,
    file: FileId,
    declaration: &Stmt,
    guard: &Variable,
) -> Option<Option<Change>> {
    const KIND: &str = "unique_lock";
    let bytes = &program.unit(file).bytes;
    let start = declaration.span.start;
    let before = bytes.get(start as usize..guard.span.start as usize)?;
    let known = guard.ty.name.last();
    if known == KIND {
        return Some(None);
    }
    let at = memchr::memmem::find(before, known.as_bytes())? as u32;
    let is_const = guard.ty.constant;
    let span = Span {
        start: start + at,
        end: start + at + known.len() as u32,
    };
    (!is_const && guard.ty.name.template_args.len() < 2).then(|| Some((span, KIND.to_owned())))
}

fn names(statements: &[Stmt]) -> Vec<&str> {
    let mut names = Vec::new();
    visit::statements(statements, &mut |node| collect(node, &mut names));
    names
}

fn names_of(expression: &Expr) -> Vec<&str> {
    let mut names = Vec::new();
    visit::expression(expression, &mut |node| collect(node, &mut names));
    names
}

/// Names of variables and fields; what is called is none.
fn collect<'a>(node: visit::Node<'a>, names: &mut Vec<&'a str>) {
    if let visit::Node::Expr(it) = node {
        match &it.kind {
            ExprKind::Name(name) => names.push(name.last()),
            ExprKind::Member { field, .. } => names.push(field),
            _ => {}
        }
    }
}

/// Whether another function of this path may change a variable: it assigns it, hands it to somebody, or calls one of its
/// methods for what that does. What constructors do is done by then.
fn is_changed_elsewhere(case: &PathCase<'_>, own: &Function, name: &str) -> bool {
    let program = case.program;
    let executed = case.trace.executed.iter().filter(|it| !program.is_model(it.file));
    let others = executed.map(|it| program.function(*it)).filter(|it| {
        it.path != own.path
            && it.role != Role::Constructor
            && matches!(it.target, Target::Host | Target::HostDevice)
    });
    others.into_iter().any(|it| changes(it, name))
}

fn changes(function: &Function, name: &str) -> bool {
    if function.params.iter().any(|it| it.name == name) {
        return false;
    }
    let (mut is_local, mut found) = (false, false);
    visit::function(function, &mut |node| match node {
        visit::Node::Variable(it) => is_local |= it.name == name,
        visit::Node::Expr(it) => {
            found |= match &it.kind {
                ExprKind::Assign { target, .. } => starts_from(target, name),
                ExprKind::Unary { op, operand } => is_step(*op) && starts_from(operand, name),
                ExprKind::Call(call) => {
                    let is_cuda =
                        matches!(&call.callee.kind, ExprKind::Name(it) if api::lookup(it.last()).is_some());
                    !is_cuda && call.args.iter().any(|it| is_variable(it, name))
                }
                _ => false,
            };
        }
        visit::Node::Type(_) | visit::Node::Statement(_) => {}
    });
    let mut for_effect = |statement: &Stmt| {
        if let StmtKind::Expr(it) = &statement.kind
            && let ExprKind::Call(call) = &it.kind
            && let ExprKind::Member { object, .. } = &call.callee.kind
        {
            found |= starts_from(object, name);
        }
    };
    each(&function.body, &mut for_effect);
    found && !is_local
}

fn is_step(op: UnaryOp) -> bool {
    use UnaryOp::{AddressOf, PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    matches!(
        op,
        AddressOf | PostDecrement | PostIncrement | PreDecrement | PreIncrement
    )
}

fn each<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    for statement in body {
        visit(statement);
        places::bodies(statement)
            .into_iter()
            .for_each(|it| each(it, visit));
    }
}

/// Whether an expression is a variable, a field, or a part of one, of this name.
fn starts_from(expression: &Expr, name: &str) -> bool {
    match &expression.kind {
        ExprKind::Index { object, .. } => starts_from(object, name),
        ExprKind::Member { object, .. } => is_variable(expression, name) || starts_from(object, name),
        _ => is_variable(expression, name),
    }
}

fn is_variable(expression: &Expr, name: &str) -> bool {
    match &expression.kind {
        ExprKind::Name(it) => it.last() == name,
        ExprKind::Member { field, .. } => field == name,
        _ => false,
    }
}
