//! Which overload a call means, by the values of its arguments.

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::Type;
use crate::program::{FunctionId, Scope};

impl Machine<'_> {
    /// The overload whose parameters fit the arguments best; the one that was found first where nothing tells.
    pub(super) fn best_overload(&self, function: FunctionId, args: &[Argument]) -> FunctionId {
        let all = self.program.overloads(function, args.len());
        if all.len() < 2 {
            return function;
        }
        let score = |id: &FunctionId| self.fit(*id, args);
        let found = score(&function);
        all.into_iter()
            .map(|id| (score(&id), id))
            .filter(|(score, _)| *score > found)
            .max_by_key(|(score, id)| (*score, std::cmp::Reverse(*id)))
            .map_or(function, |(_, id)| id)
    }

    fn fit(&self, function: FunctionId, args: &[Argument]) -> i32 {
        let definition = self.program.function(function);
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        let parameters = definition.params.iter().zip(args);
        parameters
            .map(|(parameter, argument)| self.fit_of(&parameter.ty, scope, &argument.value))
            .sum()
    }

    /// How well a value fits a type: negative where it cannot be one.
    pub(super) fn fit_of(&self, ty: &Type, scope: Scope<'_>, value: &Value) -> i32 {
        let class = self.program.resolve_class(scope, &ty.name);
        let pointer = ty.pointers > 0;
        match (value, class) {
            (Value::Aggregate(place), Some(class)) if !pointer => match self.memory.classes.get(place) {
                Some(own) if *own == class => 4,
                Some(_) => -4,
                None => 0,
            },
            (Value::Aggregate(place), None) if self.memory.classes.contains_key(place) => {
                if ty.name.last() == "auto" { 0 } else { -2 }
            }
            (Value::Pointer(place), Some(class)) if pointer => match self.memory.classes.get(place) {
                Some(own) if *own == class => 4,
                Some(_) => -4,
                None => 1,
            },
            (Value::Pointer(_), None) => i32::from(pointer),
            (Value::Pointer(_), Some(_)) => -4,
            (Value::Int(0), Some(_)) if pointer => 1,
            (Value::Int(_) | Value::Str(_) | Value::Stream(_) | Value::Event(_), Some(_)) => -4,
            (Value::Unknown(_), Some(_)) if self.is_stream(value) => -4,
            (Value::Unknown(_) | Value::Stream(_), None) if self.is_stream(value) => {
                if ty.name.last().to_lowercase().contains("stream") {
                    3
                } else {
                    -1
                }
            }
            (Value::Event(_), None) => {
                if ty.name.last().to_lowercase().contains("event") {
                    3
                } else {
                    -1
                }
            }
            (Value::Str(_), None) => {
                let text = matches!(ty.name.last(), "char" | "string" | "string_view");
                if text { 3 } else { -1 }
            }
            // A number is no object of a class that was not found.
            (Value::Int(_), None) if !pointer && ty.reference && !holds_numbers(ty.name.last()) => 0,
            (Value::Int(_), None) => i32::from(!pointer) - i32::from(pointer),
            _ => 0,
        }
    }
}

/// Whether a type of this name may be one of numbers or handles.
fn holds_numbers(name: &str) -> bool {
    let parts = [
        "int", "long", "short", "char", "bool", "float", "double", "_t", "auto",
    ];
    name.len() == 1 || parts.iter().any(|it| name.contains(it))
}
