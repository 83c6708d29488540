//! What containers hold from the beginning: so many elements, copies of one value, of a range or of another container.

use super::calls::Argument;
use super::machine::Machine;
use super::making::Made;
use super::memory::Value;
use super::numbers::Number;
use super::types::{Category, Core, Static};
use super::{Extent, Location, Mode, Step, budget};
use crate::facts::ir::{Name, Role};
use crate::syntax::Span;

impl Machine<'_> {
    /// What a container holds that was made from arguments in parentheses, and how much of it: so many elements, so many of one
    /// value, a copy of a range or of another container.
    pub(super) fn fill_sequence(
        &mut self,
        place: &Location,
        ty: &Name,
        args: &[Argument],
        span: Span,
    ) -> Option<i64> {
        let values: Vec<&Value> = args.iter().map(|it| &it.value).collect();
        match values.as_slice() {
            [count @ Value::Unknown(_)] | [count @ Value::Unknown(_), Value::Int(_)] => {
                self.memory.counts.insert(place.clone(), (*count).clone());
                None
            }
            [Value::Int(count), Value::Aggregate(from)] if self.memory.smart.contains(from) => {
                self.fill_with_owners(place, from, (*count).min(64));
                Some(*count)
            }
            [Value::Int(count), Value::Aggregate(from)] if !self.memory.is_sequence(from) => Some(*count),
            [Value::Int(count)] => {
                let held = ty.template_args.first().and_then(|it| Number::named(it));
                if held.is_some() {
                    self.memory.zero(place);
                }
                Some(*count)
            }
            [Value::Int(count), value] => {
                for index in 0..(*count).min(64) {
                    let element = self.memory.element(place, index);
                    self.prepare_element(place, &element);
                    let shared = args[1]
                        .place
                        .as_ref()
                        .filter(|it| self.memory.smart.contains(*it));
                    match shared {
                        Some(_) => self.fill_element(place, &element, vec![args[1].clone()], span),
                        None => self.copy_element(&element, (*value).clone(), span),
                    }
                }
                Some(*count)
            }
            [Value::Pointer(from)] | [Value::Pointer(from), _] if self.is_vector_of_device(from) => {
                let from = (*from).clone();
                self.copy_of_vector(&from, Extent::Whole, Mode::Read, span);
                None
            }
            [Value::Aggregate(from)] if self.memory.is_sequence(from) => {
                self.assign(place, Value::Aggregate(from.clone()));
                if !args.iter().all(|it| it.moved) {
                    self.copy_elements(from, place, span);
                }
                self.prepare_sequence(place, ty);
                self.memory.lengths.get(place).copied()
            }
            // The beginning of a range that is copied.
            [first @ Value::Pointer(from), last] => {
                self.touch_through(first, Mode::Read, span);
                let count = self.memory.distance(first, last)?;
                for index in 0..count.min(64) {
                    let value = self.load(&from.element(index));
                    let element = self.memory.element(place, index);
                    self.copy_element(&element, value, span);
                }
                Some(count)
            }
            _ => None,
        }
    }

    /// Elements that all own what a temporary owned.
    fn fill_with_owners(&mut self, place: &Location, from: &Location, count: i64) {
        let owned = match self.memory.get(from) {
            Some(Value::Pointer(object)) if self.memory.counted.contains(from) => Some(object.clone()),
            _ => None,
        };
        for index in 0..count {
            let element = self.memory.element(place, index);
            self.prepare_element(place, &element);
            self.memory.copy_object(from, &element);
            if let Some(object) = owned.clone().filter(|_| index > 0) {
                self.memory.add_owner(object);
            }
        }
        if count > 0 {
            self.memory.set(from.clone(), Value::Int(0));
        }
    }

    /// Elements of a container that was copied: by the code of their class, where that has some.
    pub(super) fn copy_elements(&mut self, from: &Location, to: &Location, span: Span) {
        for element in self.objects_in(from) {
            let mut copy = to.clone();
            copy.path.extend_from_slice(&element.path[from.path.len()..]);
            self.copy_element(&copy, Value::Aggregate(element), span);
        }
    }

    /// A container may get new memory: what the copies of its elements, and the ends of the old ones, store is done or not.
    pub(super) fn may_move_elements(&mut self, place: &Location, span: Span) {
        let Some(element) = self.objects_in(place).into_iter().next() else {
            return;
        };
        let Some(class) = self.object_at(&element) else {
            return;
        };
        if !self.copies_by_code(class) && !self.ends_by_code(class)
            || !self.memory.owners_in(&element).is_empty()
        {
            return;
        }
        let mut special = self.copying(class, Role::Constructor);
        special.extend(self.program.resolve_destructor(class));
        if special.iter().any(|it| self.program.is_eventful(*it)) {
            return;
        }
        let given = Static {
            category: Category::Moved,
            ..Static::temporary(Core::Class(class))
        };
        let (mark, events) = (self.memory.watch(), self.events());
        let lengths = self.memory.lengths.clone();
        let moved = self.memory.local();
        self.control.quiet += 1;
        self.copy_construct(&moved, class, &element, &given, span);
        // What is left of the old element, apart from the tables that say what its parts are.
        let old = self.memory.local();
        self.memory.copy_object(&element, &old);
        self.destroy(&old, class, span);
        self.control.quiet -= 1;
        self.trace.threads[self.control.thread.0 as usize]
            .events
            .truncate(events);
        let changed = self.memory.before_since(mark);
        self.memory.roll_back(mark);
        self.memory.unwatch();
        let lengths_then = std::mem::replace(&mut self.memory.lengths, lengths);
        let is_outside = |it: &Location| {
            it.base != moved.base
                && it.base != old.base
                && !(it.base == place.base && it.path.starts_with(&place.path))
        };
        let resized: Vec<Location> = lengths_then
            .iter()
            .filter(|(it, length)| is_outside(it) && self.memory.lengths.get(it) != Some(*length))
            .map(|(it, _)| it.clone())
            .collect();
        resized.iter().for_each(|it| self.lose_container(it));
        for (it, before) in changed {
            let is_plain = matches!(
                before,
                None | Some(Value::Int(_) | Value::Str(_) | Value::Unknown(_))
            );
            if is_plain && is_outside(&it) {
                let lost = self.memory.fresh_lost();
                self.memory.set(it, lost);
            }
        }
    }

    /// A container may ask an allocator of the program for memory, or give some back.
    pub(super) fn may_allocate(&mut self, container: &Location) {
        if self.memory.allocated.contains(container) {
            self.lose_reachable(vec![container.clone()]);
        }
    }

    /// An element that is a copy of something: made by the code of its class, where that has some.
    fn copy_element(&mut self, element: &Location, value: Value, span: Span) {
        let class = match &value {
            Value::Aggregate(from) => self.object_at(from).filter(|it| self.copies_by_code(*it)),
            _ => None,
        };
        let (Some(class), Value::Aggregate(from)) = (class, &value) else {
            return self.assign(element, value);
        };
        let given = Static {
            category: Category::Named,
            ..Static::temporary(Core::Class(class))
        };
        self.copy_construct(element, class, from, &given, span);
    }

    /// How many elements a `std::array` has.
    pub(super) fn array_length(&mut self, ty: &Name) -> Option<i64> {
        let count = ty.template_args.get(1).filter(|_| ty.last() == "array")?;
        let count = self.template_argument(count.trim());
        count.parse().ok().or_else(|| {
            let name = Name {
                path: count.split("::").map(str::to_owned).collect(),
                template_args: Vec::new(),
                owner_args: Vec::new(),
            };
            self.program.constant_value(self.scope(), &name).or_else(|| {
                // A constant of the program, or of the function.
                let place = self.name_place(&name)?;
                match self.load(&place) {
                    Value::Int(count) => Some(count),
                    _ => None,
                }
            })
        })
    }

    /// Elements of a class of the program are constructed with their container.
    pub(super) fn construct_elements(&mut self, place: &Location, span: Span) {
        let Some(kind) = self.memory.element_types.get(place).cloned() else {
            return;
        };
        if matches!(self.made_of(&kind), Made::Plain) {
            return;
        }
        let count = self.memory.count(place).unwrap_or(0);
        for index in 0..count.min(i64::from(budget::KNOWN_ITERATIONS)) {
            let element = place.step(Step::Element(index));
            if !self.memory.stands_at(&element) {
                let _ = self.make(&element, &kind, Vec::new(), span);
            }
        }
    }
}
