//! Copies of objects: everything that is known of one becomes known of another.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::arrays::range_under;
use super::{Memory, Value};
use crate::trace::Location;

impl Memory {
    /// Copies everything under `from` to `to`.
    pub(in crate::trace) fn copy_object(&mut self, from: &Location, to: &Location) {
        if from == to {
            return;
        }
        self.take_storage(from, to);
        let moved = |it: &Location| part_of_other(it, from, to);
        let under = |it: &Location| it.base == from.base && it.path.starts_with(&from.path);
        let cells: Vec<_> = self
            .cells
            .range::<Location, _>((Bound::Included(from), Bound::Unbounded))
            .take_while(|(it, _)| it.base == from.base)
            .filter(|(it, _)| under(it))
            .map(|(it, value)| (moved(it), value.clone()))
            .collect();
        let classes: Vec<_> = self
            .classes
            .range::<Location, _>((Bound::Included(from), Bound::Unbounded))
            .take_while(|(it, _)| it.base == from.base)
            .filter(|(it, _)| under(it))
            .map(|(it, class)| (moved(it), *class))
            .collect();
        let arrays: Vec<_> = self
            .arrays
            .range::<Location, _>((Bound::Included(from), Bound::Unbounded))
            .take_while(|it| it.base == from.base)
            .filter(|it| under(it))
            .map(moved)
            .collect();
        let lengths: Vec<_> = self
            .lengths
            .range::<Location, _>((Bound::Included(from), Bound::Unbounded))
            .take_while(|(it, _)| it.base == from.base)
            .filter(|(it, _)| under(it))
            .map(|(it, length)| (moved(it), *length))
            .collect();
        let optionals: Vec<_> = self
            .optionals
            .range::<Location, _>((Bound::Included(from), Bound::Unbounded))
            .take_while(|(it, _)| it.base == from.base)
            .filter(|(it, _)| *it != from && under(it))
            .map(|(it, kind)| (moved(it), kind.clone()))
            .collect();
        let presences: Vec<_> = self
            .presences
            .iter()
            .filter(|(it, _)| *it != from && under(it))
            .map(|(it, presence)| (moved(it), presence.clone()))
            .collect();
        let numbers: Vec<_> = self
            .numbers
            .range::<Location, _>((Bound::Included(from), Bound::Unbounded))
            .take_while(|(it, _)| !self.classes.contains_key(from) && it.base == from.base)
            .filter(|(it, _)| *it != from && under(it))
            .map(|(it, number)| (moved(it), *number))
            .filter(|(it, _)| !self.numbers.contains_key(it))
            .collect();
        let references: Vec<_> = self
            .references
            .range::<Location, _>((Bound::Included(from), Bound::Unbounded))
            .take_while(|(it, _)| it.base == from.base)
            .filter(|(it, _)| *it != from && under(it))
            .map(|(it, to)| (moved(it), to.clone()))
            .collect();
        self.references.extend(references);
        let zeroed = range_under(&self.zeroed, from).filter(|(it, _)| *it != from);
        let zeroed: Vec<_> = zeroed.map(|(it, zero)| (moved(it), *zero)).collect();
        let rows = range_under(&self.rows, from);
        let rows: Vec<_> = rows.map(|(it, lengths)| (moved(it), lengths.clone())).collect();
        let is_zero = self.is_zeroed(from);
        // What stood there and has no counterpart is overwritten as well.
        self.forget(to);
        if is_zero || self.is_zeroed(to) {
            self.fill_under(to, is_zero);
        }
        self.zeroed.extend(zeroed);
        self.rows.extend(rows);
        for (place, value) in cells {
            self.set(place, value);
        }
        self.optionals.extend(optionals);
        self.presences.extend(presences);
        self.numbers.extend(numbers);
        self.classes.extend(classes);
        // Of what is copied nobody may know how long it is.
        for array in &arrays {
            self.lengths.remove(array);
        }
        self.lengths.extend(lengths);
        self.arrays.extend(arrays);
        self.counts.remove(to);
        copy_entries(&mut self.counts, from, &moved);
        copy_entries(&mut self.class_arguments, from, &moved);
        copy_entries(&mut self.promises, from, &moved);
        copy_entries(&mut self.element_types, from, &moved);
        copy_entries(&mut self.heads, from, &moved);
        copy_entries(&mut self.orders, from, &moved);
        copy_entries(&mut self.deleters, from, &moved);
        copy_entries(&mut self.sorted, from, &moved);
        copy_places(&mut self.maps, from, &moved);
        copy_places(&mut self.counted, from, &moved);
        copy_places(&mut self.weak, from, &moved);
        copy_places(&mut self.tuples, from, &moved);
        let smart = copy_places(&mut self.smart, from, &moved);
        smart
            .iter()
            .filter(|it| *it != from)
            .for_each(|it| self.share_or_give(it));
        if self.passing.contains(&from.base) && from.path.is_empty() {
            self.give_away(from);
        }
    }

    /// An object is at another place from here on: whatever led to it leads there.
    pub(in crate::trace) fn relocate(&mut self, from: &Location, to: &Location) {
        self.copy_object(from, to);
        self.give_away(from);
        self.clear_object(from);
        self.unmake(from);
        for places in [
            &mut self.smart,
            &mut self.counted,
            &mut self.arrays,
            &mut self.maps,
        ] {
            places.remove(from);
        }
        let is_under = |it: &Location| it.base == from.base && it.path.starts_with(&from.path);
        let moved = |it: &Location| part_of_other(it, from, to);
        let leads = |value: &Value| match value {
            Value::Pointer(it) if is_under(it) => Some(Value::Pointer(moved(it))),
            Value::Aggregate(it) if is_under(it) => Some(Value::Aggregate(moved(it))),
            _ => None,
        };
        let found = self
            .cells
            .iter()
            .filter_map(|(at, value)| Some((at.clone(), leads(value)?)));
        for (at, value) in found.collect::<Vec<_>>() {
            self.set(at, value);
        }
        for target in self.references.values_mut().filter(|it| is_under(it)) {
            *target = moved(target);
        }
    }

    /// What an object owns belongs to the one that was copied from it: it was moved, or is a temporary.
    pub(in crate::trace) fn give_away(&mut self, from: &Location) {
        for pointer in self.owners_in(from) {
            let Some(Value::Pointer(object)) = self.cells.get(&pointer).cloned() else {
                continue;
            };
            if self.counted.contains(&pointer) {
                self.drop_owner(&object, true);
            }
            self.set(pointer, Value::Int(0));
        }
    }

    /// Owning pointers that are part of an object.
    pub(in crate::trace) fn owners_in(&self, object: &Location) -> Vec<Location> {
        if self.smart.is_empty() {
            return Vec::new();
        }
        let after = (Bound::Excluded(object), Bound::Unbounded);
        let inside = |it: &&Location| it.base == object.base && it.path.starts_with(&object.path);
        self.smart
            .range::<Location, _>(after)
            .take_while(inside)
            .cloned()
            .collect()
    }

    /// A smart pointer in an object that was copied: where owners are counted there is one more, any other was moved.
    fn share_or_give(&mut self, pointer: &Location) {
        if !self.counted.contains(pointer) {
            if self.cells.contains_key(pointer) {
                self.set(pointer.clone(), Value::Int(0));
            }
        } else if let Some(Value::Pointer(object)) = self.cells.get(pointer).cloned() {
            self.add_owner(object);
        }
    }

    /// An object has one owner more.
    pub(in super::super) fn add_owner(&mut self, object: Location) {
        *self.further_owners.entry(object).or_default() += 1;
    }

    /// How many owners an object has, where each of them is seen to hold it and none let go on some side of a branch only.
    pub(in super::super) fn owners_of(&self, object: &Location) -> Option<i64> {
        let further = self.further_owners.get(object).copied().unwrap_or(0);
        let holds =
            |it: &&Location| matches!(self.cells.get(*it), Some(Value::Pointer(held)) if held == object);
        let holders = self.counted.iter().filter(holds).count();
        let is_known = holders == further as usize + 1 && !self.perhaps_owned.contains(object);
        is_known.then_some(i64::from(further) + 1)
    }

    /// Whether somebody may own an object who found it by a pointer that does not own.
    pub(in super::super) fn weak_knows(&self, object: &Location) -> bool {
        !self.weak.is_empty() && self.perhaps_owned.contains(object)
    }

    /// An owner lets go of an object; whether another one is left.
    pub(in super::super) fn drop_owner(&mut self, object: &Location, sure: bool) -> bool {
        match self.further_owners.get_mut(object) {
            Some(0) | None => false,
            // Who let go on one side of a branch still owns it on the other.
            Some(_) if !sure => {
                self.perhaps_owned.insert(object.clone());
                true
            }
            Some(further) => {
                *further -= 1;
                true
            }
        }
    }
}

/// What a part of one object is in another one.
fn part_of_other(part: &Location, from: &Location, to: &Location) -> Location {
    let mut path = to.path.clone();
    path.extend_from_slice(&part.path[from.path.len()..]);
    Location { base: to.base, path }
}

/// What a map says of an object and its parts, for a copy of it.
fn copy_entries<V: Clone>(
    map: &mut BTreeMap<Location, V>,
    from: &Location,
    moved: &impl Fn(&Location) -> Location,
) {
    if map.is_empty() {
        return;
    }
    let entries: Vec<_> = map
        .range::<Location, _>((Bound::Included(from), Bound::Unbounded))
        .take_while(|(it, _)| it.base == from.base && it.path.starts_with(&from.path))
        .map(|(it, value)| (moved(it), value.clone()))
        .collect();
    map.extend(entries);
}

/// The same for a set; returns the parts of the original that are in it.
fn copy_places(
    set: &mut BTreeSet<Location>,
    from: &Location,
    moved: &impl Fn(&Location) -> Location,
) -> Vec<Location> {
    let places: Vec<_> = set
        .range::<Location, _>((Bound::Included(from), Bound::Unbounded))
        .take_while(|it| it.base == from.base && it.path.starts_with(&from.path))
        .cloned()
        .collect();
    set.extend(places.iter().map(moved));
    places
}
