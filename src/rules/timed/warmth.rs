//! Which launches of a region are the first of their kernels.

use std::collections::BTreeSet;

use super::{PathCase, Problem, calls, is_kernel_work, is_whole};
use crate::order::EventRef;
use crate::trace::notes::Region;
use crate::trace::{Action, Block, Call, KernelUse, Load, ThreadId, Trace, WorkKind};

/// Launches of one region beyond which a first one no longer decides the result.
const FEW: usize = 4;

/// A kernel that nothing loaded before the region begins.
pub(super) fn cold(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    if trace.eager || !case.options.lazy_loading || !case.program.is_program_start(trace.entry) {
        return None;
    }
    if !is_tight(trace, region) || is_whole(trace, region) {
        return None;
    }
    let before: Vec<&KernelUse> = loaded_before(trace, region);
    let mut launches: Vec<(EventRef, &KernelUse)> = Vec::new();
    for (event, call) in calls(trace, region) {
        let Some(Load::Kernel(kernel)) = &call.load else {
            continue;
        };
        let known =
            before.iter().any(|it| it.may_be(kernel)) || launches.iter().any(|(_, it)| it.may_be(kernel));
        if !known && is_kernel_work(call) {
            launches.push((event, kernel));
        }
    }
    let (launch, _) = launches.first().copied()?;
    let diluted = launches
        .iter()
        .all(|(event, _)| is_diluted(trace, region, *event));
    Some(Problem::Cold {
        launch,
        others: launches.len() - 1,
        diluted,
    })
}

/// Everything that is loaded before a region begins, and by other threads at any time.
fn loaded_before<'a>(trace: &'a Trace, region: &Region) -> Vec<&'a KernelUse> {
    let mut loaded = Vec::new();
    for (index, thread) in trace.threads.iter().enumerate() {
        let own = ThreadId(index as u32) == region.thread;
        let count = if own {
            region.start.position as usize
        } else {
            thread.events.len()
        };
        for event in thread.events.iter().take(count) {
            if let Action::Call(call) = &event.action
                && let Some(Load::Kernel(kernel)) = &call.load
            {
                loaded.push(kernel);
            }
        }
    }
    loaded
}

/// Nothing but launches and waits: what is timed is kernels.
fn is_tight(trace: &Trace, region: &Region) -> bool {
    calls(trace, region).all(|(_, call)| match &call.work {
        Some(work) => match work.kind {
            WorkKind::Copy => call.blocks == Block::None,
            WorkKind::HostFunction => false,
            _ => true,
        },
        None => true,
    })
}

/// The first launch is one of many that are timed together.
fn is_diluted(trace: &Trace, region: &Region, event: EventRef) -> bool {
    let executions: BTreeSet<(u32, bool)> = trace
        .passes_inside(region, event.index)
        .map(|pass| (pass.execution, pass.known_trips))
        .collect();
    let passes = |execution: u32| {
        let all = trace.notes.passes.iter();
        all.filter(|pass| pass.execution == execution).count()
    };
    // A loop that is taken once by default is there to be taken more often.
    let is_many = |(execution, known): &(u32, bool)| match passes(*execution) {
        1 => true,
        count => !known || count > FEW,
    };
    executions.iter().any(is_many) || same_launches(trace, region, event) > FEW
}

/// How often the kernel of a launch is launched in the region.
fn same_launches(trace: &Trace, region: &Region, event: EventRef) -> usize {
    let kernel = |call: &Call| match &call.load {
        Some(Load::Kernel(kernel)) => Some(kernel.clone()),
        _ => None,
    };
    let Some(wanted) = super::call(trace, event).and_then(kernel) else {
        return 0;
    };
    calls(trace, region)
        .filter(|(_, call)| kernel(call).is_some_and(|it| it == wanted))
        .count()
}
