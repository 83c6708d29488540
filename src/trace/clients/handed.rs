//! What a client hands over: where a call works in its stream, it made that there.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::calls::Argument;
use super::super::machine::Machine;
use super::super::memory::Value;
use super::super::{Action, Base, Extent, Location, Mode, Step, StreamId, WorkKind};
use super::Hands;
use crate::facts::ir::Function;
use crate::program::{ClassId, FunctionId};
use crate::syntax::Span;

/// How far it is followed what a number is worked out from.
const MOST_STEPS: u32 = 8;

impl Machine<'_> {
    /// What among the arguments of a call its kernels use, where some of these events are in a stream.
    pub(super) fn used_for(&self, stream: StreamId, handed: &[Argument], events: Range<usize>) -> Vec<usize> {
        let events = self.trace.threads[0].events.get(events).unwrap_or_default();
        let works = events.iter().filter_map(|it| match &it.action {
            Action::Call(call) => call.work.as_ref(),
            _ => None,
        });
        if !works.clone().any(|it| it.stream == stream) {
            return Vec::new();
        }
        let kernels = works.filter(|it| it.kind == WorkKind::Kernel);
        let used: Vec<Base> = kernels
            .flat_map(|it| it.accesses.iter().map(|it| it.location.base))
            .collect();
        let is_used = |it: &Argument| place_of(it).is_some_and(|it| used.contains(&it.base));
        let indices = handed.iter().enumerate().filter(|it| is_used(it.1));
        indices.map(|it| it.0).collect()
    }

    /// Notes the streams of the client, and which elements calls work on because of the numbers they are handed: it chooses those.
    pub(super) fn note_choices(&mut self, hands: &Hands) {
        let works = self.trace.threads.iter().flat_map(|it| &it.events);
        let works = works.filter_map(|it| match &it.action {
            Action::Call(call) => call.work.as_ref(),
            _ => None,
        });
        let steps = works.flat_map(|it| &it.accesses).flat_map(|it| &it.location.path);
        let is_asked = |it: &Step| match it {
            Step::At(index) => self.has_part(*index, &hands.asked, 0),
            // Where numbers are known nobody can tell what comes of them.
            Step::Element(index) => hands.chose && *index != 0,
            _ => false,
        };
        self.trace.notes.asked_elements = steps.filter(|it| is_asked(it)).cloned().collect();
        self.trace.notes.client_streams = hands.streams.values().copied().collect();
    }

    /// Whether a number is worked out from one of these.
    fn has_part(&self, number: u32, of: &BTreeSet<u32>, depth: u32) -> bool {
        let is_part = |it: &Value| matches!(it, Value::Unknown(it) if self.has_part(*it, of, depth + 1));
        of.contains(&number)
            || depth < MOST_STEPS
                && self
                    .memory
                    .definition(number)
                    .is_some_and(|(_, left, right)| is_part(left) || is_part(right))
    }

    /// The client makes, in its stream, what it is about to hand over.
    pub(super) fn make_in_stream(&mut self, stream: StreamId, args: &[Argument], made: &[usize], span: Span) {
        let mut accesses = Vec::new();
        for argument in made.iter().filter_map(|it| args.get(*it)) {
            if let Some(place) = place_of(argument) {
                let all = place.step(Step::Any);
                accesses.push(self.access(all, Extent::Some, Mode::Write, span, &argument.words));
            }
        }
        self.work_of_client(stream, accesses, span);
    }

    /// Memory that an object shows to whoever asks, without a stream: a client that names one to get at it knows that it is the same
    /// every time, and sees to the order itself.
    pub(super) fn shown_without_stream(&mut self, object: Option<(Location, ClassId)>) -> BTreeSet<Base> {
        let Some((place, class)) = object else {
            return BTreeSet::new();
        };
        let program = self.program;
        let shows = |id: FunctionId, it: &Function| {
            it.constant
                && it.defined
                && it.params.is_empty()
                && it.result.pointers > 0
                && !program.is_eventful(id)
        };
        let written = program.written_in(class).filter(|(id, it)| shows(*id, it));
        let getters: Vec<FunctionId> = written.map(|it| it.0).collect();
        let mut found = BTreeSet::new();
        for getter in getters {
            let span = program.function(getter).span;
            if let Value::Pointer(memory) =
                self.invoke(getter, Some((place.clone(), class)), Vec::new(), span)
            {
                found.insert(memory.base);
            }
        }
        found
    }
}

/// What an argument points to.
fn place_of(argument: &Argument) -> Option<Location> {
    match &argument.value {
        Value::Pointer(place) => Some(place.clone()),
        Value::Unknown(id) => Some(Location::object(Base::Outside(*id))),
        _ => None,
    }
}
