//! What one store leaves in other places: members of a union share their memory, and an index nobody knows may be any.

use super::machine::Machine;
use super::memory::Value;
use super::numbers::Number;
use super::{Location, Step};
use crate::facts::ir::Variable;

impl Machine<'_> {
    /// Something was stored at a place: what shares memory with it, for sure or perhaps, changes as well.
    pub(super) fn overwrite_shared(&mut self, place: &Location, value: &Value) {
        self.overwrite_unions(place, value);
        self.memory.lose_aliases(place);
    }

    fn overwrite_unions(&mut self, place: &Location, value: &Value) {
        for (depth, step) in place.path.iter().enumerate().rev() {
            let Step::Field(name) = step else { continue };
            let object = Location {
                base: place.base,
                path: place.path[..depth].to_vec(),
            };
            let Some(class) = self.memory.classes.get(&object).copied() else {
                continue;
            };
            let fields = &self.program.class(class).fields;
            let Some(stored) = fields.iter().find(|it| it.name == **name) else {
                continue;
            };
            if stored.overlays.is_empty() {
                continue;
            }
            let is_member = depth + 1 == place.path.len();
            for other in fields.iter().filter(|it| share_memory(stored, it)) {
                let target = object.field(&other.name);
                let alone = is_alone(stored, fields) && is_alone(other, fields);
                let seen = match value {
                    Value::Int(it) if is_member && alone => self.seen_through(place, *it, &target),
                    _ => None,
                };
                self.memory.blank(&target);
                if let Some(seen) = seen {
                    self.memory.set(target, Value::Int(seen));
                }
            }
        }
    }

    /// What a number stored in one member of a union is in another one that begins at the same byte.
    fn seen_through(&self, place: &Location, value: i64, target: &Location) -> Option<i64> {
        let integer = |it: Number| match it {
            Number::Integer { bits, .. } => Some(bits),
            _ => None,
        };
        let stored = integer(self.number_at(place)?.value()?)?;
        let seen = self.number_at(target)?.value()?;
        if integer(seen)? <= stored {
            return seen.convert(value);
        }
        let before = match self.memory.get(target) {
            Some(Value::Int(before)) => *before,
            None if self.memory.is_zeroed(target) => 0,
            _ => return None,
        };
        let mask = (1_i64 << stored) - 1;
        seen.convert(before & !mask | value & mask)
    }
}

/// Whether two members are different parts of one union.
fn share_memory(a: &Variable, b: &Variable) -> bool {
    let differs = |(union, part): &(u32, u32)| b.overlays.iter().any(|it| it.0 == *union && it.1 != *part);
    a.overlays.iter().any(differs)
}

/// Whether a member is all of its part: it begins where the union does.
fn is_alone(member: &Variable, fields: &[Variable]) -> bool {
    let same = |it: &&Variable| it.overlays.iter().any(|it| member.overlays.contains(it));
    fields.iter().filter(same).count() == 1
}
