//! Addresses as numbers that are rounded: `(address + by - 1) / by * by`, `address & ~(by - 1)`.
//!
//! Device memory is taken to begin at a multiple of whatever alignment its address is rounded to (CUDA C++ Programming Guide, "Device Memory
//! Accesses": of 256 at least), so that its beginning, rounded up or down, is its beginning. Nothing is said of host memory, nor
//! of other addresses: how many bytes they are behind it is not known where they were counted in elements.

use super::{Memory, Origin, Value};
use crate::facts::ir::BinaryOp;
use crate::trace::{Location, Step};

/// A sum of a number, and of one that nobody knows.
type Sum = (Option<u32>, i64);

impl Memory {
    /// What rounding makes of the beginning of an allocation.
    pub(super) fn rounded(&self, op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
        let (place, by) = match (op, left, right) {
            (BinaryOp::BitAnd, Value::Pointer(place), Value::Int(mask))
            | (BinaryOp::BitAnd, Value::Int(mask), Value::Pointer(place)) => {
                (place, (None, mask.checked_neg()?))
            }
            (BinaryOp::Multiply, Value::Unknown(quotient), by)
            | (BinaryOp::Multiply, by, Value::Unknown(quotient)) => match self.definition(*quotient)? {
                (BinaryOp::Divide, Value::Pointer(place), divisor) if divisor == by => (place, self.sum(by)?),
                _ => return None,
            },
            _ => return None,
        };
        // A number that nobody knows and that an address is rounded to is an alignment.
        let is_alignment = by.0.is_some() || by.1 > 0 && by.1 & (by.1 - 1) == 0;
        let is_device = matches!(self.origin(place.base), Some(Origin::Device | Origin::Pool));
        let behind = self.behind_begin(place)?;
        let is_begin = behind == (None, 0) || behind == (by.0, by.1.checked_sub(1)?);
        (is_alignment && is_device && is_begin).then(|| Value::Pointer(Location::object(place.base)))
    }

    fn sum(&self, value: &Value) -> Option<Sum> {
        match value {
            Value::Int(number) => Some((None, *number)),
            Value::Unknown(id) => {
                let (base, more) = self.linear(*id);
                Some((Some(base), more))
            }
            _ => None,
        }
    }

    /// How far behind the beginning of its allocation a place is.
    fn behind_begin(&self, place: &Location) -> Option<Sum> {
        match place.path.as_slice() {
            [] => Some((None, 0)),
            [Step::Element(offset)] => Some((None, *offset)),
            [Step::At(index)] => self.sum(&Value::Unknown(*index)),
            [Step::At(index), Step::Element(offset)] => {
                let (base, more) = self.sum(&Value::Unknown(*index))?;
                Some((base, more.checked_add(*offset)?))
            }
            _ => None,
        }
    }
}
