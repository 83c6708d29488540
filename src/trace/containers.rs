//! Containers of the standard library: elements, maps, optionals.

use super::Location;
use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::{Expr, Name};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    pub(super) fn container_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        if !self.memory.arrays.contains(place) {
            return None;
        }
        let length = self.memory.lengths.get(place).copied();
        match method {
            "push_back" | "emplace_back" => {
                let index = length.unwrap_or(0);
                let element = self.memory.element(place, index);
                let args = self.arguments(args);
                self.memory.lengths.insert(place.clone(), index + 1);
                self.fill_element(place, &element, args, span);
                Some(Value::Aggregate(element))
            }
            "resize" | "reserve" | "assign" => {
                let count = args.first().map(|it| self.evaluate(it));
                if let (Some(Value::Int(count)), true) = (count, method != "reserve") {
                    self.memory.lengths.insert(place.clone(), count);
                }
                Some(Value::Int(0))
            }
            "size" | "length" => {
                Some(length.map_or_else(|| self.memory.named(&format!("size {place:?}")), Value::Int))
            }
            "empty" => length.map(|it| Value::Int(i64::from(it == 0))),
            "data" | "begin" | "cbegin" => Some(Value::Pointer(self.memory.element(place, 0))),
            "front" => Some(self.element_value(place, 0)),
            "back" => Some(self.element_value(place, length.unwrap_or(1) - 1)),
            "at" => {
                let index = args.first().map(|it| self.evaluate(it));
                match index {
                    Some(Value::Int(index)) => Some(self.element_value(place, index)),
                    _ => None,
                }
            }
            "clear" => {
                self.memory.lengths.insert(place.clone(), 0);
                Some(Value::Int(0))
            }
            _ => None,
        }
    }

    fn element_value(&mut self, place: &Location, index: i64) -> Value {
        let element = self.memory.element(place, index);
        self.load(&element)
    }

    pub(super) fn fill_element(
        &mut self,
        container: &Location,
        element: &Location,
        args: Vec<Argument>,
        span: Span,
    ) {
        let kind = self
            .memory
            .element_types
            .get(container)
            .cloned()
            .unwrap_or_default();
        if matches!(
            kind.as_str(),
            "std::thread" | "thread" | "std::jthread" | "jthread"
        ) {
            if let [
                Argument {
                    value: Value::Thread(thread),
                    ..
                },
            ] = args.as_slice()
            {
                self.memory.set(element.clone(), Value::Thread(*thread));
            } else {
                let thread = self.spawn(args, span);
                self.memory.set(element.clone(), thread);
            }
            return;
        }
        let class = self.program.resolve_class(
            self.scope(),
            &Name {
                path: type_path(&kind),
                template_args: Vec::new(),
            },
        );
        match class {
            Some(class) if !kind.is_empty() => self.construct(element, class, args, span),
            _ if args.len() == 2 => {
                for (argument, field) in args.into_iter().zip(["first", "second"]) {
                    self.assign(&element.field(field), argument.value);
                }
            }
            _ => {
                if let Some(first) = args.into_iter().next() {
                    self.assign(element, first.value);
                }
            }
        }
    }

    /// `std::map` and its like: an entry stands at a place named after its key.
    pub(super) fn map_method(&mut self, place: &Location, method: &str, args: &'p [Expr]) -> Option<Value> {
        let end = Value::Str(std::sync::Arc::from("the end of a map"));
        match method {
            "end" | "cend" => Some(end),
            "find" | "at" | "count" | "contains" => {
                let key = self.evaluate(args.first()?);
                let entry = map_entry(place, &key);
                let found = self.memory.holds(&entry);
                Some(match (method, found) {
                    ("find", true) => Value::Pointer(entry),
                    ("find", false) => end,
                    ("at", _) => self.load(&entry.field("second")),
                    (_, found) => Value::Int(i64::from(found)),
                })
            }
            "emplace" | "try_emplace" | "insert_or_assign" if args.len() == 2 => {
                let args = self.arguments(args);
                let entry = map_entry(place, &args[0].value);
                self.assign(&entry.field("first"), args[0].value.clone());
                self.assign(&entry.field("second"), args[1].value.clone());
                let result = self.memory.local();
                self.memory.set(result.field("first"), Value::Pointer(entry));
                self.memory.set(result.field("second"), Value::Int(1));
                Some(Value::Aggregate(result))
            }
            _ => None,
        }
    }

    /// `std::optional` of a class of the program: its value stands at the place of the optional.
    pub(super) fn optional_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let kind = self.memory.optionals.get(place).cloned()?;
        match method {
            "emplace" => {
                let args = self.arguments(args);
                let ty = Name {
                    path: type_path(&kind),
                    template_args: Vec::new(),
                };
                if let Some(class) = self.program.resolve_class(self.scope(), &ty) {
                    self.construct(place, class, args, span);
                    self.memory.classes.insert(place.clone(), class);
                }
                Some(Value::Aggregate(place.clone()))
            }
            "reset" => {
                self.empty_optional(place, span);
                Some(Value::Int(0))
            }
            "value" => Some(Value::Aggregate(place.clone())),
            "has_value" => Some(Value::Int(i64::from(self.memory.classes.contains_key(place)))),
            _ => None,
        }
    }

    /// Destroys what an optional holds, if it holds anything.
    pub(super) fn empty_optional(&mut self, place: &Location, span: Span) {
        if let Some(class) = self.memory.classes.get(place).copied() {
            self.destroy(place, class, span);
            self.memory.classes.remove(place);
        }
    }
}

/// The place of a map's entry.
pub(super) fn map_entry(map: &Location, key: &Value) -> Location {
    match key {
        Value::Str(key) => map.field(&format!("[{key}]")),
        Value::Int(key) => map.field(&format!("[{key}]")),
        Value::Unknown(id) => map.step(super::Step::At(*id)),
        _ => map.step(super::Step::Any),
    }
}

/// The segments of a type written as text, without decoration.
pub(super) fn type_path(written: &str) -> Vec<String> {
    let bare = written.split('<').next().unwrap_or(written);
    bare.trim_start_matches("const ")
        .trim_end_matches(['*', '&', ' '])
        .split("::")
        .map(str::to_owned)
        .collect()
}
