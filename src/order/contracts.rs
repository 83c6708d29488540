//! What a function does for who hands it a stream, as far as its paths show: the contract that a header could print.

use std::collections::BTreeSet;

use super::EventRef;
use crate::api;
use crate::program::FileId;
use crate::syntax::Span;
use crate::trace::{Block, Call, LEGACY, Mode, StreamId, ThreadId, Trace, Work, WorkKind};

/// The contract of one function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contract {
    /// Its streams, in the user's words: those it is handed, or those of its object.
    pub streams: BTreeSet<String>,
    /// What it is handed and reads in them.
    pub reads: BTreeSet<String>,
    /// What it is handed and writes in them.
    pub writes: BTreeSet<String>,
    /// What of its work is done when it returns.
    pub returns: Returns,
    /// Work it enqueues in other streams.
    pub elsewhere: BTreeSet<Elsewhere>,
    /// Calls that a capture of its stream would refuse.
    pub forbidden: BTreeSet<Forbidden>,
    /// Functions that nobody sees, and that are handed its stream.
    pub unseen: BTreeSet<String>,
}

/// What of the work of a function is done when it returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Returns {
    /// It enqueues no work in its stream.
    #[default]
    NoWork,
    /// It returns at once: its work may be under way.
    AtOnce,
    /// On some paths it waits.
    Sometimes,
    /// It waits for all its work.
    WhenDone,
}

impl Returns {
    fn with(self, other: Returns) -> Returns {
        match (self, other) {
            (Returns::NoWork, it) | (it, Returns::NoWork) => it,
            (one, other) if one == other => one,
            _ => Returns::Sometimes,
        }
    }
}

/// Work in another stream.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Elsewhere {
    /// The call or kernel.
    pub work: String,
    /// The stream; none for the legacy default stream.
    pub stream: Option<String>,
}

/// A call that a capture refuses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Forbidden {
    /// Where it is.
    pub at: (FileId, Span),
    /// Its name.
    pub call: String,
    /// It is allowed in relaxed mode.
    pub relaxed: bool,
}

impl Contract {
    /// What the paths of a function come to; none where none of them makes a call of CUDA, or knows a stream of the caller's.
    pub fn of(traces: &[Trace]) -> Option<Contract> {
        let mut contract = Contract::default();
        let mut calls = false;
        for trace in traces.iter().filter(|it| !it.has_waits()) {
            calls |= super::event_refs(trace).any(|it| it.call(trace).is_some());
            contract.add(trace);
        }
        let says_anything = calls || !contract.unseen.is_empty();
        (says_anything && !contract.streams.is_empty()).then_some(contract)
    }

    fn add(&mut self, trace: &Trace) {
        let given = given(trace);
        let name = |stream: StreamId| trace.streams[stream.0 as usize].name.clone();
        self.streams.extend(trace.notes.promise.streams.iter().cloned());
        self.streams.extend(given.iter().map(|it| name(*it)));
        let begin = trace.notes.promise.begin;
        let own = |it: &EventRef| it.thread != ThreadId(0) || it.index >= begin;
        let events: Vec<EventRef> = super::event_refs(trace).filter(own).collect();
        let calls = events.iter().filter_map(|it| Some((*it, it.call(trace)?)));
        let (mut last, mut waited) = (None, None);
        // Who asks may do something else while it captures.
        let mut asks = false;
        for (event, call) in calls {
            if let Some(work) = call.work.as_ref().filter(|it| is_work(it)) {
                match given.contains(&work.stream) {
                    true => {
                        last = Some(event);
                        self.note_accesses(trace, work);
                    }
                    false => {
                        self.elsewhere.insert(Elsewhere {
                            work: call.name.clone(),
                            stream: (work.stream != LEGACY).then(|| name(work.stream)),
                        });
                    }
                }
            }
            if waits_for(call, &given) {
                waited = Some(event);
            }
            asks |= call
                .api
                .is_some_and(|it| it.operation == api::Operation::CaptureQuery);
            if !asks {
                self.note_forbidden(trace, event, call);
            }
        }
        let returns = match (last, waited) {
            (None, _) => Returns::NoWork,
            (Some(last), Some(waited)) if last <= waited => Returns::WhenDone,
            _ => Returns::AtOnce,
        };
        self.returns = self.returns.with(returns);
        let handed = |it: &&crate::trace::notes::Opaque| given.iter().any(|given| it.streams.contains(given));
        let unseen = trace.notes.opaque.iter().filter(handed);
        self.unseen.extend(unseen.map(|it| it.name.clone()));
    }

    fn note_accesses(&mut self, trace: &Trace, work: &Work) {
        for access in &work.accesses {
            if !trace.notes.promise.memory.contains(&access.location.base) || access.what.is_empty() {
                continue;
            }
            match access.mode {
                Mode::Write => self.writes.insert(access.what.clone()),
                Mode::Read => self.reads.insert(access.what.clone()),
                _ => false,
            };
        }
    }

    fn note_forbidden(&mut self, trace: &Trace, event: EventRef, call: &Call) {
        let Some(api) = call.api else { return };
        let relaxed = match api.capture {
            api::Capture::Unsafe => true,
            api::Capture::Prohibited | api::Capture::Legacy => false,
            api::Capture::Legal | api::Capture::Captured => return,
        };
        self.forbidden.insert(Forbidden {
            at: event.at(trace),
            call: call.name.clone(),
            relaxed,
        });
    }
}

/// The streams of the caller.
fn given(trace: &Trace) -> BTreeSet<StreamId> {
    let streams = trace.streams.iter().enumerate().skip(1);
    let of_caller =
        streams.filter(|(_, it)| !it.created && (it.handed_in.is_some() || it.kept || it.own.is_some()));
    of_caller.map(|(index, _)| StreamId(index as u32)).collect()
}

/// Whether something is done, rather than ordered.
fn is_work(work: &Work) -> bool {
    !matches!(work.kind, WorkKind::Record(_) | WorkKind::WaitEvent(_))
}

/// Whether the host waits for the work of one of the streams.
fn waits_for(call: &Call, given: &BTreeSet<StreamId>) -> bool {
    match call.waits_for() {
        Block::Stream(stream) => given.contains(&stream),
        Block::OwnWork => call.work.as_ref().is_some_and(|it| given.contains(&it.stream)),
        Block::Device | Block::Event(_) => true,
        _ => false,
    }
}
