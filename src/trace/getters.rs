//! Objects nobody knows answer the same question with the same thing, as long as nobody changes them.

use super::Location;
use super::machine::Machine;
use super::memory::Value;
use crate::api::library;
use crate::facts::ir::{Call, Expr};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// A method is called on an object.
    pub(super) fn call_method(
        &mut self,
        (object, arrow): (&'p Expr, bool),
        method: &'p str,
        call: &'p Call,
        span: Span,
    ) -> Value {
        let place = self.object_place(object, arrow);
        let Value::Unknown(newest) = self.memory.fresh() else {
            return self.call_method_of(place, (object, arrow), method, call, span);
        };
        let answer = self.call_method_of(place.clone(), (object, arrow), method, call, span);
        match place {
            Some(place) => self.same_answer(&place, (method, call.args.is_empty()), newest, answer),
            None => answer,
        }
    }

    /// What a getter handed out before, where nobody knows what it hands out now.
    fn same_answer(
        &mut self,
        object: &Location,
        (method, bare): (&str, bool),
        newest: u32,
        answer: Value,
    ) -> Value {
        let is_getter = bare && library::getters().contains(&method);
        if !is_getter && library::asks(method) {
            return answer;
        }
        if !is_getter {
            library::getters()
                .iter()
                .for_each(|it| self.memory.forget(&answer_of(object, it)));
            return answer;
        }
        let is_new = matches!(answer, Value::Unknown(id) if id > newest);
        let place = answer_of(object, method);
        match self.memory.get(&place).cloned() {
            Some(known) if is_new => known,
            None if is_new => {
                self.memory.set(place, answer.clone());
                answer
            }
            _ => answer,
        }
    }
}

/// Where an answer is kept: whatever makes the object forgotten makes this forgotten.
fn answer_of(object: &Location, method: &str) -> Location {
    object.field(&format!("{method}()"))
}
