//! A client of a library whose clients nobody sees. It makes an object, calls what is offered in the order in which that is
//! declared, works in its streams on what it is handed, and does all of that twice before it gives the object back.
//!
//! What one call returns goes to the parameters of that type of the next ones, and everything else that the client hands over is
//! the same in both rounds: whatever goes wrong needs no other caller than a careful one.

use std::collections::BTreeMap;
use std::ops::Range;

use super::calls::Argument;
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{
    Access, Action, Block, Event, Extent, Location, Mode, Step, StreamId, StreamKind, Work, WorkKind,
};
use crate::api::Operation;
use crate::facts::ir::{Function, Parameter, Type};
use crate::program::interfaces::{Interface, Maker};
use crate::program::kernels::written_name;
use crate::program::{FunctionId, Program, Scope};
use crate::syntax::Span;

/// What the work of clients is called.
const WORK: &str = "the client's kernel";

/// How much a client asks for.
const NEEDED: i64 = 4_096;

/// The calls one client makes.
#[derive(Clone, Debug)]
pub(super) struct Client {
    interface: Interface,
    /// Called in every round.
    uses: Vec<FunctionId>,
    /// Called at the end: they give back what the object has.
    ends: Vec<FunctionId>,
    rounds: u32,
    /// The second round has a stream of its own.
    changes_stream: bool,
    /// Something is lent in the order of a stream: the client says how much it needs.
    lends: bool,
}

/// What a type is as far as values go from one call to another: a class, or what a pointer leads to.
type Kind = (String, u8);

/// What a client has in its hands.
#[derive(Default)]
struct Hands {
    object: Option<Location>,
    /// A stream for each round.
    streams: BTreeMap<u32, StreamId>,
    results: BTreeMap<Kind, Argument>,
    /// What it hands over by itself: the same at every call.
    own: BTreeMap<FunctionId, Vec<Argument>>,
    /// Places that the call being made stores pointers to, and how these are declared.
    out: Vec<(Type, Location)>,
    round: u32,
    /// A call of this round was handed its stream.
    works: bool,
}

impl Hands {
    /// What a call is to store results in.
    fn expect_results(&mut self, function: &Function, args: &[Argument]) {
        let pairs = function.params.iter().zip(args).filter(|(it, _)| is_out(it));
        let places = pairs.filter_map(|(parameter, argument)| match &argument.value {
            Value::Pointer(place) => Some((parameter.ty.clone(), place.clone())),
            _ => None,
        });
        self.out = places.collect();
    }
}

/// The client of an interface, by what each of its functions does when all are tried in the order of declaration.
pub(super) fn of_interface(program: &Program, key: FunctionId, limit: u32) -> Option<Client> {
    let interface = program.interface_of(key)?;
    let takes = |id: &&FunctionId| program.takes_stream(**id);
    let lends = interface
        .uses
        .iter()
        .filter(takes)
        .any(|it| results_of(program, *it).next().is_some());
    let draft = Client {
        uses: interface.uses.clone(),
        ends: Vec::new(),
        rounds: 1,
        changes_stream: false,
        lends,
        interface,
    };
    let mut machine = Machine::new(program, key, Vec::new());
    machine.limit = limit;
    machine.enter_entry(key);
    let parts = run(&mut machine, &draft);
    let waits = machine.trace.has_waits();
    // Objects of classes around resident kernels have a protocol of their own.
    if waits && matches!(draft.interface.maker, Maker::Class(_)) {
        return None;
    }
    let events = &machine.trace.threads[0].events;
    let parts = parts
        .iter()
        .map(|(id, range)| (*id, events.get(range.clone()).unwrap_or_default()));
    let client = draft.ordered(program, parts.collect());
    (!client.uses.is_empty()).then(|| Client {
        rounds: if waits { 1 } else { 2 },
        ..client
    })
}

impl Client {
    /// Every function in its place; what does nothing that anybody sees is left out.
    fn ordered(self, program: &Program, parts: Vec<(FunctionId, &[Event])>) -> Client {
        let consumes = |id: FunctionId| {
            let function = program.function(id);
            let kinds = function
                .params
                .iter()
                .filter_map(|it| kind_of(program, id, &it.ty, true));
            let kinds: Vec<Kind> = kinds.collect();
            parts.iter().any(|(other, own)| {
                let gives = *other != id && (program.takes_stream(*other) || !own.is_empty());
                gives && results_of(program, *other).any(|it| kinds.contains(&it))
            })
        };
        let mut uses = Vec::new();
        let mut ends = Vec::new();
        let (mut takes_back, mut is_set) = (false, false);
        for (id, own) in &parts {
            let streams = program.takes_stream(*id);
            let consumes = consumes(*id);
            if Maker::Returned(*id) == self.interface.maker
                || matches!(self.interface.maker, Maker::Stored(maker, _) if maker == *id)
                || own.is_empty() && !streams && !consumes
            {
                continue;
            }
            if gives_back(own) && !consumes {
                ends.push(*id);
                continue;
            }
            takes_back |= streams && consumes;
            is_set |= streams && own.is_empty();
            uses.push(*id);
        }
        // What takes something comes behind what gives it.
        uses.sort_by_key(|it| consumes(*it) && results_of(program, *it).next().is_none());
        Client {
            uses,
            ends,
            changes_stream: self.lends && takes_back || is_set,
            ..self
        }
    }
}

impl Client {
    /// What it does, as an assumption.
    fn told(&self, program: &Program) -> String {
        let names = self
            .uses
            .iter()
            .filter_map(|it| program.function(*it).path.last());
        let names: Vec<String> = names.map(|it| format!("`{it}`")).collect();
        let often = match (self.rounds, self.changes_stream) {
            (1, _) => "once",
            (_, false) => "twice",
            (_, true) => "twice, the second time in another stream",
        };
        format!("a client calls {} {often}", names.join(", "))
    }
}

/// Whether something is given back, and no work is done.
fn gives_back(events: &[Event]) -> bool {
    let calls = || {
        events.iter().filter_map(|it| match &it.action {
            Action::Call(call) => Some(call),
            _ => None,
        })
    };
    let is_work = |kind: &WorkKind| !matches!(kind, WorkKind::Record(_) | WorkKind::WaitEvent(_));
    let works = calls().any(|it| it.work.as_ref().is_some_and(|it| is_work(&it.kind)));
    let ends = [
        Operation::Free,
        Operation::FreeHost,
        Operation::UnregisterHost,
        Operation::StreamDestroy,
        Operation::EventDestroy,
    ];
    !works && calls().any(|it| it.api.is_some_and(|it| ends.contains(&it.operation)))
}

/// What a value of a type counts as; `taken` for that of a parameter that takes one.
fn kind_of(program: &Program, function: FunctionId, ty: &Type, taken: bool) -> Option<Kind> {
    if ty.pointers > 0 {
        return (!taken || !ty.constant).then(|| (ty.name.last().to_owned(), ty.pointers));
    }
    let scope = scope_of(program, function);
    if taken && ty.reference && !ty.constant || program.is_stream_type(scope, ty) {
        return None;
    }
    let is_optional = ty.name.last() == "optional";
    let held = ty.name.template_args.first().filter(|_| is_optional);
    let name = match held {
        Some(held) => written_name(held)?,
        None => ty.name.clone(),
    };
    program.resolve_class(scope, &name)?;
    Some((name.last().to_owned(), 0))
}

/// What a function returns, or stores where a parameter points.
fn results_of(program: &Program, id: FunctionId) -> impl Iterator<Item = Kind> {
    let function = program.function(id);
    let returned = kind_of(program, id, &function.result, false).filter(|_| !is_own(program, id));
    let stored = function.params.iter().filter(|it| is_out(it));
    let stored = stored.map(|it| (it.ty.name.last().to_owned(), it.ty.pointers - 1));
    returned.into_iter().chain(stored)
}

/// Whether a method returns the object it is called on.
fn is_own(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    let class = function.path.iter().rev().nth(1);
    function.result.reference && class.is_some_and(|it| it == function.result.name.last())
}

/// A parameter that a pointer is stored through.
fn is_out(parameter: &Parameter) -> bool {
    parameter.ty.pointers == 2 && !parameter.ty.constant
}

/// A number of bytes or elements.
fn is_size(parameter: &Parameter) -> bool {
    parameter.ty.pointers == 0 && !parameter.ty.reference && parameter.ty.name.last() == "size_t"
}

fn scope_of(program: &Program, id: FunctionId) -> Scope<'_> {
    Scope {
        file: id.file,
        path: &program.function(id).path,
    }
}

/// Makes the calls; says which events each of them made.
pub(super) fn run(machine: &mut Machine<'_>, client: &Client) -> Vec<(FunctionId, Range<usize>)> {
    machine.trace.notes.client = Some(client.told(machine.program));
    let mut hands = Hands::default();
    machine.make_for_client(client, &mut hands);
    let mut parts = Vec::new();
    for round in 0..client.rounds {
        hands.round = if client.changes_stream { round } else { 0 };
        hands.works = false;
        hands.results.clear();
        for id in &client.uses {
            parts.push((*id, machine.call_for_client(client, &mut hands, *id)));
        }
    }
    if !machine.trace.has_waits() {
        for stream in hands.streams.values() {
            let span = machine.program.function(machine.trace.entry).name_span;
            machine.finish(String::new(), None, None, Block::Stream(*stream), None, span);
        }
    }
    for id in &client.ends {
        parts.push((*id, machine.call_for_client(client, &mut hands, *id)));
    }
    if let (Maker::Class(_), Some(object)) = (client.interface.maker, &hands.object)
        && !machine.exited
    {
        let class = client.interface.class;
        machine.destroy(object, class, machine.program.class(class).span);
    }
    parts
}

impl Machine<'_> {
    fn make_for_client(&mut self, client: &Client, hands: &mut Hands) {
        let program = self.program;
        let class = client.interface.class;
        match client.interface.maker {
            Maker::Class(constructor) => {
                let object = self.memory.local();
                self.memory.classes.insert(object.clone(), class);
                self.note_class_arguments(&object, class, &client.interface.arguments);
                hands.object = Some(object.clone());
                match constructor {
                    Some(constructor) => {
                        let args = self.arguments_of_client(client, hands, constructor, None);
                        let span = self.stand_at(constructor);
                        self.invoke(constructor, Some((object, class)), args, span);
                    }
                    None => self.construct(&object, class, Vec::new(), program.class(class).span),
                }
            }
            Maker::Returned(maker) => {
                let args = self.arguments_of_client(client, hands, maker, None);
                let span = self.stand_at(maker);
                let made = self.invoke(maker, None, args, span);
                hands.object = self.pointee(&made);
            }
            Maker::Stored(maker, parameter) => {
                let place = self.memory.local();
                let out = Argument::unplaced(Value::Pointer(place.clone()), String::new());
                let args = self.arguments_of_client(client, hands, maker, Some((parameter, out)));
                let span = self.stand_at(maker);
                self.invoke(maker, None, args, span);
                let made = self.memory.load(&place);
                hands.object = self.pointee(&made);
            }
        }
    }

    /// The client calls a function from where that is written.
    fn stand_at(&mut self, function: FunctionId) -> Span {
        self.frame_mut().file = function.file;
        self.program.function(function).name_span
    }

    fn call_for_client(&mut self, client: &Client, hands: &mut Hands, id: FunctionId) -> Range<usize> {
        let program = self.program;
        let Some(object) = hands.object.clone().filter(|_| !self.exited) else {
            return 0..0;
        };
        let span = self.stand_at(id);
        let streams = program.takes_stream(id);
        if streams && hands.works {
            let stream = self.stream_of_client(hands, program.function(id));
            self.work_of_client(stream, Vec::new(), span);
        }
        let first = self.events();
        let result = match client.interface.maker {
            Maker::Class(_) => {
                let args = self.arguments_of_client(client, hands, id, None);
                self.invoke(id, Some((object, client.interface.class)), args, span)
            }
            _ => {
                let handle = Argument::unplaced(Value::Pointer(object), String::new());
                let args = self.arguments_of_client(client, hands, id, Some((0, handle)));
                self.invoke(id, None, args, span)
            }
        };
        let range = first..self.events();
        if streams || !range.is_empty() {
            self.take_results(hands, id, result, span);
        }
        hands.works |= streams;
        range
    }

    /// What the client hands to a function; `given` for one of its parameters.
    fn arguments_of_client(
        &mut self,
        client: &Client,
        hands: &mut Hands,
        id: FunctionId,
        given: Option<(usize, Argument)>,
    ) -> Vec<Argument> {
        let program = self.program;
        let function = program.function(id);
        let scope = scope_of(program, id);
        if !hands.own.contains_key(&id) {
            let streams = self.trace.notes.promise.streams.len();
            let unknown = self.unknown_arguments(id);
            self.trace.notes.promise.streams.truncate(streams);
            hands.own.insert(id, unknown);
        }
        let is_stream = |it: &Parameter| program.is_stream_type(scope, &it.ty);
        // What may be left out is.
        let is_needed = |(index, it): &(usize, &Parameter)| {
            let has_default = it.default.is_some() || program.declared_default(id, *index).is_some();
            !has_default || is_stream(it)
        };
        let mut params = function.params.iter().enumerate();
        let count = params.rfind(is_needed).map_or(0, |(index, _)| index + 1);
        let mut args = Vec::new();
        for (index, parameter) in function.params.iter().enumerate().take(count) {
            let own = hands.own.get(&id).and_then(|it| it.get(index)).cloned();
            let own = own.unwrap_or_else(|| Argument::unplaced(self.memory.fresh(), parameter.name.clone()));
            let handed = kind_of(program, id, &parameter.ty, true).and_then(|it| hands.results.get(&it));
            let argument = match (&given, handed) {
                (Some((at, it)), _) if *at == index => it.clone(),
                _ if is_stream(parameter) => {
                    let stream = self.stream_of_client(hands, function);
                    self.stream_for(scope, parameter, stream)
                }
                (_, Some(handed)) => handed.clone(),
                _ if is_out(parameter) => {
                    let place = self.memory.local();
                    Argument::unplaced(Value::Pointer(place), parameter.name.clone())
                }
                _ if client.lends && is_size(parameter) => {
                    Argument::unplaced(Value::Int(NEEDED), parameter.name.clone())
                }
                _ => own,
            };
            args.push(argument);
        }
        hands.expect_results(function, &args);
        args
    }

    fn stream_of_client(&mut self, hands: &mut Hands, function: &Function) -> StreamId {
        if let Some(stream) = hands.streams.get(&hands.round) {
            return *stream;
        }
        let path = &function.path;
        let name = match hands.round {
            0 => {
                let scope = Scope {
                    file: self.frame().file,
                    path,
                };
                let mut params = function.params.iter();
                let named = params.find(|it| self.program.is_stream_type(scope, &it.ty));
                named.map_or("stream", |it| it.name.as_str()).to_owned()
            }
            _ => "other".to_owned(),
        };
        let stream = self.new_stream(StreamKind::NonBlocking, name, true);
        hands.streams.insert(hands.round, stream);
        stream
    }

    /// A stream as a parameter wants it: a handle, or an object that is made of one.
    fn stream_for(&mut self, scope: Scope<'_>, parameter: &Parameter, stream: StreamId) -> Argument {
        let handle = Value::Stream(stream);
        let Some(class) = self.program.resolve_class(scope, &parameter.ty.name) else {
            return Argument::unplaced(handle, parameter.name.clone());
        };
        let place = self.memory.local();
        self.memory.classes.insert(place.clone(), class);
        match self.program.sole_stream(class) {
            Some(field) => {
                let field = self.member(&place, class, field);
                self.memory.set(field, handle);
            }
            None => {
                let handle = Argument::unplaced(handle, parameter.name.clone());
                self.construct(&place, class, vec![handle], Span::default());
            }
        }
        Argument {
            place: Some(place.clone()),
            ..Argument::unplaced(Value::Aggregate(place), parameter.name.clone())
        }
    }

    /// The client keeps what a call gives it, and works on device memory among it in the stream it handed over.
    fn take_results(&mut self, hands: &mut Hands, id: FunctionId, result: Value, span: Span) {
        let program = self.program;
        let function = program.function(id);
        let name = function.path.last().map_or("", String::as_str);
        let words = format!("{name}()");
        let mut taken = Vec::new();
        if let Some(kind) = kind_of(program, id, &function.result, false).filter(|_| !is_own(program, id)) {
            taken.push((kind, result, function.result.constant));
        }
        for (ty, place) in std::mem::take(&mut hands.out) {
            let value = self.memory.load(&place);
            taken.push(((ty.name.last().to_owned(), ty.pointers - 1), value, false));
        }
        let mut accesses = Vec::new();
        for (kind, value, constant) in taken {
            let place = match &value {
                Value::Aggregate(place) => Some(place.clone()),
                _ => None,
            };
            let mode = match kind.1 > 0 && !constant {
                true => Mode::Write,
                false => Mode::Read,
            };
            for memory in self.device_memory_in(&value) {
                accesses.push(self.access(memory.step(Step::Any), Extent::Some, mode, span, &words));
            }
            let argument = Argument {
                place,
                ..Argument::unplaced(value, words.clone())
            };
            hands.results.insert(kind, argument);
        }
        if !accesses.is_empty() && program.takes_stream(id) {
            let stream = self.stream_of_client(hands, function);
            self.work_of_client(stream, accesses, span);
        }
    }

    /// Device memory that a value leads to: itself, or by pointers of the object it is.
    fn device_memory_in(&self, value: &Value) -> Vec<Location> {
        let device = |value: &Value| match value {
            Value::Pointer(place) => {
                let origin = self.memory.origin(place.base);
                matches!(origin, Some(Origin::Device | Origin::Pool)).then(|| place.clone())
            }
            _ => None,
        };
        match value {
            Value::Aggregate(place) => self
                .memory
                .under(place)
                .filter_map(|(_, it)| device(it))
                .collect(),
            _ => device(value).into_iter().collect(),
        }
    }

    fn work_of_client(&mut self, stream: StreamId, accesses: Vec<Access>, span: Span) {
        let work = Work {
            kind: WorkKind::Kernel,
            stream,
            kernel: None,
            waits: Vec::new(),
            writes: Vec::new(),
            accesses,
        };
        self.finish(WORK.to_owned(), None, Some(work), Block::None, None, span);
    }
}
