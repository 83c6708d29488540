//! Pairs, tuples and variants: made, taken apart, tied.

use super::Location;
use super::calls::Argument;
use super::machine::Machine;
use super::making::{Made, standard};
use super::memory::Value;
use crate::facts::ir::{Expr, ExprKind, Name, Type};
use crate::program::ClassId;
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// A pair or a tuple of these.
    pub(super) fn parts_of(&mut self, is_pair: bool, types: &[String], parts: Vec<Argument>) -> Location {
        let object = self.memory.local();
        self.fill_parts(&object, is_pair, types, parts);
        object
    }

    /// The parts of a pair or a tuple, as the types written for them hold them.
    pub(super) fn fill_parts(
        &mut self,
        object: &Location,
        is_pair: bool,
        types: &[String],
        parts: Vec<Argument>,
    ) {
        if !is_pair {
            self.memory.tuples.insert(object.clone());
        }
        for (index, part) in parts.into_iter().enumerate() {
            let place = match ["first", "second"].get(index).filter(|_| is_pair) {
                Some(name) => object.field(name),
                None => object.step(super::Step::Element(index as i64)),
            };
            let written = types.get(index).map(|it| it.trim()).unwrap_or_default();
            if written.ends_with('&')
                && let Some(to) = part.place
            {
                self.memory.references.insert(place, to);
                continue;
            }
            if !written.is_empty() && !written.ends_with(['*', '&']) {
                let ty = Type::named(Name::of_type(written));
                if let Some(number) = self.declared_number(&ty, 0) {
                    self.memory.numbers.insert(place.clone(), number);
                }
            }
            if self.memory.is_list(&part.value) && !written.is_empty() {
                let span = self.control.statement;
                self.make_or_assign(&place, written, part, span);
                continue;
            }
            match self.class_held(&part.value) {
                Some((from, class)) if !written.ends_with('*') => {
                    let span = self.control.statement;
                    let of_class = self.memory.class_arguments.get(&from).cloned();
                    if let Some(of_class) = of_class {
                        self.memory.class_arguments.insert(place.clone(), of_class);
                    }
                    self.construct(&place, class, vec![part], span);
                }
                _ => {
                    let value = self.owned_value(part);
                    self.assign(&place, value);
                }
            }
        }
    }

    /// The object a value is, and its class.
    fn class_held(&self, value: &Value) -> Option<(Location, ClassId)> {
        let Value::Aggregate(object) = value else {
            return None;
        };
        let class = self.memory.classes.get(object)?;
        Some((object.clone(), *class))
    }

    /// Names of the parts of an object that a structured binding names, in order.
    pub(super) fn part(&self, object: &Location, index: usize) -> Location {
        let declared = self
            .memory
            .classes
            .get(object)
            .and_then(|class| Some((*class, self.program.class(*class).fields.get(index)?)));
        let pair = ["first", "second"]
            .get(index)
            .map(|name| object.field(name))
            .filter(|it| self.memory.holds(it));
        let element = object.step(super::Step::Element(index as i64));
        match declared {
            Some((class, field)) => self.member(object, class, &field.name),
            None if self.memory.holds(&element) || self.memory.references.contains_key(&element) => element,
            // The first element of a list stands at the list itself.
            None if index == 0
                && self.memory.holds(&object.element(1))
                && self.memory.get(object).is_some() =>
            {
                object.clone()
            }
            None => pair.unwrap_or(element),
        }
    }

    /// `std::tie(a, b) = …`: each place gets its part.
    pub(super) fn assign_tied(&mut self, target: &'p Expr, value: &'p Expr, span: Span) -> Option<Value> {
        let ExprKind::Call(call) = &target.kind else {
            return None;
        };
        let is_tie = matches!(&call.callee.kind, ExprKind::Name(name) if name.last() == "tie");
        if !is_tie {
            return None;
        }
        let whole = self.evaluate_copy(value);
        let Value::Aggregate(object) = &whole else {
            for argument in &call.args {
                if let Some(place) = self.place(argument) {
                    let value = self.memory.fresh();
                    self.store(&place, value, span);
                }
            }
            return Some(whole);
        };
        for (index, argument) in call.args.iter().enumerate() {
            let is_ignored = matches!(&argument.kind, ExprKind::Name(name) if name.last() == "ignore" && name.path.len() > 1);
            if is_ignored {
                continue;
            }
            let part = self.part(object, index);
            let value = self.load(&part);
            if let Some(place) = self.place(argument) {
                self.store(&place, value, span);
            }
        }
        Some(whole)
    }

    /// The one part of a tuple or a pair that has a type.
    fn part_of_type(&mut self, object: &'p Expr, wanted: &str) -> Option<usize> {
        match standard(&self.type_of(object)?.template()?) {
            Made::Parts(name, _) => name.template_args.iter().position(|it| **it == *wanted),
            _ => None,
        }
    }

    /// Which part of a tuple is asked for by its type nobody knows, nor what becomes of its text then.
    fn lose_text_parts(&mut self, object: &Location) {
        for index in 0.. {
            let part = self.part(object, index);
            if !self.memory.stands_at(&part) {
                break;
            }
            if matches!(self.memory.get(&part), Some(Value::Str(_))) {
                let lost = self.memory.fresh_lost();
                self.memory.set(part, lost);
            }
        }
    }

    /// `std::get<0>(tuple)`, `std::get<T>(variant)`, `std::get_if<T>(&variant)`, `std::any_cast<T>(any)`.
    pub(super) fn part_call(&mut self, name: &'p Name, args: &'p [Expr]) -> Option<Value> {
        let [only] = args else { return None };
        let wanted = name.template_args.first()?;
        match name.last() {
            "get" => {
                let variable = match &only.kind {
                    ExprKind::Name(name) if self.text_of(name).is_none() => self.name_place(name),
                    _ => None,
                };
                // Looking at the whole would make it something of its own.
                let argument = match variable.filter(|it| self.memory.holds(it)) {
                    Some(place) => Argument {
                        value: Value::Aggregate(place.clone()),
                        place: Some(place),
                        words: String::new(),
                        moved: false,
                        ty: None,
                    },
                    None => self.argument(only),
                };
                let object = match (&argument.value, &argument.place) {
                    (Value::Aggregate(object), _) => object.clone(),
                    (_, Some(place)) => place.clone(),
                    _ => return Some(argument.value),
                };
                let wanted = self.template_argument(wanted);
                if let Some(alternatives) = self.alternatives(only) {
                    self.see_alternative(&object, &alternatives, &wanted);
                    self.control.returned = Some(object.clone());
                    return Some(self.load(&object));
                }
                let index = wanted.parse::<usize>().ok();
                let index = index.or_else(|| self.part_of_type(only, &wanted));
                if index.is_none() {
                    self.lose_text_parts(&object);
                }
                let part = index.map(|it| self.part(&object, it));
                let part = part.map(|it| self.memory.references.get(&it).cloned().unwrap_or(it));
                match part.filter(|it| self.memory.stands_at(it)) {
                    Some(part) => {
                        let value = self.load(&part);
                        self.control.returned = Some(part);
                        Some(value)
                    }
                    None => match argument.value {
                        Value::Aggregate(place) => Some(self.load(&place)),
                        value => Some(value),
                    },
                }
            }
            "holds_alternative" => {
                let value = self.argument(only).value;
                let known = self.holds_alternative(wanted, &value);
                Some(known.unwrap_or_else(|| self.memory.fresh()))
            }
            "get_if" => {
                let pointer = self.argument(only).value;
                let held = self.pointee(&pointer).map(|it| self.load(&it))?;
                match self.holds_alternative(wanted, &held) {
                    Some(Value::Int(0)) => Some(Value::Int(0)),
                    _ => Some(pointer),
                }
            }
            "any_cast" => {
                let value = self.argument(only).value;
                let Value::Pointer(place) = &value else {
                    return Some(value);
                };
                // Null unless it holds that type, which a number does not tell.
                let held = self.load(&place.clone());
                Some(match self.holds_alternative(wanted, &held) {
                    Some(Value::Int(0)) => Value::Int(0),
                    Some(_) if !matches!(held, Value::Int(_)) => value,
                    _ => self.memory.fresh(),
                })
            }
            _ => None,
        }
    }
}
