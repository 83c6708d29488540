//! What a project's `main` loads before it calls the functions it was only handed: test bodies, registered commands.

mod first_launches;

use crate::order::{Gate, Hang};
use crate::program::{FunctionId, Program};
use crate::trace::{self, Action, Effort, KernelUse, Load, Trace};

pub(super) use first_launches::of as first_launches;

/// Whether a kernel's first use on this path is none: the `main` that calls the entry point through a pointer loads the
/// kernel by itself.
pub(super) fn by_main(program: &Program, trace: &Trace, hang: &Hang) -> bool {
    let Gate::FirstUse { kernel, .. } = &hang.gate else {
        return false;
    };
    let elsewhere = |it: FunctionId| program.is_mentioned_elsewhere(it, &trace.executed);
    if program.is_main(trace.entry) || !kernel.function.is_some_and(elsewhere) {
        return false;
    }
    let Some(main) = main_of(program, trace.entry) else {
        return false;
    };
    let paths = trace::trace_entry(program, main, Effort::of_entry(program, main)).traces;
    let leads_here = |path: &Trace| path.executed.contains(&trace.entry);
    !paths.is_empty() && paths.iter().all(|it| loads(it, kernel) && !leads_here(it))
}

/// The `main` of the entry point's own file, or the only one there is.
fn main_of(program: &Program, entry: FunctionId) -> Option<FunctionId> {
    let mains: Vec<FunctionId> = program
        .functions()
        .filter(|(id, it)| it.defined && program.is_main(*id))
        .map(|(id, _)| id)
        .collect();
    let own = mains.iter().find(|it| it.file == entry.file).copied();
    own.or(match mains.as_slice() {
        [only] => Some(*only),
        _ => None,
    })
}

fn loads(path: &Trace, kernel: &KernelUse) -> bool {
    let events = path.threads.iter().take(1).flat_map(|it| &it.events);
    events
        .filter_map(|event| match &event.action {
            Action::Call(call) => call.load.as_ref(),
            _ => None,
        })
        .any(|load| matches!(load, Load::Kernel(loaded) if loaded.may_be(kernel)))
}
