//! What happens once in a program and is timed with its kernels.

use std::collections::BTreeSet;

use super::{PathCase, Place, Problem, calls, is_kernel_work, is_part, is_whole, seen, text, warmth};
use crate::api::Operation;
use crate::order::EventRef;
use crate::trace::notes::Region;
use crate::trace::{Block, Call, WorkKind};

/// Setup that stands in the function that times, in a region that times kernels.
pub(super) fn setup(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    let trace = case.trace;
    let inside: Vec<(EventRef, &Call)> = calls(trace, region).collect();
    if !inside.iter().any(|(_, call)| is_kernel_work(call)) || is_whole(trace, region) {
        return None;
    }
    // A call that also launches is timed as a whole; a constructor that only allocates is setup.
    let works: BTreeSet<Place> = inside
        .iter()
        .filter(|(_, call)| is_kernel_work(call))
        .map(|(event, _)| seen(region, event.site(trace)))
        .collect();
    // What is timed for itself as well is timed on purpose.
    let itself = |event: EventRef| {
        trace.notes.regions.iter().any(|other| {
            is_part(other, region)
                && other.holds(event.index)
                && !calls(trace, other).any(|(_, call)| is_kernel_work(call))
        })
    };
    let own = |event: EventRef| !itself(event) && !works.contains(&seen(region, event.site(trace)));
    let is_setup = |it: &&(EventRef, &Call)| rank(it.1).is_some() && own(it.0);
    // Creating a handle costs most; giving memory back costs least.
    let worst = inside
        .iter()
        .filter(is_setup)
        .min_by_key(|(event, call)| (rank(call), *event))?;
    let end_to_end = is_end_to_end(&inside);
    const WHOLE: [&str; 6] = ["total", "overall", "whole", "offload", "offloading", "end"];
    if end_to_end && text::is_said(trace, region, &WHOLE) {
        return None;
    }
    Some(Problem::Setup {
        call: worst.0,
        end_to_end,
    })
}

/// Setup in the first of the passes that are timed: what is launched beside it is launched again later, without it.
pub(super) fn in_first_pass(case: &PathCase<'_>, region: &Region) -> Option<Problem> {
    const FEW: f64 = 100.0;
    let trace = case.trace;
    let inside: Vec<(EventRef, &Call)> = calls(trace, region).collect();
    if is_whole(trace, region) {
        return None;
    }
    let same = |a: EventRef, b: EventRef| a.site(trace) == b.site(trace);
    // `cache.lookup(n).execute(data)`: what is made is made in the call that works with it.
    let beside = |setup: EventRef, work: EventRef| {
        let (setup, work) = (seen(region, setup.site(trace)), seen(region, work.site(trace)));
        setup.0 == work.0 && work.1.start <= setup.1.start && setup.1.end <= work.1.end
    };
    let is_repeated = |setup: EventRef, work: EventRef| {
        let again = |it: &&(EventRef, &Call)| it.0 > work && same(it.0, work);
        setup < work && beside(setup, work) && inside.iter().filter(again).count() > 0
    };
    let is_first = |setup: EventRef| {
        let once = inside.iter().filter(|it| same(it.0, setup)).count() == 1;
        let works = || inside.iter().filter(|(_, call)| is_kernel_work(call));
        once && works().any(|work| is_repeated(setup, work.0))
    };
    let is_setup = |it: &&(EventRef, &Call)| rank(it.1).is_some_and(|rank| rank < FREES) && is_first(it.0);
    let worst = inside
        .iter()
        .filter(is_setup)
        .min_by_key(|(event, call)| (rank(call), *event))?;
    let few = warmth::launches_measured(trace, region).is_some_and(|all| all < FEW);
    few.then_some(Problem::Setup {
        call: worst.0,
        end_to_end: false,
    })
}

/// Giving memory back.
const FREES: u32 = 4;

/// Which calls are setup, the costliest first.
fn rank(call: &Call) -> Option<u32> {
    let api = call.api?;
    Some(match api.operation {
        _ if api.container => 2,
        Operation::ModuleLoad | Operation::Compile => 0,
        Operation::LibraryHandleCreate => 1,
        Operation::Allocate | Operation::AllocateManaged | Operation::GraphInstantiate => 2,
        Operation::AllocateHost | Operation::RegisterHost => 3,
        Operation::Free | Operation::FreeHost => FREES,
        _ => return None,
    })
}

/// Memory goes to the device, is worked on and comes back: the whole way is timed, on purpose for all one knows.
fn is_end_to_end(inside: &[(EventRef, &Call)]) -> bool {
    let copies = inside.iter().filter(|(_, call)| {
        let copy = call.work.as_ref().is_some_and(|work| work.kind == WorkKind::Copy);
        copy && call.api.is_some()
    });
    let waits = |call: &Call| call.blocks != Block::None;
    copies.clone().count() >= 2 || copies.clone().any(|(_, call)| waits(call))
}
