//! Objects that an expression makes: `new`, `new (place)`, and casts to a class.

use super::Location;
use super::machine::Machine;
use super::making::Made;
use super::memory::{Origin, Value};
use super::types::{Category, Core, Static};
use crate::facts::ir::{Expr, Written};
use crate::program::ClassId;
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// An object cast to another type: what its conversion gives, or the base it is seen as.
    pub(super) fn cast_object(
        &mut self,
        ty: &'p crate::facts::ir::Type,
        from: Location,
        span: Span,
    ) -> Value {
        let value = Value::Aggregate(from);
        if ty.pointers > 0 || ty.reference {
            return self.as_type(ty, value);
        }
        let Value::Aggregate(from) = &value else {
            return value;
        };
        let (Some(own), Some(class)) = (self.object_at(from), self.class_of_type(&ty.name)) else {
            return self.as_type(ty, value);
        };
        if own == class {
            return value;
        }
        let part = Static {
            category: Category::Named,
            ..Static::temporary(Core::Class(class))
        };
        if self.distance_to(own, class, 0).is_some() {
            return self.copy_seen(value, Some(&part), span);
        }
        if let Some(made) = self.converted_as(&value, class, &ty.name, span) {
            return made;
        }
        let place = self.memory.local();
        self.note_arguments_of(&place, class, &ty.name);
        let argument = super::calls::Argument {
            value: value.clone(),
            place: Some(from.clone()),
            words: String::new(),
            moved: false,
            ty: None,
        };
        self.construct(&place, class, vec![argument], span);
        Value::Aggregate(place)
    }

    /// Where `new (place) T` makes its object; `None` for a new one of its own.
    pub(super) fn place_of_new(&mut self, placement: &'p [Expr]) -> Option<Location> {
        let [at] = placement else { return None };
        let value = self.evaluate(at);
        match value {
            Value::Pointer(place) => Some(place),
            _ => None,
        }
    }

    /// `new (place) T(args)`.
    pub(super) fn make_at(
        &mut self,
        place: &Location,
        ty: &'p crate::facts::ir::Type,
        init: Option<Written<'p>>,
        span: Span,
    ) -> Value {
        if ty.pointers == 0
            && let Some(class) = self.class_of_type(&ty.name)
        {
            self.note_arguments_of(place, class, &ty.name);
            self.construct_with(place, class, init, span);
            self.touch(
                place,
                super::access::Extent::Element,
                super::access::Mode::Write,
                span,
            );
            return Value::Pointer(place.clone());
        }
        let value = match init.and_then(|it| self.arguments(it.expressions()).into_iter().next()) {
            Some(first) => first.value,
            None if init.is_some() => Value::Int(0),
            None => self.memory.fresh(),
        };
        let value = self.as_type(ty, value);
        self.store(place, value, span);
        Value::Pointer(place.clone())
    }

    pub(super) fn evaluate_new(
        &mut self,
        ty: &'p crate::facts::ir::Type,
        init: Option<Written<'p>>,
        array: Option<&'p Expr>,
        span: Span,
    ) -> Value {
        if let Some(count) = array {
            let length = self.evaluate(count);
            let object = self.memory.allocate(Origin::Heap);
            self.note_heap(&object, span);
            if let Value::Int(length) = length {
                self.memory.lengths.insert(object.clone(), length);
            }
            if ty.pointers == 0
                && let Some(class) = self.class_of_type(&ty.name)
            {
                self.construct_array(&object, class, &length, span);
            } else if let Some(init) = init {
                self.memory.zero(&object);
                for (item, index) in init.expressions().zip(0..) {
                    let value = self.evaluate_copy(item);
                    let element = self.memory.element(&object, index);
                    self.assign(&element, value);
                }
            }
            return Value::Pointer(object);
        }
        if ty.pointers == 0
            && let Some(class) = self.class_of_type(&ty.name)
        {
            let object = self.room_for(class, ty, span);
            self.note_arguments_of(&object, class, &ty.name);
            self.construct_with(&object, class, init, span);
            return Value::Pointer(object);
        }
        if let Some(Written::Braces(items)) = init
            && let made = self.made_of_name(ty.name.clone())
            && !matches!(made, Made::Plain)
        {
            let object = self.memory.allocate(Origin::Heap);
            self.make_of_braces(&object, made, items, span);
            return Value::Pointer(object);
        }
        let args = self.arguments(init.into_iter().flat_map(Written::expressions));
        self.new_object(&ty.name, args, span)
    }

    /// `make_unique<T[]>(n)`: so many objects, or numbers that are zero.
    pub(super) fn new_array(
        &mut self,
        held: &str,
        length: Option<super::calls::Argument>,
        span: Span,
    ) -> Value {
        let object = self.memory.allocate(Origin::Heap);
        self.note_heap(&object, span);
        let length = length.map_or_else(|| self.memory.fresh(), |it| it.value);
        if let Value::Int(length) = length {
            self.memory.lengths.insert(object.clone(), length);
        }
        match self.class_named(held) {
            Some(class) => self.construct_array(&object, class, &length, span),
            None => self.memory.zero(&object),
        }
        Value::Pointer(object)
    }

    /// Memory for an object that is made with `new`: its class may say where that is.
    fn room_for(&mut self, class: ClassId, ty: &crate::facts::ir::Type, span: Span) -> Location {
        let Some(own) = self.program.resolve_method(class, "operator new", 1) else {
            return self.memory.allocate(Origin::Heap);
        };
        let size = self.size_of_type(&ty.name.to_string());
        let size = super::calls::Argument::unplaced(size, String::new());
        match self.invoke(own, None, vec![size], span) {
            Value::Pointer(place) => place,
            _ => self.memory.allocate(Origin::Heap),
        }
    }
}
