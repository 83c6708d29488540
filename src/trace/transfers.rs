//! Transfers the host makes itself, of device memory too: message passing, with and without requests.

use super::access::{Extent, Mode};
use super::cuda::Invocation;
use super::machine::Machine;
use super::memory::Value;
use super::{Block, DeviceId, Location, StreamId, StreamKind, WorkKind};
use crate::api::Role;

/// Requests looked at per wait.
const MAX_REQUESTS: i64 = 16;

impl Machine<'_> {
    /// A blocking transfer: the host reads and writes, and is done when the call returns.
    pub(super) fn host_transfer(&mut self, call: &Invocation<'_>) {
        for (role, mode) in [(Role::Source, Mode::Read), (Role::Destination, Mode::Write)] {
            if let Some(Value::Pointer(place)) = call.arg(role).map(|it| &it.value) {
                let place = place.clone();
                let words = call.arg(role).map_or("", |it| it.words.as_str());
                self.record_touch(&place, Extent::Some, mode, call.span, words);
            }
        }
    }

    /// A transfer in the background: work in a queue of its own, which only its request waits for.
    pub(super) fn start_request(&mut self, call: &Invocation<'_>) {
        let accesses = self.library_accesses(call);
        if accesses.is_empty() {
            let unknown = self.memory.fresh();
            self.fill_out(call, unknown);
            return;
        }
        let queue = self.new_stream(
            StreamKind::NonBlocking,
            format!("the request of {}", call.name),
            true,
        );
        self.trace.streams[queue.0 as usize].device = DeviceId::NONE;
        self.fill_out(call, Value::Stream(queue));
        let device = std::mem::replace(&mut self.control.device, DeviceId::NONE);
        self.enqueue_with(call, WorkKind::Other, queue, Default::default(), accesses);
        self.control.device = device;
    }

    pub(super) fn wait_for_requests(&mut self, call: &Invocation<'_>) {
        // A test is answered with success: that is when the path goes on.
        match call.name {
            "MPI_Test" | "MPI_Testall" => self.fill_out(call, Value::Int(1)),
            _ => {
                let unknown = self.memory.fresh();
                self.fill_out(call, unknown);
            }
        }
        let Some(Value::Pointer(first)) = call.arg(Role::Pointer).map(|it| it.value.clone()) else {
            return;
        };
        let count = match call.arg(Role::Count).map(|it| &it.value) {
            Some(Value::Int(count)) => (*count).min(MAX_REQUESTS),
            Some(_) => MAX_REQUESTS,
            None => 1,
        };
        for index in 0..count {
            if let Some(queue) = self.request_at(&first.element(index)) {
                let (name, entry) = (call.name.to_owned(), Some(call.entry));
                self.finish(name, entry, None, Block::Stream(queue), None, call.span);
            }
        }
    }

    fn request_at(&self, place: &Location) -> Option<StreamId> {
        match self.memory.get(place) {
            Some(Value::Stream(queue)) => Some(*queue),
            _ => None,
        }
    }
}
