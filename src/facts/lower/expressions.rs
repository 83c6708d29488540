//! Expressions.

use tree_sitter::Node;

use super::Lowering;
use super::kind::{self, Field, Kind};
use super::literal;
use super::operators::join_with_commas;
use crate::facts::ir::{
    BinaryOp, Call, CaptureDefault, Expr, ExprKind, Initialiser, Lambda, Launch, Name, Span, Stmt, StmtKind,
    Type,
};

impl<'tree> Lowering<'tree> {
    /// Any expression; what is not understood is [`ExprKind::Opaque`].
    pub(super) fn expression(&mut self, node: Node<'tree>) -> Expr {
        let mut node = node;
        while kind::kind(node) == Kind::ParenthesizedExpression {
            match self.children(node).as_slice() {
                [inner] if inner.kind != Kind::CompoundStatement => node = inner.node,
                _ => break,
            }
        }
        let span = self.span(node);
        let kind = self.nested(|this| this.expression_kind(node));
        Expr {
            span,
            kind: kind.unwrap_or(ExprKind::Opaque(Vec::new())),
        }
    }

    /// Every child that is an expression.
    pub(super) fn expressions(&mut self, node: Node<'tree>) -> Vec<Expr> {
        self.children(node)
            .into_iter()
            .map(|child| self.expression(child.node))
            .collect()
    }

    fn expression_in(&mut self, node: Node<'tree>, field: Field) -> Option<Expr> {
        kind::field(node, field).map(|child| self.expression(child))
    }

    fn expression_kind(&mut self, node: Node<'tree>) -> ExprKind {
        match kind::kind(node) {
            Kind::NumberLiteral => {
                literal::number(&self.string(node)).unwrap_or(ExprKind::Opaque(Vec::new()))
            }
            Kind::CharLiteral => {
                literal::character(&self.string(node)).map_or(ExprKind::Opaque(Vec::new()), ExprKind::Int)
            }
            Kind::True => ExprKind::Int(1),
            Kind::False => ExprKind::Int(0),
            Kind::Null => ExprKind::Null,
            Kind::This => ExprKind::This,
            Kind::StringLiteral | Kind::RawStringLiteral | Kind::ConcatenatedString => {
                ExprKind::Str(self.string_value(node))
            }
            Kind::Identifier
            | Kind::FieldIdentifier
            | Kind::TypeIdentifier
            | Kind::NamespaceIdentifier
            | Kind::QualifiedIdentifier
            | Kind::TemplateFunction
            | Kind::TemplateType
            | Kind::TemplateMethod
            | Kind::DependentName
            | Kind::OperatorName
            | Kind::PrimitiveType => self.named(node),
            Kind::FieldExpression => self.member(node),
            Kind::SubscriptExpression => self.subscript(node),
            Kind::UnaryExpression | Kind::PointerExpression => self.unary(node),
            Kind::UpdateExpression => self.update(node),
            Kind::BinaryExpression => self.binary(node),
            Kind::CommaExpression => self.comma(node),
            Kind::AssignmentExpression => self.assignment(node),
            Kind::ConditionalExpression => self.conditional(node),
            Kind::CallExpression => self.call(node),
            Kind::CastExpression => match (kind::field(node, Field::Type), kind::field(node, Field::Value)) {
                (Some(ty), Some(value)) => ExprKind::Cast {
                    ty: self.described_type(ty),
                    operand: Box::new(self.expression(value)),
                },
                _ => self.opaque(node),
            },
            Kind::CompoundLiteralExpression => self.compound_literal(node),
            Kind::InitializerList => ExprKind::InitList(self.initialisers(node)),
            Kind::NewExpression => self.new_expression(node),
            Kind::DeleteExpression => match self.expressions(node).pop() {
                Some(operand) => ExprKind::Delete {
                    operand: Box::new(operand),
                },
                None => ExprKind::Opaque(Vec::new()),
            },
            Kind::LambdaExpression => self.lambda(node),
            Kind::SizeofExpression | Kind::AlignofExpression | Kind::OffsetofExpression => {
                ExprKind::SizeOf(self.size_operand(node))
            }
            Kind::GnuAsmExpression => self.assembly(node),
            Kind::ThrowStatement => ExprKind::Throw(self.expressions(node).pop().map(Box::new)),
            Kind::ExtensionExpression => match self.expressions(node).pop() {
                Some(inner) => inner.kind,
                None => ExprKind::Opaque(Vec::new()),
            },
            Kind::ParenthesizedExpression => self.statement_expression(node),
            Kind::FunctionDeclarator => self.call_in_disguise(node),
            Kind::ParameterDeclaration => self.parameter_as_expression(node).kind,
            Kind::TypeDescriptor
            | Kind::RequiresExpression
            | Kind::TemplateArgumentList
            | Kind::TypeQualifier
            | Kind::StorageClassSpecifier
            | Kind::SizedTypeSpecifier
            | Kind::LiteralSuffix
            | Kind::FieldDeclarationList => ExprKind::Opaque(Vec::new()),
            _ => self.opaque(node),
        }
    }

    /// The expressions inside something that is not understood.
    fn opaque(&mut self, node: Node<'tree>) -> ExprKind {
        let mut inside = self.expressions(node);
        inside.retain(|expression| !matches!(&expression.kind, ExprKind::Opaque(parts) if parts.is_empty()));
        ExprKind::Opaque(inside)
    }

    fn named(&mut self, node: Node<'tree>) -> ExprKind {
        if node.is_missing() {
            return ExprKind::Opaque(Vec::new());
        }
        match self.bytes(node) {
            b"NULL" | b"nullptr" | b"__null" => ExprKind::Null,
            _ => ExprKind::Name(self.name(node)),
        }
    }

    fn member(&mut self, node: Node<'tree>) -> ExprKind {
        let object = self.expression_in(node, Field::Argument);
        let operator = kind::field(node, Field::Operator).map(|operator| self.bytes(operator));
        let (Some(object), Some(field)) = (object, kind::field(node, Field::Member)) else {
            return ExprKind::Opaque(Vec::new());
        };
        match operator {
            Some(b"." | b"->") => ExprKind::Member {
                object: Box::new(object),
                field: self.name(field).last().to_owned(),
                arrow: operator == Some(b"->"),
            },
            _ => ExprKind::Opaque(vec![object, self.expression(field)]),
        }
    }

    fn subscript(&mut self, node: Node<'tree>) -> ExprKind {
        let object = self.expression_in(node, Field::Argument);
        let indices = kind::field(node, Field::Indices)
            .map(|list| self.expressions(list))
            .unwrap_or_default();
        match (object, join_with_commas(indices)) {
            (Some(object), Some(index)) => ExprKind::Index {
                object: Box::new(object),
                index: Box::new(index),
            },
            (object, index) => ExprKind::Opaque(object.into_iter().chain(index).collect()),
        }
    }

    fn conditional(&mut self, node: Node<'tree>) -> ExprKind {
        let condition = self.expression_in(node, Field::Condition);
        let then = self.expression_in(node, Field::Consequence);
        let otherwise = self.expression_in(node, Field::Alternative);
        match (condition, then, otherwise) {
            (Some(condition), Some(then), Some(otherwise)) => ExprKind::Conditional {
                condition: Box::new(condition),
                then: Box::new(then),
                otherwise: Box::new(otherwise),
            },
            (condition, then, otherwise) => {
                ExprKind::Opaque(condition.into_iter().chain(then).chain(otherwise).collect())
            }
        }
    }

    fn call(&mut self, node: Node<'tree>) -> ExprKind {
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
                args: self.expressions(arguments),
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
                        args,
                    };
                }
                let callee = Expr {
                    span: self.span(function),
                    kind: ExprKind::Name(name),
                };
                ExprKind::Call(Box::new(Call { callee, args }))
            }
            Kind::Identifier
                if matches!(self.bytes(function), b"unsigned" | b"signed" | b"long" | b"short") =>
            {
                ExprKind::Construct {
                    ty: self.plain_type(function),
                    args: self.expressions(arguments),
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
        ExprKind::Call(Box::new(Call {
            callee: self.expression(function),
            args,
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
                args,
            };
        }
        let callee = Expr {
            span: self.span(function),
            kind: ExprKind::Name(name),
        };
        ExprKind::Call(Box::new(Call { callee, args }))
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
        let callee = self.expression_in(declarator, Field::Declarator);
        let args = kind::field(declarator, Field::Parameters).map(|list| self.expressions(list));
        match (callee, args) {
            (Some(callee), Some(args)) => ExprKind::Call(Box::new(Call { callee, args })),
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
            Kind::AbstractFunctionDeclarator => {
                let list = kind::field(declarator, Field::Parameters);
                let args = list.map(|list| self.expressions(list)).unwrap_or_default();
                if let ExprKind::Name(name) = &base.kind
                    && is_templated_library_type(name)
                {
                    return ExprKind::Construct {
                        ty: Type {
                            name: name.clone(),
                            ..Type::plain("")
                        },
                        args,
                    };
                }
                return ExprKind::Call(Box::new(Call { callee: base, args }));
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

    fn compound_literal(&mut self, node: Node<'tree>) -> ExprKind {
        let ty = match kind::field(node, Field::Type) {
            Some(ty) if kind::kind(ty) == Kind::TypeDescriptor => self.described_type(ty),
            Some(ty) => self.plain_type(ty),
            None => Type::plain("auto"),
        };
        let Some(list) = kind::field(node, Field::Value) else {
            return ExprKind::Construct { ty, args: Vec::new() };
        };
        let initialisers = self.initialisers(list);
        if initialisers.iter().any(|initialiser| initialiser.field.is_some()) {
            let kind = ExprKind::InitList(initialisers);
            return ExprKind::Construct {
                ty,
                args: vec![Expr {
                    span: self.span(list),
                    kind,
                }],
            };
        }
        let args = initialisers
            .into_iter()
            .map(|initialiser| initialiser.value)
            .collect();
        ExprKind::Construct { ty, args }
    }

    /// The elements of `{…}`.
    pub(super) fn initialisers(&mut self, list: Node<'tree>) -> Vec<Initialiser> {
        let mut result = Vec::new();
        for child in self.children(list) {
            if child.kind != Kind::InitializerPair {
                result.push(Initialiser {
                    field: None,
                    value: self.expression(child.node),
                });
                continue;
            }
            let designator = kind::field(child.node, Field::Designator);
            let field = designator
                .filter(|designator| kind::kind(*designator) == Kind::FieldDesignator)
                .map(|designator| self.string(designator).trim_start_matches('.').trim().to_owned());
            if let Some(value) = self.expression_in(child.node, Field::Value) {
                result.push(Initialiser { field, value });
            }
        }
        result
    }

    fn new_expression(&mut self, node: Node<'tree>) -> ExprKind {
        let mut ty = match kind::field(node, Field::Type) {
            Some(ty) => self.plain_type(ty),
            None => Type::plain("auto"),
        };
        let args = match kind::field(node, Field::Arguments) {
            Some(list) if kind::kind(list) == Kind::InitializerList => self
                .initialisers(list)
                .into_iter()
                .map(|initialiser| initialiser.value)
                .collect(),
            Some(list) => self.expressions(list),
            None => Vec::new(),
        };
        let declarator = kind::field(node, Field::Declarator);
        let mut array = declarator.and_then(|declarator| self.expression_in(declarator, Field::Length));
        if array.is_none() {
            let (pointers, element_count) = self.pointer_array_after(node);
            ty.pointers = ty.pointers.saturating_add(pointers);
            array = element_count;
        }
        ExprKind::New {
            ty,
            args,
            array: array.map(Box::new),
        }
    }

    /// The `*[n]` of `new T*[n]`, which the grammar does not know: it is left behind the node.
    fn pointer_array_after(&self, node: Node<'tree>) -> (u8, Option<Expr>) {
        let rest = self.text.get(node.end_byte()..).unwrap_or_default();
        let stars = rest.iter().take_while(|byte| matches!(byte, b'*' | b' ')).count();
        let pointers = rest[..stars].iter().filter(|&&byte| byte == b'*').count();
        if pointers == 0 || rest.get(stars) != Some(&b'[') {
            return (0, None);
        }
        let start = node.end_byte() + stars + 1;
        let length = rest[stars + 1..]
            .iter()
            .take_while(|&&byte| byte != b']' && byte != b'\n')
            .count();
        let text = String::from_utf8_lossy(&rest[stars + 1..stars + 1 + length]);
        let text = text.trim();
        let is_word = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let kind = match literal::number(text) {
            Some(number) => number,
            None if is_word => ExprKind::Name(Name::plain(text)),
            None => ExprKind::Opaque(Vec::new()),
        };
        let span = Span {
            start: self.offset(start),
            end: self.offset(start + length),
        };
        (
            u8::try_from(pointers).unwrap_or(u8::MAX),
            Some(Expr { span, kind }),
        )
    }

    fn size_operand(&mut self, node: Node<'tree>) -> String {
        let operand = kind::field(node, Field::Type).or_else(|| kind::field(node, Field::Value));
        let text = operand.map_or_else(|| self.normalised(node), |operand| self.normalised(operand));
        match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(inner) => inner.trim().to_owned(),
            None => text,
        }
    }

    fn string_value(&mut self, node: Node<'tree>) -> String {
        if kind::kind(node) == Kind::ConcatenatedString {
            let parts = self.children(node);
            return parts
                .into_iter()
                .filter(|part| part.kind != Kind::Identifier)
                .map(|part| self.string_value(part.node))
                .collect();
        }
        let mut value = String::new();
        for part in self.children(node) {
            match part.kind {
                Kind::RawStringContent => value.push_str(&self.string(part.node)),
                Kind::StringContent | Kind::EscapeSequence => {
                    value.push_str(&literal::unescape(&self.string(part.node)));
                }
                _ => {}
            }
        }
        value
    }

    fn assembly(&mut self, node: Node<'tree>) -> ExprKind {
        let text = kind::field(node, Field::AssemblyCode).map(|code| self.string_value(code));
        let outputs = self.assembly_operands(node, Field::OutputOperands);
        let inputs = self.assembly_operands(node, Field::InputOperands);
        let output_count = u32::try_from(outputs.len()).unwrap_or(u32::MAX);
        let operands = outputs.into_iter().chain(inputs).collect();
        ExprKind::Asm {
            text: text.unwrap_or_default(),
            operands,
            outputs: output_count,
        }
    }

    fn assembly_operands(&mut self, node: Node<'tree>, field: Field) -> Vec<Expr> {
        let Some(list) = kind::field(node, field) else {
            return Vec::new();
        };
        let operands = self.children(list);
        operands
            .into_iter()
            .filter_map(|operand| self.expression_in(operand.node, Field::Value))
            .collect()
    }

    /// GNU `({ … })`: a lambda that is called at once, whose last expression is its result.
    fn statement_expression(&mut self, node: Node<'tree>) -> ExprKind {
        let children = self.children(node);
        let [block] = children.as_slice() else {
            return self.opaque(node);
        };
        let mut body = self.block(block.node);
        if let Some(Stmt { kind, .. }) = body.last_mut()
            && let StmtKind::Expr(value) = kind
        {
            *kind = StmtKind::Return(Some(value.clone()));
        }
        let lambda = Lambda {
            default: CaptureDefault::Reference,
            captures: Vec::new(),
            params: Vec::new(),
            body,
            device: false,
        };
        let callee = Expr {
            span: self.span(node),
            kind: ExprKind::Lambda(Box::new(lambda)),
        };
        ExprKind::Call(Box::new(Call {
            callee,
            args: Vec::new(),
        }))
    }
}

/// Class templates whose name with arguments can only be a type: `std::vector<int>(n)`.
fn is_templated_library_type(name: &Name) -> bool {
    !name.template_args.is_empty()
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
