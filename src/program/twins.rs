//! Calls of functions that take no stream and that the program does not define, in functions that are handed one, where the
//! same function is there with a stream: `copy(from, to)` beside `detail::copy(from, to, stream)`.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::{FileId, FunctionId, Program, Scope};
use crate::facts::ir::{Call, Expr, ExprKind, Function, Parameter, Role, Target};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// A call that leaves the stream out which the function is handed.
#[derive(Clone, Debug)]
pub struct StreamLeftOut {
    /// The function that is handed a stream.
    pub function: FunctionId,
    /// That stream, by its name.
    pub given: String,
    /// What is called, as it is written.
    pub callee: String,
    /// The call.
    pub call: (FileId, Span),
    /// What it is handed of the function's own, in the user's words.
    pub what: String,
    /// The same function with a stream.
    pub twin: FunctionId,
}

impl Program {
    /// All of them, the first of each function, in the order of files and places.
    pub fn streams_left_out(&self) -> Vec<StreamLeftOut> {
        let units: Vec<usize> = self.own_units().collect();
        let of_unit = |unit: &usize| self.streams_left_out_in(*unit).iter().cloned();
        units.par_iter().flat_map_iter(of_unit).collect()
    }

    /// Those of one unit.
    pub(super) fn streams_left_out_of(&self, unit: usize) -> Vec<StreamLeftOut> {
        let functions = self.functions_of(unit);
        functions
            .filter_map(|(id, it)| self.stream_left_out_in(id, it))
            .collect()
    }

    fn stream_left_out_in(&self, id: FunctionId, function: &Function) -> Option<StreamLeftOut> {
        let on_host = function.defined
            && matches!(function.target, Target::Host | Target::HostDevice)
            && matches!(function.role, Role::Function | Role::Method);
        if !on_host || function.params.len() < 2 {
            return None;
        }
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let is_stream = |it: &&Parameter| !it.name.is_empty() && self.is_stream_type(scope, &it.ty);
        let given = function.params.iter().find(is_stream)?.name.as_str();
        // Who does nothing in the stream, or waits for it, is another matter.
        if !self.passes_on(id, given) || self.waits_in_text(id) {
            return None;
        }
        let own: BTreeSet<&str> = function.params.iter().map(|it| it.name.as_str()).collect();
        let mut found = None;
        visit::statements(&function.body, &mut |node| {
            if let Node::Expr(expression) = node
                && let ExprKind::Call(call) = &expression.kind
                && found.is_none()
                && let Some(what) = handed(call, &own, given)
                && let Some(twin) = self.twin_of(scope, call)
            {
                found = Some((call, expression.span, what, twin));
            }
        });
        let (call, span, what, twin) = found?;
        Some(StreamLeftOut {
            function: id,
            given: given.to_owned(),
            callee: self.words(id.file, call.callee.span),
            call: (id.file, span),
            what: self.words(id.file, what),
            twin,
        })
    }

    /// What a call could mean instead: it calls a function without a stream that is declared and not defined, and another of the
    /// same name takes the same and a stream.
    fn twin_of(&self, scope: Scope<'_>, call: &Call) -> Option<FunctionId> {
        let ExprKind::Name(name) = &call.callee.kind else {
            return None;
        };
        let all = self.names.functions.get(name.last())?;
        if all.len() < 2
            || self
                .resolve_function(scope, name, Some(call.args.len()))
                .is_some()
        {
            return None;
        }
        let callee = self.declaration_of(scope, name, call.args.len())?;
        if self.is_model(callee.file) || self.takes_stream(callee) {
            return None;
        }
        all.iter().copied().find(|it| self.is_twin(*it, callee))
    }

    /// Whether a function takes what another one takes, and a stream.
    fn is_twin(&self, twin: FunctionId, callee: FunctionId) -> bool {
        let (function, other) = (self.function(twin), self.function(callee));
        if function.role != Role::Function || function.params.len() != other.params.len() + 1 {
            return false;
        }
        let scope = Scope {
            file: twin.file,
            path: &function.path,
        };
        let is_same = |one: &Parameter, other: &Parameter| {
            let (one, other) = (&one.ty, &other.ty);
            one.name.last() == other.name.last()
                && one.name.template_args == other.name.template_args
                && (one.pointers, one.reference, one.constant)
                    == (other.pointers, other.reference, other.constant)
        };
        let streams = |it: &&Parameter| self.is_stream_type(scope, &it.ty);
        let rest = function.params.iter().filter(|it| !streams(it));
        function.params.iter().filter(streams).count() == 1
            && rest.zip(&other.params).all(|(one, other)| is_same(one, other))
    }
}

/// What a call is handed of a function's own parameters; `None` where the stream is among it.
fn handed(call: &Call, own: &BTreeSet<&str>, given: &str) -> Option<Span> {
    let (mut first, mut has_stream) = (None, false);
    for argument in &call.args {
        visit::expression(argument, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) = node
                && name.is_plain()
            {
                has_stream |= name.last() == given;
                if own.contains(name.last()) {
                    first.get_or_insert(argument.span);
                }
            }
        });
    }
    first.filter(|_| !has_stream)
}
