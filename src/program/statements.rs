//! What a call is in the text around it: a step of its own, or an operand of something else.

use std::collections::BTreeSet;

use super::{FileId, FunctionId, Program};
use crate::api;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Init, Role, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

impl Program {
    /// The function a place stands in.
    pub fn function_around(&self, (file, span): (FileId, Span)) -> Option<FunctionId> {
        let functions = self.source(file).facts.functions.iter().zip(0..);
        let around = functions.filter(|(it, _)| it.span.start <= span.start && span.end <= it.span.end);
        let (_, index) = around.min_by_key(|(it, _)| it.span.end - it.span.start)?;
        Some(FunctionId { file, index })
    }

    /// Whether the text of a macro, or of those that it uses, leads into a test framework.
    pub fn is_of_framework(&self, id: FunctionId) -> bool {
        const MOST: usize = 16;
        let (mut open, mut seen) = (vec![id], BTreeSet::from([id]));
        let mut found = false;
        while let (Some(id), false) = (open.pop(), found || seen.len() > MOST) {
            visit::function(self.function(id), &mut |node| {
                let name = match node {
                    Node::Expr(Expr {
                        kind: ExprKind::Name(name),
                        ..
                    }) => name,
                    Node::Type(ty) => &ty.name,
                    Node::Variable(variable) => &variable.ty.name,
                    _ => return,
                };
                found |= name.path.iter().any(|it| api::library::is_test_framework(it));
                let named = self.names.functions.get(name.last()).into_iter().flatten();
                let macros = named.filter(|it| self.function(**it).role == Role::Macro);
                open.extend(macros.filter(|it| seen.insert(**it)));
            });
        }
        found
    }

    /// What the value at a place is kept in: the name of a variable that it initialises, or what it is assigned to.
    pub fn kept_in(&self, at: (FileId, Span)) -> Option<String> {
        let function = self.function(self.function_around(at)?);
        let holds = |it: Span| it.start <= at.1.start && at.1.end <= it.end;
        let mut found: Option<(Span, Span)> = None;
        let mut take = |value: Span, name: Span| {
            let is_inner = found.is_none_or(|it| value.end - value.start <= it.0.end - it.0.start);
            if holds(value) && is_inner {
                found = Some((value, name));
            }
        };
        visit::statements(&function.body, &mut |node| match node {
            Node::Variable(variable) => {
                if let Some(Init::Value(value)) = &variable.init {
                    take(value.span, variable.span);
                }
            }
            Node::Expr(expression) => {
                if let ExprKind::Assign { target, value, .. } = &expression.kind {
                    take(value.span, target.span);
                }
            }
            _ => {}
        });
        found.map(|it| self.words(at.0, it.1))
    }

    /// What an object is made with whose declaration holds a place, or lies in it: the arguments of its constructor.
    pub fn made_with(&self, at: (FileId, Span)) -> Option<String> {
        let function = self.function(self.function_around(at)?);
        let mut found = None;
        visit::statements(&function.body, &mut |node| {
            let Node::Variable(variable) = node else { return };
            let args: Vec<Span> = match &variable.init {
                Some(Init::Parens(args)) => args.iter().map(|it| it.span).collect(),
                Some(Init::Braces(items)) => items.iter().map(|it| it.value.span).collect(),
                _ => return,
            };
            if let (Some(first), Some(last)) = (args.first(), args.last()) {
                let whole = Span {
                    start: variable.span.start,
                    end: last.end,
                };
                if whole.start <= at.1.end && at.1.start <= whole.end {
                    found = Some(Span {
                        start: first.start,
                        end: last.end,
                    });
                }
            }
        });
        found.map(|it| self.words(at.0, it))
    }

    /// Whether a call that nobody sees may be there for what it does, rather than for a value that an operator, or a call
    /// around it, takes: there, or where it is written once more. What is handed a condition, or a call of CUDA, only looks
    /// at how that ended.
    pub fn is_for_itself(&self, (file, span): (FileId, Span)) -> bool {
        let unit = self.source(file);
        let text = |it: Span| unit.bytes.get(it.start as usize..it.end as usize);
        let Some(function) = self.function_around((file, span)) else {
            return true;
        };
        let function = self.function(function);
        let (mut found, mut taken, mut looks) = (false, false, false);
        visit::statements(&function.body, &mut |node| {
            let Node::Expr(expression) = node else { return };
            if expression.span == span
                && let ExprKind::Call(call) = &expression.kind
            {
                found = true;
                looks |= call.args.first().is_some_and(is_outcome);
            }
            taken |= takes(expression, &|it| it.span == span || text(it.span) == text(span));
        });
        !(found && (taken || looks))
    }
}

/// A condition, or a call of CUDA.
fn is_outcome(argument: &Expr) -> bool {
    match &argument.kind {
        ExprKind::Binary { op, .. } => is_condition(*op),
        ExprKind::Unary { op: UnaryOp::Not, .. } => true,
        ExprKind::Call(call) => {
            matches!(&call.callee.kind, ExprKind::Name(name) if api::lookup_path(&name.path).is_some())
        }
        _ => false,
    }
}

fn is_condition(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(
        op,
        B::And | B::Or | B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual
    )
}

/// Whether the value of something is an operand of this expression.
fn takes(expression: &Expr, is_it: &dyn Fn(&Expr) -> bool) -> bool {
    match &expression.kind {
        ExprKind::Call(call) => {
            let receiver = match &call.callee.kind {
                ExprKind::Member { object, .. } => is_it(object),
                _ => false,
            };
            receiver || call.args.iter().any(is_it)
        }
        ExprKind::Binary { left, right, .. } => is_it(left) || is_it(right),
        ExprKind::Unary { operand, .. } => is_it(operand),
        _ => false,
    }
}
