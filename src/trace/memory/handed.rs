//! What the caller of the entry point handed in.

use super::{Memory, Value};
use crate::trace::{Base, Location, Step};

impl Memory {
    /// Whether an object was handed in by the caller of the entry point.
    pub(in crate::trace) fn is_handed_in(&self, base: Base) -> bool {
        match base {
            Base::Outside(id) => self.handed_in.contains(&id),
            _ => self.handed_objects.contains(&base),
        }
    }

    /// A field of a value that the caller handed in: it is the same wherever that value went.
    pub(super) fn part_of_handed(&mut self, place: &Location) -> Option<Value> {
        let (Step::Field(field), whole) = place.path.split_last()? else {
            return None;
        };
        let whole = Location {
            base: place.base,
            path: whole.to_vec(),
        };
        match self.cells.get(&whole)? {
            Value::Unknown(id) if self.handed_arguments.contains(id) => {
                let name = format!("{field} of {id}");
                Some(self.named(&name))
            }
            _ => None,
        }
    }
}
