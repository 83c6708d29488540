//! Types, declarators and parameters.

use tree_sitter::Node;

use super::kind::{self, Field, Kind};
use super::{Child, Lowering};
use crate::facts::ir::{Name, Parameter, Type};

/// A declarator taken apart: what is wrapped around the declared name.
#[derive(Default)]
pub(super) struct Declarator<'tree> {
    /// The declared name; none in an abstract declarator.
    pub(super) name: Option<Node<'tree>>,
    /// Number of `*`.
    pub(super) pointers: u8,
    /// `&` or `&&`.
    pub(super) reference: bool,
    /// `&&`.
    pub(super) rvalue: bool,
    /// `volatile` next to a `*`.
    pub(super) volatile: bool,
    /// Array sizes, outermost dimension first.
    pub(super) dims: Vec<Option<Node<'tree>>>,
    /// The declarator of a function with this name.
    pub(super) function: Option<Node<'tree>>,
    /// The declarator of a function that the name is a pointer or reference to.
    pub(super) pointee: Option<Node<'tree>>,
    /// The type that a conversion operator with this name converts to.
    pub(super) conversion: Option<Node<'tree>>,
    /// The `[a, b]` of a structured binding.
    pub(super) bindings: Option<Node<'tree>>,
    /// `...` before the name.
    pub(super) pack: bool,
}

/// What stands before the declarators: storage, qualifiers, type.
#[derive(Clone)]
pub(super) struct Specifiers<'tree> {
    /// The type without what declarators add.
    pub(super) ty: Type,
    /// The type's node; none for constructors.
    pub(super) node: Option<Node<'tree>>,
    pub(super) is_static: bool,
    pub(super) is_extern: bool,
    pub(super) is_inline: bool,
    pub(super) thread_local: bool,
    pub(super) constexpr: bool,
}

impl<'tree> Lowering<'tree> {
    /// Reads storage classes, qualifiers and the type out of a declaration's children.
    pub(super) fn specifiers(&mut self, children: &[Child<'tree>]) -> Specifiers<'tree> {
        let mut specifiers = Specifiers {
            ty: Type::plain("void"),
            node: None,
            is_static: false,
            is_extern: false,
            is_inline: false,
            thread_local: false,
            constexpr: false,
        };
        let (mut constant, mut volatile) = (false, false);
        for child in children {
            match child.kind {
                Kind::StorageClassSpecifier => match self.bytes(child.node) {
                    b"static" => specifiers.is_static = true,
                    b"extern" => specifiers.is_extern = true,
                    b"inline" | b"__inline__" | b"__inline" => specifiers.is_inline = true,
                    b"thread_local" | b"__thread" => specifiers.thread_local = true,
                    _ => {}
                },
                Kind::TypeQualifier => match self.bytes(child.node) {
                    b"const" => constant = true,
                    b"constexpr" => {
                        constant = true;
                        specifiers.constexpr = true;
                    }
                    b"volatile" => volatile = true,
                    _ => {}
                },
                _ if child.field == Field::Type => {
                    specifiers.ty = self.plain_type(child.node);
                    specifiers.node = Some(child.node);
                }
                _ => {}
            }
        }
        specifiers.ty.constant |= constant;
        specifiers.ty.volatile |= volatile;
        specifiers
    }

    /// A type specifier without declarator.
    pub(super) fn plain_type(&mut self, node: Node<'tree>) -> Type {
        match kind::kind(node) {
            Kind::QualifiedIdentifier | Kind::TemplateType | Kind::TemplateFunction | Kind::DependentType => {
                Type {
                    name: self.name(node),
                    ..Type::plain("")
                }
            }
            Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier | Kind::EnumSpecifier => {
                match kind::field(node, Field::Name) {
                    Some(name) => Type {
                        name: self.name(name),
                        ..Type::plain("")
                    },
                    None => Type::plain(&self.anonymous_class_name(node)),
                }
            }
            Kind::SizedTypeSpecifier => self.sized_type(node),
            Kind::PlaceholderTypeSpecifier if self.bytes(node).ends_with(b"auto") => Type::plain("auto"),
            Kind::TypeDescriptor => self.described_type(node),
            _ => Type::plain(&self.normalised(node)),
        }
    }

    /// `unsigned long const` is `unsigned long` and constant.
    fn sized_type(&self, node: Node<'tree>) -> Type {
        let text = self.normalised(node);
        let is_qualifier = |word: &&str| matches!(*word, "const" | "volatile" | "constexpr");
        let words: Vec<&str> = text.split(' ').filter(|word| !is_qualifier(word)).collect();
        Type {
            constant: text.split(' ').any(|word| word == "const"),
            volatile: text.split(' ').any(|word| word == "volatile"),
            ..Type::plain(&words.join(" "))
        }
    }

    /// A type with an abstract declarator: the `T` of a cast, an alias or a template argument.
    pub(super) fn described_type(&mut self, node: Node<'tree>) -> Type {
        let children = self.children(node);
        let specifiers = self.specifiers(&children);
        let declarator = children.iter().find(|child| child.field == Field::Declarator);
        let declarator = declarator
            .map(|child| self.declarator(child.node))
            .unwrap_or_default();
        let mut ty = self.declared_type(&specifiers, &declarator);
        ty.array = !declarator.dims.is_empty();
        ty
    }

    /// The type of what a declarator declares.
    pub(super) fn declared_type(
        &mut self,
        specifiers: &Specifiers<'tree>,
        declarator: &Declarator<'tree>,
    ) -> Type {
        let mut ty = specifiers.ty.clone();
        if let Some(function) = declarator.pointee {
            let parameters = kind::field(function, Field::Parameters).map(|list| self.normalised(list));
            let name = Name::plain(&format!("{}{}", ty.name, parameters.unwrap_or_default()));
            ty = Type {
                name,
                ..Type::plain("")
            };
        }
        ty.pointers = ty.pointers.saturating_add(declarator.pointers);
        ty.reference |= declarator.reference;
        ty.rvalue |= declarator.rvalue;
        ty.volatile |= declarator.volatile;
        ty
    }

    /// Takes a declarator apart, from the outside to the name.
    pub(super) fn declarator(&mut self, node: Node<'tree>) -> Declarator<'tree> {
        let mut result = Declarator::default();
        let mut next = Some(node);
        while let Some(node) = next.take() {
            match kind::kind(node) {
                Kind::PointerDeclarator | Kind::PointerTypeDeclarator | Kind::AbstractPointerDeclarator => {
                    result.pointers = result.pointers.saturating_add(1);
                    let children = self.children(node);
                    result.volatile |= children.iter().any(|child| self.bytes(child.node) == b"volatile");
                    next = kind::field(node, Field::Declarator);
                }
                Kind::ReferenceDeclarator | Kind::AbstractReferenceDeclarator => {
                    result.reference = true;
                    result.rvalue = self.bytes(node).starts_with(b"&&");
                    next = self.last_child(node);
                }
                Kind::ArrayDeclarator | Kind::AbstractArrayDeclarator => {
                    result.dims.insert(0, kind::field(node, Field::Size));
                    next = kind::field(node, Field::Declarator);
                }
                Kind::FunctionDeclarator | Kind::AbstractFunctionDeclarator => {
                    next = kind::field(node, Field::Declarator);
                    self.function_declarator(node, next, &mut result);
                }
                Kind::ParenthesizedDeclarator
                | Kind::AbstractParenthesizedDeclarator
                | Kind::AttributedDeclarator => {
                    let children = self.children(node);
                    let inner = children.iter().find(|child| {
                        !matches!(
                            child.kind,
                            Kind::AttributeDeclaration | Kind::Unknown | Kind::Error
                        )
                    });
                    next = inner.map(|child| child.node);
                }
                Kind::InitDeclarator => next = kind::field(node, Field::Declarator),
                Kind::VariadicDeclarator => {
                    result.pack = true;
                    next = self.last_child(node);
                }
                Kind::StructuredBindingDeclarator => result.bindings = Some(node),
                Kind::QualifiedIdentifier | Kind::OperatorCast => {
                    result.name = Some(node);
                    if let Some(operator) = conversion_operator(node) {
                        result.conversion = kind::field(operator, Field::Type);
                        result.function = kind::field(operator, Field::Declarator);
                    }
                }
                _ => result.name = Some(node),
            }
        }
        result
    }

    fn function_declarator(
        &mut self,
        node: Node<'tree>,
        inner: Option<Node<'tree>>,
        result: &mut Declarator<'tree>,
    ) {
        let through_pointer = inner.is_some_and(|inner| match kind::kind(inner) {
            Kind::ParenthesizedDeclarator | Kind::AbstractParenthesizedDeclarator => self
                .bytes(inner)
                .iter()
                .any(|byte| matches!(byte, b'*' | b'&' | b'^')),
            _ => false,
        });
        if through_pointer {
            // What was outside belongs to the result of the function, what is inside to the name.
            result.pointers = 0;
            result.reference = false;
            result.rvalue = false;
            result.pointee = Some(node);
        } else if result.pointee.is_none() {
            result.function = Some(node);
        }
    }

    fn last_child(&mut self, node: Node<'tree>) -> Option<Node<'tree>> {
        self.children(node).last().map(|child| child.node)
    }

    /// The parameters of a function, lambda or `catch`.
    pub(super) fn parameters(&mut self, list: Node<'tree>) -> Vec<Parameter> {
        let children = self.children(list);
        let parameters: Vec<Parameter> = children
            .into_iter()
            .filter_map(|child| self.parameter(child))
            .collect();
        match parameters.as_slice() {
            [only] if only.name.is_empty() && only.ty == Type::plain("void") => Vec::new(),
            _ => parameters,
        }
    }

    fn parameter(&mut self, child: Child<'tree>) -> Option<Parameter> {
        let is_parameter = matches!(
            child.kind,
            Kind::ParameterDeclaration
                | Kind::OptionalParameterDeclaration
                | Kind::VariadicParameterDeclaration
        );
        if !is_parameter {
            return None;
        }
        let children = self.children(child.node);
        let specifiers = self.specifiers(&children);
        let declarator = children.iter().find(|child| child.field == Field::Declarator);
        let declarator = declarator
            .map(|child| self.declarator(child.node))
            .unwrap_or_default();
        let mut ty = self.declared_type(&specifiers, &declarator);
        if !declarator.reference {
            let dimensions = u8::try_from(declarator.dims.len()).unwrap_or(u8::MAX);
            ty.pointers = ty.pointers.saturating_add(dimensions);
        }
        let default = children.iter().find(|child| child.field == Field::DefaultValue);
        Some(Parameter {
            name: declarator.name.map(|name| self.string(name)).unwrap_or_default(),
            ty,
            default: default.map(|value| self.expression(value.node)),
            pack: child.kind == Kind::VariadicParameterDeclaration || declarator.pack,
        })
    }

    /// Names of the parameters of a `template <…>`, in order, and those that have a default with it; they become known
    /// as types.
    pub(super) fn template_parameters(&mut self, list: Node<'tree>) -> (Vec<String>, Vec<(String, String)>) {
        let (mut names, mut defaults) = (Vec::new(), Vec::new());
        for child in self.children(list) {
            let default_type = |node| match kind::kind(node) {
                Kind::OptionalTypeParameterDeclaration => kind::field(node, Field::DefaultType),
                _ => None,
            };
            let default = match child.kind {
                // `template <class> class T = D`: what stands behind the inner list is a parameter like another.
                Kind::TemplateTemplateParameterDeclaration => {
                    self.last_child(child.node).and_then(default_type)
                }
                Kind::OptionalTypeParameterDeclaration => default_type(child.node),
                _ => kind::field(child.node, Field::DefaultValue),
            };
            let name = self.template_parameter(child);
            if let Some(default) = default {
                defaults.push((name.clone(), self.normalised(default)));
            }
            names.push(name);
        }
        (names, defaults)
    }

    fn template_parameter(&mut self, child: Child<'tree>) -> String {
        let name = match child.kind {
            Kind::TypeParameterDeclaration | Kind::VariadicTypeParameterDeclaration => {
                self.last_child(child.node)
            }
            Kind::OptionalTypeParameterDeclaration => kind::field(child.node, Field::Name),
            Kind::TemplateTemplateParameterDeclaration => {
                let inner = self.last_child(child.node);
                return inner.map_or_else(String::new, |node| {
                    self.template_parameter(Child {
                        node,
                        kind: kind::kind(node),
                        field: Field::None,
                    })
                });
            }
            _ => {
                let declarator = kind::field(child.node, Field::Declarator);
                let name = declarator.and_then(|declarator| self.declarator(declarator).name);
                return name.map(|name| self.string(name)).unwrap_or_default();
            }
        };
        let name = name.map(|name| self.string(name)).unwrap_or_default();
        if !name.is_empty() {
            self.types.insert(name.clone());
        }
        name
    }

    /// Whether a plain name is known to be a type: by convention or because this file says so.
    pub(super) fn is_type_name(&self, name: &str) -> bool {
        name.ends_with("_t")
            || matches!(
                name,
                "uint" | "ushort" | "uchar" | "ulong" | "half" | "__half" | "CUdeviceptr" | "real" | "Real"
            )
            || self.types.contains(name)
    }

    /// A name for a class that has none: unique in its file.
    pub(super) fn anonymous_class_name(&self, node: Node<'tree>) -> String {
        format!("(anonymous {})", self.span(node).start)
    }
}

/// The conversion operator that a name ends in: `A::operator bool`.
fn conversion_operator(name: Node<'_>) -> Option<Node<'_>> {
    let mut node = name;
    while kind::kind(node) == Kind::QualifiedIdentifier {
        node = kind::field(node, Field::Name)?;
    }
    (kind::kind(node) == Kind::OperatorCast).then_some(node)
}
