//! What stands at namespace scope: namespaces, templates, declarations, aliases, explicit instantiations.

use tree_sitter::Node;

use super::declarations::entries;
use super::kind::{self, Field, Kind};
use super::{Child, Lowering};
use crate::facts::ir::{Alias, ExprKind, Init};

/// What was written before a declaration and belongs to it.
#[derive(Clone)]
pub(super) struct Head {
    /// Qualifiers that stand at or after this offset belong to the declaration.
    pub(super) from: usize,
    /// Where the outermost node around the declaration starts, e.g. its `template <…>`.
    pub(super) start: Option<usize>,
    /// Names of the parameters of the templates around it.
    pub(super) template_params: Vec<String>,
    /// Their defaults, as written.
    pub(super) template_defaults: Vec<(String, String)>,
    /// What is demanded of them.
    pub(super) demands: Vec<String>,
    /// Access of a class member; `true` elsewhere.
    pub(super) public: bool,
}

impl Head {
    /// Nothing but blanked qualifiers from this offset on.
    pub(super) fn at(from: usize) -> Self {
        Head {
            from,
            start: None,
            template_params: Vec::new(),
            template_defaults: Vec::new(),
            demands: Vec::new(),
            public: true,
        }
    }
}

impl<'tree> Lowering<'tree> {
    /// Everything in a translation unit, a namespace or a region the parser did not understand.
    pub(super) fn items(&mut self, container: Node<'tree>) {
        // The root node starts behind leading white space, and blanked qualifiers are white space.
        let mut from = if container.parent().is_none() {
            0
        } else {
            container.start_byte()
        };
        for child in self.children(container) {
            self.item(child, &Head::at(from));
            from = child.node.end_byte();
        }
    }

    pub(super) fn item(&mut self, child: Child<'tree>, head: &Head) {
        self.nested(|this| this.item_at_depth(child, head));
    }

    fn item_at_depth(&mut self, child: Child<'tree>, head: &Head) {
        let node = child.node;
        match child.kind {
            Kind::FunctionDefinition => self.function_definition(node, head),
            Kind::Declaration => self.declaration(node, head),
            Kind::TemplateDeclaration => self.template(node, head),
            Kind::TemplateInstantiation => self.instantiation(node),
            Kind::NamespaceDefinition => self.namespace(node),
            Kind::LinkageSpecification => self.linkage(node, head),
            Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier | Kind::EnumSpecifier => {
                self.type_definition_in_place(child, head);
            }
            Kind::TypeDefinition => self.type_definition(node),
            Kind::AliasDeclaration => self.alias(node, head),
            Kind::UsingDeclaration => self.using(node),
            Kind::FriendDeclaration => self.friend(node, head),
            Kind::PreprocIf
            | Kind::PreprocIfdef
            | Kind::PreprocElif
            | Kind::PreprocElifdef
            | Kind::PreprocElse
            | Kind::Error => self.items(node),
            _ => {}
        }
    }

    fn namespace(&mut self, node: Node<'tree>) {
        let Some(body) = kind::field(node, Field::Body) else {
            return;
        };
        let (length, namespaces) = (self.scope.path.len(), self.scope.namespaces);
        let is_inline = self.bytes(node).starts_with(b"inline");
        match kind::field(node, Field::Name) {
            // Members of an inline namespace are members of the one around it.
            Some(_) if is_inline => {}
            Some(name) => {
                let text = self.string(name);
                for segment in text
                    .split("::")
                    .map(|segment| segment.trim_start_matches("inline ").trim())
                {
                    let meant = self.prepared.namespaces.get(segment).cloned();
                    self.scope.path.push(meant.unwrap_or_else(|| segment.to_owned()));
                    self.namespaces.insert(self.scope.path.clone());
                }
                self.scope.namespaces = self.scope.path.len();
            }
            None => self.scope.anonymous += 1,
        }
        self.items(body);
        if kind::field(node, Field::Name).is_none() {
            self.scope.anonymous -= 1;
        }
        self.scope.path.truncate(length);
        self.scope.namespaces = namespaces;
    }

    fn linkage(&mut self, node: Node<'tree>, head: &Head) {
        let Some(body) = kind::field(node, Field::Body) else {
            return;
        };
        match kind::kind(body) {
            Kind::DeclarationList => self.items(body),
            kind => {
                let head = Head {
                    start: head.start.or(Some(node.start_byte())),
                    ..head.clone()
                };
                self.item(
                    Child {
                        node: body,
                        kind,
                        field: Field::None,
                    },
                    &head,
                );
            }
        }
    }

    /// `template <…> declaration`, possibly of a member of a template.
    pub(super) fn template(&mut self, node: Node<'tree>, head: &Head) {
        let mut head = Head {
            start: head.start.or(Some(node.start_byte())),
            ..head.clone()
        };
        for child in self.children(node) {
            match child.kind {
                Kind::TemplateParameterList => {
                    head.demands.extend(self.demands_among(child.node));
                    let (names, defaults) = self.template_parameters(child.node);
                    head.template_params.extend(names);
                    head.template_defaults.extend(defaults);
                }
                Kind::RequiresClause => head.demands.push(self.demand(child.node)),
                _ => self.item(child, &head),
            }
        }
    }

    /// Parameters of a template that are there for the condition in their type: `std::enable_if_t<…, int> = 0`, or what a
    /// macro makes of one.
    fn demands_among(&mut self, list: Node<'tree>) -> Vec<String> {
        let is_value = |it: &Child<'_>| {
            matches!(
                it.kind,
                Kind::ParameterDeclaration | Kind::OptionalParameterDeclaration
            )
        };
        let children = self.children(list);
        let values = children.into_iter().filter(is_value);
        let texts = values.map(|it| self.normalised(it.node));
        texts
            .filter(|it| it.contains("enable_if") || it.contains('('))
            .collect()
    }

    /// The condition of a `requires` clause.
    pub(super) fn demand(&self, clause: Node<'tree>) -> String {
        let text = self.normalised(clause);
        text.trim_start_matches("requires").trim().to_owned()
    }

    /// `template void k<int>(int*);`, `template class C<int>;`.
    fn instantiation(&mut self, node: Node<'tree>) {
        let declarator = kind::field(node, Field::Declarator).map(|declarator| self.declarator(declarator));
        let name = match declarator.and_then(|declarator| declarator.function.and(declarator.name)) {
            Some(name) => self.name(name),
            None => match kind::field(node, Field::Type) {
                Some(ty) => self.plain_type(ty).name,
                None => return,
            },
        };
        self.facts.instantiations.push(name);
    }

    /// Variables and functions declared at namespace scope, or a constructor declared in a class.
    pub(super) fn declaration(&mut self, node: Node<'tree>, head: &Head) {
        let children = self.children(node);
        self.local_type(&children);
        let specifiers = self.specifiers(&children);
        for entry in entries(&children) {
            let declarator = self.declarator(entry.declarator);
            let qualifiers = self.qualifiers(head.from, entry.declarator.end_byte());
            let Some(function) = declarator.function else {
                if declarator.name.is_some() {
                    let init = entry.value.map(|value| self.initialiser(value));
                    let variable = self.variable(&specifiers, &declarator, init, qualifiers);
                    self.global(&specifiers, &declarator, variable);
                }
                continue;
            };
            if let Some(args) = self.vexing_arguments(function, &specifiers)
                && args.iter().all(
                    |arg| matches!(&arg.kind, ExprKind::Name(name) if self.variables.contains(name.last())),
                )
            {
                let variable = self.variable(&specifiers, &declarator, Some(Init::Parens(args)), qualifiers);
                self.global(&specifiers, &declarator, variable);
            } else if specifiers.node.is_some() || self.in_class() {
                self.function_declaration(node, &specifiers, &declarator, head);
            }
        }
    }

    /// Whether the innermost scope is a class.
    pub(super) fn in_class(&self) -> bool {
        self.scope.path.len() > self.scope.namespaces
    }

    /// `typedef T X;`, also of a class without a name.
    fn type_definition(&mut self, node: Node<'tree>) {
        let children = self.children(node);
        let mut specifiers = self.specifiers(&children);
        let entries = entries(&children);
        let mut renamed = None;
        if let Some(ty) = specifiers.node
            && kind::field(ty, Field::Body).is_some()
        {
            let child = Child {
                node: ty,
                kind: kind::kind(ty),
                field: Field::Type,
            };
            let plain = entries
                .iter()
                .find(|entry| kind::kind(entry.declarator) == Kind::TypeIdentifier);
            match plain {
                Some(plain) if kind::field(ty, Field::Name).is_none() => {
                    let name = self.string(plain.declarator);
                    specifiers.ty.name = crate::facts::ir::Name::plain(&name);
                    self.named_type_definition(child, &name);
                    renamed = Some(name);
                }
                _ => self.type_definition_in_place(child, &Head::at(ty.start_byte())),
            }
        }
        for entry in entries {
            let declarator = self.declarator(entry.declarator);
            let Some(name) = declarator.name.map(|name| self.string(name)) else {
                continue;
            };
            let mut target = self.declared_type(&specifiers, &declarator);
            target.array = !declarator.dims.is_empty();
            if renamed.as_ref() != Some(&name) && target.name.path != [name.as_str()] {
                self.add_alias(name, target, &Head::at(0));
            }
        }
    }

    fn alias(&mut self, node: Node<'tree>, head: &Head) {
        let (Some(name), Some(ty)) = (kind::field(node, Field::Name), kind::field(node, Field::Type)) else {
            return;
        };
        let name = self.string(name);
        let target = self.described_type(ty);
        self.add_alias(name, target, head);
    }

    fn add_alias(&mut self, name: String, ty: crate::facts::ir::Type, head: &Head) {
        self.types.insert(name.clone());
        let mut path = self.scope.path.clone();
        path.push(name);
        self.facts.aliases.push(Alias {
            path,
            template_params: head.template_params.clone(),
            template_defaults: head.template_defaults.clone(),
            ty,
        });
    }

    fn using(&mut self, node: Node<'tree>) {
        let children = self.children_and_tokens(node);
        let is_namespace = children
            .iter()
            .any(|child| self.bytes(child.node) == b"namespace");
        let name = children.iter().rev().find(|child| child.kind != Kind::Token);
        if let Some(child) = name
            && is_namespace
        {
            let name = self.name(child.node);
            self.facts.using_namespaces.push(name);
        }
    }

    /// A friend is a member of the namespace around the class.
    fn friend(&mut self, node: Node<'tree>, head: &Head) {
        let classes = self.scope.path.split_off(self.scope.namespaces);
        for child in self.children(node) {
            if matches!(child.kind, Kind::FunctionDefinition | Kind::Declaration) {
                let head = Head {
                    start: Some(node.start_byte()),
                    public: true,
                    ..head.clone()
                };
                self.item(child, &head);
            }
        }
        self.scope.path.extend(classes);
    }
}
