//! Who owns what: destructors, smart pointers and their deleters.

use std::collections::BTreeSet;
use std::ops::{Bound, Range};

use super::calls::Argument;
use super::construct::init_expressions;
use super::containers::{is_map, is_sequence};
use super::machine::Machine;
use super::making::Made;
use super::memory::Value;
use super::types::{Core, Static};
use super::{Location, Step};
use crate::api::library;
use crate::facts::ir::{Expr, Init, Name};
use crate::program::kernels::written_name;
use crate::program::{ClassId, Scope};
use crate::syntax::Span;

/// How deep classes are looked into for something a destructor must do.
const MAX_CLASS_DEPTH: u32 = 6;

impl<'p> Machine<'p> {
    /// Destroys what a container holds, first to last.
    pub(super) fn destroy_elements(&mut self, place: &Location, span: Span) {
        for part in self.owned_in(place) {
            self.end_object(&part, self.memory.classes.get(&part).copied(), span);
        }
        for thread in self.threads_in(place) {
            self.join_dropped(&thread, span);
        }
        self.may_allocate(place);
    }

    /// Whether something that ends stands in an object without a class.
    pub(super) fn owns_parts(&self, place: &Location) -> bool {
        !self.owned_in(place).is_empty()
    }

    /// Objects and owning pointers that stand in a container, at any depth; not those that are part of another object.
    fn owned_in(&self, place: &Location) -> Vec<Location> {
        let inside = |it: &&Location| it.base == place.base && it.path.starts_with(&place.path);
        let from = (Bound::Excluded(place), Bound::Unbounded);
        let objects = self.memory.classes.range::<Location, _>(from).map(|(it, _)| it);
        // Which element an index means that nobody knows, nobody knows.
        let is_known = |it: &&Location| {
            let mut steps = it.path[place.path.len()..].iter();
            !steps.any(|it| matches!(it, Step::At(_) | Step::Any))
        };
        let objects = objects.take_while(inside).filter(is_known);
        let pointers = self.memory.smart.range::<Location, _>(from).take_while(inside);
        // Members that stand beside what a container holds end with their object.
        let members = self.members_beside(place);
        let is_held = |it: &&Location| match &it.path[place.path.len()] {
            Step::Field(name) => !members.iter().any(|it| **it == **name),
            _ => true,
        };
        let (objects, pointers) = (objects.filter(is_held), pointers.filter(is_held));
        let all: BTreeSet<&Location> = objects.chain(pointers).collect();
        let mut found: Vec<Location> = Vec::new();
        for it in all {
            // What is inside comes behind what it is in.
            if !found.last().is_some_and(|outer| it.path.starts_with(&outer.path)) {
                found.push(it.clone());
            }
        }
        found
    }

    /// Which elements of a container in a range have something to destroy; the range may be as long as numbers go.
    pub(super) fn owned_elements(&self, place: &Location, range: Range<i64>) -> Vec<i64> {
        let inside = |it: &&Location| it.base == place.base && it.path.starts_with(&place.path);
        let from = (Bound::Included(place), Bound::Unbounded);
        let objects = self.memory.classes.range::<Location, _>(from).map(|(it, _)| it);
        let pointers = self.memory.smart.range::<Location, _>(from);
        let owned = objects.take_while(inside).chain(pointers.take_while(inside));
        let indices = owned.filter_map(|it| match it.path.get(place.path.len()..) {
            Some([Step::Element(index)]) if range.contains(index) => Some(*index),
            _ => None,
        });
        indices.collect::<BTreeSet<i64>>().into_iter().collect()
    }

    /// The threads that elements of a container hold.
    fn threads_in(&self, place: &Location) -> Vec<Value> {
        let element = |it: &Location| it.path.len() == place.path.len() + 1;
        let held = self.memory.under(place).filter(|(it, _)| element(it));
        held.filter(|(_, value)| matches!(value, Value::Thread(_)))
            .map(|(_, value)| value.clone())
            .collect()
    }

    pub(super) fn initialise_smart_pointer(&mut self, place: &Location, ty: &Name, init: Option<&'p Init>) {
        let args = init_expressions(init)
            .into_iter()
            .map(|it| self.evaluate_copy(it))
            .collect();
        self.smart_pointer(place, ty, args);
    }

    /// A smart pointer with its deleter: the second argument, or the second template argument.
    pub(super) fn smart_pointer(&mut self, place: &Location, ty: &Name, args: Vec<Value>) {
        let mut args = args.into_iter();
        let mut value = args.next().unwrap_or(Value::Int(0));
        let is_counted = ty.last() == "shared_ptr";
        if is_counted
            && args.len() == 1
            && let Value::Aggregate(whole) = &value
            && self.memory.counted.contains(whole)
        {
            // It owns the whole, and leads to a part of it.
            let (whole, owner) = (whole.clone(), self.memory.local());
            self.memory.copy_object(&whole, &owner);
            value = args.next().unwrap_or(Value::Int(0));
            self.memory.deleters.insert(place.clone(), Value::Pointer(owner));
        } else if is_counted && args.len() == 1 && value == Value::Int(0) {
            // Its deleter runs all the same.
            value = self.memory.fresh();
        }
        self.assign(place, value);
        self.memory.smart.insert(place.clone());
        if ty.last() == "shared_ptr" {
            self.memory.counted.insert(place.clone());
        }
        if self.memory.deleters.contains_key(place) {
            // Moved from another smart pointer, deleter and all.
            return;
        }
        let deleter = args
            .next()
            .or_else(|| ty.template_args.get(1).and_then(|written| self.functor(written)));
        if let Some(deleter) = deleter {
            self.memory.deleters.insert(place.clone(), deleter);
        }
    }

    /// A pointer that does not own is to know of what another one leads to.
    pub(super) fn watch_object(&mut self, place: &Location, owner: &'p Expr) {
        let known = match self.evaluate(owner) {
            Value::Aggregate(from) => self.memory.get(&from).cloned(),
            value => Some(value),
        };
        let known = known.unwrap_or_else(|| self.memory.fresh());
        self.memory.set(place.clone(), known);
    }

    /// What a pointer that does not own says of its object.
    pub(super) fn weak_method(&mut self, place: &Location, method: &str) -> Option<Value> {
        let held = self.memory.get(place).cloned();
        // Whether it has ended, where that is known.
        let ended = match &held {
            Some(Value::Int(0)) => Some(true),
            Some(Value::Pointer(object)) => match self.memory.ended.get(object) {
                None => Some(false),
                Some(sure) => sure.then_some(true),
            },
            _ => None,
        };
        Some(match (method, ended, held) {
            ("reset", ..) => {
                self.memory.set(place.clone(), Value::Int(0));
                Value::Int(0)
            }
            ("expired", Some(ended), _) => Value::Int(i64::from(ended)),
            ("use_count" | "lock", Some(true), _) => Value::Int(0),
            ("use_count", Some(false), Some(Value::Pointer(object))) => {
                let count = self.memory.owners_of(&object);
                count.map_or_else(|| self.memory.fresh(), Value::Int)
            }
            ("lock", Some(false), Some(Value::Pointer(object))) => {
                // How long this owner keeps it is not followed.
                self.memory.perhaps_owned.insert(object.clone());
                Value::Pointer(object)
            }
            ("lock" | "use_count" | "expired", ..) => self.memory.fresh(),
            _ => return None,
        })
    }

    /// What something of its own is made of: a smart pointer with a name is copied, and then there is one owner more.
    pub(super) fn owned_value(&mut self, argument: Argument) -> Value {
        match (argument.place, argument.value) {
            (Some(place), Value::Pointer(object)) if self.memory.smart.contains(&place) => {
                self.memory.add_owner(object);
                Value::Aggregate(place)
            }
            (_, value) => value,
        }
    }

    /// A default-constructed function object of a class named in template arguments.
    pub(super) fn functor(&mut self, written: &str) -> Option<Value> {
        let class = self.class_named(written.trim())?;
        let object = self.memory.local();
        if let Some(name) = written_name(written.trim()) {
            self.note_class_arguments(&object, class, &name.template_args);
        }
        self.construct(&object, class, Vec::new(), self.control.statement);
        Some(Value::Aggregate(object))
    }

    /// Whether destroying an object of this class can do anything.
    pub(super) fn needs_destruction(&self, class: ClassId, depth: u32) -> bool {
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        depth < MAX_CLASS_DEPTH
            && (self.program.resolve_destructor(class).is_some()
                || definition.fields.iter().any(|field| {
                    field.ty.pointers == 0
                        && !field.ty.reference
                        // What a template parameter stands for is another thing in each object.
                        && (definition.template_params.iter().any(|it| it == field.ty.name.last())
                            || library::is_owner(self.standard_name(scope, &field.ty.name).last())
                            || self
                                .program
                                .resolve_class(scope, &field.ty.name)
                                .is_some_and(|it| it != class && self.needs_destruction(it, depth + 1)))
                })
                || self.is_container_class(class)
                || definition.bases.iter().any(|base| {
                    self.program
                        .resolve_class(scope, base)
                        .is_some_and(|it| it != class && self.needs_destruction(it, depth + 1))
                }))
    }

    /// An object nobody saw being made is a smart pointer by its type: what such a one is asked for is what it holds.
    pub(super) fn see_owner(&mut self, object: &'p Expr, place: &Location, method: &str) {
        if !matches!(method, "get" | "release" | "reset") || self.memory.smart.contains(place) {
            return;
        }
        if let Some(Static {
            core: Core::Other(written),
            pointers: 0,
            ..
        }) = self.type_of(object)
            && matches!(self.made_of(&written), Made::Smart(_))
        {
            self.memory.smart.insert(place.clone());
        }
    }

    /// Destroys an object: its destructor's body, then its fields, then its bases.
    pub(super) fn destroy(&mut self, place: &Location, class: ClassId, span: Span) {
        if !self.needs_destruction(class, 0) || !self.tick() {
            return;
        }
        if let Some(destructor) = self.program.resolve_destructor(class) {
            self.invoke(destructor, Some((place.clone(), class)), Vec::new(), span);
        }
        self.destroy_parts(place, class, span);
    }

    /// `object.~T()`: whatever is there ends.
    pub(super) fn end_object(&mut self, place: &Location, class: Option<ClassId>, span: Span) {
        if self.memory.smart.contains(place) {
            self.release_pointer(place, span);
        } else if self.is_only_container(place) {
            self.destroy_elements(place, span);
        } else if let Some(class) = class {
            self.destroy(place, class, span);
            self.memory.unmake(place);
        }
    }

    /// The end of an object's members and bases.
    pub(super) fn destroy_parts(&mut self, place: &Location, class: ClassId, span: Span) {
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        for field in definition
            .fields
            .iter()
            .rev()
            .filter(|it| !it.is_static && it.ty.pointers == 0 && !it.ty.reference)
        {
            let target = self.member(place, class, &field.name);
            match self.standard_name(scope, &field.ty.name).last() {
                "optional" => self.empty_optional(&target, span),
                name if is_sequence(name) || is_map(name) || matches!(name, "pair" | "tuple") => {
                    self.destroy_elements(&target, span);
                }
                name if library::is_smart_pointer(name) => self.release_pointer(&target, span),
                "device_vector" | "universal_vector" => self.free_device_vector(&target, span),
                "jthread" | "future" => self.join_at(&target, span),
                _ => {
                    if let Some(inner) = self.class_of_member(place, class, &field.ty.name)
                        && inner != class
                    {
                        if field.dims.is_empty() {
                            self.destroy(&target, inner, span);
                        } else {
                            self.destroy_array(&target, span);
                        }
                    }
                }
            }
        }
        if !self.containers_of(place, class).is_empty() {
            self.destroy_elements(place, span);
        }
        let bases = definition.bases.iter().enumerate().rev();
        let plain = bases.filter(|(index, _)| !definition.virtual_bases.contains(&(*index as u32)));
        let plain = plain.filter_map(|(_, base)| self.base_at(place, class, base));
        let shared = match self.is_whole(place) {
            true => self.program.virtual_bases(class),
            false => Vec::new(),
        };
        let bases: Vec<ClassId> = plain.chain(shared.into_iter().rev()).collect();
        for base in bases {
            // What was the derived object is one of the base now.
            self.memory.classes.insert(place.clone(), base);
            self.as_part_of(place, |machine| machine.destroy(place, base, span));
            self.memory.classes.insert(place.clone(), class);
        }
    }

    /// A smart pointer lets go: its deleter runs, or what it points to is destroyed.
    pub(super) fn release_pointer(&mut self, place: &Location, span: Span) {
        let Some(value) = self.memory.get(place).cloned() else {
            return;
        };
        let deleter = self.memory.deleters.get(place).cloned();
        if let (Value::Unknown(_), Some(Value::Closure(deleter))) = (&value, &deleter) {
            // It may run.
            let held = self.closures[*deleter as usize].captured.clone();
            held.values().for_each(|it| self.memory.lose_under(it));
        }
        if matches!(value, Value::Int(_) | Value::Unknown(_)) {
            return;
        }
        self.memory.set(place.clone(), Value::Int(0));
        self.let_go(value, deleter, span);
    }

    /// What the owning pointers in an object hold, with their deleters.
    pub(super) fn owned_by(&self, object: &Location) -> Vec<(Value, Option<Value>)> {
        let pointers = self.memory.owners_in(object).into_iter();
        let held = pointers.filter_map(|it| match self.memory.get(&it) {
            Some(value @ Value::Pointer(_)) => Some((value.clone(), self.memory.deleters.get(&it).cloned())),
            _ => None,
        });
        held.collect()
    }

    /// One owner of an object is gone: the last one ends it.
    pub(super) fn let_go(&mut self, value: Value, deleter: Option<Value>, span: Span) {
        let sure = self.control.unsure == 0;
        if matches!(&value, Value::Pointer(object) if self.memory.drop_owner(object, sure)) {
            return;
        }
        let shared = matches!(&value, Value::Pointer(object) if self.memory.weak_knows(object));
        if let Value::Pointer(object) = &value {
            self.memory.ended.insert(object.clone(), sure && !shared);
        }
        if shared {
            let mark = self.memory.watch();
            self.end_owned(&value, deleter, span);
            self.lose_changes(mark, true);
            self.memory.unwatch();
            return;
        }
        self.end_owned(&value, deleter, span);
    }

    /// What nobody owns any more ends: by its deleter, or its destructor.
    fn end_owned(&mut self, value: &Value, deleter: Option<Value>, span: Span) {
        if let Some(Value::Pointer(owner)) = &deleter
            && self.memory.smart.contains(owner)
        {
            self.release_pointer(&owner.clone(), span);
            return;
        }
        if let Some(deleter) = deleter {
            let argument = super::calls::Argument::unplaced(value.clone(), String::new());
            self.invoke_value(&deleter, vec![argument], span);
            return;
        }
        self.delete(value, span);
    }

    /// `delete p`.
    pub(super) fn delete(&mut self, value: &Value, span: Span) {
        if let Value::Pointer(object) = value {
            self.free_device_vector(&object.clone(), span);
        }
        if let Value::Pointer(object) = value
            && self.memory.smart.contains(object)
        {
            self.release_pointer(&object.clone(), span);
        } else if let Value::Pointer(object) = value
            && (self.memory.lengths.get(object).is_none_or(|it| *it < 2) || self.extends_container_at(object))
            && let Some(class) = self.memory.classes.get(object).copied()
        {
            let object = object.clone();
            self.destroy(&object, class, span);
            if let Some(own) = self.program.resolve_method(class, "operator delete", 1) {
                let given = super::calls::Argument::unplaced(value.clone(), String::new());
                self.invoke(own, None, vec![given], span);
            }
        } else if let Value::Pointer(object) = value
            && (self.memory.is_sequence(object) || self.memory.maps.contains(object))
        {
            self.destroy_elements(&object.clone(), span);
        } else if let Value::Pointer(object) = value
            && let Some(length) = self.memory.lengths.get(object).copied()
        {
            let object = object.clone();
            let mut held = self.objects_in(&object);
            held.extend(self.object_at(&object).map(|_| object.clone()));
            let by_code = held.first().is_some_and(|it| {
                let class = self.memory.classes.get(it).copied();
                class.is_some_and(|it| self.needs_destruction(it, 0))
            });
            if by_code && held.len() as i64 != length {
                self.lose_reachable(vec![object.clone()]);
            }
            self.destroy_array(&object, span);
        }
    }

    /// The objects of an array end, last first.
    pub(super) fn destroy_array(&mut self, array: &Location, span: Span) {
        for element in self.objects_in(array).into_iter().rev() {
            if let Some(class) = self.memory.classes.get(&element).copied() {
                self.destroy(&element, class, span);
                self.memory.classes.remove(&element);
            }
        }
        // The first one of what was made with `new` stands where that begins.
        if let Some(class) = self.object_at(array) {
            self.destroy(array, class, span);
            self.memory.classes.remove(array);
        }
    }
}
