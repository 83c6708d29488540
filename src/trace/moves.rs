//! What is given away: moved objects and containers, and what a function gives back.
//!
//! Invariant: what a smart pointer owns has as many owners as there are pointers to it that will end.

use super::Location;
use super::machine::{Cleanup, Machine};
use super::memory::Value;
use super::optionals::is_path;
use super::traits::returns_reference;
use crate::api::library;
use crate::facts::ir::{Expr, ExprKind, UnaryOp};
use crate::program::Scope;

impl<'p> Machine<'p> {
    /// What a moved object had is somebody else's: its end does nothing, unless what the program writes says so.
    pub(super) fn moved_away(&mut self, place: &Location) {
        let by_code = self.object_at(place).is_some_and(|it| self.copies_by_code(it));
        if !by_code {
            self.forget_cleanup(place);
        }
    }

    /// The same where both objects end: what the program writes for that is done to each.
    pub(super) fn moved_from(&mut self, place: &Location) {
        if !self.object_at(place).is_some_and(|it| self.ends_by_code(it)) {
            self.moved_away(place);
        }
    }

    /// The value of something that is given away: it is no longer destroyed here.
    pub(super) fn evaluate_moved(&mut self, expression: &'p Expr) -> Value {
        self.evaluate_given(expression, false)
    }

    /// `stays`: what it was given from still is an object, and ends as one.
    pub(super) fn evaluate_given(&mut self, expression: &'p Expr, stays: bool) -> Value {
        let is_name = is_dereference(expression)
            || matches!(
                &expression.kind,
                ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Index { .. }
            );
        // What a call refers to is given away where it stands; a result of its own is given away as it is.
        let is_cast =
            |it: &Expr| matches!(&it.kind, ExprKind::Name(name) if matches!(name.last(), "move" | "forward"));
        let is_call = matches!(&expression.kind, ExprKind::Call(call) if !is_cast(&call.callee));
        let called = is_call.then(|| self.argument(expression));
        let place = match &called {
            Some(argument) => argument.place.clone().filter(|it| self.memory.smart.contains(it)),
            None => is_name.then(|| self.place(expression)).flatten(),
        };
        if let (Some(argument), None) = (&called, &place) {
            return argument.value.clone();
        }
        match place {
            Some(place) => self.given_from(place, stays),
            None => self.evaluate_copy(expression),
        }
    }

    /// What stands at a place, given away from there.
    pub(super) fn given_from(&mut self, place: Location, stays: bool) -> Value {
        self.host_memory_moves(&Value::Aggregate(place.clone()));
        match stays {
            true => self.moved_from(&place),
            false => self.moved_away(&place),
        }
        if self.memory.smart.contains(&place) {
            let taken = self.memory.local();
            self.memory.copy_object(&place, &taken);
            self.memory.set(place, Value::Int(0));
            Value::Aggregate(taken)
        } else if self.memory.is_sequence(&place) {
            self.moved_sequence(&place)
        } else if self.object_at(&place).is_some_and(|it| !self.copies_by_code(it))
            && !self.memory.owners_in(&place).is_empty()
        {
            let taken = self.copy_on_its_way(&place);
            self.memory.give_away(&place);
            taken
        } else {
            let value = self.load(&place);
            if matches!(value, Value::Thread(_)) {
                self.memory.set(place, Value::Int(0));
            }
            value
        }
    }

    /// A copy of an object that is about to become another one.
    fn copy_on_its_way(&mut self, place: &Location) -> Value {
        let taken = self.memory.local();
        self.memory.copy_object(place, &taken);
        self.memory.passing.insert(taken.base);
        Value::Aggregate(taken)
    }

    /// Whether the function that returns this hands out what the expression names: its result is a reference, however that is written.
    pub(super) fn hands_out_place(&self, returned: &Expr) -> bool {
        let Some(function) = self.frame().function else {
            return false;
        };
        let definition = self.program.function(function);
        if returns_reference(&definition.result, returned) {
            return true;
        }
        // `using reference = T&;`
        let names_place = is_path(returned)
            || is_dereference(returned)
            || matches!(returned.kind, ExprKind::Index { .. } | ExprKind::Call(_));
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        names_place
            && definition.result.pointers == 0
            && self
                .program
                .resolve_alias(scope, &definition.result.name)
                .is_some_and(|it| returns_reference(&it, returned))
    }

    /// What a function hands out a reference to: whoever gets it reads it, or stores to it.
    pub(super) fn refer_to(&mut self, returned: &'p Expr) -> Value {
        let is_named = is_path(returned)
            || is_dereference(returned)
            || matches!(returned.kind, ExprKind::Index { .. } | ExprKind::Member { .. });
        if is_named && let Some(place) = self.place(returned) {
            self.control.here = returned.span;
            let value = self.referred(&place);
            self.control.returned = Some(place);
            return value;
        }
        let is_cast = |it: &Expr| matches!(&it.kind, ExprKind::Name(name) if library::hands_on(name.last()));
        if let ExprKind::Call(call) = &returned.kind
            && !is_cast(&call.callee)
        {
            self.control.returned = None;
            let value = self.call(call, returned.span);
            if let (None, Value::Aggregate(place)) = (&self.control.returned, &value) {
                self.control.returned = Some(place.clone());
            }
            return value;
        }
        let result = self.argument(returned);
        self.control.returned = result.place;
        result.value
    }

    /// What a function gives back: a variable of its own as it is, anything else as a copy.
    pub(super) fn evaluate_returned(&mut self, expression: &'p Expr) -> Value {
        if !self.memory.smart.is_empty()
            && (is_path(expression) || is_dereference(expression))
            && !self.is_own_variable(expression)
            && let Some(place) = self.place(expression)
        {
            if self.memory.smart.contains(&place) {
                return self.copy_of_owner(&place);
            }
            if self.object_at(&place).is_some() && !self.memory.owners_in(&place).is_empty() {
                return match self.is_copied_when_returned(expression, &place) {
                    true => Value::Aggregate(place),
                    false => self.copy_on_its_way(&place),
                };
            }
        }
        // An owner that stands in what a call leads to stays there, and the caller has one of its own.
        let leads_on = match &expression.kind {
            ExprKind::Member { .. } | ExprKind::Index { .. } => !is_path(expression),
            ExprKind::Call(call) => matches!(call.callee.kind, ExprKind::Member { .. }),
            _ => false,
        };
        if leads_on && !self.memory.counted.is_empty() {
            let given = self.argument(expression);
            return match given.place {
                Some(place) if self.memory.counted.contains(&place) => self.copy_of_owner(&place),
                _ => given.value,
            };
        }
        self.evaluate_moved(expression)
    }

    /// A smart pointer like another one: where owners are counted there is one more.
    fn copy_of_owner(&mut self, owner: &Location) -> Value {
        let taken = self.memory.local();
        self.memory.copy_object(owner, &taken);
        if self.memory.counted.contains(owner)
            && let Some(Value::Pointer(object)) = self.memory.get(owner).cloned()
        {
            self.memory.add_owner(object);
        }
        Value::Aggregate(taken)
    }

    /// A container gives what it holds away.
    fn moved_sequence(&mut self, place: &Location) -> Value {
        let taken = self.memory.local();
        self.memory.traded.insert(place.base);
        self.memory.copy_object(place, &taken);
        self.memory.give_away(place);
        self.memory.passing.insert(taken.base);
        self.memory.hand_storage(place, &taken);
        self.memory.clear_object(place);
        self.memory.lengths.insert(place.clone(), 0);
        Value::Aggregate(taken)
    }

    /// An object was moved away: the end of its scope does nothing to it.
    pub(super) fn forget_cleanup(&mut self, object: &Location) {
        // A container that gave its elements away is empty, and ends as one.
        let is_container = self.memory.is_sequence(object) || self.memory.maps.contains(object);
        for scope in self.control.frames.iter_mut().flat_map(|frame| &mut frame.scopes) {
            scope.cleanups.retain(|cleanup| match cleanup {
                Cleanup::Destroy(place, _) | Cleanup::Release(place) | Cleanup::Join(place) => {
                    place != object
                }
                Cleanup::Elements(place) => is_container || place != object,
                _ => true,
            });
        }
    }
}

/// `*p`.
fn is_dereference(expression: &Expr) -> bool {
    matches!(
        &expression.kind,
        ExprKind::Unary {
            op: UnaryOp::Deref,
            ..
        }
    )
}
