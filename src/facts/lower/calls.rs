//! Calls, launches, casts and constructions: everything written `x(…)`.

use tree_sitter::Node;

use super::Lowering;
use super::kind::{self, Field, Kind};
use crate::facts::ir::{BinaryOp, Call, Expr, ExprKind, Init, Launch, Name, Type};

impl<'tree> Lowering<'tree> {
    pub(super) fn call(&mut self, node: Node<'tree>) -> ExprKind {
        let (Some(function), Some(arguments)) = (
            kind::field(node, Field::Function),
            kind::field(node, Field::Arguments),
        ) else {
            return self.opaque(node);
        };
        if let Some(launch) = self.launch(function, arguments) {
            return launch;
        }
        match kind::kind(function) {
            Kind::PrimitiveType => ExprKind::Construct {
                ty: self.plain_type(function),
                init: Box::new(Init::Parens(self.expressions(arguments))),
            },
            Kind::TemplateFunction => self.templated_call(function, arguments),
            Kind::QualifiedIdentifier => {
                let name = self.name(function);
                let args = self.expressions(arguments);
                if is_templated_library_type(&name) {
                    return ExprKind::Construct {
                        ty: Type {
                            name,
                            ..Type::plain("")
                        },
                        init: Box::new(Init::Parens(args)),
                    };
                }
                let callee = Expr {
                    span: self.span(function),
                    kind: ExprKind::Name(name),
                };
                ExprKind::Call(Box::new(Call {
                    callee,
                    args,
                    method_args: Vec::new(),
                    owner: None,
                }))
            }
            Kind::Identifier
                if matches!(self.bytes(function), b"unsigned" | b"signed" | b"long" | b"short") =>
            {
                ExprKind::Construct {
                    ty: self.plain_type(function),
                    init: Box::new(Init::Parens(self.expressions(arguments))),
                }
            }
            _ => self.plain_call(function, arguments),
        }
    }

    fn plain_call(&mut self, function: Node<'tree>, arguments: Node<'tree>) -> ExprKind {
        let mut args = self.expressions(arguments);
        // `(T)(x)`: nobody puts the name of a function they call in parentheses and gives it one argument.
        if args.len() == 1
            && let Some(name) = self.parenthesised_name(function)
            && let Some(operand) = args.pop()
        {
            return ExprKind::Cast {
                ty: self.plain_type(name),
                operand: Box::new(operand),
            };
        }
        let method = match kind::kind(function) {
            Kind::FieldExpression => kind::field(function, Field::Member),
            _ => None,
        };
        let method = method.map(|it| self.name(it));
        ExprKind::Call(Box::new(Call {
            callee: self.expression(function),
            args,
            owner: method.as_ref().and_then(Name::owner),
            method_args: method.map(|it| it.template_args).unwrap_or_default(),
        }))
    }

    fn templated_call(&mut self, function: Node<'tree>, arguments: Node<'tree>) -> ExprKind {
        let mut args = self.expressions(arguments);
        let name = self.name(function);
        let is_cast = matches!(
            name.last(),
            "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast" | "bit_cast"
        );
        if is_cast
            && args.len() == 1
            && let Some(operand) = args.pop()
        {
            let ty = self.first_template_type(function);
            return ExprKind::Cast {
                ty,
                operand: Box::new(operand),
            };
        }
        if is_templated_library_type(&name) {
            return ExprKind::Construct {
                ty: Type {
                    name,
                    ..Type::plain("")
                },
                init: Box::new(Init::Parens(args)),
            };
        }
        let callee = Expr {
            span: self.span(function),
            kind: ExprKind::Name(name),
        };
        ExprKind::Call(Box::new(Call {
            callee,
            args,
            method_args: Vec::new(),
            owner: None,
        }))
    }

    fn first_template_type(&mut self, function: Node<'tree>) -> Type {
        let list = kind::field(function, Field::Arguments);
        let first = list.and_then(|list| self.children(list).into_iter().next());
        match first {
            Some(child) if child.kind == Kind::TypeDescriptor => self.described_type(child.node),
            Some(child) => self.plain_type(child.node),
            None => Type::plain("auto"),
        }
    }

    /// `kernel  (config)  (arguments)` where the mask saw `<<<` and `>>>`.
    fn launch(&mut self, function: Node<'tree>, arguments: Node<'tree>) -> Option<ExprKind> {
        if kind::kind(function) != Kind::CallExpression {
            return None;
        }
        let config = kind::field(function, Field::Arguments)?;
        if !self.is_launch(config.start_byte()) {
            return None;
        }
        let kernel = self.expression_in(function, Field::Function)?;
        self.launches += 1;
        let config = self.expressions(config);
        let args = self.expressions(arguments);
        Some(ExprKind::Launch(Box::new(Launch { kernel, config, args })))
    }

    /// The name in `(name)`.
    pub(super) fn parenthesised_name(&mut self, node: Node<'tree>) -> Option<Node<'tree>> {
        if kind::kind(node) != Kind::ParenthesizedExpression {
            return None;
        }
        match self.children(node).as_slice() {
            [only]
                if matches!(
                    only.kind,
                    Kind::Identifier
                        | Kind::QualifiedIdentifier
                        | Kind::TemplateFunction
                        | Kind::PrimitiveType
                ) =>
            {
                Some(only.node)
            }
            _ => None,
        }
    }

    /// A call that was parsed as a declaration's head: `CHECK_TYPE(int, x);`, `table[i](x);`.
    pub(super) fn call_in_disguise(&mut self, declarator: Node<'tree>) -> ExprKind {
        // `T x(n * sizeof(int))`: a keyword that the parser takes for the name of a function.
        if let (Some(name), Some(list)) = (
            kind::field(declarator, Field::Declarator),
            kind::field(declarator, Field::Parameters),
        ) && self.bytes(name) == b"sizeof"
        {
            return ExprKind::SizeOf(self.operand_text(list));
        }
        let callee = self.expression_in(declarator, Field::Declarator);
        let args = kind::field(declarator, Field::Parameters).map(|list| self.expressions(list));
        match (callee, args) {
            (Some(callee), Some(args)) => ExprKind::Call(Box::new(Call {
                callee,
                args,
                method_args: Vec::new(),
                owner: None,
            })),
            (callee, args) => ExprKind::Opaque(callee.into_iter().chain(args.unwrap_or_default()).collect()),
        }
    }

    /// A constructor argument that was parsed as a parameter: `a`, `a * b`, `a & b`, `f(x)`, `a[3]`.
    pub(super) fn parameter_as_expression(&mut self, parameter: Node<'tree>) -> Expr {
        let span = self.span(parameter);
        let Some(ty) = kind::field(parameter, Field::Type) else {
            return Expr {
                span,
                kind: self.opaque(parameter),
            };
        };
        let base = self.expression(ty);
        let kind = match kind::field(parameter, Field::Declarator) {
            Some(declarator) => self.nested(|this| this.applied_declarator(base, declarator)),
            None => Some(base.kind),
        };
        Expr {
            span,
            kind: kind.unwrap_or(ExprKind::Opaque(Vec::new())),
        }
    }

    fn applied_declarator(&mut self, base: Expr, declarator: Node<'tree>) -> ExprKind {
        let last = self.children(declarator).last().map(|child| child.node);
        let op = match kind::kind(declarator) {
            Kind::PointerDeclarator => BinaryOp::Multiply,
            Kind::ReferenceDeclarator if self.bytes(declarator).starts_with(b"&&") => BinaryOp::And,
            Kind::ReferenceDeclarator => BinaryOp::BitAnd,
            Kind::AbstractFunctionDeclarator | Kind::ParenthesizedDeclarator => {
                let list = match kind::kind(declarator) {
                    Kind::ParenthesizedDeclarator => Some(declarator),
                    _ => kind::field(declarator, Field::Parameters),
                };
                let args = list.map(|list| self.expressions(list)).unwrap_or_default();
                if let ExprKind::Name(name) = &base.kind
                    && is_templated_library_type(name)
                {
                    return ExprKind::Construct {
                        ty: Type {
                            name: name.clone(),
                            ..Type::plain("")
                        },
                        init: Box::new(Init::Parens(args)),
                    };
                }
                return ExprKind::Call(Box::new(Call {
                    callee: base,
                    args,
                    method_args: Vec::new(),
                    owner: None,
                }));
            }
            Kind::AbstractArrayDeclarator => {
                let Some(index) = self.expression_in(declarator, Field::Size) else {
                    return ExprKind::Opaque(vec![base]);
                };
                return ExprKind::Index {
                    object: Box::new(base),
                    index: Box::new(index),
                };
            }
            _ => {
                let mut parts = vec![base];
                parts.extend(last.map(|last| self.expression(last)));
                return ExprKind::Opaque(parts);
            }
        };
        match last {
            Some(right) => ExprKind::Binary {
                op,
                left: Box::new(base),
                right: Box::new(self.expression(right)),
            },
            None => ExprKind::Opaque(vec![base]),
        }
    }
}

/// Class templates of libraries whose name with arguments is a type: `std::vector<int>(n)`. What a namespace of the
/// project's own holds under such a name may be a function.
fn is_templated_library_type(name: &Name) -> bool {
    let of_library = match name.path.as_slice() {
        [_] => true,
        [space, ..] => matches!(space.as_str(), "" | "std" | "cuda" | "thrust" | "boost"),
        [] => false,
    };
    of_library
        && !name.template_args.is_empty()
        && matches!(
            name.last(),
            "vector"
                | "array"
                | "pair"
                | "tuple"
                | "unique_ptr"
                | "shared_ptr"
                | "weak_ptr"
                | "function"
                | "atomic"
                | "atomic_ref"
                | "optional"
                | "span"
                | "map"
                | "set"
                | "unordered_map"
                | "unordered_set"
                | "deque"
                | "list"
                | "queue"
                | "basic_string"
                | "complex"
                | "lock_guard"
                | "unique_lock"
                | "scoped_lock"
                | "packaged_task"
                | "promise"
                | "device_vector"
                | "host_vector"
                | "device_ptr"
                | "counting_iterator"
                | "constant_iterator"
        )
}
