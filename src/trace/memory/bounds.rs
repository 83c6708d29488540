//! Numbers nobody knows, of which it is known what they are at least.

use super::{Memory, Value};
use crate::facts::ir::BinaryOp;
use crate::trace::{Base, Location};

impl Memory {
    /// What is not known is no less than this: sums of what is no less than something are not either.
    pub(in crate::trace) fn least_of(&self, unknown: u32) -> Option<i64> {
        if let Some(least) = self.least.get(&unknown) {
            return Some(*least);
        }
        let (base, more) = self.linear(unknown);
        let least = self.least.get(&base).filter(|_| more >= 0)?;
        least.checked_add(more)
    }

    /// A number, or else what it is at least: as much as is known of either.
    pub(in crate::trace) fn known_or_least(&self, value: &Value) -> (Option<i64>, Option<i64>) {
        match value {
            Value::Int(value) => (Some(*value), None),
            Value::Unknown(id) => (None, self.least_of(*id)),
            // What has an address is not null.
            Value::Pointer(to) if !matches!(to.base, Base::Outside(_)) => (None, Some(1)),
            _ => (None, None),
        }
    }

    /// Something that was made: nobody knows what it is, and it is not null.
    pub(in crate::trace) fn fresh_object(&mut self) -> Value {
        let value = self.fresh();
        if let Value::Unknown(id) = value {
            self.least.insert(id, 1);
        }
        value
    }

    /// What is not known at a place is no less than a number.
    pub(in crate::trace) fn set_least(&mut self, place: &Location, least: i64) {
        if let Some(Value::Unknown(id)) = self.cells.get(place) {
            self.least.insert(*id, least);
        }
    }

    /// What a comparison gives when one side is not known, and known to be no less than a number.
    pub(super) fn compared_to_least(&self, op: BinaryOp, left: &Value, right: &Value) -> Option<bool> {
        let (id, number, op) = match (left, right) {
            (Value::Unknown(id), Value::Int(number)) => (id, *number, op),
            (Value::Int(number), Value::Unknown(id)) => (id, *number, mirrored(op)),
            _ => return None,
        };
        let least = self.least_of(*id)?;
        match op {
            BinaryOp::Less | BinaryOp::GreaterEqual if least >= number => Some(op == BinaryOp::GreaterEqual),
            BinaryOp::LessEqual | BinaryOp::Equal if least > number => Some(false),
            BinaryOp::Greater | BinaryOp::NotEqual if least > number => Some(true),
            _ => None,
        }
    }
}

/// The comparison that holds with the sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}
