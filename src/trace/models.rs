//! Stand-ins for libraries while they run: where what they do is said to happen, and what they can ask of the machine.
//!
//! A model is code of nobody's: it never is the place of an event, and no call of one counts as a level of nesting.

use super::access::Mode;
use super::calls::Argument;
use super::containers::Order;
use super::machine::{Frame, Machine};
use super::memory::Value;
use super::{Location, Step};
use crate::facts::ir::{Expr, ExprKind, Name};
use crate::program::{ClassId, FileId, INTRINSICS};
use crate::syntax::Span;

/// Elements of a range that a model goes over one by one.
const FEW: i64 = 32;

/// Parts of a tuple that are looked at.
const MOST_PARTS: usize = 16;

impl<'p> Machine<'p> {
    /// Where something stands in the project: what a model does happens where it is called.
    pub(super) fn at(&self, span: Span) -> (FileId, Span) {
        let mut at = (self.frame().file, span);
        for frame in self.control.frames.iter().rev() {
            if !self.program.is_model(frame.file) {
                break;
            }
            at = frame.call_site.unwrap_or(at);
        }
        at
    }

    /// Whether a model runs.
    pub(super) fn in_model(&self) -> bool {
        self.program.is_model(self.frame().file)
    }

    /// Functions of the project that are being executed, those that only lead on to another one left out.
    pub(super) fn depth(&self) -> usize {
        let own = |file: FileId| !self.program.is_model(file);
        let counts = |(at, frame): &(usize, &Frame<'_>)| {
            // A function that calls itself counts once.
            let again = |it: &Frame<'_>| it.function.is_some() && it.function == frame.function;
            own(frame.file) && !frame.link && !self.control.frames[..*at].iter().any(again)
        };
        self.control.frames.iter().enumerate().filter(counts).count()
    }

    /// What a model asks of the machine; `None` where the name is no such thing.
    pub(super) fn intrinsic(&mut self, name: &Name, args: &'p [Expr], span: Span) -> Option<Value> {
        let [namespace, function] = name.path.as_slice() else {
            return None;
        };
        if namespace != INTRINSICS || !self.in_model() {
            return None;
        }
        let args = self.arguments(args);
        let values: Vec<Value> = args.iter().map(|it| it.value.clone()).collect();
        Some(match (function.as_str(), values.as_slice()) {
            ("few", [first, last]) => {
                let known = distance(first, last).is_some_and(|it| (0..=FEW).contains(&it));
                Value::Int(i64::from(known))
            }
            ("short_of", [count]) => {
                let known = matches!(count, Value::Int(count) if (0..=FEW).contains(count));
                Value::Int(i64::from(known))
            }
            ("settled", [first, last]) => Value::Int(i64::from(self.is_settled(first, last))),
            ("known", [value]) => Value::Int(i64::from(!matches!(value, Value::Unknown(_)))),
            ("call", [callee, ..]) => {
                let callee = callee.clone();
                self.run_callee(&callee, args.into_iter().skip(1).collect(), span)
            }
            ("call_with_parts", [callee, Value::Aggregate(parts)]) => {
                let (callee, parts) = (callee.clone(), parts.clone());
                let parts = self.parts_as_arguments(&parts);
                self.run_callee(&callee, parts, span)
            }
            ("somewhere", [Value::Pointer(place)]) => {
                Value::Pointer(self.container_of(place).step(Step::Any))
            }
            ("leads_into", [Value::Pointer(place), Value::Aggregate(container)]) => {
                Value::Int(i64::from(self.container_of(place) == *container))
            }
            ("leads_into", [Value::Unknown(_), _]) => self.memory.fresh(),
            ("leads_into", _) => Value::Int(0),
            ("address_of", [_]) => match args.into_iter().next().and_then(|it| it.place) {
                Some(place) => Value::Pointer(place),
                None => self.memory.fresh(),
            },
            ("reads", [first, ..]) => {
                for iterator in self.pointers_of(first) {
                    self.touch_through(&iterator, Mode::Read, span);
                }
                Value::Int(0)
            }
            ("writes", [first, ..]) => {
                for iterator in self.pointers_of(first) {
                    self.touch_through(&iterator, Mode::Write, span);
                    if let Value::Pointer(place) | Value::Aggregate(place) = &iterator {
                        self.lose_elements(&self.container_of(place));
                    }
                }
                Value::Int(0)
            }
            ("permutes", [first, ..]) => {
                for iterator in self.pointers_of(first) {
                    self.touch_through(&iterator, Mode::Write, span);
                    if let Value::Pointer(place) | Value::Aggregate(place) = &iterator {
                        self.permute(&self.container_of(place));
                    }
                }
                Value::Int(0)
            }
            ("forget", [_]) => {
                let place = args.into_iter().next().and_then(pointed_to);
                place.into_iter().for_each(|it| self.lose_container(&it));
                Value::Int(0)
            }
            _ => self.memory.fresh(),
        })
    }

    /// The parts of a pair or a tuple, as a function is handed them.
    fn parts_as_arguments(&mut self, whole: &Location) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for index in 0..MOST_PARTS {
            let part = self.part(whole, index);
            let part = self.memory.references.get(&part).cloned().unwrap_or(part);
            if !self.memory.stands_at(&part) {
                break;
            }
            let value = match self.object_at(&part) {
                Some(_) => Value::Aggregate(part.clone()),
                None => self.load(&part),
            };
            arguments.push(Argument {
                place: Some(part),
                ..Argument::unplaced(value, String::new())
            });
        }
        arguments
    }

    /// An iterator, and the pointers it holds where it is an object.
    fn pointers_of(&self, iterator: &Value) -> Vec<Value> {
        let mut all = vec![iterator.clone()];
        if let Value::Aggregate(object) = iterator {
            let held = self.memory.under(object).map(|(_, it)| it);
            all.extend(held.filter(|it| matches!(it, Value::Pointer(_))).cloned());
        }
        all
    }

    /// The container that what an iterator leads to belongs to.
    fn container_of(&self, element: &Location) -> Location {
        self.memory.map_of(element).unwrap_or_else(|| owner_of(element))
    }

    /// Elements change places: what each of them is now is one of what they were.
    fn permute(&mut self, container: &Location) {
        let times = self.times_under(container);
        let cells = self.memory.under(container).map(|(it, _)| it);
        let is_element = |it: &&Location| {
            let inside = it.path.len() == container.path.len() + 1;
            inside && matches!(it.path.last(), Some(Step::Element(_)))
        };
        let elements: Vec<Location> = cells.filter(is_element).cloned().collect();
        self.lose_elements(container);
        for element in elements.into_iter().filter(|_| !times.is_empty()) {
            let value = self.memory.fresh();
            self.note_one_of(&value, times.clone());
            self.memory.set(element, value);
        }
    }

    /// Whether every element of a short range is known, or made of what is known. A range of one has nothing to choose from.
    fn is_settled(&self, first: &Value, last: &Value) -> bool {
        const MOST: i64 = 16;
        let (Some(count), Value::Pointer(first)) = (distance(first, last), first) else {
            return false;
        };
        let known = |index| {
            let element = first.element(index);
            let mut cells = self.memory.under(&element).peekable();
            cells.peek().is_some() && cells.all(|(_, it)| !matches!(it, Value::Unknown(_)))
        };
        count == 1 || (0..=MOST).contains(&count) && (0..count).all(known)
    }

    /// A method that models define for every container whose elements stand one behind the other.
    pub(super) fn modelled_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        if args.iter().any(|it| matches!(it.kind, ExprKind::InitList(_)))
            || self.memory.orders.get(place) == Some(&Order::List)
        {
            return None;
        }
        let class = self.model_class("sequence")?;
        let function = self.program.resolve_method(class, method, args.len())?;
        let args = self.arguments(args);
        let function = self.best_overload(function, &args);
        // What the model calls in its turn are the container's methods, whatever a class that extends it says.
        let own = self.memory.classes.remove(place);
        let value = self.invoke(function, Some((place.clone(), class)), args, span);
        if let Some(own) = own {
            self.memory.classes.insert(place.clone(), own);
        }
        Some(value)
    }

    fn model_class(&self, name: &str) -> Option<ClassId> {
        let path = vec![INTRINSICS.to_owned(), name.to_owned()];
        self.class_meant(&Name {
            path,
            template_args: Vec::new(),
            owner_args: Vec::new(),
        })
    }

    /// Something happened to a container that nobody followed: how long it is and what it holds can be anything.
    pub(super) fn lose_container(&mut self, place: &Location) {
        self.memory.lengths.remove(place);
        self.memory.counts.remove(place);
        self.memory.heads.remove(place);
        self.memory.maps.remove(place);
        self.lose_elements(place);
    }

    /// Something happened to an object of a library that its model does not say: what it holds can be anything.
    pub(super) fn lose_stand_in(&mut self, object: &Location) {
        let class = self.memory.classes.get(object);
        if class.is_some_and(|it| self.program.is_model(it.file)) {
            self.memory.lose_under(object);
            self.memory.forget_lengths(object);
        }
    }

    /// Somebody nobody sees gets an object of a library: containers that it leads to can hold anything then.
    pub(super) fn lose_behind(&mut self, object: &Location) {
        let class = self.memory.classes.get(object);
        if !class.is_some_and(|it| self.program.is_model(it.file)) {
            return;
        }
        let led_to = self.memory.under(object).filter_map(|(_, value)| match value {
            Value::Pointer(to) => Some(owner_of(to)),
            _ => None,
        });
        let led_to: Vec<Location> = led_to.filter(|it| self.memory.is_sequence(it)).collect();
        led_to.iter().for_each(|it| self.lose_container(it));
    }

    /// What stands in a container can be anything; what was made there is still destroyed with it.
    fn lose_elements(&mut self, place: &Location) {
        self.memory.lose_under(place);
        let handles: Vec<Location> = self.memory.under(place).map(|(it, _)| it.clone()).collect();
        for it in handles {
            let value = self.memory.fresh_lost();
            self.memory.set(it, value);
        }
    }
}

/// How far one pointer is behind another, where both point into one object.
pub(super) fn distance(first: &Value, last: &Value) -> Option<i64> {
    let (Value::Pointer(first), Value::Pointer(last)) = (first, last) else {
        return None;
    };
    let split = |place: &Location| match place.path.split_last() {
        Some((Step::Element(index), before)) => (before.to_vec(), *index),
        _ => (place.path.clone(), 0),
    };
    let somewhere = |place: &Location| place.path.contains(&Step::Any);
    let ((mine, from), (theirs, to)) = (split(first), split(last));
    let same = first.base == last.base && mine == theirs && !somewhere(first) && !somewhere(last);
    same.then(|| to.saturating_sub(from))
}

/// The object that an element belongs to.
pub(super) fn owner_of(place: &Location) -> Location {
    let mut owner = place.clone();
    if matches!(
        owner.path.last(),
        Some(Step::Element(_) | Step::At(_) | Step::Any)
    ) {
        owner.path.pop();
    }
    owner
}

fn pointed_to(argument: Argument) -> Option<Location> {
    match (argument.value, argument.place) {
        (Value::Aggregate(place), _) | (_, Some(place)) => Some(place),
        (Value::Pointer(place), None) => Some(owner_of(&place)),
        _ => None,
    }
}
