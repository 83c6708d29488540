//! Enumerators and their values.

use tree_sitter::Node;

use super::kind::{self, Field, Kind};
use super::{Lowering, literal};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Name};

impl<'tree> Lowering<'tree> {
    /// The enumerators of an enum become constants; those of an `enum class` are members of its name.
    pub(super) fn enumeration(&mut self, node: Node<'tree>, typedef_name: Option<&str>) {
        let scoped = self
            .children_and_tokens(node)
            .iter()
            .any(|child| child.kind == Kind::Token && matches!(self.bytes(child.node), b"class" | b"struct"));
        let name = kind::field(node, Field::Name)
            .map(|name| self.name(name).path)
            .unwrap_or_default();
        self.types.extend(name.last().cloned());
        self.types.extend(typedef_name.map(str::to_owned));
        let Some(body) = kind::field(node, Field::Body) else {
            return;
        };
        let mut path = self.scope.path.clone();
        if scoped {
            path.extend(name);
        }
        let mut previous: Option<(String, Option<i64>)> = None;
        for child in self.children(body) {
            if child.kind != Kind::Enumerator {
                continue;
            }
            let Some(name_node) = kind::field(child.node, Field::Name) else {
                continue;
            };
            let name = self.string(name_node);
            let value = match kind::field(child.node, Field::Value) {
                Some(value) => self.expression(value),
                None => Expr {
                    span: self.span(name_node),
                    kind: successor(previous.as_ref()),
                },
            };
            let known = literal::evaluate(&value);
            let value = known.map_or(value.clone(), |known| Expr {
                span: value.span,
                kind: ExprKind::Int(known),
            });
            let mut full = path.clone();
            full.push(name.clone());
            self.facts.constants.push((full, value));
            previous = Some((name, known));
        }
    }
}

/// The value of an enumerator without one of its own.
fn successor(previous: Option<&(String, Option<i64>)>) -> ExprKind {
    match previous {
        None => ExprKind::Int(0),
        Some((_, Some(value))) => ExprKind::Int(value.wrapping_add(1)),
        Some((name, None)) => {
            let span = crate::facts::ir::Span::default();
            let left = Expr {
                span,
                kind: ExprKind::Name(Name::plain(name)),
            };
            let right = Expr {
                span,
                kind: ExprKind::Int(1),
            };
            ExprKind::Binary {
                op: BinaryOp::Add,
                left: Box::new(left),
                right: Box::new(right),
            }
        }
    }
}
