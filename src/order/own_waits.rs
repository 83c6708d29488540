//! Waits of a stream for an event that stands for nothing but this stream's own work: they order nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::{EventRef, event_refs};
use crate::facts::ir::Span;
use crate::program::FileId;
use crate::trace::notes::Opaque;
use crate::trace::{
    Action, Block, EventId, LEGACY, Mode, StreamId, StreamKind, ThreadId, Trace, Work, WorkKind,
};

/// A place: a file and bytes of it.
type Place = (FileId, Span);

/// A wait that orders nothing: what was recorded comes first in its stream anyway.
#[derive(Clone, Copy, Debug)]
pub struct OwnWait {
    /// The record stands in a stream that waits for this one, before the first work behind that: where it waits, and the work.
    pub fork: Option<(EventRef, EventRef)>,
    /// The wait.
    pub wait: EventRef,
    /// The record it waits for.
    pub record: EventRef,
    /// The stream of both.
    pub stream: StreamId,
}

/// A wait of a stream for an event, and where that was recorded last before it.
struct Wait {
    at: EventRef,
    stream: StreamId,
    event: EventId,
    record: Option<(EventRef, StreamId)>,
}

/// All work of a path, in order.
fn works(trace: &Trace) -> Vec<(EventRef, &Work)> {
    let all = event_refs(trace).filter_map(|at| Some((at, at.work(trace)?)));
    all.collect()
}

/// All waits among some work.
fn waits(all: &[(EventRef, &Work)]) -> Vec<Wait> {
    let mut last: BTreeMap<EventId, (EventRef, StreamId)> = BTreeMap::new();
    let mut found = Vec::new();
    for (at, work) in all {
        match work.kind {
            WorkKind::Record(event) => {
                last.insert(event, (*at, work.stream));
            }
            WorkKind::WaitEvent(event) => found.push(Wait {
                at: *at,
                stream: work.stream,
                event,
                record: last.get(&event).copied(),
            }),
            _ => {}
        }
    }
    found
}

/// Such waits of a path, and the places that lead to waits for anything else.
pub fn own_waits(trace: &Trace) -> (Vec<OwnWait>, BTreeSet<Place>) {
    let recorders = recorders(trace);
    let (mut own, mut others) = (Vec::new(), BTreeSet::new());
    for wait in waits(&works(trace)) {
        let is_own =
            |it: &(EventRef, StreamId)| it.1 == wait.stream && recorders[&wait.event] == Some(wait.at.thread);
        match wait.record.filter(is_own) {
            Some((record, stream)) => own.push(OwnWait {
                fork: None,
                wait: wait.at,
                record,
                stream,
            }),
            None => others.extend(wait.at.site(trace).path()),
        }
    }
    (own, others)
}

/// Waits for a stream that was sent after this one's work and has done nothing since, where the event is recorded: the work that
/// it does before the wait is not waited for, and no later record of it is.
pub fn empty_joins(trace: &Trace) -> Vec<OwnWait> {
    let all = works(trace);
    let waits = all
        .iter()
        .filter(|(_, work)| matches!(work.kind, WorkKind::WaitEvent(_)));
    let mut found = Vec::new();
    for (wait, joined) in waits {
        let before = |it: &&(EventRef, &Work), end: EventRef| it.0.thread == end.thread && it.0 < end;
        let last = |kind: WorkKind, end: EventRef| {
            let mut earlier = all.iter().rev().filter(|it| before(it, end));
            earlier.find(|it| it.1.kind == kind)
        };
        let WorkKind::WaitEvent(event) = joined.kind else {
            continue;
        };
        let Some((record, recorded)) = last(WorkKind::Record(event), *wait) else {
            continue;
        };
        let fork = recorded.stream;
        if fork == joined.stream {
            continue;
        }
        // What comes last before the record in its stream: a wait for work of the other one.
        let mut earlier = all.iter().rev().filter(|it| before(it, *record));
        let Some((begin, begun)) = earlier.find(|it| it.1.stream == fork) else {
            continue;
        };
        let WorkKind::WaitEvent(begins) = begun.kind else {
            continue;
        };
        if last(WorkKind::Record(begins), *begin).is_none_or(|it| it.1.stream != joined.stream) {
            continue;
        }
        let between = all.iter().filter(|it| before(it, *wait) && it.0 > *record);
        let missed = between
            .into_iter()
            .find(|it| it.1.stream == fork && is_work(it.1));
        let is_marked = all
            .iter()
            .any(|it| it.0 > *record && it.1.stream == fork && it.1.kind.is_marker());
        if let Some((missed, _)) = missed
            && !is_marked
            && !is_waited_for(trace, *missed, fork)
        {
            found.push(OwnWait {
                fork: Some((*begin, *missed)),
                wait: *wait,
                record: *record,
                stream: joined.stream,
            });
        }
    }
    found
}

/// A wait of one stream for what was recorded in another one.
struct Fork {
    record: EventRef,
    stream: StreamId,
    wait: EventRef,
    side: StreamId,
}

/// Waits of a stream for another one that it waited for before, with its own work in between and nothing new in the other: there
/// is nothing more to wait for, and nobody waits for that work.
pub fn repeated_forks(trace: &Trace) -> Vec<OwnWait> {
    let all = works(trace);
    let forks: Vec<Fork> = waits(&all).iter().filter_map(fork).collect();
    let mut found = Vec::new();
    for (index, fork) in forks.iter().enumerate() {
        let Fork {
            record,
            stream,
            wait,
            side,
        } = fork;
        let is_same = |it: &&Fork| (it.stream, it.side, it.wait.thread) == (*stream, *side, wait.thread);
        let Some(first) = forks[..index].iter().rev().find(is_same) else {
            continue;
        };
        // The legacy default stream waits for others by itself: what is recorded there stands for their work, too.
        let joins_by_itself =
            |it: StreamId| *stream == LEGACY && trace.streams[it.0 as usize].kind != StreamKind::NonBlocking;
        let is_new = |(at, work): &(EventRef, &Work)| {
            let between = at.thread == wait.thread && first.record < *at && *at < *record;
            between
                && (work.stream == *stream || joins_by_itself(work.stream))
                && !matches!(work.kind, WorkKind::Record(_))
        };
        // Where the other one waits for this, too, the second wait is a join once more; and who is handed a stream leaves its work
        // there.
        let is_joined_to = |it: &Fork| (it.stream, it.side) == (*side, *stream);
        let of_caller = &trace.streams[side.0 as usize];
        let of_caller = of_caller.handed_in.is_some() || of_caller.carried;
        if of_caller || forks.iter().any(is_joined_to) || joins_by_itself(*side) || all.iter().any(is_new) {
            continue;
        }
        let own = || all.iter().rev().filter(|it| it.1.stream == *side);
        let missed = own().find(|it| first.wait < it.0 && it.0 < *wait && is_work(it.1));
        let mut later = own().filter(|it| it.0 > first.wait);
        let goes_on = later.any(|it| it.0 > *wait || matches!(it.1.kind, WorkKind::Record(_)));
        if let Some((missed, _)) = missed
            && !goes_on
            && !is_waited_for(trace, *missed, *side)
        {
            found.push(OwnWait {
                fork: Some((first.wait, *missed)),
                wait: *wait,
                record: *record,
                stream: *side,
            });
        }
    }
    found
}

/// A wait for what the same thread has recorded in another stream.
fn fork(wait: &Wait) -> Option<Fork> {
    let (record, stream) = wait
        .record
        .filter(|it| it.1 != wait.stream && it.0.thread == wait.at.thread)?;
    Some(Fork {
        record,
        stream,
        wait: wait.at,
        side: wait.stream,
    })
}

/// Neither a mark nor the end of memory.
pub(super) fn is_work(work: &Work) -> bool {
    let gives_up = |it: &crate::trace::Access| matches!(it.mode, Mode::Free | Mode::Allocate);
    matches!(
        work.kind,
        WorkKind::Kernel | WorkKind::Copy | WorkKind::Memset | WorkKind::Graph | WorkKind::Other
    ) && !work.accesses.iter().any(gives_up)
}

/// Whether the host may wait for work of a stream behind it.
fn is_waited_for(trace: &Trace, work: EventRef, stream: StreamId) -> bool {
    let waits = |at: EventRef| match &at.of(trace).action {
        Action::Call(call) => match call.waits_for() {
            Block::None => false,
            // A stream nobody knows may be any.
            Block::Stream(it) | Block::StreamAnswered(it) => {
                it == stream || !trace.streams.get(it.0 as usize).is_some_and(|it| it.created)
            }
            Block::OwnWork | Block::PerhapsOwnWork => {
                call.work.as_ref().is_some_and(|it| it.stream == stream)
            }
            _ => true,
        },
        _ => false,
    };
    event_refs(trace).any(|at| at >= work && waits(at)) || is_seen_by_others(trace, work, stream)
}

/// Whether something nobody knows may wait for work of a stream behind it.
pub(super) fn is_seen_by_others(trace: &Trace, work: EventRef, stream: StreamId) -> bool {
    let unseen = |it: &Opaque| {
        it.thread == work.thread && it.position >= work.index && (it.unbound || it.streams.contains(&stream))
    };
    trace.notes.opaque.iter().any(unseen)
}

impl OwnWait {
    /// Where the record and the wait stand in the innermost function that holds both: each as outer calls lead to inner ones
    /// in the text of that function.
    pub fn places(&self, trace: &Trace) -> Option<(Vec<Place>, Vec<Place>)> {
        let (record, wait) = (self.record.site(trace).path(), self.wait.site(trace).path());
        let shared = record.iter().zip(&wait).take_while(|(a, b)| a == b).count();
        let inside = |path: &[Place]| -> Vec<Place> {
            let mut outer: Option<Place> = None;
            let within = |it: &&Place| {
                let holds = outer.is_none_or(|(file, span)| {
                    file == it.0 && span.start <= it.1.start && it.1.end <= span.end
                });
                outer = Some(**it);
                holds
            };
            path.iter().take_while(within).copied().collect()
        };
        let (record, wait) = (inside(record.get(shared..)?), inside(wait.get(shared..)?));
        (!record.is_empty() && !wait.is_empty()).then_some((record, wait))
    }

    /// Whether other streams of the path have work, too: where there is one, nothing could be ordered.
    pub fn has_others(&self, trace: &Trace) -> bool {
        event_refs(trace).any(|it| it.work(trace).is_some_and(|it| it.stream != self.stream))
    }
}

/// The thread that records an event, where it is one.
fn recorders(trace: &Trace) -> BTreeMap<EventId, Option<ThreadId>> {
    let mut found: BTreeMap<EventId, Option<ThreadId>> = BTreeMap::new();
    for at in event_refs(trace) {
        if let Some(WorkKind::Record(event)) = at.work(trace).map(|it| it.kind) {
            let known = found.entry(event).or_insert(Some(at.thread));
            *known = known.filter(|it| *it == at.thread);
        }
    }
    found
}
