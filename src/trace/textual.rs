//! Parameters of macros that stand for text: evaluated where the macro puts them, not where it is used.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::calls::Argument;
use super::machine::{Frame, Machine, Names, Text, Textual};
use super::memory::Value;
use crate::facts::ir::{Expr, ExprKind, Function, Name, Role, Stmt, StmtKind, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::program::FunctionId;
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// The arguments of a macro: what it puts into a lambda, or where something has happened before, is kept as text.
    pub(super) fn macro_arguments(
        &mut self,
        function: FunctionId,
        args: &'p [Expr],
    ) -> (Vec<Argument>, Textual<'p>) {
        let definition = self.program.function(function);
        let deferred = names_in_lambdas(definition);
        let is_expression = expression_of(definition).is_some();
        let late = if args
            .iter()
            .any(|it| self.acts(it) || is_expression && changes(it))
        {
            let mut late = if is_expression {
                // It is evaluated where it is mentioned, as often as it is.
                definition
                    .params
                    .iter()
                    .filter(|it| !it.pack)
                    .map(|it| it.name.as_str())
                    .collect()
            } else {
                late_names(definition)
            };
            let mut statements = BTreeSet::new();
            whole_statements(&definition.body, &mut statements);
            let params = definition.params.iter().filter(|it| !it.pack);
            late.extend(
                params
                    .map(|it| it.name.as_str())
                    .filter(|it| statements.contains(it)),
            );
            late.extend(self.handed_on(definition));
            late
        } else {
            BTreeSet::new()
        };
        let file = self.frame().file;
        let mut textual: Textual<'p> = BTreeMap::new();
        let mut arguments = Vec::new();
        for argument in args {
            // A pack is as many arguments as it holds.
            if self.is_pack(argument) {
                arguments.extend(self.arguments(std::slice::from_ref(argument)));
                continue;
            }
            // The name of a macro is expanded where it is called.
            if let ExprKind::Name(name) = &argument.kind
                && name.is_plain()
                && self.lookup(name.last()).is_none()
                && let Some(named) = self.program.macro_called(self.scope(), name)
            {
                let value = Value::Function(named, std::sync::Arc::from(""));
                arguments.push(Argument::unplaced(value, self.words(argument.span)));
                continue;
            }
            let parameter = definition.params.get(arguments.len());
            let parameter = parameter.or_else(|| definition.params.last());
            let is_kept = |name: &str| {
                deferred.contains(name)
                    || late.contains(name)
                        && (self.acts(argument)
                            || is_expression && changes(argument)
                            || textual.contains_key(name))
            };
            if parameter.is_some_and(|it| !it.pack && !self.program.macro_uses(function, &it.name)) {
                arguments.push(Argument::unplaced(self.memory.fresh(), self.words(argument.span)));
                continue;
            }
            match parameter.filter(|it| is_kept(&it.name)) {
                Some(parameter) => {
                    let text = match &argument.kind {
                        ExprKind::Name(name) => self.text_of(name),
                        _ => None,
                    }
                    .unwrap_or_else(|| Text {
                        file,
                        written: vec![argument],
                        author: self.author(),
                    });
                    match textual.entry(parameter.name.clone()) {
                        Entry::Occupied(mut it) => it.get_mut().written.extend(text.written),
                        Entry::Vacant(it) => _ = it.insert(text),
                    }
                    arguments.push(Argument::unplaced(self.memory.fresh(), self.words(argument.span)));
                }
                None => {
                    let ty = self.type_of(argument);
                    arguments.extend(self.arguments(std::slice::from_ref(argument)));
                    if let Some(given) = arguments.last_mut() {
                        given.ty = ty;
                    }
                }
            }
        }
        (arguments, textual)
    }

    /// Whether what is put into a macro that is an expression falls apart there: `a + b` for `x` in `2 * x`.
    pub(super) fn falls_apart(
        &self,
        definition: &Function,
        file: crate::program::FileId,
        args: &[Expr],
    ) -> bool {
        const NEAR: u32 = 8;
        let Some(body) = expression_of(definition) else {
            return false;
        };
        let loose = |name: &str| {
            let pairs = definition.params.iter().zip(args);
            let mut given = pairs.filter(|(parameter, _)| parameter.name == name);
            given.any(|(_, argument)| {
                matches!(
                    argument.kind,
                    ExprKind::Binary { .. } | ExprKind::Conditional { .. } | ExprKind::Assign { .. }
                )
            })
        };
        let mut found = false;
        visit::expression(body, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Name(name),
                span,
            }) = node
                && name.is_plain()
                && *span != body.span
                && loose(name.last())
            {
                let text = |start: u32, end: u32| self.program.words(file, Span { start, end });
                let before = text(
                    span.start.saturating_sub(NEAR).max(definition.name_span.end),
                    span.start,
                );
                let behind = text(span.end, (span.end + NEAR).min(definition.span.end));
                let closed = before.ends_with(['(', ',', '['])
                    && (behind.is_empty() || behind.starts_with([')', ',', ']']));
                found |= !closed;
            }
        });
        found
    }

    /// Parameters that a macro's body hands on to another macro.
    fn handed_on(&self, definition: &'p Function) -> BTreeSet<&'p str> {
        let mut names = BTreeSet::new();
        visit::statements(&definition.body, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Call(call),
                ..
            }) = node
                && let ExprKind::Name(callee) = &call.callee.kind
                && call.args.iter().any(|it| matches!(it.kind, ExprKind::Name(_)))
                && self.names_macro(callee, call.args.len())
            {
                names.extend(call.args.iter().filter_map(|it| match &it.kind {
                    ExprKind::Name(name) if name.is_plain() => Some(name.last()),
                    _ => None,
                }));
            }
        });
        let pack = definition.params.last().filter(|it| it.pack);
        if let Some(pack) = pack {
            names.remove(pack.name.as_str());
        }
        names
    }

    fn names_macro(&self, name: &Name, arguments: usize) -> bool {
        let found = self.program.resolve_function(self.scope(), name, Some(arguments));
        found.is_some_and(|it| self.program.function(it).role == Role::Macro)
    }

    /// Whether an argument does something: where it stands matters.
    fn acts(&self, argument: &Expr) -> bool {
        let mut found = false;
        visit::expression(argument, &mut |node| {
            if let Node::Expr(it) = node {
                found |= match &it.kind {
                    ExprKind::Call(_) | ExprKind::Launch(_) => true,
                    ExprKind::Name(name) => self.text_of(name).is_some(),
                    _ => false,
                };
            }
        });
        found
    }

    /// The frames that can be seen into, innermost first, each with its index and whether its parameters are seen: those
    /// of a macro are by its own text alone, and not by what it was handed, nor by what it uses.
    pub(super) fn visible_frames(&self) -> impl Iterator<Item = (usize, &Frame<'p>, bool)> {
        let mut author = self.control.frames.len().saturating_sub(1);
        let mut is_open = true;
        let frames = self.control.frames.iter().enumerate().rev();
        frames.map_while(move |(at, frame)| {
            if !is_open {
                return None;
            }
            is_open = frame.transparent;
            let is_author = at == author;
            if let (true, Some(written_in)) = (is_author, frame.author) {
                author = written_in;
            }
            Some((at, frame, is_author || !frame.is_macro()))
        })
    }

    /// The blocks whose names can be seen, innermost first.
    pub(super) fn visible_blocks(&self) -> impl Iterator<Item = &Names<'p>> {
        self.visible_frames()
            .flat_map(|(_, frame, parameters)| frame.blocks(parameters))
    }

    /// What a name stands for when it is such a parameter.
    pub(super) fn text_of(&self, name: &Name) -> Option<Text<'p>> {
        if !name.is_plain() {
            return None;
        }
        // What a closure keeps may name parameters of one name.
        let is_open = |text: &&'p Expr| self.control.open_texts.iter().any(|it| std::ptr::eq(*it, *text));
        self.visible_frames().find_map(|(at, frame, parameters)| {
            let text = frame.textual.get(name.last())?;
            let is_meant = parameters && !text.written.iter().any(is_open);
            is_meant.then(|| Text {
                author: text.author.or(Some(at)),
                ..text.clone()
            })
        })
    }

    /// The frame in whose text stands what is executed.
    fn author(&self) -> Option<usize> {
        let innermost = self.control.frames.len().checked_sub(1)?;
        self.control.frames[innermost].author.or(Some(innermost))
    }

    /// Evaluates the text of a parameter in its place.
    pub(super) fn evaluate_text<T>(
        &mut self,
        text: Text<'p>,
        mut body: impl FnMut(&mut Self, &'p Expr) -> T,
    ) -> Option<T> {
        let path = self.frame().path;
        self.control.frames.push(Frame {
            file: text.file,
            path,
            function: None,
            this: None,
            class: None,
            scopes: vec![Names::default()],
            call_site: None,
            template: BTreeMap::new(),
            pack: None,
            textual: BTreeMap::new(),
            transparent: true,
            author: text.author,
            quiet: false,
            link: true,
            early: Vec::new(),
            early_before: super::joins::LeftBefore::default(),
            outlasting: self.control.outlasting.len(),
            guards: Vec::new(),
            asked: self.asked,
            handed: None,
            answered: self.answered,
            given: 0,
        });
        let mut result = None;
        for written in text.written {
            self.control.open_texts.push(written);
            result = Some(body(self, written));
            self.control.open_texts.pop();
        }
        self.control.frames.pop();
        result
    }

    /// The text a closure made here can still ask for.
    pub(super) fn visible_text(&self) -> Textual<'p> {
        let mut found = BTreeMap::new();
        for frame in self.control.frames.iter().rev() {
            for (name, text) in &frame.textual {
                found.entry(name.clone()).or_insert_with(|| Text {
                    author: None,
                    ..text.clone()
                });
            }
            if !frame.transparent {
                break;
            }
        }
        found
    }

    /// Calls what the text of a parameter names.
    pub(super) fn call_text(
        &mut self,
        text: Text<'p>,
        args: Vec<Argument>,
        span: crate::syntax::Span,
    ) -> Value {
        match self.evaluate_text(text, |machine, it| machine.evaluate(it)) {
            Some(callee) => self.invoke_value(&callee, args, span),
            None => self.memory.fresh(),
        }
    }
}

/// What a macro is that is an expression.
fn expression_of(definition: &Function) -> Option<&Expr> {
    match definition.body.as_slice() {
        [
            Stmt {
                kind: StmtKind::Expr(value),
                ..
            },
        ] => Some(value),
        _ => None,
    }
}

/// Whether an expression changes a variable.
fn changes(expression: &Expr) -> bool {
    let mut found = false;
    visit::expression(expression, &mut |node| {
        if let Node::Expr(it) = node {
            found |= match &it.kind {
                ExprKind::Assign { .. } => true,
                ExprKind::Unary { op, .. } => matches!(
                    op,
                    UnaryOp::PreIncrement
                        | UnaryOp::PreDecrement
                        | UnaryOp::PostIncrement
                        | UnaryOp::PostDecrement
                ),
                _ => false,
            };
        }
    });
    found
}

/// Parameters that a macro's body first mentions behind a call or launch: what they stand for happens only there.
/// A pack is text only where it is a statement of its own.
fn late_names(definition: &Function) -> BTreeSet<&str> {
    let mut called: Option<u32> = None;
    let mut first: BTreeMap<&str, bool> = BTreeMap::new();
    visit::statements(&definition.body, &mut |node| {
        let Node::Expr(expression) = node else {
            return;
        };
        match &expression.kind {
            ExprKind::Call(_) | ExprKind::Launch(_) => {
                let end = expression.span.end;
                called = Some(called.map_or(end, |it| it.min(end)));
            }
            ExprKind::Name(name) if name.is_plain() => {
                let behind = called.is_some_and(|end| end <= expression.span.start);
                first.entry(name.last()).or_insert(behind);
            }
            _ => {}
        }
    });
    let mut statements = BTreeSet::new();
    whole_statements(&definition.body, &mut statements);
    let params = definition.params.iter();
    let late = params.filter(|it| !it.pack || statements.contains(it.name.as_str()));
    late.map(|it| it.name.as_str())
        .filter(|it| first.get(it) == Some(&true))
        .collect()
}

/// Names that are statements of their own: `code;`.
fn whole_statements<'a>(body: &'a [Stmt], names: &mut BTreeSet<&'a str>) {
    for statement in body {
        match &statement.kind {
            StmtKind::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) if name.is_plain() => {
                names.insert(name.last());
            }
            StmtKind::Block(body) | StmtKind::Loop { body, .. } | StmtKind::Try { body, .. } => {
                whole_statements(body, names);
            }
            StmtKind::If { then, otherwise, .. } => {
                whole_statements(then, names);
                whole_statements(otherwise, names);
            }
            _ => {}
        }
    }
}

/// Names that lambdas in a macro's body mention.
fn names_in_lambdas(definition: &Function) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    visit::statements(&definition.body, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Lambda(lambda),
            ..
        }) = node
        {
            visit::statements(&lambda.body, &mut |inner| {
                if let Node::Expr(Expr {
                    kind: ExprKind::Name(name),
                    ..
                }) = inner
                    && name.is_plain()
                {
                    names.insert(name.last());
                }
            });
        }
    });
    names
}
