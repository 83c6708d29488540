//! A client of a library whose clients nobody sees. It makes an object, calls what is offered in the order in which that is
//! declared, works in its streams on what it is handed, and does all of that again before it gives the object back.
//!
//! What one call returns goes to the parameters of that type of the next ones, and everything else that the client hands over is
//! the same in every round: whatever goes wrong needs no other caller than a careful one.

mod doings;
mod handed;
mod kinds;
mod making;
mod plan;
mod told;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(super) use self::doings::only_makes;
use self::kinds::{
    Kind, is_out, is_own, is_plain, kind_of, leads_to_constants, leads_to_memory, results_of, scope_of,
};
pub(super) use self::plan::{of_interface, of_two_calls};
use super::calls::Argument;
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{
    Access, Base, Block, Extent, LEGACY, Location, Mode, Step, StreamId, StreamKind, ThreadId, Work, WorkKind,
};
use crate::api;
use crate::facts::ir::{Function, Parameter, Role, Type};
use crate::program::interfaces::{Interface, Maker};
use crate::program::{ClassId, FileId, FunctionId, Program, Scope};
use crate::syntax::Span;

/// What the work of clients is called.
const WORK: &str = "the client's kernel";

/// How much memory a client asks for.
const NEEDED: i64 = 4_096;

/// Any other number it chooses: there are so many of a thing.
const MANY: i64 = 4;

/// How much or how many there is of everything in what a client makes small.
const FEW: i64 = 2;

/// The smallest amount that it asks for by and by: it has many divisors, and so have its multiples.
const AMOUNT: i64 = 96;

/// How often it does the same in a row: rings of two slots come round.
const SEVERAL: i64 = 3;

/// Rounds at most: rings of so many slots, less one, come round.
const MOST_ROUNDS: i64 = 5;

/// How deep what is made for a constructor is made of something else.
const MOST_MADE: u32 = 2;

/// The calls one client makes.
#[derive(Clone, Debug)]
pub(super) struct Client {
    interface: Interface,
    /// Called once when an object has been made with nothing in it: they make what others work with.
    opens: Vec<FunctionId>,
    /// How objects of other classes that it is made with, or is handed, are opened and built.
    parts: BTreeMap<ClassId, Client>,
    /// Called twice when an object has been made: they add something to it, and do nothing else.
    builds: Vec<FunctionId>,
    /// Called in every round.
    uses: Vec<FunctionId>,
    /// Those of them that only ask: who wants to know waits before.
    asks: Vec<FunctionId>,
    /// Called before those, and at the end: they only wait.
    waits: Vec<FunctionId>,
    /// Called at the end: they give back what the object has.
    ends: Vec<FunctionId>,
    /// More than one round is made.
    again: bool,
    /// Called several times in a row: they leave work behind that others wait for.
    repeats: Vec<FunctionId>,
    /// Every other round has a stream of its own.
    changes_stream: bool,
    /// The stream of the object is set by a call that does nothing else.
    sets_stream: bool,
    /// It has two objects at a time, each in a stream of its own: they share what the library shares among them.
    pair: bool,
    /// Those were made with objects that themselves work in the stream of whoever uses them: both are used in one stream.
    in_one_stream: bool,
    /// Something is lent in the order of a stream: the client says how much it needs.
    lends: bool,
    /// Calls leave an event behind in the stream they are handed: others know when that has come so far.
    is_followed: bool,
    /// The numbers it hands over are known.
    chooses: bool,
    /// It makes an object that has little of everything, and asks that for something else in every round.
    scarce: bool,
    /// Called while their stream is captured, as their comments allow: twice.
    records: Vec<FunctionId>,
    /// They are recorded once, and the graph is launched again.
    relaunches: bool,
    /// What kernels of a call use that is handed over by itself, where the call works in the client's stream and is not handed that:
    /// which arguments of which functions.
    made_in_stream: BTreeMap<FunctionId, Vec<usize>>,
}

/// What comes of what one client does.
pub struct ClientTracing {
    /// The paths.
    pub tracing: super::Tracing,
    /// It records calls into a graph.
    pub records: bool,
    /// It gives an object that works in one stream another one without waiting: not every client may.
    pub is_daring: bool,
}

/// An object of the library that a client made for others.
struct Made {
    class: ClassId,
    place: Location,
    /// At which call it is which parameter of which function, where it is for that alone.
    handed: Option<(FunctionId, i64, usize)>,
}

/// What a call gave the client.
struct Given {
    kind: Kind,
    /// That call was handed a stream.
    in_stream: bool,
    argument: Argument,
    /// An object that ends when the client is through with it.
    owned: Option<(ClassId, Location)>,
}

/// What among the results of a call a client may use in its stream.
#[derive(Clone, Copy)]
enum Lent {
    /// All memory: the stream was named.
    InStream,
    /// What was allocated in the order of some stream from this allocation on: nobody said that the memory is for that stream only,
    /// while other calls name theirs.
    Since(u32),
    Nothing,
}

/// Whether objects are made for a stream.
fn makes_in_stream(program: &Program, interface: &Interface) -> bool {
    match interface.maker {
        Maker::Nothing => false,
        Maker::Class => interface.class.is_some_and(|it| program.is_made_for_stream(it)),
        Maker::Returned(maker) | Maker::Stored(maker, _) => program.takes_stream(maker),
    }
}

/// What a client has in its hands.
#[derive(Default)]
struct Hands {
    object: Option<Location>,
    /// That ends when the client is through with it.
    owns: bool,
    /// CUDA objects or memory were made together with it.
    made: bool,
    /// A stream for each round.
    streams: BTreeMap<i64, StreamId>,
    results: Vec<Given>,
    /// What it hands over by itself: the same at every call, but for memory that calls may write: it works on the same only in one
    /// stream.
    own: BTreeMap<(FunctionId, i64), Vec<Argument>>,
    /// Objects of the library that others are made with, or are handed.
    parts: Vec<Made>,
    /// Those that the call being made is handed: each is another one.
    handing: Vec<Location>,
    /// Numbers that it hands over with its calls.
    asked: BTreeSet<u32>,
    /// The classes of all of them, those given away too.
    classes: BTreeSet<ClassId>,
    /// How deep it is in making them.
    depth: u32,
    /// It adds to an object: of everything one of its own.
    building: bool,
    /// It chose a number.
    chose: bool,
    /// Places that the call being made stores pointers to, and how these are declared.
    out: Vec<(Type, Location)>,
    /// The round, where every other one has a stream of its own.
    round: i64,
    /// How many rounds have been made.
    number: i64,
    /// How many calls.
    calls: i64,
    /// A call of this round was handed its stream.
    works: bool,
}

impl Hands {
    /// What the client has for a parameter of a call: what came last, from a call that was handed a stream as this one is if there
    /// is one. Plain memory it gives back only once, and in the order of a stream what it got in the order of one.
    fn give(&mut self, kind: &Kind, in_stream: bool, is_plain: bool, for_good: bool) -> Option<Argument> {
        let fits = |it: &Given| it.kind == *kind;
        let alike = self
            .results
            .iter()
            .rposition(|it| fits(it) && it.in_stream == in_stream);
        match is_plain {
            true => Some(self.results.remove(alike?).argument),
            false => {
                let at = alike.or_else(|| self.results.iter().rposition(fits))?;
                if for_good {
                    self.results[at].owned = None;
                }
                Some(self.results[at].argument.clone())
            }
        }
    }

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

impl Client {
    /// Whether a function takes back memory that others give, and the client has none.
    fn lacks(&self, program: &Program, hands: &Hands, id: FunctionId) -> bool {
        let in_stream = program.takes_stream(id);
        kinds::memory_taken(program, id, self.handles(program, id)).any(|kind| {
            let gives = |it: &FunctionId| results_of(program, *it).any(|it| it == kind);
            let has = |it: &Given| it.kind == kind && it.in_stream == in_stream;
            self.uses.iter().any(gives) && !hands.results.iter().any(has)
        })
    }

    /// Whether a function is about to get plain memory back that the client works on, and no stream to do so in the order of.
    fn gives_back(&self, program: &Program, hands: &Hands, id: FunctionId) -> bool {
        let has = |kind: Kind| hands.results.iter().any(|it| it.kind == kind && !it.in_stream);
        !program.takes_stream(id) && kinds::memory_taken(program, id, self.handles(program, id)).any(has)
    }

    /// A number for a parameter of a function: of things, or an amount of memory.
    fn choice(&self, hands: &Hands, id: FunctionId, is_amount: bool) -> i64 {
        let is_used = self.uses.contains(&id);
        match self.scarce {
            _ if self.lends && is_amount => NEEDED,
            true if is_used && is_amount => AMOUNT * (1 + hands.number),
            true if is_used => MANY + hands.number,
            true => FEW,
            false => MANY,
        }
    }

    /// How many arguments of a function say which object is meant.
    fn handles(&self, program: &Program, id: FunctionId) -> usize {
        let is_about_one =
            self.interface.maker != Maker::Nothing && program.function(id).role == Role::Function;
        usize::from(is_about_one)
    }

    /// Whether some of its calls are recorded into a graph.
    pub(super) fn records(&self) -> bool {
        !self.records.is_empty()
    }

    /// Whether it gives an object that works in one stream another one without waiting.
    pub(super) fn is_daring(&self) -> bool {
        self.sets_stream && self.changes_stream
    }
}

/// What came of one call of a client.
struct Part {
    id: FunctionId,
    /// The events it made.
    events: Range<usize>,
    /// It added something to a container.
    adds: bool,
    /// The object, or the file, keeps something that it made.
    fills: bool,
    /// What kernels of it use that the client handed over, where they or what waits for them are in its stream.
    uses: Vec<usize>,
}

impl Part {
    fn nothing(id: FunctionId) -> Part {
        Part {
            id,
            events: 0..0,
            adds: false,
            fills: false,
            uses: Vec::new(),
        }
    }
}

/// What came of the calls of a client.
pub(super) struct Session {
    parts: Vec<Part>,
    /// Something was made together with the object.
    made: bool,
    /// The classes of what else was made.
    classes: BTreeSet<ClassId>,
    /// Where what else was made lies.
    others: BTreeSet<Base>,
    /// It chose a number.
    chose: bool,
    /// It came to its end.
    ended: bool,
}

/// Makes the calls.
pub(super) fn run(machine: &mut Machine<'_>, client: &Client) -> Session {
    machine.trace.notes.client = Some(client.told(machine.program));
    if client.interface.is_opened && client.interface.maker == Maker::Nothing {
        machine.begun_file = Some(machine.trace.entry.file);
    }
    let mut hands = Hands::default();
    let mut parts = match client.pair {
        true => machine.live_in_two(client, &mut hands),
        false => machine.live_as_client(client, &mut hands),
    };
    // What others of its kind were made with too serves the next one.
    if client.again && hands.parts.iter().any(|it| it.handed.is_none()) {
        parts.extend(machine.live_as_client(client, &mut hands));
    }
    let ended = !machine.exited;
    for part in hands.parts.iter().rev() {
        machine.end_for_client(part.class, &part.place);
    }
    machine.note_choices(&hands);
    let (chose, made) = (hands.chose, hands.made);
    Session {
        parts,
        made,
        classes: hands.classes,
        others: hands.parts.iter().map(|it| it.place.base).collect(),
        chose,
        ended,
    }
}

impl Machine<'_> {
    /// The life of one object, from its making to its end.
    fn live_as_client(&mut self, client: &Client, hands: &mut Hands) -> Vec<Part> {
        self.make_for_client(client, hands);
        let mut parts = self.open_for_client(client, hands);
        // What a new object is filled with in the default stream is there when it is used, in practice.
        self.wait_as_client(LEGACY);
        self.build_for_client(client, hands);
        let rounds = match client.again {
            true if client.scarce => MOST_ROUNDS,
            true if client.repeats.is_empty() => self.rounds_of_client(hands),
            _ => 1,
        };
        for round in 0..rounds {
            hands.round = if client.changes_stream { round % 2 } else { 0 };
            hands.number = round;
            hands.works = false;
            for id in &client.uses {
                let times = match client.repeats.contains(id) {
                    true => self.rounds_of_client(hands).max(SEVERAL),
                    false => 1,
                };
                for _ in 0..times {
                    parts.push(self.call_for_client(client, hands, *id));
                }
            }
            self.drop_results(client, hands);
        }
        // Nobody has to wait for one thing before he asks for the next.
        self.wait_for_all(client, hands);
        for id in &client.ends {
            parts.push(self.call_for_client(client, hands, *id));
        }
        let object = hands.object.take().filter(|_| hands.owns);
        if let Some((class, object)) = client.interface.class.zip(object) {
            self.end_for_client(class, &object);
        }
        parts
    }

    /// The lives of two objects, whose calls are made before anybody waits.
    fn live_in_two(&mut self, client: &Client, hands: &mut Hands) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut objects = Vec::new();
        for round in 0..2 {
            hands.round = if client.in_one_stream { 0 } else { round };
            hands.works = false;
            self.make_for_client(client, hands);
            parts.extend(self.open_for_client(client, hands));
            self.wait_as_client(LEGACY);
            self.build_for_client(client, hands);
            for id in &client.uses {
                parts.push(self.call_for_client(client, hands, *id));
            }
            self.drop_results(client, hands);
            objects.extend(hands.object.take());
        }
        self.wait_for_all(client, hands);
        for object in objects {
            hands.object = Some(object.clone());
            for id in &client.ends {
                parts.push(self.call_for_client(client, hands, *id));
            }
            if let Some(class) = client.interface.class.filter(|_| hands.owns) {
                self.end_for_client(class, &object);
            }
        }
        parts
    }

    /// The client is through with what calls gave it: objects among that end. Where neither they nor what they came from know
    /// a stream it waits before.
    fn drop_results(&mut self, client: &Client, hands: &mut Hands) {
        let knows_stream = makes_in_stream(self.program, &client.interface);
        for given in std::mem::take(&mut hands.results).iter().rev() {
            let Some((class, place)) = &given.owned else {
                continue;
            };
            if !given.in_stream && !knows_stream {
                self.wait_for_all(client, hands);
            }
            self.end_for_client(*class, place);
        }
    }

    /// The client has made in a new object what others work with.
    fn open_for_client(&mut self, client: &Client, hands: &mut Hands) -> Vec<Part> {
        let opens = client.opens.iter();
        opens.map(|it| self.call_for_client(client, hands, *it)).collect()
    }

    /// The client adds to a new object what that is made of: more than one of everything.
    fn build_for_client(&mut self, client: &Client, hands: &mut Hands) {
        hands.building = true;
        for _ in 0..2 {
            for id in &client.builds {
                self.call_for_client(client, hands, *id);
            }
        }
        hands.building = false;
    }

    /// The client waits for its streams, and however else it can; not while something is captured.
    fn wait_for_all(&mut self, client: &Client, hands: &mut Hands) {
        if !self.capturing.is_empty() {
            return;
        }
        for stream in hands.streams.values() {
            self.wait_as_client(*stream);
        }
        for id in &client.waits {
            self.call_for_client(client, hands, *id);
        }
    }

    /// The client waits for a stream, where nothing in it may wait for the client.
    fn wait_as_client(&mut self, stream: StreamId) {
        if !self.trace.has_waits() && !self.exited {
            let span = self.program.function(self.trace.entry).name_span;
            self.finish(String::new(), None, None, Block::Stream(stream), None, span);
        }
    }

    fn end_for_client(&mut self, class: ClassId, object: &Location) {
        if !self.exited {
            self.destroy(object, class, self.program.class(class).span);
        }
    }

    /// Whether what is called next is called by a client: nobody wrote that call.
    pub(super) fn is_at_client(&self) -> bool {
        let is_outermost = self.control.frames.len() == 1 && self.control.thread == ThreadId(0);
        is_outermost && self.trace.notes.client.is_some()
    }

    /// How often a client does the same: until all rings that the object has have come round.
    fn rounds_of_client(&self, hands: &Hands) -> i64 {
        let is_own = |it: &Location| match &hands.object {
            Some(object) => it.base == object.base,
            None => it
                .base
                .global()
                .is_some_and(|it| Some(it.file) == self.begun_file),
        };
        let lengths = self.memory.lengths.iter().filter(|it| is_own(it.0));
        let slots = lengths.map(|it| *it.1).filter(|it| *it < MOST_ROUNDS).max();
        slots.map_or(2, |it| (it + 1).max(2))
    }

    /// The client calls a function from where that is written.
    fn stand_at(&mut self, function: FunctionId) -> Span {
        self.frame_mut().file = function.file;
        self.program.function(function).name_span
    }

    fn call_for_client(&mut self, client: &Client, hands: &mut Hands, id: FunctionId) -> Part {
        let program = self.program;
        let object = hands.object.clone();
        if self.exited
            || object.is_none() && client.interface.maker != Maker::Nothing
            || client.lacks(program, hands, id)
        {
            return Part::nothing(id);
        }
        let lengths = self.memory.lengths.clone();
        let kept = (!hands.made).then(|| self.kept_for_client(hands));
        let allocated = self.memory.allocations.len() as u32;
        let span = self.stand_at(id);
        let streams = program.takes_stream(id);
        let knows_stream = client.sets_stream || makes_in_stream(program, &client.interface);
        if client.asks.contains(&id) || client.gives_back(program, hands, id) {
            self.wait_for_all(client, hands);
        }
        if streams && hands.works {
            let stream = self.stream_of_client(hands, id);
            self.work_of_client(stream, Vec::new(), span);
        }
        hands.calls += 1;
        let (given, of) = match (object, client.interface.class) {
            (Some(object), _) if client.handles(program, id) > 0 => (Some((0, self.named(id, object))), None),
            (object, class) => (None, object.zip(class)),
        };
        let of_class = of.clone();
        let args = self.arguments_of_client(client, hands, id, given);
        let own = hands.streams.get(&hands.round).copied();
        let own = own.filter(|_| !streams && (hands.works || knows_stream));
        if let (Some(stream), Some(made)) = (own, client.made_in_stream.get(&id)) {
            self.make_in_stream(stream, &args, made, span);
        }
        let first = self.events();
        let recorded = client.records.contains(&id);
        let recorded = recorded.then(|| self.stream_of_client(hands, id));
        if let Some(stream) = recorded {
            if program.asks_for_a_call_before(id) {
                self.invoke(id, of.clone(), args.clone(), span);
            }
            self.record_as_client(stream, span);
            if !client.relaunches {
                self.invoke(id, of.clone(), args.clone(), span);
            }
        }
        self.control.handed_over = None;
        let handed = args.clone();
        let result = self.invoke(id, of, args, span);
        let handed_over = match self.control.handed_over.take() {
            Some((file, span, _)) => (file, span),
            None => (id.file, span),
        };
        if let Some(stream) = recorded {
            self.replay_as_client(client, stream, span);
        }
        let events = first..self.events();
        // Who alone knows the stream waits before he asks for what happens in none, where that meets what he left there.
        if !(streams || hands.streams.is_empty() || knows_stream || client.is_followed) {
            self.trace.notes.unordered_calls.push(events.clone());
        }
        if streams || !events.is_empty() {
            let lent = match streams {
                true => Lent::InStream,
                false if client.lends => Lent::Since(allocated),
                false => Lent::Nothing,
            };
            let shown = match (lent, streams) {
                (Lent::InStream, true) => self.shown_without_stream(of_class),
                _ => BTreeSet::new(),
            };
            self.take_results(hands, id, result, (lent, &shown), handed_over);
        }
        hands.works |= streams;
        let mut grown = self.memory.lengths.iter();
        let adds = grown.any(|(it, now)| lengths.get(it).is_some_and(|before| before < now));
        let fills = kept.is_some_and(|before| {
            let mut kept = self.kept_for_client(hands).into_iter();
            kept.any(|it| !before.contains(&it))
        });
        let mut uses = own.map_or_else(Vec::new, |it| self.used_for(it, &handed, events.clone()));
        // What a pointer to a struct leads to is the host's.
        let describes = |it: &usize| {
            let mut params = program.function(id).params.iter();
            let ty = params.nth(*it).map(|it| &it.ty);
            ty.is_some_and(|it| {
                it.pointers == 1 && program.resolve_class(scope_of(program, id), &it.name).is_some()
            })
        };
        uses.retain(|it| !describes(it));
        Part {
            id,
            events,
            adds,
            fills,
            uses,
        }
    }

    /// An object as the first parameter of a function wants it.
    fn named(&self, id: FunctionId, object: Location) -> Argument {
        let first = &self.program.function(id).params[0].ty;
        let is_class = self
            .program
            .resolve_class(scope_of(self.program, id), &first.name)
            .is_some();
        if !is_class || first.pointers > 0 {
            return Argument::unplaced(Value::Pointer(object), String::new());
        }
        Argument::object(&object)
    }

    /// What the client has of its own for a function.
    fn own_of_client(&mut self, hands: &mut Hands, id: FunctionId, round: i64) -> Vec<Argument> {
        let own = hands.own.entry((id, round)).or_insert_with(|| {
            let streams = self.trace.notes.promise.streams.len();
            let unknown = self.unknown_arguments(id);
            self.trace.notes.promise.streams.truncate(streams);
            unknown
        });
        own.clone()
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
        let numbers = self.own_of_client(hands, id, 0);
        // Where the library alone knows the stream, nothing may be handed over again before somebody has waited.
        let again = match program.takes_stream(id) || makes_in_stream(program, &client.interface) {
            true => hands.round,
            false => hands.calls,
        };
        let memory = self.own_of_client(hands, id, again);
        let outer = std::mem::take(&mut hands.handing);
        // What is given away is another thing at every call.
        let is_given = |it: &Parameter| {
            it.ty.pointers == 0
                && (it.ty.rvalue || !it.ty.reference && api::library::is_sole_owner(it.ty.name.last()))
        };
        let given_away = match function.params.iter().any(is_given) {
            true => self.own_of_client(hands, id, -1 - hands.calls),
            false => Vec::new(),
        };
        let is_stream = |it: &Parameter| program.is_stream_type(scope, &it.ty);
        // Who asks again may ask for the same; what is written may be what is read.
        let is_written = |it: &Parameter| {
            !is_out(it)
                && leads_to_memory(program, scope, &it.ty)
                && !leads_to_constants(program, scope, &it.ty)
        };
        let only_reads = !function.params.iter().any(is_written);
        // What may be left out is.
        let is_needed = |(index, it): &(usize, &Parameter)| {
            let has_default = it.default.is_some() || program.declared_default(id, *index).is_some();
            !has_default || is_stream(it)
        };
        let mut params = function.params.iter().enumerate();
        let count = params.rfind(is_needed).map_or(0, |(index, _)| index + 1);
        let mut args = Vec::new();
        for (index, parameter) in function.params.iter().enumerate().take(count) {
            let kind = kind_of(program, id, &parameter.ty, true);
            let is_plain = is_plain(program, scope, &parameter.ty);
            let is_memory = leads_to_memory(program, scope, &parameter.ty);
            let is_made = client
                .made_in_stream
                .get(&id)
                .is_some_and(|it| it.contains(&index));
            let is_same = only_reads && !is_made && leads_to_constants(program, scope, &parameter.ty);
            let own = match is_memory {
                _ if is_given(parameter) => &given_away,
                true if !is_same => &memory,
                _ => &numbers,
            };
            let own = own[index].clone();
            if let (Value::Unknown(number), false, true) = (&own.value, is_memory, client.uses.contains(&id))
            {
                hands.asked.insert(*number);
            }
            let for_good = parameter.ty.pointers == 0 && (!parameter.ty.reference || parameter.ty.rvalue);
            let handed = kind.and_then(|it| hands.give(&it, program.takes_stream(id), is_plain, for_good));
            let argument = match (&given, handed) {
                (Some((at, it)), _) if *at == index => it.clone(),
                _ if is_stream(parameter) => {
                    let stream = self.stream_of_client(hands, id);
                    self.stream_for(scope, parameter, stream)
                }
                (_, Some(handed)) => handed,
                _ if client.chooses && self.is_count(scope, &parameter.ty) => {
                    hands.chose = true;
                    let is_amount = self.is_amount(scope, &parameter.ty);
                    let number = client.choice(hands, id, is_amount);
                    Argument::unplaced(Value::Int(number), parameter.name.clone())
                }
                _ if is_out(parameter) => {
                    let place = self.memory.local();
                    Argument::unplaced(Value::Pointer(place), parameter.name.clone())
                }
                _ => {
                    let handed = client.uses.contains(&id).then_some((id, again, index));
                    let part = self.part_for_client(client, hands, scope, &parameter.ty, handed);
                    let part = part.or_else(|| self.options_for_client(client, scope, parameter));
                    part.unwrap_or(own)
                }
            };
            args.push(argument);
        }
        hands.handing = outer;
        hands.expect_results(function, &args);
        args
    }

    /// The stream of this round: made where a function is handed it first.
    fn stream_of_client(&mut self, hands: &mut Hands, id: FunctionId) -> StreamId {
        if let Some(stream) = hands.streams.get(&hands.round) {
            return *stream;
        }
        let scope = scope_of(self.program, id);
        let mut params = self.program.function(id).params.iter();
        let name = match params.find(|it| self.program.is_stream_type(scope, &it.ty)) {
            Some(named) if hands.round == 0 => named.name.clone(),
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

    /// The client keeps what a call gives it, and works in its stream on memory among it that is lent.
    fn take_results(
        &mut self,
        hands: &mut Hands,
        id: FunctionId,
        result: Value,
        (lent, shown): (Lent, &BTreeSet<Base>),
        (file, span): (FileId, Span),
    ) {
        let program = self.program;
        self.frame_mut().file = file;
        let function = program.function(id);
        let name = function.path.last().map_or("", String::as_str);
        let words = format!("{name}()");
        let mut taken = Vec::new();
        if let Some(kind) = kind_of(program, id, &function.result, false).filter(|_| !is_own(program, id)) {
            let is_value = function.result.pointers == 0 && !function.result.reference;
            taken.push((kind, result, function.result.constant, is_value));
        }
        for (ty, place) in std::mem::take(&mut hands.out) {
            let value = self.memory.load(&place);
            taken.push(((ty.name.last().to_owned(), ty.pointers - 1), value, false, false));
        }
        let mut accesses = Vec::new();
        for (kind, value, constant, is_value) in taken {
            let place = match &value {
                Value::Aggregate(place) => Some(place.clone()),
                _ => None,
            };
            let mode = match kind.1 > 0 && !constant {
                true => Mode::Write,
                false => Mode::Read,
            };
            let lent = self.lent_memory_in(&value, lent);
            for memory in lent.into_iter().filter(|it| !shown.contains(&it.base)) {
                // Allocators of host memory keep notes of their own beside what they lend.
                let is_of_host = self.memory.origin(memory.base) == Some(Origin::Heap);
                let mode = if is_of_host { Mode::Read } else { mode };
                accesses.push(self.access(memory.step(Step::Any), Extent::Some, mode, span, &words));
            }
            let owned = place.clone().filter(|_| is_value);
            let owned = owned.and_then(|it| Some((self.object_at(&it)?, it)));
            let argument = Argument {
                place,
                ..Argument::unplaced(value, words.clone())
            };
            hands.results.push(Given {
                kind,
                in_stream: program.takes_stream(id),
                argument,
                owned,
            });
        }
        if !accesses.is_empty() {
            let stream = self.stream_of_client(hands, id);
            self.work_of_client(stream, accesses, span);
        }
    }

    /// Memory that is lent by a value: itself, or by pointers of the object it is.
    fn lent_memory_in(&self, value: &Value, lent: Lent) -> Vec<Location> {
        let device = |value: &Value| match value {
            Value::Pointer(place) => {
                let is_lent = match (self.memory.origin(place.base), lent, place.base) {
                    (Some(Origin::Device | Origin::Pool | Origin::Heap), Lent::InStream, _) => true,
                    (Some(Origin::Pool), Lent::Since(first), Base::Allocation(index)) => first <= index,
                    _ => false,
                };
                is_lent.then(|| place.clone())
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

    /// The client begins to capture a stream.
    fn record_as_client(&mut self, stream: StreamId, span: Span) {
        // `cudaStreamCaptureModeThreadLocal`
        self.call_as_client(
            "cudaStreamBeginCapture",
            [Value::Stream(stream), Value::Int(1)],
            span,
        );
    }

    /// The client ends that, and has what was captured executed.
    fn replay_as_client(&mut self, client: &Client, stream: StreamId, span: Span) {
        let [graph, exec] = [self.memory.local(), self.memory.local()];
        let handle = Value::Stream(stream);
        let place = |it: &Location| Value::Pointer(it.clone());
        self.call_as_client("cudaStreamEndCapture", [handle.clone(), place(&graph)], span);
        let made = self.memory.load(&graph);
        self.call_as_client("cudaGraphInstantiate", [place(&exec), made, Value::Int(0)], span);
        let made = self.memory.load(&exec);
        for _ in 0..if client.relaunches { 2 } else { 1 } {
            self.call_as_client("cudaGraphLaunch", [made.clone(), handle.clone()], span);
        }
    }

    fn call_as_client<const N: usize>(&mut self, name: &str, values: [Value; N], span: Span) {
        if let Some(entry) = api::lookup(name).filter(|_| !self.exited) {
            let args = values.map(|it| Argument::unplaced(it, String::new()));
            self.cuda_call_values(entry, name, args.into(), span);
        }
    }

    fn work_of_client(&mut self, stream: StreamId, accesses: Vec<Access>, span: Span) {
        self.note_used_by_device(&accesses);
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
