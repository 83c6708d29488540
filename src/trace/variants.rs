//! `std::variant`: what it holds stands at its place.

use super::Location;
use super::kernels::is_builtin_type;
use super::machine::Machine;
use super::making::{Made, standard};
use super::memory::Value;
use super::optionals::is_path;
use super::receivers::MOST_CHOICES;
use crate::facts::ir::{Expr, Name};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// What a variant can hold, as written, where an expression is one.
    pub(super) fn alternatives(&mut self, variant: &'p Expr) -> Option<Vec<String>> {
        match standard(&self.type_of(variant)?.template()?) {
            Made::Variant(name) => Some(name.template_args.iter().map(|it| it.trim().to_owned()).collect()),
            _ => None,
        }
    }

    /// Where a variant stands that is a variable or a member of one.
    fn place_of_variant(&mut self, variant: &'p Expr) -> Option<Location> {
        is_path(variant).then(|| self.place(variant)).flatten()
    }

    /// A variant that is given nothing holds the first thing that it can hold.
    pub(super) fn make_first_alternative(&mut self, place: &Location, variant: &Name, span: Span) {
        if let Some(first) = variant.template_args.first() {
            self.emplace(place, first, Vec::new(), span);
        }
    }

    /// `variant.emplace<T>(…)`; `None` where the object is no variant.
    pub(super) fn emplace_alternative(
        &mut self,
        variant: &'p Expr,
        place: &Location,
        wanted: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let alternatives = self.alternatives(variant)?;
        let wanted = self.template_argument(wanted);
        let meant = alternative(&alternatives, &wanted)?;
        let args = self.arguments_handed_on(args);
        self.empty_optional(place, span);
        self.emplace(place, &meant, args, span);
        Some(Value::Aggregate(place.clone()))
    }

    /// A variant that holds an object is assigned: that ends, and it holds a copy of the other; `None` where the target is none.
    pub(super) fn assign_alternative(
        &mut self,
        variant: &'p Expr,
        value: &'p Expr,
        span: Span,
    ) -> Option<Value> {
        let place = self.place_of_variant(variant)?;
        if !self.memory.classes.contains_key(&place) || self.alternatives(variant).is_none() {
            return None;
        }
        let value = self.evaluate_copy(value);
        if !matches!(&value, Value::Aggregate(from) if *from == place) {
            self.empty_optional(&place, span);
            self.assign(&place, value.clone());
        }
        Some(value)
    }

    /// A variant that nobody saw being filled holds one of the things it can hold, each on paths of its own.
    pub(super) fn settle_variant(&mut self, variant: &'p Expr) {
        let place = self.place_of_variant(variant);
        let Some(place) = place.filter(|it| !self.memory.stands_at(it)) else {
            return;
        };
        let alternatives = self.alternatives(variant).unwrap_or_default();
        if (1..=MOST_CHOICES).contains(&alternatives.len()) {
            let chosen = self.one_of(&alternatives).clone();
            self.see_object(&place, &chosen);
        }
    }

    /// A variant is asked for what it holds: it is that.
    pub(super) fn see_alternative(&mut self, place: &Location, alternatives: &[String], wanted: &str) {
        if !self.memory.stands_at(place)
            && let Some(meant) = alternative(alternatives, wanted)
        {
            self.see_object(place, &meant);
        }
    }

    fn see_object(&mut self, place: &Location, written: &str) {
        match self.class_of_type(&Name::of_type(written)) {
            Some(class) if !written.ends_with('*') => {
                self.memory.classes.insert(place.clone(), class);
            }
            _ => self.see_as(place, written),
        }
    }

    /// `std::holds_alternative<T>(variant)`, where what it holds is known.
    pub(super) fn holds_alternative(&mut self, wanted: &str, value: &Value) -> Option<Value> {
        let wanted = self.template_argument(wanted);
        let name = Name::of_type(&wanted);
        let is_one = |names: &[&str]| names.contains(&name.last());
        let same = match value {
            Value::Stream(_) => is_one(&["cudaStream_t", "CUstream"]),
            Value::Event(_) => is_one(&["cudaEvent_t", "CUevent"]),
            Value::Int(_) => wanted.split_whitespace().all(is_builtin_type),
            Value::Aggregate(place) => {
                let class = self.memory.classes.get(place).copied()?;
                self.class_of_type(&name) == Some(class)
            }
            _ => return None,
        };
        Some(Value::Int(i64::from(same)))
    }
}

/// The one of several types that is asked for by its number or by itself.
fn alternative(alternatives: &[String], wanted: &str) -> Option<String> {
    let by_number = || alternatives.get(wanted.parse::<usize>().ok()?);
    let by_type = || alternatives.iter().find(|it| *it == wanted);
    let by_name = || {
        let name = Name::of_type(wanted);
        let mut named = alternatives
            .iter()
            .filter(|it| Name::of_type(it).last() == name.last());
        let only = named.next();
        only.filter(|_| named.next().is_none())
    };
    by_number().or_else(by_type).or_else(by_name).cloned()
}
