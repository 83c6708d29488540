//! Host functions that a stream or a graph calls: what their bodies do that a thread of the driver must not.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::Argument;
use super::machine::{Deferred, Machine};
use super::memory::{Lengths, Value};
use super::{Action, Block, Location, Site, StreamId, ThreadId};
use crate::api::{self, Operation};
use crate::syntax::Span;

/// A host function handed to CUDA on a path.
#[derive(Clone, Debug)]
pub struct Callback {
    /// Thread that enqueues it.
    pub thread: ThreadId,
    /// Position of the enqueuing call among the events of that thread.
    pub position: u32,
    /// Where it is enqueued.
    pub site: Site,
    /// CUDA and library calls made while it runs, in order.
    pub calls: Vec<CallbackCall>,
    /// Mutexes it takes, and where.
    pub locks: Vec<(Location, Site)>,
}

/// A call made by a host function.
#[derive(Clone, Debug)]
pub struct CallbackCall {
    /// Where.
    pub site: Site,
    /// Name as written; the kernel for a launch.
    pub name: String,
    /// What is known about it; `None` for a launch with launch syntax.
    pub api: Option<&'static api::Call>,
}

/// Numbers that host functions in streams change, until the host has waited for them.
///
/// Invariant: what the host finds is what it left there on paths where host functions run no sooner than it waits for
/// them, and what they leave where they run at once.
#[derive(Default)]
pub(super) struct LateNumbers {
    /// Holds where they run as late as that.
    late: Option<u32>,
    numbers: BTreeMap<Location, LateNumber>,
    /// What the host function that is handed over changes.
    changed: BTreeMap<Location, LateChange>,
}

struct LateChange {
    /// What it found.
    before: i64,
    left: i64,
    /// The stream of another one that has changed the same before.
    earlier: Option<StreamId>,
}

struct LateNumber {
    stream: StreamId,
    /// What the host finds.
    found: Value,
    /// What is there once the stream has got to it.
    left: i64,
}

impl Machine<'_> {
    /// Runs a host function as the driver's thread would, and notes what it calls; returns its events.
    pub(super) fn run_callback(
        &mut self,
        callee: &Value,
        args: Vec<Argument>,
        span: Span,
    ) -> Vec<super::Event> {
        let (caller, site) = (self.control.thread, self.site(span));
        let position = self.trace.threads[caller.0 as usize].events.len() as u32;
        let thread = self.new_thread();
        self.hand_over_to_thread(&args);
        self.callback_calls.insert(thread, Vec::new());
        let before = (self.memory.lengths.clone(), self.memory.heads.clone());
        self.find_lengths();
        let mark = self.memory.watch();
        let outer = std::mem::take(&mut self.put_off);
        self.as_thread(thread, |machine| machine.invoke_value(callee, args, span));
        for (place, before) in std::mem::replace(&mut self.put_off, outer).into_iter().rev() {
            self.memory.restore(place, before);
        }
        self.defer_removals(mark);
        self.memory.unwatch();
        self.defer_lengths(before);
        let calls = self.callback_calls.remove(&thread).unwrap_or_default();
        let events = std::mem::take(&mut self.trace.threads[thread.0 as usize].events);
        let locks = events.iter().filter_map(|event| match &event.action {
            Action::Lock(mutex) => Some((mutex.clone(), event.site.clone())),
            _ => None,
        });
        let locks = locks.collect();
        self.trace.notes.callbacks.push(Callback {
            thread: caller,
            position,
            site,
            calls,
            locks,
        });
        events
    }

    /// What a host function put into containers or took out of them, the host need not find before it waits.
    fn defer_lengths(&mut self, before: (Lengths, BTreeMap<Location, i64>)) {
        let put_off =
            |now: &mut BTreeMap<Location, i64>, before: &BTreeMap<Location, i64>, deferred: &mut Deferred| {
                for (place, length) in before {
                    if let Some(changed) = now.get_mut(place) {
                        let left = std::mem::replace(changed, *length);
                        if left != *length || deferred.contains_key(place) {
                            deferred.insert(place.clone(), (*length, left));
                        }
                    }
                }
            };
        let (lengths, heads) = &mut self.deferred_lengths;
        put_off(&mut self.memory.lengths, &before.0, lengths);
        put_off(&mut self.memory.heads, &before.1, heads);
    }

    /// What a host function took out of maps, the host may find there before it waits.
    fn defer_removals(&mut self, mark: usize) {
        let before = self.memory.before_since(mark);
        self.left_by_callbacks.extend(before.keys().cloned());
        let entry_of = |map: &Location, place: &Location| {
            let inside = map.base == place.base && place.path.starts_with(&map.path);
            let path = place.path.get(..=map.path.len()).filter(|_| inside)?;
            Some(Location {
                base: map.base,
                path: path.to_vec(),
            })
        };
        let maps = &self.memory.maps;
        let entries = before
            .keys()
            .flat_map(|it| maps.iter().filter_map(|map| entry_of(map, it)));
        let removed: BTreeSet<Location> = entries.filter(|it| !self.memory.holds(it)).collect();
        for (place, value) in before {
            let is_removed = |it: &Location| it.base == place.base && place.path.starts_with(&it.path);
            if let Some(value) = value
                && removed.iter().any(is_removed)
            {
                self.memory.set(place, value);
            }
        }
        self.deferred_removals.extend(removed);
    }

    /// A host function finds what those before it have left. Where the host did something to a container since, nobody
    /// knows which of the two came first.
    fn find_lengths(&mut self) {
        let find = |now: &mut BTreeMap<Location, i64>, deferred: &Deferred| {
            for (place, (host, left)) in deferred {
                match now.get_mut(place) {
                    Some(length) if length == host => *length = *left,
                    Some(_) => {
                        now.remove(place);
                    }
                    None => {}
                }
            }
        };
        let (lengths, heads) = &self.deferred_lengths;
        find(&mut self.memory.lengths, lengths);
        find(&mut self.memory.heads, heads);
    }

    /// The host has waited for the device.
    pub(super) fn settle_lengths(&mut self) {
        self.left_by_callbacks.clear();
        for entry in std::mem::take(&mut self.deferred_removals) {
            self.memory.forget(&entry);
        }
        let (lengths, heads) = std::mem::take(&mut self.deferred_lengths);
        let left = |deferred: Deferred| deferred.into_iter().map(|(place, (_, left))| (place, left));
        self.memory.lengths.extend(left(lengths));
        self.memory.heads.extend(left(heads));
    }

    /// Remembers a call when it is made inside a host function.
    pub(super) fn note_callback_call(&mut self, api: Option<&'static api::Call>, name: &str, span: Span) {
        let asks_for_errors = api.is_some_and(|it| it.operation == Operation::ErrorQuery);
        if asks_for_errors || !self.callback_calls.contains_key(&self.control.thread) {
            return;
        }
        let call = CallbackCall {
            site: self.site(span),
            name: name.to_owned(),
            api,
        };
        self.callback_calls
            .entry(self.control.thread)
            .or_default()
            .push(call);
    }

    /// A host function finds the numbers that those before it in its stream have left, where it is in one.
    pub(super) fn find_late_numbers(&mut self, stream: Option<StreamId>) {
        let numbers = std::mem::take(&mut self.late_numbers.numbers);
        for (place, number) in numbers {
            // The host may have stored something else by now.
            if self.memory.get(&place) == Some(&number.found) {
                if stream.is_none_or(|it| it == number.stream) {
                    self.memory.set(place.clone(), Value::Int(number.left));
                }
                self.late_numbers.numbers.insert(place, number);
            }
        }
    }

    /// It has run: the host finds again what it found before, but for what was changed.
    pub(super) fn put_off_numbers(
        &mut self,
        before: &BTreeMap<Location, Option<Value>>,
        changed: &BTreeMap<Location, Option<Value>>,
    ) {
        let mut own = BTreeMap::new();
        for (place, now) in changed {
            let earlier = self.late_numbers.numbers.remove(place).map(|it| it.stream);
            if let (Some(Some(Value::Int(before))), Some(Value::Int(now))) = (before.get(place), now) {
                let (before, left) = (*before, *now);
                let change = LateChange {
                    before,
                    left,
                    earlier,
                };
                own.insert(place.clone(), change);
            }
        }
        self.late_numbers.changed = own;
        for (place, number) in &self.late_numbers.numbers {
            self.memory.set(place.clone(), number.found.clone());
        }
    }

    /// The host function that was run stands in a stream now.
    pub(super) fn leave_late_numbers(&mut self, stream: StreamId) {
        let changed = std::mem::take(&mut self.late_numbers.changed);
        if changed.is_empty() || self.capturing.contains_key(&stream) {
            return;
        }
        if let (None, Value::Unknown(late)) = (self.late_numbers.late, self.memory.fresh()) {
            self.late_numbers.late = Some(late);
        }
        for (place, change) in changed {
            let LateChange { before, left, .. } = change;
            let found = match change.earlier {
                None => {
                    let both = (Some(Value::Int(before)), Some(Value::Int(left)));
                    self.memory.choice(self.late_numbers.late, both.0, both.1)
                }
                // The host does not know which of them have run, but they run one after the other.
                Some(earlier) if earlier == stream => self.memory.fresh(),
                Some(_) => continue,
            };
            self.memory.set(place.clone(), found.clone());
            let number = LateNumber { stream, found, left };
            self.late_numbers.numbers.insert(place, number);
        }
    }

    /// The host has waited: for the streams that this covers, or for what may have come from any of them.
    pub(super) fn settle_late_numbers(&mut self, waited: &Block) {
        for (place, number) in std::mem::take(&mut self.late_numbers.numbers) {
            if self.memory.get(&place) != Some(&number.found) {
                continue;
            }
            let is_over = match waited {
                Block::Stream(stream) => *stream == number.stream,
                Block::Device => true,
                _ => false,
            };
            let value = match is_over {
                true => Value::Int(number.left),
                false => self.memory.fresh(),
            };
            self.memory.set(place, value);
        }
    }
}
