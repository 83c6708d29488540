//! Objects of types as written, wherever they are part of something else: elements, values of maps, parts of pairs, what
//! pointers own.
//!
//! Invariant: what an object is does not depend on what holds it.

use super::calls::Argument;
use super::containers::{is_map, is_sequence};
use super::machine::Machine;
use super::memory::Value;
use super::numbers::Number;
use super::{Location, Step};
use crate::api::library;
use crate::facts::ir::{Expr, ExprKind, Initialiser, Name, Type, Written};
use crate::program::kernels::written_name;
use crate::program::{ClassId, Scope};
use crate::syntax::Span;

/// Items of a list that are looked at.
const MOST_ITEMS: usize = 64;

/// How deep types are looked into.
const MOST_NESTING: u32 = 6;

/// What a type makes of a place.
pub(super) enum Made {
    /// An object of a class of the program.
    Object(ClassId, Name),
    Sequence(Name),
    Map(Name),
    /// A pointer that owns.
    Smart(Name),
    /// A pair, or else a tuple.
    Parts(Name, bool),
    /// Something that may be there, of a type as written.
    Optional(String),
    /// One of several things.
    Variant(Name),
    Thread(Name),
    DeviceVector(Name),
    /// A number, a pointer, a handle, or something nobody knows.
    Plain,
}

impl<'p> Machine<'p> {
    /// What a type as written makes of a place here.
    pub(super) fn made_of(&self, written: &str) -> Made {
        let written = written.trim();
        if written.is_empty() || written.ends_with(['*', '&']) || Number::named(written).is_some() {
            return Made::Plain;
        }
        written_name(written).map_or(Made::Plain, |name| self.made_of_name(name))
    }

    pub(super) fn made_of_name(&self, name: Name) -> Made {
        let name = self.substituted(&name).unwrap_or(name);
        if let Some(class) = self.class_meant(&name) {
            return Made::Object(class, name);
        }
        let made = standard(&name);
        if !matches!(made, Made::Plain) {
            return made;
        }
        match self.program.resolve_alias(self.scope(), &name) {
            Some(Type {
                pointers: 0, name, ..
            }) => standard(&name),
            _ => Made::Plain,
        }
    }

    /// A type's name with aliases followed.
    pub(super) fn standard_name(&self, scope: Scope<'_>, name: &Name) -> Name {
        self.program
            .resolve_alias(scope, name)
            .map_or_else(|| name.clone(), |it| it.name)
    }

    /// Makes an object of a type as written: `T(args…)` at a place. Gives the arguments back where that is nothing but a value.
    pub(super) fn make(
        &mut self,
        place: &Location,
        written: &str,
        args: Vec<Argument>,
        span: Span,
    ) -> Result<(), Vec<Argument>> {
        let made = self.made_of(written);
        self.make_as(place, made, args, span)
    }

    /// The same for a type by its name.
    pub(super) fn make_named(
        &mut self,
        place: &Location,
        name: &Name,
        args: Vec<Argument>,
        span: Span,
    ) -> Result<(), Vec<Argument>> {
        let made = self.made_of_name(name.clone());
        self.make_as(place, made, args, span)
    }

    pub(super) fn make_as(
        &mut self,
        place: &Location,
        made: Made,
        args: Vec<Argument>,
        span: Span,
    ) -> Result<(), Vec<Argument>> {
        match made {
            Made::Plain => return Err(args),
            Made::Object(class, name) => {
                self.note_arguments_of(place, class, &name);
                match args.as_slice() {
                    [
                        Argument {
                            value: Value::Aggregate(list),
                            ..
                        },
                    ] if self.memory.lists.contains_key(list) => {
                        let list = list.clone();
                        self.construct_list(place, class, &list, span);
                    }
                    _ => self.construct(place, class, args, span),
                }
            }
            Made::Sequence(ty) => self.make_sequence(place, &ty, args, span),
            Made::Map(ty) => {
                match args.into_iter().next() {
                    Some(first) => self.assign(place, first.value),
                    None => self.memory.zero(place),
                }
                self.prepare_map(place, &ty);
            }
            Made::Smart(ty) => {
                let values = args.into_iter().map(|it| self.owned_value(it)).collect();
                self.smart_pointer(place, &ty, values);
            }
            Made::Parts(ty, is_pair) => self.make_parts(place, &ty, is_pair, args, span),
            Made::Optional(kind) => {
                self.memory.optionals.insert(place.clone(), kind.clone());
                if let Some(first) = args.into_iter().next() {
                    self.make_or_assign(place, &kind, first, span);
                }
            }
            Made::Variant(ty) => {
                if !args.is_empty() {
                    return Err(args);
                }
                self.make_first_alternative(place, &ty, span);
            }
            Made::Thread(ty) => self.construct_thread(place, ty.last(), args, span),
            Made::DeviceVector(ty) => self.construct_device_vector(place, &ty, args, span),
        }
        Ok(())
    }

    fn make_sequence(&mut self, place: &Location, ty: &Name, args: Vec<Argument>, span: Span) {
        let held = ty.template_args.first().cloned().unwrap_or_default();
        let list = match args.as_slice() {
            [
                Argument {
                    value: Value::Aggregate(list),
                    ..
                },
            ] if self.memory.lists.contains_key(list) => Some(list.clone()),
            _ => None,
        };
        let length = if let Some(list) = list {
            self.prepare_sequence(place, ty);
            let parts = self.parts_of_list(&list);
            let length = parts.len() as i64;
            for (part, index) in parts.into_iter().zip(0..) {
                let element = self.memory.element(place, index);
                self.make_or_assign(&element, &held, part, span);
            }
            Some(length)
        } else if args.is_empty() {
            self.prepare_sequence(place, ty);
            (ty.last() != "array").then_some(0)
        } else {
            self.prepare_sequence(place, ty);
            let length = self.fill_sequence(place, ty, &args, span);
            self.prepare_sequence(place, ty);
            length
        };
        match self.array_length(ty).or(length) {
            Some(length) => self.memory.lengths.insert(place.clone(), length),
            None => self.memory.lengths.remove(place),
        };
        self.construct_elements(place, span);
    }

    fn make_parts(&mut self, place: &Location, ty: &Name, is_pair: bool, args: Vec<Argument>, span: Span) {
        let types = &ty.template_args;
        match args.as_slice() {
            [] => {
                if !is_pair {
                    self.memory.tuples.insert(place.clone());
                }
                for (written, index) in types.iter().zip(0..) {
                    let _ = self.make(&part_at(place, is_pair, index), written, Vec::new(), span);
                }
            }
            [only] => {
                let parts = match &only.value {
                    Value::Aggregate(list) if self.memory.lists.contains_key(list) => {
                        self.parts_of_list(list)
                    }
                    _ => Vec::new(),
                };
                if parts.len() == types.len() {
                    self.make_parts(place, ty, is_pair, parts, span);
                } else {
                    self.assign(place, only.value.clone());
                }
            }
            _ => {
                self.fill_parts(place, is_pair, types, args);
                for (written, index) in types.iter().zip(0..) {
                    self.see_as(&part_at(place, is_pair, index), written);
                }
            }
        }
    }

    /// Makes an object at a place, or puts a value there.
    pub(super) fn make_or_assign(&mut self, place: &Location, written: &str, argument: Argument, span: Span) {
        if let Err(args) = self.make(place, written, vec![argument], span) {
            self.assign_first(place, args);
        }
    }

    fn assign_first(&mut self, place: &Location, args: Vec<Argument>) {
        let value = match args.into_iter().next() {
            Some(first) => self.owned_value(first),
            None => Value::Int(0),
        };
        self.assign(place, value);
    }

    /// The same with what stands in the text: braces are read as what they are for.
    pub(super) fn make_from(&mut self, place: &Location, written: &str, expression: &'p Expr, span: Span) {
        let made = self.made_of(written);
        self.make_item(place, made, expression, span);
    }

    /// The same for a type whose meaning is known.
    pub(super) fn make_item(&mut self, place: &Location, made: Made, expression: &'p Expr, span: Span) {
        match &expression.kind {
            ExprKind::InitList(items) => self.make_of_braces(place, made, items, span),
            _ if let Made::Sequence(ty) = &made => {
                self.take_container(place, expression, span);
                self.prepare_sequence(place, ty);
                self.construct_elements(place, span);
            }
            _ => {
                let argument = self.argument(expression);
                if let Err(args) = self.make_as(place, made, vec![argument], span) {
                    self.assign_first(place, args);
                }
            }
        }
    }

    /// `T{…}` at a place.
    pub(super) fn make_from_braces(
        &mut self,
        place: &Location,
        written: &str,
        items: &'p [Initialiser],
        span: Span,
    ) {
        let made = self.made_of(written);
        self.make_of_braces(place, made, items, span);
    }

    /// The same for a type whose meaning is known.
    pub(super) fn make_of_braces(
        &mut self,
        place: &Location,
        made: Made,
        items: &'p [Initialiser],
        span: Span,
    ) {
        match made {
            Made::Object(class, name) => {
                self.note_arguments_of(place, class, &name);
                self.initialise_braces(place, class, items, span);
            }
            Made::Sequence(ty) if self.is_no_list(&ty, items) => {
                let args = items.iter().map(|it| self.argument(&it.value)).collect();
                self.make_sequence(place, &ty, args, span);
            }
            Made::Sequence(ty) => {
                self.prepare_sequence(place, &ty);
                let count = self.initialise_elements(place, items, span);
                let length = self.array_length(&ty).unwrap_or(count);
                self.memory.lengths.insert(place.clone(), length);
                self.construct_elements(place, span);
            }
            Made::Map(ty) => {
                self.memory.zero(place);
                self.prepare_map(place, &ty);
                self.initialise_map(place, items);
            }
            Made::Parts(ty, is_pair) if items.len() == ty.template_args.len() => {
                if !is_pair {
                    self.memory.tuples.insert(place.clone());
                }
                for ((item, written), index) in items.iter().zip(&ty.template_args).zip(0..) {
                    let part = part_at(place, is_pair, index);
                    self.make_from(&part, written, &item.value, span);
                }
            }
            Made::Variant(ty) if items.is_empty() => self.make_first_alternative(place, &ty, span),
            Made::Plain | Made::Variant(_) => {
                let value = match items {
                    [] => Value::Int(0),
                    [only] if only.field.is_none() => self.evaluate_copy(&only.value),
                    _ => {
                        self.initialise_fields(place, None, items);
                        return;
                    }
                };
                self.assign(place, value);
            }
            made => {
                let args = items.iter().take(MOST_ITEMS);
                let args = args.map(|it| self.argument(&it.value)).collect();
                let _ = self.make_as(place, made, args, span);
            }
        }
    }

    /// `return {…}` of what is no class of the program.
    pub(super) fn return_braces(
        &mut self,
        place: &Location,
        result: &Type,
        items: &'p [Initialiser],
        span: Span,
    ) {
        match self.made_of_name(result.name.clone()) {
            made if result.pointers == 0 && !matches!(made, Made::Plain) => {
                self.make_of_braces(place, made, items, span);
            }
            _ => self.initialise_fields(place, None, items),
        }
    }

    /// `T(args)` or `T{args}` of something of the standard library that has more to it than a value.
    pub(super) fn temporary_of_library(
        &mut self,
        name: &Name,
        init: Written<'p>,
        span: Span,
    ) -> Option<Value> {
        let made = self.made_of_name(name.clone());
        let is_thread = matches!(made, Made::Thread(_));
        if !is_thread
            && !matches!(
                made,
                Made::Sequence(_) | Made::Map(_) | Made::Smart(_) | Made::Parts(..)
            )
        {
            return None;
        }
        let place = self.memory.local();
        // `T({…})`.
        let inner = match init.only().map(|it| &it.kind) {
            Some(ExprKind::InitList(items)) if matches!(init, Written::Args(_)) => Written::Braces(items),
            _ => init,
        };
        match inner {
            Written::Braces(items) => self.make_of_braces(&place, made, items, span),
            Written::Args(args) => {
                let args = self.arguments(args);
                let _ = self.make_as(&place, made, args, span);
            }
        }
        Some(if is_thread {
            self.memory.load(&place)
        } else {
            Value::Aggregate(place)
        })
    }

    /// The type, as written, of what stands in a container.
    pub(super) fn held_type(&self, place: &Location) -> Option<String> {
        let mut holder = place.clone();
        if let Some(Step::Field(name)) = holder.path.pop() {
            if *name != *"second" {
                return None;
            }
            holder.path.pop();
            return (self.memory.maps.contains(&holder))
                .then(|| self.memory.element_types.get(&holder).cloned())?;
        }
        self.memory.element_types.get(&holder).cloned()
    }

    /// What stands at a place is of a type as written, whoever made it.
    pub(super) fn see_as(&mut self, place: &Location, written: &str) {
        self.see_as_inside(place, written, 0);
    }

    fn see_as_inside(&mut self, place: &Location, written: &str, depth: u32) {
        // The type of a container is all that is asked for here: most are none.
        if depth > MOST_NESTING || !written.contains('<') && Number::named(written.trim()).is_some() {
            return;
        }
        match self.made_of(written) {
            Made::Sequence(ty) if !self.memory.arrays.contains(place) => self.prepare_sequence(place, &ty),
            Made::Map(ty) if !self.memory.maps.contains(place) => self.prepare_map(place, &ty),
            Made::Parts(ty, is_pair) => {
                for (written, index) in ty.template_args.iter().zip(0..) {
                    self.see_as_inside(&part_at(place, is_pair, index), written, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// Makes a new entry of a map from the arguments of its value.
    pub(super) fn make_entry(&mut self, map: &Location, key: Value, args: Vec<Argument>, span: Span) {
        let entry = self.map_entry(map, &key);
        self.assign(&entry.field("first"), key);
        let place = entry.field("second");
        let kind = self.memory.element_types.get(map).cloned().unwrap_or_default();
        if let Err(args) = self.make(&place, &kind, args, span) {
            self.assign_first(&place, args);
        }
    }
}

fn part_at(object: &Location, is_pair: bool, index: i64) -> Location {
    match index {
        0 if is_pair => object.field("first"),
        _ if is_pair => object.field("second"),
        _ => object.step(Step::Element(index)),
    }
}

/// What a type of the standard library, or one like it, makes of a place.
pub(super) fn standard(name: &Name) -> Made {
    let name = name.clone();
    match name.last() {
        it if is_sequence(it) => Made::Sequence(name),
        it if is_map(it) => Made::Map(name),
        last if library::is_smart_pointer(last) => Made::Smart(name),
        "pair" => Made::Parts(name, true),
        "tuple" => Made::Parts(name, false),
        "optional" => Made::Optional(name.template_args.first().cloned().unwrap_or_default()),
        "variant" => Made::Variant(name),
        "thread" | "jthread" => Made::Thread(name),
        "device_vector" | "universal_vector" => Made::DeviceVector(name),
        _ => Made::Plain,
    }
}
