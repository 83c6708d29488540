//! Expressions.

use tree_sitter::Node;

use super::Lowering;
use super::kind::{self, Field, Kind};
use super::literal;
use super::operators::join_with_commas;
use crate::facts::ir::{
    Call, CaptureDefault, Expr, ExprKind, Init, Initialiser, Lambda, Name, Stmt, StmtKind, Type,
};

impl<'tree> Lowering<'tree> {
    /// Any expression; what is not understood is [`ExprKind::Opaque`].
    pub(super) fn expression(&mut self, node: Node<'tree>) -> Expr {
        let mut node = node;
        while kind::kind(node) == Kind::ParenthesizedExpression && !is_open(node) {
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

    pub(super) fn expression_in(&mut self, node: Node<'tree>, field: Field) -> Option<Expr> {
        kind::field(node, field).map(|child| self.expression(child))
    }

    /// A number; where its spelling gives it a type, it is one that is cast to that type.
    fn number(&self, node: Node<'tree>) -> ExprKind {
        let text = self.string(node);
        let Some(kind) = literal::number(&text) else {
            return ExprKind::Opaque(Vec::new());
        };
        match literal::type_of_number(&text) {
            Some(ty) => ExprKind::Cast {
                ty: Type::plain(ty),
                operand: Box::new(Expr {
                    span: self.span(node),
                    kind,
                }),
            },
            None => kind,
        }
    }

    fn expression_kind(&mut self, node: Node<'tree>) -> ExprKind {
        if let Some(loose) = self.loose(node) {
            return loose.joined().kind;
        }
        match kind::kind(node) {
            Kind::NumberLiteral => self.number(node),
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
            Kind::ParenthesizedExpression => match self.children(node).as_slice() {
                [block] if !is_open(node) => self.statement_expression(block.node),
                _ => self.opaque(node),
            },
            // `MACRO({ … })`.
            Kind::CompoundStatement => self.statement_expression(node),
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
    pub(super) fn opaque(&mut self, node: Node<'tree>) -> ExprKind {
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
            Some(b"." | b"->") => {
                let (arrow, name) = (operator == Some(b"->"), self.name(field));
                ExprKind::Member {
                    field: name.last().to_owned(),
                    object: Box::new(as_part(object, name, arrow)),
                    arrow,
                }
            }
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

    fn compound_literal(&mut self, node: Node<'tree>) -> ExprKind {
        let ty = match kind::field(node, Field::Type) {
            Some(ty) if kind::kind(ty) == Kind::TypeDescriptor => self.described_type(ty),
            Some(ty) => self.plain_type(ty),
            None => Type::plain("auto"),
        };
        let Some(list) = kind::field(node, Field::Value) else {
            return ExprKind::Construct {
                ty,
                init: Box::new(Init::Braces(Vec::new())),
            };
        };
        let initialisers = self.initialisers(list);
        // The grammar knows no braces alone where an expression stands: `= {}` of a parameter.
        if kind::field(node, Field::Type).is_some_and(|it| it.is_missing()) {
            return ExprKind::InitList(initialisers);
        }
        ExprKind::Construct {
            ty,
            init: Box::new(Init::Braces(initialisers)),
        }
    }

    /// The elements of `{…}`.
    pub(super) fn initialisers(&mut self, list: Node<'tree>) -> Vec<Initialiser> {
        let children = self.children(list);
        let mut result = Vec::with_capacity(children.len());
        for child in children {
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
        let init = kind::field(node, Field::Arguments).map(|list| {
            Box::new(match kind::kind(list) {
                Kind::InitializerList => Init::Braces(self.initialisers(list)),
                _ => Init::Parens(self.expressions(list)),
            })
        });
        let declarator = kind::field(node, Field::Declarator);
        if let Some(declarator) = declarator {
            ty.pointers = ty
                .pointers
                .saturating_add(self.blanked_pointers(node, declarator));
        }
        let array = declarator.and_then(|declarator| self.expression_in(declarator, Field::Length));
        let placement = kind::field(node, Field::Placement).map(|list| self.expressions(list));
        ExprKind::New {
            ty,
            init,
            array: array.map(Box::new),
            placement: placement.unwrap_or_default(),
        }
    }

    /// The `*`s of `new T*[n]`, which the grammar does not know and the mask blanks.
    fn blanked_pointers(&self, node: Node<'tree>, declarator: Node<'tree>) -> u8 {
        let Some(ty) = kind::field(node, Field::Type) else {
            return 0;
        };
        let gap = self.offset(ty.end_byte()) as usize..self.offset(declarator.start_byte()) as usize;
        let gap = self.original.get(gap).unwrap_or_default();
        u8::try_from(gap.iter().filter(|&&byte| byte == b'*').count()).unwrap_or(u8::MAX)
    }

    fn size_operand(&mut self, node: Node<'tree>) -> String {
        let operand = kind::field(node, Field::Type).or_else(|| kind::field(node, Field::Value));
        self.operand_text(operand.unwrap_or(node))
    }

    /// The words of what `sizeof` is asked of, without parentheses.
    pub(super) fn operand_text(&mut self, operand: Node<'tree>) -> String {
        let text = self.normalised(operand);
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
    fn statement_expression(&mut self, block: Node<'tree>) -> ExprKind {
        let mut body = self.block(block);
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
            mutable: false,
        };
        let callee = Expr {
            span: self.span(block),
            kind: ExprKind::Lambda(Box::new(lambda)),
        };
        ExprKind::Call(Box::new(Call {
            callee,
            args: Vec::new(),
            method_args: Vec::new(),
            owner: None,
        }))
    }
}

/// The part of an object that a member named with its class belongs to: `object.Base::member`.
fn as_part(object: Expr, member: Name, arrow: bool) -> Expr {
    let mut path = member.path;
    path.pop();
    if path.is_empty() {
        return object;
    }
    let class = Name {
        path,
        template_args: member.owner_args,
        owner_args: Vec::new(),
    };
    let ty = Type {
        pointers: u8::from(arrow),
        reference: !arrow,
        ..Type::named(class)
    };
    Expr {
        span: object.span,
        kind: ExprKind::Cast {
            ty,
            operand: Box::new(object),
        },
    }
}

/// Whether the parenthesis that ends an expression is somewhere else: it is more than what was read.
fn is_open(node: Node<'_>) -> bool {
    let last = node.child_count().checked_sub(1);
    let last = last.and_then(|it| node.child(it));
    last.is_some_and(|it| it.is_missing())
}
