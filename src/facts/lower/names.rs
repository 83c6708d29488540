//! Names: qualified, templated and plain, to [`Name`]s.

use tree_sitter::Node;

use super::kind::{self, Field, Kind};
use super::{Child, Lowering};
use crate::facts::ir::Name;

impl<'tree> Lowering<'tree> {
    /// The name a (qualified, templated) identifier node spells.
    pub(super) fn name(&mut self, node: Node<'tree>) -> Name {
        if is_plain(kind::kind(node)) {
            // Exactly one segment, exactly its size: most of what facts hold is plain names.
            return Name {
                path: vec![self.spelled(node)],
                template_args: Vec::new(),
                owner_args: Vec::new(),
            };
        }
        let mut path = Vec::new();
        let mut template_args = Vec::new();
        let mut owner_args = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.take() {
            match kind::kind(node) {
                Kind::QualifiedIdentifier => {
                    match kind::field(node, Field::Scope) {
                        Some(scope) => {
                            owner_args = self.scope_arguments(scope);
                            self.scope_segment(scope, &mut path);
                        }
                        // Only a leading `::` has nothing to its left.
                        None if path.is_empty() => path.push(String::new()),
                        None => {}
                    }
                    next = self.last_in_field(node, Field::Name);
                }
                Kind::TemplateFunction | Kind::TemplateType | Kind::TemplateMethod => {
                    if let Some(arguments) = kind::field(node, Field::Arguments) {
                        template_args = self.template_arguments(arguments);
                    }
                    next = kind::field(node, Field::Name);
                }
                Kind::DependentName | Kind::DependentType => {
                    next = self.children(node).last().map(|child| child.node);
                }
                Kind::OperatorCast => {
                    let target = kind::field(node, Field::Type).map(|ty| self.normalised(ty));
                    path.push(format!("operator {}", target.unwrap_or_default()));
                }
                Kind::OperatorName => path.push(operator_name(&self.string(node))),
                Kind::DestructorName => {
                    path.push(self.string(node).split_whitespace().collect());
                }
                _ => path.push(self.spelled(node)),
            }
        }
        Name {
            path,
            template_args,
            owner_args,
        }
    }

    /// A plain name; that of an operator which the grammar does not read as one the original says.
    fn spelled(&self, node: Node<'tree>) -> String {
        let text = self.normalised(node);
        if !text.starts_with("operator_") {
            return text;
        }
        operator_name(&super::text_of(self.original, self.span(node)))
    }

    /// The template arguments of `Class<…>` in `Class<…>::member`.
    fn scope_arguments(&mut self, scope: Node<'tree>) -> Vec<String> {
        let is_template = matches!(kind::kind(scope), Kind::TemplateType | Kind::TemplateFunction);
        let arguments = is_template
            .then(|| kind::field(scope, Field::Arguments))
            .flatten();
        arguments
            .map(|it| self.template_arguments(it))
            .unwrap_or_default()
    }

    fn scope_segment(&mut self, scope: Node<'tree>, path: &mut Vec<String>) {
        let mut node = scope;
        loop {
            let inner = match kind::kind(node) {
                Kind::TemplateType | Kind::TemplateFunction => kind::field(node, Field::Name),
                Kind::DependentName => self.children(node).last().map(|child| child.node),
                _ => None,
            };
            match inner {
                Some(inner) => node = inner,
                None => break,
            }
        }
        path.push(self.normalised(node));
    }

    fn last_in_field(&mut self, node: Node<'tree>, field: Field) -> Option<Node<'tree>> {
        let children = self.children(node);
        children
            .into_iter()
            .rev()
            .find(|child| child.field == field)
            .map(|Child { node, .. }| node)
    }

    /// Template arguments as written.
    pub(super) fn template_arguments(&mut self, list: Node<'tree>) -> Vec<String> {
        self.children(list)
            .into_iter()
            .map(|child| self.normalised(child.node))
            .collect()
    }
}

fn is_plain(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Identifier | Kind::FieldIdentifier | Kind::TypeIdentifier | Kind::PrimitiveType
    )
}

/// `operator ()` and `operator()` are the same; `operator new` keeps its blank.
fn operator_name(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    match words.strip_prefix("operator") {
        Some(rest) if rest.trim_start().starts_with(|c: char| c.is_alphabetic()) => words,
        Some(rest) => format!("operator{}", rest.replace(' ', "")),
        None => words,
    }
}
