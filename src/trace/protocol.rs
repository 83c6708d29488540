//! A class nobody uses in the project, used as its users would: constructor, public methods, destructor.

use std::ops::Range;

use super::calls::Argument;
use super::clients::only_makes;
use super::machine::Machine;
use super::memory::Value;
use super::notes::Forgotten;
use super::numbers::Declared;
use super::{Action, Event, Extent, Location, Mode, StreamKind, ThreadId, Trace, Write};
use crate::api::{Operation, Preload};
use crate::facts::ir::{Expr, ExprKind, Function, Parameter, Role, Stmt, StmtKind};
use crate::program::{ClassId, FileId, FunctionId, Program, Scope};
use crate::syntax::Span;

/// The handle that objects are made into where a stream is wanted.
const STREAM: &str = "cudaStream_t";

/// Methods called per class.
const MAX_METHODS: usize = 24;

/// The calls one user of a class makes.
#[derive(Clone, Debug)]
pub(super) struct Protocol {
    class: ClassId,
    /// A constructor, or a function that hands out an object.
    maker: Option<FunctionId>,
    methods: Vec<FunctionId>,
}

/// What one method did when it was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// Makes or loads something, and works on nothing: comes before everything else.
    Prepares,
    /// Work of any kind.
    Works,
    /// Ends a wait of the method that starts one.
    Stops,
    /// Only waits or gives back: users do that last.
    Finishes,
}

/// The protocol of a class, found out by trying its methods in the order they are declared.
pub(super) fn of_entry(program: &Program, entry: FunctionId, limit: u32) -> Option<Protocol> {
    let function = program.function(entry);
    let is_member = matches!(function.role, Role::Method | Role::Constructor) && !program.is_static(entry);
    if !is_member {
        return None;
    }
    let class = program.class_of_method(entry)?;
    let is_constructor = function.role == Role::Constructor;
    let maker = maker_of(program, entry, class);
    let mut methods = Vec::new();
    program.public_methods(class, &mut methods);
    methods.truncate(MAX_METHODS);
    methods.retain(|it| *it != entry);
    methods.sort_by_key(|it| program.function(*it).span.start);
    let before = methods.partition_point(|it| program.function(*it).span.start < function.span.start);
    // What the start needs may be declared after it: it is tried in its place, then behind everything else.
    [before, methods.len()].into_iter().find_map(|place| {
        let mut methods = methods.clone();
        if !is_constructor {
            methods.insert(place, entry);
        }
        let draft = Protocol {
            class,
            maker,
            methods,
        };
        let (trace, parts) = draft.tried(program, entry, limit);
        // Without a wait somebody else fills in what the constructor left out: the method alone says more.
        if trace.has_waits() {
            return Some(draft.ordered(program, entry, &trace, &parts));
        }
        // An object that comes with nothing has to be given something first.
        let opened = draft.opened_first(&trace, &parts)?;
        let (trace, parts) = opened.tried(program, entry, limit);
        trace
            .has_waits()
            .then(|| opened.ordered(program, entry, &trace, &parts))
    })
}

/// What makes the object that a member is called of: where that is a constructor it itself.
fn maker_of(program: &Program, entry: FunctionId, class: ClassId) -> Option<FunctionId> {
    match program.function(entry).role {
        Role::Constructor => Some(entry),
        _ => program.called_to_make(class),
    }
}

/// The protocol of a class one of whose methods begins a capture: another one, or the destructor, ends it.
pub(super) fn of_capture(program: &Program, entry: FunctionId) -> Option<Protocol> {
    let function = program.function(entry);
    let is_member = matches!(function.role, Role::Method | Role::Constructor) && !program.is_static(entry);
    if !is_member {
        return None;
    }
    let class = program.class_of_method(entry)?;
    let is_constructor = function.role == Role::Constructor;
    let ends = |it: &FunctionId| *it != entry && program.function_mentions(*it, b"EndCapture(");
    let mut enders = Vec::new();
    program.public_methods(class, &mut enders);
    enders.retain(ends);
    enders.sort_by_key(|it| program.function(*it).span.start);
    let later = |it: &&FunctionId| program.function(**it).span.start > function.span.start;
    let ender = enders.iter().find(later).or(enders.first()).copied();
    let start = (!is_constructor).then_some(entry);
    Some(Protocol {
        class,
        maker: maker_of(program, entry, class),
        methods: start.into_iter().chain(ender).collect(),
    })
}

impl Protocol {
    /// What comes of the calls in this order.
    fn tried(
        &self,
        program: &Program,
        entry: FunctionId,
        limit: u32,
    ) -> (Trace, Vec<(FunctionId, Range<usize>)>) {
        let mut machine = Machine::new(program, entry, Vec::new());
        machine.limit = limit;
        machine.enter_entry(entry);
        let parts = run(&mut machine, self);
        (machine.trace, parts)
    }

    /// The same with the methods in front that only make or load something, where that is another order.
    fn opened_first(&self, trace: &Trace, parts: &[(FunctionId, Range<usize>)]) -> Option<Protocol> {
        let events = &trace.threads[0].events;
        let opens = |it: &FunctionId| {
            let mut own = parts.iter().filter(|(id, _)| id == it);
            own.any(|(_, range)| {
                let own = events.get(range.clone()).unwrap_or_default();
                only_makes(own)
            })
        };
        let (opens, rest): (Vec<FunctionId>, Vec<FunctionId>) = self.methods.iter().copied().partition(opens);
        let methods: Vec<FunctionId> = opens.into_iter().chain(rest).collect();
        (methods != self.methods).then(|| Protocol {
            methods,
            ..self.clone()
        })
    }

    /// Preparation, then the start and the work in the order they are declared, then what stops, then what cleans up.
    fn ordered(
        self,
        program: &Program,
        entry: FunctionId,
        trace: &Trace,
        parts: &[(FunctionId, Range<usize>)],
    ) -> Protocol {
        let events = &trace.threads[0].events;
        let range = |id: FunctionId| {
            parts
                .iter()
                .find(|(it, _)| *it == id)
                .and_then(|(_, range)| events.get(range.clone()))
                .unwrap_or_default()
        };
        let start = match program.function(entry).role {
            Role::Constructor => events.get(..parts.first().map_or(events.len(), |it| it.1.start)),
            _ => Some(range(entry)),
        }
        .unwrap_or_default();
        // A store of a value nobody knows is the release only where nothing else is.
        let sure = events
            .iter()
            .flat_map(writes)
            .any(|write| write.value.is_some() && ends(start, write));
        let mut methods: Vec<(Part, u32, FunctionId)> = Vec::new();
        for id in self.methods {
            let own = range(id);
            let offset = program.function(id).span.start;
            let part = if id == entry {
                Part::Works
            } else {
                part_of(own, start)
            };
            let starts_another_wait = id != entry && own.iter().any(waits);
            let ending: Vec<&Write> = own.iter().flat_map(writes).filter(|it| ends(start, it)).collect();
            let is_guess = sure && !ending.is_empty() && ending.iter().all(|write| write.value.is_none());
            if id != entry && (own.is_empty() || is_guess) || starts_another_wait {
                continue;
            }
            methods.push((part, offset, id));
        }
        methods.sort();
        Protocol {
            methods: methods.into_iter().map(|(_, _, id)| id).collect(),
            ..self
        }
    }
}

fn part_of(own: &[Event], start: &[Event]) -> Part {
    if own
        .iter()
        .any(|event| writes(event).any(|write| ends(start, write)))
    {
        return Part::Stops;
    }
    if only_makes(own) {
        return Part::Prepares;
    }
    let is_work = |event: &Event| match &event.action {
        Action::Call(call) => call.work.as_ref().is_some_and(|work| !work.kind.is_marker()),
        Action::Store(_) => true,
        _ => false,
    };
    let prepares = |event: &Event| match &event.action {
        Action::Call(call) => call.api.is_some_and(|api| {
            api.preloads != Preload::No
                || matches!(
                    api.operation,
                    Operation::Allocate
                        | Operation::AllocateAsync
                        | Operation::AllocateHost
                        | Operation::AllocateManaged
                        | Operation::RegisterHost
                        | Operation::StreamCreate
                        | Operation::EventCreate
                )
        }),
        _ => false,
    };
    let gives_back = |event: &Event| match &event.action {
        Action::Call(call) => call.api.is_some_and(|api| {
            matches!(
                api.operation,
                Operation::Free | Operation::FreeHost | Operation::UnregisterHost
            )
        }),
        _ => false,
    };
    let makes = own.iter().any(prepares);
    let loads = own.iter().any(|event| matches!(&event.action, Action::Call(call) if call.api.is_some_and(|api| matches!(api.operation, Operation::ModuleLoad | Operation::LibraryHandleCreate))));
    match (own.iter().any(is_work), makes, own.iter().any(gives_back)) {
        (true, ..) | (false, true, true) => Part::Works,
        (false, true, false) => Part::Prepares,
        (false, false, _) if loads => Part::Works,
        (false, false, _) => Part::Finishes,
    }
}

fn waits(event: &Event) -> bool {
    matches!(&event.action, Action::Call(call) if call.work.as_ref().is_some_and(|work| !work.waits.is_empty()))
}

fn writes(event: &Event) -> impl Iterator<Item = &Write> {
    let (store, work) = match &event.action {
        Action::Store(write) => (Some(write), None),
        Action::Call(call) => (None, call.work.as_ref()),
        _ => (None, None),
    };
    store
        .into_iter()
        .chain(work.into_iter().flat_map(|work| &work.writes))
}

/// Whether a write ends a wait among these events.
fn ends(start: &[Event], write: &Write) -> bool {
    start.iter().any(|event| match &event.action {
        Action::Call(call) => call
            .work
            .iter()
            .flat_map(|work| &work.waits)
            .any(|wait| wait.ended_by(write)),
        _ => false,
    })
}

/// Makes the calls; says which events each method made.
pub(super) fn run(machine: &mut Machine<'_>, protocol: &Protocol) -> Vec<(FunctionId, Range<usize>)> {
    let program = machine.program;
    let class = protocol.class;
    let span = program.class(class).span;
    let mut object = machine.memory.local();
    machine.memory.classes.insert(object.clone(), class);
    match protocol.maker {
        Some(maker) => {
            let args = machine.unknown_arguments(maker);
            let at = program.function(maker).name_span;
            object = machine.make_by(maker, args, (object, class), at);
        }
        None => machine.construct(&object, class, Vec::new(), span),
    }
    let mut parts = Vec::new();
    for method in &protocol.methods {
        let first = machine.trace.threads[0].events.len();
        if !machine.exited {
            call(machine, &object, class, *method);
        }
        parts.push((*method, first..machine.trace.threads[0].events.len()));
    }
    if !machine.exited {
        machine.destroy(&object, class, span);
    }
    parts
}

fn call(machine: &mut Machine<'_>, object: &Location, class: ClassId, method: FunctionId) {
    let args = machine.unknown_arguments(method);
    let span = machine.program.function(method).name_span;
    machine.invoke(method, Some((object.clone(), class)), args, span);
    debug_assert_eq!(
        machine.control.thread,
        ThreadId(0),
        "a method returns to its caller's thread"
    );
}

/// A call in the text of an entry point.
struct Outer {
    site: (FileId, Span),
    called: FunctionId,
    /// What it gets that the caller of the entry point handed in, in the user's words.
    what: Option<String>,
}

impl Machine<'_> {
    /// The object that a constructor makes of what stands at a place, or that a function hands out instead, where anybody can tell
    /// which that is.
    pub(super) fn make_by(
        &mut self,
        maker: FunctionId,
        args: Vec<Argument>,
        (object, class): (Location, ClassId),
        span: Span,
    ) -> Location {
        if self.program.function(maker).role == Role::Constructor {
            self.invoke(maker, Some((object.clone(), class)), args, span);
            return object;
        }
        let made = self.invoke(maker, None, args, span);
        let known = self.pointee(&made).filter(|it| self.object_at(it).is_some());
        known.unwrap_or(object)
    }

    /// What a function is handed by somebody nobody knows.
    pub(super) fn unknown_arguments(&mut self, function: FunctionId) -> Vec<Argument> {
        let definition = self.program.function(function);
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        let unknown = |parameter: &Parameter| {
            let value = self.memory.fresh();
            if let Value::Unknown(id) = value {
                self.memory.handed_in.insert(id);
                let number = self.declared_in_scope(&parameter.ty, 0, scope);
                if number.and_then(Declared::value).is_none() {
                    self.memory.handed_arguments.insert(id);
                }
            }
            let mut argument = Argument::unplaced(value.clone(), parameter.name.clone());
            if !parameter.name.is_empty() && self.program.is_stream_type(scope, &parameter.ty) {
                argument = self.unknown_stream(argument, scope, parameter);
            }
            argument
        };
        let mut arguments: Vec<Argument> = definition.params.iter().map(unknown).collect();
        if self.program.is_main(function) {
            self.start_with(&mut arguments);
        }
        let carried = self
            .program
            .carried_stream(function)
            .filter(|_| function == self.trace.entry);
        if let Some(carried) = carried {
            self.trace.notes.promise.streams.push(carried.to_owned());
        }
        arguments
    }

    /// A stream nobody knows: a handle, or an object that is made into one.
    fn unknown_stream(&mut self, argument: Argument, scope: Scope<'_>, parameter: &Parameter) -> Argument {
        let mut argument = argument;
        let mut handle = argument.value.clone();
        if let Some(class) = self.program.resolve_class(scope, &parameter.ty.name) {
            let place = self.memory.local();
            self.memory.classes.insert(place.clone(), class);
            handle = self.stream_at(place.clone());
            argument.value = Value::Aggregate(place.clone());
            argument.place = Some(place);
        }
        if let Value::Unknown(id) = handle {
            self.handed_in.insert(id, self.trace.streams.len() as u32);
            self.handed_names.insert(id, parameter.name.clone());
            self.trace.notes.promise.streams.push(parameter.name.clone());
        }
        argument
    }

    /// An argument the caller of the entry point handed in, in the user's words, where that function is handed a stream.
    pub(super) fn handed_argument(&self, args: &[Argument]) -> Option<String> {
        if self.trace.notes.promise.streams.is_empty() {
            return None;
        }
        let is_handed = |place: &Location| self.memory.is_handed_in(place.base);
        let handed = |it: &&Argument| match &it.value {
            Value::Unknown(id) => self.memory.handed_arguments.contains(id),
            Value::Pointer(place) | Value::Aggregate(place) => is_handed(place),
            _ => it.place.as_ref().is_some_and(is_handed),
        };
        args.iter().find(handed).map(|it| it.words.clone())
    }

    /// A function that is to keep a promise begins: what its callers hand in, where they are seen, is no assumption.
    pub(super) fn note_handed_streams(&mut self, function: FunctionId) {
        let is_entry = self.control.frames.len() <= 2;
        if is_entry || self.program.promises().binary_search(&function).is_err() {
            return;
        }
        let definition = self.program.function(function);
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        let mut streams = definition.params.iter();
        let unordered = streams
            .any(|it| self.program.is_stream_type(scope, &it.ty) && !self.is_ordered_with_default(&it.name));
        if unordered {
            self.coverage.handed_unordered.insert(function);
        }
    }

    /// Whether a variable holds a stream that the legacy default stream waits for, and that waits for it.
    fn is_ordered_with_default(&mut self, variable: &str) -> bool {
        match self.lookup(variable).map(|it| self.stream_at(it)) {
            Some(Value::Int(it)) => matches!(it, 0..=2),
            Some(Value::Stream(stream)) => {
                let stream = &self.trace.streams[stream.0 as usize];
                let kinds = [StreamKind::Blocking, StreamKind::Legacy, StreamKind::PerThread];
                kinds.contains(&stream.kind)
            }
            _ => false,
        }
    }

    /// The stream in a place: a handle, or what an object is made into.
    fn stream_at(&mut self, place: Location) -> Value {
        let sole = self.object_at(&place).and_then(|class| {
            let field = self.program.sole_stream(class)?;
            Some(self.member(&place, class, field))
        });
        match sole {
            Some(field) => self.memory.load(&field),
            None if self.memory.is_object(&place) => {
                self.converted(Value::Aggregate(place), STREAM, Span::default())
            }
            None => self.memory.load(&place),
        }
    }

    /// A function that is handed a stream returns a container: its caller may read it, unless the name of the function says
    /// that it only begins something.
    pub(super) fn hand_back(&mut self, value: &Value, span: Span) {
        if self.trace.notes.client.is_some() {
            // What is only passed on was handed out further inside.
            let is_same = |it: &(FileId, Span, Value)| it.2 == *value;
            let passes_on = self
                .frame()
                .function
                .is_some_and(|it| forwards(self.program.function(it)));
            if !passes_on || !self.control.handed_over.as_ref().is_some_and(is_same) {
                self.control.handed_over = Some((self.frame().file, span, value.clone()));
            }
        }
        let entry = self.trace.entry;
        if self.frame().function != Some(entry) {
            return;
        }
        self.trace.notes.promise.returns.insert(span);
        let Value::Aggregate(place) = value else {
            return;
        };
        let is_result = !self.trace.notes.promise.streams.is_empty() && self.memory.is_sequence(place);
        let says_so = || {
            let callers = self.program.callers(entry);
            self.program.says_asynchronous(entry) || callers.iter().any(|it| self.program.waits_in_text(*it))
        };
        if is_result && !says_so() {
            let place = place.clone();
            self.touch(&place, Extent::Some, Mode::Read, span);
        }
    }

    /// The call in the text of the entry point that a function is called by: it itself, or one of a function without a stream.
    fn call_in_entry(&self, callee: FunctionId, what: Option<String>) -> Option<Outer> {
        let entry = self.trace.entry;
        let frames = self.control.frames.iter().rev();
        let mut calls = frames.filter(|it| it.function.is_some() && !it.transparent);
        let own = calls.next()?;
        let caller = calls.next()?;
        if caller.function == Some(entry) {
            let site = own.call_site?;
            let called = callee;
            return Some(Outer { site, called, what });
        }
        let called = caller.function.filter(|it| !self.program.takes_stream(*it))?;
        let is_direct = calls.next()?.function == Some(entry);
        let (site, what) = (caller.call_site?, caller.handed.clone());
        is_direct.then_some(Outer { site, called, what })
    }

    /// A function that takes a stream begins, with a default stream, called from the text of an entry point that has another.
    pub(super) fn note_forgotten_stream(&mut self, callee: FunctionId, what: Option<String>) {
        if self.trace.notes.promise.streams.is_empty() {
            return;
        }
        let Some(Outer { site, called, what }) = self.call_in_entry(callee, what) else {
            return;
        };
        let definition = self.program.function(callee);
        let scope = Scope {
            file: callee.file,
            path: &definition.path,
        };
        let takes_stream = |it: &&Parameter| !it.pack && self.program.is_stream_type(scope, &it.ty);
        let Some(parameter) = definition.params.iter().find(takes_stream) else {
            return;
        };
        // A stream that went to another parameter was handed on: it is not this function that is called.
        let others = definition.params.iter().filter(|it| !takes_stream(it));
        let mut others = others.filter_map(|it| self.lookup(&it.name));
        if others.any(|it| self.memory.get(&it).is_some_and(|it| self.is_stream(it))) {
            return;
        }
        let Some(place) = self.lookup(&parameter.name) else {
            return;
        };
        let stream = self.stream_at(place);
        let is_default = match stream {
            Value::Int(it) => matches!(it, 0..=2),
            Value::Stream(stream) => {
                let kind = self.trace.streams[stream.0 as usize].kind;
                matches!(kind, StreamKind::Legacy | StreamKind::PerThread)
            }
            _ => false,
        };
        let ignored = matches!(stream, Value::Unknown(id) if !self.handed_in.contains_key(&id))
            && self.program.ignores_stream(self.trace.entry);
        // A function that makes no use of its stream works in none.
        let is_used = (is_default || ignored) && self.program.passes_on(callee, &parameter.name);
        if is_used {
            let (thread, position) = (self.control.thread, self.events() as u32);
            self.trace.notes.promise.forgotten.push(Forgotten {
                site,
                callee: called,
                what,
                ignored,
                thread,
                position,
            });
        }
    }
}

/// Whether a function does nothing but call another one with what it is handed.
fn forwards(function: &Function) -> bool {
    let [
        Stmt {
            kind: StmtKind::Return(Some(result)),
            ..
        },
    ] = function.body.as_slice()
    else {
        return false;
    };
    let ExprKind::Call(call) = &result.kind else {
        return false;
    };
    let is_own = |(argument, parameter): (&Expr, &Parameter)| matches!(&argument.kind, ExprKind::Name(name) if name.is_plain() && name.last() == parameter.name);
    call.args.len() == function.params.len() && call.args.iter().zip(&function.params).all(is_own)
}
