//! Which waits are over: what has happened of what ends them.

use std::collections::BTreeSet;

use super::super::{EventRef, queue};
use super::{DeviceOperation, Releaser, Simulation, State, writes_of};
use crate::facts::ir::BinaryOp;
use crate::trace::{Action, WorkKind};

/// Waits whose end is being asked for: operation and index of the wait. Kernels that wait for each other lead back to a
/// question that is open already; none of them gets on by that.
type Open = Vec<(EventRef, usize)>;

/// Chains of kernels that wait for one another are followed so far.
const MAX_CHAIN: usize = 16;

impl Simulation<'_> {
    /// Whether a write has happened.
    pub(in crate::order) fn has_happened(&self, releaser: Releaser) -> bool {
        self.happens_given(releaser, &mut Open::new())
    }

    /// Whether enough of what ends a wait of an operation has happened.
    pub(in crate::order) fn is_over(&self, operation: &DeviceOperation<'_>, wait: usize) -> bool {
        self.ends_given(operation, wait, &mut Open::new())
    }

    fn happens_given(&self, releaser: Releaser, open: &mut Open) -> bool {
        if matches!(releaser.event.of(self.trace).action, Action::Store(_)) {
            return self.happened.contains_key(&releaser.event);
        }
        let Some(operation) = self
            .enqueued_as
            .get(&releaser.event)
            .map(|it| &self.operations[*it])
        else {
            return false;
        };
        let write = writes_of(&releaser.event.of(self.trace).action).get(releaser.write);
        match operation.state {
            State::Done => true,
            State::Running if write.is_none_or(|it| !it.after_wait) => true,
            State::Running => self.is_reached(operation, releaser.write, open),
            State::Pending => false,
        }
    }

    /// Whether a running kernel has got past everything it waits for before this write.
    fn is_reached(&self, operation: &DeviceOperation<'_>, write: usize, open: &mut Open) -> bool {
        let waits = operation.work.map_or(&[][..], |it| &it.waits);
        // What a graph writes behind a wait it writes when all of it has ended.
        let is_graph = operation.work.is_some_and(|it| it.kind == WorkKind::Graph);
        if is_graph || self.held == Some(operation.event) {
            return false;
        }
        let mut before = waits
            .iter()
            .enumerate()
            .filter(|(_, it)| it.holds.iter().any(|it| *it as usize == write));
        before.all(|(index, _)| self.ends_given(operation, index, open))
    }

    fn ends_given(&self, operation: &DeviceOperation<'_>, wait: usize, open: &mut Open) -> bool {
        let question = (operation.event, wait);
        if open.len() >= MAX_CHAIN || open.contains(&question) {
            return false;
        }
        open.push(question);
        let ends = self.has_ended(operation, wait, open);
        open.pop();
        ends
    }

    fn has_ended(&self, operation: &DeviceOperation<'_>, wait: usize, open: &mut Open) -> bool {
        let Some(releasers) = operation.releasers.get(wait).filter(|it| !it.is_empty()) else {
            return true;
        };
        let fresh: Vec<Releaser>;
        let releasers = match self.let_in_at(operation, wait) {
            Some(begun) => {
                let is_fresh = |it: &&Releaser| !self.is_replaced(operation, wait, **it, begun);
                fresh = releasers.iter().filter(is_fresh).copied().collect();
                &fresh
            }
            None => releasers,
        };
        if let Some(over) = self.counted_up(operation, wait, releasers, open) {
            return over;
        }
        let times = operation
            .work
            .and_then(|it| it.waits.get(wait))
            .map_or(1, |it| it.times);
        if times <= 1 {
            return releasers.iter().any(|it| self.happens_given(*it, open));
        }
        let count = |releasers: &[Releaser]| {
            let events: BTreeSet<EventRef> = releasers.iter().map(|it| it.event).collect();
            events
                .iter()
                .map(|it| queue::times_of(self, *it))
                .fold(0, u64::saturating_add)
        };
        let happened = releasers.iter().copied();
        let happened: Vec<Releaser> = happened.filter(|it| self.happens_given(*it, open)).collect();
        count(&happened) >= times.min(count(releasers))
    }

    /// For a wait that comes behind others of its operation: when the last of those was let go.
    fn let_in_at(&self, operation: &DeviceOperation<'_>, wait: usize) -> Option<u32> {
        let waits = &operation.work?.waits;
        waits.get(wait).filter(|it| it.behind)?;
        let before = operation.releasers.iter().take(wait).zip(waits);
        let before = before.filter(|(releasers, it)| !it.behind && !releasers.is_empty());
        let let_go = before.map(|(releasers, _)| {
            let happened = releasers.iter().filter_map(|it| self.happened.get(&it.event));
            happened.min().copied()
        });
        let_go.collect::<Option<Vec<u32>>>()?.into_iter().max()
    }

    /// Whether what a write left was gone by a moment.
    fn is_replaced(&self, operation: &DeviceOperation<'_>, wait: usize, releaser: Releaser, by: u32) -> bool {
        let Some(wait) = operation.work.and_then(|it| it.waits.get(wait)) else {
            return false;
        };
        let Some(written) = self.happened.get(&releaser.event) else {
            return false;
        };
        let mut between = self
            .happened
            .iter()
            .filter(|(_, when)| *written < **when && **when <= by);
        between.any(|(event, _)| {
            let mut writes = writes_of(&event.of(self.trace).action).iter();
            writes.any(|it| wait.kept_by(it))
        })
    }

    /// Whether a counter that is only ever added to has come far enough; `None` where the wait is for something else.
    fn counted_up(
        &self,
        operation: &DeviceOperation<'_>,
        wait: usize,
        releasers: &[Releaser],
        open: &mut Open,
    ) -> Option<bool> {
        let wait = operation.work?.waits.get(wait).filter(|it| it.times <= 1)?;
        let needed = match wait.until()? {
            (BinaryOp::GreaterEqual | BinaryOp::Equal, needed) => needed,
            (BinaryOp::Greater, most) => most.checked_add(1)?,
            _ => return None,
        };
        let start = self.reset_to(wait)?;
        let added = |it: &Releaser| {
            let write = writes_of(&it.event.of(self.trace).action).get(it.write)?;
            let calls = i64::try_from(self.calls_of(it.event)).ok()?;
            write.added?.checked_mul(calls)
        };
        let each: Vec<i64> = releasers.iter().map(added).collect::<Option<_>>()?;
        let sum = |all: &mut dyn Iterator<Item = i64>| all.fold(start, i64::saturating_add);
        let most = sum(&mut each.iter().copied());
        let mut happened = 0;
        for (releaser, added) in releasers.iter().zip(&each) {
            if self.happens_given(*releaser, open) {
                happened = i64::saturating_add(happened, *added);
            }
        }
        Some(sum(&mut std::iter::once(happened)) >= needed.min(most))
    }

    /// Whether an operation can end.
    pub(super) fn is_released(&self, operation: &DeviceOperation<'_>) -> bool {
        if self.held == Some(operation.event) {
            return false;
        }
        (0..operation.releasers.len()).all(|wait| self.is_over(operation, wait))
    }
}
