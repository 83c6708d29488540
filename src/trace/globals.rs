//! Variables that live as long as the process: what makes them, and what their end does.

use super::containers::{is_map, is_sequence};
use super::machine::{Cleanup, Machine};
use super::memory::Value;
use super::{Base, Location, ThreadId};
use crate::facts::ir::{Expr, ExprKind, Global, Init};
use crate::facts::visit::{self, Node};
use crate::program::{ClassId, FunctionId, GlobalId, Scope};

/// How deep the parts of an object are looked at that may have been used before.
const OBJECTS_IN_EACH_OTHER: u32 = 3;

/// Objects made before `main` is entered.
const MAX_OBJECTS: usize = 32;

impl<'p> Machine<'p> {
    /// Makes the objects of `main`'s translation unit that somebody wrote a constructor for.
    pub(super) fn construct_globals(&mut self, entry: FunctionId) {
        let program = self.program;
        for function in program.start_functions(entry.file) {
            self.invoke(function, None, Vec::new(), program.function(function).name_span);
        }
        let objects: Vec<GlobalId> = program
            .start_globals(entry.file)
            .filter(|id| self.makes_something(*id))
            .take(MAX_OBJECTS)
            .collect();
        for id in objects {
            let place = Location::object(Base::Global(id));
            self.prepare_global(id, &place);
            if self.global_class(id).is_none() {
                self.load(&place);
            }
        }
    }

    /// Whether making a global runs code of the project.
    fn makes_something(&self, id: GlobalId) -> bool {
        let global = self.program.global(id);
        if global.external || global.variable.space.is_some() {
            return false;
        }
        match self.global_class(id) {
            Some(class) => self.program.has_constructor(class) || self.needs_destruction(class, 0),
            None => calls_something(global),
        }
    }

    fn global_class(&self, id: GlobalId) -> Option<ClassId> {
        let global = self.program.global(id);
        let scope = Scope {
            file: id.file,
            path: &global.path,
        };
        (global.variable.ty.pointers == 0 && global.variable.dims.is_empty())
            .then(|| self.program.resolve_class(scope, &global.variable.ty.name))
            .flatten()
    }

    /// What the end of the process does to an object that was made on this path.
    pub(super) fn at_exit(&mut self, cleanup: Cleanup) {
        if self.program.is_main(self.trace.entry)
            && let Some(scope) = self
                .control
                .frames
                .first_mut()
                .and_then(|frame| frame.scopes.first_mut())
        {
            scope.cleanups.push(cleanup);
        }
    }

    /// What a global holds before anything is stored to it.
    pub(super) fn initial_value(&mut self, place: &Location) -> Option<Value> {
        let id = place.base.global()?;
        if !place.path.is_empty() || self.control.frames.len() > super::budget::INLINE_DEPTH * 2 {
            return None;
        }
        // An initialiser that leads back to its own variable finds it unknown.
        let unknown = self.memory.fresh();
        match self.is_constant(place) {
            true => self.memory.find(place.clone(), unknown),
            false => self.memory.set(place.clone(), unknown),
        }
        let global = self.program.global(id);
        let variable = &global.variable;
        let begins =
            self.program.is_main(self.trace.entry) || global.internal && self.begun_file == Some(id.file);
        let known = match &variable.init {
            // What lives as long as the process begins as zero, and before `main` nobody changes it.
            None if begins
                && !global.external
                && variable.space.is_none()
                && variable.dims.is_empty()
                && (variable.ty.pointers > 0 || self.declared_number(&variable.ty, 0).is_some()) =>
            {
                Some(Value::Int(0))
            }
            init => init
                .as_ref()
                .and_then(Init::only)
                .map(|it| self.in_global(id, |machine| machine.evaluate(it))),
        };
        // A pointer that begins as null is there to be set: whoever calls a function of a library has most often done that.
        let is_set = variable.ty.pointers > 0 && !begins;
        // A call that was not followed may have changed it.
        match known.map(|it| self.as_stored(place, it)) {
            Some(Value::Int(_) | Value::Str(_)) if self.globals_lost && !variable.ty.constant => {
                Some(self.memory.fresh_lost())
            }
            Some(Value::Int(0)) if is_set => Some(self.memory.fresh()),
            Some(Value::Int(0)) | None if !begins && self.program.is_set_by_callers(id) => {
                Some(self.stream_of_callers())
            }
            known => known,
        }
    }

    /// A stream that whoever calls the library has told it to work in.
    fn stream_of_callers(&mut self) -> Value {
        let value = self.memory.fresh();
        if let Value::Unknown(id) = value {
            self.memory.handed_in.insert(id);
            self.answers_of_arguments.insert(id);
        }
        value
    }

    /// A global that nobody changes.
    pub(super) fn is_constant(&self, place: &Location) -> bool {
        let global = place.base.global().map(|it| self.program.global(it));
        global.is_some_and(|it| it.variable.ty.constant && it.variable.ty.pointers == 0)
    }

    /// An object that lives as long as the process, or that a variable which does leads to, may have been used before a function
    /// of a library is called.
    pub(super) fn forget_earlier_use(&mut self, place: &Location) {
        let begins = self.trace.notes.client.is_some() || self.program.is_main(self.trace.entry);
        if begins || !self.may_hold_more(place) {
            return;
        }
        match self.memory.get(place).cloned() {
            Some(Value::Pointer(owned)) => self.forget_what_others_set(&owned, OBJECTS_IN_EACH_OTHER),
            _ => self.forget_what_others_set(place, OBJECTS_IN_EACH_OTHER),
        }
    }

    /// Numbers and handles in an object that somebody gives others, in objects that are parts of it, and in those it keeps pointers to.
    pub(super) fn forget_what_others_set(&mut self, object: &Location, depth: u32) {
        let (entry, program) = (self.trace.entry, self.program);
        let Some(class) = self.memory.classes.get(object).copied() else {
            return;
        };
        let is_set = |field: &str, known: i64| {
            program.is_set_from_outside(field) || program.is_set_by_others(class, entry, field, known)
        };
        for field in program.class(class).fields.iter().filter(|it| !it.is_static) {
            let place = self.member(object, class, &field.name);
            match self.memory.get(&place).cloned() {
                Some(Value::Int(known)) if is_set(&field.name, known) => self.memory.lose(place, false),
                Some(Value::Pointer(owned)) if depth > 0 => self.forget_what_others_set(&owned, depth - 1),
                _ if depth > 0 => self.forget_what_others_set(&place, depth - 1),
                _ => {}
            }
        }
    }

    fn in_global<T>(&mut self, id: GlobalId, body: impl FnOnce(&mut Self) -> T) -> T {
        let program = self.program;
        let path = program.global(id).path.as_slice();
        self.in_frame(id.file, path, None, None, body)
    }

    /// Globals that are arrays, containers or objects are made when they are first seen.
    pub(super) fn prepare_global(&mut self, id: GlobalId, place: &Location) {
        if self.memory.arrays.contains(place)
            || self.memory.classes.contains_key(place)
            || self.memory.maps.contains(place)
        {
            return;
        }
        self.make_global(id, place);
        // A call that was not followed may have changed it.
        if self.globals_lost && !self.program.global(id).variable.ty.constant {
            self.memory.lose_under(place);
        }
    }

    /// A variable as the thread that executes has it, and whether that is made now.
    pub(super) fn of_thread(&mut self, base: Base, per_thread: bool) -> (Base, bool) {
        if !per_thread || self.control.thread == ThreadId(0) {
            return (base, false);
        }
        let key = (self.control.thread, base);
        if let Some(own) = self.per_thread.get(&key) {
            return (*own, false);
        }
        let own = self.memory.local().base;
        self.per_thread.insert(key, own);
        (own, true)
    }

    /// What a variable that no constructor makes begins with.
    pub(super) fn initialise_global(&mut self, id: GlobalId, place: &Location) {
        let variable = &self.program.global(id).variable;
        match variable.init {
            Some(_) => {
                self.in_global(id, |machine| machine.initialise(place, variable, variable.span));
            }
            None => self.memory.set(place.clone(), Value::Int(0)),
        }
    }

    fn make_global(&mut self, id: GlobalId, place: &Location) {
        let program = self.program;
        let global = program.global(id);
        let variable = &global.variable;
        let ty = &variable.ty;
        let scope = Scope {
            file: id.file,
            path: &global.path,
        };
        let name = match self.program.resolve_class(scope, &ty.name) {
            None => self.standard_name(scope, &ty.name),
            Some(_) => ty.name.clone(),
        };
        let is_plain = ty.pointers == 0 && variable.dims.is_empty();
        if is_plain && is_sequence(name.last()) && !self.may_hold_more(place) {
            self.in_global(id, |machine| {
                machine.initialise_object(place, variable, variable.span)
            });
            return;
        }
        if ty.pointers == 0 && is_map(name.last()) {
            if !self.may_hold_more(place) {
                self.memory.zero(place);
            }
            self.prepare_map(place, &name);
            if let Some(Init::Braces(items)) = &variable.init {
                self.in_global(id, |machine| machine.initialise_map(place, items));
            }
            return;
        }
        if self.prepare_global_sync(id, place) {
            return;
        }
        if !variable.dims.is_empty() || ty.pointers == 0 && is_sequence(name.last()) {
            self.in_global(id, |machine| machine.mark_array(place, variable));
            if let Some(kind) = name.template_args.first() {
                self.memory.element_types.insert(place.clone(), kind.clone());
            }
            match &variable.init {
                Some(Init::Braces(items)) => self.in_global(id, |machine| {
                    if machine.memory.element_types.contains_key(place) {
                        machine.initialise_elements(place, items, variable.span);
                    } else {
                        machine.initialise_rows(place, variable, items, variable.span);
                    }
                }),
                Some(Init::Value(value)) => {
                    if let ExprKind::Str(text) = &value.kind {
                        let text = Value::Str(std::sync::Arc::from(text.as_str()));
                        self.memory.set(place.step(super::Step::Element(0)), text);
                    }
                }
                _ => {}
            }
            return;
        }
        if let Some(class) = self.global_class(id) {
            self.prepare_global_object(id, class, place);
        }
    }

    fn prepare_global_object(&mut self, id: GlobalId, class: ClassId, place: &Location) {
        let variable = &self.program.global(id).variable;
        self.memory.classes.insert(place.clone(), class);
        let deep = self.control.frames.len() > super::budget::INLINE_DEPTH;
        let is_container = self.is_container_class(class);
        let begins = is_container && (variable.init.is_some() || !self.may_hold_more(place));
        if (self.program.has_constructor(class) || begins) && !deep {
            let owned = self.in_global(id, |machine| {
                machine.initialise_object(place, variable, variable.span)
            });
            owned.into_iter().for_each(|cleanup| self.at_exit(cleanup));
        } else if let Some(Init::Braces(items)) = &variable.init {
            self.in_global(id, |machine| {
                machine.initialise_fields(place, Some(class), items);
            });
        }
        self.forget_earlier_use(place);
        if !self.program.is_main(self.trace.entry) && self.program.is_set_by_callers(id) {
            for field in self.program.stream_fields(class) {
                let stream = self.stream_of_callers();
                self.memory.set(place.field(field), stream);
            }
        }
    }
}

fn calls_something(global: &Global) -> bool {
    let mut found = false;
    visit::variable(&global.variable, &mut |node| {
        if let Node::Expr(Expr { kind, .. }) = node {
            found |= matches!(kind, ExprKind::Call(_));
        }
    });
    found
}
