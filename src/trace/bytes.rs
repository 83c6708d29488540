//! Pointers as bytes of a region: what a step of a pointer is where memory holds numbers of another size than the pointer says,
//! and what copies of bytes leave there.

use super::calls::Argument;
use super::layout::POINTER;
use super::machine::Machine;
use super::memory::Value;
use super::models::owner_of;
use super::numbers::{Declared, Number};
use super::{Base, Location, Step};
use crate::facts::ir::{BinaryOp, Expr};

/// Elements that are filled or copied one by one.
const MOST_ELEMENTS: i64 = 1024;

/// Nested choices between pointers of which each is moved.
const MOST_CHOICES: u32 = 4;

impl<'p> Machine<'p> {
    /// What a pointer becomes that is moved; `None` where none is. One that nobody knows leads into the same object as before.
    pub(super) fn moved(
        &mut self,
        op: BinaryOp,
        (pointer, value): (&'p Expr, &Value),
        by: &Value,
    ) -> Option<Value> {
        self.moved_within(op, (pointer, value), by, MOST_CHOICES)
    }

    fn moved_within(
        &mut self,
        op: BinaryOp,
        (pointer, value): (&'p Expr, &Value),
        by: &Value,
        choices: u32,
    ) -> Option<Value> {
        let place = match value {
            Value::Pointer(place) => place.clone(),
            Value::Unknown(id) => {
                if !matches!(op, BinaryOp::Add | BinaryOp::Subtract) || !self.is_address(pointer) {
                    return None;
                }
                match self.memory.choice_of(*id).cloned() {
                    Some(_) if choices == 0 => return Some(self.memory.fresh()),
                    Some((condition, first, rest)) => {
                        let first = self.moved_within(op, (pointer, &first), by, choices - 1);
                        let rest = self.moved_within(op, (pointer, &rest), by, choices - 1);
                        return Some(self.memory.choice(Some(condition), first, rest));
                    }
                    None => Location::object(Base::Outside(*id)),
                }
            }
            _ => return None,
        };
        let steps = match (op, by) {
            (BinaryOp::Add, Value::Int(by)) => Some(*by),
            (BinaryOp::Subtract, Value::Int(by)) => Some(by.saturating_neg()),
            (BinaryOp::Add, Value::Unknown(_)) => None,
            // What is subtracted may be another pointer.
            _ => return None,
        };
        let moved = steps.and_then(|it| self.stepped(pointer, &place, it));
        Some(match moved {
            Some(place) => Value::Pointer(place),
            None => self.memory.binary(op, Value::Pointer(place), by.clone()),
        })
    }

    /// Whether something is written to be a pointer.
    fn is_address(&mut self, written: &'p Expr) -> bool {
        self.type_of(written).is_some_and(|it| it.pointers > 0)
    }

    /// Where a pointer leads that is moved by so many of what it is declared to point to; `None` where memory holds just those.
    pub(super) fn stepped(&mut self, pointer: &'p Expr, place: &Location, by: i64) -> Option<Location> {
        if by == 0 || !self.memory.recast.contains(&place.base) {
            return None;
        }
        let own = self.number_at(place).and_then(size)?;
        let unit = self
            .declared_of(pointer)
            .and_then(Declared::pointee)
            .and_then(size);
        Some(match unit.and_then(|it| it.checked_mul(by)) {
            Some(bytes) if bytes % own == 0 => self.memory.behind(place, bytes / own),
            _ => owner_of(place).step(Step::Any),
        })
    }

    /// A number that was read as what an expression says it is.
    pub(super) fn seen_through_type(&mut self, read: &'p Expr, place: &Location, value: Value) -> Value {
        let is_real = self.memory.real_of(&value).is_some();
        if !is_real && !matches!(value, Value::Int(_)) || !self.memory.recast.contains(&place.base) {
            return value;
        }
        let (seen, own) = (
            self.number_of(read),
            self.number_at(place).and_then(Declared::value),
        );
        if seen == own && seen.is_some() {
            return value;
        }
        let known = match (seen, own, value) {
            (Some(seen), Some(own), Value::Int(it))
                if seen.bytes().is_some_and(|it| own.bytes() >= Some(it)) =>
            {
                seen.convert(it)
            }
            _ => None,
        };
        known.map_or_else(|| self.memory.fresh(), Value::Int)
    }

    /// A number that is stored as what an expression says stands there: other sizes leave bytes of several numbers.
    pub(super) fn stored_through_type(&mut self, target: &'p Expr, place: &Location, value: Value) -> Value {
        if !self.memory.recast.contains(&place.base) {
            return value;
        }
        let Some(own) = self.number_at(place) else {
            return value;
        };
        let is_same = self
            .declared_of(target)
            .is_some_and(|it| match (it.value(), own.value()) {
                (Some(seen), Some(own)) => seen.is_stored_as(own),
                (seen, own) => seen.is_none() && own.is_none(),
            });
        if is_same {
            return value;
        }
        self.memory.lose_under(&owner_of(place));
        self.memory.fresh()
    }

    /// `memset`, `memcpy` and `memmove` of whole numbers that stand one behind the other; `false` where it is not that.
    pub(super) fn fill_numbers(&mut self, function: &str, place: &Location, args: &[Argument]) -> bool {
        let (Value::Int(bytes), Some((first, number))) = (&args[2].value, self.numbers_from(place)) else {
            return false;
        };
        let unit = number.size();
        if bytes % unit != 0 {
            return false;
        }
        let count = bytes / unit;
        if !(0..=MOST_ELEMENTS).contains(&count) || !self.has_room(&first, count) {
            return false;
        }
        let values: Vec<Value> = match (function, &args[1].value) {
            ("memset", Value::Int(0)) => {
                let zero = self.number_in(Some(number), Value::Int(0));
                (0..count).map(|_| zero.clone()).collect()
            }
            ("memset", Value::Int(byte)) => {
                let whole = u64::from_ne_bytes([byte.to_le_bytes()[0]; 8]).cast_signed();
                let value = number
                    .convert(whole)
                    .map_or_else(|| self.memory.fresh(), Value::Int);
                (0..count).map(|_| value.clone()).collect()
            }
            ("memset", _) => (0..count).map(|_| self.memory.fresh()).collect(),
            (_, source) => {
                let source = self.pointee(source).and_then(|it| self.numbers_from(&it));
                let Some((from, _)) = source.filter(|(_, it)| *it == number) else {
                    return false;
                };
                if !self.has_room(&from, count) {
                    return false;
                }
                (0..count)
                    .map(|index| {
                        let element = self.memory.behind(&from, index);
                        self.load(&element)
                    })
                    .collect()
            }
        };
        for (value, index) in values.into_iter().zip(0..) {
            let element = self.memory.behind(&first, index);
            self.assign(&element, value);
        }
        true
    }

    /// The first of the numbers that stand at a place.
    fn numbers_from(&self, place: &Location) -> Option<(Location, Number)> {
        let mut first = place.clone();
        while self.memory.arrays.contains(&first) {
            if self.memory.is_sequence(&first) {
                return None;
            }
            first = first.step(Step::Element(0));
        }
        let number = self.number_at(&first)?.value()?;
        (number != Number::Bool).then_some((first, number))
    }

    /// Whether so many elements stand in one array from a place on.
    fn has_room(&self, first: &Location, count: i64) -> bool {
        let array = owner_of(first);
        match (first.path.last(), self.memory.lengths.get(&array)) {
            (Some(Step::Element(index)), Some(length)) => index + count <= *length,
            (Some(Step::Element(_)), None) => false,
            _ => count == 1,
        }
    }
}

/// Bytes of what is declared so.
fn size(declared: Declared) -> Option<i64> {
    match declared.value() {
        Some(number) => number.bytes(),
        None => Some(POINTER),
    }
}
