//! Records accesses: of the host, once work in flight may use the same memory, and of the work itself.

use super::access::{Access, Extent, Length, Mode, ValueId, Within};
use super::calls::Argument;
use super::cuda::{Invocation, handle_name};
use super::layout::size_of;
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{Action, Base, Block, Event, Location, Step, Work, WorkKind, budget};
use crate::api::{Operation, Role};
use crate::facts::ir::{BinaryOp, MemorySpace};
use crate::program::{FileId, FunctionId};
use crate::syntax::Span;

impl Machine<'_> {
    /// An access without anything that chooses a part.
    pub(super) fn access(
        &self,
        location: Location,
        extent: Extent,
        mode: Mode,
        span: Span,
        what: &str,
    ) -> Access {
        Access {
            location: self.memory.stored_at(&location),
            extent,
            count: (extent == Extent::Element).then_some(1),
            within: None,
            unit: None,
            mode,
            at: self.at(span),
            sure: true,
            declared: false,
            offsets: Vec::new(),
            selectors: Vec::new(),
            counted_by: Vec::new(),
            kept_below: Vec::new(),
            told: Vec::new(),
            opaque: false,
            claimed: false,
            chosen_by: None,
            atomic: false,
            what: handle_name(what),
        }
    }

    /// The access a call makes through one of its pointers; `None` when it is not known where that points.
    pub(super) fn access_through(
        &mut self,
        call: &Invocation<'_>,
        argument: &Argument,
        mode: Mode,
    ) -> Option<Access> {
        if call.is_about_nothing() {
            return None;
        }
        let place = match &argument.value {
            Value::Pointer(place) => place.clone(),
            Value::Unknown(id) => Location::object(Base::Outside(*id)),
            _ => return None,
        };
        let bytes = call.arg(Role::Bytes).map(|it| it.value.clone());
        let extent = self.extent(&place, bytes.as_ref());
        let unit = self.unit_of_words(&argument.words);
        let bytes = match bytes {
            Some(Value::Int(bytes)) => Some(bytes),
            _ => None,
        };
        let count = bytes.zip(unit).map(|(bytes, unit)| bytes / unit);
        let access = self.access(place, extent, mode, call.span, &argument.words);
        // What is also seen as something else has elements of several sizes.
        let is_all = matches!(call.entry.operation, Operation::Copy | Operation::Memset)
            && !self.memory.recast.contains(&access.location.base);
        let all = bytes.filter(|it| is_all && *it > 0);
        let within = access.start().zip(all).map(|((object, first), bytes)| Within {
            object: object.to_vec(),
            first,
            length: Length::Bytes(bytes),
        });
        Some(Access {
            count,
            within,
            unit,
            ..access
        })
    }

    /// A class takes memory back in the order of a stream: from there on somebody else may have it, however the class sees to that. Of
    /// memory that somebody was seen to make it shows itself what becomes of it.
    pub(super) fn note_taken_back(&mut self, function: FunctionId, args: &[Argument], span: Span) {
        let Some((memory, stream)) = self.program.takes_back(function) else {
            return;
        };
        let (Some(memory), Some(stream)) = (args.get(memory), args.get(stream)) else {
            return;
        };
        let place = match &memory.value {
            Value::Pointer(place) if matches!(place.base, Base::Outside(_)) => place.clone(),
            Value::Unknown(id) => Location::object(Base::Outside(*id)),
            _ => return,
        };
        if self.is_lending() {
            return;
        }
        let value = self.converted(stream.value.clone(), "cudaStream_t", span);
        let work = Work {
            kind: WorkKind::Other,
            stream: self.stream_of(&value, &stream.words),
            kernel: None,
            waits: Vec::new(),
            writes: Vec::new(),
            accesses: vec![self.access(place, Extent::Whole, Mode::Free, span, &memory.words)],
        };
        let name = self.program.function(function).path.last().cloned();
        self.finish(
            name.unwrap_or_default(),
            None,
            Some(work),
            Block::None,
            None,
            span,
        );
    }

    /// What a class lends in the order of a stream is an object of its own, where nobody knows which.
    pub(super) fn lent_by(&mut self, function: FunctionId, value: Value) -> Value {
        let is_part = match &value {
            Value::Pointer(place) => matches!(place.base, Base::Outside(_)),
            Value::Unknown(id) => self.memory.definition(*id).is_some(),
            _ => false,
        };
        match is_part && self.program.lends(function) && !self.is_lending() {
            true => self.memory.fresh(),
            false => value,
        }
    }

    /// Whether a class that lends memory is at work: what it does with that itself is its own affair, and clients look at it.
    fn is_lending(&self) -> bool {
        let lends = |it: FunctionId| self.program.takes_back(it).is_some() || self.program.lends(it);
        let mut frames = self.control.frames.iter();
        self.trace.notes.client.is_some() || frames.any(|it| it.function.is_some_and(lends))
    }

    /// Bytes of what a pointer points to, or an indexed array holds: `p`, `p + 4`, `&p[4]`, `p[4]`.
    pub(super) fn unit_of_words(&self, words: &str) -> Option<i64> {
        let words = words.trim().trim_start_matches(['&', '*']);
        let end = words.find(|it: char| !it.is_alphanumeric() && it != '_');
        let (name, rest) = words.split_at(end.unwrap_or(words.len()));
        let rest = rest.trim_start();
        let rest = rest.strip_prefix(".data()").unwrap_or(rest).trim_start();
        let plain = rest.is_empty() || rest.starts_with(['+', '[']);
        let place = self.lookup(name)?;
        let element = match self.memory.declared.get(&place) {
            Some(declared) => declared.strip_suffix('*')?,
            None => self.memory.element_types.get(&place)?,
        };
        if plain { size_of(element) } else { None }
    }

    fn extent(&mut self, place: &Location, bytes: Option<&Value>) -> Extent {
        let at_start = place.path.iter().all(|it| *it == Step::Element(0));
        let Some(bytes) = bytes else {
            return Extent::Some;
        };
        let whole = at_start && self.sizes.get(&place.base) == Some(bytes);
        match whole || self.bytes_of_container(place).as_ref() == Some(bytes) {
            true => Extent::Whole,
            false => Extent::Some,
        }
    }

    /// Bytes of the elements of a container, of which this is the first: however many it was made with.
    fn bytes_of_container(&mut self, place: &Location) -> Option<Value> {
        let (Step::Element(0), before) = place.path.split_last()? else {
            return None;
        };
        let container = Location {
            base: place.base,
            path: before.to_vec(),
        };
        let alone = before.iter().all(|it| matches!(it, Step::Field(_)));
        let count = self.memory.counts.get(&container).filter(|_| alone)?.clone();
        let kind = self.memory.element_types.get(&container)?.clone();
        let unit = self.size_of_type(&kind);
        Some(self.memory.binary(BinaryOp::Multiply, count, unit))
    }

    /// An identity for a value.
    pub(super) fn value_id(&mut self, value: &Value) -> ValueId {
        let next = ValueId(self.value_ids.len() as u32);
        *self.value_ids.entry(value.clone()).or_insert(next)
    }

    /// Host accesses of this memory are recorded from here on.
    pub(super) fn watch(&mut self, accesses: &[Access]) {
        self.watched.extend(accesses.iter().map(|it| it.location.base));
        self.touched.clear();
    }

    /// The host reads or writes a place, where that can matter.
    pub(super) fn touch(&mut self, place: &Location, extent: Extent, mode: Mode, span: Span) {
        self.touch_named(place, extent, mode, span, None);
    }

    /// The same, of memory with a name of its own: without one it has that of what stands there.
    fn touch_named(&mut self, place: &Location, extent: Extent, mode: Mode, span: Span, name: Option<&str>) {
        self.note_element(place, mode, span);
        let made = self.memory.stored_at(place);
        if !self.watched.contains(&made.base) {
            return;
        }
        if self.control.polling == 0
            && self.control.quiet == 0
            && self.host_can_access(place)
            && !self.is_synchronising(place)
        {
            let words = name.map_or_else(|| self.words(span), str::to_owned);
            self.record_touch(place, extent, mode, span, &words);
        }
    }

    /// The same, of memory the host may not be able to name itself.
    pub(super) fn record_touch(
        &mut self,
        place: &Location,
        extent: Extent,
        mode: Mode,
        span: Span,
        words: &str,
    ) {
        if self.is_news(place, mode) {
            let access = self.access(place.clone(), extent, mode, span, words);
            self.emit_touch(access, span, words);
        }
    }

    /// Whether work of the device may use the same memory, and the thread did not do the same to it before.
    fn is_news(&mut self, place: &Location, mode: Mode) -> bool {
        let made = self.memory.stored_at(place);
        if !self.watched.contains(&made.base) {
            return false;
        }
        let is_spent = self.touches >= budget::TOUCHES;
        self.coverage.accesses_dropped |= is_spent;
        !is_spent && self.touched.insert((self.control.thread, made, mode))
    }

    /// A loop that was not followed to its end has so many further passes: what stored one element after the other in those that
    /// were, in its own text, stores as many more.
    pub(super) fn rest_of(&self, loop_span: Span, further: i64) -> Vec<(Access, Span)> {
        if further < 1 || self.control.polling > 0 || self.control.quiet > 0 {
            return Vec::new();
        }
        let file = self.frame().file;
        let is_own =
            |at: FileId, span: Span| at == file && loop_span.start <= span.start && span.end <= loop_span.end;
        let begun = self.filled.iter().filter(|((at, span, _), _)| is_own(*at, *span));
        let accesses = begun.filter_map(|((_, span, array), filled)| {
            let last = filled.last.filter(|it| *it > 0)?;
            let is_plain = !self.memory.recast.contains(&array.base) && !self.is_synchronising(array);
            let is_watched = self.watched.contains(&self.memory.stored_at(array).base);
            if !is_plain || !is_watched || !self.host_can_access(array) {
                return None;
            }
            let within = Within {
                object: array.path.clone(),
                first: last.saturating_add(1),
                length: Length::Elements(further),
            };
            let words = self.words(*span);
            let access = Access {
                within: Some(within),
                ..self.access(array.step(Step::Any), Extent::Some, Mode::Write, *span, &words)
            };
            Some((access, *span))
        });
        accesses.collect()
    }

    /// The host stores that.
    pub(super) fn touch_rest(&mut self, rest: Vec<(Access, Span)>) {
        for (access, span) in rest {
            if self.is_news(&access.location, access.mode) {
                let words = self.words(span);
                self.emit_touch(access, span, &words);
            }
        }
    }

    fn emit_touch(&mut self, mut access: Access, span: Span, words: &str) {
        self.touches += 1;
        let site = self.site(span);
        access.unit = self.unit_of_words(words);
        access.at = (site.file, site.span);
        let event = Event {
            site,
            action: Action::Touch(Box::new(access)),
        };
        self.trace.threads[self.control.thread.0 as usize]
            .events
            .push(event);
    }

    /// What a call handed out a reference to is read where its value is used.
    pub(super) fn read_handed_out(&mut self, value: Value, span: Span) -> Value {
        if let Some(place) = self.control.returned.clone()
            && !self.memory.arrays.contains(&place)
            && !matches!(value, Value::Aggregate(_))
        {
            self.touch(&place, Extent::Element, Mode::Read, span);
        }
        value
    }

    /// The host reads or writes what a pointer points to.
    pub(super) fn touch_through(&mut self, pointer: &Value, mode: Mode, span: Span) {
        if let Value::Pointer(place) = pointer {
            let place = place.clone();
            self.touch(&place, Extent::Some, mode, span);
        }
    }

    /// A call has the host read or write what one of its arguments points to.
    pub(super) fn touch_argument(&mut self, argument: &Argument, mode: Mode, span: Span) {
        if let Value::Pointer(place) = &argument.value {
            let name = Some(argument.words.as_str()).filter(|it| !it.is_empty());
            self.touch_named(place, Extent::Some, mode, span, name);
        }
    }

    /// The name of a variable of the device means, on the host, a shadow of it that no kernel sees.
    fn host_can_access(&self, place: &Location) -> bool {
        match place.base {
            Base::Global(id) | Base::Instance(id, _) => !matches!(
                self.program.global(id).variable.space,
                Some(MemorySpace::Device | MemorySpace::Constant)
            ),
            base => !matches!(self.memory.origin(base), Some(Origin::Device | Origin::Pool)),
        }
    }

    /// Volatile and atomic places are there to synchronise with.
    fn is_synchronising(&self, place: &Location) -> bool {
        self.memory.shared.contains(place) || self.memory.shared.contains(&Location::object(place.base))
    }
}
