//! Handles: the streams and events that values stand for.

use std::collections::{BTreeMap, BTreeSet};

use super::cuda::Invocation;
use super::machine::Machine;
use super::making::{Made, standard};
use super::memory::Value;
use super::{
    Action, Base, Event, EventId, LEGACY, Location, OwnField, Step, Stream, StreamId, StreamKind, WorkKind,
};
use crate::api::{Operation, Role};
use crate::facts::ir::{BinaryOp, Parameter};
use crate::program::kernels::written_name;
use crate::program::{ClassId, OwnStream, Scope};
use crate::syntax::Span;

/// How many objects are looked at on the way to a stream in one of them.
const MOST_OWNERS: u32 = 4;

/// Who keeps a stream that somebody else keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeper {
    /// What the function was handed, or what a call on that returns.
    Argument,
    Anybody,
}

impl Machine<'_> {
    /// The collective that was called last works on this communicator, or joins the one that this value tells from others.
    pub(super) fn note_communicator(&mut self, call: &Invocation<'_>) {
        let role = match call.entry.operation {
            Operation::CollectiveInit => Role::Value,
            _ => Role::Handle,
        };
        let Some(argument) = call.arg(role).cloned() else {
            return;
        };
        let value = match &argument.value {
            Value::Aggregate(place) => self.memory.value_of_contents(place),
            value => Some(value.clone()),
        };
        let Some(value) = value else { return };
        let thread = self.control.thread;
        let events = &self.trace.threads[thread.0 as usize].events;
        // A call that does no work leaves no event.
        let is_call = |it: &Event| matches!(&it.action, Action::Call(made) if made.name == call.name);
        let Some(last) = events.iter().rposition(is_call) else {
            return;
        };
        let known = self.communicators.iter().position(|it| *it == value);
        let number = known.unwrap_or_else(|| {
            self.communicators.push(value);
            self.communicators.len() - 1
        });
        self.trace
            .notes
            .communicators
            .insert((thread, last as u32), number as u32);
    }

    pub(super) fn new_stream(&mut self, kind: StreamKind, name: String, created: bool) -> StreamId {
        self.trace.streams.push(Stream {
            kind,
            name,
            device: self.control.device,
            created,
            handed_in: None,
            kept: false,
            carried: false,
            element: false,
            made: None,
            own: None,
        });
        StreamId(self.trace.streams.len() as u32 - 1)
    }

    /// The stream a value stands for; `0` and `nullptr` are the default stream.
    pub(super) fn stream_of(&mut self, value: &Value, name: &str) -> StreamId {
        match value {
            Value::Unknown(id) if let Some(stream) = self.memory.seen_stream(*id) => stream,
            Value::Stream(id) => *id,
            Value::Int(0) => self.default_stream(),
            Value::Int(1) => LEGACY,
            Value::Int(2) => self.per_thread_stream(),
            Value::Unknown(id) if self.truth(value) == Some(false) => self.stream_of_null(*id),
            Value::Unknown(id) => {
                if let Some(stream) = self.stream_of_unknown.get(id) {
                    return *stream;
                }
                let handed = self.handed_names.get(id).cloned();
                // What stands in a model is no name that the project has.
                let otherwise = if self.in_model() { "stream" } else { name };
                let name = handed
                    .or_else(|| self.asked_for(*id))
                    .unwrap_or_else(|| otherwise.to_owned());
                let stream = self.new_stream(StreamKind::Unknown, name, false);
                self.stream_of_unknown.insert(*id, stream);
                let handed_in = self.handed_in.get(id).copied();
                let kept = self.is_kept_stream(*id);
                let own = self.own_field(*id).filter(|_| handed_in.is_none());
                let is_element = |it: &Location| {
                    let mut steps = it.path.iter();
                    steps.any(|it| matches!(it, Step::Element(_) | Step::At(_)))
                };
                let element = self.memory.places_of(value).any(is_element);
                let made = &mut self.trace.streams[stream.0 as usize];
                made.handed_in = handed_in;
                made.kept = kept.is_some() && handed_in.is_none();
                made.carried = made.kept && kept == Some(Keeper::Argument);
                made.element = element;
                if let Some((own, kind)) = own {
                    (made.own, made.kind) = (Some(own), kind);
                }
                stream
            }
            _ => self.new_stream(StreamKind::Unknown, name.to_owned(), false),
        }
    }

    /// Two handles are equal: they are one stream. On the path that was decided to go there (`decided`) they were so before that came
    /// to light, too.
    pub(super) fn learn_one_stream(&mut self, condition: u32, holds: bool, decided: bool) {
        let mut implied = Vec::new();
        self.memory.implied(condition, holds, &mut implied);
        for (condition, _) in implied.into_iter().filter(|it| it.1) {
            let Some((BinaryOp::Equal, left, right)) = self.memory.definition(condition) else {
                continue;
            };
            let (stream, id) = match (left, right) {
                (Value::Stream(stream), Value::Unknown(id)) | (Value::Unknown(id), Value::Stream(stream)) => {
                    (*stream, *id)
                }
                _ => continue,
            };
            self.memory.see_stream(id, stream);
            let before = self.stream_of_unknown.get(&id).filter(|_| decided).copied();
            if let Some(before) = before.filter(|it| *it != stream && !self.capturing.contains_key(it)) {
                self.stream_of_unknown.insert(id, stream);
                self.trace.replace_stream(before, stream);
            }
        }
    }

    /// The path is the one on which the handle is null: its stream was the default stream before that came to light, too.
    fn stream_of_null(&mut self, id: u32) -> StreamId {
        let stream = self.default_stream();
        let before = self.stream_of_unknown.insert(id, stream);
        if let Some(before) = before.filter(|it| *it != stream && !self.capturing.contains_key(it)) {
            self.trace.replace_stream(before, stream);
        }
        stream
    }

    /// The field a stream nobody knows was found in, where the field is a stream of its object's own.
    fn own_field(&self, id: u32) -> Option<(OwnField, StreamKind)> {
        let value = Value::Unknown(id);
        let found = self.memory.places_of(&value).find_map(|place| {
            let field = |it: &Step| matches!(it, Step::Field(_));
            let Some(at) = place.path.iter().rposition(field) else {
                let (field, kind) = self.program.own_global_stream(place.base.global()?)?;
                return Some((field, kind, place.clone()));
            };
            let Step::Field(name) = &place.path[at] else {
                return None;
            };
            let object = Location {
                base: place.base,
                path: place.path[..at].to_vec(),
            };
            let class = self.class_declared_at(&object, MOST_OWNERS)?;
            let (field, kind) = self.program.own_stream(class, name)?;
            Some((field, kind, place.clone()))
        });
        let (field, kind, place) = found?;
        let kind = match kind {
            OwnStream::Blocking => StreamKind::Blocking,
            OwnStream::NonBlocking => StreamKind::NonBlocking,
            OwnStream::Unknown => StreamKind::Unknown,
        };
        Some((OwnField { field, place }, kind))
    }

    /// An object the caller of the entry point handed in is of the class the parameter was declared with.
    pub(super) fn note_handed_class(&mut self, id: u32, place: &Location, parameter: &Parameter) {
        let ty = &parameter.ty;
        let (base, name) = match (ty.pointers, standard(&ty.name)) {
            (0, Made::Smart(_)) => (
                Base::Outside(id),
                ty.name.template_args.first().and_then(|it| written_name(it)),
            ),
            (0, _) => (place.base, Some(ty.name.clone())),
            (1, _) => (Base::Outside(id), Some(ty.name.clone())),
            _ => return,
        };
        let class = name.and_then(|it| self.program.resolve_pointed_class(self.scope(), &it));
        if let Some(class) = class {
            self.handed_classes.insert(base, class);
        }
    }

    /// The class of an object, seen being made or as what leads to it was declared.
    fn class_declared_at(&self, object: &Location, owners: u32) -> Option<ClassId> {
        if let Some(class) = self.memory.classes.get(object) {
            return Some(*class);
        }
        let Some((step, owner)) = object.path.split_last() else {
            let declared = self.handed_classes.get(&object.base).copied();
            let Base::Outside(id) = object.base else {
                return declared;
            };
            let pointer = Value::Unknown(id);
            let mut places = self.memory.places_of(&pointer);
            return declared.or_else(|| places.find_map(|it| self.class_of_field_at(it, owners)));
        };
        let whole = Location {
            base: object.base,
            path: owner.to_vec(),
        };
        match step {
            Step::Field(_) => self.class_of_field_at(object, owners),
            _ => self.class_declared_at(&whole, owners.checked_sub(1)?),
        }
    }

    /// The class a field is declared with, through a pointer to it.
    fn class_of_field_at(&self, place: &Location, owners: u32) -> Option<ClassId> {
        let (Step::Field(field), owner) = place.path.split_last()? else {
            return None;
        };
        let owner = Location {
            base: place.base,
            path: owner.to_vec(),
        };
        let class = self.class_declared_at(&owner, owners.checked_sub(1)?)?;
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let declared = definition.fields.iter().find(|it| it.name == **field)?;
        self.program.resolve_pointed_class(scope, &declared.ty.name)
    }

    /// The call of a function nobody knows that returned a value, in the user's words.
    fn asked_for(&self, id: u32) -> Option<String> {
        let note = self.unseen_results.get(&id)?;
        let site = &self.trace.notes.opaque.get(*note)?.site;
        Some(self.program.words(site.file, site.span))
    }

    /// What is found in an object that a call nobody followed returned comes from that call as well.
    pub(super) fn note_part_of_result(&mut self, place: &Location, value: &Value) {
        let (Value::Unknown(part), Some((Step::Field(_), whole))) = (value, place.path.split_last()) else {
            return;
        };
        let whole = Location {
            base: place.base,
            path: whole.to_vec(),
        };
        if let Some(Value::Unknown(result)) = self.memory.get(&whole)
            && let Some(call) = self.unseen_results.get(result).copied()
        {
            self.unseen_results.insert(*part, call);
        }
    }

    /// Who else keeps a stream nobody knows. A function that returned it does not wait for anything.
    fn is_kept_stream(&mut self, id: u32) -> Option<Keeper> {
        let Some(note) = self.unseen_results.get(&id) else {
            let keeper = match self.answers_of_arguments.contains(&id) || self.is_only_stream(id) {
                true => Keeper::Argument,
                false => Keeper::Anybody,
            };
            return self.memory.handed_in.contains(&id).then_some(keeper);
        };
        if let Some(call) = self.trace.notes.opaque.get_mut(*note) {
            call.unbound = false;
            call.streams.clear();
            call.reaches = Some(Default::default());
        }
        Some(match self.answers_of_arguments.contains(&id) {
            true => Keeper::Argument,
            false => Keeper::Anybody,
        })
    }

    /// A function that is handed no stream, and works in the one stream of what it is handed, is handed that, and so is one that
    /// forks from a stream that somebody keeps.
    pub(super) fn note_carried_stream(&mut self) {
        let entry = self.trace.entry;
        let promise = &self.trace.notes.promise;
        let is_called = self.trace.notes.client.is_none() && !self.program.is_main(entry);
        if !promise.streams.is_empty() || !promise.members.is_empty() || !is_called {
            return;
        }
        let Some(given) = self.only_carried().or_else(|| self.forked_from()) else {
            return;
        };
        let stream = &mut self.trace.streams[given.0 as usize];
        (stream.handed_in, stream.kept, stream.carried) = (Some(0), false, true);
        self.trace.notes.promise.streams.push(stream.name.clone());
    }

    /// The one stream of what a function is handed.
    fn only_carried(&self) -> Option<StreamId> {
        // What a constructor is handed the object keeps.
        let is_of_object = self.entry_object.is_some() && {
            let class = self.program.class_of_method(self.trace.entry);
            let constructor = class.and_then(|it| self.program.constructor_of(it));
            constructor.is_some_and(|it| !self.program.function(it).params.is_empty())
        };
        let streams = self.trace.streams.iter().enumerate();
        let mut carried = streams.filter(|(_, it)| it.carried && !is_of_object);
        match (carried.next(), carried.next()) {
            (Some((only, _)), None) => Some(StreamId(only as u32)),
            _ => None,
        }
    }

    /// A stream that somebody keeps, and that another one is let wait for before there is any work of the function itself in it:
    /// what is waited for is what the caller has enqueued there.
    fn forked_from(&self) -> Option<StreamId> {
        let mut used: BTreeSet<StreamId> = BTreeSet::new();
        let mut recorded: BTreeMap<EventId, StreamId> = BTreeMap::new();
        for event in &self.trace.threads[0].events {
            let Action::Call(call) = &event.action else {
                continue;
            };
            let Some(work) = &call.work else { continue };
            match work.kind {
                WorkKind::Record(event) if !used.contains(&work.stream) => {
                    recorded.insert(event, work.stream);
                }
                WorkKind::Record(event) => {
                    recorded.remove(&event);
                }
                WorkKind::WaitEvent(event) => {
                    let from = recorded.get(&event).filter(|it| **it != work.stream);
                    let is_kept = |it: &&StreamId| {
                        let it = &self.trace.streams[it.0 as usize];
                        it.kept && !it.created && it.own.is_none() && it.kind == StreamKind::Unknown
                    };
                    return from.filter(is_kept).copied();
                }
                _ => {
                    used.insert(work.stream);
                }
            }
        }
        None
    }

    /// Whether a stream was found in a field of an object that has no other.
    fn is_only_stream(&self, id: u32) -> bool {
        let value = Value::Unknown(id);
        let mut places = self.memory.places_of(&value);
        places.any(|place| {
            let Some((Step::Field(_), whole)) = place.path.split_last() else {
                return false;
            };
            let whole = Location {
                base: place.base,
                path: whole.to_vec(),
            };
            match self.memory.classes.get(&whole) {
                Some(class) => self.program.carries_one_stream(*class),
                None => whole.path.is_empty() && self.program.is_handed_one_stream(self.trace.entry),
            }
        })
    }

    /// Whether a value was used as a stream.
    pub(super) fn is_stream(&self, value: &Value) -> bool {
        match value {
            Value::Stream(_) => true,
            Value::Unknown(id) => self.stream_of_unknown.contains_key(id),
            _ => false,
        }
    }

    pub(super) fn default_stream(&mut self) -> StreamId {
        if self
            .program
            .source(self.at(Span::default()).0)
            .per_thread_default_stream
        {
            self.per_thread_stream()
        } else {
            LEGACY
        }
    }

    fn per_thread_stream(&mut self) -> StreamId {
        if let Some(stream) = self
            .per_thread_streams
            .get(&(self.control.thread, self.control.device))
        {
            return *stream;
        }
        let stream = self.new_stream(
            StreamKind::PerThread,
            "the per-thread default stream".to_owned(),
            true,
        );
        self.per_thread_streams
            .insert((self.control.thread, self.control.device), stream);
        stream
    }

    pub(super) fn new_event(&mut self, name: String) -> EventId {
        self.next_event += 1;
        self.event_names.insert(EventId(self.next_event), name);
        EventId(self.next_event)
    }

    pub(super) fn event_of(&mut self, value: &Value, name: &str) -> EventId {
        match value {
            Value::Event(id) => *id,
            Value::Unknown(id) => {
                if let Some(event) = self.event_of_unknown.get(id) {
                    return *event;
                }
                let event = self.new_event(name.to_owned());
                self.event_of_unknown.insert(*id, event);
                event
            }
            _ => self.new_event(name.to_owned()),
        }
    }
}
