//! Braces that are evaluated before it is known what they are for: arguments, and lists inside lists.
//!
//! Invariant: what was written between two commas is one part, an empty list too.

use std::sync::Arc;

use super::Location;
use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::types::{Core, Static};
use crate::facts::ir::{Initialiser, Name, Variable};
use crate::program::ClassId;
use crate::program::kernels::written_name;
use crate::syntax::Span;

/// Parts that are looked at.
const MOST_PARTS: usize = 64;

/// One part of a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// `.field =` before it.
    field: Option<Arc<str>>,
    /// It is a list itself, which stands there.
    list: Option<Location>,
    /// Its type, as it is written.
    ty: Option<Static>,
}

impl<'p> Machine<'p> {
    /// What braces hold, where nobody knows what they are for.
    pub(super) fn initialise_list(&mut self, place: &Location, items: &'p [Initialiser]) -> Vec<Part> {
        let mut parts = Vec::new();
        for (item, index) in items.iter().take(MOST_PARTS).zip(0..) {
            let target = match item.field.as_deref() {
                Some(field) => place.field(field),
                None => place.element(index),
            };
            let ty = self.type_of(&item.value);
            let value = self.evaluate_copy(&item.value);
            let list = match &value {
                Value::Aggregate(list) if self.memory.lists.contains_key(list) => Some(list.clone()),
                _ => None,
            };
            parts.push(Part {
                field: item.field.as_deref().map(Arc::from),
                list,
                ty,
            });
            self.assign(&target, value);
        }
        parts
    }

    /// How many elements a container gets of a list with one item or none; `None` where the item may be another container.
    pub(super) fn short_list(&self, list: &Location, container: &Name) -> Option<i64> {
        let parts = self.memory.lists.get(list)?;
        let [part] = parts.as_slice() else {
            return parts.is_empty().then_some(0);
        };
        let is_element = match (&part.ty, self.memory.get(list)) {
            (Some(ty), _) if ty.pointers > 0 => true,
            (Some(ty), _) => match &ty.core {
                Core::Number(_) | Core::Constant | Core::Null | Core::Class(_) => true,
                Core::Other(text) => {
                    let written = written_name(text).map(|it| self.standard_name(self.scope(), &it));
                    written.is_some_and(|it| it.last() != container.last())
                }
                Core::Void => false,
            },
            (None, Some(value)) => matches!(
                value,
                Value::Int(_) | Value::Stream(_) | Value::Event(_) | Value::Pointer(_)
            ),
            (None, None) => false,
        };
        (part.list.is_none() && is_element).then_some(1)
    }

    /// `T{…}` at a place, where the braces were evaluated before it was known what they are for.
    pub(super) fn construct_list(&mut self, place: &Location, class: ClassId, list: &Location, span: Span) {
        if self.is_inside_too_many(class) || !self.tick() {
            return;
        }
        let parts = self.parts_of_list(list);
        let fields = &self.program.class(class).fields;
        let is_designated = |it: &Variable| self.memory.holds(&list.field(&it.name));
        let designated: Vec<&Variable> = fields.iter().filter(|it| is_designated(it)).collect();
        if designated.is_empty() && self.program.resolve_constructor(class, parts.len()).is_some() {
            self.construct(place, class, parts, span);
            return;
        }
        self.memory.zero(place);
        self.construct(place, class, Vec::new(), span);
        if designated.is_empty() {
            let fields = fields.iter().filter(|it| !it.is_static);
            for (part, field) in parts.into_iter().zip(fields) {
                self.fill_from_part((place, class), field, part.value, span);
            }
            return;
        }
        for field in designated {
            let value = self.designated_part(list, field);
            self.fill_from_part((place, class), field, value, span);
        }
    }

    fn designated_part(&self, list: &Location, field: &Variable) -> Value {
        let parts = self.memory.lists.get(list).into_iter().flatten();
        let mut named = parts.filter(|it| it.field.as_deref() == Some(field.name.as_str()));
        if let Some(nested) = named.next().and_then(|it| it.list.clone()) {
            return Value::Aggregate(nested);
        }
        let from = list.field(&field.name);
        let value = self.memory.get(&from).cloned();
        value.unwrap_or(Value::Aggregate(from))
    }

    /// A member of an aggregate: a list is read as what the member is.
    fn fill_from_part(
        &mut self,
        (object, class): (&Location, ClassId),
        field: &'p Variable,
        value: Value,
        span: Span,
    ) {
        let target = self.member(object, class, &field.name);
        let is_list = self.memory.is_list(&value);
        if !is_list || field.ty.pointers > 0 || field.ty.reference || !field.dims.is_empty() {
            let value = self.as_member(value, (object, class), field, span);
            self.assign(&target, value);
            return;
        }
        let part = Argument::unplaced(value.clone(), field.name.clone());
        let made = self.in_class(object, class, |machine| {
            match (machine.class_of_type(&field.ty.name), &value) {
                (Some(inner), Value::Aggregate(list)) => {
                    machine.construct_list(&target, inner, list, span);
                    Ok(())
                }
                _ => machine.make_named(&target, &field.ty.name, vec![part], span),
            }
        });
        // What is no container and no object of the program keeps what it was made as.
        if let Err(args) = made
            && let Some(Argument {
                value: Value::Aggregate(list),
                ..
            }) = args.into_iter().next()
            && let [only] = self.parts_of_list(&list).as_slice()
        {
            self.assign(&target, only.value.clone());
        }
    }

    /// `T{…}` where only the braces were written: its parts are the arguments.
    pub(super) fn unpacked(&mut self, args: Vec<Argument>) -> Vec<Argument> {
        let [only] = args.as_slice() else { return args };
        let Value::Aggregate(list) = &only.value else {
            return args;
        };
        if self.memory.classes.contains_key(list) {
            return args;
        }
        let parts = self.parts_of_list(list);
        if parts.is_empty() { args } else { parts }
    }

    /// What braces hold, in order.
    pub(super) fn parts_of_list(&mut self, list: &Location) -> Vec<Argument> {
        let written = self.memory.lists.get(list).cloned();
        let count = written.as_ref().map_or(MOST_PARTS, Vec::len);
        let mut parts = Vec::new();
        for index in 0..count {
            let nested = written.as_ref().and_then(|it| it[index].list.clone());
            let part = list.element(index as i64);
            let value = match (nested, self.memory.get(&part)) {
                (Some(nested), _) => Value::Aggregate(nested),
                (None, Some(value)) => value.clone(),
                (None, None) if self.memory.holds(&part) => Value::Aggregate(part),
                (None, None) => break,
            };
            parts.push(Argument::unplaced(value, String::new()));
        }
        parts
    }
}
