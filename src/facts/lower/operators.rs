//! Operator tokens to operators, and chains of operators without recursion.

use tree_sitter::Node;

use super::Lowering;
use super::kind::{self, Field, Kind};
use super::loose::Loose;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Span, UnaryOp};

impl<'tree> Lowering<'tree> {
    /// `a + b * c + …`: the left spine is walked, not recursed into.
    pub(super) fn binary(&mut self, node: Node<'tree>) -> ExprKind {
        let mut spine = Vec::new();
        let mut leftmost = node;
        while kind::kind(leftmost) == Kind::BinaryExpression {
            spine.push(leftmost);
            match kind::field(leftmost, Field::Left) {
                Some(left) => leftmost = left,
                None => break,
            }
        }
        // The leftmost operand ends up below all operators of the chain.
        let links = u32::try_from(spine.len()).unwrap_or(u32::MAX);
        let first = self.nested_by(links, |this| match this.loose(leftmost) {
            Some(loose) => Operand::Loose(loose),
            None => Operand::Tight(this.expression(leftmost)),
        });
        let Some(mut result) = first else {
            return self.flattened_chain(leftmost, &spine);
        };
        for link in spine.into_iter().rev() {
            result = self.binary_link(link, result);
        }
        result.expression().kind
    }

    /// A chain so long that nesting it would be too deep: its operands, in order.
    fn flattened_chain(&mut self, leftmost: Node<'tree>, spine: &[Node<'tree>]) -> ExprKind {
        let mut operands = vec![self.expression(leftmost)];
        let rights = spine
            .iter()
            .rev()
            .filter_map(|link| kind::field(*link, Field::Right));
        operands.extend(rights.map(|right| self.expression(right)));
        ExprKind::Opaque(operands)
    }

    fn binary_link(&mut self, link: Node<'tree>, left: Operand) -> Operand {
        let span = self.span(link);
        let tight = |kind| Operand::Tight(Expr { span, kind });
        let Some(right) = kind::field(link, Field::Right) else {
            return tight(ExprKind::Opaque(vec![left.expression()]));
        };
        if let Operand::Tight(_) = left
            && let Some(cast) = self.cast_in_disguise(link, right)
        {
            return tight(cast);
        }
        let operator = kind::field(link, Field::Operator).map(|operator| self.bytes(operator));
        let Some(op) = operator.and_then(binary_operator) else {
            return tight(ExprKind::Opaque(vec![left.expression(), self.expression(right)]));
        };
        match (left, self.loose(right)) {
            (Operand::Tight(left), None) => tight(ExprKind::Binary {
                op,
                left: Box::new(left),
                right: Box::new(self.expression(right)),
            }),
            (Operand::Loose(left), None) => {
                let right = self.expression(right);
                Operand::Loose(left.before(op, right))
            }
            (Operand::Tight(left), Some(right)) => Operand::Loose(right.behind(left, op)),
            (Operand::Loose(left), Some(right)) => Operand::Loose(left.beside(op, right)),
        }
    }

    /// `(T)-x`, `(T)&x`, `(T)*x`: tree-sitter takes a type it has not heard of for a variable in parentheses.
    fn cast_in_disguise(&mut self, link: Node<'tree>, right: Node<'tree>) -> Option<ExprKind> {
        let left = kind::field(link, Field::Left)?;
        let op = match self.bytes(kind::field(link, Field::Operator)?) {
            b"-" => UnaryOp::Negate,
            b"+" => UnaryOp::Plus,
            b"&" => UnaryOp::AddressOf,
            b"*" => UnaryOp::Deref,
            _ => return None,
        };
        let name = self.parenthesised_name(left)?;
        if !self.is_type_name(&self.string(name)) {
            return None;
        }
        let ty = self.plain_type(name);
        let operand = self.expression(right);
        let span = Span {
            start: operand.span.start.saturating_sub(1),
            end: operand.span.end,
        };
        let operand = Expr {
            span,
            kind: ExprKind::Unary {
                op,
                operand: Box::new(operand),
            },
        };
        Some(ExprKind::Cast {
            ty,
            operand: Box::new(operand),
        })
    }

    /// `a, b, c`: nests to the right in the tree, to the left in the facts.
    pub(super) fn comma(&mut self, node: Node<'tree>) -> ExprKind {
        let mut operands = Vec::new();
        let mut rest = Some(node);
        while let Some(node) = rest.take() {
            if kind::kind(node) != Kind::CommaExpression {
                operands.push(node);
                break;
            }
            operands.extend(kind::field(node, Field::Left));
            rest = kind::field(node, Field::Right);
        }
        let links = u32::try_from(operands.len()).unwrap_or(u32::MAX);
        let deep: Option<Vec<Expr>> = self.nested_by(links, |this| {
            operands.iter().map(|&operand| this.expression(operand)).collect()
        });
        match deep {
            Some(operands) => {
                join_with_commas(operands).map_or(ExprKind::Opaque(Vec::new()), |joined| joined.kind)
            }
            None => ExprKind::Opaque(
                operands
                    .into_iter()
                    .map(|operand| self.expression(operand))
                    .collect(),
            ),
        }
    }

    pub(super) fn assignment(&mut self, node: Node<'tree>) -> ExprKind {
        let target = kind::field(node, Field::Left).map(|left| self.expression(left));
        let value = kind::field(node, Field::Right).map(|right| self.expression(right));
        let operator = kind::field(node, Field::Operator).map_or(&b"="[..], |op| self.bytes(op));
        // `(a = b, c)`: the grammar reads `a = c`, with an error before it.
        if let (Some(first), Some(target), Some(rest)) = (self.assigned_first(node), &target, &value) {
            let span = Span {
                start: target.span.start,
                end: first.span.end,
            };
            let kind = ExprKind::Assign {
                op: compound_operator(operator),
                target: Box::new(target.clone()),
                value: Box::new(first),
            };
            return ExprKind::Binary {
                op: BinaryOp::Comma,
                left: Box::new(Expr { span, kind }),
                right: Box::new(rest.clone()),
            };
        }
        match (target, value) {
            (Some(target), Some(value)) => ExprKind::Assign {
                op: compound_operator(operator),
                target: Box::new(target),
                value: Box::new(value),
            },
            (target, value) => ExprKind::Opaque(target.into_iter().chain(value).collect()),
        }
    }

    /// What stands between the operator of an assignment and a comma the grammar has no place for.
    fn assigned_first(&mut self, node: Node<'tree>) -> Option<Expr> {
        let children = self.children(node);
        let error = children.iter().find(|it| it.kind == Kind::Error)?;
        if !self.bytes(error.node).trim_ascii_end().ends_with(b",") {
            return None;
        }
        let mut found = self.expressions(error.node);
        let first = found.pop()?;
        found.is_empty().then_some(first)
    }

    pub(super) fn unary(&mut self, node: Node<'tree>) -> ExprKind {
        let Some(operand) = kind::field(node, Field::Argument).map(|operand| self.expression(operand)) else {
            return ExprKind::Opaque(Vec::new());
        };
        let begin = u32::try_from(node.start_byte()).unwrap_or(u32::MAX);
        if self.prepared.throws.binary_search(&begin).is_ok() {
            return ExprKind::Throw(Some(Box::new(operand)));
        }
        let Some(op) = self.unary_operator(node) else {
            return ExprKind::Opaque(vec![operand]);
        };
        ExprKind::Unary {
            op,
            operand: Box::new(operand),
        }
    }

    pub(super) fn unary_operator(&self, node: Node<'tree>) -> Option<UnaryOp> {
        Some(match self.bytes(kind::field(node, Field::Operator)?) {
            b"*" => UnaryOp::Deref,
            b"&" => UnaryOp::AddressOf,
            b"!" | b"not" => UnaryOp::Not,
            b"~" | b"compl" => UnaryOp::BitNot,
            b"-" => UnaryOp::Negate,
            b"+" => UnaryOp::Plus,
            _ => return None,
        })
    }

    /// `++x`, `x--`.
    pub(super) fn update(&mut self, node: Node<'tree>) -> ExprKind {
        let (Some(argument), Some(operator)) = (
            kind::field(node, Field::Argument),
            kind::field(node, Field::Operator),
        ) else {
            return ExprKind::Opaque(Vec::new());
        };
        let before = operator.start_byte() < argument.start_byte();
        let op = match (self.bytes(operator), before) {
            (b"++", true) => UnaryOp::PreIncrement,
            (b"++", false) => UnaryOp::PostIncrement,
            (_, true) => UnaryOp::PreDecrement,
            (_, false) => UnaryOp::PostDecrement,
        };
        ExprKind::Unary {
            op,
            operand: Box::new(self.expression(argument)),
        }
    }
}

/// One side of an operator.
enum Operand {
    /// As the parser put it together.
    Tight(Expr),
    /// To be put in order with what stands around it.
    Loose(Loose),
}

impl Operand {
    fn expression(self) -> Expr {
        match self {
            Operand::Tight(it) => it,
            Operand::Loose(it) => it.joined(),
        }
    }
}

/// More operands than this are not nested.
const MOST_JOINED: usize = 100;

/// One expression out of several that are evaluated in order; `None` for none.
pub(super) fn join_with_commas(operands: Vec<Expr>) -> Option<Expr> {
    let span = Span {
        start: operands.first()?.span.start,
        end: operands.last()?.span.end,
    };
    if operands.len() > MOST_JOINED {
        return Some(Expr {
            span,
            kind: ExprKind::Opaque(operands),
        });
    }
    operands.into_iter().reduce(|left, right| Expr {
        span: Span {
            start: left.span.start,
            end: right.span.end,
        },
        kind: ExprKind::Binary {
            op: BinaryOp::Comma,
            left: Box::new(left),
            right: Box::new(right),
        },
    })
}

fn compound_operator(text: &[u8]) -> Option<BinaryOp> {
    match text {
        b"and_eq" => Some(BinaryOp::BitAnd),
        b"or_eq" => Some(BinaryOp::BitOr),
        b"xor_eq" => Some(BinaryOp::BitXor),
        _ => binary_operator(text.strip_suffix(b"=")?),
    }
}

pub(super) fn binary_operator(text: &[u8]) -> Option<BinaryOp> {
    Some(match text {
        b"+" => BinaryOp::Add,
        b"-" => BinaryOp::Subtract,
        b"*" => BinaryOp::Multiply,
        b"/" => BinaryOp::Divide,
        b"%" => BinaryOp::Remainder,
        b"<<" => BinaryOp::ShiftLeft,
        b">>" => BinaryOp::ShiftRight,
        b"&" | b"bitand" => BinaryOp::BitAnd,
        b"|" | b"bitor" => BinaryOp::BitOr,
        b"^" | b"xor" => BinaryOp::BitXor,
        b"&&" | b"and" => BinaryOp::And,
        b"||" | b"or" => BinaryOp::Or,
        b"==" => BinaryOp::Equal,
        b"!=" | b"not_eq" => BinaryOp::NotEqual,
        b"<" => BinaryOp::Less,
        b"<=" => BinaryOp::LessEqual,
        b">" => BinaryOp::Greater,
        b">=" => BinaryOp::GreaterEqual,
        _ => return None,
    })
}
