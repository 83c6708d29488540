//! Streams in arrays whose length nobody knows: an element that no pass of the loop that filled the array was followed for.

use super::machine::Machine;
use super::memory::Value;
use super::{Location, Step, StreamId};

/// An element of an array of streams that is taken to be made as the others are.
pub(super) struct Further {
    stream: StreamId,
    step: Step,
    /// The elements that were there, each with its stream.
    others: Vec<(Step, StreamId)>,
}

impl Machine<'_> {
    /// Another element of a container of streams or events is one of its own, made the same way.
    pub(super) fn like(&mut self, place: &Location, value: &Value) -> Value {
        match value {
            Value::Stream(id) => {
                let other = self.trace.streams[id.0 as usize].clone();
                let stream = self.new_stream(other.kind, other.name, false);
                self.trace.streams[stream.0 as usize].made = other.made;
                self.note_further(place, stream);
                Value::Stream(stream)
            }
            Value::Event(_) => Value::Event(self.new_event(String::new())),
            _ => self.memory.fresh(),
        }
    }

    /// A stream was taken to stand at a place, made as others beside it.
    fn note_further(&mut self, place: &Location, stream: StreamId) {
        let Some((step, above)) = place.path.split_last() else {
            return;
        };
        if matches!(step, Step::At(_)) {
            self.trace.streams[stream.0 as usize].name = self.words(self.control.here);
        }
        let array = Location {
            base: place.base,
            path: above.to_vec(),
        };
        let mut others = Vec::new();
        for (it, value) in self.memory.under(&array) {
            // The first element of what is no declared array stands where that does.
            let step = it.path.get(above.len()).cloned().unwrap_or(Step::Element(0));
            match value {
                Value::Stream(stream) if it.path.len() <= place.path.len() => others.push((step, *stream)),
                _ => return,
            }
        }
        let held_elsewhere = |stream: StreamId| {
            let held = Value::Stream(stream);
            let inside = |it: &Location| it.base == array.base && it.path.starts_with(&array.path);
            self.memory.places_of(&held).filter(|it| !inside(it)).count() > 0
        };
        if others.iter().any(|(_, it)| held_elsewhere(*it)) {
            return;
        }
        self.further.push(Further {
            stream,
            step: step.clone(),
            others,
        });
    }

    /// What is known at the end of the path says which of them are streams of their own.
    pub(super) fn tell_further_apart(&mut self) {
        for it in std::mem::take(&mut self.further) {
            let created = |stream: StreamId| self.trace.streams[stream.0 as usize].created;
            let own = |(step, stream): &(Step, StreamId)| {
                created(*stream) && self.memory.are_two_elements(&it.step, step)
            };
            if it.others.iter().all(own) {
                self.trace.streams[it.stream.0 as usize].created = true;
            }
        }
    }
}
