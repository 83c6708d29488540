//! Arrays in memory: rows of arrays, what is zero without having been written, and which elements an index may mean.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::{Memory, Value};
use crate::trace::{Base, Location, Step};

impl Memory {
    /// A number was stored at an element: known numbers at elements that may be the same one, for an index nobody knows, are given up on.
    pub(in crate::trace) fn lose_aliases(&mut self, place: &Location) {
        let is_open = |it: &Step| matches!(it, Step::At(_) | Step::Any);
        if let Some(first) = place.path.iter().position(is_open) {
            self.lose_alike(place, first, &BTreeMap::new());
            return;
        }
        let Some(first) = place.path.iter().position(|it| matches!(it, Step::Element(_))) else {
            return;
        };
        let array = Location {
            base: place.base,
            path: place.path[..first].to_vec(),
        };
        // Steps with an unknown index are behind those with a known one.
        let open: Vec<Location> = self
            .cells
            .range::<Location, _>((
                Bound::Excluded(array.step(Step::Element(i64::MAX))),
                Bound::Unbounded,
            ))
            .take_while(|(it, _)| it.base == array.base && it.path.starts_with(&array.path))
            .filter(|(it, value)| matches!(value, Value::Int(_)) && is_alike(it, place, first))
            .map(|(it, _)| it.clone())
            .collect();
        for it in open {
            let value = self.fresh();
            self.set(it, value);
        }
    }

    /// An element was stored to in a pass that stands for others: what is known of the elements beside it is given up on, but for
    /// those that are kept.
    pub(in crate::trace) fn lose_beside(
        &mut self,
        place: &Location,
        kept: &BTreeMap<Location, Option<Value>>,
    ) {
        if let Some(first) = place.path.iter().position(|it| matches!(it, Step::Element(_))) {
            self.lose_alike(place, first, kept);
        }
    }

    /// Known numbers at places that are a given one but for the indices from a step on.
    pub(super) fn lose_alike(
        &mut self,
        place: &Location,
        first: usize,
        kept: &BTreeMap<Location, Option<Value>>,
    ) {
        let array = Location {
            base: place.base,
            path: place.path[..first].to_vec(),
        };
        let alike: Vec<Location> = self
            .under(&array)
            .filter(|(it, value)| {
                matches!(value, Value::Int(_)) && *it != place && is_alike(it, place, first)
            })
            .filter(|(it, _)| !kept.contains_key(it))
            .map(|(it, _)| it.clone())
            .collect();
        for it in alike {
            let value = self.fresh();
            self.set(it, value);
        }
        if self.is_zeroed(&array) {
            self.fill_under(&array, false);
        }
    }

    /// All bytes of an object become zero.
    pub(in crate::trace) fn zero(&mut self, location: &Location) {
        self.forget(location);
        self.fill_under(location, true);
    }

    /// Nothing is known of what stands at a place or under it.
    pub(in crate::trace) fn blank(&mut self, location: &Location) {
        self.forget(location);
        if self.is_zeroed(location) {
            self.fill_under(location, false);
        }
    }

    pub(super) fn fill_under(&mut self, location: &Location, zero: bool) {
        let inside: Vec<Location> = range_under(&self.zeroed, location)
            .map(|(it, _)| it.clone())
            .collect();
        inside.iter().for_each(|it| {
            self.zeroed.remove(it);
        });
        self.zeroed.insert(location.clone(), zero);
    }

    /// Whether a place that has no cell holds the zero its object was filled with.
    pub(in crate::trace) fn is_zeroed(&self, location: &Location) -> bool {
        if self.zeroed.is_empty() {
            return false;
        }
        let mut place = location.clone();
        loop {
            if let Some(zero) = self.zeroed.get(&place) {
                return *zero;
            }
            // Which element it is decides.
            if !matches!(place.path.pop(), Some(Step::Field(_) | Step::Element(_))) {
                return false;
            }
        }
    }

    /// Whether which entry of a map is which is known of all that it holds.
    pub(in crate::trace) fn keys_are_known(&self, map: &Location) -> bool {
        let depth = map.path.len();
        let mut entries = self.under(map).filter_map(|(it, _)| it.path.get(depth));
        !entries.any(|it| matches!(it, Step::At(_) | Step::Any))
    }

    /// What an object was filled with is not known any more.
    pub(super) fn unzero(&mut self, base: Base) {
        if !self.zeroed.is_empty() {
            self.zeroed.retain(|it, _| it.base != base);
        }
    }

    /// Makes a place an array of so many elements, or of arrays of so many.
    pub(in crate::trace) fn mark_array(&mut self, place: &Location, lengths: &[Option<i64>]) {
        self.arrays.insert(place.clone());
        let Some((first, rest)) = lengths.split_first() else {
            return;
        };
        if let Some(length) = first {
            self.lengths.insert(place.clone(), *length);
        }
        if !rest.is_empty() {
            self.rows.insert(place.clone(), rest.to_vec());
        }
    }

    /// An element of an array of arrays is an array.
    pub(in crate::trace) fn mark_row(&mut self, place: &Location) {
        if self.rows.is_empty() || self.arrays.contains(place) {
            return;
        }
        let Some((Step::Element(_) | Step::At(_) | Step::Any, path)) = place.path.split_last() else {
            return;
        };
        let above = Location {
            base: place.base,
            path: path.to_vec(),
        };
        // The array above may not have been looked at yet.
        self.mark_row(&above);
        if let Some(lengths) = self.rows.get(&above).cloned() {
            self.mark_array(place, &lengths);
        }
    }
}

/// Whether two places differ in nothing but indices from a step on; the first element of an object may be the object.
fn is_alike(a: &Location, b: &Location, first: usize) -> bool {
    let fields = |it: &Location| -> Vec<Step> {
        let steps = it.path.get(first..).unwrap_or_default().iter();
        steps.filter(|it| matches!(it, Step::Field(_))).cloned().collect()
    };
    fields(a) == fields(b)
}

/// What a map holds for a place and those under it.
pub(super) fn range_under<'a, T>(
    map: &'a BTreeMap<Location, T>,
    place: &'a Location,
) -> impl Iterator<Item = (&'a Location, &'a T)> {
    map.range::<Location, _>((Bound::Included(place), Bound::Unbounded))
        .take_while(|(it, _)| it.base == place.base && it.path.starts_with(&place.path))
}
