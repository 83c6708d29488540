//! Calls of functions that take a stream and get the default one, by a function that is given another stream.

use super::StreamKind;
use super::calls::Argument;
use super::machine::{Frame, Machine};
use super::memory::Value;
use super::notes::{Forgotten, Given};
use crate::facts::ir::Parameter;
use crate::program::{FileId, FunctionId, Scope};
use crate::syntax::Span;

/// A call in the text of a function that is given a stream.
struct Outer {
    given: Given,
    site: (FileId, Span),
    called: FunctionId,
    /// What the call gets of what was handed in, in the user's words.
    what: String,
}

impl Machine<'_> {
    /// A function begins: where it takes a stream and gets a default one, the function that calls it may have another.
    pub(super) fn note_forgotten_stream(&mut self, callee: FunctionId, what: Option<String>) {
        let Some(what) = what else { return };
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
        let Some(Outer {
            given,
            site,
            called,
            what,
        }) = self.call_in_given(callee, what)
        else {
            return;
        };
        let ignored = matches!(stream, Value::Unknown(id) if !self.handed_in.contains_key(&id))
            && self.program.ignores_stream(given.function);
        // A function that makes no use of its stream works in none.
        let is_used =
            (self.is_default(&stream) || ignored) && self.program.passes_on(callee, &parameter.name);
        if is_used {
            let (thread, position) = (self.control.thread, self.events() as u32);
            self.trace.notes.promise.forgotten.push(Forgotten {
                given,
                site,
                callee: called,
                what,
                ignored,
                thread,
                position,
            });
        }
    }

    fn is_default(&self, stream: &Value) -> bool {
        match stream {
            Value::Int(it) => matches!(it, 0..=2),
            Value::Stream(stream) => {
                let kind = self.trace.streams[stream.0 as usize].kind;
                matches!(kind, StreamKind::Legacy | StreamKind::PerThread)
            }
            _ => false,
        }
    }

    /// The call in the text of a function that is given a stream by which another one is called: it itself, or a call of a function
    /// without a stream.
    fn call_in_given(&mut self, callee: FunctionId, what: String) -> Option<Outer> {
        let frames = self.control.frames.iter().enumerate().rev();
        let mut calls = frames.filter(|(_, it)| it.function.is_some() && !it.transparent);
        let ((_, own), (caller, by)) = (calls.next()?, calls.next()?);
        let site = own.call_site?;
        let outer = calls.next().map(|it| it.0);
        let between = by.function.filter(|it| !self.program.takes_stream(*it));
        let between = between.zip(by.call_site).zip(by.handed.clone());
        if let Some(given) = self.given_to(caller) {
            return Some(Outer {
                given,
                site,
                called: callee,
                what,
            });
        }
        let (((called, site), what), outer) = between.zip(outer)?;
        let given = self.given_to(outer)?;
        Some(Outer {
            given,
            site,
            called,
            what,
        })
    }

    /// The stream of the entry point's caller that the function of a frame is given.
    fn given_to(&mut self, frame: usize) -> Option<Given> {
        let Frame { function, scopes, .. } = &self.control.frames[frame];
        let function = (*function)?;
        if function == self.trace.entry {
            let stream = self.trace.notes.promise.streams.first()?.clone();
            return Some(Given { function, stream });
        }
        let definition = self.program.function(function);
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        let streams = definition.params.iter();
        let streams = streams.filter(|it| !it.pack && self.program.is_stream_type(scope, &it.ty));
        let place_of = |it: &Parameter| {
            let place = scopes.iter().rev().find_map(|scope| scope.names.get(&it.name))?;
            Some((it.name.clone(), place.clone()))
        };
        let places: Vec<_> = streams.filter_map(place_of).collect();
        let (stream, _) = places
            .into_iter()
            .find(|(_, place)| match self.stream_at(place.clone()) {
                Value::Unknown(id) => self.handed_in.contains_key(&id),
                Value::Stream(stream) => self.trace.streams[stream.0 as usize].handed_in.is_some(),
                _ => false,
            })?;
        Some(Given { function, stream })
    }

    /// What a function gets of the things that the caller of the entry point handed in, in the user's words.
    pub(super) fn handed_argument(&self, args: &[Argument]) -> Option<String> {
        if self.trace.notes.promise.streams.is_empty() {
            return None;
        }
        let is_handed = |place: &super::Location| self.memory.is_handed_in(place.base);
        let handed = |it: &&Argument| match &it.value {
            Value::Unknown(id) => self.memory.handed_arguments.contains(id),
            Value::Pointer(place) | Value::Aggregate(place) => is_handed(place),
            _ => it.place.as_ref().is_some_and(is_handed),
        };
        args.iter().find(handed).map(|it| it.words.clone())
    }
}
