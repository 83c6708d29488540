//! Devices: which one is current, and whose variables are whose.
//!
//! The device of a path that never sets one is a device like any other. A number nobody knows is a device of its own for
//! whoever claims that two things meet, and any device for whoever claims that they do not.

use std::collections::BTreeMap;

use super::cuda::Invocation;
use super::machine::Machine;
use super::memory::Value;
use super::{Base, Call, LEGACY, Trace};
use crate::api::Role;
use crate::facts::ir::MemorySpace;
use crate::program::GlobalId;

/// Index into [`Trace::devices`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceId(pub u32);

impl DeviceId {
    /// The device of whoever sets none.
    pub const FIRST: DeviceId = DeviceId(0);
    /// No CUDA device: no CUDA call waits for what runs there.
    pub const NONE: DeviceId = DeviceId(u32::MAX);
}

/// What a path has said about devices so far.
#[derive(Debug, Default)]
pub(super) struct Devices {
    /// Devices by the values that name them, where those are not numbers.
    named: BTreeMap<Value, DeviceId>,
    /// A number was set: which device is current before that is no longer open.
    settled: bool,
}

impl Trace {
    /// Whether two devices are two for sure.
    pub fn are_two(&self, one: DeviceId, other: DeviceId) -> bool {
        let known = |it: DeviceId| {
            it == DeviceId::NONE || self.devices.get(it.0 as usize).is_some_and(Option::is_some)
        };
        one != other && known(one) && known(other)
    }

    /// The device the work of a call runs on: its stream's, where this path made the stream, whatever is current.
    pub fn device_of(&self, call: &Call) -> DeviceId {
        let stream = call.work.as_ref().map(|it| it.stream).filter(|it| *it != LEGACY);
        let stream = stream.and_then(|it| self.streams.get(it.0 as usize));
        stream.filter(|it| it.created).map_or(call.device, |it| it.device)
    }

    /// The number of a device, where it is known.
    pub fn number_of(&self, device: DeviceId) -> Option<i64> {
        self.devices.get(device.0 as usize).copied().flatten()
    }
}

impl Base {
    /// The variable it is, on whatever device.
    pub fn global(self) -> Option<GlobalId> {
        match self {
            Base::Global(id) | Base::Instance(id, _) => Some(id),
            Base::Local(_) | Base::Static(..) | Base::Allocation(_) | Base::Outside(_) => None,
        }
    }
}

impl Machine<'_> {
    pub(super) fn set_device(&mut self, call: &Invocation<'_>) {
        let value = call
            .arg(Role::Device)
            .or(call.args.first())
            .map(|it| it.value.clone());
        let value = value.unwrap_or_else(|| self.memory.fresh());
        self.control.device = self.device_named(value);
        self.devices.settled = true;
        self.plain(call, None);
    }

    /// The value that names the current device.
    pub(super) fn get_device(&mut self, call: &Invocation<'_>) {
        let of_current = |it: &(&Value, &DeviceId)| *it.1 == self.control.device;
        let named = self.devices.named.iter().find(of_current).map(|it| it.0.clone());
        let number = self
            .trace
            .number_of(self.control.device)
            .filter(|_| self.devices.settled);
        let value = match (named, number) {
            (Some(value), _) => value,
            (None, Some(number)) => Value::Int(number),
            (None, None) => {
                let value = self.memory.fresh();
                self.devices.named.insert(value.clone(), self.control.device);
                value
            }
        };
        self.fill_out(call, value);
        self.plain(call, None);
    }

    fn device_named(&mut self, value: Value) -> DeviceId {
        if let Some(known) = self.devices.named.get(&value) {
            return *known;
        }
        let number = match value {
            Value::Int(number) => Some(number),
            _ => None,
        };
        let devices = &mut self.trace.devices;
        let known = devices.iter().position(|it| it.is_some() && *it == number);
        // The first device a path sets is the one it works with: what runs before and beside that runs there too,
        // unless both numbers are known.
        let takes_first = !self.devices.settled && number.is_none_or(|it| it == 0);
        let index = known.unwrap_or_else(|| {
            if takes_first {
                devices[0] = number;
                return 0;
            }
            devices.push(number);
            devices.len() - 1
        });
        let device = DeviceId(index as u32);
        if number.is_none() {
            self.devices.named.insert(value, device);
        }
        device
    }

    /// A variable as the current device has it: each device has its own `__device__` and `__constant__` variables.
    pub(super) fn instance(&self, id: GlobalId) -> Base {
        let space = self.program.global(id).variable.space;
        let one_each = matches!(space, Some(MemorySpace::Device | MemorySpace::Constant));
        if one_each && self.control.device != DeviceId::FIRST {
            Base::Instance(id, self.control.device)
        } else {
            Base::Global(id)
        }
    }
}
