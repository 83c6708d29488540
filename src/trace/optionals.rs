//! `std::optional`: the value stands at the place of the optional, if there is one.

use super::Location;
use super::calls::Argument;
use super::kernels::is_builtin_type;
use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Name, Type, fold};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// An optional is declared.
    pub(super) fn initialise_optional(
        &mut self,
        place: &Location,
        kind: &str,
        init: &[&'p Expr],
        span: Span,
    ) {
        self.memory.optionals.insert(place.clone(), kind.to_owned());
        match init {
            [] => {}
            [tag, args @ ..] if is_named(tag, "in_place") => {
                let args = args.iter().map(|it| self.argument(it)).collect();
                self.emplace(place, kind, args, span);
            }
            [value, ..] => {
                self.fill_optional(place, value, span);
            }
        }
    }

    /// What stands right of `=` becomes what an optional holds.
    pub(super) fn fill_optional(&mut self, place: &Location, value: &'p Expr, span: Span) -> Value {
        let is_empty = match &value.kind {
            ExprKind::InitList(items) => items.is_empty(),
            _ => is_named(value, "nullopt"),
        };
        let presence = match is_empty {
            true => None,
            false => self.presence(value),
        };
        if presence == Some(Value::Int(0)) {
            self.empty_optional(place, span);
            return Value::Int(0);
        }
        let written = value;
        let value = match is_empty {
            true => Value::Int(0),
            false => self.evaluate_copy(value),
        };
        if self.presence_of(&value) == Some(Value::Int(0)) {
            self.empty_optional(place, span);
            return Value::Int(0);
        }
        let kind = self.memory.optionals.get(place);
        // An empty one that a function returned is zero as well.
        let is_number = kind.is_some_and(|it| it.split_whitespace().all(is_builtin_type))
            || self.number_of(written).is_some();
        self.empty_optional(place, span);
        if !is_empty && (value != Value::Int(0) || is_number) {
            self.assign(place, value.clone());
        }
        if let Some(open @ Value::Unknown(_)) = presence {
            self.memory.presences.insert(place.clone(), open);
        }
        value
    }

    /// Whether the optional an expression names holds something, where it names one.
    pub(super) fn presence(&mut self, expression: &'p Expr) -> Option<Value> {
        if self.memory.optionals.is_empty() || !is_path(expression) {
            return None;
        }
        let place = self.place(expression)?;
        let is_optional = self.memory.optionals.contains_key(&place);
        is_optional.then(|| self.presence_at(&place))
    }

    /// How optionals compare, with each other or with a value, where not both hold something: an empty one is less.
    pub(super) fn compared_optionals(
        &mut self,
        op: BinaryOp,
        left: &'p Expr,
        right: &'p Expr,
    ) -> Option<Value> {
        let sides = [self.presence(left), self.presence(right)];
        if sides == [None, None] {
            return None;
        }
        let mut held = Vec::new();
        for (side, written) in sides.into_iter().zip([left, right]) {
            let is_empty = is_named(written, "nullopt");
            held.push(side.unwrap_or(Value::Int(i64::from(!is_empty))));
        }
        match held.as_slice() {
            [Value::Int(1), Value::Int(1)] => None,
            [Value::Int(left), Value::Int(right)] => fold(op, *left, *right).map(Value::Int),
            [open @ Value::Unknown(_), Value::Int(0)] | [Value::Int(0), open @ Value::Unknown(_)]
                if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) =>
            {
                let (open, empty) = (open.clone(), op == BinaryOp::Equal);
                Some(if empty { self.memory.negate(open) } else { open })
            }
            _ => Some(self.memory.fresh()),
        }
    }

    fn presence_at(&self, place: &Location) -> Value {
        let open = self.memory.presences.get(place).cloned();
        open.unwrap_or_else(|| Value::Int(i64::from(self.is_filled(place))))
    }

    /// What an optional holds that a function gives back: a number made of an expression, or nothing.
    pub(super) fn optional_number(&mut self, result: &Type, value: &'p Expr) -> Option<String> {
        if result.pointers > 0 || result.reference || result.name.last() != "optional" {
            return None;
        }
        let kind = result.name.template_args.first()?;
        let is_number = kind.split_whitespace().all(is_builtin_type);
        let is_one = is_number
            && self.presence(value).is_none()
            && self
                .type_of(value)
                .is_some_and(|it| it.pointers == 0 && matches!(it.core, super::types::Core::Number(_)));
        (is_one || is_named(value, "nullopt")).then(|| kind.clone())
    }

    /// Whether the optional a value is holds something.
    pub(super) fn presence_of(&self, value: &Value) -> Option<Value> {
        let Value::Aggregate(place) = value else {
            return None;
        };
        let is_optional = !self.memory.optionals.is_empty() && self.memory.optionals.contains_key(place);
        is_optional.then(|| Value::Int(i64::from(self.is_filled(place))))
    }

    /// Whether a place is an optional that holds nothing.
    pub(super) fn is_empty_optional(&self, place: &Location) -> bool {
        !self.memory.optionals.is_empty()
            && self.memory.optionals.contains_key(place)
            && !self.is_filled(place)
    }

    fn is_filled(&self, place: &Location) -> bool {
        self.memory.stands_at(place)
    }

    /// A method of an optional; one that a function returned is known by what it holds.
    pub(super) fn optional_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let Some(kind) = self.memory.optionals.get(place).cloned() else {
            let held = self.memory.get(place).cloned();
            let held = held.filter(|it| matches!(it, Value::Stream(_) | Value::Event(_) | Value::Graph(_)));
            return match method {
                "value" | "value_or" => held,
                "has_value" => held.map(|_| Value::Int(1)),
                _ => None,
            };
        };
        match method {
            "emplace" => {
                let args = self.arguments_handed_on(args);
                self.empty_optional(place, span);
                self.emplace(place, &kind, args, span);
                Some(Value::Aggregate(place.clone()))
            }
            "reset" => {
                self.empty_optional(place, span);
                Some(Value::Int(0))
            }
            "swap" => {
                let args = self.arguments(args);
                self.swap_objects(Some(place), args.first().and_then(|it| it.place.as_ref()));
                Some(Value::Int(0))
            }
            "value_or" if self.memory.presences.contains_key(place) => {
                self.arguments(args);
                Some(self.memory.fresh())
            }
            "value_or" if !self.is_filled(place) => args.first().map(|it| self.evaluate(it)),
            "value" | "value_or" => Some(self.load(place)),
            "has_value" => Some(self.presence_at(place)),
            _ => None,
        }
    }

    pub(super) fn emplace(&mut self, place: &Location, kind: &str, args: Vec<Argument>, span: Span) {
        if let Err(args) = self.make(place, kind, args, span) {
            let value = args.into_iter().next().map_or(Value::Int(0), |it| it.value);
            self.assign(place, value);
        }
    }

    /// Destroys what an optional holds, if it holds anything.
    pub(super) fn empty_optional(&mut self, place: &Location, span: Span) {
        self.memory.presences.remove(place);
        if let Some(class) = self.memory.classes.get(place).copied() {
            self.destroy(place, class, span);
            self.memory.classes.remove(place);
        } else if self.memory.arrays.contains(place) || self.memory.maps.contains(place) {
            self.destroy_elements(place, span);
            self.memory.clear_object(place);
            self.memory.arrays.remove(place);
            self.memory.maps.remove(place);
        }
        self.memory.forget(place);
    }

    /// `std::make_optional<T>(…)`, and `std::make_optional(value)`.
    pub(super) fn make_optional(&mut self, name: &'p Name, args: &'p [Expr], span: Span) -> Value {
        let args = self.arguments(args);
        let Some(kind) = name.template_args.first() else {
            return args.into_iter().next().map_or(Value::Int(0), |it| it.value);
        };
        let place = self.memory.local();
        let kind = self.template_argument(kind);
        self.emplace(&place, &kind, args, span);
        self.load(&place)
    }
}

fn is_named(expression: &Expr, wanted: &str) -> bool {
    matches!(&expression.kind, ExprKind::Name(name) if name.last() == wanted)
}

/// A variable or a member of one: looking twice changes nothing.
pub(super) fn is_path(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) | ExprKind::This => true,
        ExprKind::Member { object, .. } => is_path(object),
        _ => false,
    }
}
