//! Whether a stream may take part in a capture though no wait that lets it join was seen.

use std::collections::BTreeSet;

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::types::Static;
use super::{Base, EventId, Location, StreamId};

/// What of a capture is out of sight.
#[derive(Default)]
pub(super) struct Unseen {
    /// A function nobody knows got hold of the capturing stream, or of an event recorded there: it may let any stream join
    /// that it knows.
    called: bool,
    /// A stream that may be any stream waits for an event that may be any event.
    joined: bool,
    /// Streams that were handed to functions nobody knows.
    handed: Vec<StreamId>,
}

impl Machine<'_> {
    /// A function nobody knows is called, perhaps a method of an object nobody knows.
    pub(super) fn note_unseen_call(&mut self, args: &[Argument], object: Option<&Location>) {
        let handed: Vec<StreamId> = args
            .iter()
            .filter_map(|it| self.named_stream(&it.value))
            .collect();
        self.capture.unseen.handed.extend(&handed);
        if self.capture.open.is_empty() || self.capture.unseen.called {
            return;
        }
        let captures = |it: &StreamId| self.capturing.contains_key(it);
        let knows = |object: &Location| {
            self.capturing.keys().any(|it| self.is_known_elsewhere(*it))
                || self.streams_in(object.base).any(|it| captures(&it))
        };
        let is_part = |value: &Value| match value {
            Value::Event(event) => self.capture.events.get(event).is_some_and(|it| it.0.is_some()),
            _ => false,
        };
        self.capture.unseen.called = object.is_some_and(knows)
            || args.iter().any(|it| is_part(&it.value))
            || handed.iter().any(captures)
            || self.reachable(args).is_none_or(|bases| {
                let mut held = bases.iter().flat_map(|it| self.streams_in(*it));
                held.any(|it| captures(&it))
            });
    }

    /// A stream waits for an event outside of all captures that are known.
    pub(super) fn note_unseen_wait(&mut self, event: EventId, stream: StreamId) {
        let is_known = self.capture.events.contains_key(&event);
        if !self.capture.open.is_empty() && !is_known && !self.is_identified(stream) {
            self.capture.unseen.joined = true;
        }
    }

    /// The last capture has ended.
    pub(super) fn forget_unseen_joins(&mut self) {
        if self.capture.open.is_empty() {
            let handed = std::mem::take(&mut self.capture.unseen.handed);
            self.capture.unseen = Unseen {
                handed,
                ..Unseen::default()
            };
        }
    }

    /// Whether a stream that was not seen to join a capture may be part of one.
    pub(super) fn may_have_joined(&self, stream: StreamId) -> bool {
        if self.capture.open.is_empty() {
            return false;
        }
        let mut joined = self.capturing.keys();
        self.capture.unseen.joined
            || !self.is_identified(stream)
            || joined.any(|it| !self.is_identified(*it))
            || self.capture.unseen.called && self.is_known_elsewhere(stream)
    }

    /// It is made here, an argument, or something the program keeps: two such streams have two names on purpose.
    fn is_identified(&self, stream: StreamId) -> bool {
        let it = &self.trace.streams[stream.0 as usize];
        if it.created || it.handed_in.is_some() || stream == super::LEGACY {
            return true;
        }
        let own = self.own_object();
        let kept = |base: Base| !matches!(base, Base::Local(_)) || Some(base) == own;
        let mut ids = self.stream_of_unknown.iter().filter(|(_, it)| **it == stream);
        ids.any(|(id, _)| {
            self.memory
                .places_of(&Value::Unknown(*id))
                .any(|it| kept(it.base))
        })
    }

    /// The object whose method is the entry point.
    fn own_object(&self) -> Option<Base> {
        let entry = self.control.frames.first()?;
        entry.this.as_ref().map(|it| it.base)
    }

    /// Whether a function nobody knows may know a stream: it was handed in, or out, or is kept where others look.
    fn is_known_elsewhere(&self, stream: StreamId) -> bool {
        if !self.trace.streams[stream.0 as usize].created || self.capture.unseen.handed.contains(&stream) {
            return true;
        }
        let own = self.own_object();
        let calls = &self.trace.notes.opaque;
        let is_seen = |base: Base| {
            !matches!(base, Base::Local(_) | Base::Allocation(_))
                || Some(base) == own
                || calls
                    .iter()
                    .any(|it| it.reaches.as_ref().is_none_or(|it| it.contains(&base)))
        };
        self.memory
            .places_of(&Value::Stream(stream))
            .any(|it| is_seen(it.base))
    }

    /// Streams a function gets at through its arguments.
    pub(super) fn reachable_streams(&self, args: &[Argument]) -> BTreeSet<StreamId> {
        let reached = self.reachable(args).into_iter().flatten();
        let held = reached.flat_map(|it| self.streams_in(it));
        let handed = args.iter().filter_map(|it| self.named_stream(&it.value));
        held.chain(handed).collect()
    }

    /// Neither a number nor text, and not known: there may be anything behind it.
    pub(super) fn is_unknown_handle(&self, argument: &Argument) -> bool {
        match &argument.value {
            Value::Event(_) | Value::Thread(_) => true,
            Value::Unknown(id) if self.named_stream(&argument.value).is_none() => {
                let of_place = argument.place.as_ref();
                let is_number = argument.ty.as_ref().is_some_and(Static::is_number)
                    || of_place.is_some_and(|it| self.number_at(it).is_some_and(|it| it.value().is_some()));
                !is_number && self.memory.definition(*id).is_none()
            }
            _ => false,
        }
    }

    /// Whether what a call is handed may hold a stream of whoever called the entry point.
    pub(super) fn may_know_caller(&self, argument: &Argument) -> bool {
        match &argument.value {
            Value::Unknown(id) if self.memory.handed_in.contains(id) => {
                self.memory.handed_arguments.contains(id) && self.is_unknown_handle(argument)
            }
            Value::Pointer(place) | Value::Aggregate(place) => {
                place.path.is_empty() && self.memory.is_handed_in(place.base)
            }
            Value::Closure(_) | Value::Bound(_) | Value::Graph(_) => true,
            // A name that no file of the project declares is a constant or an object of somebody else, unless it is inherited.
            Value::Unknown(id) if self.memory.is_named(*id) => {
                let class = self.control.frames.last().and_then(|it| it.class);
                class.is_some_and(|it| self.has_unseen_base(it, 0))
            }
            // A variable of its own that some call it was handed to may have changed.
            Value::Unknown(id) if !self.unseen_results.contains_key(id) => {
                let is_own = |it: &super::Location| matches!(it.base, Base::Local(_));
                !argument.place.as_ref().is_some_and(is_own) && self.is_unknown_handle(argument)
            }
            // Nor does a call know the caller by what one returned that did not.
            Value::Unknown(id) => {
                let call = self.unseen_results.get(id);
                let call = call.and_then(|it| self.trace.notes.opaque.get(*it));
                call.is_none_or(|it| it.knows_caller) && self.is_unknown_handle(argument)
            }
            _ => self.is_unknown_handle(argument),
        }
    }

    fn streams_in(&self, base: Base) -> impl Iterator<Item = StreamId> {
        let cells = self.memory.cells_of(Location::object(base));
        cells.filter_map(|(_, value)| self.named_stream(value))
    }

    /// The stream a value stands for.
    pub(super) fn named_stream(&self, value: &Value) -> Option<StreamId> {
        match value {
            Value::Stream(stream) => Some(*stream),
            Value::Unknown(id) => self.stream_of_unknown.get(id).copied(),
            _ => None,
        }
    }
}
