//! Quick looks at a function's statements, without following values.

use std::collections::BTreeSet;

use super::tables::intrinsic;
use crate::facts::ir::{Expr, ExprKind, Function, Init, Stmt, StmtKind, UnaryOp, Variable};

/// Nesting below this depth is not looked at.
const DEPTH_LIMIT: u32 = 300;

/// Whether a function has a loop that could wait, and the names it calls (which may have one).
///
/// A counted `for` whose condition reads nothing but names ends by itself.
pub(super) fn loops_and_calls(function: &Function) -> (bool, Vec<&str>) {
    let (mut loops, mut calls) = (false, Vec::new());
    visit(&function.body, &mut |item| match item {
        Item::Stmt(stmt) => loops |= may_wait(&stmt.kind),
        Item::Expr(expr) => {
            let ExprKind::Call(call) = &expr.kind else { return };
            match &call.callee.kind {
                ExprKind::Name(name) if intrinsic(name.last()).is_none() => calls.push(name.last()),
                // Atomics of the library wait inside one call.
                ExprKind::Member { field, .. } => {
                    loops |= field == "wait" || field == "wait_until";
                    calls.push(field);
                }
                _ => {}
            }
        }
    });
    (loops, calls)
}

/// Whether a function mentions a grid group.
pub(super) fn mentions_grid(function: &Function) -> bool {
    let is_group = |name: &str| name == "grid_group" || name == "this_grid";
    let mut found = function.params.iter().any(|it| is_group(it.ty.name.last()));
    visit(&function.body, &mut |item| match item {
        Item::Expr(Expr {
            kind: ExprKind::Name(name),
            ..
        }) => found |= is_group(name.last()),
        Item::Stmt(Stmt {
            kind: StmtKind::Declare(variables),
            ..
        }) => {
            found |= variables.iter().any(|it| is_group(it.ty.name.last()));
        }
        _ => {}
    });
    found
}

fn may_wait(stmt: &StmtKind) -> bool {
    match stmt {
        StmtKind::Goto(_) => true,
        StmtKind::Loop {
            condition: Some(condition),
            step: Some(_),
            ..
        } => reads_memory(condition),
        // `do { … } while (0)` runs once.
        StmtKind::Loop {
            condition: Some(condition),
            ..
        } => condition.kind != ExprKind::Int(0),
        StmtKind::Loop { .. } => true,
        _ => false,
    }
}

fn reads_memory(condition: &Expr) -> bool {
    let mut found = false;
    visit_expr(condition, DEPTH_LIMIT, &mut |item| {
        if let Item::Expr(expr) = item {
            found |= matches!(
                expr.kind,
                ExprKind::Index { .. }
                    | ExprKind::Call(_)
                    | ExprKind::Opaque(_)
                    | ExprKind::Asm { .. }
                    | ExprKind::Member { .. }
                    | ExprKind::Unary {
                        op: UnaryOp::Deref,
                        ..
                    }
            );
        }
    });
    found
}

/// Names of variables that statements and expressions assign to, or whose address they take; `true` for those of
/// which only an element is: the variable itself does not change when it is a pointer.
pub(super) fn assigned_names<'a>(
    stmts: &'a [Stmt],
    exprs: impl Iterator<Item = &'a Expr>,
) -> BTreeSet<(&'a str, bool)> {
    let mut names = BTreeSet::new();
    let mut look = |item: Item<'a>| {
        if let Item::Expr(expr) = item {
            assigned_by(expr, &mut names);
        }
    };
    visit(stmts, &mut look);
    for expr in exprs {
        visit_expr(expr, DEPTH_LIMIT, &mut look);
    }
    names
}

fn assigned_by<'a>(expr: &'a Expr, names: &mut BTreeSet<(&'a str, bool)>) {
    match &expr.kind {
        ExprKind::Assign { target, .. } => names.extend(root_name(target)),
        ExprKind::Unary {
            op:
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement
                | UnaryOp::AddressOf,
            operand,
        } => names.extend(root_name(operand)),
        ExprKind::Asm {
            operands, outputs, ..
        } => {
            let outputs = usize::try_from(*outputs).unwrap_or(usize::MAX);
            names.extend(operands.iter().take(outputs).filter_map(root_name));
        }
        _ => {}
    }
}

fn root_name(expr: &Expr) -> Option<(&str, bool)> {
    let mut expr = expr;
    let mut element = false;
    loop {
        element |= matches!(expr.kind, ExprKind::Index { .. });
        expr = match &expr.kind {
            ExprKind::Name(name) if name.is_plain() => return Some((name.last(), element)),
            ExprKind::Member {
                object, arrow: false, ..
            } => object,
            ExprKind::Index { object, .. } => object,
            ExprKind::Cast { operand, .. } => operand,
            _ => return None,
        };
    }
}

/// Labels defined in these statements.
pub(super) fn labels(stmts: &[Stmt]) -> BTreeSet<&str> {
    let mut labels = BTreeSet::new();
    visit(stmts, &mut |item| {
        if let Item::Stmt(Stmt {
            kind: StmtKind::Label(label),
            ..
        }) = item
        {
            labels.insert(label.as_str());
        }
    });
    labels
}

/// `true` when a `goto` in these statements leads to the label.
pub(super) fn jumps_to(stmts: &[Stmt], label: &str) -> bool {
    let mut found = false;
    visit(stmts, &mut |item| {
        found |= matches!(item, Item::Stmt(Stmt { kind: StmtKind::Goto(target), .. }) if target == label);
    });
    found
}

/// What [`visit`] comes across.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    Stmt(&'a Stmt),
    Expr(&'a Expr),
}

/// Shows every statement and expression, lambdas' bodies included, to `look`.
pub(super) fn visit<'a>(stmts: &'a [Stmt], look: &mut dyn FnMut(Item<'a>)) {
    visit_stmts(stmts, DEPTH_LIMIT, look);
}

fn visit_stmts<'a>(stmts: &'a [Stmt], depth: u32, look: &mut dyn FnMut(Item<'a>)) {
    if depth == 0 {
        return;
    }
    for stmt in stmts {
        look(Item::Stmt(stmt));
        visit_stmt(stmt, depth - 1, look);
    }
}

fn visit_stmt<'a>(stmt: &'a Stmt, depth: u32, look: &mut dyn FnMut(Item<'a>)) {
    match &stmt.kind {
        StmtKind::Expr(expr) => visit_expr(expr, depth, look),
        StmtKind::Declare(variables) => {
            for variable in variables {
                visit_variable(variable, depth, look);
            }
        }
        StmtKind::If {
            init,
            condition,
            then,
            otherwise,
            ..
        } => {
            visit_stmts(init, depth, look);
            visit_expr(condition, depth, look);
            visit_stmts(then, depth, look);
            visit_stmts(otherwise, depth, look);
        }
        StmtKind::Loop {
            init,
            condition,
            step,
            body,
            ..
        } => {
            visit_stmts(init, depth, look);
            for expr in condition.iter().chain(step) {
                visit_expr(expr, depth, look);
            }
            visit_stmts(body, depth, look);
        }
        StmtKind::RangeFor {
            variable,
            range,
            body,
        } => {
            visit_variable(variable, depth, look);
            visit_expr(range, depth, look);
            visit_stmts(body, depth, look);
        }
        StmtKind::Switch { value, cases } => {
            visit_expr(value, depth, look);
            for case in cases {
                visit_stmts(&case.body, depth, look);
            }
        }
        StmtKind::Return(value) => {
            if let Some(value) = value {
                visit_expr(value, depth, look);
            }
        }
        StmtKind::Block(body) | StmtKind::OpenMp { body, .. } => visit_stmts(body, depth, look),
        StmtKind::Try { body, handlers } => {
            visit_stmts(body, depth, look);
            for handler in handlers {
                visit_stmts(&handler.body, depth, look);
            }
        }
        StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Label(_) => {}
    }
}

fn visit_variable<'a>(variable: &'a Variable, depth: u32, look: &mut dyn FnMut(Item<'a>)) {
    let written = variable.init.iter().flat_map(Init::expressions);
    written.for_each(|it| visit_expr(it, depth, look));
}

fn visit_exprs<'a>(exprs: &'a [Expr], depth: u32, look: &mut dyn FnMut(Item<'a>)) {
    for expr in exprs {
        visit_expr(expr, depth, look);
    }
}

fn visit_expr<'a>(expr: &'a Expr, depth: u32, look: &mut dyn FnMut(Item<'a>)) {
    if depth == 0 {
        return;
    }
    let depth = depth - 1;
    look(Item::Expr(expr));
    match &expr.kind {
        ExprKind::Member { object: operand, .. }
        | ExprKind::Unary { operand, .. }
        | ExprKind::Delete { operand }
        | ExprKind::Cast { operand, .. }
        | ExprKind::Throw(Some(operand)) => visit_expr(operand, depth, look),
        ExprKind::Index {
            object: left,
            index: right,
        }
        | ExprKind::Binary { left, right, .. }
        | ExprKind::Assign {
            target: left,
            value: right,
            ..
        } => {
            visit_expr(left, depth, look);
            visit_expr(right, depth, look);
        }
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            for expr in [condition, then, otherwise] {
                visit_expr(expr, depth, look);
            }
        }
        ExprKind::Call(call) => {
            visit_expr(&call.callee, depth, look);
            visit_exprs(&call.args, depth, look);
        }
        ExprKind::Launch(launch) => visit_exprs(&launch.args, depth, look),
        ExprKind::New { init: Some(init), .. } | ExprKind::Construct { init, .. } => {
            init.expressions().for_each(|it| visit_expr(it, depth, look));
        }
        ExprKind::Opaque(args) => visit_exprs(args, depth, look),
        ExprKind::InitList(values) => {
            for value in values {
                visit_expr(&value.value, depth, look);
            }
        }
        ExprKind::Lambda(lambda) => visit_stmts(&lambda.body, depth, look),
        ExprKind::Asm { operands, .. } => visit_exprs(operands, depth, look),
        _ => {}
    }
}
