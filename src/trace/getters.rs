//! Objects nobody knows answer the same question with the same thing, as long as nobody changes them.

use super::Location;
use super::machine::Machine;
use super::memory::Value;
use super::types::{Core, Static};
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
        let Some(place) = place else {
            return answer;
        };
        if let Value::Unknown(id) = answer
            && id > newest
            && self.memory.is_handed_in(place.base)
        {
            let class = self.type_of_receiver(object, arrow).and_then(|it| it.class());
            if class.is_none_or(|it| self.program.carries_one_stream(it)) {
                self.answers_of_arguments.insert(id);
            }
        }
        let is_bare = call.args.is_empty();
        let hands_out = library::getters().contains(&method);
        let is_getter = is_bare && (hands_out || self.is_unseen_question((object, arrow), method));
        self.same_answer(&place, (method, is_getter), newest, answer)
    }

    /// Whether the method an object is asked with is declared to change nothing and hands out an object, and nobody sees what it does.
    fn is_unseen_question(&mut self, (object, arrow): (&'p Expr, bool), method: &str) -> bool {
        let class = self.type_of_receiver(object, arrow).and_then(|it| it.class());
        let Some(class) = class.filter(|it| self.program.resolve_method(*it, method, 0).is_none()) else {
            return false;
        };
        let declared = self.program.declared_methods(class, method, 0);
        declared.iter().any(|it| self.program.function(*it).constant)
            && self
                .type_of_method(&Static::temporary(Core::Class(class)), method, 0)
                .is_some_and(|it| it.pointers > 0 || it.class().is_some())
    }

    /// What a getter handed out before, where nobody knows what it hands out now.
    fn same_answer(
        &mut self,
        object: &Location,
        (method, is_getter): (&str, bool),
        newest: u32,
        answer: Value,
    ) -> Value {
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
