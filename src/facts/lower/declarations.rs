//! Variables: local declarations, fields and globals.

use tree_sitter::Node;

use super::declarators::{Declarator, Specifiers};
use super::items::Head;
use super::kind::{self, Field, Kind};
use super::{Child, Lowering, Qualifiers};
use crate::facts::ir::{
    Call, Expr, ExprKind, Global, Init, Launch, MemorySpace, Span, Stmt, StmtKind, Variable,
};

/// One declarator of a declaration and what initialises it.
#[derive(Clone, Copy)]
pub(super) struct Entry<'tree> {
    pub(super) declarator: Node<'tree>,
    pub(super) value: Option<Node<'tree>>,
}

/// The declarators of a declaration, in order.
pub(super) fn entries<'tree>(children: &[Child<'tree>]) -> Vec<Entry<'tree>> {
    let mut entries: Vec<Entry<'tree>> = Vec::new();
    for child in children {
        match child.field {
            Field::Declarator if child.kind == Kind::InitDeclarator => {
                if let Some(declarator) = kind::field(child.node, Field::Declarator) {
                    entries.push(Entry {
                        declarator,
                        value: kind::field(child.node, Field::Value),
                    });
                }
            }
            Field::Declarator => entries.push(Entry {
                declarator: child.node,
                value: None,
            }),
            Field::Value | Field::DefaultValue => {
                if let Some(entry) = entries.last_mut() {
                    entry.value = Some(child.node);
                }
            }
            _ => {}
        }
    }
    entries
}

impl<'tree> Lowering<'tree> {
    /// A declaration inside a function; qualifiers that stand at or after `from` belong to it.
    pub(super) fn local_declaration(&mut self, node: Node<'tree>, from: usize, out: &mut Vec<Stmt>) {
        let children = self.children(node);
        self.local_type(&children);
        let specifiers = self.specifiers(&children);
        let entries = entries(&children);
        let span = self.span(node);
        // Room for what there is and no more: variables are large, and nearly all declarations have one.
        let mut variables = Vec::with_capacity(entries.len());
        for entry in &entries {
            let declarator = self.declarator(entry.declarator);
            if is_subscripted_call(&specifiers, &declarator) {
                let kind = self.subscripted_call(&specifiers, entry.declarator);
                out.push(Stmt {
                    span,
                    kind: StmtKind::Expr(Expr { span, kind }),
                });
                continue;
            }
            let init = match declarator.function {
                Some(function) => match self.vexing_arguments(function, &specifiers) {
                    Some(args) => Some(Init::Parens(args)),
                    None => continue,
                },
                None => entry.value.map(|value| self.initialiser(value)),
            };
            let qualifiers = self.qualifiers(from, entry.declarator.end_byte());
            let mut variable = self.variable(&specifiers, &declarator, init, qualifiers);
            variable.external = specifiers.is_extern;
            variables.push(variable);
        }
        if !variables.is_empty() {
            out.push(Stmt {
                span,
                kind: StmtKind::Declare(variables),
            });
        }
    }

    /// A class or enum defined in a declaration becomes known to the file.
    pub(super) fn local_type(&mut self, children: &[Child<'tree>]) {
        let defined = children.iter().find(|child| child.field == Field::Type);
        if let Some(child) = defined
            && kind::field(child.node, Field::Body).is_some()
        {
            self.type_definition_in_place(*child, &Head::at(child.node.start_byte()));
        }
    }

    /// One variable out of its parts.
    pub(super) fn variable(
        &mut self,
        specifiers: &Specifiers<'tree>,
        declarator: &Declarator<'tree>,
        init: Option<Init>,
        qualifiers: Qualifiers,
    ) -> Variable {
        let bindings = match declarator.bindings {
            Some(list) => self
                .children(list)
                .into_iter()
                .map(|child| self.string(child.node))
                .collect(),
            None => Vec::new(),
        };
        let dims = declarator
            .dims
            .iter()
            .map(|size| size.map(|size| self.expression(size)))
            .collect();
        let place = declarator.name.or(declarator.bindings);
        Variable {
            name: declarator
                .name
                .map(|name| self.name(name).last().to_owned())
                .unwrap_or_default(),
            span: place.map_or_else(Span::default, |place| self.span(place)),
            ty: self.declared_type(specifiers, declarator),
            dims,
            init,
            bindings,
            is_static: specifiers.is_static || specifiers.thread_local,
            per_thread: specifiers.thread_local,
            external: false,
            bits: None,
            overlays: Vec::new(),
            space: memory_space(qualifiers),
        }
    }

    /// `= value`, `(args)` or `{args}`.
    pub(super) fn initialiser(&mut self, value: Node<'tree>) -> Init {
        match kind::kind(value) {
            Kind::ArgumentList => Init::Parens(self.expressions(value)),
            Kind::InitializerList => Init::Braces(self.initialisers(value)),
            _ => Init::Value(self.expression(value)),
        }
    }

    /// The arguments of `T x(a, b);` when they can be expressions; `None` for the declaration of a function.
    pub(super) fn vexing_arguments(
        &mut self,
        function: Node<'tree>,
        specifiers: &Specifiers<'tree>,
    ) -> Option<Vec<Expr>> {
        let list = kind::field(function, Field::Parameters)?;
        let parameters = self.children(list);
        let is_void = specifiers.ty.name.last() == "void";
        if is_void || specifiers.is_extern || parameters.is_empty() {
            return None;
        }
        // `T x(n, U(m))`: what may be either is an argument where another one is.
        let mut others = 0;
        for parameter in &parameters {
            if self.may_be_expression(*parameter) {
                others += 1;
            } else if !self.may_be_made(*parameter) {
                return None;
            }
        }
        if others == 0 {
            return None;
        }
        Some(
            parameters
                .iter()
                .map(|parameter| self.expression(parameter.node))
                .collect(),
        )
    }

    /// Whether a parameter could be an argument: `a`, `a * b`, `f(x)`, but not `int`, `const T& x`, `T x`.
    fn may_be_expression(&mut self, parameter: Child<'tree>) -> bool {
        if parameter.kind != Kind::ParameterDeclaration {
            return false;
        }
        let children = self.children(parameter.node);
        let Some(ty) = children.iter().find(|child| child.field == Field::Type) else {
            return false;
        };
        let named = matches!(
            ty.kind,
            Kind::TypeIdentifier | Kind::QualifiedIdentifier | Kind::TemplateType
        );
        let plain = children
            .iter()
            .all(|child| matches!(child.field, Field::Type | Field::Declarator));
        let declarator = kind::field(parameter.node, Field::Declarator);
        let operator_like = declarator.is_none_or(|declarator| {
            matches!(
                kind::kind(declarator),
                Kind::PointerDeclarator
                    | Kind::ReferenceDeclarator
                    | Kind::AbstractFunctionDeclarator
                    | Kind::AbstractArrayDeclarator
            )
        });
        named
            && plain
            && operator_like
            && !(ty.kind == Kind::TypeIdentifier && self.is_type_name(&self.string(ty.node)))
    }

    /// `U(m)`, where `U` is a type: it may make one of `m`, or declare a parameter.
    fn may_be_made(&mut self, parameter: Child<'tree>) -> bool {
        let Some(declarator) = kind::field(parameter.node, Field::Declarator) else {
            return false;
        };
        let list = match kind::kind(declarator) {
            Kind::ParenthesizedDeclarator => return true,
            Kind::AbstractFunctionDeclarator => kind::field(declarator, Field::Parameters),
            _ => None,
        };
        let args = list.map(|it| self.children(it)).unwrap_or_default();
        !args.is_empty() && args.iter().all(|it| self.may_be_expression(*it))
    }

    /// `table[i](x);`: the parser sees the declaration of a structured binding of type `table`.
    fn subscripted_call(&mut self, specifiers: &Specifiers<'tree>, declarator: Node<'tree>) -> ExprKind {
        let Some(ty) = specifiers.node else {
            return ExprKind::Opaque(Vec::new());
        };
        let mut calls = Vec::new();
        let mut node = declarator;
        while kind::kind(node) == Kind::FunctionDeclarator {
            calls.push(node);
            match kind::field(node, Field::Declarator) {
                Some(inner) => node = inner,
                None => break,
            }
        }
        let indices = self.expressions(node);
        let object = self.expression(ty);
        let start = object.span.start;
        let Some(index) = indices.into_iter().next() else {
            return ExprKind::Opaque(vec![object]);
        };
        let span = Span {
            start,
            end: self.span(node).end,
        };
        let indexed = ExprKind::Index {
            object: Box::new(object),
            index: Box::new(index),
        };
        let mut callee = Expr { span, kind: indexed };
        let mut pending = calls.into_iter().rev();
        while let Some(call) = pending.next() {
            let Some(list) = kind::field(call, Field::Parameters) else {
                break;
            };
            let args = self.expressions(list);
            let mut span = Span {
                start,
                end: self.span(call).end,
            };
            let arguments = if self.is_launch(list.start_byte()) {
                pending.next()
            } else {
                None
            };
            let kind = match arguments.and_then(|outer| Some((outer, kind::field(outer, Field::Parameters)?)))
            {
                Some((outer, list)) => {
                    span.end = self.span(outer).end;
                    self.launches += 1;
                    let launch = Launch {
                        kernel: callee,
                        config: args,
                        args: self.expressions(list),
                    };
                    ExprKind::Launch(Box::new(launch))
                }
                None => ExprKind::Call(Box::new(Call {
                    callee,
                    args,
                    method_args: Vec::new(),
                    owner: None,
                })),
            };
            callee = Expr { span, kind };
        }
        callee.kind
    }

    /// A name at namespace scope that a declaration gives to a variable.
    pub(super) fn global(
        &mut self,
        specifiers: &Specifiers<'tree>,
        declarator: &Declarator<'tree>,
        variable: Variable,
    ) {
        let mut path = self.scope.path.clone();
        match declarator.name {
            Some(name) => path.extend(
                self.name(name)
                    .path
                    .into_iter()
                    .filter(|segment| !segment.is_empty()),
            ),
            None => path.push(variable.name.clone()),
        }
        self.variables.insert(variable.name.clone());
        let constant = specifiers.constexpr || (specifiers.ty.constant && variable.ty.pointers == 0);
        let internal = (specifiers.is_static || constant) && !specifiers.is_extern && !specifiers.is_inline;
        self.facts.globals.push(Global {
            path,
            internal: internal || self.scope.anonymous > 0,
            external: specifiers.is_extern && variable.init.is_none(),
            variable,
        });
    }
}

/// `table[i](x)` parses as a structured binding of type `table`, which only `auto` can have.
fn is_subscripted_call(specifiers: &Specifiers<'_>, declarator: &Declarator<'_>) -> bool {
    declarator.bindings.is_some() && declarator.function.is_some() && specifiers.ty.name.last() != "auto"
}

fn memory_space(qualifiers: Qualifiers) -> Option<MemorySpace> {
    if qualifiers.shared {
        Some(MemorySpace::Shared)
    } else if qualifiers.constant {
        Some(MemorySpace::Constant)
    } else if qualifiers.managed {
        Some(MemorySpace::Managed)
    } else if qualifiers.device {
        Some(MemorySpace::Device)
    } else {
        None
    }
}
