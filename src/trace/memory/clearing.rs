//! What is no longer there: objects that ended or were given away, and what is no longer known of containers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::Memory;
use crate::trace::Location;

impl Memory {
    /// Containers at or under a place may hold more or less than they did.
    pub(in crate::trace) fn forget_lengths(&mut self, place: &Location) {
        let gone = keys_under(&self.lengths, place);
        gone.iter().for_each(|it| {
            self.lengths.remove(it);
        });
    }

    /// Containers at or under a place that are empty may have been filled by somebody else.
    pub(in crate::trace) fn forget_emptiness(&mut self, place: &Location) {
        let mut empty = keys_under(&self.lengths, place);
        empty.retain(|it| self.lengths.get(it) == Some(&0));
        empty.iter().for_each(|it| {
            self.lengths.remove(it);
        });
    }

    /// Nothing is left of an object: what stood there was given away, or is about to be replaced.
    pub(in crate::trace) fn clear_object(&mut self, place: &Location) {
        self.forget(place);
        let inside = |it: &&Location| *it != place;
        for it in keys_under(&self.classes, place).iter().filter(inside) {
            self.classes.remove(it);
        }
        for it in keys_under(&self.orders, place).iter().filter(inside) {
            self.orders.remove(it);
        }
        for it in members_under(&self.smart, place).iter().filter(inside) {
            self.smart.remove(it);
        }
        for it in members_under(&self.arrays, place).iter().filter(inside) {
            self.arrays.remove(it);
        }
        for it in keys_under(&self.counts, place) {
            self.counts.remove(&it);
        }
        self.forget_lengths(place);
        self.heads.remove(place);
    }

    /// Whether objects, containers or owning pointers stand at a place or under it.
    pub(in crate::trace) fn holds_objects(&self, place: &Location) -> bool {
        !keys_under(&self.classes, place).is_empty()
            || !members_under(&self.arrays, place).is_empty()
            || !members_under(&self.maps, place).is_empty()
            || !members_under(&self.smart, place).is_empty()
    }

    /// The object at a place has ended, with all its parts.
    pub(in crate::trace) fn unmake(&mut self, place: &Location) {
        let parts = keys_under(&self.classes, place);
        parts.iter().for_each(|it| {
            self.classes.remove(it);
        });
    }
}

/// Those of some places that are a place or a part of it.
fn keys_under<T>(places: &BTreeMap<Location, T>, place: &Location) -> Vec<Location> {
    let from = (Bound::Included(place), Bound::Unbounded);
    let behind = places.range::<Location, _>(from).map(|(it, _)| it);
    behind.take_while(|it| is_under(it, place)).cloned().collect()
}

/// The same of a set of them.
fn members_under(places: &BTreeSet<Location>, place: &Location) -> Vec<Location> {
    let behind = places.range::<Location, _>((Bound::Included(place), Bound::Unbounded));
    behind.take_while(|it| is_under(it, place)).cloned().collect()
}

fn is_under(it: &Location, place: &Location) -> bool {
    it.base == place.base && it.path.starts_with(&place.path)
}
