//! Which launches of a region are the first of their kernels.

use std::collections::BTreeSet;

use super::{PathCase, Problem, calls, is_kernel_work, is_whole, text};
use crate::order::EventRef;
use crate::trace::notes::{Pass, Region, Shown};
use crate::trace::{Action, Block, KernelUse, Load, ThreadId, Trace, WorkKind};

/// A first launch among fewer than this many decides the result.
const FEW: f64 = 4.0;

/// Among more than this many it is lost.
const MANY: f64 = 100.0;

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
    // How cold it is was what somebody wanted to know.
    const COLD: [&str; 4] = ["cold", "warm", "warmup", "overhead"];
    // The first of several times is called so, too.
    let is_said = text::is_said(trace, region, &["first"]) || text::is_said(trace, region, &COLD);
    if is_said || text::is_named(case.program, region, &COLD) {
        return None;
    }
    let cold = launches.len() as f64;
    let diluted = match launches_measured(trace, region) {
        Some(all) if cold * MANY < all => return None,
        Some(all) => cold * FEW < all,
        None => {
            let inside = |event: &EventRef| trace.passes_inside(region, event.index).next().is_some();
            let (looped, once): (Vec<EventRef>, Vec<EventRef>) =
                launches.iter().map(|it| it.0).partition(inside);
            // What is launched in a loop hardly counts beside so many.
            if times_around(trace, region).is_none() || (once.len() as f64) < FEW * looped.len().max(1) as f64
            {
                return None;
            }
            false
        }
    };
    Some(Problem::Cold {
        launch,
        others: launches.len() - 1,
        diluted,
    })
}

/// The same for a region that is run through several times: its first time is shown by itself, or compared with a later one.
pub(super) fn cold_first(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let mut shown = case.trace.shown(region);
    match cold(case, region)? {
        Problem::Cold { diluted: true, .. } => None,
        problem => shown.any(|it| it.regions.len() == 1).then_some(problem),
    }
}

/// How many launches the time of a region is the time of; `None` when nobody knows.
///
/// What is only shown behind the loop around the region is the time of all its passes.
pub(super) fn launches_measured(trace: &Trace, region: &Region) -> Option<f64> {
    let mut all = 0.0;
    for (event, call) in calls(trace, region) {
        if is_kernel_work(call) {
            let around = trace.passes_inside(region, event.index);
            let executions: BTreeSet<u32> = around.map(|pass| pass.execution).collect();
            let mut times = 1.0;
            for execution in executions {
                let (all, followed) = passes(trace, execution)?;
                times *= all / followed;
            }
            all += times;
        }
    }
    Some(all * times_around(trace, region)?)
}

/// How often a region is run through before its time is shown; `None` when nobody knows.
fn times_around(trace: &Trace, region: &Region) -> Option<f64> {
    let mut all = 1.0;
    let shown: Vec<&Shown> = trace.shown(region).collect();
    let is_shown = |pass: &Pass| {
        let inside = |position: u32| region.stop.position <= position && position <= pass.events.1;
        match shown.as_slice() {
            [] => {
                let mut prints = trace.notes.prints.iter();
                prints.any(|(thread, position)| *thread == region.thread && inside(*position))
            }
            shown => shown
                .iter()
                .any(|it| it.thread == region.thread && inside(it.position)),
        }
    };
    let around = |pass: &&Pass| {
        pass.thread == region.thread
            && pass.events.0 <= region.start.position
            && region.stop.position <= pass.events.1
    };
    for pass in trace.notes.passes.iter().filter(around) {
        if is_shown(pass) {
            break;
        }
        all *= passes(trace, pass.execution)?.0;
    }
    Some(all)
}

/// How often the body of a loop runs, and how many of these passes were followed.
fn passes(trace: &Trace, execution: u32) -> Option<(f64, f64)> {
    let all = trace.notes.passes.iter();
    let of_loop: Vec<&Pass> = all.filter(|pass| pass.execution == execution).collect();
    // A loop that is taken once by default is there to be taken more often.
    if of_loop.len() < 2 || !of_loop.iter().all(|pass| pass.known_trips) {
        return None;
    }
    let followed = of_loop.len() as f64;
    let trips = trace
        .notes
        .trips
        .get(&execution)
        .map_or(followed, |it| *it as f64);
    Some((trips.max(followed), followed))
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
