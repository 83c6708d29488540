//! Values, and the memory that holds them.

mod addresses;
mod arrays;
mod bounds;
mod clearing;
mod copying;
mod entries;
mod handed;
mod linear;
mod reals;
mod storage;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

pub(super) use entries::{Keys, end_of_map};
pub(super) use linear::Seen;

use super::shared::Shared;
use super::{Base, EventId, LEGACY, Location, Step, StreamId, ThreadId, Write};
use crate::facts::ir::{BinaryOp, fold};
use crate::program::{ClassId, FunctionId};
use crate::syntax::FastMap;

/// A value on a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// Not known, but with an identity: equal ids are equal values.
    Unknown(u32),
    Int(i64),
    Str(Arc<str>),
    /// Address of a place.
    Pointer(Location),
    /// The struct that stands at a place.
    Aggregate(Location),
    /// A function or kernel with its template arguments.
    Function(FunctionId, Arc<str>),
    /// A kernel that is not in the program.
    External(Arc<str>),
    /// A CUDA call used as a value.
    Api(Arc<str>),
    Closure(u32),
    /// A callable with some of its arguments.
    Bound(u32),
    Stream(StreamId),
    Event(EventId),
    Thread(ThreadId),
    Graph(u32),
}

/// Where memory came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// `cudaMalloc`.
    Device,
    /// `cudaMallocAsync`.
    Pool,
    /// `cudaMallocHost`, `cudaHostAlloc`, registered.
    Pinned,
    /// `cudaMallocManaged`.
    Managed,
    /// `malloc`, `new`.
    Heap,
}

/// How many elements arrays and containers have.
pub(super) type Lengths = Shared<BTreeMap<Location, i64>>;

/// What is stored where.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    cells: BTreeMap<Location, Value>,
    /// Class of the object at a place.
    pub(super) classes: BTreeMap<Location, ClassId>,
    /// Places that are arrays or containers: their value is their address.
    pub(super) arrays: BTreeSet<Location>,
    /// Element counts of arrays and containers, where known.
    pub(super) lengths: Lengths,
    /// How many elements containers were made with, where nobody knows the number.
    pub(super) counts: BTreeMap<Location, Value>,
    /// What containers hold, as written.
    pub(super) element_types: BTreeMap<Location, String>,
    pub(super) allocations: Vec<Origin>,
    /// Variables declared volatile or atomic.
    pub(super) shared: BTreeSet<Location>,
    /// What braces hold that were evaluated before it was known what they are for.
    pub(super) lists: BTreeMap<Location, Vec<super::lists::Part>>,
    /// Smart pointers.
    pub(super) smart: BTreeSet<Location>,
    /// Those of them that count their owners.
    pub(super) counted: BTreeSet<Location>,
    /// How many elements containers have room for, where the program says so.
    pub(super) reserved: BTreeMap<Location, i64>,
    /// Containers with an allocator of the program's own.
    pub(super) allocated: BTreeSet<Location>,
    /// Objects of a library that hold objects of the program, nobody knows which.
    pub(super) holders: BTreeSet<Location>,
    /// Objects that their last owner let go of, and whether that is sure.
    pub(super) ended: BTreeMap<Location, bool>,
    /// Pointers that know of an object, and do not own it.
    pub(super) weak: BTreeSet<Location>,
    /// What deleters smart pointers carry.
    pub(super) deleters: BTreeMap<Location, Value>,
    /// Temporaries, and what was moved: what they own goes to the object that is made of them.
    pub(super) passing: BTreeSet<Base>,
    /// Objects with several owners: how many there are beside the first, as far as their copies are seen to end.
    pub(super) further_owners: BTreeMap<Location, u32>,
    /// Those of which an owner let go, or did not.
    pub(super) perhaps_owned: BTreeSet<Location>,
    /// `std::map` and its like.
    pub(super) maps: BTreeSet<Location>,
    /// Those that keep their entries in the order of their keys.
    pub(super) sorted: BTreeMap<Location, Keys>,
    /// Template arguments an object was made with, and of which class.
    pub(super) class_arguments: BTreeMap<Location, (ClassId, Vec<Arc<str>>)>,
    /// Tuples: objects whose parts have numbers.
    pub(super) tuples: BTreeSet<Location>,
    /// Optionals, and what they hold, as written.
    pub(super) optionals: BTreeMap<Location, String>,
    /// Optionals that hold something or not, by what a value is.
    pub(super) presences: Shared<BTreeMap<Location, Value>>,
    /// Objects of numbers that pointers of several types point into.
    pub(super) recast: BTreeSet<Base>,
    /// Containers that traded what they hold: pointers taken before lead elsewhere now.
    pub(super) traded: BTreeSet<Base>,
    /// Where the elements of containers are that were moved.
    storage: storage::Storage,
    /// Reference members, and what they refer to.
    pub(super) references: BTreeMap<Location, Location>,
    /// Built-in types variables were declared with, `*` for every pointer.
    pub(super) declared: BTreeMap<Location, String>,
    /// Arithmetic types variables were declared with.
    pub(super) numbers: BTreeMap<Location, super::numbers::Declared>,
    /// Thrust's containers.
    pub(super) device_vectors: BTreeMap<Location, super::device_vectors::Held>,
    /// Semaphores.
    pub(super) semaphores: BTreeSet<Location>,
    /// Promises and packaged tasks, each with the place its future looks at.
    pub(super) promises: BTreeMap<Location, Location>,
    /// First elements of queues something was taken from.
    pub(super) heads: BTreeMap<Location, i64>,
    /// Containers, and how their elements come and go.
    pub(super) orders: BTreeMap<Location, super::containers::Order>,
    /// Arrays of arrays, and how long the arrays in them are, where known.
    rows: BTreeMap<Location, Vec<Option<i64>>>,
    /// Places under which everything that has no cell of its own is zero, or, inside such a place, is not: the innermost one counts.
    zeroed: BTreeMap<Location, bool>,
    /// What cells held before they were changed, oldest change first, while somebody watches.
    journal: Vec<(Location, Option<Value>)>,
    /// How many watch.
    watchers: u32,
    /// Unknowns that stand for values a real run has and that were given up on: loops that were cut, calls not followed.
    lost: BTreeSet<u32>,
    /// Unknowns that are no less than a number.
    least: BTreeMap<u32, i64>,
    /// What unknowns were seen to be, and not to be.
    seen: linear::Seen,
    /// Unknowns that are one of two values, by what an unknown condition is.
    choices: BTreeMap<u32, (u32, Value, Value)>,
    chosen: BTreeMap<(u32, Value, Value), u32>,
    /// Unknowns that the caller of the entry point handed in, or that were found in what it handed in.
    pub(super) handed_in: BTreeSet<u32>,
    /// Those of them that are whole arguments, and no numbers.
    pub(super) handed_arguments: BTreeSet<u32>,
    /// Variables that hold objects it handed in.
    pub(super) handed_objects: BTreeSet<Base>,
    next_local: u32,
    next_unknown: u32,
    symbols: BTreeMap<(BinaryOp, Value, Value), u32>,
    /// The same the other way round.
    definitions: FastMap<u32, (BinaryOp, Value, Value)>,
    names: BTreeMap<String, u32>,
    /// Unknowns that stand for floating numbers that are known, by their bits.
    reals: BTreeMap<u64, u32>,
    /// What these are.
    real_values: BTreeMap<u32, f64>,
    /// What is known of results of calls, and of what they are compared with.
    pub(super) results: super::results::Results,
}

/// Texts that are put together are known up to so many bytes.
const LONGEST_TEXT: usize = 256;

impl Memory {
    pub(super) fn fresh(&mut self) -> Value {
        self.next_unknown += 1;
        Value::Unknown(self.next_unknown)
    }

    pub(super) fn local(&mut self) -> Location {
        self.next_local += 1;
        Location::object(Base::Local(self.next_local))
    }

    /// How many objects of its own the path has made.
    pub(super) fn made(&self) -> u32 {
        self.next_local
    }

    pub(super) fn allocate(&mut self, origin: Origin) -> Location {
        self.allocations.push(origin);
        Location::object(Base::Allocation(self.allocations.len() as u32 - 1))
    }

    pub(super) fn origin(&self, base: Base) -> Option<Origin> {
        match base {
            Base::Allocation(index) => self.allocations.get(index as usize).copied(),
            _ => None,
        }
    }

    /// The same unknown for the same name: an unresolved constant, say.
    pub(super) fn named(&mut self, name: &str) -> Value {
        if let Some(id) = self.names.get(name) {
            return Value::Unknown(*id);
        }
        self.next_unknown += 1;
        self.names.insert(name.to_owned(), self.next_unknown);
        Value::Unknown(self.next_unknown)
    }

    /// Whether an unknown stands for a name.
    pub(super) fn is_named(&self, unknown: u32) -> bool {
        self.names.values().any(|it| *it == unknown)
    }

    /// What an unknown was computed from.
    pub(super) fn definition(&self, unknown: u32) -> Option<&(BinaryOp, Value, Value)> {
        self.definitions.get(&unknown)
    }

    pub(super) fn get(&self, location: &Location) -> Option<&Value> {
        self.cells.get(location)
    }

    pub(super) fn set(&mut self, location: Location, value: Value) {
        self.restore(location, Some(value));
    }

    /// What a constant holds is looked at for the first time: that changes nothing.
    pub(super) fn find(&mut self, location: Location, value: Value) {
        self.cells.insert(location, value);
    }

    /// Puts a value, or nothing, at a place.
    pub(super) fn restore(&mut self, location: Location, value: Option<Value>) {
        if self.watchers == 0 {
            match value {
                Some(value) => self.cells.insert(location, value),
                None => self.cells.remove(&location),
            };
            return;
        }
        let before = match value {
            Some(value) => self.cells.insert(location.clone(), value),
            None => self.cells.remove(&location),
        };
        self.journal.push((location, before));
    }

    /// Changes are kept track of from here on, until [`Memory::unwatch`].
    pub(super) fn watch(&mut self) -> usize {
        self.watchers += 1;
        self.journal.len()
    }

    /// Where the changes of now begin, for somebody who watches.
    pub(super) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// One watcher less.
    pub(super) fn unwatch(&mut self) {
        self.watchers -= 1;
        if self.watchers == 0 {
            self.journal.clear();
        }
    }

    /// Cells that differ from what they held at a mark, with what they hold now.
    pub(super) fn changed_since(&self, mark: usize) -> BTreeMap<Location, Option<Value>> {
        self.before_since(mark)
            .into_iter()
            .map(|(place, before)| (self.cells.get(&place).cloned(), before, place))
            .filter(|(now, before, _)| now != before)
            .map(|(now, _, place)| (place, now))
            .collect()
    }

    /// Whether anything in an object was stored to since a mark.
    pub(super) fn was_stored_since(&self, mark: usize, object: Base) -> bool {
        let stored = self.journal.get(mark..).unwrap_or_default();
        stored.iter().any(|(place, _)| place.base == object)
    }

    /// Cells that were stored to since a mark, with what they held then.
    pub(super) fn before_since(&self, mark: usize) -> BTreeMap<Location, Option<Value>> {
        self.before_between(mark, self.journal.len())
    }

    /// Cells that were stored to between two marks, with what they held at the first.
    pub(super) fn before_between(&self, mark: usize, end: usize) -> BTreeMap<Location, Option<Value>> {
        let mut found = BTreeMap::new();
        for (place, before) in self.journal.get(mark..end).unwrap_or_default() {
            found.entry(place.clone()).or_insert_with(|| before.clone());
        }
        found
    }

    /// All cells hold what they held at a mark.
    pub(super) fn roll_back(&mut self, mark: usize) {
        while self.journal.len() > mark {
            let Some((place, before)) = self.journal.pop() else {
                break;
            };
            match before {
                Some(value) => self.cells.insert(place, value),
                None => self.cells.remove(&place),
            };
        }
    }

    /// A number at this place is given up on. `known`: it depends on no input, a run always has the same one there.
    pub(super) fn lose(&mut self, place: Location, known: bool) {
        if matches!(
            self.cells.get(&place),
            Some(Value::Int(_) | Value::Str(_) | Value::Unknown(_))
        ) {
            let value = if known { self.fresh_lost() } else { self.fresh() };
            self.set(place, value);
        }
    }

    /// A pointer that was moved from one element of an object to another can point to any.
    pub(super) fn lose_step(&mut self, place: &Location, before: Option<&Value>) {
        if let (Some(now @ Value::Pointer(to)), Some(before)) = (self.cells.get(place), before)
            && super::models::distance(before, now).is_some_and(|it| it != 0)
        {
            let anywhere = super::models::owner_of(to).step(Step::Any);
            self.set(place.clone(), Value::Pointer(anywhere));
        }
    }

    /// Numbers at a place and under it are given up on.
    pub(super) fn lose_under(&mut self, place: &Location) {
        self.unzero(place.base);
        let numbers: Vec<Location> = self
            .under(place)
            .filter(|(_, value)| matches!(value, Value::Int(_) | Value::Str(_)))
            .map(|(it, _)| it.clone())
            .collect();
        for it in numbers {
            self.lose(it, true);
        }
    }

    /// An unknown for a value that was given up on.
    pub(super) fn fresh_lost(&mut self) -> Value {
        self.next_unknown += 1;
        self.lost.insert(self.next_unknown);
        Value::Unknown(self.next_unknown)
    }

    /// Whether anything was given up on.
    pub(super) fn has_lost(&self) -> bool {
        !self.lost.is_empty()
    }

    /// Whether an unknown depends on a value that was given up on.
    pub(super) fn is_lost(&self, unknown: u32) -> bool {
        const MOST: usize = 64;
        if self.lost.is_empty() {
            return false;
        }
        let mut open = vec![unknown];
        let mut seen = BTreeSet::new();
        while let Some(it) = open.pop() {
            if self.lost.contains(&it) || seen.len() > MOST {
                return true;
            }
            if !seen.insert(it) {
                continue;
            }
            let mut add = |value: &Value| {
                if let Value::Unknown(id) = value {
                    open.push(*id);
                }
            };
            if let Some((_, left, right)) = self.definitions.get(&it) {
                add(left);
                add(right);
            }
            if let Some((condition, first, rest)) = self.choices.get(&it) {
                add(first);
                add(rest);
                open.push(*condition);
            }
        }
        false
    }

    /// The first value where the condition holds, else the other.
    pub(super) fn choice(
        &mut self,
        condition: Option<u32>,
        first: Option<Value>,
        rest: Option<Value>,
    ) -> Value {
        let (Some(condition), Some(first), Some(rest)) = (condition, first, rest) else {
            return self.fresh();
        };
        let (first, rest) = (self.settled(first), self.settled(rest));
        if first == rest {
            return first;
        }
        let key = (condition, first, rest);
        if let Some(id) = self.chosen.get(&key) {
            return Value::Unknown(*id);
        }
        self.next_unknown += 1;
        self.choices.insert(self.next_unknown, key.clone());
        self.chosen.insert(key, self.next_unknown);
        Value::Unknown(self.next_unknown)
    }

    /// The condition an unknown is chosen by, what it is where that holds, and what it is else.
    pub(super) fn choice_of(&self, id: u32) -> Option<&(u32, Value, Value)> {
        self.choices.get(&id)
    }

    /// What a comparison of one of two numbers with a number says of the condition that chose: itself, or its opposite.
    fn compared_choice(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
        let (id, number, flipped) = match (left, right) {
            (Value::Unknown(id), Value::Int(number)) => (id, *number, false),
            (Value::Int(number), Value::Unknown(id)) => (id, *number, true),
            _ => return None,
        };
        let (condition, Value::Int(first), Value::Int(rest)) = self.choices.get(id)? else {
            return None;
        };
        let compare = |it: i64| match flipped {
            false => fold(op, it, number),
            true => fold(op, number, it),
        };
        let (condition, first, rest) = (*condition, compare(*first)? != 0, compare(*rest)? != 0);
        Some(match (first, rest) {
            (true, true) => Value::Int(1),
            (false, false) => Value::Int(0),
            (true, false) => Value::Unknown(condition),
            (false, true) => self.negate(Value::Unknown(condition)),
        })
    }

    /// The condition an unknown is the truth of, and whether it is the opposite.
    pub(super) fn truth_of(&self, id: u32) -> Option<(u32, bool)> {
        if let Some(inner) = self.negated(id) {
            return Some((inner, true));
        }
        if let Some(failed) = self.results.failed(id) {
            return Some((failed, false));
        }
        match self.choices.get(&id)? {
            (condition, Value::Int(first), Value::Int(rest)) if (*first != 0) != (*rest != 0) => {
                Some((*condition, *first == 0))
            }
            _ => None,
        }
    }

    /// Nothing stands at a place, or under it, any more.
    pub(super) fn forget(&mut self, location: &Location) {
        let gone: Vec<Location> = self.under(location).map(|(it, _)| it.clone()).collect();
        for place in gone {
            self.restore(place, None);
        }
    }

    /// The device writes here some time from now on: the number the host stored is no longer what it reads. Says what was there.
    pub(super) fn forget_written(&mut self, write: &Write) -> Vec<(u32, i64)> {
        self.unzero(write.location.base);
        let object = Location::object(write.location.base);
        let cells = self.cells.range(object..);
        let own = cells.take_while(|(it, _)| it.base == write.location.base);
        let changed = own.filter_map(|(it, value)| match value {
            Value::Int(number) if write.location.overlaps(it, write.range) => Some((it.clone(), *number)),
            _ => None,
        });
        let changed: Vec<(Location, i64)> = changed.collect();
        let forget = |(place, number)| {
            self.next_unknown += 1;
            self.set(place, Value::Unknown(self.next_unknown));
            (self.next_unknown, number)
        };
        changed.into_iter().map(forget).collect()
    }

    /// The arithmetic type a variable, or an element of an array of them, was declared with.
    pub(super) fn number_of_place(&self, place: &Location) -> Option<super::numbers::Number> {
        self.numbers.get(place).map(|it| it.number)
    }

    /// The value at a place; a place never written gets an unknown that stays.
    pub(super) fn load(&mut self, location: &Location) -> Value {
        let is_promise = !self.promises.is_empty() && self.promises.contains_key(location);
        if self.is_sequence(location) || self.maps.contains(location) || is_promise {
            return Value::Aggregate(location.clone());
        }
        if self.arrays.contains(location) {
            return Value::Pointer(location.step(Step::Element(0)));
        }
        if let Some(value) = self.cells.get(location) {
            return value.clone();
        }
        if self.is_zeroed(location) {
            return Value::Int(0);
        }
        let value = self.part_of_handed(location).unwrap_or_else(|| self.fresh());
        if let Value::Unknown(id) = value
            && self.is_handed_in(location.base)
        {
            self.handed_in.insert(id);
        }
        self.cells.insert(location.clone(), value.clone());
        value
    }

    /// A value at some element of the same container, when this element was never written.
    pub(super) fn sibling(&self, location: &Location) -> Option<&Value> {
        let mut parent = location.clone();
        if !matches!(
            parent.path.pop(),
            Some(Step::Element(_) | Step::At(_) | Step::Any)
        ) {
            return None;
        }
        self.cells.get(&parent).or_else(|| {
            let first = self
                .cells
                .range::<Location, _>((Bound::Included(&parent), Bound::Unbounded))
                .next()?;
            (first.0.base == parent.base
                && first.0.path.len() == parent.path.len() + 1
                && first.0.path.starts_with(&parent.path))
            .then_some(first.1)
        })
    }

    /// An element of a container, or the place so far behind a pointer.
    pub(super) fn element(&self, container: &Location, index: i64) -> Location {
        if self.arrays.contains(container) {
            let head = self.heads.get(container).copied().unwrap_or(0);
            container.step(Step::Element(index.saturating_add(head)))
        } else {
            self.behind(container, index)
        }
    }

    /// The place so many elements behind another one: the first element of what is no array is the object itself.
    pub(super) fn behind(&self, place: &Location, index: i64) -> Location {
        let mut found = place.element(index);
        if found.path.last() == Some(&Step::Element(0)) && place.path.last() != Some(&Step::Element(0)) {
            found.path.pop();
            if self.arrays.contains(&found) {
                found.path.push(Step::Element(0));
            }
        }
        found
    }

    /// Whether a container of a library stands at a place: an object with elements, not an array.
    pub(super) fn is_sequence(&self, place: &Location) -> bool {
        self.orders.contains_key(place)
    }

    /// Whether a value is braces that were evaluated before it was known what they are for.
    pub(super) fn is_list(&self, value: &Value) -> bool {
        matches!(value, Value::Aggregate(it) if self.lists.contains_key(it))
    }

    /// How many elements a container has, where known.
    pub(super) fn count(&self, container: &Location) -> Option<i64> {
        let head = self.heads.get(container).copied().unwrap_or(0);
        Some(self.lengths.get(container)?.saturating_sub(head).max(0))
    }

    fn is_traded(&self, value: &Value) -> bool {
        matches!(value, Value::Pointer(it) if self.traded.contains(&it.base))
    }

    /// How many elements one pointer is behind another, where both point into one object and count the same.
    pub(super) fn distance(&self, first: &Value, last: &Value) -> Option<i64> {
        let far = super::models::distance(first, last)?;
        if self.is_traded(first) {
            return None;
        }
        let counted = matches!(first, Value::Pointer(it) if self.recast.contains(&it.base));
        (far == 0 || !counted).then_some(far)
    }

    /// What is stored where now, small memories only.
    pub(super) fn snapshot(&self) -> BTreeMap<Location, Value> {
        const MOST_CELLS: usize = 4_000;
        if self.cells.len() > MOST_CELLS {
            return BTreeMap::new();
        }
        self.cells.clone()
    }

    /// What is stored at a place and under it.
    pub(super) fn under<'a>(
        &'a self,
        location: &'a Location,
    ) -> impl Iterator<Item = (&'a Location, &'a Value)> {
        self.cells
            .range::<Location, _>((Bound::Included(location), Bound::Unbounded))
            .take_while(|(it, _)| it.base == location.base && it.path.starts_with(&location.path))
    }

    /// Everything stored in an object.
    pub(super) fn cells_of(&self, object: Location) -> impl Iterator<Item = (&Location, &Value)> {
        let base = object.base;
        self.cells
            .range(object..)
            .take_while(move |(it, _)| it.base == base)
    }

    /// Places that hold a value.
    pub(super) fn places_of(&self, value: &Value) -> impl Iterator<Item = &Location> {
        self.cells
            .iter()
            .filter(move |(_, held)| *held == value)
            .map(|(place, _)| place)
    }

    /// Static and global variables that hold something.
    pub(super) fn variables_of_all(&self) -> Vec<Base> {
        let first = Location::object(Base::Static(crate::program::FileId(0), 0));
        let mut found: Vec<Base> = self
            .cells
            .range(first..Location::object(Base::Allocation(0)))
            .map(|(it, _)| it.base)
            .collect();
        found.dedup();
        found
    }

    /// Whether anything was ever stored at a place or under it.
    pub(super) fn holds(&self, location: &Location) -> bool {
        self.cells
            .range::<Location, _>((Bound::Included(location), Bound::Unbounded))
            .next()
            .is_some_and(|(it, _)| it.base == location.base && it.path.starts_with(&location.path))
    }

    /// Whether there is an object at a place, or a value at it or under it.
    pub(super) fn stands_at(&self, place: &Location) -> bool {
        self.classes.contains_key(place)
            || self.arrays.contains(place)
            || self.maps.contains(place)
            || self.holds(place)
    }

    /// Entries of a map, at most so many.
    pub(super) fn entries(&self, map: &Location, limit: usize) -> Vec<Location> {
        let depth = map.path.len();
        let mut found: Vec<Location> = Vec::new();
        let under = self
            .cells
            .range::<Location, _>((Bound::Included(map), Bound::Unbounded))
            .take_while(|(it, _)| it.base == map.base && it.path.starts_with(&map.path));
        // A member of a class that extends a map is none of its entries.
        let is_member =
            |it: &Location| matches!(&it.path[depth], Step::Field(name) if !name.starts_with('['));
        for (cell, _) in under.filter(|(it, _)| it.path.len() > depth && !is_member(it)) {
            let entry = Location {
                base: map.base,
                path: cell.path[..=depth].to_vec(),
            };
            if found.last() != Some(&entry) && found.len() < limit {
                found.push(entry);
            }
        }
        found
    }

    /// Whether an object with fields stands at a place.
    pub(super) fn is_object(&self, location: &Location) -> bool {
        let depth = location.path.len();
        let is_field = |it: &Location| matches!(it.path.get(depth), Some(Step::Field(_)));
        self.classes.contains_key(location)
            || self
                .cells
                .range::<Location, _>((Bound::Excluded(location), Bound::Unbounded))
                .take_while(|(it, _)| it.base == location.base && it.path.starts_with(&location.path))
                .take(8)
                .any(|(it, _)| is_field(it))
    }

    /// Folds an operator; equal operands give the same unknown.
    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        if let Some(failed) = self.results.compared(op, &left, &right) {
            let failed = Value::Unknown(failed);
            let if_failed = (op == BinaryOp::NotEqual) == self.results.is_success(&left, &right);
            return if if_failed { failed } else { self.negate(failed) };
        }
        let left = self.settled(left);
        let right = self.settled(right);
        if let (Value::Int(a), Value::Int(b)) = (&left, &right)
            && let Some(value) = fold(op, *a, *b)
        {
            return Value::Int(value);
        }
        if let Some(holds) = self.compared_to_least(op, &left, &right) {
            return Value::Int(i64::from(holds));
        }
        match (op, &left, &right) {
            (BinaryOp::Comma | BinaryOp::List, _, _) => return right,
            // Pointers to characters cannot be added: one of the two is an object.
            (BinaryOp::Add, Value::Str(a), Value::Str(b)) if a.len() + b.len() <= LONGEST_TEXT => {
                return Value::Str(format!("{a}{b}").into());
            }
            (BinaryOp::Add | BinaryOp::Subtract, Value::Pointer(place), _)
                if matches!(place.path.last(), Some(Step::Any)) && !matches!(right, Value::Pointer(_)) =>
            {
                return left;
            }
            (BinaryOp::Add, Value::Pointer(place), Value::Int(offset))
            | (BinaryOp::Add, Value::Int(offset), Value::Pointer(place)) => {
                let entry = self.entry_behind(place, *offset);
                return entry.unwrap_or_else(|| Value::Pointer(self.behind(place, *offset)));
            }
            (BinaryOp::Subtract, Value::Pointer(place), Value::Int(offset)) => {
                let back = offset.saturating_neg();
                let entry = self.entry_behind(place, back);
                return entry.unwrap_or_else(|| Value::Pointer(self.behind(place, back)));
            }
            (
                BinaryOp::Subtract
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual,
                first,
                last,
            ) if let Some(far) = self.distance(last, first) => {
                let value = if op == BinaryOp::Subtract {
                    Some(far)
                } else {
                    fold(op, far, 0)
                };
                return value.map_or_else(|| self.fresh(), Value::Int);
            }
            (BinaryOp::Add, Value::Pointer(place), Value::Unknown(id)) => {
                let step = self.at_unknown(*id);
                return Value::Pointer(place.step(step));
            }
            (
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual,
                a,
                b,
            ) if let Some(value) = self.compared_choice(op, a, b) => return value,
            (BinaryOp::Equal | BinaryOp::NotEqual, a, b) => {
                let known = match (a, b) {
                    (Value::Pointer(x), Value::Pointer(y)) if x.base == y.base => {
                        self.distance(a, b).map(|it| it == 0)
                    }
                    (a, b) if self.is_traded(a) || self.is_traded(b) => None,
                    (a, b) if a == b => Some(true),
                    (Value::Aggregate(_), Value::Aggregate(_)) => None,
                    // What is made on the path is nothing that was handed in.
                    (Value::Unknown(old), Value::Stream(made))
                    | (Value::Stream(made), Value::Unknown(old))
                        if *made != LEGACY && self.handed_in.contains(old) =>
                    {
                        Some(false)
                    }
                    (Value::Unknown(_), _) | (_, Value::Unknown(_)) => None,
                    // Everything else that has an address or an identity is not null and not something else.
                    _ => Some(false),
                };
                if let Some(equal) = known {
                    return Value::Int(i64::from(equal == (op == BinaryOp::Equal)));
                }
                if op == BinaryOp::NotEqual {
                    let equal = self.binary(BinaryOp::Equal, left, right);
                    return self.negate(equal);
                }
            }
            (BinaryOp::And, Value::Int(0), _) | (BinaryOp::And, _, Value::Int(0)) => return Value::Int(0),
            (BinaryOp::And, Value::Int(_), other) | (BinaryOp::And, other, Value::Int(_)) => {
                return other.clone();
            }
            (BinaryOp::Or, Value::Int(0), other) | (BinaryOp::Or, other, Value::Int(0)) => {
                return other.clone();
            }
            (BinaryOp::Or, Value::Int(_), _) | (BinaryOp::Or, _, Value::Int(_)) => return Value::Int(1),
            (BinaryOp::Multiply, Value::Int(0), Value::Unknown(_))
            | (BinaryOp::Multiply, Value::Unknown(_), Value::Int(0)) => return Value::Int(0),
            (BinaryOp::Less | BinaryOp::Greater, Value::Unknown(a), Value::Unknown(b)) if a == b => {
                return Value::Int(0);
            }
            (BinaryOp::GreaterEqual, _, _) => {
                let less = self.binary(BinaryOp::Less, left, right);
                return self.negate(less);
            }
            (BinaryOp::LessEqual, _, _) => {
                let less = self.binary(BinaryOp::Less, right, left);
                return self.negate(less);
            }
            (BinaryOp::Greater, _, _) => return self.binary(BinaryOp::Less, right, left),
            _ => {}
        }
        if let Some(address) = self.rounded(op, &left, &right) {
            return address;
        }
        // `n * 4` is `4 * n`.
        let commutes = matches!(
            op,
            BinaryOp::Add | BinaryOp::Multiply | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
        );
        match commutes && right < left {
            true => self.symbol(op, right, left),
            false => self.symbol(op, left, right),
        }
    }

    /// Results of calls, and conditions that say whether one has failed, as numbers.
    pub(super) fn settled(&self, value: Value) -> Value {
        match value {
            Value::Unknown(id) => match self.negated(id).map(|it| self.results.happened(it)) {
                Some(Some(failed)) => Value::Int(i64::from(!failed)),
                _ => self.seen_to_be(id).unwrap_or_else(|| self.results.settled(value)),
            },
            _ => value,
        }
    }

    /// The sides of a conjunction (`true`) or a disjunction.
    pub(super) fn junction(&self, id: u32) -> Option<(bool, &Value, &Value)> {
        match self.definitions.get(&id)? {
            (BinaryOp::And, left, right) => Some((true, left, right)),
            (BinaryOp::Or, left, right) => Some((false, left, right)),
            _ => None,
        }
    }

    /// Logical not.
    pub(super) fn negate(&mut self, value: Value) -> Value {
        match value {
            Value::Unknown(id) if let Some(failed) = self.results.failed(id) => {
                self.symbol(BinaryOp::BitXor, Value::Unknown(failed), Value::Int(-1))
            }
            Value::Int(it) => Value::Int(i64::from(it == 0)),
            Value::Unknown(_) => self.symbol(BinaryOp::BitXor, value, Value::Int(-1)),
            _ => Value::Int(0),
        }
    }

    /// The unknown that holds where a condition does not.
    pub(super) fn opposite(&mut self, condition: u32) -> Option<u32> {
        match self.negate(Value::Unknown(condition)) {
            Value::Unknown(id) => Some(id),
            _ => None,
        }
    }

    /// The value this unknown is the logical negation of.
    pub(super) fn negated(&self, id: u32) -> Option<u32> {
        match self.definitions.get(&id) {
            Some((BinaryOp::BitXor, Value::Unknown(inner), Value::Int(-1))) => Some(*inner),
            _ => None,
        }
    }

    fn symbol(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        let key = (op, left, right);
        if let Some(id) = self.symbols.get(&key) {
            return Value::Unknown(*id);
        }
        self.next_unknown += 1;
        self.definitions.insert(self.next_unknown, key.clone());
        self.symbols.insert(key, self.next_unknown);
        Value::Unknown(self.next_unknown)
    }
}
