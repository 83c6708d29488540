//! Walks over the statement and expression language, so that nobody writes the match twice.

use super::ir::{Expr, ExprKind, Function, Initialiser, Stmt, StmtKind, Type, Variable};

/// What a walk hands to its visitor, in source order, parents before children.
pub enum Node<'a> {
    /// A statement.
    Statement(&'a Stmt),
    /// An expression.
    Expr(&'a Expr),
    /// A local declaration (or a range-for variable).
    Variable(&'a Variable),
    /// A type written in a `new`, cast or construction.
    Type(&'a Type),
}

/// Visits everything in a function: member initialisers, default arguments, body.
pub fn function<'a>(function: &'a Function, visit: &mut dyn FnMut(Node<'a>)) {
    for (_, init) in &function.initialisers {
        init.expressions().for_each(|it| expression(it, visit));
    }
    for parameter in &function.params {
        if let Some(default) = &parameter.default {
            expression(default, visit);
        }
    }
    statements(&function.body, visit);
}

/// Visits statements.
pub fn statements<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(Node<'a>)) {
    for statement in body {
        visit(Node::Statement(statement));
        match &statement.kind {
            StmtKind::Expr(it) => expression(it, visit),
            StmtKind::Declare(variables) => variables.iter().for_each(|it| variable(it, visit)),
            StmtKind::If {
                init,
                condition,
                then,
                otherwise,
                ..
            } => {
                statements(init, visit);
                expression(condition, visit);
                statements(then, visit);
                statements(otherwise, visit);
            }
            StmtKind::Loop {
                init,
                condition,
                step,
                body,
                ..
            } => {
                statements(init, visit);
                condition.iter().for_each(|it| expression(it, visit));
                statements(body, visit);
                step.iter().for_each(|it| expression(it, visit));
            }
            StmtKind::RangeFor {
                variable: it,
                range,
                body,
            } => {
                expression(range, visit);
                variable(it, visit);
                statements(body, visit);
            }
            StmtKind::Switch { value, cases } => {
                expression(value, visit);
                for case in cases {
                    case.labels.iter().flatten().for_each(|it| expression(it, visit));
                    statements(&case.body, visit);
                }
            }
            StmtKind::Return(value) => value.iter().for_each(|it| expression(it, visit)),
            StmtKind::Block(body) | StmtKind::OpenMp { body, .. } => statements(body, visit),
            StmtKind::Try { body, handlers } => {
                statements(body, visit);
                handlers
                    .iter()
                    .for_each(|handler| statements(&handler.body, visit));
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Label(_) => {}
        }
    }
}

/// Visits a variable and its initialiser.
pub fn variable<'a>(variable: &'a Variable, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Variable(variable));
    variable
        .dims
        .iter()
        .flatten()
        .for_each(|it| expression(it, visit));
    if let Some(init) = &variable.init {
        init.expressions().for_each(|it| expression(it, visit));
    }
}

fn initialisers<'a>(items: &'a [Initialiser], visit: &mut dyn FnMut(Node<'a>)) {
    items.iter().for_each(|item| expression(&item.value, visit));
}

/// Visits an expression and everything in it, lambda bodies included.
pub fn expression<'a>(it: &'a Expr, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Expr(it));
    match &it.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Null
        | ExprKind::Name(_)
        | ExprKind::This
        | ExprKind::SizeOf(_) => {}
        ExprKind::Member { object: inner, .. }
        | ExprKind::Unary { operand: inner, .. }
        | ExprKind::Delete { operand: inner } => expression(inner, visit),
        ExprKind::Index {
            object: first,
            index: second,
        }
        | ExprKind::Binary {
            left: first,
            right: second,
            ..
        }
        | ExprKind::Assign {
            target: first,
            value: second,
            ..
        } => {
            expression(first, visit);
            expression(second, visit);
        }
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            expression(condition, visit);
            expression(then, visit);
            expression(otherwise, visit);
        }
        ExprKind::Call(call) => {
            expression(&call.callee, visit);
            call.args.iter().for_each(|arg| expression(arg, visit));
        }
        ExprKind::Launch(launch) => {
            expression(&launch.kernel, visit);
            launch
                .config
                .iter()
                .chain(&launch.args)
                .for_each(|arg| expression(arg, visit));
        }
        ExprKind::New {
            ty,
            init,
            array,
            placement,
        } => {
            visit(Node::Type(ty));
            placement
                .iter()
                .chain(init.iter().flat_map(|it| it.expressions()))
                .chain(array.as_deref())
                .for_each(|arg| expression(arg, visit));
        }
        ExprKind::Cast { ty, operand } => {
            visit(Node::Type(ty));
            expression(operand, visit);
        }
        ExprKind::Construct { ty, init } => {
            visit(Node::Type(ty));
            init.expressions().for_each(|it| expression(it, visit));
        }
        ExprKind::InitList(items) => initialisers(items, visit),
        ExprKind::Lambda(lambda) => {
            lambda
                .captures
                .iter()
                .filter_map(|it| it.init.as_ref())
                .for_each(|init| expression(init, visit));
            statements(&lambda.body, visit);
        }
        ExprKind::Asm { operands, .. } | ExprKind::Opaque(operands) => {
            operands.iter().for_each(|operand| expression(operand, visit));
        }
        ExprKind::Throw(value) => value.iter().for_each(|inner| expression(inner, visit)),
    }
}
