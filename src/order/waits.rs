//! Waits that need no deadlock to be wrong: read once, satisfied by nothing, or resting on two streams that run at once.

use std::collections::BTreeSet;

use super::happens::{Happens, Moment, Trust};
use super::simulate::{Releaser, Simulation, releasers_of, resets_itself, writes_of};
use super::{EventRef, Verdict};
use crate::api::Operation;
use crate::facts::ir::{ExprKind, Init};
use crate::program::kernels::{KernelSummary, LoadKind, PlaceBase, WaitLoop};
use crate::program::{GlobalId, Program};
use crate::trace::notes::Opaque;
use crate::trace::{Action, Awaited, Base, Call, Location, Step, ThreadId, Trace, Wait, WorkKind, Write};

/// A kernel whose waiting loop reads memory once, launched before anything writes what it waits for.
#[derive(Clone, Debug)]
pub struct StaleWait {
    /// The launch.
    pub waiting: EventRef,
    /// Which of its waits.
    pub wait: u32,
    /// A write that comes too late.
    pub releaser: EventRef,
    /// That write certainly comes after the launch.
    pub certain: bool,
}

/// A wait that nothing on the path can end, and that the host waits for.
#[derive(Clone, Debug)]
pub struct LonelyWait {
    /// The operation that waits.
    pub waiting: EventRef,
    /// Which of its waits.
    pub wait: u32,
    /// Writes of the place, none of which ends it, and their values; the last ones first.
    pub writes: Vec<(EventRef, i64)>,
    /// A write that would have ended it, and the one that certainly overwrites it before the wait begins.
    pub overwritten: Option<(EventRef, EventRef)>,
}

/// A kernel that waits for another kernel in another stream, and nothing orders the two.
#[derive(Clone, Debug, PartialEq)]
pub struct UnpromisedWait {
    /// The launch that waits.
    pub waiting: EventRef,
    /// Which of its waits.
    pub wait: u32,
    /// The launch that releases it.
    pub releaser: EventRef,
}

/// The waits of a trace, with the event each belongs to.
fn waits(trace: &Trace) -> impl Iterator<Item = (EventRef, &Call, u32, &Wait)> {
    let threads = trace.threads.iter().enumerate();
    let events = threads.flat_map(|(thread, it)| {
        it.events.iter().enumerate().map(move |(index, event)| {
            let at = EventRef {
                thread: ThreadId(thread as u32),
                index: index as u32,
            };
            (at, event)
        })
    });
    events.flat_map(|(at, event)| {
        let call = match &event.action {
            Action::Call(call) => Some(&**call),
            _ => None,
        };
        call.into_iter().flat_map(move |call| {
            let waits = call.work.iter().flat_map(|work| &work.waits);
            waits
                .enumerate()
                .map(move |(number, wait)| (at, call, number as u32, wait))
        })
    })
}

/// Plain waits of kernels that are launched before their place is written.
pub(super) fn stale(trace: &Trace) -> Vec<StaleWait> {
    let plain: Vec<_> = waits(trace)
        .filter(|(_, _, _, wait)| wait.load == LoadKind::Plain)
        .collect();
    if plain.is_empty() {
        return Vec::new();
    }
    let bare = without_waits(trace);
    let order = Happens::new(&bare, Trust::MEASURED);
    let mut found = Vec::new();
    for (waiting, _, number, wait) in plain {
        let releasers = releasers_of(trace, waiting, wait);
        let written_first = |it: &Releaser| order.ordered(moment(trace, it.event), Moment::Device(waiting));
        if releasers.iter().any(|it| it.guess || written_first(it)) {
            continue;
        }
        let later = |it: &&Releaser| it.event.thread == waiting.thread && it.event.index > waiting.index;
        let certain = releasers.iter().find(later);
        if let Some(releaser) = certain.or(releasers.first()) {
            found.push(StaleWait {
                waiting,
                wait: number,
                releaser: releaser.event,
                certain: certain.is_some(),
            });
        }
    }
    found
}

/// Kernels that wait for kernels in other streams, with nothing that orders the two.
pub(super) fn unpromised(trace: &Trace) -> Vec<UnpromisedWait> {
    let fresh: Vec<_> = waits(trace)
        .filter(|(_, call, _, wait)| wait.load == LoadKind::Fresh && is_kernel(call))
        .collect();
    if fresh.is_empty() {
        return Vec::new();
    }
    let bare = without_waits(trace);
    let order = Happens::new(&bare, Trust::MEASURED);
    let mut found: Vec<UnpromisedWait> = Vec::new();
    for (waiting, call, number, wait) in fresh {
        let mut releasers = releasers_of(trace, waiting, wait);
        let cleared = |it: &Releaser| {
            let write = writes_of(&it.event.of(trace).action).get(it.write);
            !wait.is_known() && write.is_some_and(|it| it.value == Some(0))
        };
        // Nobody knows what is waited for, but cleared memory is how such a wait begins.
        releasers.retain(|it| {
            let before = order.ordered(Moment::Device(it.event), Moment::Device(waiting));
            !(before && cleared(it))
        });
        let device = |event: EventRef| match &event.of(trace).action {
            Action::Call(call) if is_kernel(call) => Some(&**call),
            _ => None,
        };
        let other_stream = |it: &Releaser| {
            device(it.event).is_some_and(|other| {
                let stream = |call: &Call| call.work.as_ref().map(|work| work.stream);
                stream(other) != stream(call) && trace.device_of(other) == trace.device_of(call)
            })
        };
        let known = |it: &Releaser| !it.guess && other_stream(it);
        let ended = |it: &Releaser| order.ordered(Moment::Device(it.event), Moment::Device(waiting));
        if releasers.is_empty() || !releasers.iter().all(known) || releasers.iter().any(ended) {
            continue;
        }
        let releaser = releasers[0].event;
        // Two kernels that wait for each other are one story.
        let told =
            |it: &UnpromisedWait| it.waiting == waiting || (it.waiting == releaser && it.releaser == waiting);
        if !found.iter().any(told) {
            found.push(UnpromisedWait {
                waiting,
                wait: number,
                releaser,
            });
        }
    }
    found
}

/// Waits that nothing on this path can end, on memory that nobody else can know of.
pub(super) fn lonely(program: &Program, trace: &Trace, lazy: bool) -> Vec<LonelyWait> {
    let starts_here = trace.executed.contains(&trace.entry) && program.is_program_start(trace.entry);
    if !starts_here || !trace.has_waits() || !is_closed(program, trace) {
        return Vec::new();
    }
    let order = Happens::new(trace, Trust::DOCUMENTED);
    let candidates: Vec<_> = waits(trace)
        .filter_map(|it| {
            let (waiting, _, _, wait) = it;
            let releasers = releasers_of(trace, waiting, wait);
            let spent: Option<Vec<_>> = releasers
                .iter()
                .map(|releaser| overwritten(trace, &order, releaser, waiting, wait))
                .collect();
            spent.map(|spent| (it, spent.last().copied()))
        })
        .collect();
    let mut found = Vec::new();
    for ((waiting, call, number, wait), overwritten) in candidates {
        if wait.last
            || wait.times > 1
            || !is_certain(program, call, wait)
            || !wait.locations().all(|place| {
                is_private(program, trace, place.base, wait) && !is_handed_out(trace, place.base)
            })
        {
            continue;
        }
        let mut writes = writes_to(trace, wait);
        writes.retain(|(_, value)| !wait.satisfied_by(*value));
        let initialised = |base: Base| base.global().is_some();
        let known = !writes.is_empty() || wait.locations().all(|it| initialised(it.base));
        if known && Simulation::host_needs(program, trace, lazy, waiting) {
            found.push(LonelyWait {
                waiting,
                wait: number,
                writes,
                overwritten,
            });
        }
    }
    found
}

/// Whether the path itself shows who ends each of its waits.
pub(super) fn all_ended_from_inside(trace: &Trace) -> bool {
    waits(trace).all(|(waiting, _, _, wait)| !releasers_of(trace, waiting, wait).is_empty())
}

/// A write that has ended before another one replaces its value, which has ended before the wait begins: both of them.
fn overwritten(
    trace: &Trace,
    order: &Happens<'_>,
    releaser: &Releaser,
    waiting: EventRef,
    wait: &Wait,
) -> Option<(EventRef, EventRef)> {
    let [Awaited { location: place, .. }] = wait.awaited.as_slice() else {
        return None;
    };
    // A kernel may leave its writes out.
    let is_sure = |action: &Action| match action {
        Action::Store(_) => true,
        Action::Call(call) => call.work.as_ref().is_some_and(|work| {
            matches!(
                work.kind,
                WorkKind::Memset | WorkKind::Copy | WorkKind::WriteValue
            )
        }),
        _ => false,
    };
    let replaces =
        |write: &Write| wait.kept_by(write) && !write.guess && is_same_place(&write.location, place);
    let comes_between = |event: &EventRef| {
        let action = &event.of(trace).action;
        is_sure(action)
            && super::simulate::writes_of(action).iter().any(replaces)
            && order.ordered(moment(trace, releaser.event), moment(trace, *event))
            && order.ordered(moment(trace, *event), Moment::Device(waiting))
    };
    let came_before = || {
        !super::queue::is_in_open_loop(trace, releaser.event)
            && order.ordered(moment(trace, releaser.event), Moment::Device(waiting))
    };
    let later = match resets_itself(trace, waiting, wait) && came_before() {
        true => waiting,
        false => super::event_refs(trace).find(comes_between)?,
    };
    (!releaser.guess).then_some((releaser.event, later))
}

/// One and the same element for sure.
fn is_same_place(one: &Location, other: &Location) -> bool {
    let steps = |location: &Location| -> Vec<Step> {
        let path = location.path.iter();
        path.filter(|it| **it != Step::Element(0)).cloned().collect()
    };
    one.base == other.base && steps(one) == steps(other) && !one.path.contains(&Step::Any)
}

/// The same path with nothing that waits on the device: what is ordered there is ordered without a spinner's help.
fn without_waits(trace: &Trace) -> Trace {
    let mut bare = trace.clone();
    let events = bare.threads.iter_mut().flat_map(|thread| &mut thread.events);
    for event in events {
        if let Action::Call(call) = &mut event.action
            && let Some(work) = &mut call.work
        {
            work.waits.clear();
        }
    }
    bare
}

/// A wait that something ends on another path of the same entry point, or may end on one nobody looked at, is not
/// lonely: which path a program takes may depend on what it waits for.
pub fn keep_lonely(traces: &[Trace], truncated: bool, verdicts: &mut [Verdict]) {
    let nobody = EventRef {
        thread: ThreadId(u32::MAX),
        index: u32::MAX,
    };
    // Where something would end a wait it is lonely only if that is overwritten there too.
    let same =
        |trace: &Trace, it: &LonelyWait, wait: &Wait| wait_of(trace, it).is_some_and(|it| it.at == wait.at);
    let ended: Vec<Vec<bool>> = traces
        .iter()
        .zip(verdicts.iter())
        .map(|(trace, verdict)| {
            let ends = |lonely: &LonelyWait| {
                let wait = wait_of(trace, lonely)?;
                Some(traces.iter().zip(verdicts.iter()).any(|(other, theirs)| {
                    !theirs.lonely_waits.iter().any(|it| same(other, it, wait))
                        && !releasers_of(other, nobody, wait).is_empty()
                }))
            };
            let lonely = verdict.lonely_waits.iter();
            lonely.map(|it| ends(it).unwrap_or(false)).collect()
        })
        .collect();
    for (verdict, ended) in verdicts.iter_mut().zip(ended) {
        let mut ended = ended.into_iter();
        verdict
            .lonely_waits
            .retain(|_| !truncated && !ended.next().unwrap_or(false));
    }
}

fn wait_of<'t>(trace: &'t Trace, lonely: &LonelyWait) -> Option<&'t Wait> {
    waits(trace)
        .find(|(event, _, number, _)| (*event, *number) == (lonely.waiting, lonely.wait))
        .map(|(.., wait)| wait)
}

/// Everything this path does to memory is known.
fn is_closed(program: &Program, trace: &Trace) -> bool {
    let known = |call: &Call| {
        let shares = call.api.is_some_and(|_| {
            ["Ipc", "Export", "ShareableHandle", "Import"]
                .iter()
                .any(|word| call.name.contains(word))
        });
        let library = call.api.is_some_and(|it| {
            use Operation as O;
            matches!(
                it.operation,
                O::LibraryCall
                    | O::CollectiveCall
                    | O::ThrustAlgorithm
                    | O::CubAlgorithm
                    | O::GraphUpdate
                    | O::GraphNodeUpdate
            )
        });
        !shares && !library
    };
    let events = trace.threads.iter().flat_map(|thread| &thread.events);
    trace.budgets_hit == 0
        && trace.assumptions.is_empty()
        && kernels_are_known(program, trace)
        && events
            .filter_map(|event| match &event.action {
                Action::Call(call) => Some(call),
                _ => None,
            })
            .all(|call| known(call))
}

/// All that the kernels of a path wait for and write is known.
pub(super) fn kernels_are_known(program: &Program, trace: &Trace) -> bool {
    super::event_refs(trace).all(|it| match &it.of(trace).action {
        Action::Call(call) => {
            let kernel = call.work.as_ref().and_then(|work| work.kernel.as_ref());
            kernel.is_none_or(|it| {
                let summary = it.function.and_then(|it| program.kernel(it));
                summary.is_some_and(is_complete)
            })
        }
        _ => true,
    })
}

fn is_complete(summary: &KernelSummary) -> bool {
    let known = |base: PlaceBase| base != PlaceBase::Unknown;
    !summary.incomplete && summary.writes.iter().all(|it| known(it.place.base))
}

/// The wait is certainly reached.
fn is_certain(program: &Program, call: &Call, wait: &Wait) -> bool {
    let Some(work) = call.work.as_ref().filter(|it| it.kind == WorkKind::Kernel) else {
        return true;
    };
    let function = work.kernel.as_ref().and_then(|it| it.function);
    let summaries = function.into_iter().flat_map(|it| program.kernel_summaries(it));
    let same = |it: &&WaitLoop| (it.file, it.span) == wait.at;
    let mut having = summaries
        .filter(|it| it.waits.iter().any(|it| same(&it)))
        .peekable();
    having.peek().is_some()
        && having.all(|it| {
            let mut waits = it.waits.iter().filter(same);
            waits.any(|it| it.certain && it.guards.is_empty())
        })
}

/// Memory made on this path, or a variable that nothing else mentions, whose first content is known.
pub(super) fn is_private(program: &Program, trace: &Trace, base: Base, wait: &Wait) -> bool {
    let named = |name: &str| {
        trace.notes.dormant.contains(name) || program.is_name_used_elsewhere(name, &trace.executed)
    };
    let last = wait
        .what
        .rsplit(['.', '>', '&', '*', '(', ' '])
        .next()
        .unwrap_or_default();
    let handle = last.split(['[', ')', '+']).next().unwrap_or_default().trim();
    match base {
        Base::Allocation(_) => !handle.is_empty() && !named(handle),
        Base::Global(id) | Base::Instance(id, _) => {
            !named(&program.global(id).variable.name)
                && first_value(program, id).is_some_and(|it| !wait.satisfied_by(it))
        }
        _ => false,
    }
}

/// A function nobody knows can get at an object.
pub(super) fn is_handed_out(trace: &Trace, base: Base) -> bool {
    let gets_at = |it: &Opaque| it.reaches.as_ref().is_none_or(|it| it.contains(&base));
    trace.notes.opaque.iter().any(gets_at)
}

/// What a variable holds when the program starts.
fn first_value(program: &Program, id: GlobalId) -> Option<i64> {
    let literal = |kind: &ExprKind| match kind {
        ExprKind::Int(value) => Some(*value),
        _ => None,
    };
    match &program.global(id).variable.init {
        None => Some(0),
        Some(Init::Value(value)) => literal(&value.kind),
        Some(Init::Parens(args)) => literal(&args.first()?.kind),
        Some(Init::Braces(items)) => items.first().map_or(Some(0), |it| literal(&it.value.kind)),
    }
}

/// The writes of the place and their values, the latest of each thread first.
pub(super) fn writes_to(trace: &Trace, wait: &Wait) -> Vec<(EventRef, i64)> {
    let mut found = Vec::new();
    for (thread, events) in trace.threads.iter().enumerate() {
        for (index, event) in events.events.iter().enumerate().rev() {
            let event_ref = EventRef {
                thread: ThreadId(thread as u32),
                index: index as u32,
            };
            let writes = super::simulate::writes_of(&event.action).iter();
            let values: BTreeSet<i64> = writes
                .filter(|write: &&Write| wait.touched_by(write))
                .filter_map(|write| write.value)
                .collect();
            found.extend(values.into_iter().map(|value| (event_ref, value)));
        }
    }
    found
}

fn moment(trace: &Trace, event: EventRef) -> Moment {
    match &event.of(trace).action {
        Action::Call(call) if call.work.is_some() => Moment::Device(event),
        _ => Moment::Host(event),
    }
}

fn is_kernel(call: &Call) -> bool {
    call.work.as_ref().is_some_and(|it| it.kind == WorkKind::Kernel)
}
