//! Keys of maps: which entry one means.

use std::fmt::Write;

use super::calls::Argument;
use super::machine::Machine;
use super::memory::{Keys, Value};
use super::{Location, Step};
use crate::facts::ir::Name;
use crate::program::{ClassId, FunctionId};
use crate::syntax::Span;

/// Entries that a key is compared with.
const MOST_COMPARED: usize = 64;

/// How deep objects in a key are looked into.
const MOST_DEPTH: u32 = 3;

impl Machine<'_> {
    /// The place of a map's entry.
    pub(super) fn map_entry(&mut self, map: &Location, key: &Value) -> Location {
        if self.memory.sorted.get(map) == Some(&Keys::Own) {
            return map.step(Step::Any);
        }
        match key {
            Value::Str(key) => map.field(&format!("[{key}]")),
            Value::Int(key) => map.field(&format!("[{key}]")),
            Value::Unknown(id) => map.step(Step::At(*id)),
            Value::Pointer(place) => map.field(&format!("[{place:?}]")),
            Value::Stream(_) | Value::Event(_) | Value::Graph(_) => map.field(&format!("[{key:?}]")),
            Value::Aggregate(object) => match self.memory.sorted.get(map).copied() {
                Some(Keys::Parts(count)) => {
                    let key = self.value_of_parts(object, count.into());
                    self.map_entry(map, &key)
                }
                _ if self.object_at(object).is_none() => match self.memory.value_of_contents(object) {
                    Some(key) => self.map_entry(map, &key),
                    None => map.step(Step::Any),
                },
                _ => {
                    let found = self.entry_of_object(map, object);
                    found.unwrap_or_else(|| map.step(Step::Any))
                }
            },
            _ => map.step(Step::Any),
        }
    }

    /// One value for all that a pair or tuple holds: equal where its parts are.
    fn value_of_parts(&mut self, object: &Location, count: usize) -> Value {
        let mut text = String::new();
        let mut is_known = true;
        for index in 0..count {
            let place = self.part(object, index);
            let part = self.memory.load(&place);
            is_known &= !matches!(part, Value::Unknown(_) | Value::Aggregate(_));
            let _ = write!(text, "{part:?},");
        }
        match is_known {
            true => Value::Str(text.into()),
            false => self.memory.named(&text),
        }
    }

    /// The entry whose key is an object of the program's own: one that is the same in all its parts, or that the program says is
    /// equal. `None` where nobody knows.
    fn entry_of_object(&mut self, map: &Location, object: &Location) -> Option<Location> {
        let mut text = String::new();
        let class = self.text_of_object(object, &mut text, MOST_DEPTH)?;
        let own = map.field(&format!("[{text}]"));
        if self.memory.holds(&own) {
            return Some(own);
        }
        for entry in self.memory.entries(map, MOST_COMPARED) {
            if self.is_equal(class, &entry.field("first"), object)? {
                return Some(entry);
            }
        }
        Some(own)
    }

    /// Writes down an object of which everything is known, and says what it is.
    fn text_of_object(&mut self, object: &Location, text: &mut String, depth: u32) -> Option<ClassId> {
        let class = self.object_at(object).filter(|_| depth > 0)?;
        let definition = self.program.class(class);
        if !definition.bases.is_empty() {
            return None;
        }
        let _ = write!(text, "{}(", definition.path.join("::"));
        for field in definition.fields.iter().filter(|it| !it.is_static) {
            let place = self.member(object, class, &field.name);
            if self.object_at(&place).is_some() {
                self.text_of_object(&place, text, depth - 1)?;
            } else {
                match self.memory.load(&place) {
                    Value::Unknown(_) | Value::Aggregate(_) => return None,
                    known => _ = write!(text, "{known:?}"),
                }
            }
            text.push(',');
        }
        text.push(')');
        Some(class)
    }

    /// Whether two objects that differ in some part are equal all the same, by what the program says of equality or, without that,
    /// of order.
    fn is_equal(&mut self, class: ClassId, one: &Location, other: &Location) -> Option<bool> {
        if let Some(equal) = self.comparison(class, "operator==") {
            return self.compared(equal, class, one, other);
        }
        let less = self.comparison(class, "operator<")?;
        let before = self.compared(less, class, one, other)?;
        Some(!before && !self.compared(less, class, other, one)?)
    }

    fn comparison(&self, class: ClassId, operator: &str) -> Option<FunctionId> {
        let method = self.program.resolve_method(class, operator, 1);
        method.or_else(|| {
            let definition = self.program.class(class);
            let scope = crate::program::Scope {
                file: class.file,
                path: &definition.path,
            };
            self.program
                .resolve_function(scope, &Name::plain(operator), Some(2))
        })
    }

    fn compared(
        &mut self,
        comparison: FunctionId,
        class: ClassId,
        one: &Location,
        other: &Location,
    ) -> Option<bool> {
        let argument = Argument::object;
        let is_method = self.program.class_of_method(comparison).is_some();
        let result = match is_method {
            true => self.invoke(
                comparison,
                Some((one.clone(), class)),
                vec![argument(other)],
                Span::default(),
            ),
            false => self.invoke(
                comparison,
                None,
                vec![argument(one), argument(other)],
                Span::default(),
            ),
        };
        self.truth(&result)
    }
}
