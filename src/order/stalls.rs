//! Waits that a kernel gives up: what would be a deadlock without that is a stall.

use super::simulate::{Policy, Simulation};
use super::{Settings, Stalled, explain};
use crate::program::Program;
use crate::trace::notes::Stall;
use crate::trace::{Action, Trace, WorkKind};

/// Stalls looked at on one path.
const STALLS: usize = 8;

/// The stalls of a path on which nothing hangs.
pub(super) fn find(program: &Program, trace: &Trace, settings: Settings) -> Vec<Stalled> {
    let lazy = settings.lazy_loading && !trace.eager;
    let mut found: Vec<Stalled> = Vec::new();
    for stall in trace.notes.stalls.iter().take(STALLS) {
        let Some(unbounded) = without_bound(trace, stall) else {
            continue;
        };
        let runs = Policy::ALL.map(|policy| {
            let mut simulation = Simulation::new(program, &unbounded, lazy, policy);
            simulation.run();
            explain::hang(&simulation)
        });
        // Where the threads decide nobody can say how long it lasts.
        let [Some(hang), Some(_)] = runs else { continue };
        // The write that comes too late is the one that would have ended the wait.
        if hang.write.guess || hang.write.value.is_none() {
            continue;
        }
        found.push(Stalled {
            trace: unbounded,
            hang,
            clock: stall.clock,
        });
    }
    found
}

/// The path with one wait taken for one without a bound.
fn without_bound(trace: &Trace, stall: &Stall) -> Option<Trace> {
    let mut unbounded = trace.clone();
    let thread = unbounded.threads.get_mut(stall.thread.0 as usize)?;
    let event = thread.events.get_mut(stall.position as usize)?;
    let Action::Call(call) = &mut event.action else {
        return None;
    };
    let work = call.work.as_mut().filter(|it| it.kind == WorkKind::Kernel)?;
    work.waits.push(stall.wait.clone());
    Some(unbounded)
}
