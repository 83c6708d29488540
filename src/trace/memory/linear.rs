//! Indices nobody knows: what they are a fixed distance from, and which elements they are not, by conditions that held.

use std::collections::BTreeSet;

use super::{Memory, Value};
use crate::facts::ir::{BinaryOp, fold};
use crate::syntax::FastMap;
use crate::trace::shared::Shared;
use crate::trace::{Step, StreamId};

/// Steps of a sum that are followed.
const MOST: usize = 8;

/// Numbers below which a condition rules out each by itself.
const FEW: i64 = 64;

/// What conditions that held on a path say of unknowns.
#[derive(Clone, Debug, Default)]
pub(in crate::trace) struct Seen {
    /// Unknowns, each with a number that it was seen not to be.
    unequal: Shared<BTreeSet<(u32, i64)>>,
    /// Unknowns, each with the number that it was seen to be.
    equal: Shared<FastMap<u32, i64>>,
    /// Unknowns, each with the stream whose handle it was seen to be.
    streams: Shared<FastMap<u32, StreamId>>,
}

impl Memory {
    /// The unknown that another one is a known number more than, and that number.
    pub(super) fn linear(&self, unknown: u32) -> (u32, i64) {
        let (mut base, mut more) = (unknown, 0_i64);
        for _ in 0..MOST {
            let (next, by) = match self.definitions.get(&base) {
                Some((BinaryOp::Add, Value::Unknown(next), Value::Int(by))) => (*next, *by),
                Some((BinaryOp::Subtract, Value::Unknown(next), Value::Int(by))) => {
                    (*next, by.wrapping_neg())
                }
                _ => break,
            };
            (base, more) = (next, more.wrapping_add(by));
        }
        (base, more)
    }

    /// The element at an index nobody knows: indices that are the same sum are one.
    pub(in crate::trace) fn at_unknown(&mut self, index: u32) -> Step {
        let (base, more) = self.linear(index);
        let same = match more {
            0 => Value::Unknown(base),
            _ => self.symbol(BinaryOp::Add, Value::Unknown(base), Value::Int(more)),
        };
        match same {
            Value::Unknown(id) => Step::At(id),
            _ => Step::At(index),
        }
    }

    /// What was seen so far, for a side of a branch that is only looked at.
    pub(in crate::trace) fn seen(&self) -> Seen {
        self.seen.clone()
    }

    /// Nothing more than that was seen.
    pub(in crate::trace) fn see_again(&mut self, seen: &Seen) {
        self.seen.clone_from(seen);
    }

    /// No further unknowns were seen to be numbers.
    pub(in crate::trace) fn see_equal_again(&mut self, seen: &Seen) {
        self.seen.equal.clone_from(&seen.equal);
    }

    /// What a condition being true, or not, says of the unknowns it is made of.
    pub(in crate::trace) fn implied(&self, condition: u32, holds: bool, found: &mut Vec<(u32, bool)>) {
        found.push((condition, holds));
        match self.definitions.get(&condition) {
            Some((BinaryOp::BitXor, Value::Unknown(inner), Value::Int(-1))) => {
                self.implied(*inner, !holds, found)
            }
            Some((BinaryOp::Equal, Value::Unknown(inner), Value::Int(0))) => {
                self.implied(*inner, !holds, found)
            }
            Some((BinaryOp::Or, left, right)) if !holds => self.both_imply(left, right, holds, found),
            Some((BinaryOp::And, left, right)) if holds => self.both_imply(left, right, holds, found),
            _ => {}
        }
    }

    fn both_imply(&self, left: &Value, right: &Value, holds: bool, found: &mut Vec<(u32, bool)>) {
        for part in [left, right] {
            if let Value::Unknown(id) = part {
                self.implied(*id, holds, found);
            }
        }
    }

    /// A condition is seen to hold on this path, or not to.
    pub(in crate::trace) fn note_seen(&mut self, condition: u32, holds: bool) {
        if let Some(inner) = self.negated(condition) {
            self.note_seen(inner, !holds);
            return;
        }
        let Some((op, left, right)) = self.definitions.get(&condition).cloned() else {
            return;
        };
        match (op, left, right, holds) {
            (BinaryOp::And, left, right, true) => {
                for it in [left, right] {
                    if let Value::Unknown(id) = it {
                        self.note_seen(id, true);
                    }
                }
            }
            // It is more than the number.
            (BinaryOp::Less, Value::Int(number), Value::Unknown(id), true) => self.rule_out(id, 0, number),
            // It is no less than the number.
            (BinaryOp::Less, Value::Unknown(id), Value::Int(number), false) => {
                self.rule_out(id, 0, number.saturating_sub(1))
            }
            (BinaryOp::Equal, Value::Unknown(id), Value::Int(number), false)
            | (BinaryOp::Equal, Value::Int(number), Value::Unknown(id), false) => {
                self.rule_out(id, number, number);
            }
            (BinaryOp::Equal, Value::Unknown(id), Value::Int(number), true)
            | (BinaryOp::Equal, Value::Int(number), Value::Unknown(id), true) => self.see_equal(id, number),
            _ => {}
        }
    }

    /// Whether an equality that is not known cannot hold on this path: something decided earlier would not.
    pub(in crate::trace) fn is_refuted(&mut self, condition: u32, truths: &FastMap<u32, bool>) -> bool {
        let (unknown, number) = match self.definitions.get(&condition) {
            Some((BinaryOp::Equal, Value::Unknown(id), Value::Int(number)))
            | Some((BinaryOp::Equal, Value::Int(number), Value::Unknown(id))) => (*id, *number),
            _ => return false,
        };
        let Some((base, number)) = self.equality(unknown, number) else {
            return false;
        };
        if self.seen.equal.contains_key(&base) {
            return false;
        }
        self.seen.equal.insert(base, number);
        let refuted = self.is_contradicted(truths);
        self.seen.equal.remove(&base);
        refuted
    }

    /// A loop is left after so many passes: its condition, which held before, does not hold any more, so that what it counts up
    /// to is known. `false`, and nothing is seen, where something decided earlier says that it went on.
    pub(in crate::trace) fn see_end(&mut self, condition: u32, truths: &FastMap<u32, bool>) -> bool {
        let (root, inverted) = match self.negated(condition) {
            Some(inner) => (inner, true),
            None => (condition, false),
        };
        let end = match (self.definitions.get(&root), inverted) {
            // It is no more than the number, and more than the one before.
            (Some((BinaryOp::Less, Value::Int(number), Value::Unknown(id))), false) => Some((*id, *number)),
            (Some((BinaryOp::Less, Value::Unknown(id), Value::Int(number))), true) => {
                number.checked_sub(1).map(|it| (*id, it))
            }
            (Some((BinaryOp::Equal, Value::Unknown(id), Value::Int(number))), true)
            | (Some((BinaryOp::Equal, Value::Int(number), Value::Unknown(id))), true) => Some((*id, *number)),
            _ => None,
        };
        if let Some((unknown, number)) = end
            && let Some((base, number)) = self.equality(unknown, number)
        {
            let known = self.seen.equal.insert(base, number);
            if known.is_some_and(|it| it != number) || self.is_contradicted(truths) {
                match known {
                    Some(known) => self.seen.equal.insert(base, known),
                    None => self.seen.equal.remove(&base),
                };
                return false;
            }
        }
        self.note_seen(condition, false);
        true
    }

    /// Whether what was seen says something else of an unknown than what was decided.
    fn is_contradicted(&self, truths: &FastMap<u32, bool>) -> bool {
        // The numbers that one unknown is not stand side by side.
        let mut last = None;
        let mut number_of = |id: u32| match last {
            Some((known, number)) if known == id => number,
            _ => {
                let number = self.number_of(id, 0);
                last = Some((id, number));
                number
            }
        };
        let mut unequal = self.seen.unequal.iter();
        let mut truths = truths.iter();
        unequal.any(|(id, number)| number_of(*id) == Some(*number))
            || truths.any(|(id, holds)| self.number_of(*id, 0).is_some_and(|it| (it != 0) != *holds))
    }

    /// The number that an unknown is by what was seen of those it is made of.
    fn number_of(&self, unknown: u32, depth: usize) -> Option<i64> {
        if let Some(number) = self.seen_equal(unknown) {
            return Some(number);
        }
        let (op, left, right) = self.definitions.get(&unknown).filter(|_| depth < MOST)?;
        let number = |value: &Value| match value {
            Value::Int(number) => plain(*number),
            Value::Unknown(id) => self.number_of(*id, depth + 1),
            _ => None,
        };
        plain(fold(*op, number(left)?, number(right)?)?)
    }

    /// An unknown is seen to be a number. Of what may be the other number of the same bits nothing is said.
    fn see_equal(&mut self, unknown: u32, number: i64) {
        if let Some((base, number)) = self.equality(unknown, number) {
            self.seen.equal.insert(base, number);
        }
    }

    /// What an unknown being a number says of the one it is a known number more than.
    fn equality(&self, unknown: u32, number: i64) -> Option<(u32, i64)> {
        let (base, more) = self.linear(unknown);
        let number = plain(number).and_then(|it| plain(it.checked_sub(more)?))?;
        Some((base, number))
    }

    /// An unknown is seen to be the handle of a stream.
    pub(in crate::trace) fn see_stream(&mut self, unknown: u32, stream: StreamId) {
        self.seen.streams.insert(unknown, stream);
    }

    /// The handle an unknown was seen to be.
    pub(in crate::trace) fn seen_stream(&self, unknown: u32) -> Option<StreamId> {
        self.seen.streams.get(&unknown).copied()
    }

    /// What an unknown was seen to be: a number, or a handle.
    pub(super) fn seen_to_be(&self, unknown: u32) -> Option<Value> {
        let number = self.seen_equal(unknown).map(Value::Int);
        number.or_else(|| self.seen_stream(unknown).map(Value::Stream))
    }

    /// The number an unknown was seen to be.
    pub(super) fn seen_equal(&self, unknown: u32) -> Option<i64> {
        if self.seen.equal.is_empty() {
            return None;
        }
        let (base, more) = self.linear(unknown);
        plain(self.seen.equal.get(&base)?.checked_add(more)?)
    }

    /// An unknown is none of the numbers from one to another.
    fn rule_out(&mut self, unknown: u32, first: i64, last: i64) {
        let (base, more) = self.linear(unknown);
        let numbers = first..=last.min(first.saturating_add(FEW));
        let ruled_out = numbers.filter_map(|it| Some((base, it.checked_sub(more)?)));
        self.seen.unequal.extend(ruled_out);
    }

    /// Whether two steps into one container lead to two elements.
    pub(in crate::trace) fn are_two_elements(&self, one: &Step, other: &Step) -> bool {
        match (one, other) {
            (Step::Element(one), Step::Element(other)) => one != other,
            (Step::Element(number), Step::At(id)) | (Step::At(id), Step::Element(number)) => {
                let (base, more) = self.linear(*id);
                let ruled_out = number.checked_sub(more).map(|it| (base, it));
                ruled_out.is_some_and(|it| self.seen.unequal.contains(&it))
            }
            (Step::At(one), Step::At(other)) => {
                let ((one, more), (other, less)) = (self.linear(*one), self.linear(*other));
                one == other && more != less
            }
            _ => false,
        }
    }
}

/// A number that is the same in every type that is as wide as `int`.
fn plain(number: i64) -> Option<i64> {
    (0..=i64::from(i32::MAX)).contains(&number).then_some(number)
}
