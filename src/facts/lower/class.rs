//! Classes: fields, bases, members.

use tree_sitter::Node;

use super::declarations::entries;
use super::declarators::{Declarator, Specifiers};
use super::items::Head;
use super::kind::{self, Field, Kind};
use super::{Child, Lowering};
use crate::facts::ir::{Class, Global, Name, Variable};

impl<'tree> Lowering<'tree> {
    /// A class or enum that is defined where a type stands.
    pub(super) fn type_definition_in_place(&mut self, child: Child<'tree>, head: &Head) {
        if child.kind == Kind::EnumSpecifier {
            return self.enumeration(child.node, None);
        }
        let name = kind::field(child.node, Field::Name).map(|name| self.name(name));
        if let Some(name) = &name {
            self.types.insert(name.last().to_owned());
        }
        let Some(body) = kind::field(child.node, Field::Body) else {
            return;
        };
        let name = name.unwrap_or_else(|| Name::plain(&self.anonymous_class_name(child.node)));
        self.class(child, name, body, head);
    }

    /// `typedef struct { … } Name;`.
    pub(super) fn named_type_definition(&mut self, child: Child<'tree>, name: &str) {
        if child.kind == Kind::EnumSpecifier {
            return self.enumeration(child.node, Some(name));
        }
        self.types.insert(name.to_owned());
        if let Some(body) = kind::field(child.node, Field::Body) {
            self.class(child, Name::plain(name), body, &Head::at(child.node.start_byte()));
        }
    }

    /// `class EXPORT Name { … }`: with a macro it does not know, the parser sees a function without parameters.
    pub(super) fn class_in_disguise(
        &mut self,
        specifiers: &Specifiers<'tree>,
        declarator: &Declarator<'tree>,
        body: Option<Node<'tree>>,
        head: &Head,
    ) -> bool {
        let (Some(ty), Some(name), Some(body)) = (specifiers.node, declarator.name, body) else {
            return false;
        };
        let kind = kind::kind(ty);
        let is_class = matches!(
            kind,
            Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier
        );
        if !is_class || kind::field(ty, Field::Body).is_some() {
            return false;
        }
        let name = self.name(name);
        self.class(
            Child {
                node: ty,
                kind,
                field: Field::None,
            },
            name,
            body,
            head,
        );
        true
    }

    fn class(&mut self, child: Child<'tree>, name: Name, body: Node<'tree>, head: &Head) {
        let length = self.scope.path.len();
        self.types.extend(name.path.last().cloned());
        self.scope
            .path
            .extend(name.path.into_iter().filter(|segment| !segment.is_empty()));
        let path = self.scope.path.clone();
        let (mut bases, mut virtual_bases) = (Vec::new(), Vec::new());
        for clause in self.children(child.node) {
            if clause.kind == Kind::BaseClassClause {
                (bases, virtual_bases) = self.bases(clause.node);
            }
        }
        let index = self.facts.classes.len();
        let start = head.start.unwrap_or_else(|| child.node.start_byte());
        let mut span = self.span(body);
        span.start = self.offset(start);
        self.facts.classes.push(Class {
            path,
            template_params: head.template_params.clone(),
            template_defaults: head.template_defaults.clone(),
            specialisation: name.template_args,
            bases,
            virtual_bases,
            fields: Vec::new(),
            span,
        });
        let mut fields = Vec::new();
        let mut public = child.kind != Kind::ClassSpecifier;
        if child.kind == Kind::UnionSpecifier {
            self.union_members(body, &mut fields);
        } else {
            self.members(body, &mut public, &mut fields);
        }
        self.facts.classes[index].fields = fields;
        self.scope.path.truncate(length);
    }

    /// The base classes, and which of them are `virtual`.
    fn bases(&mut self, clause: Node<'tree>) -> (Vec<Name>, Vec<u32>) {
        let (mut bases, mut virtual_bases) = (Vec::new(), Vec::new());
        let mut is_virtual = false;
        for child in self.children_and_tokens(clause) {
            match child.kind {
                Kind::TypeIdentifier | Kind::QualifiedIdentifier | Kind::TemplateType => {
                    if is_virtual {
                        virtual_bases.push(bases.len() as u32);
                    }
                    bases.push(self.name(child.node));
                    is_virtual = false;
                }
                _ => is_virtual |= self.bytes(child.node) == b"virtual",
            }
        }
        (bases, virtual_bases)
    }

    /// The members between the braces of a class; data members go to `fields`.
    fn members(&mut self, body: Node<'tree>, public: &mut bool, fields: &mut Vec<Variable>) {
        let mut from = body.start_byte();
        for child in self.children(body) {
            self.nested(|this| this.class_member(child, from, public, fields));
            from = child.node.end_byte();
        }
    }

    /// The members between the braces of a union: each declaration is a part of its own, and so is each name in it.
    fn union_members(&mut self, body: Node<'tree>, fields: &mut Vec<Variable>) {
        let union = self.offset(body.start_byte());
        let (mut from, mut part) = (body.start_byte(), 0);
        for child in self.children(body) {
            let first = fields.len();
            self.nested(|this| this.class_member(child, from, &mut true, fields));
            from = child.node.end_byte();
            let is_one = self.is_anonymous_struct(child.node);
            for field in &mut fields[first..] {
                field.overlays.push((union, part));
                part += u32::from(!is_one);
            }
            part += u32::from(is_one);
        }
    }

    /// Whether a member is a struct without a name, whose members are those of the class around it.
    fn is_anonymous_struct(&mut self, member: Node<'tree>) -> bool {
        let children = self.children(member);
        let ty = children.iter().find(|child| child.field == Field::Type);
        entries(&children).is_empty()
            && ty.is_some_and(|it| it.kind != Kind::UnionSpecifier && is_anonymous_class(it))
    }

    fn class_member(
        &mut self,
        child: Child<'tree>,
        from: usize,
        public: &mut bool,
        fields: &mut Vec<Variable>,
    ) {
        let head = Head {
            public: *public,
            ..Head::at(from)
        };
        match child.kind {
            Kind::AccessSpecifier => *public = self.bytes(child.node) == b"public",
            Kind::FieldDeclaration => self.field_declaration(child.node, &head, fields),
            Kind::Declaration if !self.declares_function(child.node) => {
                self.field_declaration(child.node, &head, fields);
            }
            Kind::Error | Kind::PreprocIf | Kind::PreprocIfdef | Kind::PreprocElse => {
                self.members(child.node, public, fields);
            }
            // Access specifiers of a class that was parsed as a function.
            Kind::LabeledStatement => {
                let label = kind::field(child.node, Field::Label).map(|label| self.bytes(label));
                *public = label == Some(b"public");
                self.members(child.node, public, fields);
            }
            _ => self.item(child, &head),
        }
    }

    fn declares_function(&mut self, declaration: Node<'tree>) -> bool {
        let children = self.children(declaration);
        entries(&children)
            .iter()
            .any(|entry| self.declarator(entry.declarator).function.is_some())
    }

    fn field_declaration(&mut self, node: Node<'tree>, head: &Head, fields: &mut Vec<Variable>) {
        let children = self.children(node);
        let entries = entries(&children);
        let specifiers = self.specifiers(&children);
        match children.iter().find(|child| child.field == Field::Type) {
            // The members of an anonymous union are members of the class around it.
            Some(ty) if entries.is_empty() && is_anonymous_class(ty) => {
                if let Some(body) = kind::field(ty.node, Field::Body) {
                    if ty.kind == Kind::UnionSpecifier {
                        self.union_members(body, fields);
                    } else {
                        self.members(body, &mut true, fields);
                    }
                }
            }
            _ => self.local_type(&children),
        }
        for entry in entries {
            let declarator = self.declarator(entry.declarator);
            if declarator.function.is_some() {
                self.function_declaration(node, &specifiers, &declarator, head);
                continue;
            }
            let init = entry.value.map(|value| self.initialiser(value));
            let qualifiers = self.qualifiers(head.from, entry.declarator.end_byte());
            let mut variable = self.variable(&specifiers, &declarator, init, qualifiers);
            variable.bits = self.bits(&children, entry.declarator);
            if specifiers.is_static {
                self.static_member(&specifiers, variable.clone());
            }
            fields.push(variable);
        }
    }

    /// The width behind a bit field's declarator.
    fn bits(
        &mut self,
        children: &[Child<'tree>],
        declarator: tree_sitter::Node<'tree>,
    ) -> Option<Box<crate::facts::ir::Expr>> {
        let end = declarator.end_byte();
        let clause = children
            .iter()
            .find(|it| it.kind == Kind::BitfieldClause && it.node.start_byte() >= end)?;
        let width = self.expressions(clause.node).into_iter().next()?;
        Some(Box::new(width))
    }

    fn static_member(&mut self, specifiers: &Specifiers<'tree>, variable: Variable) {
        let mut path = self.scope.path.clone();
        path.push(variable.name.clone());
        let defined_here = specifiers.is_inline || specifiers.constexpr || variable.init.is_some();
        let internal = self.scope.anonymous > 0;
        self.facts.globals.push(Global {
            path,
            variable,
            internal,
            external: !defined_here,
        });
    }
}

fn is_anonymous_class(ty: &Child<'_>) -> bool {
    matches!(
        ty.kind,
        Kind::StructSpecifier | Kind::UnionSpecifier | Kind::ClassSpecifier
    ) && kind::field(ty.node, Field::Name).is_none()
}
