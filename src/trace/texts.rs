//! Texts: characters stored one by one, and what is put into a stream.

use super::machine::Machine;
use super::memory::Value;
use super::{Location, Step};
use crate::facts::ir::{BinaryOp, Expr, ExprKind};

impl Machine<'_> {
    /// A text whose characters are stored to one by one is another one then; returns what is to be stored.
    pub(super) fn lose_text(&mut self, place: &Location, value: Value) -> Value {
        let is_text = |it: Option<&Value>| matches!(it, Some(Value::Str(_)));
        if matches!(value, Value::Int(_))
            && is_text(self.memory.get(place))
            && self.memory.number_of_place(place).is_none()
        {
            return self.memory.fresh_lost();
        }
        value
    }

    /// A character of a text is stored to.
    pub(super) fn lose_text_around(&mut self, place: &Location, value: &Value) {
        if matches!(
            place.path.last(),
            Some(Step::Element(_) | Step::At(_) | Step::Any)
        ) && !matches!(value, Value::Str(_))
        {
            let whole = super::models::owner_of(place);
            if matches!(self.memory.get(&whole), Some(Value::Str(_))) {
                let lost = self.memory.fresh_lost();
                self.memory.set(whole, lost);
            }
        }
    }
}

/// How long a text is, in bytes; no escape sequence of the source may stand in it.
pub(super) fn length_of(text: &str) -> Option<usize> {
    (!text.contains('\\')).then_some(text.len())
}

/// What a text that is known says of itself.
pub(super) fn asked_of_text(text: &str, method: &str) -> Option<Value> {
    match method {
        "size" | "length" => length_of(text).map(|it| Value::Int(it as _)),
        "empty" => Some(Value::Int(text.is_empty().into())),
        _ => None,
    }
}

/// What a comparison of the C library looks at of a text; nothing where nobody knows how far it looks.
pub(super) fn compared(text: &str, limit: Option<&Value>, folds_case: bool) -> Option<Value> {
    let seen = match limit {
        None => text,
        Some(Value::Int(limit)) => {
            let length = length_of(text)?;
            text.get(..length.min(usize::try_from(*limit).ok()?))?
        }
        Some(_) => return None,
    };
    Some(Value::Str(match folds_case {
        true => seen.to_ascii_lowercase().into(),
        false => seen.into(),
    }))
}

/// The text that is put into a stream before what comes next: `out << "a" << 1 << "b"`.
pub(super) fn streamed_text(chain: &Expr) -> String {
    let mut texts = Vec::new();
    let mut rest = chain;
    while let ExprKind::Binary {
        op: BinaryOp::ShiftLeft,
        left,
        right,
    } = &rest.kind
    {
        if let ExprKind::Str(text) = &right.kind {
            texts.push(text.as_str());
        }
        rest = left;
    }
    texts.reverse();
    texts.join(" ")
}
