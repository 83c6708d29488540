//! Unknowns that stand for floating numbers that are known.

use super::{Memory, Value};

impl Memory {
    /// A floating number: the same identity for the same number.
    pub(in crate::trace) fn real(&mut self, value: f64) -> Value {
        if !value.is_finite() {
            return self.fresh();
        }
        if let Some(id) = self.reals.get(&value.to_bits()) {
            return Value::Unknown(*id);
        }
        self.next_unknown += 1;
        self.reals.insert(value.to_bits(), self.next_unknown);
        self.real_values.insert(self.next_unknown, value);
        Value::Unknown(self.next_unknown)
    }

    /// The floating number that a value is, where it is known.
    pub(in crate::trace) fn real_of(&self, value: &Value) -> Option<f64> {
        match value {
            Value::Unknown(id) => self.real_values.get(id).copied(),
            _ => None,
        }
    }
}
