//! Thrust's algorithms: the stream their policy stands for, and what they read and write.

use super::calls::Argument;
use super::cuda::{Invocation, handle_name};
use super::machine::Machine;
use super::memory::Value;
use super::{Access, Extent, Mode};
use crate::api::{Operation, Role};
use crate::syntax::Span;

impl Machine<'_> {
    /// `policy.on(stream)`: what is made stands for that stream, whatever is known of it.
    pub(super) fn policy_in(&mut self, stream: Argument, span: Span) -> Value {
        let mut given = [stream];
        self.convert_arguments(&mut given, span);
        let [stream] = given;
        match &stream.value {
            value @ (Value::Stream(_) | Value::Unknown(_) | Value::Int(0..=2)) => {
                Value::Stream(self.stream_of(value, &handle_name(&stream.words)))
            }
            other => other.clone(),
        }
    }

    /// Whether the arguments of an algorithm stand where the table says: behind a policy, if they are to.
    pub(super) fn is_as_written(&self, call: &Invocation<'_>) -> bool {
        call.entry.args.first() != Some(&Role::Policy) || names_policy(call)
    }

    /// What an algorithm of Thrust reads and writes where the table of roles does not say it.
    pub(super) fn thrust_accesses(&mut self, call: &Invocation<'_>) -> Vec<Access> {
        if call.entry.operation != Operation::ThrustAlgorithm {
            return Vec::new();
        }
        let first = self.first_range(call);
        let target = self.thrust_copy_target(call);
        let called = self.called_accesses(call.args, call.span);
        first.into_iter().chain(target).chain(called).collect()
    }

    /// The first range, where the policy says that it is one of device memory, and in which stream; without a policy the
    /// iterators say where the memory is: those of a container of the device.
    fn first_range(&mut self, call: &Invocation<'_>) -> Option<Access> {
        let [policy, first, ..] = call.args else {
            return None;
        };
        let of_container = matches!(&policy.value, Value::Pointer(it) if self.is_vector_of_device(it));
        let first = if of_container { policy } else { first };
        let is_told = matches!(
            call.entry.role(1, call.args.len()),
            Role::Source | Role::Destination
        );
        let is_known = of_container || names_policy(call) && !is_told;
        if !is_known || !self.may_be_device_memory(&first.value) {
            return None;
        }
        let algorithm = call.name.rsplit("::").next().unwrap_or_default();
        let writes = [
            "sort",
            "stable_sort",
            "fill",
            "fill_n",
            "sequence",
            "generate",
            "tabulate",
            "reverse",
        ];
        let mode = if writes.contains(&algorithm) {
            Mode::Write
        } else {
            Mode::Read
        };
        let access = self.access_through(call, first, mode)?;
        Some(Access {
            extent: Extent::Some,
            ..access
        })
    }
}

/// Whether an algorithm is handed a policy that says that it works on the device, and in which stream.
fn names_policy(call: &Invocation<'_>) -> bool {
    call.args.first().is_some_and(|it| {
        matches!(it.words.as_str(), "thrust::device" | "thrust::cuda::par")
            || matches!(it.value, Value::Stream(_))
    })
}
