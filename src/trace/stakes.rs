//! What statements can do that decides something: events, and stores that may end a wait. A plain store is no event, yet
//! whether it happens decides whether a kernel ends.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::{Base, Location, budget};
use crate::facts::ir::{Expr, ExprKind, Stmt, Target, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::program::{FileId, FunctionId, Scope};
use crate::syntax::{FastMap, Span};

/// What the text of statements can do, by where they stand: asked again on every path.
#[derive(Default)]
pub(super) struct Interests {
    eventful: FastMap<(FileId, Span), bool>,
    /// Names that are called in them.
    called: FastMap<(FileId, Span), Arc<[String]>>,
    /// Functions of long text by whether what they do is long, too.
    long: FastMap<FunctionId, bool>,
}

/// The text of all expressions.
fn bytes_of_expressions(body: &[Stmt]) -> u32 {
    let (mut bytes, mut outer) = (0, 0);
    visit::statements(body, &mut |node| {
        if let Node::Expr(expression) = node
            && expression.span.start >= outer
        {
            bytes += expression.span.end.saturating_sub(expression.span.start);
            outer = expression.span.end;
        }
    });
    bytes
}

/// Cells looked at behind one object.
const CELLS: usize = 64;

impl Machine<'_> {
    /// Whether statements can make events.
    pub(super) fn may_make_events(&mut self, body: &[Stmt]) -> bool {
        self.is_eventful(body) || self.calls_local(body) || self.may_release(body)
    }

    /// Whether the text of statements can make events.
    pub(super) fn is_eventful(&mut self, body: &[Stmt]) -> bool {
        let Some(place) = self.text_of_statements(body) else {
            return false;
        };
        if let Some(known) = self.interests.eventful.get(&place) {
            return *known;
        }
        let known = self
            .program
            .body_is_eventful(self.scope(), self.frame().function, body);
        self.interests.eventful.insert(place, known);
        known
    }

    /// Whether a function does much: remarks, and what other configurations do, are none of it.
    pub(super) fn is_long(&mut self, function: FunctionId) -> bool {
        let definition = self.program.function(function);
        let text = definition.span.end.saturating_sub(definition.span.start);
        if text <= budget::QUIET_BYTES {
            return false;
        }
        let known = self.interests.long.entry(function);
        *known.or_insert_with(|| bytes_of_expressions(&definition.body) > budget::QUIET_BYTES_OF_CODE)
    }

    /// Where statements stand, if there are any.
    fn text_of_statements(&self, body: &[Stmt]) -> Option<(FileId, Span)> {
        let (first, last) = (body.first()?, body.last()?);
        let span = Span {
            start: first.span.start,
            end: last.span.end,
        };
        Some((self.frame().file, span))
    }

    /// A call of a local variable: a lambda or function pointer that may hold events.
    fn calls_local(&mut self, body: &[Stmt]) -> bool {
        let Some(place) = self.text_of_statements(body) else {
            return false;
        };
        let called = match self.interests.called.get(&place) {
            Some(known) => Arc::clone(known),
            None => {
                let found = plainly_called(body);
                self.interests.called.insert(place, Arc::clone(&found));
                found
            }
        };
        let mut places = called.iter().filter_map(|it| self.lookup(it));
        places.any(|it| self.may_call_events(&it))
    }

    /// Whether calling what a variable holds can make events; what is not known is not executed.
    fn may_call_events(&self, place: &Location) -> bool {
        match self.memory.get(place) {
            Some(Value::Unknown(_) | Value::Int(_)) => false,
            Some(Value::Function(function, _)) => self.program.is_eventful(*function),
            Some(Value::Closure(index)) => self.closure_may_make_events(*index),
            Some(_) => true,
            None => self.memory.classes.get(place).is_some_and(|class| {
                let operator = self.program.resolve_method(*class, "operator()", 1);
                operator.is_some_and(|it| self.program.is_eventful(it))
            }),
        }
    }

    /// Whether a call of a lambda can make events: its text does, or what it captured and calls by name.
    fn closure_may_make_events(&self, index: u32) -> bool {
        let closure = &self.closures[index as usize];
        let scope = Scope {
            file: closure.file,
            path: closure.path,
        };
        let body = &closure.lambda.body;
        // Those that capture each other are no values: a lambda is made after what it captures, but for what is captured
        // by reference.
        let calls = |name: &String| {
            let place = closure.captured.get(name)?;
            Some(match self.memory.get(place) {
                Some(Value::Closure(inner)) => *inner >= index || self.closure_may_make_events(*inner),
                _ => self.may_call_events(place),
            })
        };
        let is_bound = closure
            .bound
            .iter()
            .any(|it| !matches!(it, Value::Unknown(_) | Value::Int(_)));
        is_bound
            || !self.waited.is_empty()
            || self.program.body_is_eventful(scope, closure.function, body)
            || plainly_called(body).iter().any(|it| calls(it) == Some(true))
    }

    /// Whether statements store to memory that work of this path waits on, themselves or in what they hand it to.
    pub(super) fn may_release(&self, body: &[Stmt]) -> bool {
        if self.waited.is_empty() {
            return false;
        }
        let mut found = false;
        visit::statements(body, &mut |node| {
            let Node::Expr(expression) = node else { return };
            if !found {
                found = match &expression.kind {
                    ExprKind::Call(call) => {
                        self.stores(&call.callee) && call.args.iter().any(|it| self.leads_to_waited(it))
                    }
                    _ => stored(expression).is_some_and(|it| self.is_waited(it)),
                };
            }
        });
        found
    }

    /// Objects a function gets at through its arguments; `None` when that may be anything.
    pub(super) fn reachable(&self, args: &[Argument]) -> Option<BTreeSet<Base>> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&Value> = args.iter().map(|it| &it.value).collect();
        while let Some(value) = open.pop() {
            let place = match value {
                Value::Pointer(place) | Value::Aggregate(place) => place,
                Value::Closure(index) => {
                    let closure = &self.closures[*index as usize];
                    let places = closure.captured.values().chain(&closure.this);
                    for place in places.filter(|it| found.insert(it.base)) {
                        open.extend(self.held_in(place.base));
                    }
                    open.extend(&closure.bound);
                    continue;
                }
                Value::Function(function, _) if self.program.function(*function).target != Target::Kernel => {
                    return None;
                }
                Value::Graph(_) | Value::Bound(_) => return None,
                _ => continue,
            };
            if found.len() > CELLS {
                return None;
            }
            if found.insert(place.base) {
                open.extend(self.held_in(place.base));
            }
        }
        Some(found)
    }

    /// What is stored in an object.
    fn held_in(&self, base: Base) -> impl Iterator<Item = &Value> {
        let object = Location::object(base);
        let cells = self.memory.cells_of(object);
        cells.map(|(_, value)| value)
    }

    /// Whether a call's target is a function of the project that stores through what it is handed.
    fn stores(&self, callee: &Expr) -> bool {
        let ExprKind::Name(name) = &callee.kind else {
            return false;
        };
        let Some(function) = self.program.resolve_function(self.scope(), name, None) else {
            return false;
        };
        let mut found = false;
        visit::statements(&self.program.function(function).body, &mut |node| {
            if let Node::Expr(expression) = node {
                let indirect = |it: &Expr| !matches!(it.kind, ExprKind::Name(_));
                found |= stored(expression).is_some_and(indirect);
            }
        });
        found
    }

    fn is_waited(&self, target: &Expr) -> bool {
        self.known_place(target)
            .is_some_and(|it| self.waited.contains(&it.base))
    }

    fn leads_to_waited(&self, argument: &Expr) -> bool {
        let argument = match &argument.kind {
            ExprKind::Unary {
                op: UnaryOp::AddressOf,
                operand,
            } => operand,
            _ => argument,
        };
        let Some(place) = self.known_place(argument) else {
            return false;
        };
        let target = match self.memory.get(&place) {
            Some(Value::Pointer(target)) => target.clone(),
            _ => place,
        };
        let waited = |it: &Location| self.waited.contains(&it.base);
        waited(&target)
            || self
                .memory
                .under(&target)
                .take(CELLS)
                .any(|(_, value)| matches!(value, Value::Pointer(it) if waited(it)))
    }

    /// The place an expression means, found without evaluating anything.
    fn known_place(&self, expression: &Expr) -> Option<Location> {
        match &expression.kind {
            ExprKind::Name(name) => {
                let global = || self.program.resolve_global(self.scope(), name);
                let member = || self.frame().this.as_ref().map(|this| this.field(name.last()));
                let named = name.is_plain().then(|| self.lookup(name.last())).flatten();
                named
                    .or_else(|| global().map(|id| Location::object(Base::Global(id))))
                    .or_else(member)
            }
            ExprKind::This => self.frame().this.clone(),
            ExprKind::Member { object, field, .. } => Some(self.behind(object)?.field(field)),
            ExprKind::Index { object, .. } => self.behind(object),
            ExprKind::Unary {
                op: UnaryOp::Deref,
                operand,
            } => self.behind(operand),
            ExprKind::Cast { operand, .. } => self.known_place(operand),
            _ => None,
        }
    }

    /// The object a pointer points to, or the object itself.
    fn behind(&self, expression: &Expr) -> Option<Location> {
        let place = self.known_place(expression)?;
        match self.memory.get(&place) {
            Some(Value::Pointer(target)) => Some(target.clone()),
            _ => Some(place),
        }
    }
}

/// Names without a scope that statements call.
fn plainly_called(body: &[Stmt]) -> Arc<[String]> {
    let mut found = BTreeSet::new();
    visit::statements(body, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Call(call),
            ..
        }) = node
            && let ExprKind::Name(name) = &call.callee.kind
            && name.is_plain()
        {
            found.insert(name.last());
        }
    });
    found.into_iter().map(str::to_owned).collect()
}

/// What an expression stores to.
fn stored(expression: &Expr) -> Option<&Expr> {
    match &expression.kind {
        ExprKind::Assign { target, .. } => Some(target),
        ExprKind::Unary {
            op:
                UnaryOp::PreIncrement | UnaryOp::PostIncrement | UnaryOp::PreDecrement | UnaryOp::PostDecrement,
            operand,
        } => Some(operand),
        _ => None,
    }
}
