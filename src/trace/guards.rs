//! What happens at the first call alone: it stands behind a condition on what outlives the call, and changes that.

use std::collections::BTreeSet;

use super::machine::Machine;
use super::memory::Value;
use super::notes::Once;
use super::{Base, Location};

/// How many places are looked at on a path.
const MOST: usize = 64;

/// What a function had read that may outlive the call, as it was when a condition was decided.
#[derive(Clone)]
pub(super) struct Guard {
    held: Vec<(Location, Vec<(Location, Value)>)>,
    /// How many events the thread had made.
    begin: usize,
}

impl Machine<'_> {
    /// A place is read; only functions that are handed a stream ask for that.
    pub(super) fn note_outlasting(&mut self, place: &Location) {
        let begin = self.frame().outlasting;
        if self.control.outlasting.len() < MOST
            && !matches!(place.base, Base::Local(_))
            && !self.trace.notes.promise.streams.is_empty()
            && !self.control.outlasting[begin..].contains(place)
        {
            self.control.outlasting.push(place.clone());
        }
    }

    /// What the function has read until now decides on a condition, as far as anybody can tell.
    pub(super) fn guard(&self) -> Option<Guard> {
        let reads = &self.control.outlasting[self.frame().outlasting..];
        let held = reads.iter().map(|it| (it.clone(), self.cells_in(it)));
        (!reads.is_empty()).then(|| Guard {
            held: held.collect(),
            begin: self.events(),
        })
    }

    /// What a guard let happen has happened.
    pub(super) fn close_guard(&mut self, guard: Guard) {
        let end = self.events();
        if guard.begin == end {
            return;
        }
        let changed = guard
            .held
            .iter()
            .filter(|(place, before)| self.cells_in(place) != *before);
        let by: BTreeSet<Base> = changed.map(|it| it.0.base).collect();
        if !by.is_empty() {
            self.trace.notes.promise.once.push(Once {
                thread: self.control.thread,
                events: (guard.begin as u32, end as u32),
                by,
            });
        }
    }

    /// A function ends: so does what stands behind its conditions that leave it otherwise.
    pub(super) fn close_guards(&mut self) {
        for guard in std::mem::take(&mut self.frame_mut().guards) {
            self.close_guard(guard);
        }
    }

    fn cells_in(&self, place: &Location) -> Vec<(Location, Value)> {
        let cells = self.memory.cells_of(place.clone());
        let own = cells.take_while(|(it, _)| it.path.starts_with(&place.path));
        own.map(|(it, value)| (it.clone(), value.clone())).collect()
    }
}
