//! Functions: definitions and declarations, free and in classes.

use tree_sitter::Node;

use super::declarators::{Declarator, Specifiers};
use super::items::Head;
use super::kind::{self, Field, Kind};
use super::{Child, Lowering, Qualifiers, text_of};
use crate::facts::ir::{Function, Init, Name, ObjectKind, Role, Span, Stmt, Target, Type};

/// Where a declared name belongs.
struct Place {
    path: Vec<String>,
    namespaces: usize,
    role: Role,
}

/// What stands behind the parameters of a method.
#[derive(Default)]
struct Trailing {
    constant: bool,
    object: ObjectKind,
    is_virtual: bool,
    demands: Vec<String>,
}

impl<'tree> Lowering<'tree> {
    pub(super) fn function_definition(&mut self, node: Node<'tree>, head: &Head) {
        let children = self.children(node);
        let specifiers = self.specifiers(&children);
        let Some(outer) = children.iter().find(|child| child.field == Field::Declarator) else {
            return;
        };
        let declarator = self.declarator(outer.node);
        let body = children
            .iter()
            .find(|child| child.field == Field::Body)
            .map(|child| child.node);
        if declarator.function.is_none() && self.class_in_disguise(&specifiers, &declarator, body, head) {
            return;
        }
        self.local_type(&children);
        let Some(mut function) = self.function_head(node, &specifiers, &declarator, head) else {
            return;
        };
        for child in &children {
            match child.kind {
                Kind::FieldInitializerList => function.initialisers = self.member_initialisers(child.node),
                Kind::TryStatement => self.function_try_block(child.node, &mut function),
                Kind::CompoundStatement if child.field == Field::Body => {
                    function.body = self.block(child.node);
                    function.defined = true;
                }
                _ => {}
            }
        }
        self.facts.functions.push(function);
    }

    /// A function that is declared but not defined here.
    pub(super) fn function_declaration(
        &mut self,
        node: Node<'tree>,
        specifiers: &Specifiers<'tree>,
        declarator: &Declarator<'tree>,
        head: &Head,
    ) {
        let function = self.function_head(node, specifiers, declarator, head);
        self.facts.functions.extend(function);
    }

    fn function_head(
        &mut self,
        node: Node<'tree>,
        specifiers: &Specifiers<'tree>,
        declarator: &Declarator<'tree>,
        head: &Head,
    ) -> Option<Function> {
        let name_node = declarator.name?;
        let name = self.name(name_node);
        let mut place = self.place(&name)?;
        if let Some(test) = self.test_head(name_node) {
            place.role = Role::Test;
            place.path.pop();
            place.path.push(test);
        }
        let qualifiers = self.qualifiers(head.from, name_node.end_byte());
        let span = self.definition_span(node, head, qualifiers);
        let parameters = declarator
            .function
            .and_then(|function| kind::field(function, Field::Parameters));
        let trailing = declarator
            .function
            .map(|function| self.behind_parameters(function))
            .unwrap_or_default();
        let is_member = matches!(place.role, Role::Method | Role::Constructor | Role::Destructor);
        Some(Function {
            namespaces: u32::try_from(place.namespaces).unwrap_or(u32::MAX),
            role: place.role,
            target: target(qualifiers),
            template_params: head.template_params.clone(),
            template_defaults: head.template_defaults.clone(),
            demands: [head.demands.as_slice(), &trailing.demands].concat(),
            specialisation: name.template_args,
            result: self.result_type(specifiers, declarator),
            params: parameters.map(|list| self.parameters(list)).unwrap_or_default(),
            initialisers: Vec::new(),
            body: Vec::new(),
            defined: false,
            internal: self.scope.anonymous > 0 || (specifiers.is_static && !is_member),
            is_static: specifiers.is_static && is_member,
            constant: trailing.constant,
            object: trailing.object,
            is_virtual: is_member
                && (trailing.is_virtual || self.has_word(head.from, name_node.start_byte(), b"virtual")),
            is_explicit: is_member && self.has_word(head.from, name_node.start_byte(), b"explicit"),
            public: head.public,
            span,
            name_span: self.span(name_node),
            path: place.path,
        })
    }

    /// What stands behind the parameters of a method.
    fn behind_parameters(&mut self, function: Node<'tree>) -> Trailing {
        let mut found = Trailing::default();
        for child in self.children(function) {
            match (child.kind, self.bytes(child.node)) {
                (Kind::TypeQualifier, b"const") => found.constant = true,
                (Kind::RefQualifier, b"&&") => found.object = ObjectKind::Temporary,
                (Kind::RefQualifier, _) => found.object = ObjectKind::Named,
                (Kind::VirtualSpecifier, _) => found.is_virtual = true,
                (Kind::RequiresClause, _) => found.demands.push(self.demand(child.node)),
                _ => {}
            }
        }
        found
    }

    /// Whether a word stands between two offsets.
    pub(super) fn has_word(&self, start: usize, end: usize, word: &[u8]) -> bool {
        let text = self.prepared.text.get(start..end).unwrap_or_default();
        text.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
            .any(|it| it == word)
    }

    fn definition_span(&self, node: Node<'tree>, head: &Head, qualifiers: Qualifiers) -> Span {
        let start = head.start.unwrap_or_else(|| node.start_byte());
        let start = qualifiers.start.map_or(start, |first| first.min(start));
        Span {
            start: self.offset(start),
            end: self.offset(node.end_byte()),
        }
    }

    /// What the written name means in the current scope.
    fn place(&self, name: &Name) -> Option<Place> {
        let absolute = name.path.first().is_some_and(String::is_empty);
        let written = name.path.iter().filter(|segment| !segment.is_empty()).cloned();
        let mut path = if absolute {
            Vec::new()
        } else {
            self.scope.path.clone()
        };
        let mut namespaces = if absolute { 0 } else { self.scope.namespaces };
        path.extend(written);
        let last = path.last()?.clone();
        if absolute || !self.in_class() {
            while namespaces + 1 < path.len() && self.namespaces.contains(&path[..=namespaces]) {
                namespaces += 1;
            }
        }
        let class = if namespaces + 1 < path.len() {
            path.get(path.len() - 2)
        } else {
            None
        };
        let role = match class {
            None => Role::Function,
            Some(_) if last.starts_with('~') => Role::Destructor,
            Some(class) if *class == last => Role::Constructor,
            Some(_) => Role::Method,
        };
        Some(Place {
            path,
            namespaces,
            role,
        })
    }

    fn result_type(&mut self, specifiers: &Specifiers<'tree>, declarator: &Declarator<'tree>) -> Type {
        if let Some(target) = declarator.conversion {
            return self.plain_type(target);
        }
        let trailing = match declarator.function {
            Some(function) if specifiers.ty.name.last() == "auto" => self
                .children(function)
                .into_iter()
                .find(|child| child.kind == Kind::TrailingReturnType),
            _ => None,
        };
        let trailing = trailing.and_then(|clause| self.children(clause.node).into_iter().next());
        match trailing {
            Some(Child { node, .. }) => self.described_type(node),
            None => self.declared_type(specifiers, declarator),
        }
    }

    fn member_initialisers(&mut self, list: Node<'tree>) -> Vec<(String, Init)> {
        let mut result = Vec::new();
        for initialiser in self.children(list) {
            let (mut member, mut init) = (String::new(), Init::Parens(Vec::new()));
            for part in self.children(initialiser.node) {
                match part.kind {
                    Kind::ArgumentList | Kind::InitializerList => init = self.initialiser(part.node),
                    _ => member = self.name(part.node).path.join("::"),
                }
            }
            result.push((member, init));
        }
        result
    }

    fn function_try_block(&mut self, node: Node<'tree>, function: &mut Function) {
        let list = self
            .children(node)
            .into_iter()
            .find(|child| child.kind == Kind::FieldInitializerList);
        if let Some(list) = list {
            function.initialisers = self.member_initialisers(list.node);
        }
        function.body = vec![Stmt {
            span: self.span(node),
            kind: self.try_statement(node),
        }];
        function.defined = true;
    }

    /// The original head of a `TEST(…)`-style macro that was rewritten to the head of a function.
    fn test_head(&self, name: Node<'tree>) -> Option<String> {
        let start = u32::try_from(name.start_byte()).ok()?;
        let tests = &self.prepared.tests;
        let index = tests.partition_point(|span| span.end <= start);
        let head = tests.get(index).filter(|span| span.start <= start)?;
        let text = text_of(self.original, *head);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(text.trim_end_matches('{').trim_end().to_owned())
    }
}

fn target(qualifiers: Qualifiers) -> Target {
    match qualifiers {
        Qualifiers { global: true, .. } => Target::Kernel,
        Qualifiers {
            device: true,
            host: true,
            ..
        } => Target::HostDevice,
        Qualifiers { device: true, .. } => Target::Device,
        _ => Target::Host,
    }
}
