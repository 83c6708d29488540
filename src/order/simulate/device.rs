//! The device: work is enqueued, starts when what it needs is done, and ends when its waits are over.

use super::{
    DeviceOperation, Need, OperationId, Releaser, Simulation, State, queue_of, releasers_of, resets_itself,
    writes_of,
};
use crate::api::Operation;
use crate::order::happens::launched_graph;
use crate::order::{DeviceOrder, EarlyWait, EventRef, queue};
use crate::program::kernels::LoadKind;
use crate::trace::{Action, DeviceId, LEGACY, Wait, Work, WorkKind};

impl<'t> Simulation<'t> {
    pub(super) fn enqueue(&mut self, event: EventRef, work: &'t Work, device: DeviceId) -> OperationId {
        let mut needs = Vec::new();
        if let Some(last) = self.last_in_stream.get(&queue_of(work.stream, device)) {
            needs.push((*last, Need::Order(DeviceOrder::Stream(work.stream))));
        }
        for ((stream, _), last) in &self.last_in_stream {
            let ordered = work.stream == LEGACY && self.is_blocking(*stream)
                || *stream == LEGACY && self.is_blocking(work.stream);
            if ordered && *stream != work.stream && self.operations[*last].device == device {
                needs.push((*last, Need::Order(DeviceOrder::Legacy)));
            }
        }
        if let Some(barrier) = self.barriers.get(&device) {
            needs.push((*barrier, Need::Barrier));
        }
        match work.kind {
            WorkKind::WaitEvent(it) => {
                if let Some(record) = self.records.get(&it) {
                    needs.push((*record, Need::Order(DeviceOrder::Event)));
                }
            }
            WorkKind::Record(it) => {
                self.records.insert(it, self.operations.len());
            }
            _ => {}
        }
        if let Some(graph) = launched_graph(self.trace, event, work) {
            let id = self.operations.len();
            if let Some(last) = self.graphs.insert(graph, id) {
                needs.push((last, Need::Order(DeviceOrder::Executable)));
            }
        }
        // A loop that reads its place once waits for nobody: it is over at once or never, and has a rule of its own.
        let releasers = work
            .waits
            .iter()
            .map(|wait| match wait.load {
                LoadKind::Fresh => self.relevant_releasers(event, wait),
                LoadKind::Cached | LoadKind::Plain => Vec::new(),
            })
            .collect();
        let id = self.operations.len();
        self.operations.push(DeviceOperation {
            event,
            work: Some(work),
            barrier: None,
            stream: Some(work.stream),
            device,
            needs,
            state: State::Pending,
            releasers,
        });
        self.last_in_stream.insert(queue_of(work.stream, device), id);
        self.enqueued_as.insert(event, id);
        self.progress_device();
        id
    }

    /// What can release a wait. A write before the wait was enqueued that is not known to end it is taken for
    /// initialisation when something else can release it.
    fn relevant_releasers(&self, event: EventRef, wait: &Wait) -> Vec<Releaser> {
        let all = releasers_of(self.trace, event, wait);
        let is_initialisation = |it: &Releaser| {
            let write = writes_of(&it.event.of(self.trace).action).get(it.write);
            let unknown = write.is_some_and(|write| write.value.is_none());
            // A stream writes an unknown value for somebody who waits for it.
            let signals = self.is_kernel(it.event) || unknown && self.is_write_value(it.event);
            (!wait.is_known() || unknown) && self.has_happened(*it) && !signals
        };
        let reset = self.last_reset(wait);
        let resets_itself = resets_itself(self.trace, event, wait);
        let may_come_again =
            |it: &Releaser| it.event.thread != event.thread && queue::is_in_open_loop(self.trace, it.event);
        let undone = |it: &Releaser| {
            let happened = self.happened.get(&it.event);
            let overwritten = |when: &u32| reset.is_some_and(|reset| *when < reset);
            happened.is_some_and(|when| overwritten(when) || resets_itself && !may_come_again(it))
                && self.has_happened(*it)
        };
        let later: Vec<Releaser> = all
            .iter()
            .filter(|it| !is_initialisation(it) && !undone(it))
            .copied()
            .collect();
        if later.is_empty() { all } else { later }
    }

    pub(super) fn note(&mut self, event: EventRef) {
        self.clock += 1;
        self.happened.insert(event, self.clock);
    }

    /// When the place was last set back to a value that does not end the wait.
    fn last_reset(&self, wait: &Wait) -> Option<u32> {
        let resets = |event: EventRef| {
            let mut writes = writes_of(&event.of(self.trace).action).iter();
            writes.any(|it| wait.kept_by(it))
        };
        self.happened
            .iter()
            .filter(|(event, _)| resets(**event))
            .map(|(_, when)| *when)
            .max()
    }

    /// The value a place that is waited on was last set back to.
    pub(super) fn reset_to(&self, wait: &Wait) -> Option<i64> {
        let resets = |event: EventRef| {
            let writes = writes_of(&event.of(self.trace).action).iter();
            let mut set = writes.filter(|it| !it.guess && wait.kept_by(it));
            set.find_map(|it| it.value)
        };
        let happened = self.happened.iter();
        let set = happened.filter_map(|(event, when)| Some((*when, resets(*event)?)));
        set.max_by_key(|(when, _)| *when).map(|(_, value)| value)
    }

    fn is_kernel(&self, event: EventRef) -> bool {
        matches!(&event.of(self.trace).action, Action::Call(call) if call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Kernel))
    }

    pub(super) fn progress_device(&mut self) {
        loop {
            let mut moved = false;
            for id in 0..self.operations.len() {
                let operation = &self.operations[id];
                let next = match operation.state {
                    State::Done => continue,
                    State::Pending if operation.needs.iter().all(|(it, _)| self.is_done(*it)) => {
                        State::Running
                    }
                    State::Pending => continue,
                    State::Running if self.is_released(operation) => State::Done,
                    State::Running => continue,
                };
                self.operations[id].state = next;
                self.note(self.operations[id].event);
                moved = true;
            }
            if !moved {
                return;
            }
        }
    }

    /// Stream waits that were enqueued before any of their writes, on a path that completes.
    pub(in crate::order) fn early_waits(&self) -> Vec<EarlyWait> {
        let mut found = Vec::new();
        for operation in &self.operations {
            let Some(work) = operation.work.filter(|it| it.kind == WorkKind::WaitValue) else {
                continue;
            };
            for (releasers, _) in operation.releasers.iter().zip(&work.waits) {
                let device_only =
                    !releasers.is_empty() && releasers.iter().all(|it| self.is_write_value(it.event));
                let later = releasers
                    .iter()
                    .all(|it| self.enqueue_order(it.event) > self.enqueue_order(operation.event));
                if let (true, true, Some(first)) = (device_only, later, releasers.first()) {
                    found.push(EarlyWait {
                        waiting: operation.event,
                        releaser: first.event,
                        streams: queue::streams_of(self),
                    });
                }
            }
        }
        found
    }

    fn enqueue_order(&self, event: EventRef) -> usize {
        self.enqueued_as.get(&event).copied().unwrap_or(usize::MAX)
    }

    fn is_write_value(&self, event: EventRef) -> bool {
        matches!(&event.of(self.trace).action, Action::Call(call)
            if call.api.is_some_and(|it| matches!(it.operation, Operation::StreamWriteValue | Operation::StreamBatchMemOp)))
    }
}
