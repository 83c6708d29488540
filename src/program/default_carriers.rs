//! Objects that carry a stream, made with nothing in a function that works in the stream of another one: `Context().wait()`.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::elsewhere::is_on_host;
use super::{ClassId, FileId, FunctionId, Program, Scope};
use crate::facts::ir::{Call, Expr, ExprKind, Function, Name, Parameter};
use crate::facts::visit::{self, Node};
use crate::syntax::Span;

/// A call on an object that was made with nothing.
#[derive(Clone, Debug)]
pub struct DefaultCarrier {
    /// The function that works in the stream of another one.
    pub function: FunctionId,
    /// That one, in the user's words.
    pub other: String,
    /// Where it is used, or declared.
    pub used: (FileId, Span),
    /// The class of the one that is made with nothing.
    pub class: String,
    /// What is called on it.
    pub method: String,
    /// The call.
    pub call: (FileId, Span),
}

/// A call on an object that is made for it, with nothing: the class, the method, the place and what is handed over.
type Made<'p> = (ClassId, &'p str, Span, &'p [Expr]);

impl Program {
    /// All of them, in the order of files and places.
    pub fn default_carriers(&self) -> Vec<DefaultCarrier> {
        let units: Vec<usize> = self.own_units().collect();
        let of_unit = |unit: &usize| self.default_carriers_in(*unit).iter().cloned();
        units.par_iter().flat_map_iter(of_unit).collect()
    }

    /// Those of one unit.
    pub(super) fn default_carriers_of(&self, unit: usize) -> Vec<DefaultCarrier> {
        let host = self.functions_of(unit).filter(|(_, it)| is_on_host(it));
        host.flat_map(|(id, it)| self.made_with_nothing_in(id, it))
            .collect()
    }

    fn made_with_nothing_in(&self, id: FunctionId, function: &Function) -> Vec<DefaultCarrier> {
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let mut made: Vec<Made<'_>> = Vec::new();
        let mut calls: Vec<&Call> = Vec::new();
        visit::statements(&function.body, &mut |node| {
            if let Node::Expr(expression) = node
                && let ExprKind::Call(call) = &expression.kind
            {
                calls.push(call);
                made.extend(self.on_default_carrier(scope, call, expression.span));
            }
        });
        if made.is_empty() {
            return Vec::new();
        }
        let Some((other, used)) = self.other_carrier(id, function, scope, &calls, made[0].0) else {
            return Vec::new();
        };
        // What is handed the other one is about that.
        let is_handed = |args: &[Expr]| args.iter().any(|it| self.words(id.file, it.span) == other);
        let made = made.into_iter().filter(|it| !is_handed(it.3));
        let found = made.map(|(class, method, span, _)| DefaultCarrier {
            function: id,
            other: other.clone(),
            used,
            class: self.class(class).path.last().cloned().unwrap_or_default(),
            method: method.to_owned(),
            call: (id.file, span),
        });
        found.collect()
    }

    /// `C().method()`, where objects of `C` carry a stream, and the method makes calls of CUDA.
    fn on_default_carrier<'p>(&'p self, scope: Scope<'_>, call: &'p Call, span: Span) -> Option<Made<'p>> {
        let ExprKind::Member { object, field, .. } = &call.callee.kind else {
            return None;
        };
        let class = self.made_with_nothing(scope, object)?;
        let method = self.resolve_method(class, field, call.args.len())?;
        // `Params().shape(s)` makes another one: what is done with that is to be seen.
        let result = &self.function(method).result;
        let is_made_of = self.resolve_class(scope, &result.name) == Some(class);
        (!is_made_of && self.is_eventful(method) && self.carries_one_stream(class)).then_some((
            class,
            field.as_str(),
            span,
            call.args.as_slice(),
        ))
    }

    /// The class of an object that is made where it is used, with nothing.
    fn made_with_nothing(&self, scope: Scope<'_>, expression: &Expr) -> Option<ClassId> {
        let name: &Name = match &expression.kind {
            ExprKind::Construct { ty, init } if ty.pointers == 0 && init.expressions().next().is_none() => {
                &ty.name
            }
            // `C()` reads like a call.
            ExprKind::Call(call) if call.args.is_empty() => match &call.callee.kind {
                ExprKind::Name(name) if self.names.classes.contains_key(name.last()) => name,
                _ => return None,
            },
            _ => return None,
        };
        self.resolve_class(scope, name)
    }

    /// Another object that carries a stream and that a function works with: one it is handed, its own object, or one that it hands
    /// on where such a class is wanted.
    fn other_carrier(
        &self,
        id: FunctionId,
        function: &Function,
        scope: Scope<'_>,
        calls: &[&Call],
        made: ClassId,
    ) -> Option<(String, (FileId, Span))> {
        let carries = |it: &Parameter| {
            let class = self.resolve_pointed_class(scope, &it.ty.name);
            !it.name.is_empty() && class.is_some_and(|it| self.carries_one_stream(it))
        };
        if let Some(parameter) = function.params.iter().find(|it| carries(it)) {
            return Some((parameter.name.clone(), (id.file, function.name_span)));
        }
        let own = self.class_of_method(id).filter(|_| !self.is_static(id));
        if own.is_some_and(|it| it != made && self.carries_one_stream(it)) {
            return Some(("this".to_owned(), (id.file, function.name_span)));
        }
        let wanted = self.class(made);
        calls.iter().find_map(|call| {
            let ExprKind::Name(name) = &call.callee.kind else {
                return None;
            };
            let at = self.parameters_of_class(id.file, name, call.args.len(), &wanted.path)?;
            let mut handed = at.into_iter().filter_map(|it| call.args.get(it));
            let handed = handed.find(|it| self.made_with_nothing(scope, it).is_none())?;
            Some((self.words(id.file, handed.span), (id.file, handed.span)))
        })
    }

    /// Which parameters of all functions that a call may mean are of a class.
    fn parameters_of_class(
        &self,
        file: FileId,
        name: &Name,
        arguments: usize,
        class: &[String],
    ) -> Option<BTreeSet<usize>> {
        let of = |it: FunctionId| {
            let function = self.function(it);
            let scope = Scope {
                file: it.file,
                path: &function.path,
            };
            let is_one = |(at, parameter): (usize, &Parameter)| {
                let found = self
                    .resolve_class(scope, &parameter.ty.name)
                    .filter(|_| parameter.ty.pointers == 0)?;
                (self.class(found).path == class).then_some(at)
            };
            let all = function.params.iter().enumerate();
            all.filter_map(is_one).collect::<BTreeSet<usize>>()
        };
        self.functions_named(file, name, arguments)
            .map(of)
            .reduce(|a, b| &a & &b)
    }
}
