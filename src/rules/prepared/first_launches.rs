//! Where paths from `main` launch a kernel that nothing has loaded before: no finding, but what an editor shows.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::Location;
use crate::program::{FunctionId, Program};
use crate::rules::story::location;
use crate::trace::{Action, DeviceId, KernelUse, Load, Trace, WorkKind};

/// Launches that load their kernel on some path, with the kernel's name.
///
/// Which of several threads comes first is not known: a kernel that more than one of them uses is left out.
pub(in crate::rules) fn of(
    program: &Program,
    entry: FunctionId,
    traces: &[Trace],
) -> BTreeMap<Location, String> {
    let lazy = traces.iter().filter(|it| program.is_main(entry) && !it.eager);
    lazy.flat_map(|it| of_path(program, it)).collect()
}

fn of_path(program: &Program, trace: &Trace) -> Vec<(Location, String)> {
    let mut first = Vec::new();
    let mut loaded: Vec<(usize, DeviceId, &KernelUse)> = Vec::new();
    for (thread, events) in trace.threads.iter().enumerate() {
        for event in &events.events {
            let Action::Call(call) = &event.action else {
                continue;
            };
            let Some(Load::Kernel(kernel)) = &call.load else {
                continue;
            };
            let device = trace.device_of(call);
            let before = loaded.iter().find(|it| it.1 == device && it.2.may_be(kernel));
            let launches = call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Kernel);
            match before {
                None if launches => {
                    let place = location(program, (event.site.file, event.site.span));
                    first.push((kernel, place));
                }
                Some((other, ..)) if *other != thread => {
                    first.retain(|(it, _): &(&KernelUse, _)| !it.may_be(kernel));
                }
                _ => {}
            }
            loaded.push((thread, device, kernel));
        }
    }
    let named = first
        .into_iter()
        .map(|(kernel, place)| (place, kernel.name.clone()));
    named.collect::<BTreeSet<_>>().into_iter().collect()
}
