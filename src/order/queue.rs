//! How many launches and copies wait behind an operation that cannot end: at about a thousand the host waits too (M1).

use std::collections::BTreeMap;

use super::simulate::{OperationId, Simulation, State};
use super::{EventRef, event_refs};
use crate::api::Operation;
use crate::trace::notes::Pass;
use crate::trace::{Action, Stream, StreamKind, Trace, WorkKind};

/// Launches and copies a stream takes before the next one waits. Between 961 and 1,024 were accepted.
const QUEUE_LENGTH: u64 = 1_024;

/// Events that stand for more than one call: the last pass that was followed stands for all that were not.
pub(super) fn stands_for(trace: &Trace) -> BTreeMap<EventRef, u64> {
    let mut found: BTreeMap<EventRef, u64> = BTreeMap::new();
    for (execution, trips) in &trace.notes.trips {
        let passes = || trace.notes.passes.iter().filter(|it| it.execution == *execution);
        let followed = passes().count() as u64;
        let Some(Pass { thread, events, .. }) = passes().max_by_key(|it| it.events.1) else {
            continue;
        };
        let more = trips.saturating_sub(followed).saturating_add(1);
        for index in events.0..events.1 {
            let event = EventRef {
                thread: *thread,
                index,
            };
            let count = found.entry(event).or_insert(1);
            *count = count.saturating_mul(more);
        }
    }
    found
}

/// How often the write of an event happens: a kernel or a function may write again and again, and so does a loop nobody
/// knows the end of.
pub(super) fn times_of(simulation: &Simulation<'_>, event: EventRef) -> u64 {
    let trace = simulation.trace;
    let repeats = match &event.of(trace).action {
        Action::Call(call) => call.work.as_ref().is_some_and(|it| {
            matches!(
                it.kind,
                WorkKind::Kernel | WorkKind::HostFunction | WorkKind::Graph | WorkKind::Other
            )
        }),
        _ => false,
    };
    if repeats || is_in_open_loop(trace, event) {
        u64::MAX
    } else {
        simulation.calls_of(event)
    }
}

/// Whether an event stands in a pass of a loop nobody knows the end of: it may come again.
pub(super) fn is_in_open_loop(trace: &Trace, event: EventRef) -> bool {
    let notes = &trace.notes;
    let endless = |pass: &Pass| {
        let inside = pass.thread == event.thread && (pass.events.0..pass.events.1).contains(&event.index);
        inside && !pass.known_trips && !notes.trips.contains_key(&pass.execution)
    };
    notes.passes.iter().any(endless)
}

/// How many streams a path makes; `None` where some come from elsewhere, or nobody knows how often a loop makes them.
pub(super) fn streams_of(simulation: &Simulation<'_>) -> Option<u64> {
    let trace = simulation.trace;
    let known = |it: &Stream| it.created || matches!(it.kind, StreamKind::Legacy | StreamKind::PerThread);
    if !trace.streams.iter().all(known) {
        return None;
    }
    let makes = |event: &EventRef| {
        matches!(&event.of(trace).action, Action::Call(call)
            if call.api.is_some_and(|it| it.operation == Operation::StreamCreate))
    };
    let made: Vec<EventRef> = event_refs(trace).filter(makes).collect();
    if made.iter().any(|it| is_in_open_loop(trace, *it)) {
        return None;
    }
    let more = made.iter().map(|it| simulation.calls_of(*it).saturating_sub(1));
    Some(more.fold(trace.streams.len() as u64, u64::saturating_add))
}

impl Simulation<'_> {
    /// The operation this one is queued behind and that cannot end yet, when there is no room for this one.
    pub(super) fn full_queue(&self, own: OperationId) -> Option<(OperationId, u64)> {
        let queue = self.queue(own)?;
        let counts = |it: &OperationId| {
            let work = self.operations[*it].work;
            work.is_some_and(|it| matches!(it.kind, WorkKind::Kernel | WorkKind::Copy | WorkKind::Memset))
        };
        let in_stream = || (0..=own).filter(|it| self.queue(*it) == Some(queue) && !self.is_done(*it));
        let resident = in_stream().find(|it| self.operations[*it].state == State::Running)?;
        if resident == own || !counts(&own) {
            return None;
        }
        let calls = in_stream()
            .filter(|it| *it > resident)
            .filter(counts)
            .map(|it| self.calls_of(self.operations[it].event))
            .fold(0, u64::saturating_add);
        (calls > QUEUE_LENGTH).then_some((resident, calls))
    }
}
