//! Running a function of the program: its frame, its parameters, its result.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::calls::Argument;
use super::containers::is_sequence;
use super::coverage::{Cut, Followed};
use super::joins::Ways;
use super::machine::{Cleanup, Flow, Frame, Machine, Names, Textual};
use super::making::Made;
use super::memory::Value;
use super::numbers::Declared;
use super::types::{Static, Typed};
use super::{Action, Base, Extent, Location, Mode, Step, budget};
use crate::api::library;
use crate::facts::ir::{ExprKind, Parameter, Role, Stmt, StmtKind};
use crate::program::{ClassId, FileId, FunctionId};
use crate::syntax::Span;

/// A function with what it is called with.
struct Called<'p> {
    function: FunctionId,
    this: Option<(Location, ClassId)>,
    args: Vec<Argument>,
    template: BTreeMap<String, Arc<str>>,
    textual: Textual<'p>,
}

/// Calls of one function in each other.
#[derive(Clone, Copy, Default)]
struct Activations {
    all: usize,
    /// Those that call the next one on a condition nobody knows, or on none.
    since_asked: usize,
}

impl Activations {
    /// The function calls itself, and nothing that is not known decides how often.
    fn is_settled(self) -> bool {
        self.all > 0 && self.since_asked == 0
    }
}

/// Whether a place is that of one known object, and not of whatever there may be.
fn is_one_object(place: &Location) -> bool {
    let is_known = |it: &Step| matches!(it, Step::Field(_) | Step::Element(_));
    !matches!(place.base, Base::Outside(_)) && place.path.iter().all(is_known)
}

impl<'p> Machine<'p> {
    pub(super) fn invoke_closure(&mut self, index: u32, args: Vec<Argument>, span: Span) -> Value {
        self.closures[index as usize].called = true;
        let closure = self.closures[index as usize].clone();
        let too_deep = self.depth() > budget::INLINE_DEPTH * 2;
        if too_deep || !self.tick() {
            if too_deep {
                self.coverage.cuts.insert(Cut::Depth);
                self.note_call(span, Followed::TooDeep);
            }
            let held = closure.captured.values().cloned().collect();
            self.lose_reachable(held);
            return self.lose_call(None, &args);
        }
        self.note_call(span, Followed::Entered);
        let bound = closure
            .bound
            .iter()
            .map(|value| Argument::unplaced(value.clone(), String::new()));
        let args: Vec<Argument> = bound.chain(args).collect();
        let frame = Frame {
            file: closure.file,
            path: closure.path,
            function: None,
            this: closure.this.clone(),
            class: closure.class,
            scopes: vec![Names {
                names: closure.captured.clone(),
                types: closure.types.clone(),
                ..Names::default()
            }],
            call_site: Some((self.frame().file, span)),
            template: closure.template.clone(),
            pack: None,
            textual: closure.textual.clone(),
            transparent: false,
            author: None,
            quiet: false,
            link: false,
            early: Vec::new(),
            early_before: super::joins::LeftBefore::default(),
            outlasting: self.control.outlasting.len(),
            guards: Vec::new(),
            asked: self.asked,
            handed: None,
            answered: self.answered,
            given: 0,
        };
        let departed = self.control.departed.len();
        self.control.frames.push(frame);
        self.bind(&closure.lambda.params, args, false);
        let body = &closure.lambda.body;
        let quiet = !self.may_make_events(body);
        self.frame_mut().quiet = quiet;
        let flow = self.thoroughly(|machine| machine.block(body));
        self.believe_again(departed, quiet, Ways::OF_FUNCTION);
        let flow = self.meet_early(flow);
        self.leave_scope(span);
        self.close_guards();
        self.control.frames.pop();
        self.result(flow)
    }

    /// Runs a function of the program.
    pub(super) fn invoke(
        &mut self,
        function: FunctionId,
        this: Option<(Location, ClassId)>,
        args: Vec<Argument>,
        span: Span,
    ) -> Value {
        self.invoke_with(function, this, args, BTreeMap::new(), span)
    }

    pub(super) fn invoke_with(
        &mut self,
        function: FunctionId,
        this: Option<(Location, ClassId)>,
        args: Vec<Argument>,
        template: BTreeMap<String, Arc<str>>,
        span: Span,
    ) -> Value {
        let program = self.program;
        let textual = std::mem::take(&mut self.control.macro_text);
        let definition = program.function(function);
        let object = this.as_ref().map(|it| &it.0);
        let activations = self.activations(function, object, args.len());
        let is_model = program.is_model(function.file);
        let too_deep = !is_model && self.depth() > budget::INLINE_DEPTH
            || self.control.frames.len() > budget::MOST_FRAMES;
        let most = if is_model { budget::INLINE_DEPTH } else { 1 };
        let too_often = activations.all > budget::RECURSION || activations.since_asked > most;
        if too_deep && !activations.is_settled() || too_often || !self.tick() {
            self.trace.budgets_hit += u32::from(!self.is_tired());
            self.note_refusal(function, too_deep, span);
            if program.is_eventful(function) {
                self.note_lost_call();
            }
            return self.lose_call(this.as_ref(), &args);
        }
        let is_eventful = program.is_eventful(function);
        let is_entry = self.control.frames.len() == 1;
        if !is_eventful && !is_entry && self.is_long(function) {
            self.note_missed(function, Followed::LeftOut, span);
            return self.lose_call(this.as_ref(), &args);
        }
        if !is_model {
            self.trace.executed.insert(function);
        }
        if definition.role != Role::Macro && !is_model {
            self.note_call(span, Followed::Entered);
        }
        let called = Called {
            function,
            this,
            args,
            template,
            textual,
        };
        // What a macro is handed may make events wherever it is put.
        if definition.role == Role::Macro && !is_eventful {
            return self.run(called, span);
        }
        let thoroughly = program.is_demanding(function) || is_eventful && is_entry;
        let fairly = self.fair && !is_entry && !is_model && definition.role != Role::Macro;
        if thoroughly && !fairly {
            return self.thoroughly(|machine| machine.run(called, span));
        }
        let mark = self.memory.watch();
        let before = self.events();
        let run = |machine: &mut Self| {
            let value = machine.run(called, span);
            (value, machine.is_tired() && !machine.exited)
        };
        let behind = if fairly { self.calls_behind(span) } else { 0 };
        let (value, tired) = match thoroughly {
            true => self.fairly(behind, self.most_of_call, run),
            false => self.aside(function, run),
        };
        if tired && thoroughly {
            self.note_lost_call();
            self.trace.budgets_hit += 1;
            self.coverage.cuts.insert(Cut::Part);
        }
        if tired {
            self.lose_changes(mark, true);
            self.release_locks(before, span);
        }
        self.memory.unwatch();
        if tired { self.memory.fresh_lost() } else { value }
    }

    /// Gives back what was locked since so many events, by something that was not followed to its end.
    fn release_locks(&mut self, since: usize, span: Span) {
        let events = &self.trace.threads[self.control.thread.0 as usize].events;
        let mut held: Vec<Location> = Vec::new();
        for event in events.iter().skip(since) {
            match &event.action {
                Action::Lock(place) => held.push(place.clone()),
                Action::Unlock(place) => held.retain(|it| it != place),
                _ => {}
            }
        }
        for place in held.into_iter().rev() {
            self.emit(span, Action::Unlock(place));
        }
    }

    /// Calls of a function that have not returned yet. Objects that hand a call on to one another are as many as there are.
    fn activations(&self, function: FunctionId, object: Option<&Location>, arguments: usize) -> Activations {
        let mut found = Activations::default();
        let mut objects: Vec<&Location> = object.into_iter().collect();
        let (mut asked, mut answered, mut given) = (self.asked, self.answered, arguments);
        let is_macro = self.program.function(function).role == Role::Macro;
        for frame in self.control.frames.iter().rev() {
            // What a macro calls may use it again: only its own text does not.
            if is_macro && !frame.transparent {
                break;
            }
            if frame.function == Some(function) {
                found.all += 1;
                // What ends by itself is either told to, or handed less each time.
                let ends = frame.answered != answered || frame.given > given;
                let hands_on = frame.this.as_ref().is_some_and(|it| {
                    let is_other = is_one_object(it) && !objects.is_empty() && !objects.contains(&it);
                    objects.push(it);
                    is_other
                });
                let settled = hands_on || frame.asked == asked && frame.early.is_empty() && ends;
                found.since_asked += usize::from(!settled);
                (asked, answered, given) = (frame.asked, frame.answered, frame.given);
            }
        }
        found
    }

    /// A call that leads to events is not followed, or not to its end.
    fn note_lost_call(&mut self) {
        let at = (self.control.thread, self.position());
        self.trace.notes.lost.push(at);
    }

    /// A call of the program that is not followed: what it returns is not known, nor the numbers it can get at.
    fn lose_call(&mut self, this: Option<&(Location, ClassId)>, args: &[Argument]) -> Value {
        let mut open: Vec<Location> = this.iter().map(|(object, _)| object.clone()).collect();
        for argument in args {
            if let Value::Pointer(place) | Value::Aggregate(place) = &argument.value {
                open.push(place.clone());
            }
            open.extend(argument.place.clone());
        }
        self.lose_reachable(open);
        self.memory.fresh_lost()
    }

    /// Numbers in what can be reached from some places, and in variables everybody can reach, are given up on.
    pub(super) fn lose_reachable(&mut self, mut open: Vec<Location>) {
        const MOST: usize = 64;
        open.extend(self.variables_of_all());
        self.globals_lost = true;
        let mut seen = std::collections::BTreeSet::new();
        while let Some(mut place) = open.pop() {
            // A pointer to an element leads to its neighbours.
            while matches!(
                place.path.last(),
                Some(Step::Element(_) | Step::At(_) | Step::Any)
            ) {
                place.path.pop();
            }
            if seen.len() >= MOST || !seen.insert(place.clone()) {
                continue;
            }
            let inside = self.memory.under(&place);
            open.extend(inside.take(MOST).filter_map(|(_, value)| match value {
                Value::Pointer(to) => Some(to.clone()),
                _ => None,
            }));
            self.memory.lose_under(&place);
        }
    }

    /// Global and static variables that hold something and are not constant.
    fn variables_of_all(&self) -> Vec<Location> {
        let changes = |base: Base| match base {
            Base::Global(id) | Base::Instance(id, _) => !self.program.global(id).variable.ty.constant,
            Base::Static(..) => true,
            _ => false,
        };
        let all = self.memory.variables_of_all().into_iter();
        all.filter(|it| changes(*it)).map(Location::object).collect()
    }

    /// Numbers that were stored since a mark are given up on.
    pub(super) fn lose_changes(&mut self, mark: usize, known: bool) {
        self.lose_between(mark..self.memory.mark(), known);
    }

    /// Numbers that were stored between two marks are given up on.
    pub(super) fn lose_between(&mut self, marks: Range<usize>, known: bool) {
        for (place, before) in self.memory.before_between(marks.start, marks.end) {
            self.memory.lose_step(&place, before.as_ref());
            self.memory.lose(place, known);
        }
    }

    fn run(&mut self, called: Called<'p>, span: Span) -> Value {
        let Called {
            function,
            this,
            args,
            template,
            textual,
        } = called;
        let definition = self.program.function(function);
        let template = match &this {
            Some((object, class)) => {
                // What a base class is made for is said where it is named as one.
                let declaring = self.program.class_of_method(function).filter(|it| it != class);
                let of_base = declaring.map(|it| self.class_template(object, it));
                let of_base = of_base.filter(|it| !it.is_empty());
                let mut known = of_base.unwrap_or_else(|| self.class_template(object, *class));
                known.extend(template);
                known
            }
            None => template,
        };
        let is_macro = definition.role == Role::Macro;
        // An object that is taken by value is read here.
        for (parameter, argument) in definition.params.iter().zip(&args) {
            if let Value::Aggregate(from) = &argument.value
                && !is_macro
                && !parameter.ty.reference
            {
                self.touch(from, Extent::Element, Mode::Read, span);
            }
        }
        self.note_taken_back(function, &args, span);
        let (this, class) = match this {
            Some((this, class)) => (Some(this), Some(class)),
            None => (None, None),
        };
        let frame = Frame {
            file: function.file,
            path: if is_macro {
                self.frame().path
            } else {
                &definition.path
            },
            function: Some(function),
            this: this.clone(),
            class,
            scopes: vec![Names::default()],
            call_site: (!self.is_at_client()).then(|| (self.frame().file, span)),
            template,
            pack: None,
            textual,
            transparent: is_macro,
            author: None,
            quiet: !self.program.is_eventful(function),
            link: self.is_link(function),
            early: Vec::new(),
            early_before: super::joins::LeftBefore::default(),
            outlasting: self.control.outlasting.len(),
            guards: Vec::new(),
            asked: self.asked,
            handed: None,
            answered: self.answered,
            given: args.len(),
        };
        self.control.returned = None;
        let departed = self.control.departed.len();
        self.control.frames.push(frame);
        let mut args = args;
        if !is_macro {
            self.add_declared_defaults(function, &mut args);
            self.convert_for(function, &mut args, span);
        }
        let handed = self.handed_argument(&args);
        self.bind(&definition.params, args, is_macro);
        self.frame_mut().handed = handed.clone();
        self.note_forgotten_stream(function, handed);
        self.note_handed_streams(function);
        if definition.role == Role::Constructor
            && let (Some(this), Some(class)) = (&this, class)
        {
            self.construct_parts(this, class, &definition.initialisers, span);
            if self.control.throwing {
                // Which members were finished is not kept track of.
                self.lose_reachable(vec![this.clone()]);
            }
        }
        let flow = if is_macro {
            self.macro_body(&definition.body)
        } else {
            self.block(&definition.body)
        };
        if !is_macro {
            let quiet = self.frame().quiet;
            self.believe_again(departed, quiet, Ways::OF_FUNCTION);
        }
        let flow = self.meet_early(flow);
        if flow == Flow::Throw
            && definition.role == Role::Constructor
            && let (Some(this), Some(class)) = (&this, class)
        {
            let throwing = std::mem::take(&mut self.control.throwing);
            self.destroy_parts(this, class, span);
            self.control.throwing = throwing;
        }
        let returned = self.control.returned.take();
        self.leave_scope(definition.span);
        self.close_guards();
        self.control.frames.pop();
        self.adopt_macro_scope();
        if !is_macro {
            self.control.divided = None;
        }
        // Only `return` says what is handed back: what a callee left there is that callee's.
        self.control.returned = returned.filter(|_| matches!(flow, Flow::Return(_)));
        let gives_something = !is_macro && !matches!(definition.result.name.last(), "void" | "");
        if flow == Flow::Next && gives_something {
            // The result comes from what is no statement of C++: assembly.
            return self.memory.fresh();
        }
        if flow == Flow::Next && is_macro {
            return self.memory.fresh();
        }
        if is_macro
            && !is_value(&definition.body)
            && matches!(flow, Flow::Return(_) | Flow::Break | Flow::Continue)
        {
            self.control.left = Some(flow);
            return self.memory.fresh();
        }
        let result = self.result(flow);
        self.lent_by(function, result)
    }

    /// What a macro declares outlives it: it belongs to the scope it is used in. One that is an expression has its value.
    fn macro_body(&mut self, body: &'p [Stmt]) -> Flow {
        self.enter_scope();
        let flow = match body {
            [
                Stmt {
                    kind: StmtKind::Expr(value),
                    ..
                },
            ] if is_value(body) => {
                let parts = self.arguments(value.listed());
                let last = parts.last().cloned();
                self.control.returned = last.as_ref().and_then(|it| it.place.clone());
                self.control.divided = (parts.len() > 1).then_some(parts);
                let value = last.map_or_else(|| self.memory.fresh(), |it| it.value);
                match self.flow() {
                    Flow::Next => Flow::Return(value),
                    flow => flow,
                }
            }
            _ => self.statements(body),
        };
        self.control.macro_scope = self.frame_mut().scopes.pop();
        flow
    }

    fn adopt_macro_scope(&mut self) {
        if let Some(scope) = self.control.macro_scope.take()
            && let Some(here) = self.frame_mut().scopes.last_mut()
        {
            here.names.extend(scope.names);
            here.cleanups.extend(scope.cleanups);
            here.variables.extend(scope.variables);
        }
    }

    fn result(&mut self, flow: Flow) -> Value {
        match flow {
            Flow::Return(value) => value,
            // A jump that was not followed to where it leads.
            Flow::Goto(_) => {
                self.lose_reachable(Vec::new());
                self.memory.fresh_lost()
            }
            // Without a handler anywhere the process ends.
            Flow::Throw if self.control.handlers > 0 => {
                self.control.throwing = true;
                self.memory.fresh()
            }
            Flow::Stop if self.is_tired() && !self.exited => self.memory.fresh(),
            Flow::Stop | Flow::Throw => {
                self.exited = true;
                self.memory.fresh()
            }
            _ => Value::Int(0),
        }
    }

    /// Arguments the call leaves out whose defaults stand in a declaration of the function, rather than in its definition.
    fn add_declared_defaults(&mut self, function: FunctionId, args: &mut Vec<Argument>) {
        let definition = self.program.function(function);
        for index in args.len()..definition.params.len() {
            let parameter = &definition.params[index];
            if parameter.default.is_some() || parameter.pack {
                return;
            }
            let Some((declaration, default)) = self.program.declared_default(function, index) else {
                return;
            };
            let path = &self.program.function(declaration).path;
            let value = self.in_frame(declaration.file, path, None, None, |machine| {
                machine.evaluate(default)
            });
            let mut argument = Argument::unplaced(value, parameter.name.clone());
            let span = default.span;
            self.pass_one(
                (function, parameter),
                default,
                &mut argument,
                &BTreeMap::new(),
                span,
            );
            args.push(argument);
        }
    }

    /// Binds parameters; missing arguments take their defaults.
    fn bind(&mut self, params: &'p [Parameter], args: Vec<Argument>, textual: bool) {
        let mut args = args.into_iter();
        for parameter in params {
            if parameter.pack || parameter.name == "__VA_ARGS__" {
                self.frame_mut().pack = Some((parameter.name.clone(), args.by_ref().collect()));
                continue;
            }
            let mut argument = args.next();
            let is_moved = parameter.ty.rvalue && argument.as_ref().is_some_and(|it| it.moved);
            let text_type = argument.as_ref().filter(|_| textual).and_then(|it| it.ty.clone());
            if parameter.name.is_empty() {
                continue;
            }
            // What braces make has no place before that.
            if let Some(given) = &mut argument
                && self.is_made_of_list(parameter, &given.value)
            {
                given.place = None;
            }
            match argument {
                Some(Argument {
                    place: Some(place), ..
                }) if textual || parameter.ty.reference && !self.is_converted(parameter, &place) => {
                    if parameter.ty.reference && is_sequence(parameter.ty.name.last()) {
                        self.sequence_of_list(&place, &parameter.ty.name, Some(&place));
                    }
                    self.memory.passing.remove(&place.base);
                    self.declare(&parameter.name, place);
                    self.note_parameter(parameter, textual, text_type);
                    if is_moved {
                        self.mark_moved(&parameter.name);
                    }
                }
                Some(mut argument) => {
                    if argument.place.is_some() && !argument.moved && !textual && !parameter.ty.reference {
                        argument.value = self.copy_of_closure(argument.value);
                    }
                    let place = self.memory.local();
                    match text_type.as_ref().and_then(Static::builtin) {
                        Some(number) => {
                            _ = self
                                .memory
                                .numbers
                                .insert(place.clone(), Declared::plain(number.number()))
                        }
                        None => self.note_type(&place, &parameter.ty, 0),
                    }
                    // What a reference refers to belongs to somebody else, whoever that is.
                    if !parameter.ty.reference {
                        self.note_variable(&place);
                    }
                    let from = match &argument.value {
                        Value::Aggregate(from) => Some(from.clone()),
                        _ => None,
                    };
                    let listed = from.clone();
                    // What has no name is the parameter's own.
                    let is_given = from.is_some() && !parameter.ty.reference;
                    let value = match textual {
                        true => argument.value,
                        false => self.parameter_value(&place, parameter, argument.clone()),
                    };
                    if let Value::Unknown(id) = value
                        && self.memory.handed_in.contains(&id)
                    {
                        self.memory.handed_objects.insert(place.base);
                        self.note_handed_class(id, &place, parameter);
                    }
                    self.assign(&place, value);
                    if let Some(from) = &from
                        && !textual
                        && !parameter.ty.reference
                        && !self.memory.smart.contains(&place)
                    {
                        // What was made for the parameter is the parameter.
                        if argument.moved || self.control.passed.contains(from) {
                            self.memory.give_away(from);
                        }
                        for owner in self.memory.owners_in(&place) {
                            self.on_scope_exit(Cleanup::Release(owner));
                        }
                    }
                    if let Some(from) = from.filter(|_| !self.control.passed.is_empty()) {
                        self.own_parameter(&place, &from);
                    }
                    if parameter.ty.pointers == 0 && is_sequence(parameter.ty.name.last()) {
                        self.sequence_of_list(&place, &parameter.ty.name, listed.as_ref());
                    }
                    if let Some(from) = &argument.place
                        && self.memory.smart.contains(from)
                    {
                        self.memory.smart.insert(place.clone());
                        // There is one owner: it was moved.
                        if library::is_sole_owner(parameter.ty.name.last()) || is_given {
                            self.memory.set(from.clone(), Value::Int(0));
                        }
                        if is_given {
                            self.on_scope_exit(Cleanup::Release(place.clone()));
                        } else if self.memory.counted.contains(from)
                            && let Some(Value::Pointer(object)) = self.memory.get(from).cloned()
                        {
                            self.memory.counted.insert(place.clone());
                            self.memory.add_owner(object);
                            self.on_scope_exit(Cleanup::Release(place.clone()));
                        }
                    }
                    self.declare(&parameter.name, place);
                    self.note_parameter(parameter, textual, text_type);
                    if is_moved {
                        self.mark_moved(&parameter.name);
                    }
                }
                None => {
                    let place = self.memory.local();
                    self.note_type(&place, &parameter.ty, 0);
                    let given = parameter.default.as_ref().map(|it| self.argument(it));
                    let listed = match given.as_ref().map(|it| &it.value) {
                        Some(Value::Aggregate(from)) => Some(from.clone()),
                        _ => None,
                    };
                    let value = match given {
                        Some(given) => self.parameter_value(&place, parameter, given),
                        None => self.memory.fresh(),
                    };
                    self.assign(&place, value);
                    if parameter.ty.pointers == 0 && is_sequence(parameter.ty.name.last()) {
                        self.sequence_of_list(&place, &parameter.ty.name, listed.as_ref());
                    }
                    self.declare(&parameter.name, place);
                    self.note_parameter(parameter, textual, None);
                }
            }
        }
    }

    /// A constant reference to a number or an object of another type refers to a new one.
    fn is_converted(&self, parameter: &Parameter, place: &Location) -> bool {
        if !parameter.ty.constant && !parameter.ty.rvalue || parameter.ty.pointers > 0 {
            return false;
        }
        if self.is_converted_to(&parameter.ty, place) {
            return true;
        }
        match (self.declared_number(&parameter.ty, 0), self.number_at(place)) {
            (Some(wanted), Some(given)) => given.pointers == 0 && wanted.number != given.number,
            _ => false,
        }
    }

    /// What a parameter that is no reference is made of; a view of a container is made where the parameter stands.
    fn parameter_value(&mut self, place: &Location, parameter: &'p Parameter, argument: Argument) -> Value {
        let given = argument.value.clone();
        if self.is_made_of_list(parameter, &given) {
            let _ = self.make_named(place, &parameter.ty.name, vec![argument], self.control.statement);
            return Value::Aggregate(place.clone());
        }
        if let Some(class) = self.sliced_to(parameter, &given) {
            self.construct(place, class, vec![argument], self.control.statement);
            return Value::Aggregate(place.clone());
        }
        let class = (parameter.ty.pointers == 0)
            .then(|| self.class_of_type(&parameter.ty.name))
            .flatten();
        if let Some(class) = class
            && let Some((made, _)) = self.converted_object(&given, class, self.control.statement)
        {
            if self.ends_by_code(class) {
                self.on_scope_exit(Cleanup::Destroy(place.clone(), class));
            }
            return made;
        }
        let value = self.seen_as(&parameter.ty, given.clone());
        if value == given {
            return value;
        }
        match class {
            Some(class) if self.program.resolve_constructor(class, 1).is_some() => {
                self.construct(place, class, vec![argument], self.control.statement);
                Value::Aggregate(place.clone())
            }
            _ => value,
        }
    }

    /// The class of a parameter taken by value, where it is a base of the object's own.
    fn sliced_to(&self, parameter: &Parameter, given: &Value) -> Option<ClassId> {
        let Value::Aggregate(from) = given else {
            return None;
        };
        if parameter.ty.pointers > 0 || parameter.ty.reference {
            return None;
        }
        let own = self.object_at(from)?;
        let class = self.class_of_type(&parameter.ty.name).filter(|it| *it != own)?;
        self.distance_to(own, class, 0).map(|_| class)
    }

    /// Whether a parameter is an object, a pair or a tuple, and braces say what it is made of.
    pub(super) fn is_made_of_list(&self, parameter: &Parameter, given: &Value) -> bool {
        parameter.ty.pointers == 0
            && self.memory.is_list(given)
            && matches!(
                self.made_of_name(parameter.ty.name.clone()),
                Made::Object(..) | Made::Parts(..)
            )
    }

    /// How a parameter is declared: one of a macro as what it stands for is.
    fn note_parameter(&mut self, parameter: &'p Parameter, textual: bool, text_type: Option<Static>) {
        if let Some(known) = text_type {
            self.declare_type(&parameter.name, Typed::Known(known));
        } else if !textual && parameter.ty.name.last() != "auto" {
            self.declare_type(&parameter.name, Typed::Written(&parameter.ty, 0));
        }
    }

    /// Evaluates something in another file's scope.
    pub(super) fn in_frame<T>(
        &mut self,
        file: FileId,
        path: &'p [String],
        this: Option<Location>,
        class: Option<ClassId>,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let frame = Frame {
            file,
            path,
            function: None,
            this,
            class,
            scopes: vec![Names::default()],
            call_site: None,
            template: BTreeMap::new(),
            pack: None,
            textual: BTreeMap::new(),
            transparent: false,
            author: None,
            quiet: false,
            link: true,
            early: Vec::new(),
            early_before: super::joins::LeftBefore::default(),
            outlasting: self.control.outlasting.len(),
            guards: Vec::new(),
            asked: self.asked,
            handed: None,
            answered: self.answered,
            given: 0,
        };
        self.control.frames.push(frame);
        let result = body(self);
        self.control.frames.pop();
        result
    }

    /// Evaluates something in the scope of a class, with `this` bound.
    pub(super) fn in_class<T>(
        &mut self,
        place: &Location,
        class: ClassId,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let program = self.program;
        let path = program.class(class).path.as_slice();
        let template = self.class_template(place, class);
        self.in_frame(class.file, path, Some(place.clone()), Some(class), |machine| {
            machine.frame_mut().template = template;
            body(machine)
        })
    }
}

/// Whether a macro stands for an expression, rather than for statements.
fn is_value(body: &[Stmt]) -> bool {
    matches!(body, [Stmt { kind: StmtKind::Expr(value), .. }] if !matches!(value.kind, ExprKind::Launch(_)))
}
