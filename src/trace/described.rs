//! Copies whose source, destination and direction stand in a struct: three-dimensional ones, and the driver's.

use super::Location;
use super::calls::Argument;
use super::cuda::Invocation;
use super::machine::Machine;
use super::memory::Value;
use crate::api::{self, Role};

impl Machine<'_> {
    /// The plain copy that such a call amounts to, where both sides are known.
    pub(super) fn described_copy(
        &mut self,
        call: &Invocation<'_>,
    ) -> Option<(&'static api::Call, Vec<Argument>)> {
        let described = call
            .arg(Role::Parameters)
            .filter(|_| call.arg(Role::Count).is_none())?;
        let params = self.pointee(&described.value)?;
        let (destination, to_host) = self.side(&params, "dst")?;
        let (source, from_host) = self.side(&params, "src")?;
        let kind = match self.memory.get(&params.field("kind")) {
            Some(Value::Int(kind)) => Value::Int(*kind),
            _ if from_host => Value::Int(1),
            _ if to_host => Value::Int(2),
            _ => self.memory.fresh(),
        };
        let bytes = self.memory.fresh();
        let mut args = vec![
            self.side_argument("dst", destination, call),
            self.side_argument("src", source, call),
            plain_argument(bytes),
            plain_argument(kind),
        ];
        let stream = call.arg(Role::Stream).cloned();
        let name = if call.name.contains("Async") {
            args.push(stream.unwrap_or_else(|| plain_argument(Value::Int(0))));
            "cudaMemcpyAsync"
        } else {
            "cudaMemcpy"
        };
        Some((api::lookup(name)?, args))
    }

    /// One side of the copy, and whether it is said to be host memory.
    pub(super) fn side(&self, params: &Location, side: &str) -> Option<(Value, bool)> {
        // It begins somewhere inside.
        let offsets = ["Pos", "XInBytes", "Y", "Z"].map(|part| params.field(&format!("{side}{part}")));
        let is_set = |it: &Location| self.memory.under(it).any(|(_, value)| *value != Value::Int(0));
        if offsets.iter().any(is_set) {
            return None;
        }
        let pitched = params.field(&format!("{side}Ptr"));
        let held = [
            (pitched.field("ptr"), false),
            (pitched, false),
            (params.field(&format!("{side}Device")), false),
            (params.field(&format!("{side}Host")), true),
        ];
        held.into_iter()
            .find_map(|(place, host)| match self.memory.get(&place) {
                Some(value @ Value::Pointer(_)) => Some((value.clone(), host)),
                _ => None,
            })
    }

    /// A side has no words of its own where it is used.
    fn side_argument(&self, side: &str, value: Value, call: &Invocation<'_>) -> Argument {
        let words = call.arg(Role::Parameters).map_or("", |it| it.words.as_str());
        Argument::unplaced(value, format!("{}.{side}", words.trim_start_matches('&')))
    }
}

fn plain_argument(value: Value) -> Argument {
    Argument::unplaced(value, String::new())
}
