//! Results of CUDA calls: each is success, unless the program insists on an error. A call that is meant to fail has no effect.
//!
//! A path is executed as if every call succeeded. Where it then asserts that one of them has failed (compares its result with an
//! error and gives up unless it is that, or hands both to something unseen), it is executed again with that call failing.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::Argument;
use super::cuda::Invocation;
use super::machine::Machine;
use super::memory::Value;
use super::{Block, Site, StreamId};
use crate::api::{self, Operation, library};
use crate::facts::ir::{BinaryOp, Call, Expr, ExprKind, Stmt, StmtKind, UnaryOp};

/// A call on a path: where, and which of those there.
pub(super) type Made = (Site, u32);

/// What is known of results of calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    /// Results, with the conditions that hold if the call failed at all, and with an error that is named.
    results: BTreeMap<u32, (u32, u32)>,
    /// Such conditions: the call, whether it did fail, and whether the error is named.
    conditions: BTreeMap<u32, Condition>,
    /// Enumerators that are errors.
    errors: BTreeSet<u32>,
    /// Calls whose result was compared with one of them: indices into [`Expected::made`].
    named: BTreeSet<usize>,
}

/// That a call failed.
#[derive(Clone, Copy, Debug)]
struct Condition {
    /// Index into [`Expected::made`].
    call: usize,
    happened: bool,
    named: bool,
}

/// Which calls of a path are meant to fail.
#[derive(Debug, Default)]
pub(super) struct Expected {
    /// Those known before the path is executed, and whether it is certain.
    pub(super) failing: BTreeMap<Made, bool>,
    /// Those it asserts while it is. What an unseen function asserts of a result and an error may also be that they differ.
    pub(super) asserted: BTreeMap<Made, bool>,
    /// The call being made may as well succeed.
    pub(super) uncertain: bool,
    /// Calls made so far.
    made: Vec<Made>,
    /// How many of them at each place.
    count: BTreeMap<Site, u32>,
}

impl Results {
    /// The condition that the call with this result failed.
    pub(super) fn failed(&self, result: u32) -> Option<u32> {
        self.results.get(&result).map(|it| it.0)
    }

    /// Whether a condition that a call failed holds; `None` for any other unknown, and for an error that the program names
    /// without insisting on it: that one may come.
    pub(super) fn happened(&self, condition: u32) -> Option<bool> {
        let condition = self.conditions.get(&condition)?;
        (condition.happened || !condition.named).then_some(condition.happened)
    }

    /// A number instead of a result, or of a condition that a call failed. Which error it is is not known.
    pub(super) fn settled(&self, value: Value) -> Value {
        let Value::Unknown(id) = value else { return value };
        if let Some(happened) = self.happened(id) {
            return Value::Int(i64::from(happened));
        }
        match self.failed(id).and_then(|it| self.happened(it)) {
            Some(false) => Value::Int(0),
            _ => value,
        }
    }

    /// For the comparison of a result with success, or with an error, the condition that the call failed.
    pub(super) fn compared(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Option<u32> {
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return None;
        }
        let condition = self.condition_compared(left, right)?;
        if let Some(Condition {
            call, named: true, ..
        }) = self.conditions.get(&condition)
        {
            self.named.insert(*call);
        }
        Some(condition)
    }

    fn condition_compared(&self, left: &Value, right: &Value) -> Option<u32> {
        let of = |result: &Value, other: &Value| {
            let Value::Unknown(result) = result else {
                return None;
            };
            let (any, named) = *self.results.get(result)?;
            match other {
                Value::Int(0) => Some(any),
                Value::Int(_) => Some(named),
                other => self.is_error(other).then_some(named),
            }
        };
        of(left, right).or_else(|| of(right, left))
    }

    /// Whether the program asked if a call failed with an error that it names.
    pub(super) fn is_named(&self, call: usize) -> bool {
        self.named.contains(&call)
    }

    /// Whether one of the two is the number of success.
    pub(super) fn is_success(&self, left: &Value, right: &Value) -> bool {
        [left, right].contains(&&Value::Int(0))
    }

    fn is_error(&self, value: &Value) -> bool {
        matches!(value, Value::Unknown(id) if self.errors.contains(id))
    }
}

impl<'p> Machine<'p> {
    /// The value of an enumerator that is an error.
    pub(super) fn error_value(&mut self, name: &str) -> Value {
        let value = self.memory.named(name);
        if let Value::Unknown(id) = &value {
            self.memory.results.errors.insert(*id);
        }
        value
    }

    /// Whether the call about to be made is meant to fail, and what it returns; `None` where it returns no error.
    pub(super) fn result_of(&mut self, call: &Invocation<'_>) -> Option<(bool, Value)> {
        let answers = match call.entry.operation {
            Operation::ErrorQuery
            | Operation::HostTransfer
            | Operation::RequestStart
            | Operation::RequestWait => true,
            // A capture refuses the question.
            Operation::StreamQuery | Operation::EventQuery => {
                self.capture.open.is_empty() || self.control.polling > 0
            }
            _ => false,
        };
        // Of what stands in a namespace only these answer with an error of CUDA.
        let is_status = !call.entry.name.contains("::") || call.entry.operation == Operation::CubAlgorithm;
        if answers || !is_status {
            return None;
        }
        let site = self.site(call.span);
        let count = self.expected.count.entry(site.clone()).or_default();
        *count += 1;
        let made = (site, *count);
        let failing = self.expected.failing.get(&made).copied();
        let happened = failing.is_some();
        self.expected.uncertain = failing == Some(false);
        let index = self.expected.made.len();
        self.expected.made.push(made);
        let mut unknown = || match self.memory.fresh() {
            Value::Unknown(id) => id,
            _ => 0,
        };
        let (result, any, named) = (unknown(), unknown(), unknown());
        let results = &mut self.memory.results;
        results.results.insert(result, (any, named));
        for (id, named) in [(any, false), (named, true)] {
            let condition = Condition {
                call: index,
                happened,
                named,
            };
            results.conditions.insert(id, condition);
        }
        Some((happened, Value::Unknown(result)))
    }

    /// For a condition over the result of a call that succeeded: the call, whether the condition holds if it fails, and
    /// whether it names the error.
    fn condition_on_success(&self, value: &Value) -> Option<(usize, bool, bool)> {
        let Value::Unknown(id) = value else { return None };
        let (root, inverted) = self.root_of(*id);
        let condition = self.memory.results.conditions.get(&root)?;
        (!condition.happened).then_some((condition.call, !inverted, condition.named))
    }

    /// Whether a value is a condition over the result of a call.
    pub(super) fn is_about_result(&self, value: &Value) -> bool {
        let Value::Unknown(id) = value else { return false };
        let (root, _) = self.root_of(*id);
        self.memory.results.conditions.contains_key(&root)
    }

    /// What a branch says of the result of a call: where the program gives up if it succeeded, it is meant to fail.
    pub(super) fn note_branch_on_result(&mut self, value: &Value, then: &'p [Stmt], otherwise: &'p [Stmt]) {
        let Some((call, if_failed, named)) = self.condition_on_success(value) else {
            return;
        };
        let (on_success, on_failure) = if if_failed {
            (otherwise, then)
        } else {
            (then, otherwise)
        };
        let gives_up = self.gives_up(on_success, named, 0);
        // Who does nothing but to say so where the error that is named does not come counts on it.
        if gives_up || named && on_failure.is_empty() && complains(on_success) {
            self.assert_failure(call, gives_up);
        }
    }

    /// What an unseen assertion says of the result of a call: that a condition holds only if it failed, or that it is an error.
    pub(super) fn note_assertion(&mut self, arguments: &[Argument]) {
        let Some(first) = arguments.first() else { return };
        // A result alone is handed to whoever wants success.
        let is_result = matches!(first.value, Value::Unknown(id) if self.memory.results.failed(id).is_some());
        if !is_result && let Some((call, true, _)) = self.condition_on_success(&first.value) {
            self.assert_failure(call, false);
        }
        if let [one, other, ..] = arguments
            && let Some(failed) = self
                .memory
                .results
                .compared(BinaryOp::Equal, &one.value, &other.value)
            && !self.memory.results.is_success(&one.value, &other.value)
            && let Some((call, ..)) = self.condition_on_success(&Value::Unknown(failed))
        {
            self.assert_failure(call, false);
        }
    }

    /// The call that is being made: an index for [`Results::is_named`].
    pub(super) fn call_in_hand(&self) -> usize {
        self.expected.made.len().saturating_sub(1)
    }

    fn assert_failure(&mut self, call: usize, certain: bool) {
        if let Some(made) = self.expected.made.get(call) {
            *self.expected.asserted.entry(made.clone()).or_default() |= certain;
        }
    }

    /// A call that may have failed is no wait anybody can hang in, and orders what it orders if it succeeds.
    pub(super) fn perhaps_waits(&mut self, call: &Invocation<'_>) {
        let (name, entry) = (call.name.to_owned(), Some(call.entry));
        match self.blocking(call, false) {
            Block::Stream(stream) => {
                let answered = Block::StreamAnswered(stream);
                self.finish(name, entry, None, answered, None, call.span);
            }
            Block::Event(event) => {
                let answered = Block::EventAnswered(event);
                self.finish(name, entry, None, answered, None, call.span);
            }
            Block::Device => {
                for stream in (0..self.trace.streams.len() as u32).map(StreamId) {
                    let answered = Block::StreamAnswered(stream);
                    self.finish(name.clone(), entry, None, answered, None, call.span);
                }
            }
            _ => {}
        }
    }

    /// Whether statements end with the failure of the program, or of the function where an error is named.
    fn gives_up(&self, body: &[Stmt], named: bool, depth: usize) -> bool {
        let Some(last) = body.last() else { return false };
        match &last.kind {
            StmtKind::Block(inner) => self.gives_up(inner, named, depth),
            StmtKind::Return(Some(value)) => {
                let ends_program = self.control.frames.len() == 2 && depth == 0;
                (named || ends_program) && is_nonzero(value)
            }
            StmtKind::Expr(Expr {
                kind: ExprKind::Throw(_),
                ..
            }) => true,
            StmtKind::Expr(Expr {
                kind: ExprKind::Call(call),
                ..
            }) => match (&call.callee.kind, call.args.as_slice()) {
                (ExprKind::Name(name), []) if library::fails(name.last()) => true,
                (ExprKind::Name(name), [code]) => {
                    library::exits(name.last()) && is_nonzero(code) || self.never_returns(call, depth)
                }
                _ => self.never_returns(call, depth),
            },
            _ => false,
        }
    }

    /// Whether statements end with a call of a function or macro of the program that ends it, or throws.
    pub(super) fn ends_by_call(&self, body: &[Stmt]) -> bool {
        match body.last().map(|it| &it.kind) {
            Some(StmtKind::Block(inner)) => self.ends_by_call(inner),
            Some(StmtKind::Expr(Expr {
                kind: ExprKind::Call(call),
                ..
            })) => self.never_returns(call, 0),
            _ => false,
        }
    }

    /// Whether a call is one of a function of the program that ends it.
    fn never_returns(&self, call: &Call, depth: usize) -> bool {
        const DEPTH: usize = 3;
        let ExprKind::Name(name) = &call.callee.kind else {
            return false;
        };
        let function = self
            .program
            .resolve_function(self.scope(), name, Some(call.args.len()));
        let Some(function) = function.filter(|_| depth < DEPTH) else {
            return false;
        };
        let body = &self.program.function(function).body;
        if matches!(body.last().map(|it| &it.kind), Some(StmtKind::Return(_))) {
            return false;
        }
        self.gives_up(body, false, depth + 1)
    }
}

/// Whether statements only tell somebody something: calls that are handed a text, and a count of such.
fn complains(body: &[Stmt]) -> bool {
    let tells = |statement: &Stmt| match &statement.kind {
        StmtKind::Block(inner) => complains(inner),
        StmtKind::Expr(it) => match &it.kind {
            ExprKind::Call(call) => call.args.iter().any(|it| matches!(it.kind, ExprKind::Str(_))),
            ExprKind::Unary { op, .. } => matches!(op, UnaryOp::PreIncrement | UnaryOp::PostIncrement),
            _ => false,
        },
        _ => false,
    };
    !body.is_empty() && body.iter().all(tells)
}

/// A number that is not zero, as it is written.
fn is_nonzero(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(it) => *it != 0,
        ExprKind::Name(name) => crate::api::cuda_constant(name.last()).is_some_and(|it| it != 0),
        ExprKind::Unary {
            op: UnaryOp::Negate,
            operand,
        } => is_nonzero(operand),
        ExprKind::Cast { operand, .. } => is_nonzero(operand),
        _ => false,
    }
}

/// Whether a name is an enumerator that is an error.
pub(super) fn is_error(name: &str) -> bool {
    api::is_failure(name)
}
