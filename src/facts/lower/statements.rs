//! Statements.

use tree_sitter::Node;

use super::declarations::entries;
use super::items::Head;
use super::kind::{self, Field, Kind};
use super::macros::loop_head;
use super::{Child, Lowering};
use crate::facts::ir::{Case, Expr, ExprKind, Handler, LoopKind, Span, Stmt, StmtKind, Variable};

/// OpenMP directives that stand alone.
const STANDALONE_DIRECTIVES: &[&str] = &[
    "barrier",
    "cancel",
    "cancellation",
    "declare",
    "end",
    "flush",
    "interop",
    "requires",
    "taskwait",
    "taskyield",
    "threadprivate",
];

impl<'tree> Lowering<'tree> {
    /// The statements of a block, a class of braces or any other list of statements.
    pub(super) fn block(&mut self, node: Node<'tree>) -> Vec<Stmt> {
        let children = self.children(node);
        let mut out = Vec::with_capacity(children.len());
        self.statement_list(node.start_byte(), &children, &mut out);
        out
    }

    /// The body of a loop or a branch: braces around it leave no trace.
    fn body(&mut self, node: Node<'tree>, from: usize) -> Vec<Stmt> {
        if kind::kind(node) == Kind::CompoundStatement {
            return self.nested(|this| this.block(node)).unwrap_or_default();
        }
        let mut out = Vec::with_capacity(1);
        let child = Child {
            node,
            kind: kind::kind(node),
            field: Field::None,
        };
        self.statement_list(from, &[child], &mut out);
        out
    }

    /// The loop whose head is a macro, and for which an `if` stands.
    fn loop_by_macro(&mut self, node: Node<'tree>) -> Option<StmtKind> {
        let start = node.start_byte() as u32;
        let heads = &self.prepared.heads;
        let index = heads.binary_search_by_key(&start, |it| it.span.start).ok()?;
        let head = &heads[index];
        let place = self.span(node);
        let StmtKind::Loop {
            kind,
            init,
            condition,
            step,
            ..
        } = loop_head(self.original, &head.text, place)?
        else {
            return None;
        };
        Some(StmtKind::Loop {
            kind,
            init,
            condition,
            step,
            body: self.body_in(node, Field::Consequence),
        })
    }

    fn body_in(&mut self, node: Node<'tree>, field: Field) -> Vec<Stmt> {
        kind::field(node, field)
            .map(|body| self.body(body, node.start_byte()))
            .unwrap_or_default()
    }

    /// Statements one after another; a directive between two of them wraps the second.
    fn statement_list(&mut self, from: usize, children: &[Child<'tree>], out: &mut Vec<Stmt>) {
        let mut previous = from;
        for child in children {
            let first = out.len();
            self.statement(*child, previous, out);
            if !self.directives.is_empty() {
                self.wrap_in_directives(previous, child.node.start_byte(), first, out);
            }
            previous = child.node.end_byte();
        }
    }

    /// Wraps the statements from `first` on in the OpenMP directives between two offsets.
    fn wrap_in_directives(&mut self, from: usize, to: usize, first: usize, out: &mut Vec<Stmt>) {
        let begin = self
            .directives
            .partition_point(|(span, _)| (span.start as usize) < from);
        let end = self
            .directives
            .partition_point(|(span, _)| (span.start as usize) < to);
        let mut standalone = Vec::new();
        for (span, directive) in self.directives.get(begin..end).unwrap_or_default().iter().rev() {
            let span = Span {
                start: self.offset(span.start as usize),
                end: self.offset(span.end as usize),
            };
            let word = directive
                .split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default();
            if STANDALONE_DIRECTIVES.contains(&word) {
                let kind = StmtKind::OpenMp {
                    directive: directive.clone(),
                    body: Vec::new(),
                };
                standalone.push(Stmt { span, kind });
                continue;
            }
            let body: Vec<Stmt> = out.drain(first..).collect();
            let end = body.last().map_or(span.end, |last| last.span.end);
            let span = Span {
                start: span.start,
                end,
            };
            out.push(Stmt {
                span,
                kind: StmtKind::OpenMp {
                    directive: directive.clone(),
                    body,
                },
            });
        }
        for statement in standalone {
            out.insert(first, statement);
        }
    }

    fn statement(&mut self, child: Child<'tree>, from: usize, out: &mut Vec<Stmt>) {
        self.nested(|this| this.statement_at_depth(child, from, out));
    }

    fn statement_at_depth(&mut self, child: Child<'tree>, from: usize, out: &mut Vec<Stmt>) {
        let node = child.node;
        let kind = match child.kind {
            Kind::ExpressionStatement => return self.expression_statement(node, out),
            Kind::Declaration => return self.local_declaration(node, from, out),
            Kind::CompoundStatement => StmtKind::Block(self.block(node)),
            Kind::IfStatement => match self.loop_by_macro(node) {
                Some(it) => it,
                None => self.branch(node),
            },
            Kind::WhileStatement => self.while_loop(node),
            Kind::DoStatement => StmtKind::Loop {
                kind: LoopKind::DoWhile,
                init: Vec::new(),
                condition: kind::field(node, Field::Condition).map(|condition| self.expression(condition)),
                step: None,
                body: self.body_in(node, Field::Body),
            },
            Kind::ForStatement => self.for_loop(node),
            Kind::ForRangeLoop => return self.range_loop(node, out),
            Kind::SwitchStatement => return self.switch(node, out),
            Kind::ReturnStatement | Kind::CoReturnStatement => {
                StmtKind::Return(self.expressions(node).into_iter().next())
            }
            Kind::BreakStatement => StmtKind::Break,
            Kind::ContinueStatement => StmtKind::Continue,
            Kind::GotoStatement => StmtKind::Goto(self.label(node)),
            Kind::TryStatement => self.try_statement(node),
            Kind::LabeledStatement => {
                let label = StmtKind::Label(self.label(node));
                out.push(Stmt {
                    span: self.span(node),
                    kind: label,
                });
                let rest = self.children(node);
                let rest: Vec<_> = rest
                    .into_iter()
                    .filter(|child| child.field != Field::Label)
                    .collect();
                return self.statement_list(from, &rest, out);
            }
            Kind::CaseStatement => {
                self.inner_labels += 1;
                return self.loose_statements(node, out);
            }
            Kind::AttributedStatement
            | Kind::PreprocIf
            | Kind::PreprocIfdef
            | Kind::PreprocElse
            | Kind::PreprocElif
            | Kind::PreprocElifdef
            | Kind::Error => return self.loose_statements(node, out),
            Kind::FunctionDefinition
            | Kind::NamespaceDefinition
            | Kind::LinkageSpecification
            | Kind::TemplateDeclaration
            | Kind::TemplateInstantiation
            | Kind::UsingDeclaration
            | Kind::AliasDeclaration
            | Kind::TypeDefinition
            | Kind::ClassSpecifier
            | Kind::StructSpecifier
            | Kind::UnionSpecifier
            | Kind::EnumSpecifier => return self.item(child, &Head::at(from)),
            _ if is_not_executed(child.kind) => return,
            _ => StmtKind::Expr(self.expression(node)),
        };
        out.push(Stmt {
            span: self.span(node),
            kind,
        });
    }

    fn expression_statement(&mut self, node: Node<'tree>, out: &mut Vec<Stmt>) {
        for child in self.children(node) {
            let expression = self.expression(child.node);
            out.push(Stmt {
                span: self.span(node),
                kind: as_branch(expression),
            });
        }
    }

    /// Whatever a node that is not understood holds: its statements as they are, its expressions opaque.
    fn loose_statements(&mut self, node: Node<'tree>, out: &mut Vec<Stmt>) {
        let is_error = kind::kind(node) == Kind::Error;
        let mut statements = Vec::new();
        for child in self.children(node) {
            let is_expression =
                is_error && (is_bare_expression(child.kind) || child.kind == Kind::FunctionDeclarator);
            if !is_expression {
                if child.field != Field::Value
                    && child.field != Field::Condition
                    && child.field != Field::Name
                {
                    statements.push(child);
                }
                continue;
            }
            self.statement_list(node.start_byte(), &std::mem::take(&mut statements), out);
            let expression = self.expression(child.node);
            let span = expression.span;
            let kind = match &expression.kind {
                ExprKind::Call(_) | ExprKind::Launch(_) => StmtKind::Expr(expression),
                _ => StmtKind::Expr(Expr {
                    span,
                    kind: ExprKind::Opaque(vec![expression]),
                }),
            };
            out.push(Stmt { span, kind });
        }
        self.statement_list(node.start_byte(), &statements, out);
    }

    fn branch(&mut self, node: Node<'tree>) -> StmtKind {
        let constexpr = self
            .children_and_tokens(node)
            .iter()
            .any(|child| self.bytes(child.node) == b"constexpr");
        let (init, condition) = self.condition(node);
        let otherwise = match kind::field(node, Field::Alternative) {
            Some(alternative) => {
                let inner = self.children(alternative).into_iter().next();
                inner
                    .map(|inner| self.body(inner.node, alternative.start_byte()))
                    .unwrap_or_default()
            }
            None => Vec::new(),
        };
        StmtKind::If {
            init,
            condition,
            then: self.body_in(node, Field::Consequence),
            otherwise,
            constexpr,
        }
    }

    /// The init statements and the condition of `if` and `switch`.
    fn condition(&mut self, node: Node<'tree>) -> (Vec<Stmt>, Expr) {
        let mut init = Vec::new();
        let clause = kind::field(node, Field::Condition);
        let absent = Expr {
            span: self.span(node),
            kind: ExprKind::Opaque(Vec::new()),
        };
        let Some(clause) = clause else {
            return (init, absent);
        };
        if let Some(initializer) = kind::field(clause, Field::Initializer) {
            let children = self.children(initializer);
            self.statement_list(initializer.start_byte(), &children, &mut init);
        }
        let Some(value) = kind::field(clause, Field::Value) else {
            return (init, absent);
        };
        if kind::kind(value) != Kind::Declaration {
            return (init, self.expression(value));
        }
        let first = init.len();
        self.local_declaration(value, value.start_byte(), &mut init);
        let declared = init.get(first).and_then(declared_name);
        (init, declared.unwrap_or(absent))
    }

    fn while_loop(&mut self, node: Node<'tree>) -> StmtKind {
        let (mut init, mut condition) = self.condition(node);
        // `while (T x = f())` evaluates the initialiser every time: declare once, assign in the condition.
        if let Some(Stmt {
            kind: StmtKind::Declare(variables),
            ..
        }) = init.last_mut()
            && let Some(crate::facts::ir::Init::Value(value)) =
                variables.first_mut().and_then(|variable| variable.init.take())
        {
            let span = condition.span;
            let kind = ExprKind::Assign {
                op: None,
                target: Box::new(condition),
                value: Box::new(value),
            };
            condition = Expr { span, kind };
        }
        StmtKind::Loop {
            kind: LoopKind::While,
            init,
            condition: Some(condition),
            step: None,
            body: self.body_in(node, Field::Body),
        }
    }

    fn for_loop(&mut self, node: Node<'tree>) -> StmtKind {
        let mut init = Vec::new();
        if let Some(initializer) = kind::field(node, Field::Initializer) {
            let child = Child {
                node: initializer,
                kind: kind::kind(initializer),
                field: Field::None,
            };
            self.statement(child, initializer.start_byte(), &mut init);
        }
        StmtKind::Loop {
            kind: LoopKind::For,
            init,
            condition: kind::field(node, Field::Condition).map(|condition| self.expression(condition)),
            step: kind::field(node, Field::Update).map(|step| self.expression(step)),
            body: self.body_in(node, Field::Body),
        }
    }

    fn range_loop(&mut self, node: Node<'tree>, out: &mut Vec<Stmt>) {
        let children = self.children(node);
        let specifiers = self.specifiers(&children);
        let declarator = entries(&children)
            .first()
            .map(|entry| self.declarator(entry.declarator));
        let range = kind::field(node, Field::Right).map(|range| self.expression(range));
        let body = self.body_in(node, Field::Body);
        let span = self.span(node);
        let (Some(declarator), Some(range)) = (declarator, range) else {
            out.push(Stmt {
                span,
                kind: StmtKind::Block(body),
            });
            return;
        };
        let variable = Box::new(self.variable(&specifiers, &declarator, None, super::Qualifiers::default()));
        let loop_ = Stmt {
            span,
            kind: StmtKind::RangeFor {
                variable,
                range,
                body,
            },
        };
        let Some(initializer) = kind::field(node, Field::Initializer) else {
            out.push(loop_);
            return;
        };
        let mut statements = self.block(initializer);
        statements.push(loop_);
        out.push(Stmt {
            span,
            kind: StmtKind::Block(statements),
        });
    }

    fn switch(&mut self, node: Node<'tree>, out: &mut Vec<Stmt>) {
        let (mut init, value) = self.condition(node);
        let outer = std::mem::take(&mut self.inner_labels);
        let mut cases = match kind::field(node, Field::Body) {
            Some(body) => self.cases(body),
            None => Vec::new(),
        };
        let span = self.span(node);
        // A label in the middle of a section: nobody says here for which values control gets into that.
        if std::mem::replace(&mut self.inner_labels, outer) > 0
            && let Some(case) = cases.first_mut()
        {
            case.labels.push(Some(Expr {
                span,
                kind: ExprKind::Opaque(Vec::new()),
            }));
        }
        let switch = Stmt {
            span,
            kind: StmtKind::Switch { value, cases },
        };
        if init.is_empty() {
            out.push(switch);
        } else {
            init.push(switch);
            out.push(Stmt {
                span,
                kind: StmtKind::Block(init),
            });
        }
    }

    fn cases(&mut self, body: Node<'tree>) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        if kind::kind(body) == Kind::CaseStatement {
            self.case(body, &mut cases);
            return cases;
        }
        let (mut previous, mut hidden) = (body.start_byte(), false);
        for child in self.children(body) {
            if child.kind == Kind::CaseStatement {
                self.case(child.node, &mut cases);
            } else if let Some(mut case) = cases.pop() {
                self.statement_list(previous, &[child], &mut case.body);
                cases.push(case);
            } else {
                // Before the first label nothing is reachable: what stands there all the same is a macro with labels in it.
                let is_statement = |it: Kind| matches!(it, Kind::ExpressionStatement | Kind::Error);
                hidden |= is_statement(child.kind) && self.string(child.node).contains('(');
            }
            previous = child.node.end_byte();
        }
        if hidden && let Some(case) = cases.first_mut() {
            case.labels.push(Some(Expr {
                span: self.span(body),
                kind: ExprKind::Opaque(Vec::new()),
            }));
        }
        cases
    }

    fn case(&mut self, node: Node<'tree>, cases: &mut Vec<Case>) {
        let children = self.children(node);
        let label = children.iter().find(|child| child.field == Field::Value);
        let label = label.map(|value| self.expression(value.node));
        let statements: Vec<_> = children
            .into_iter()
            .filter(|child| child.field != Field::Value)
            .collect();
        match cases.last_mut() {
            Some(previous) if previous.body.is_empty() => previous.labels.push(label),
            _ => cases.push(Case {
                labels: vec![label],
                body: Vec::new(),
            }),
        }
        let mut body = Vec::new();
        self.statement_list(node.start_byte(), &statements, &mut body);
        if let Some(case) = cases.last_mut() {
            case.body = body;
        }
    }

    /// `try { … } catch (…) { … }`, also around a whole function.
    pub(super) fn try_statement(&mut self, node: Node<'tree>) -> StmtKind {
        let body = kind::field(node, Field::Body)
            .map(|body| self.block(body))
            .unwrap_or_default();
        let mut handlers = Vec::new();
        for child in self.children(node) {
            if child.kind == Kind::CatchClause
                && let Some(handler) = kind::field(child.node, Field::Body)
            {
                let parameters = kind::field(child.node, Field::Parameters)
                    .map(|list| self.parameters(list))
                    .unwrap_or_default();
                handlers.push(Handler {
                    parameter: parameters
                        .into_iter()
                        .find(|it| it.name != "..." && !it.ty.name.last().is_empty()),
                    body: self.block(handler),
                });
            }
        }
        StmtKind::Try { body, handlers }
    }

    fn label(&self, node: Node<'tree>) -> String {
        kind::field(node, Field::Label)
            .map(|label| self.string(label))
            .unwrap_or_default()
    }
}

fn declared_name(statement: &Stmt) -> Option<Expr> {
    let StmtKind::Declare(variables) = &statement.kind else {
        return None;
    };
    let Variable { name, span, .. } = variables.first()?;
    Some(Expr {
        span: *span,
        kind: ExprKind::Name(crate::facts::ir::Name::plain(name)),
    })
}

/// Nodes among statements that do nothing at run time.
fn is_not_executed(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::StaticAssertDeclaration
            | Kind::NamespaceAliasDefinition
            | Kind::PreprocCall
            | Kind::PreprocDef
            | Kind::PreprocFunctionDef
            | Kind::PreprocInclude
            | Kind::AttributeDeclaration
            | Kind::AttributeSpecifier
            | Kind::ParameterList
            | Kind::TypeQualifier
            | Kind::StorageClassSpecifier
            | Kind::PrimitiveType
            | Kind::TypeIdentifier
            | Kind::SizedTypeSpecifier
            | Kind::Unknown
            | Kind::Token
    )
}

/// `ok ? (void)0 : throw e;` is a branch.
fn as_branch(expression: Expr) -> StmtKind {
    let is_throw = |it: &Expr| matches!(it.kind, ExprKind::Throw(_));
    match expression.kind {
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } if is_throw(&then) || is_throw(&otherwise) => {
            let side = |it: Box<Expr>| {
                vec![Stmt {
                    span: it.span,
                    kind: StmtKind::Expr(*it),
                }]
            };
            StmtKind::If {
                init: Vec::new(),
                condition: *condition,
                then: side(then),
                otherwise: side(otherwise),
                constexpr: false,
            }
        }
        kind => StmtKind::Expr(Expr { kind, ..expression }),
    }
}

/// Expressions that can stand in an ERROR node without a statement around them.
fn is_bare_expression(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::CallExpression
            | Kind::AssignmentExpression
            | Kind::BinaryExpression
            | Kind::UnaryExpression
            | Kind::PointerExpression
            | Kind::UpdateExpression
            | Kind::FieldExpression
            | Kind::SubscriptExpression
            | Kind::ConditionalExpression
            | Kind::CastExpression
            | Kind::ParenthesizedExpression
            | Kind::ArgumentList
            | Kind::InitializerList
            | Kind::CommaExpression
            | Kind::LambdaExpression
            | Kind::NewExpression
            | Kind::DeleteExpression
            | Kind::Identifier
            | Kind::QualifiedIdentifier
            | Kind::TemplateFunction
    )
}
