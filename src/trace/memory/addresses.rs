//! Addresses as numbers that are rounded: `(address + by - 1) / by * by`, `address & ~(by - 1)`.
//!
//! Allocations are taken to begin at a multiple of whatever an address in them is rounded to: what comes out stays in its memory.

use super::{Memory, Value};
use crate::facts::ir::BinaryOp;
use crate::trace::{Base, Location, Step};

impl Memory {
    /// What rounding makes of an address in an allocation.
    pub(super) fn rounded(&self, op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
        match (op, left, right) {
            (BinaryOp::BitAnd, Value::Pointer(place), Value::Int(mask))
            | (BinaryOp::BitAnd, Value::Int(mask), Value::Pointer(place))
                if *mask < 0 =>
            {
                let offset = offset(place)? & mask;
                Some(Value::Pointer(self.behind(&Location::object(place.base), offset)))
            }
            (BinaryOp::Multiply, Value::Unknown(quotient), by)
            | (BinaryOp::Multiply, by, Value::Unknown(quotient)) => {
                let (BinaryOp::Divide, Value::Pointer(place), divisor) = self.definition(*quotient)? else {
                    return None;
                };
                let begin = Location::object(place.base);
                let is_allocated = matches!(place.base, Base::Allocation(_));
                match (divisor == by && is_allocated).then_some(by)? {
                    Value::Int(by) if *by > 0 => {
                        let offset = offset(place)?;
                        Some(Value::Pointer(
                            self.behind(&begin, offset - offset.rem_euclid(*by)),
                        ))
                    }
                    // It is moved on by less than that.
                    _ => Some(Value::Pointer(begin)),
                }
            }
            _ => None,
        }
    }
}

/// How far behind the beginning of an allocation a place is.
fn offset(place: &Location) -> Option<i64> {
    let is_allocated = matches!(place.base, Base::Allocation(_));
    match place.path.as_slice() {
        [] if is_allocated => Some(0),
        [Step::Element(offset)] if is_allocated => Some(*offset),
        _ => None,
    }
}
