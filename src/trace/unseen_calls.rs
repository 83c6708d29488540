//! Calls of functions nobody can see: what they may do to what they are handed.

use super::calls::{Argument, Unseen};
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{Access, Action, Base, Block, Extent, Location, Mode, Step, Work, WorkKind, Write, budget};
use crate::api::library;
use crate::facts::ir::{Expr, Target};
use crate::program::FunctionId;
use crate::syntax::Span;

/// What is called and cannot be seen.
#[derive(Clone, Copy)]
pub(super) enum Callee<'a> {
    /// A function, and where it is declared.
    Function(&'a str, Option<FunctionId>),
    /// A method of some object.
    Method(&'a str),
}

impl<'p> Machine<'p> {
    /// A function that is not in the program: what is handed to it by address is unknown from here on.
    pub(super) fn unknown_call(
        &mut self,
        callee: Callee<'_>,
        args: &'p [Expr],
        unseen: Unseen,
        span: Span,
    ) -> Value {
        let (name, declared) = match callee {
            Callee::Function(name, declared) => (name, declared),
            Callee::Method(name) => (name, None),
        };
        let mut arguments = self.arguments_handed_on(args);
        if self.program.is_observed(name) {
            return self.observe(&arguments, span);
        }
        self.note_assertion(&arguments);
        // A result is a number, and leads nowhere.
        for argument in &mut arguments {
            argument.value = self.memory.settled(argument.value.clone());
        }
        if let (Callee::Function("free" | "operator delete" | "operator delete[]", None), Some(given)) =
            (callee, arguments.first())
            && let Some(base) = self.pointee(&given.value).map(|it| it.base)
        {
            let words = given.words.clone();
            self.host_memory_dies(base, &words, span);
        }
        if let ("on", [only]) = (name, arguments.as_slice()) {
            // `thrust::cuda::par.on(stream)`.
            return self.policy_in(only.clone(), span);
        }
        let only_reads = library::only_reads(name) || library::ends(name);
        self.note_told(&arguments, name, only_reads);
        if only_reads {
            self.note_print(name);
            return self.memory.fresh();
        }
        for argument in &arguments {
            if let Value::Aggregate(place) = &argument.value {
                self.touch(place, Extent::Element, Mode::Read, span);
            }
            if let Value::Graph(graph) = argument.value
                && let Some(graph) = self.graphs.get_mut(graph as usize)
            {
                graph.handed = true;
            }
        }
        self.read_range(&arguments, span);
        self.run_handed(&arguments, span);
        self.note_unresolved(name, span);
        self.enqueue_unseen(name, declared, &arguments, false, span);
        self.touch_unseen(declared, &arguments, span);
        // A container only keeps the objects that it is told.
        if !matches!(callee, Callee::Method(name) if library::keeps(name)) {
            self.touch_through_objects(&arguments, span);
        }
        self.note_opaque(name, &arguments, unseen == Unseen::Unbound, span);
        let is_callable = |it: &Argument| {
            matches!(
                it.value,
                Value::Closure(_) | Value::Bound(_) | Value::Function(..)
            )
        };
        if unseen == Unseen::Prompt
            && !arguments.iter().any(is_callable)
            && let Some(note) = self.trace.notes.opaque.last_mut()
        {
            note.is_prompt();
        }
        self.note_unseen_call(&arguments, None);
        for argument in &arguments {
            self.fresh_handles.remove(&argument.value);
        }
        self.lend(declared, &arguments);
        self.hand_out(arguments, span);
        let result = self.memory.fresh();
        if let Value::Unknown(id) = result {
            self.unseen_results.insert(id, self.trace.notes.opaque.len() - 1);
        }
        result
    }

    /// What is handed memory and one stream works on the memory in that stream: so do functions in libraries, and callables
    /// that clients hand in. Those need no memory for that.
    pub(super) fn enqueue_unseen(
        &mut self,
        name: &str,
        declared: Option<FunctionId>,
        arguments: &[Argument],
        is_callable: bool,
        span: Span,
    ) {
        let mut streams = arguments.iter().filter_map(|it| self.named_stream(&it.value));
        let (Some(stream), None) = (streams.next(), streams.next()) else {
            return;
        };
        let parameters = declared.map_or(&[][..], |it| &self.program.function(it).params);
        let access = |(index, argument): (usize, &Argument)| {
            let is_memory = matches!(&argument.value, Value::Pointer(place)
                if matches!(place.base, Base::Allocation(_) | Base::Outside(_)));
            let ty = parameters.get(index).map(|it| &it.ty);
            (is_memory && !self.is_pageable(&argument.value))
                .then(|| self.declared_access(ty, argument, span))
                .flatten()
        };
        let accesses: Vec<Access> = arguments.iter().enumerate().filter_map(access).collect();
        // A function that somebody wrote down may do anything else with a stream.
        if accesses.is_empty() && !is_callable {
            return;
        }
        let work = Work {
            kind: WorkKind::Other,
            stream,
            kernel: None,
            waits: Vec::new(),
            writes: Vec::new(),
            accesses,
        };
        self.finish(name.to_owned(), None, Some(work), Block::None, None, span);
    }

    /// What is handed memory of the host by a pointer through which that can be changed may change it.
    pub(super) fn touch_unseen(&mut self, declared: Option<FunctionId>, arguments: &[Argument], span: Span) {
        let parameters = declared.map_or(&[][..], |it| &self.program.function(it).params);
        for (index, argument) in arguments.iter().enumerate() {
            let ty = parameters.get(index).map(|it| &it.ty);
            let access = self.declared_access(ty, argument, span);
            if let Value::Pointer(place) = &argument.value
                && access.is_some_and(|it| it.mode == Mode::Write)
            {
                self.touch_declared(place, &argument.words, span);
            }
        }
    }

    /// The same by pointers in objects.
    fn touch_through_objects(&mut self, arguments: &[Argument], span: Span) {
        for argument in arguments {
            if let Value::Aggregate(object) = &argument.value {
                for place in self.changed_through(object) {
                    self.touch_declared(&place, &argument.words, span);
                }
            }
        }
    }

    /// Where the pointers of an object lead through which something can be changed.
    fn changed_through(&mut self, object: &Location) -> Vec<Location> {
        let Some(class) = self.object_at(object) else {
            return Vec::new();
        };
        let given = self.given_to_object(object, class);
        let is_constant = given
            .iter()
            .any(|it| self.type_of_words(it).is_some_and(|it| it.constant));
        let fields = &self.program.class(class).fields;
        let pointers = fields
            .iter()
            .filter(|it| !it.is_static && it.ty.pointers == 1 && !it.ty.constant);
        let pointers = pointers.filter(|_| !is_constant);
        let values = pointers.map(|it| self.memory.load(&self.member(object, class, &it.name)));
        let values: Vec<Value> = values.collect();
        let places = values.into_iter().filter_map(|it| match it {
            Value::Pointer(place) => Some(place),
            _ => None,
        });
        places.collect()
    }

    /// A place that a function nobody sees may change, as far as its declaration goes.
    fn touch_declared(&mut self, place: &Location, words: &str, span: Span) {
        if self.memory.origin(place.base) != Some(Origin::Pinned) {
            return;
        }
        let events = self.events();
        self.record_touch(place, Extent::Some, Mode::Write, span, words);
        let thread = &mut self.trace.threads[self.control.thread.0 as usize];
        if let [touched] = &mut thread.events[events..]
            && let Action::Touch(access) = &mut touched.action
        {
            access.declared = true;
        }
    }

    /// Whoever gets the two ends of a range reads what is between them: the device, where a stream is handed over too.
    pub(super) fn read_range(&mut self, arguments: &[Argument], span: Span) {
        if let Some(first) = range_of(arguments)
            && !arguments.iter().any(|it| self.named_stream(&it.value).is_some())
        {
            self.touch_through(&Value::Pointer(first), Mode::Read, span);
        }
    }

    /// What a function nobody knows is handed to call, it calls: for every element of a range it is handed too.
    ///
    /// Whether it does so before it returns, and on this thread, is not known: where something waits for something else
    /// that decides too much, and nothing is called.
    pub(super) fn run_handed(&mut self, arguments: &[Argument], span: Span) {
        let is_callable = |it: &&Argument| match &it.value {
            Value::Closure(_) | Value::Bound(_) => true,
            Value::Function(function, _) => self.program.function(*function).target != Target::Kernel,
            _ => false,
        };
        let Some(callee) = arguments.iter().find(is_callable).map(|it| it.value.clone()) else {
            return;
        };
        if self.program.may_wait() {
            return;
        }
        // Nor how often it does.
        let mark = self.memory.watch();
        self.run_often(&callee, arguments, span);
        self.lose_changes(mark, true);
        self.memory.unwatch();
    }

    pub(super) fn run_often(&mut self, callee: &Value, arguments: &[Argument], span: Span) {
        let parameters = match callee {
            Value::Closure(index) => self.closures[*index as usize].lambda.params.len(),
            Value::Function(function, _) => self.program.function(*function).params.len(),
            _ => 0,
        };
        let elements = match range_of(arguments) {
            Some(first) if parameters == 1 => self.elements_from(&first),
            _ => Vec::new(),
        };
        let argument = |place: Option<Location>, value| Argument {
            value,
            place,
            words: String::new(),
            moved: false,
            ty: None,
        };
        if elements.is_empty() {
            let unknown = (0..parameters)
                .map(|_| argument(None, self.memory.fresh()))
                .collect();
            self.run_callee(callee, unknown, span);
        }
        for element in elements {
            let value = self.load(&element);
            self.run_callee(callee, vec![argument(Some(element), value)], span);
        }
    }

    /// Elements of a container from its first one on, as many as loops are followed for.
    pub(super) fn elements_from(&mut self, first: &Location) -> Vec<Location> {
        let mut container = first.clone();
        if container.path.last() == Some(&Step::Element(0)) {
            container.path.pop();
        }
        let length = self.memory.count(&container);
        let count = length.unwrap_or(i64::from(budget::ITERATIONS));
        (0..count.min(i64::from(budget::KNOWN_ITERATIONS)))
            .map(|index| {
                let element = self.memory.element(&container, index);
                self.prepare_element(&container, &element);
                element
            })
            .collect()
    }

    /// What a function that is only declared takes by reference, it may change.
    pub(super) fn lend(&mut self, declared: Option<FunctionId>, arguments: &[Argument]) {
        let Some(declared) = declared else { return };
        let parameters = &self.program.function(declared).params;
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let changes = parameter.ty.reference && !parameter.ty.constant && !parameter.ty.rvalue;
            if let Some(place) = argument.place.as_ref().filter(|_| changes) {
                self.memory.lose_under(place);
                self.memory.forget_lengths(place);
            }
        }
    }

    /// What a function nobody knows may do with what it gets.
    pub(super) fn hand_out(&mut self, arguments: Vec<Argument>, span: Span) {
        for argument in arguments {
            if let Value::Aggregate(place) = &argument.value
                && self.memory.is_sequence(place)
            {
                self.memory.lose_under(place);
                self.memory.forget_emptiness(place);
            } else if let Value::Aggregate(place) = &argument.value {
                self.lose_behind(place);
                self.lose_stand_in(place);
            }
            let Value::Pointer(place) = argument.value else {
                continue;
            };
            self.captured_memory_freed(|it| *it == place.base);
            self.memory.lose_under(&super::models::owner_of(&place));
            if self.device_visible(&place) {
                let at = self.at(span);
                let write = Write {
                    location: place,
                    range: true,
                    value: None,
                    least: None,
                    at,
                    guess: true,
                    after_wait: false,
                    added: None,
                };
                self.emit(span, Action::Store(write));
            } else if argument.place.is_none()
                && matches!(place.base, Base::Local(_))
                && !self.memory.arrays.contains(&place)
            {
                let value = self.memory.fresh();
                self.memory.set(place, value);
            }
        }
    }
}

/// Where a range begins: the first of two arguments that point into one object.
fn range_of(arguments: &[Argument]) -> Option<Location> {
    arguments
        .windows(2)
        .find_map(|pair| match (&pair[0].value, &pair[1].value) {
            (Value::Pointer(first), Value::Pointer(last)) if first.base == last.base && first != last => {
                Some(first.clone())
            }
            _ => None,
        })
}
