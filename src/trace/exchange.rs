//! `std::swap`, `std::exchange` and their like: places trade what they hold.

use super::Location;
use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::Expr;

impl<'p> Machine<'p> {
    /// `std::swap(a, b)`.
    pub(super) fn swap_places(&mut self, args: &'p [Expr]) -> Value {
        let args = self.arguments(args);
        args.iter().for_each(|it| self.host_memory_moves(&it.value));
        if let [a, b] = args.as_slice() {
            self.swap_objects(a.place.as_ref(), b.place.as_ref());
        }
        Value::Int(0)
    }

    /// Two places trade what they hold. The memory of containers is known by their place, and stays there.
    pub(super) fn swap_objects(&mut self, a: Option<&Location>, b: Option<&Location>) {
        let (Some(a), Some(b)) = (a, b) else { return };
        if self.memory.device_vectors.contains_key(a) {
            return self.swap_device_vectors(a, Some(b));
        }
        let containers = self.is_container(a) || self.is_container(b);
        if containers {
            self.memory.traded.extend([a.base, b.base]);
        } else {
            self.load(a);
            self.load(b);
        }
        for it in [a, b].into_iter().filter(|_| containers) {
            self.emit_change(it, self.control.statement);
        }
        let between = self.memory.local();
        self.memory.copy_object(a, &between);
        self.memory.give_away(a);
        if containers {
            self.memory.clear_object(a);
        }
        self.memory.copy_object(b, a);
        self.memory.give_away(b);
        if containers {
            self.memory.clear_object(b);
        }
        self.memory.copy_object(&between, b);
        self.memory.give_away(&between);
    }

    /// `std::exchange(place, value)` gives what the place held.
    pub(super) fn exchange_value(&mut self, args: &'p [Expr]) -> Option<Value> {
        let mut args = self.arguments(args).into_iter();
        let (target, new) = (args.next()?, args.next()?);
        if let Some(place) = target.place
            && !self.is_container(&place)
        {
            self.assign(&place, new.value);
        }
        Some(target.value)
    }

    fn is_container(&self, place: &Location) -> bool {
        self.memory.arrays.contains(place) || self.memory.device_vectors.contains_key(place)
    }
}
