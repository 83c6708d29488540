//! Classes that extend a container of the standard library.
//!
//! Invariant: an object of such a class and the container in it stand at one place. What the class does not do itself, the
//! container does.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Location;
use super::calls::Argument;
use super::lookups::OfClass;
use super::machine::Machine;
use super::making::{Made, standard};
use super::memory::Value;
use super::templates::replaced;
use super::types::{Core, Static};
use crate::api::library;
use crate::facts::ir::{Expr, Init, Initialiser, Name};
use crate::program::kernels::written_name;
use crate::program::{ClassId, Scope};
use crate::syntax::Span;

/// How deep bases are looked into.
const MOST_DEPTH: u32 = 6;

impl<'p> Machine<'p> {
    /// Whether objects of a class are containers of the standard library too, or may be.
    pub(super) fn is_container_class(&self, class: ClassId) -> bool {
        self.asked_once(class, OfClass::IsContainer, || self.extends_container(class, 0))
    }

    fn extends_container(&self, class: ClassId, depth: u32) -> bool {
        let definition = self.program.class(class);
        let is_parameter =
            |it: &Name| it.is_plain() && definition.template_params.iter().any(|p| p == it.last());
        depth < MOST_DEPTH
            && definition
                .bases
                .iter()
                .any(|it| match self.program.base_class(class, it) {
                    Some(base) => self.extends_container(base, depth + 1),
                    None => is_parameter(it) || self.is_standard_base(class, it),
                })
    }

    /// Whether a base of a class is a container of the standard library: none of its methods is virtual.
    pub(super) fn is_standard_base(&self, class: ClassId, base: &Name) -> bool {
        is_container(&standard(&self.standard_name(self.scope_of(class), base)))
    }

    fn scope_of(&self, class: ClassId) -> Scope<'p> {
        Scope {
            file: class.file,
            path: &self.program.class(class).path,
        }
    }

    /// Whether the object at a place is a container too, or may be.
    pub(super) fn extends_container_at(&self, place: &Location) -> bool {
        let class = self.memory.classes.get(place);
        class.is_some_and(|it| self.is_container_class(*it))
    }

    /// The type of the container that objects of a class are, where every one of them is the same.
    pub(super) fn type_of_container(&self, object: &Static) -> Option<Static> {
        let class = object.class().filter(|it| self.is_container_class(*it))?;
        let core = self.core_of_container(class, 0)?;
        Some(Static {
            core,
            ..object.clone()
        })
    }

    fn core_of_container(&self, class: ClassId, depth: u32) -> Option<Core> {
        let definition = self.program.class(class);
        if !definition.template_params.is_empty() || depth > MOST_DEPTH {
            return None;
        }
        definition
            .bases
            .iter()
            .find_map(|it| match self.program.base_class(class, it) {
                Some(base) => self.core_of_container(base, depth + 1),
                None => match self.container_meant(class, it, &BTreeMap::new())? {
                    Made::Sequence(ty) | Made::Map(ty) => {
                        let written = format!("{}<{}>", ty.last(), ty.template_args.join(", "));
                        Some(Core::Other(written))
                    }
                    _ => None,
                },
            })
    }

    /// Whether a value is an object of the class that a type means.
    pub(super) fn is_object_of(&self, name: &Name, value: &Value) -> bool {
        let own = match value {
            Value::Aggregate(place) => self.object_at(place),
            _ => None,
        };
        own.is_some_and(|own| {
            let wanted = self.class_of_type(name);
            wanted.is_some_and(|it| self.distance_to(own, it, 0).is_some())
        })
    }

    /// Template arguments of a base in the object at a place.
    pub(super) fn given_to_base(&self, place: &Location, class: ClassId, base: &Name) -> Vec<String> {
        let template = self.class_template(place, class);
        let meant = self.standard_name(self.scope_of(class), base);
        meant
            .template_args
            .iter()
            .map(|it| replaced(it, &template))
            .collect()
    }

    /// The container that a base of a class is in the object at a place; `None` where it is something else.
    fn container_base(&self, place: &Location, class: ClassId, base: &Name) -> Option<Made> {
        let template = self.class_template(place, class);
        self.container_meant(class, base, &template)
    }

    fn container_meant(
        &self,
        class: ClassId,
        base: &Name,
        template: &BTreeMap<String, Arc<str>>,
    ) -> Option<Made> {
        let parameter = base.is_plain().then(|| template.get(base.last())).flatten();
        let parameter = parameter.and_then(|it| written_name(it));
        let meant = self.standard_name(self.scope_of(class), parameter.as_ref().unwrap_or(base));
        let known = |it: &String| replaced(it, template);
        let name = Name {
            template_args: meant.template_args.iter().map(known).collect(),
            ..meant
        };
        Some(standard(&name)).filter(is_container)
    }

    /// The container that an object of a class is.
    fn container_in(&self, place: &Location, class: ClassId, depth: u32) -> Option<Made> {
        let bases = &self.program.class(class).bases;
        bases
            .iter()
            .find_map(|it| match self.program.base_class(class, it) {
                Some(base) if depth < MOST_DEPTH => self.container_in(place, base, depth + 1),
                Some(_) => None,
                None => self.container_base(place, class, it),
            })
    }

    /// Whether a name in a constructor's initialisers is that of a base: its own one, or one that the class gives it.
    pub(super) fn names_base(&self, class: ClassId, name: &str, base: &Name) -> bool {
        let scope = self.scope_of(class);
        let name = name.rsplit("::").next().unwrap_or(name);
        let alias = || self.program.resolve_alias(scope, &Name::plain(name));
        let own = self.program.base_class(class, base);
        let is_own = |it: ClassId| self.program.class(it).path.last().is_some_and(|it| it == name);
        base.last() == name
            || own.is_some_and(is_own)
            || alias().is_some_and(|it| match own {
                Some(own) => self.program.base_class(class, &it.name) == Some(own),
                None => it.name.last() == self.standard_name(scope, base).last(),
            })
    }

    /// The bases of a class that are containers, for an object whose parts begin to be.
    pub(super) fn containers_of(&self, place: &Location, class: ClassId) -> Vec<&'p Name> {
        if !self.is_container_class(class) {
            return Vec::new();
        }
        let bases = self.program.class(class).bases.iter();
        let own = bases.filter(|it| self.program.base_class(class, it).is_none());
        own.filter(|it| self.container_base(place, class, it).is_some())
            .collect()
    }

    /// The container in an object begins to be.
    pub(super) fn make_container(
        &mut self,
        place: &Location,
        class: ClassId,
        base: &Name,
        args: Vec<Argument>,
        span: Span,
    ) {
        let Some(made) = self.container_base(place, class, base) else {
            return;
        };
        self.begin_container(place, &made, span);
        if let [
            Argument {
                value: Value::Aggregate(from),
                ..
            },
        ] = args.as_slice()
            && (self.memory.arrays.contains(from) || self.memory.maps.contains(from))
            && !self.memory.lists.contains_key(from)
        {
            let (from, moved) = (from.clone(), args[0].moved);
            self.copy_container(&from, place, moved, span);
        } else {
            let _ = self.make_as(place, made, args, span);
        }
        self.forget_fields(place, class);
    }

    /// The same with what stands in braces, or in parentheses, in a constructor's initialisers.
    pub(super) fn make_written_container(
        &mut self,
        place: &Location,
        class: ClassId,
        base: &Name,
        init: &'p Init,
        span: Span,
    ) {
        match init {
            Init::Braces(items) if !self.is_no_list(base, items) => {
                self.make_container_of_braces(place, class, base, items, span);
            }
            _ => {
                let args = init.expressions().map(|it| self.argument(it)).collect();
                self.make_container(place, class, base, args, span);
            }
        }
    }

    pub(super) fn make_container_of_braces(
        &mut self,
        place: &Location,
        class: ClassId,
        base: &Name,
        items: &'p [Initialiser],
        span: Span,
    ) {
        if let Some(made) = self.container_base(place, class, base) {
            self.begin_container(place, &made, span);
            self.make_of_braces(place, made, items, span);
            self.forget_fields(place, class);
        }
    }

    /// The container that what stands in braces is for, where an object of a class is made of it: the class has no
    /// constructor of its own that takes it.
    pub(super) fn container_of_braces(
        &self,
        place: &Location,
        class: ClassId,
        items: &[Initialiser],
    ) -> Option<&'p Name> {
        let is_for_it = !items.is_empty()
            && items.iter().all(|it| it.field.is_none())
            && self.is_container_class(class)
            && self.program.resolve_constructor(class, items.len()).is_none()
            && self.own_fields(class).is_empty();
        is_for_it.then(|| self.containers_of(place, class).first().copied())?
    }

    fn begin_container(&mut self, place: &Location, made: &Made, span: Span) {
        if let Made::Sequence(ty) = made {
            self.prepare_sequence(place, ty);
            self.note_allocator(place, &ty.template_args, span);
        }
    }

    /// Where everything in a container begins as nothing, the members beside it do not.
    fn forget_fields(&mut self, place: &Location, class: ClassId) {
        if self.memory.is_zeroed(place) {
            for field in self.own_fields(class) {
                self.memory.blank(&place.field(&field));
            }
        }
    }

    /// The members that objects of a class have beside the container, by their steps.
    fn own_fields(&self, class: ClassId) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![(class, 0)];
        while let Some((next, depth)) = open.pop() {
            let definition = self.program.class(next);
            let fields = definition.fields.iter().filter(|it| !it.is_static);
            found.extend(fields.map(|it| self.program.field_step(next, &it.name).to_string()));
            if depth < MOST_DEPTH {
                let bases = definition.bases.iter();
                open.extend(bases.filter_map(|it| Some((self.program.base_class(next, it)?, depth + 1))));
            }
        }
        found
    }

    /// The members beside what the container at a place holds, where it is an object of a class.
    pub(super) fn members_beside(&self, place: &Location) -> Vec<String> {
        let class = self.memory.classes.get(place).copied();
        let class = class.filter(|it| self.is_container_class(*it));
        class.map_or_else(Vec::new, |it| self.own_fields(it))
    }

    /// Nothing is left in a map.
    pub(super) fn clear_map(&mut self, map: &Location) {
        if self.members_beside(map).is_empty() {
            self.memory.clear_object(map);
            self.memory.zero(map);
            return;
        }
        for entry in self.memory.entries(map, usize::MAX) {
            self.memory.clear_object(&entry);
        }
    }

    /// Whether a container stands at a place that is no object of a class that extends one.
    pub(super) fn is_only_container(&self, place: &Location) -> bool {
        (self.memory.is_sequence(place) || self.memory.maps.contains(place))
            && !self.extends_container_at(place)
    }

    /// The container in an object becomes a copy of another one, and nothing else of the object changes.
    fn copy_container(&mut self, from: &Location, place: &Location, moved: bool, span: Span) {
        if from == place {
            return;
        }
        let own = self.memory.classes.get(place).copied();
        let of_class = self.memory.class_arguments.get(place).cloned();
        let members = |machine: &Self, of: &Location| -> Vec<Location> {
            machine.members_beside(of).iter().map(|it| of.field(it)).collect()
        };
        let (own_members, its_members) = (members(self, place), members(self, from));
        if own_members
            .iter()
            .chain(&its_members)
            .any(|it| self.memory.holds_objects(it))
        {
            // Objects are not put aside.
            self.lose_container(place);
            self.see_container(place);
            return;
        }
        let kept = own_members.iter().flat_map(|it| self.memory.under(it));
        let kept: Vec<(Location, Value)> = kept.map(|(it, value)| (it.clone(), value.clone())).collect();
        self.memory.clear_object(place);
        self.memory.copy_object(from, place);
        for it in its_members {
            let path = [&place.path[..], &it.path[from.path.len()..]].concat();
            let base = place.base;
            self.memory.blank(&Location { base, path });
        }
        own_members.iter().for_each(|it| self.memory.blank(it));
        for (it, value) in kept {
            self.memory.set(it, value);
        }
        match own {
            Some(own) => self.memory.classes.insert(place.clone(), own),
            None => self.memory.classes.remove(place),
        };
        match of_class {
            Some(known) => self.memory.class_arguments.insert(place.clone(), known),
            None => self.memory.class_arguments.remove(place),
        };
        match moved {
            true => self.memory.give_away(from),
            false => self.copy_elements(from, place, span),
        }
    }

    /// An object that nobody saw being made is the container that its class says.
    pub(super) fn see_container(&mut self, place: &Location) {
        let Some(class) = self.memory.classes.get(place).copied() else {
            return;
        };
        if self.memory.arrays.contains(place)
            || self.memory.maps.contains(place)
            || !self.is_container_class(class)
        {
            return;
        }
        match self.container_in(place, class, 0) {
            Some(Made::Sequence(ty)) => self.prepare_sequence(place, &ty),
            Some(Made::Map(ty)) => self.prepare_map(place, &ty),
            _ => {}
        }
    }

    /// Whether `[…]` of the object at a place is that of the container in it.
    pub(super) fn is_indexed_as_container(&mut self, place: &Location) -> bool {
        let class = self.memory.classes.get(place).copied();
        let by_container = class.is_some_and(|it| {
            self.is_container_class(it) && self.program.resolve_method(it, "operator[]", 1).is_none()
        });
        if by_container {
            self.see_container(place);
        }
        by_container && (self.memory.arrays.contains(place) || self.memory.maps.contains(place))
    }

    /// `base::method(…)`, and `method(…)` where nothing else is meant, of the container that the current object is.
    pub(super) fn call_of_container(
        &mut self,
        name: &'p Name,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let class = self.this_class().filter(|it| self.is_container_class(*it))?;
        let this = self.this()?;
        let method = name.path.last()?;
        let is_method = match name.path.as_slice() {
            [_] => {
                let is_open = !self.program.class(class).template_params.is_empty();
                library::works_on_containers(method)
                    && self.program.resolve_method(class, method, args.len()).is_none()
                    && !(is_open && self.function_meant(name, Some(args.len())).is_some())
            }
            _ => {
                let owner = name.owner()?;
                self.names_container((&this, class), &owner, method, args.len())
            }
        };
        is_method.then(|| self.container_call(&this, method, args, span))
    }

    /// `object.base::method(…)` of the container that the object at a place is.
    pub(super) fn call_of_owner(
        &mut self,
        place: &Location,
        owner: &Name,
        method: &'p str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let class = self.memory.classes.get(place).copied()?;
        (self.is_container_class(class) && self.names_container((place, class), owner, method, args.len()))
            .then(|| self.container_call(place, method, args, span))
    }

    /// Whether a method that is named with a class is one of the container that an object is.
    fn names_container(
        &self,
        (place, class): (&Location, ClassId),
        owner: &Name,
        method: &str,
        arguments: usize,
    ) -> bool {
        let meant = self.substituted(owner);
        let owner = meant.as_ref().unwrap_or(owner);
        if let Some(named) = self.class_meant(owner) {
            return self.is_container_class(named)
                && self.distance_to(class, named, 0).is_some()
                && self.program.resolve_method(named, method, arguments).is_none()
                && library::works_on_containers(method);
        }
        let named = self.standard_name(self.scope(), owner);
        match self.container_in(place, class, 0) {
            Some(Made::Sequence(ty) | Made::Map(ty)) => ty.last() == named.last(),
            _ => false,
        }
    }

    /// A method of the container that an object is.
    fn container_call(&mut self, place: &Location, method: &'p str, args: &'p [Expr], span: Span) -> Value {
        self.host_method(place, method, args, span).unwrap_or_else(|| {
            self.arguments(args);
            self.lose_container(place);
            self.memory.fresh()
        })
    }

    /// `container.operator[](index)`, `container.operator=(other)`.
    pub(super) fn container_operator(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        if !self.memory.arrays.contains(place) && !self.memory.maps.contains(place) {
            return None;
        }
        match (method, args) {
            ("operator[]", [index]) => {
                let element = self.indexed(place, index, span);
                self.control.here = span;
                let value = self.load(&element);
                self.control.returned = Some(element);
                Some(value)
            }
            ("operator=", [other]) => {
                let other = self.argument(other);
                self.destroy_elements(place, span);
                match &other.value {
                    Value::Aggregate(from)
                        if self.memory.is_sequence(from) || self.memory.maps.contains(from) =>
                    {
                        self.copy_container(&from.clone(), place, other.moved, span);
                    }
                    _ => self.lose_container(place),
                }
                self.control.returned = Some(place.clone());
                Some(Value::Aggregate(place.clone()))
            }
            _ => None,
        }
    }
}

/// Whether what a type makes of a place has elements or entries.
fn is_container(made: &Made) -> bool {
    matches!(made, Made::Sequence(_) | Made::Map(_))
}
