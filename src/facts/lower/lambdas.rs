//! Lambda expressions: captures, parameters, bodies.

use tree_sitter::Node;

use super::kind::{self, Field, Kind};
use super::{Child, Lowering};
use crate::facts::ir::{Capture, CaptureDefault, ExprKind, Lambda};

impl<'tree> Lowering<'tree> {
    pub(super) fn lambda(&mut self, node: Node<'tree>) -> ExprKind {
        let captures = kind::field(node, Field::Captures);
        let body = kind::field(node, Field::Body);
        let (default, explicit) = match captures {
            Some(list) => self.captures(list),
            None => (CaptureDefault::None, Vec::new()),
        };
        let list = kind::field(node, Field::Declarator)
            .and_then(|declarator| kind::field(declarator, Field::Parameters));
        let behind = list.map(|list| list.end_byte());
        let parameters = list.map(|list| self.parameters(list));
        let head_end = body.map_or_else(|| node.end_byte(), |body| body.start_byte());
        let head_start = captures.map_or_else(|| node.start_byte(), |list| list.end_byte());
        let mutable = behind.is_some_and(|from| self.has_word(from, head_end, b"mutable"));
        ExprKind::Lambda(Box::new(Lambda {
            default,
            captures: explicit,
            params: parameters.unwrap_or_default(),
            body: body.map(|body| self.block(body)).unwrap_or_default(),
            device: self.qualifiers(head_start, head_end).device,
            mutable,
        }))
    }

    fn captures(&mut self, list: Node<'tree>) -> (CaptureDefault, Vec<Capture>) {
        let mut default = CaptureDefault::None;
        let mut captures = Vec::new();
        let (mut reference, mut copied) = (false, false);
        for Child { node, kind, .. } in self.children_and_tokens(list) {
            match kind {
                Kind::Token => {
                    reference = self.bytes(node) == b"&";
                    copied = self.bytes(node) == b"*";
                    continue;
                }
                Kind::LambdaDefaultCapture if self.bytes(node) == b"&" => default = CaptureDefault::Reference,
                Kind::LambdaDefaultCapture => default = CaptureDefault::Copy,
                Kind::LambdaCaptureInitializer => {
                    let name = kind::field(node, Field::Left).map(|left| self.string(left));
                    let init = kind::field(node, Field::Right).map(|right| self.expression(right));
                    // The `&` of `[&x = y]` stands inside the initialiser.
                    let reference = reference || self.bytes(node).starts_with(b"&");
                    captures.push(Capture {
                        name: name.unwrap_or_default(),
                        reference,
                        init,
                    });
                }
                Kind::Error => {}
                _ => {
                    let name = self.string(node);
                    let name: String = name.trim_end_matches("...").split_whitespace().collect();
                    let name = if copied { format!("*{name}") } else { name };
                    captures.push(Capture {
                        name,
                        reference,
                        init: None,
                    });
                }
            }
            (reference, copied) = (false, false);
        }
        (default, captures)
    }
}
