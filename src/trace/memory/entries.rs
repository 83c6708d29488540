//! Entries of a map in the order in which its iterators come to them: that of the keys, where all of these are known.

use std::fmt::Write;
use std::sync::Arc;

use super::arrays::range_under;
use super::{Memory, Value};
use crate::trace::{Location, Step};

/// More entries are not told apart.
const MOST_ENTRIES: usize = 64;

/// What the keys of a map are that keeps them in the order of their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::trace) enum Keys {
    /// Strings, by their bytes.
    Text,
    /// Integers with a sign, or of fewer bits than a value has.
    Number,
    /// Pairs and tuples of so many parts: equal where these are; their order is not followed.
    Parts(u8),
    /// What a comparison or a hash of the program's own takes for equal is one: nobody knows which.
    Own,
    /// Something else: equal keys are one, and in which order they stand is not known.
    Other,
}

/// The iterator behind the last entry of a map.
pub(in crate::trace) fn end_of_map() -> Value {
    Value::Str(Arc::from("the end of a map"))
}

impl Memory {
    /// The map an entry belongs to.
    pub(in crate::trace) fn map_of(&self, entry: &Location) -> Option<Location> {
        let (Step::Field(_), above) = entry.path.split_last().filter(|_| !self.maps.is_empty())? else {
            return None;
        };
        let map = Location {
            base: entry.base,
            path: above.to_vec(),
        };
        self.maps.contains(&map).then_some(map)
    }

    /// What `begin()` of a map leads to; `None` where nobody knows which entry comes first, or whether there is one.
    pub(in crate::trace) fn first_entry(&self, map: &Location) -> Option<Value> {
        let entries = self.entries_in_order(map)?;
        Some(entries.into_iter().next().map_or_else(end_of_map, Value::Pointer))
    }

    /// The first entry whose key is not below another one, or `behind` it; `None` where nobody knows which that is.
    pub(in crate::trace) fn entry_from(&self, map: &Location, key: &Value, behind: bool) -> Option<Value> {
        let mut found = None;
        for entry in self.entries_in_order(map)?.into_iter().rev() {
            let order = match (self.get(&entry.field("first"))?, key) {
                (Value::Int(own), Value::Int(key)) => own.cmp(key),
                (Value::Str(own), Value::Str(key)) => own.cmp(key),
                _ => return None,
            };
            if order.is_lt() || behind && order.is_eq() {
                break;
            }
            found = Some(entry);
        }
        Some(found.map_or_else(end_of_map, Value::Pointer))
    }

    /// What an iterator leads to that is moved by so many entries of its map; `None` for one of something else.
    pub(in crate::trace) fn entry_behind(&mut self, entry: &Location, by: i64) -> Option<Value> {
        let map = self.map_of(entry)?;
        let moved = || {
            let entries = self.entries_in_order(&map)?;
            let at = entries.iter().position(|it| it == entry)?;
            let to = usize::try_from(i64::try_from(at).ok()?.checked_add(by)?).ok()?;
            match entries.into_iter().nth(to) {
                Some(entry) => Some(Value::Pointer(entry)),
                None => (by == 1).then(end_of_map),
            }
        };
        Some(moved().unwrap_or_else(|| self.fresh()))
    }

    /// One value for all that is written in an object of a class nobody sees: equal where that is. `None` where it may hold more.
    pub(in crate::trace) fn value_of_contents(&mut self, object: &Location) -> Option<Value> {
        if range_under(&self.lengths, object).next().is_some() {
            return None;
        }
        let (mut text, mut is_known) = (String::new(), true);
        for (place, value) in range_under(&self.cells, object) {
            is_known &= !matches!(value, Value::Unknown(_) | Value::Aggregate(_));
            let within = place.path.get(object.path.len()..).unwrap_or_default();
            let _ = write!(text, "{within:?}{value:?},");
        }
        (!text.is_empty()).then(|| match is_known {
            true => Value::Str(text.into()),
            false => self.named(&text),
        })
    }

    /// How many entries a map has, where all of them are known.
    pub(in crate::trace) fn entry_count(&self, map: &Location) -> Option<i64> {
        if !self.is_zeroed(map) || !self.keys_are_known(map) || !self.sorted.contains_key(map) {
            return None;
        }
        if self.sorted.get(map) == Some(&Keys::Own) {
            return None;
        }
        let entries = self.entries(map, MOST_ENTRIES);
        let is_known = |it: &Location| {
            let key = self.get(&it.field("first"));
            key.is_some_and(|it| !matches!(it, Value::Unknown(_)))
        };
        (entries.len() < MOST_ENTRIES && entries.iter().all(is_known)).then_some(entries.len() as i64)
    }

    /// All entries of a map, in the order of its iterators.
    fn entries_in_order(&self, map: &Location) -> Option<Vec<Location>> {
        if !self.is_zeroed(map) || !self.keys_are_known(map) {
            return None;
        }
        let entries = self.entries(map, MOST_ENTRIES);
        match entries.len() {
            MOST_ENTRIES.. => return None,
            0 | 1 => return Some(entries),
            _ => {}
        }
        let kind = *self.sorted.get(map)?;
        let key = |entry: &Location| self.get(&entry.field("first"));
        if matches!(kind, Keys::Parts(_) | Keys::Own | Keys::Other) {
            return None;
        }
        if kind == Keys::Text {
            let text = |entry: Location| match key(&entry) {
                Some(Value::Str(text)) => Some((text.clone(), entry)),
                _ => None,
            };
            let mut known: Vec<(Arc<str>, Location)> =
                entries.into_iter().map(text).collect::<Option<_>>()?;
            known.sort_by(|a, b| a.0.cmp(&b.0));
            return Some(known.into_iter().map(|it| it.1).collect());
        }
        let number = |entry: Location| match key(&entry) {
            Some(Value::Int(number)) => Some((*number, entry)),
            _ => None,
        };
        let mut known: Vec<(i64, Location)> = entries.into_iter().map(number).collect::<Option<_>>()?;
        known.sort_by_key(|it| it.0);
        Some(known.into_iter().map(|it| it.1).collect())
    }
}
