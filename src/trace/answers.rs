//! What a query of the device is answered outside of a polling loop: on a whole path the device has done all that it is asked
//! for, or else nothing that nobody waited for.
//!
//! Invariant: no work goes on for ever. In a loop that may be one that asks until the work is done, a query is answered with success.

use super::cuda::Invocation;
use super::machine::Machine;
use super::memory::Value;
use super::{Action, Block, Call, EventId, StreamId, StreamKind, WorkKind};
use crate::api::NOT_READY;

impl Machine<'_> {
    /// The error that a query is answered with where the device is slow.
    pub(super) fn not_ready(&mut self, call: &Invocation<'_>, asked: Block) -> Option<Value> {
        let may_ask_again = self.control.unsure > 0 || self.control.endless > 0;
        if may_ask_again || !self.capture.open.is_empty() || !self.may_be_open(asked) {
            return None;
        }
        let Value::Unknown(done) = self.memory.named("the device has done what it is asked for") else {
            return None;
        };
        self.control.branching = call.span.start;
        (!self.decide_first(done, true)).then_some(Value::Int(NOT_READY))
    }

    /// Whether work that a query asks for may still be going on: nothing waited for it since it was enqueued.
    fn may_be_open(&self, asked: Block) -> bool {
        let [thread] = self.trace.threads.as_slice() else {
            return false;
        };
        let calls = || {
            thread.events.iter().rev().filter_map(|it| match &it.action {
                Action::Call(call) => Some(&**call),
                _ => None,
            })
        };
        let is_joined = |stream: StreamId| {
            let waits = |it: &Call| {
                let work = it.work.as_ref().filter(|it| it.stream == stream);
                work.is_some_and(|it| matches!(it.kind, WorkKind::WaitEvent(_)))
            };
            self.trace.streams[stream.0 as usize].kind == StreamKind::Legacy || calls().any(waits)
        };
        let mut waited: Vec<StreamId> = Vec::new();
        for call in calls() {
            if let Some(work) = call
                .work
                .as_ref()
                .filter(|it| is_asked_for(it.kind, it.stream, asked))
            {
                let own = matches!(call.blocks, Block::OwnWork | Block::PerhapsOwnWork);
                return !own && !waited.contains(&work.stream);
            }
            match (call.blocks, &call.work) {
                (Block::None, _) => {}
                (Block::Stream(stream) | Block::StreamAnswered(stream), _) if !is_joined(stream) => {
                    waited.push(stream)
                }
                (Block::OwnWork | Block::PerhapsOwnWork, Some(work)) if !is_joined(work.stream) => {
                    waited.push(work.stream)
                }
                _ => return false,
            }
        }
        false
    }
}

/// Whether a query asks for this work.
fn is_asked_for(kind: WorkKind, stream: StreamId, asked: Block) -> bool {
    match asked {
        Block::StreamAnswered(of) => of == stream,
        Block::EventAnswered(event) => is_record(kind, event),
        _ => false,
    }
}

fn is_record(kind: WorkKind, event: EventId) -> bool {
    matches!(kind, WorkKind::Record(it) if it == event)
}
