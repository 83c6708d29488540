//! Addresses as numbers that are rounded: `(address + by - 1) / by * by`, `address & ~(by - 1)`.
//!
//! Device memory is taken to begin at a multiple of whatever power of two its address is rounded to (CUDA C++ Programming Guide, "Device Memory
//! Accesses": of 256 at least), so that its beginning, rounded up or down, is its beginning. Nothing is said of host memory, nor
//! of other addresses: how many bytes they are behind it is not known where they were counted in elements.

use super::{Memory, Origin, Value};
use crate::facts::ir::BinaryOp;
use crate::trace::{Location, Step};

impl Memory {
    /// What rounding makes of the beginning of an allocation.
    pub(super) fn rounded(&self, op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
        let (place, by) = match (op, left, right) {
            (BinaryOp::BitAnd, Value::Pointer(place), Value::Int(mask))
            | (BinaryOp::BitAnd, Value::Int(mask), Value::Pointer(place)) => (place, mask.checked_neg()?),
            (BinaryOp::Multiply, Value::Unknown(quotient), Value::Int(by))
            | (BinaryOp::Multiply, Value::Int(by), Value::Unknown(quotient)) => {
                match self.definition(*quotient)? {
                    (BinaryOp::Divide, Value::Pointer(place), Value::Int(it)) if it == by => (place, *by),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let is_device = matches!(self.origin(place.base), Some(Origin::Device | Origin::Pool));
        let is_begin = match place.path.as_slice() {
            [] => true,
            [Step::Element(offset)] => *offset == 0 || *offset == by - 1,
            _ => false,
        };
        (by > 0 && by & (by - 1) == 0 && is_device && is_begin)
            .then(|| Value::Pointer(Location::object(place.base)))
    }
}
