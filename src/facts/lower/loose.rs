//! Operators that the parser took for the sign behind a cast: `(a) - (b)`, where `a` is a variable.
//!
//! A cast binds tighter than any operator with two sides, so what stands around it has to be put in order again.

use tree_sitter::Node;

use super::Lowering;
use super::kind::{self, Field, Kind};
use super::operators::binary_operator;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Span, UnaryOp};

/// An operator with its sides that binds as loosely as it is written, whatever stands around it.
pub(super) struct Loose {
    left: Expr,
    op: BinaryOp,
    right: Expr,
}

impl Loose {
    /// The expression it is.
    pub(super) fn joined(self) -> Expr {
        joined(self.left, self.op, self.right)
    }

    /// With an operator and its right side behind it.
    pub(super) fn before(self, op: BinaryOp, right: Expr) -> Loose {
        if tightness(op) > tightness(self.op) {
            Loose {
                right: joined(self.right, op, right),
                ..self
            }
        } else {
            Loose {
                left: self.joined(),
                op,
                right,
            }
        }
    }

    /// With an operator and its left side before it.
    pub(super) fn behind(self, left: Expr, op: BinaryOp) -> Loose {
        if tightness(op) >= tightness(self.op) {
            Loose {
                left: joined(left, op, self.left),
                ..self
            }
        } else {
            Loose {
                left,
                op,
                right: self.joined(),
            }
        }
    }

    /// With an operator behind it, and another such operator on its right side.
    pub(super) fn beside(self, op: BinaryOp, right: Loose) -> Loose {
        if tightness(op) >= tightness(right.op) {
            let left = self.before(op, right.left);
            left.before(right.op, right.right)
        } else {
            self.before(op, right.joined())
        }
    }

    /// With its left side changed: what stands before an operand binds tighter than any operator.
    fn map_left(self, change: impl FnOnce(Expr) -> Expr) -> Loose {
        Loose {
            left: change(self.left),
            ..self
        }
    }
}

impl<'tree> Lowering<'tree> {
    /// The operator a node is that looks like a cast, or like something in front of such a cast.
    pub(super) fn loose(&mut self, node: Node<'tree>) -> Option<Loose> {
        self.nested(|this| this.loose_operator(node)).flatten()
    }

    fn loose_operator(&mut self, node: Node<'tree>) -> Option<Loose> {
        match kind::kind(node) {
            Kind::CastExpression => {
                let (ty, value) = (kind::field(node, Field::Type)?, kind::field(node, Field::Value)?);
                match self.operand_in_parentheses(ty, value) {
                    Some(left) => {
                        let operator = kind::field(value, Field::Operator).map(|it| self.bytes(it));
                        let op = operator.and_then(binary_operator)?;
                        let argument = kind::field(value, Field::Argument)?;
                        Some(match self.loose(argument) {
                            Some(right) => right.behind(left, op),
                            None => Loose {
                                left,
                                op,
                                right: self.expression(argument),
                            },
                        })
                    }
                    None => {
                        let inner = self.loose(value)?;
                        let ty = self.described_type(ty);
                        let start = self.span(node).start;
                        Some(inner.map_left(|operand| Expr {
                            span: Span {
                                start,
                                end: operand.span.end,
                            },
                            kind: ExprKind::Cast {
                                ty,
                                operand: Box::new(operand),
                            },
                        }))
                    }
                }
            }
            Kind::UnaryExpression | Kind::PointerExpression => {
                let op = self.unary_operator(node)?;
                let inner = self.loose(kind::field(node, Field::Argument)?)?;
                let start = self.span(node).start;
                Some(inner.map_left(|operand| Expr {
                    span: Span {
                        start,
                        end: operand.span.end,
                    },
                    kind: ExprKind::Unary {
                        op,
                        operand: Box::new(operand),
                    },
                }))
            }
            _ => None,
        }
    }

    /// The variable that stands where a cast has its type, before a sign that may be an operator.
    fn operand_in_parentheses(&mut self, ty: Node<'tree>, value: Node<'tree>) -> Option<Expr> {
        if !matches!(kind::kind(value), Kind::UnaryExpression | Kind::PointerExpression) {
            return None;
        }
        let op = self.unary_operator(value)?;
        if !matches!(
            op,
            UnaryOp::Plus | UnaryOp::Negate | UnaryOp::Deref | UnaryOp::AddressOf
        ) {
            return None;
        }
        let children = self.children(ty);
        let name = match children.as_slice() {
            [only] if matches!(only.kind, Kind::TypeIdentifier | Kind::QualifiedIdentifier) => only.node,
            _ => return None,
        };
        let text = self.string(name);
        let text = text.rsplit("::").next().unwrap_or(&text).trim().to_owned();
        if self.is_type_name(&text) || !(self.variables.contains(&text) || declares(name, self.text, &text)) {
            return None;
        }
        Some(Expr {
            span: self.span(name),
            kind: ExprKind::Name(self.name(name)),
        })
    }
}

/// Whether the function around a node declares a variable or parameter of a name.
fn declares(node: Node<'_>, text: &[u8], name: &str) -> bool {
    let mut around = node;
    while let Some(parent) = around.parent() {
        around = parent;
        if matches!(
            kind::kind(around),
            Kind::FunctionDefinition | Kind::LambdaExpression
        ) && declared_inside(around, text, name)
        {
            return true;
        }
    }
    false
}

/// Whether a declarator below a node is of a name.
fn declared_inside(function: Node<'_>, text: &[u8], name: &str) -> bool {
    let mut cursor = function.walk();
    loop {
        let node = cursor.node();
        if kind::kind(node) == Kind::Identifier
            && text.get(node.byte_range()) == Some(name.as_bytes())
            && node.parent().is_some_and(|parent| is_declarator(parent, node))
        {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// Whether a node is the name that its parent declares.
fn is_declarator(parent: Node<'_>, name: Node<'_>) -> bool {
    kind::field(parent, Field::Declarator).is_some_and(|it| it.id() == name.id())
        || matches!(
            kind::kind(parent),
            Kind::ReferenceDeclarator | Kind::StructuredBindingDeclarator
        )
}

fn joined(left: Expr, op: BinaryOp, right: Expr) -> Expr {
    Expr {
        span: Span {
            start: left.span.start,
            end: right.span.end,
        },
        kind: ExprKind::Binary {
            op,
            left: Box::new(left),
            right: Box::new(right),
        },
    }
}

/// How tightly an operator binds.
fn tightness(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 10,
        BinaryOp::Add | BinaryOp::Subtract => 9,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 8,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 7,
        BinaryOp::Equal | BinaryOp::NotEqual => 6,
        BinaryOp::BitAnd => 5,
        BinaryOp::BitXor => 4,
        BinaryOp::BitOr => 3,
        BinaryOp::And => 2,
        BinaryOp::Or => 1,
        BinaryOp::Comma | BinaryOp::List => 0,
    }
}
