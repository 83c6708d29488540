//! What a call is in the text around it: a step of its own, or an operand of something else.

use super::{FileId, FunctionId, Program};
use crate::api;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, UnaryOp};
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
