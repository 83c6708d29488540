//! `std::swap` and `std::exchange`: two places trade what they hold.

use super::Location;
use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::Expr;

impl<'p> Machine<'p> {
    /// `std::swap(a, b)`. Containers only stay alive: what they hold is known by the container's place.
    pub(super) fn swap_places(&mut self, args: &'p [Expr]) -> Value {
        let args = self.arguments(args);
        args.iter().for_each(|it| self.host_memory_moves(&it.value));
        if let [Argument { place: Some(a), .. }, Argument { place: Some(b), .. }] = args.as_slice()
            && !self.is_container(a)
            && !self.is_container(b)
        {
            self.load(a);
            self.load(b);
            let between = self.memory.local();
            self.memory.copy_object(a, &between);
            self.memory.copy_object(b, a);
            self.memory.copy_object(&between, b);
        }
        Value::Int(0)
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
