//! Accesses: which memory an operation of the device, or the host, reads and writes.

use super::{Location, Step};
use crate::program::FileId;
use crate::syntax::Span;

/// One access of memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Where it begins.
    pub location: Location,
    /// How far it goes from there.
    pub extent: Extent,
    /// So many elements from there on at least, where known.
    pub count: Option<i64>,
    /// All that it touches, where known.
    pub within: Option<Within>,
    /// Bytes of an element, where known.
    pub unit: Option<i64>,
    /// What it does.
    pub mode: Mode,
    /// Where it is written down: inside the kernel, or the call.
    pub at: (FileId, Span),
    /// `false` for a guess: the kernel's body is not known, an index may leave it out.
    pub sure: bool,
    /// Only the declaration of a kernel says that it may be made: nobody knows the body.
    pub declared: bool,
    /// Values that are added to the index for all threads alike, zeros left out: equal lists begin at the same element.
    pub offsets: Vec<ValueId>,
    /// Values that choose the elements in another way.
    pub selectors: Vec<ValueId>,
    /// The index is not known well enough to say where it begins.
    pub opaque: bool,
    /// Its index is handed out by an atomic operation: two such accesses meet in no element.
    pub claimed: bool,
    /// What chooses its elements, where the content of memory does: two such accesses may meet in no element.
    pub chosen_by: Option<Vec<ValueId>>,
    /// What leads to numbers in memory that are added to its index.
    pub counted_by: Vec<ValueId>,
    /// What leads to numbers in memory that its index is kept below: how far others have counted, say.
    pub kept_below: Vec<ValueId>,
    /// What holds of every element it touches, where conditions in the kernel say it.
    pub told: Vec<Told>,
    /// An atomic operation: two of them do not race.
    pub atomic: bool,
    /// The memory in the user's words.
    pub what: String,
}

/// Something that is asked of the index of an element, and the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// What is asked, in the words of [`crate::program::kernels::Predicate`].
    pub subject: String,
    /// The values in it.
    pub given: Vec<ValueId>,
    /// Whether the answer is this value, or is not.
    pub equal: bool,
    /// The value, and the number it is where that is known.
    pub value: (ValueId, Option<i64>),
}

impl Told {
    /// Of no element both hold.
    fn excludes(&self, other: &Told) -> bool {
        let asked_alike = self.subject == other.subject && self.given == other.given;
        asked_alike
            && match (self.equal, other.equal) {
                (true, true) => {
                    matches!((self.value.1, other.value.1), (Some(a), Some(b)) if a != b)
                }
                (false, false) => false,
                _ => self.value.0 == other.value.0,
            }
    }
}

/// Elements of one object; a launch may leave some of them out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The object in its memory.
    pub object: Vec<Step>,
    /// The first one.
    pub first: i64,
    /// How far they go.
    pub length: Length,
}

/// How much there is, more than nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many elements.
    Elements(i64),
    /// So many bytes.
    Bytes(i64),
    /// As far as the object goes, for all that is known.
    Open,
}

impl Within {
    /// The last element, where one has so many bytes.
    fn last(&self, unit: i64) -> i64 {
        let count = match self.length {
            Length::Elements(count) => count,
            Length::Bytes(bytes) => bytes.saturating_add(unit - 1) / unit,
            Length::Open => return i64::MAX,
        };
        self.first.saturating_add(count.saturating_sub(1))
    }
}

/// A value with an identity: equal ids are equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// What a pointer in memory points to, where nobody knows what that is: like a field of it that is no part of it.
pub(super) const POINTEE: &str = "*";

/// How far an access goes from where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// One element.
    Element,
    /// Unknown, more than one.
    Some,
    /// A whole allocation.
    Whole,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Allocates in stream order.
    Allocate,
    /// Frees, or lets the object's life end.
    Free,
}

impl Access {
    /// Whether two accesses conflict for sure: they touch the same memory, and not both only read it.
    pub fn conflicts(&self, other: &Access) -> bool {
        if self.mode == Mode::Read && other.mode == Mode::Read || self.location.base != other.location.base {
            return false;
        }
        if self.atomic && other.atomic || self.claimed && other.claimed {
            return false;
        }
        if let (Some(mine), Some(theirs)) = (&self.chosen_by, &other.chosen_by)
            && mine != theirs
        {
            return false;
        }
        if self.stops_at(other) || other.stops_at(self) || self.is_apart(other) {
            return false;
        }
        // Many a parameter that is only read is not const.
        if self.declared && other.declared && self.mode == other.mode {
            return false;
        }
        let whole =
            |it: &Access| matches!(it.mode, Mode::Allocate | Mode::Free) || it.extent == Extent::Whole;
        if whole(self) || whole(other) {
            return whole(self) && whole(other) || self.same_object(other);
        }
        self.same_offsets(other) && (meet(self, other) || self.reaches(other) || other.reaches(self))
    }

    /// Whether another access of the same operation says nothing that this one does not.
    pub(super) fn holds(&self, other: &Access) -> bool {
        self.location == other.location
            && (self.mode, self.atomic) == (other.mode, other.atomic)
            && (&self.offsets, &self.selectors) == (&other.offsets, &other.selectors)
            && (!self.claimed || other.claimed)
            && self.told.iter().all(|it| other.told.contains(it))
            && (self.chosen_by.is_none() || self.chosen_by == other.chosen_by)
            && (&self.counted_by, &self.kept_below) == (&other.counted_by, &other.kept_below)
            && self.count >= other.count
            && (self.within.is_none() || self.within == other.within)
    }

    /// Whether two accesses may conflict: they do, or one begins before the other and nobody knows how far it goes.
    pub fn may_conflict(&self, other: &Access) -> bool {
        let goes_on = |it: &Access, behind: &Access| {
            let begins_before = match (it.start(), behind.start()) {
                (Some((mine, first)), Some((theirs, second))) => mine == theirs && first <= second,
                _ => false,
            };
            it.extent == Extent::Some && it.count.is_none() && begins_before
        };
        let one_writes = self.mode != Mode::Read || other.mode != Mode::Read;
        let same = one_writes && self.location.base == other.location.base;
        let apart = self.stops_at(other) || other.stops_at(self) || self.is_apart(other);
        self.conflicts(other) || same && !apart && (goes_on(self, other) || goes_on(other, self))
    }

    /// Its index is kept below a number in memory that says where the other one is: they may meet in no element.
    fn stops_at(&self, other: &Access) -> bool {
        self.kept_below.iter().any(|it| other.counted_by.contains(it))
    }

    /// They touch different elements of one object.
    fn is_apart(&self, other: &Access) -> bool {
        let excludes = |it: &Told| other.told.iter().any(|other| it.excludes(other));
        if self.location == other.location && self.told.iter().any(excludes) {
            return true;
        }
        let (Some(mine), Some(theirs)) = (self.all(), other.all()) else {
            return false;
        };
        let unit = match (self.unit, other.unit) {
            (Some(a), Some(b)) if a != b => return false,
            (a, b) => a.or(b).filter(|it| *it > 0),
        };
        unit.is_some_and(|unit| {
            let apart = mine.last(unit) < theirs.first || theirs.last(unit) < mine.first;
            mine.object == theirs.object && apart
        })
    }

    /// All that it touches, where known: one element is all by itself.
    fn all(&self) -> Option<Within> {
        if self.within.is_some() || self.extent != Extent::Element {
            return self.within.clone();
        }
        let (object, first) = self.start()?;
        Some(Within {
            object: object.to_vec(),
            first,
            length: Length::Elements(1),
        })
    }

    /// It begins at a known place before where the other begins, and goes further than that.
    fn reaches(&self, other: &Access) -> bool {
        let plain = |it: &Access| it.offsets.is_empty() && it.selectors.is_empty() && !it.opaque;
        let (Some(count), true) = (self.count, plain(self) && plain(other)) else {
            return false;
        };
        if self.unit.is_none() || self.unit != other.unit {
            return false;
        }
        match (self.start(), other.start()) {
            (Some((mine, first)), Some((theirs, second))) => {
                mine == theirs && first < second && second - first < count
            }
            _ => false,
        }
    }

    /// The object an access begins in, and at which of its elements.
    pub(super) fn start(&self) -> Option<(&[Step], i64)> {
        let mut path = self.location.path.as_slice();
        if let (Extent::Some, [before @ .., Step::Any]) = (self.extent, path) {
            path = before;
        }
        let (path, first) = match path {
            [before @ .., Step::Element(first)] => (before, *first),
            _ => (path, 0),
        };
        let known = path
            .iter()
            .all(|it| matches!(it, Step::Field(_) | Step::Element(_)));
        known.then_some((path, first))
    }

    /// Neither side is known to be in another field.
    fn same_object(&self, other: &Access) -> bool {
        !self
            .location
            .path
            .iter()
            .zip(&other.location.path)
            .any(|pair| matches!(pair, (Step::Field(a), Step::Field(b)) if a != b))
    }

    fn same_offsets(&self, other: &Access) -> bool {
        let some = |it: &Access| it.extent == Extent::Some;
        let chosen = |it: &Access| it.opaque && !it.selectors.is_empty();
        if chosen(self) != chosen(other) && some(self) && some(other) {
            return false;
        }
        let chosen_alike =
            self.selectors.is_empty() || other.selectors.is_empty() || self.selectors == other.selectors;
        self.offsets == other.offsets && chosen_alike
    }
}

/// Whether two locations, each with what follows it, have their first elements in common.
fn meet(a: &Access, b: &Access) -> bool {
    let steps = |access: &Access| -> Vec<Step> {
        let path = &access.location.path;
        path.iter()
            .filter(|it| **it != Step::Element(0))
            .cloned()
            .collect()
    };
    let (mine, theirs) = (steps(a), steps(b));
    let common = mine.iter().zip(&theirs).take_while(|(x, y)| x == y).count();
    let leaves = |rest: &[Step]| rest.iter().any(Step::is_pointee);
    if leaves(&mine[common..]) || leaves(&theirs[common..]) {
        return false;
    }
    match (mine.get(common), theirs.get(common)) {
        (None, None) => true,
        // One is at the start of an object, the other further inside it.
        (None, Some(step)) | (Some(step), None) => matches!(step, Step::Any | Step::Field(_)),
        // Some element, and a field of the first one.
        (Some(Step::Any), Some(Step::Field(_))) | (Some(Step::Field(_)), Some(Step::Any)) => true,
        _ => false,
    }
}
