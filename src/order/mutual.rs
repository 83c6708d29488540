//! Kernels that wait for each other: none writes what the next one waits for before its own wait is over.

use super::simulate::{OperationId, Simulation, releasers_of, writes_of};
use super::waits;
use crate::trace::{Action, Base, Wait, WorkKind};

/// Whether nothing but the kernels themselves can end these waits, `(operation, wait)`: then no order of execution does.
pub(super) fn is_certain(simulation: &Simulation<'_>, waiting: &[(OperationId, u32)]) -> bool {
    waits::kernels_are_known(simulation.program, simulation.trace)
        && waiting.iter().all(|(operation, wait)| {
            let work = simulation.operations[*operation].work;
            let kernel = work.filter(|it| it.kind == WorkKind::Kernel);
            let wait_of = kernel.and_then(|it| it.waits.get(*wait as usize));
            wait_of.is_some_and(|it| is_shut(simulation, *operation, it, *wait as usize))
        })
}

/// Whether a wait is certainly reached, on memory whose content is known, and nobody else may write it.
fn is_shut(simulation: &Simulation<'_>, operation: OperationId, wait: &Wait, number: usize) -> bool {
    let (program, trace) = (simulation.program, simulation.trace);
    let operation = &simulation.operations[operation];
    let once = wait.sure && wait.is_known() && !wait.last && wait.times <= 1;
    let is_own =
        |base: Base| waits::is_private(program, trace, base, wait) && !waits::is_handed_out(trace, base);
    let initialised = wait.locations().all(|it| it.base.global().is_some());
    let mut releasers = operation.releasers[number].iter();
    // What was written before with a value nobody knows may have ended it.
    let may_be_over = releasers_of(trace, operation.event, wait).into_iter().any(|it| {
        let write = writes_of(&it.event.of(trace).action).get(it.write);
        let unknown = write.is_none_or(|it| it.value.is_none());
        unknown && (matches!(it.event.of(trace).action, Action::Store(_)) || simulation.has_happened(it))
    });
    once && !may_be_over
        && releasers.all(|it| !it.guess)
        && wait.locations().all(|it| is_own(it.base))
        && (initialised || !waits::writes_to(trace, wait).is_empty())
}
