//! Kernels that wait for somebody else and give up some time: noted beside the events, since they end by themselves.

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::notes::Stall;
use crate::program::kernels::{LoadKind, PlaceStep, WaitLoop};

/// Iterations, or ticks of a clock, below which nobody notices.
const NOTICEABLE: i64 = 100_000;

impl<'p> Machine<'p> {
    /// Notes the waits of a launch that end by themselves, right behind its event.
    pub(super) fn note_stalls(&mut self, kernel: &Value, args: &[Argument]) {
        let Value::Function(function, instance) = kernel else {
            return;
        };
        let Some(summary) = self.summary_of(*function, instance, args) else {
            return;
        };
        let looks = |it: &&WaitLoop| {
            let varies = |step: &PlaceStep| *step == PlaceStep::Varying;
            it.bound.is_some()
                && it.load == LoadKind::Fresh
                && !it.awaited.iter().any(|it| it.place.path.iter().any(varies))
        };
        // What comes behind another wait begins nobody knows when.
        if !summary.waits.is_empty() || !summary.bounded_waits.iter().any(|it| looks(&it)) {
            return;
        }
        let events = &self.trace.threads[self.control.thread.0 as usize].events;
        let (thread, position) = (self.control.thread, (events.len() as u32).saturating_sub(1));
        let found: Vec<Stall> = self.in_kernel(*function, instance, args, |machine| {
            let waits = summary.bounded_waits.iter().filter(looks);
            waits
                .filter_map(|it| {
                    let bound = it.bound.as_ref()?;
                    let limit = bound.limit.as_ref().map(|it| machine.evaluate(it));
                    let short = matches!(limit, Some(Value::Int(limit)) if limit < NOTICEABLE);
                    let wait = machine.bound_wait(it, *function, args);
                    Some(Stall {
                        thread,
                        position,
                        wait: wait.filter(|it| !short && it.is_known())?,
                        clock: bound.clock,
                    })
                })
                .collect()
        });
        self.trace.notes.stalls.extend(found);
    }
}
