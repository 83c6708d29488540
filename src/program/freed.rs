//! Memory that a function is handed, and gives back in the order of the default stream: `cudaFree` waits for all work that may
//! use it, `cudaFreeAsync` in stream 0 for none in a non-blocking stream.

use rayon::prelude::*;

use super::{FileId, FunctionId, Program};
use crate::api::{self, Operation};
use crate::facts::ir::{Expr, ExprKind, Function, Role, Target};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// A call that frees what the function was handed.
#[derive(Clone, Debug)]
pub struct FreedByDefault {
    /// The function, which takes no stream.
    pub function: FunctionId,
    /// The memory, by the name of the parameter.
    pub what: String,
    /// The call.
    pub call: (FileId, Span),
    /// A function of the project that is handed a stream.
    pub user: FunctionId,
}

/// A function that frees what it was handed, by the name of the parameter, and the call.
pub(super) type Freed = (FunctionId, String, Span);

impl Program {
    /// All of them, in the order of files and places; none where nothing of the project works in streams of others.
    pub fn freed_by_default(&self) -> Vec<FreedByDefault> {
        let units: Vec<usize> = self.own_units().collect();
        let functions = |unit: &usize| self.functions_of(*unit).filter(|(_, it)| is_on_host(it));
        let of_unit = |unit: &usize| self.freed_in(*unit).iter().cloned();
        let found: Vec<Freed> = units.par_iter().flat_map_iter(of_unit).collect();
        if found.is_empty() {
            return Vec::new();
        }
        let works_in_given = |(id, _): (FunctionId, &Function)| self.takes_stream(id).then_some(id);
        let Some(user) = units.iter().find_map(|it| functions(it).find_map(works_in_given)) else {
            return Vec::new();
        };
        let told = found.into_iter().map(|(function, what, span)| FreedByDefault {
            function,
            what,
            call: (function.file, span),
            user,
        });
        told.collect()
    }

    /// What functions of one unit free.
    pub(super) fn freed_of(&self, unit: usize) -> Vec<Freed> {
        let functions = self.functions_of(unit).filter(|(_, it)| is_on_host(it));
        functions
            .filter_map(|(id, it)| self.frees_by_default(id, it))
            .collect()
    }

    fn frees_by_default(&self, id: FunctionId, function: &Function) -> Option<Freed> {
        // Who is handed an object with a stream in it is told so.
        if function.params.is_empty() || self.takes_stream(id) || self.carried_stream(id).is_some() {
            return None;
        }
        let (mut freed, mut waits) = (None, false);
        visit::statements(&function.body, &mut |node| {
            if let Node::Expr(expression) = node
                && let ExprKind::Call(call) = &expression.kind
                && let ExprKind::Name(name) = &call.callee.kind
                && freed.is_none()
                && let Some(entry) = api::lookup_path(&name.path)
            {
                use Operation as O;
                waits |= matches!(
                    entry.operation,
                    O::StreamSynchronize | O::EventSynchronize | O::DeviceSynchronize | O::StreamWaitEvent
                );
                let stream = entry.argument(api::Role::Stream, call.args.len());
                let stream = stream.and_then(|it| call.args.get(it));
                if entry.operation == O::FreeAsync
                    && !waits
                    && stream.is_some_and(|it| self.may_be_default(it))
                    && let Some(what) = call.args.first().and_then(|it| parameter(function, it))
                {
                    freed = Some((id, what.to_owned(), expression.span));
                }
            }
        });
        let callers = self.callers(id);
        freed.filter(|_| !callers.iter().any(|it| self.waits_in_text(*it)))
    }
}

/// The parameter an expression names.
fn parameter<'a>(function: &Function, expression: &'a Expr) -> Option<&'a str> {
    match &expression.kind {
        ExprKind::Name(name) if name.is_plain() => {
            let is_it = |it: &crate::facts::ir::Parameter| it.name == name.last() && it.ty.pointers == 1;
            function.params.iter().any(is_it).then(|| name.last())
        }
        ExprKind::Cast { operand, .. } => parameter(function, operand),
        _ => None,
    }
}

fn is_on_host(function: &Function) -> bool {
    function.defined
        && matches!(function.target, Target::Host | Target::HostDevice)
        && matches!(function.role, Role::Function | Role::Method | Role::Constructor)
}
