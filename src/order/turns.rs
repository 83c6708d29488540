//! Streams that take turns: the host waits for the work of one before it gives the next one any, so that they never overlap.

use std::collections::{BTreeMap, BTreeSet};

use super::EventRef;
use super::separators::touches_nothing;
use crate::api::Operation;
use crate::facts::ir::Span;
use crate::program::{FileId, Program};
use crate::trace::{
    Access, Action, Base, Block, Call, EventId, Mode, StreamId, ThreadId, Trace, Work, WorkKind,
};

/// A wait that keeps two streams apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Work in the first stream.
    pub earlier: EventRef,
    /// The host waits for that stream.
    pub wait: EventRef,
    /// The first work in the other stream.
    pub later: EventRef,
}

/// What one stream was given until the host waited for it, while none of those made with it had anything to do.
struct Round {
    stream: StreamId,
    works: Vec<EventRef>,
    /// Where the host waits.
    wait: Option<EventRef>,
    /// The host needs what it waited for before the next stream gets work.
    needed: bool,
}

/// All rounds of a thread.
struct Rounds {
    all: Vec<Round>,
    /// Where streams were made some of which do have work at the same time.
    overlapping: BTreeSet<(FileId, Span)>,
}

/// The waits of a trace that keep streams apart that were made by one call, for the same reason in two rounds and for no other that
/// is known: neither memory nor the host, and no clock, asks for it.
pub fn turns(program: &Program, trace: &Trace) -> Vec<Turn> {
    let created = trace.streams.iter().filter(|it| it.created).count();
    if created < 2 || trace.launch_blocking || trace.has_waits() {
        return Vec::new();
    }
    let threads = (0..trace.threads.len() as u32).map(ThreadId);
    threads.flat_map(|it| of_thread(program, trace, it)).collect()
}

fn of_thread(program: &Program, trace: &Trace, thread: ThreadId) -> Vec<Turn> {
    let Rounds { all, overlapping } = rounds(trace, thread);
    let mut found: Vec<Turn> = Vec::new();
    for pair in all.windows(2) {
        let [first, second] = pair else { continue };
        let (Some(wait), Some(next)) = (first.wait, second.wait) else {
            continue;
        };
        let (one, other) = (wait.site(trace), next.site(trace));
        let again = (one.file, one.span, &one.frames) == (other.file, other.span, &other.frames);
        let made = made_at(trace, first.stream);
        let device = |round: &Round| trace.streams[round.stream.0 as usize].device;
        let apart = first.stream != second.stream
            && device(first) == device(second)
            && made == made_at(trace, second.stream)
            && made.is_some_and(|it| !overlapping.contains(&it));
        if first.needed || !again || !apart {
            continue;
        }
        let busy = |round: &Round| round.works.iter().copied().rfind(|it| is_busy(trace, *it));
        let asked_for = || {
            let works = |round: &Round| -> Vec<&Work> {
                round.works.iter().filter_map(|it| it.work(trace)).collect()
            };
            let (before, behind) = (works(first), works(second));
            before.iter().any(|a| behind.iter().any(|b| needs(program, b, a)))
        };
        let (Some(earlier), Some(_)) = (busy(first), busy(second)) else {
            continue;
        };
        if !found.iter().any(|it| it.wait.at(trace) == wait.at(trace)) && !asked_for() {
            let later = second.works[0];
            found.push(Turn { earlier, wait, later });
        }
    }
    found
}

/// What the streams of a thread are given between the waits of the host, each while the others have nothing to do.
fn rounds(trace: &Trace, thread: ThreadId) -> Rounds {
    let mut rounds: Vec<Round> = Vec::new();
    let mut overlapping = BTreeSet::new();
    let mut pending: BTreeMap<StreamId, Vec<EventRef>> = BTreeMap::new();
    let mut recorded: BTreeMap<EventId, StreamId> = BTreeMap::new();
    let opaque: BTreeSet<u32> = trace
        .notes
        .opaque
        .iter()
        .filter(|it| it.thread == thread)
        .map(|it| it.position)
        .collect();
    let regions = trace.notes.regions.iter().filter(|it| it.thread == thread);
    let clocks: BTreeSet<u32> = regions
        .flat_map(|it| [it.start.position, it.stop.position])
        .collect();
    let events = &trace.threads[thread.0 as usize].events;
    for (index, event) in events.iter().enumerate() {
        let at = EventRef {
            thread,
            index: index as u32,
        };
        if opaque.contains(&at.index) || clocks.contains(&at.index) {
            need(&mut rounds);
        }
        let call = match &event.action {
            Action::Call(call) => call,
            Action::Touch(access) => {
                let meets = |it: &Access| access.mode == Mode::Free || it.may_conflict(access);
                if uses(trace, rounds.last(), access.location.base, &meets) {
                    need(&mut rounds);
                }
                continue;
            }
            Action::Store(write) => {
                if uses(trace, rounds.last(), write.location.base, &|_| true) {
                    need(&mut rounds);
                }
                continue;
            }
            Action::Lock(_) | Action::Unlock(_) => continue,
            Action::HostWait { .. } | Action::Spawn(_) | Action::Join(_) => {
                need(&mut rounds);
                continue;
            }
        };
        if let Some((event, stream)) = at.recorded(trace) {
            recorded.insert(event, stream);
        }
        let stream = call.work.as_ref().map(|it| it.stream);
        let is_one = |it: &StreamId| trace.streams[it.0 as usize].created && is_given(call);
        if let Some(stream) = stream.filter(is_one) {
            let made = made_at(trace, stream);
            let mut others = pending
                .iter()
                .filter(|it| *it.0 != stream && made_at(trace, *it.0) == made);
            if is_busy(trace, at) && others.any(|it| it.1.iter().any(|it| is_busy(trace, *it))) {
                overlapping.extend(made);
            }
            pending.entry(stream).or_default().push(at);
        } else if call.waits_for() == Block::None && may_need(call) {
            need(&mut rounds);
        }
        let waited = match call.waits_for() {
            Block::None => continue,
            Block::Stream(stream) => Some(stream),
            Block::Event(event) => recorded.get(&event).copied(),
            // How long a copy holds the host depends on the memory.
            Block::OwnWork if is_busy(trace, at) => stream,
            _ => None,
        };
        let given = waited.and_then(|it| Some((it, pending.remove(&it)?)));
        let Some((stream, works)) = given else {
            pending.clear();
            need(&mut rounds);
            continue;
        };
        let family = made_at(trace, stream);
        let alone = pending.keys().all(|it| made_at(trace, *it) != family);
        // A stream that is waited for again is still at its turn.
        match rounds.last_mut().filter(|it| it.stream == stream && alone) {
            Some(same) => {
                same.works.extend(works);
                same.wait = Some(at);
                same.needed = false;
            }
            None => rounds.push(Round {
                stream,
                works,
                wait: alone.then_some(at),
                needed: false,
            }),
        }
    }
    Rounds {
        all: rounds,
        overlapping,
    }
}

fn need(rounds: &mut [Round]) {
    if let Some(last) = rounds.last_mut() {
        last.needed = true;
    }
}

/// Whether a call gives its stream something to do.
fn is_given(call: &Call) -> bool {
    call.work.as_ref().is_some_and(|it| {
        matches!(
            it.kind,
            WorkKind::Kernel | WorkKind::Graph | WorkKind::Copy | WorkKind::Memset | WorkKind::Other
        )
    })
}

/// Whether a call may be what the host waited for: it is about a time or an answer, gives memory back, or works elsewhere.
fn may_need(call: &Call) -> bool {
    use Operation as O;
    let is_order = |it: &Work| it.kind.is_marker();
    let asks = call.api.is_some_and(|it| {
        matches!(
            it.operation,
            O::EventElapsedTime
                | O::EventQuery
                | O::StreamQuery
                | O::StreamDestroy
                | O::Free
                | O::FreeHost
                | O::UnregisterHost
        )
    });
    asks || call.work.as_ref().is_some_and(|it| !is_order(it))
}

/// Whether a call takes the device long enough for others to run beside it: more than a copy, a fill or memory.
fn is_busy(trace: &Trace, at: EventRef) -> bool {
    let Some(call) = at.call(trace) else {
        return false;
    };
    let computes = |it: &Work| match it.kind {
        WorkKind::Kernel | WorkKind::Graph => true,
        WorkKind::Other => call.api.is_some_and(|it| {
            matches!(
                it.operation,
                Operation::LibraryCall | Operation::ThrustAlgorithm | Operation::CubAlgorithm
            )
        }),
        _ => false,
    };
    call.work.as_ref().is_some_and(computes)
}

/// Whether memory asks for the order of two pieces of work: where nothing is known of what one uses, it may. Work from two places of an
/// array on is taken for work on two parts of it.
fn needs(program: &Program, second: &Work, first: &Work) -> bool {
    if touches_nothing(program, first) || touches_nothing(program, second) {
        return false;
    }
    let (mine, theirs) = (&second.accesses, &first.accesses);
    mine.is_empty()
        || theirs.is_empty()
        || mine
            .iter()
            .any(|it| theirs.iter().any(|other| it.conflicts(other)))
}

/// Whether the work of a round has an access to a piece of memory that meets what the host does there: that is what it waits for.
fn uses(trace: &Trace, round: Option<&Round>, base: Base, meets: &dyn Fn(&Access) -> bool) -> bool {
    let works = round.map_or(&[][..], |it| &it.works);
    let works = works.iter().filter_map(|it| it.work(trace));
    works
        .flat_map(|it| &it.accesses)
        .any(|it| it.location.base == base && meets(it))
}

/// The call that made a stream.
fn made_at(trace: &Trace, stream: StreamId) -> Option<(FileId, Span)> {
    let site = trace.streams[stream.0 as usize].made.as_ref()?;
    Some((site.file, site.span))
}
