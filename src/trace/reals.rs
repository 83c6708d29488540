//! Floating numbers: known ones are unknowns with a number, so that whoever does not ask for it takes them for any value.
//!
//! They are computed as their type does; without a type only what `float` and `double` agree on.

use super::machine::Machine;
use super::memory::Value;
use super::numbers::{Number, is_small};
use super::types::Builtin;
use crate::facts::ir::{BinaryOp, Expr};

impl<'p> Machine<'p> {
    /// A literal.
    pub(super) fn real_literal(&mut self, expression: &'p Expr, value: f64) -> Value {
        // Elsewhere its suffix is not seen.
        let words = self.words(expression.span);
        let digits = words.trim_start_matches(['-', ' ']);
        let is_literal = digits.starts_with(|it: char| it.is_ascii_digit() || it == '.');
        let ty = self.type_of(expression).and_then(|it| it.builtin());
        match ty.filter(|_| is_literal).map(Builtin::number) {
            Some(Number::Float { bits }) => self.real_with(bits, value),
            _ => self.memory.fresh(),
        }
    }

    /// A binary operator over two numbers one of which is floating; `None` where one is not known, or not how they are computed.
    pub(super) fn real_arithmetic(
        &mut self,
        op: BinaryOp,
        (left, a): (&'p Expr, &Value),
        (right, b): (&'p Expr, &Value),
    ) -> Option<Value> {
        if self.memory.real_of(a).is_none() && self.memory.real_of(b).is_none() {
            return None;
        }
        let (first, second) = (self.number_of(left), self.number_of(right));
        let (x, y) = (self.as_real(a, first)?, self.as_real(b, second)?);
        let bits = match (first?, second?) {
            (Number::Float { bits: a }, Number::Float { bits: b }) => a.max(b),
            (Number::Float { bits }, _) | (_, Number::Float { bits }) => bits,
            _ => return None,
        };
        let (x, y) = (rounded(bits, x)?, rounded(bits, y)?);
        let truth = |it: bool| Some(Value::Int(i64::from(it)));
        let result = match op {
            BinaryOp::Add => x + y,
            BinaryOp::Subtract => x - y,
            BinaryOp::Multiply => x * y,
            BinaryOp::Divide => x / y,
            BinaryOp::Less => return truth(x < y),
            BinaryOp::LessEqual => return truth(x <= y),
            BinaryOp::Greater => return truth(x > y),
            BinaryOp::GreaterEqual => return truth(x >= y),
            BinaryOp::Equal => return truth(x == y),
            BinaryOp::NotEqual => return truth(x != y),
            _ => return None,
        };
        // Of two numbers of 32 bits, 64 bits hold a sum or product so well that rounding it again is rounding it once.
        Some(self.real_with(bits, result))
    }

    /// `-x`.
    pub(super) fn negated_real(&mut self, value: &Value) -> Option<Value> {
        let value = -self.memory.real_of(value)?;
        Some(self.memory.real(value))
    }

    /// A known number as a type holds it: of no type an integer stays what it is.
    pub(super) fn number_in(&mut self, ty: Option<Number>, value: Value) -> Value {
        let real = self.memory.real_of(&value);
        match (ty, &value, real) {
            (Some(Number::Float { bits }), Value::Int(_), _) => match self.as_real(&value, None) {
                Some(real) => self.real_with(bits, real),
                None => self.memory.fresh(),
            },
            (Some(ty), Value::Int(number), _) => ty
                .convert(*number)
                .map_or_else(|| self.memory.fresh(), Value::Int),
            (Some(Number::Float { bits }), _, Some(real)) => self.real_with(bits, real),
            (Some(Number::Bool), _, Some(real)) => Value::Int(i64::from(real != 0.0)),
            (Some(ty), _, Some(real)) => truncated(real)
                .and_then(|it| ty.stored(it).filter(|stored| ty.mathematical(*stored) == it))
                .map_or_else(|| self.memory.fresh(), Value::Int),
            (None, _, Some(_)) => self.memory.fresh(),
            _ => value,
        }
    }

    fn real_with(&mut self, bits: u32, value: f64) -> Value {
        match rounded(bits, value) {
            Some(value) => self.memory.real(value),
            None => self.memory.fresh(),
        }
    }

    /// A number as a floating one; an integer of no known type only where all types agree on it.
    fn as_real(&self, value: &Value, ty: Option<Number>) -> Option<f64> {
        match (value, ty) {
            (Value::Int(number), Some(ty @ (Number::Bool | Number::Integer { .. }))) => {
                let exact = |it: &i128| it.unsigned_abs() < 1 << f64::MANTISSA_DIGITS;
                Some(ty.mathematical(*number)).filter(exact).map(|it| it as f64)
            }
            // What zero bytes are.
            (Value::Int(0), Some(Number::Float { .. })) => Some(0.0),
            (Value::Int(number), None) if is_small(*number) => Some(*number as f64),
            _ => self.memory.real_of(value),
        }
    }
}

/// A number in a floating type: `None` for those whose arithmetic is not that of the machine this runs on.
fn rounded(bits: u32, value: f64) -> Option<f64> {
    match bits {
        64 => Some(value),
        32 => Some(f64::from(value as f32)),
        _ => None,
    }
}

/// The integer part, where any integer type holds it.
fn truncated(value: f64) -> Option<i128> {
    (value.abs() < 1.8e19).then_some(value.trunc() as i128)
}
