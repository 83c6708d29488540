//! Clocks: where they are read, which values are made of readings, and where a difference of two is formed.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::Argument;
use super::cuda::{Invocation, handle_name};
use super::machine::Machine;
use super::memory::Value;
use super::notes::{ClockKind, Mark, Opaque, Pass, Region, Shown};
use super::{Action, EventId, Location, ThreadId, WorkKind};
use crate::api::{Role, library};
use crate::facts::ir::{BinaryOp, Expr, Name};
use crate::syntax::Span;

/// What is known of the clocks on a path.
#[derive(Default)]
pub(super) struct Clocks {
    readings: Vec<(ThreadId, Mark)>,
    /// Readings an unknown value is made of, and their signs: `end - start` is one of each.
    terms: BTreeMap<u32, Terms>,
    /// The regions that were noted, by their readings.
    measured: BTreeMap<(u32, u32), u32>,
    /// Times that another number is made of: `bytes / seconds`, `serial / parallel`; one set for each number it may be.
    parts: BTreeMap<u32, BTreeSet<Parts>>,
    /// Numbers that are one of several, or are made of such.
    chosen: BTreeSet<u32>,
    /// Calls that ask for the time between two events, with the regions.
    asked: Vec<(usize, u32)>,
    /// Readings made before the condition that is being evaluated: a difference to one of them is a timeout.
    before_condition: usize,
    executions: u32,
}

type Terms = BTreeMap<u32, bool>;

/// Times, each with the regions it is the sum of.
pub(super) type Parts = BTreeSet<Vec<u32>>;

/// Numbers that one may be, at most: the shortest of so many times, say.
const MOST_ALTERNATIVES: usize = 16;

/// Functions that give the time, by name and number of arguments.
const READINGS: [(&str, usize); 8] = [
    ("clock", 0),
    ("omp_get_wtime", 0),
    ("MPI_Wtime", 0),
    ("time", 1),
    ("__rdtsc", 0),
    ("_rdtsc", 0),
    ("GetTickCount64", 0),
    ("mach_absolute_time", 0),
];

/// Functions that store the time at an address: the argument, and the fields.
const STORED: [(&str, usize, &[&str]); 4] = [
    ("gettimeofday", 0, &["tv_sec", "tv_usec"]),
    ("clock_gettime", 1, &["tv_sec", "tv_nsec"]),
    ("timespec_get", 0, &["tv_sec", "tv_nsec"]),
    ("QueryPerformanceCounter", 0, &["QuadPart"]),
];

impl<'p> Machine<'p> {
    /// A function that reads a clock, or casts what was read; `None` for any other.
    pub(super) fn clock_call(&mut self, name: &'p Name, args: &'p [Expr], span: Span) -> Option<Value> {
        let last = name.last();
        if last == "now" && args.is_empty() && self.names_a_clock(name) {
            return Some(self.read_clock(span));
        }
        if matches!(last, "duration_cast" | "time_point_cast" | "floor" | "round") && args.len() == 1 {
            let value = self.evaluate(&args[0]);
            return Some(if self.is_reading(&value) {
                value
            } else {
                self.memory.fresh()
            });
        }
        if name.path.len() > 2 || name.path.len() == 2 && !matches!(name.path[0].as_str(), "std" | "") {
            return None;
        }
        if last == "difftime" && args.len() == 2 {
            let (stop, start) = (self.evaluate(&args[0]), self.evaluate(&args[1]));
            return Some(self.binary(BinaryOp::Subtract, stop, start));
        }
        if READINGS.contains(&(last, args.len())) {
            self.arguments(args);
            return Some(self.read_clock(span));
        }
        let (_, at, fields) = STORED
            .iter()
            .find(|(name, at, _)| *name == last && *at < args.len())?;
        let args = self.arguments(args);
        let place = self.pointee(&args[*at].value)?;
        self.store_reading(&place, fields, span);
        Some(Value::Int(0))
    }

    /// `clock::now()` of a standard clock, a name for one, or a template parameter that stands for one.
    fn names_a_clock(&mut self, name: &Name) -> bool {
        let Some((_, owner)) = name.path.split_last().filter(|(_, owner)| !owner.is_empty()) else {
            return false;
        };
        let is_clock = |text: &str| text.to_lowercase().contains("clock");
        let owner = Name {
            path: owner.to_vec(),
            template_args: Vec::new(),
            owner_args: Vec::new(),
        };
        is_clock(owner.last())
            || is_clock(&self.template_argument(owner.last()))
            || self
                .program
                .resolve_alias(self.scope(), &owner)
                .is_some_and(|it| is_clock(it.name.last()))
    }

    /// `reading.count()` and `reading.time_since_epoch()` are the reading in other units.
    pub(super) fn clock_method(
        &mut self,
        object: &'p Expr,
        place: Option<&Location>,
        method: &str,
    ) -> Option<Value> {
        if !matches!(method, "count" | "time_since_epoch") {
            return None;
        }
        let value = match place {
            Some(place) => self.memory.get(place).cloned()?,
            None => self.evaluate(object),
        };
        self.is_reading(&value).then_some(value)
    }

    /// Evaluates a condition of a branch or loop.
    pub(super) fn deciding(&mut self, condition: &'p Expr) -> Value {
        let readings = self.clocks.readings.len();
        let outer = std::mem::replace(&mut self.clocks.before_condition, readings);
        let value = self.evaluate(condition);
        self.clocks.before_condition = outer;
        value
    }

    fn read_clock(&mut self, span: Span) -> Value {
        let value = self.memory.fresh();
        let reading = self.new_reading(span);
        self.mark(&value, reading);
        value
    }

    fn store_reading(&mut self, place: &Location, fields: &[&str], span: Span) {
        let reading = self.new_reading(span);
        for field in fields {
            let value = self.memory.fresh();
            self.mark(&value, reading);
            self.memory.set(place.field(field), value);
        }
    }

    fn new_reading(&mut self, span: Span) -> u32 {
        let mark = self.mark_here(span);
        self.clocks.readings.push((self.control.thread, mark));
        self.clocks.readings.len() as u32 - 1
    }

    /// Where this thread has come to.
    pub(super) fn mark_here(&self, span: Span) -> Mark {
        Mark {
            position: self.position(),
            unseen: self.trace.notes.opaque.len() as u32,
            site: self.site(span),
        }
    }

    fn mark(&mut self, value: &Value, reading: u32) {
        if let Value::Unknown(id) = value {
            self.clocks.terms.insert(*id, Terms::from([(reading, true)]));
        }
    }

    pub(super) fn is_reading(&self, value: &Value) -> bool {
        matches!(value, Value::Unknown(id) if self.clocks.terms.contains_key(id))
    }

    /// Whether a number is a time that was measured, or is made of one.
    pub(super) fn is_time(&self, value: &Value) -> bool {
        !self.times_in(value).is_empty()
    }

    /// Where the next event of this thread will stand.
    pub(super) fn position(&self) -> u32 {
        self.trace.threads[self.control.thread.0 as usize].events.len() as u32
    }

    /// Folds an operator; a difference of two readings ends a timed region.
    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        let terms = |value: &Value| match value {
            Value::Unknown(id) => self.clocks.terms.get(id),
            _ => None,
        };
        let combined = match (op, terms(&left), terms(&right)) {
            (_, None, None) => None,
            (BinaryOp::Add, a, b) => Some(merged(a, b, false)),
            (BinaryOp::Subtract, a, b) => Some(merged(a, b, true)),
            (BinaryOp::Multiply | BinaryOp::Divide, Some(it), None)
            | (BinaryOp::Multiply, None, Some(it)) => Some(it.clone()),
            _ => None,
        };
        let value = self.memory.binary(op, left.clone(), right.clone());
        self.note_comparison(op, &left, &right, &value);
        let Value::Unknown(id) = value else {
            return value;
        };
        match combined {
            Some(terms) => {
                self.measure(&terms);
                self.clocks.terms.insert(id, terms);
            }
            None if matches!(
                op,
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide
            ) =>
            {
                let parts = together(self.times_in(&left), self.times_in(&right));
                if !parts.is_empty() {
                    self.clocks.parts.insert(id, parts);
                    if self.is_chosen(&left) || self.is_chosen(&right) {
                        self.clocks.chosen.insert(id);
                    }
                }
            }
            None => {}
        }
        value
    }

    /// The times a number is made of, for each number it may be.
    fn times_in(&self, value: &Value) -> BTreeSet<Parts> {
        let mut found = BTreeSet::new();
        let (mut open, mut seen) = (vec![value], BTreeSet::new());
        while let Some(value) = open.pop() {
            let Value::Unknown(id) = value else { continue };
            if !seen.insert(*id) || found.len() >= MOST_ALTERNATIVES {
                continue;
            }
            if let Some(terms) = self.clocks.terms.get(id) {
                found.extend(self.sum_of(terms).map(|it| Parts::from([it])));
            } else if let Some(parts) = self.clocks.parts.get(id) {
                found.extend(parts.iter().cloned());
            } else if let Some((_, first, rest)) = self.memory.choice_of(*id) {
                open.extend([first, rest]);
            }
        }
        found
    }

    /// The times that numbers in an object are made of.
    pub(super) fn times_under(&self, place: &Location) -> BTreeSet<Parts> {
        let values = self.memory.under(place).map(|(_, it)| it);
        values
            .flat_map(|it| self.times_in(it))
            .take(MOST_ALTERNATIVES)
            .collect()
    }

    /// A number is one of those that are made of these times.
    pub(super) fn note_one_of(&mut self, value: &Value, times: BTreeSet<Parts>) {
        if let Value::Unknown(id) = value {
            self.clocks.parts.insert(*id, times);
            self.clocks.chosen.insert(*id);
        }
    }

    /// Whether a number is one of several, or made of such.
    fn is_chosen(&self, value: &Value) -> bool {
        let Value::Unknown(id) = value else { return false };
        let is_time = self.clocks.terms.contains_key(id);
        !is_time && (self.clocks.chosen.contains(id) || self.memory.choice_of(*id).is_some())
    }

    /// The regions a sum of readings is the time of.
    fn sum_of(&self, terms: &Terms) -> Option<Vec<u32>> {
        let mut starts: BTreeSet<u32> = terms.iter().filter(|it| !it.1).map(|it| *it.0).collect();
        let mut regions = Vec::new();
        for (stop, _) in terms.iter().filter(|it| *it.1) {
            let found = starts
                .iter()
                .find_map(|start| Some((*start, *self.clocks.measured.get(&(*start, *stop))?)));
            let (start, region) = found?;
            starts.remove(&start);
            regions.push(region);
        }
        regions.sort_unstable();
        (starts.is_empty() && !regions.is_empty()).then_some(regions)
    }

    /// Somebody gets to see numbers, with some text.
    pub(super) fn note_shown<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>, text: &str) {
        for value in values {
            let chosen = self.is_chosen(value);
            for times in self.times_in(value) {
                let compared = times.len() > 1;
                for regions in times {
                    self.trace.notes.shown.push(Shown {
                        thread: self.control.thread,
                        position: self.position(),
                        regions,
                        compared,
                        chosen,
                        text: text.to_owned(),
                    });
                }
            }
        }
    }

    /// Numbers are printed, or handed with some text to a function nobody sees, which tells them to somebody: a log.
    pub(super) fn note_told(&mut self, arguments: &[Argument], name: &str, harmless: bool) {
        let text = |it: &Argument| match &it.value {
            Value::Str(text) => Some(text.to_string()),
            _ => None,
        };
        let texts: Vec<String> = arguments.iter().filter_map(text).collect();
        if matches!(name, "printf" | "fprintf") || !harmless && !texts.is_empty() {
            self.note_shown(arguments.iter().map(|it| &it.value), &texts.join(" "));
        }
    }

    /// Notes the region between two readings of opposite sign.
    fn measure(&mut self, terms: &Terms) {
        let starts: Vec<u32> = terms.iter().filter(|it| !it.1).map(|it| *it.0).collect();
        let stops: Vec<u32> = terms.iter().filter(|it| *it.1).map(|it| *it.0).collect();
        // Sums over several regions were noted when their parts were.
        let ([start], [stop]) = (starts.as_slice(), stops.as_slice()) else {
            return;
        };
        if (*start as usize) < self.clocks.before_condition {
            return;
        }
        let (thread, first) = &self.clocks.readings[*start as usize];
        let (other, last) = &self.clocks.readings[*stop as usize];
        if thread != other
            || first.position > last.position
            || self.clocks.measured.contains_key(&(*start, *stop))
        {
            return;
        }
        let region = self.trace.notes.regions.len() as u32;
        self.clocks.measured.insert((*start, *stop), region);
        self.trace.notes.regions.push(Region {
            thread: *thread,
            clock: ClockKind::Host,
            start: first.clone(),
            stop: last.clone(),
            asked: Some(last.position),
        });
    }

    /// `cudaEventElapsedTime(&ms, start, stop)`: the region between the latest records of both, and its time.
    pub(super) fn measure_events(&mut self, call: &Invocation<'_>) -> Value {
        let value = self.memory.fresh();
        let Some(first) = call.entry.argument(Role::Event, call.args.len()) else {
            return value;
        };
        let mut marks = Vec::new();
        for argument in call.args.iter().skip(first).take(2) {
            let (value, words) = (argument.value.clone(), handle_name(&argument.words));
            let event = self.event_of(&value, &words);
            marks.extend(self.latest_record(event));
        }
        if let [start, stop] = marks.as_slice()
            && start.position < stop.position
        {
            let region = self.trace.notes.regions.len() as u32;
            self.trace.notes.regions.push(Region {
                thread: self.control.thread,
                clock: ClockKind::Events,
                start: start.clone(),
                stop: stop.clone(),
                asked: Some(self.events() as u32),
            });
            self.clocks.asked.push((self.call_in_hand(), region));
            let reading = self.clocks.readings.len() as u32;
            self.clocks.readings.extend([
                (self.control.thread, start.clone()),
                (self.control.thread, stop.clone()),
            ]);
            self.clocks.measured.insert((reading, reading + 1), region);
            if let Value::Unknown(id) = value {
                let terms = Terms::from([(reading, false), (reading + 1, true)]);
                self.clocks.terms.insert(id, terms);
            }
        }
        value
    }

    /// The end of the path: who asks whether the second event is over takes that for an answer.
    pub(super) fn note_answered_times(&mut self) {
        for (call, region) in std::mem::take(&mut self.clocks.asked) {
            if self.memory.results.is_named(call) {
                self.trace.notes.regions[region as usize].asked = None;
            }
        }
    }

    fn latest_record(&self, wanted: EventId) -> Option<Mark> {
        let events = &self.trace.threads[self.control.thread.0 as usize].events;
        let is_record = |action: &Action| match action {
            Action::Call(call) => call
                .work
                .as_ref()
                .is_some_and(|work| work.kind == WorkKind::Record(wanted)),
            _ => false,
        };
        let position = events.iter().rposition(|event| is_record(&event.action))?;
        Some(Mark {
            position: position as u32,
            // What stands before an event stands before the next one.
            unseen: u32::MAX,
            site: events[position].site.clone(),
        })
    }

    // What else is noted in passing.

    /// A loop begins; what it returns names this execution of it.
    pub(super) fn enter_loop(&mut self) -> u32 {
        self.clocks.executions += 1;
        self.clocks.executions
    }

    /// A pass of a loop has ended.
    pub(super) fn note_pass(&mut self, execution: u32, start: u32, known_trips: bool, span: Span) {
        let pass = Pass {
            thread: self.control.thread,
            site: self.site(span),
            events: (start, self.position()),
            execution,
            known_trips,
        };
        self.trace.notes.passes.push(pass);
    }

    /// A condition nobody knows decides what happens next.
    pub(super) fn note_decision(&mut self) {
        self.asked += 1;
        let at = (self.control.thread, self.position());
        if self.trace.notes.decisions.last() != Some(&at) {
            self.trace.notes.decisions.push(at);
        }
    }

    /// A side that nobody can rule out left at this position, and meets those that stayed here.
    pub(super) fn note_doubt(&mut self, since: u32) {
        let here = self.position();
        if since < here {
            self.trace.notes.doubts.push((self.control.thread, since, here));
        }
    }

    /// Something is printed, if this is a name for printing.
    pub(super) fn note_print(&mut self, name: &str) {
        if library::prints(name) {
            self.trace
                .notes
                .prints
                .push((self.control.thread, self.position()));
        }
    }

    /// A function that is not in the project is called.
    pub(super) fn note_opaque(&mut self, name: &str, args: &[Argument], unbound: bool, span: Span) {
        if library::annotates(name) {
            return;
        }
        let plain = |it: &Value| {
            matches!(
                it,
                Value::Int(_) | Value::Str(_) | Value::Unknown(_) | Value::Stream(_)
            )
        };
        let note = Opaque {
            thread: self.control.thread,
            position: self.position(),
            name: name.to_owned(),
            hands_out: args.iter().any(|it| !plain(&it.value)),
            reaches: self.reachable(args),
            streams: self.reachable_streams(args),
            unbound: unbound || args.iter().any(|it| self.is_unknown_handle(it)),
            knows_caller: unbound || args.iter().any(|it| self.may_know_caller(it)),
            never_waits: library::never_waits(name),
            site: self.site(span),
        };
        self.trace.notes.opaque.push(note);
    }
}

/// The readings of a sum or difference.
/// What a number is made of that two others make.
fn together(left: BTreeSet<Parts>, right: BTreeSet<Parts>) -> BTreeSet<Parts> {
    if left.is_empty() || right.is_empty() {
        return if left.is_empty() { right } else { left };
    }
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| a | b));
    pairs.take(MOST_ALTERNATIVES).collect()
}

fn merged(left: Option<&Terms>, right: Option<&Terms>, subtract: bool) -> Terms {
    let mut terms = left.cloned().unwrap_or_default();
    for (reading, positive) in right.into_iter().flatten() {
        let positive = *positive != subtract;
        match terms.get(reading) {
            Some(other) if *other != positive => terms.remove(reading),
            _ => terms.insert(*reading, positive),
        };
    }
    terms
}
