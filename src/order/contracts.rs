//! What functions do for who hands them a stream, as far as their paths show: the contract that a header could print.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::EventRef;
use super::happens::{Happens, Moment, Trust};
use super::promises::callers_work;
use crate::api::{self, Operation};
use crate::diagnostics::Location;
use crate::facts::ir::{Role, Target};
use crate::program::{FileId, FunctionId, Program};
use crate::syntax::Span;
use crate::trace::{self, Effort, LEGACY, Mode, Site, Stream, StreamId, ThreadId, Trace, Work};

/// The contract of one function.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Its qualified name.
    pub function: String,
    /// The names of its parameters; empty ones where they have none.
    pub parameters: Vec<String>,
    /// Where it is declared, in a file that was asked for if possible.
    pub at: Location,
    /// What it does.
    pub deeds: Deeds,
    /// Every path was followed to its end, and every function that is handed the stream is seen.
    pub complete: bool,
}

/// What a function does.
#[derive(Clone, Debug, Default)]
pub struct Deeds {
    /// The caller's streams, in the user's words: those it is handed, or those its object was made for.
    pub streams: BTreeSet<String>,
    /// What it is handed and reads in them.
    pub reads: BTreeSet<String>,
    /// What it is handed and writes in them.
    pub writes: BTreeSet<String>,
    /// What of its work in them is done when it returns.
    pub returns: Returns,
    /// Work it enqueues in other streams.
    pub elsewhere: BTreeSet<Elsewhere>,
    /// Calls that a capture of its stream would refuse.
    pub refused: BTreeSet<Refused>,
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
pub struct Refused {
    /// Where it is.
    pub at: Location,
    /// Its name.
    pub call: String,
    /// It is allowed in relaxed mode.
    pub relaxed: bool,
}

/// Functions that anybody may call and that work for a stream of his, declared or defined in these files (all of the project for
/// `None`).
pub fn offered(program: &Program, named: Option<&BTreeSet<FileId>>) -> Vec<FunctionId> {
    let is_named = |file: FileId| named.is_none_or(|it| it.contains(&file));
    let is_offered = |id: &FunctionId| {
        let function = program.function(*id);
        matches!(function.role, Role::Function | Role::Method)
            && matches!(function.target, Target::Host | Target::HostDevice)
            && function.defined
            && !function.internal
            && !program.is_main(*id)
            && program.is_public(*id)
    };
    let stands_there =
        |id: &FunctionId| is_named(id.file) || program.declarations_of(*id).any(|it| is_named(it.file));
    let all = program.own_functions();
    let all = all.filter(|it| program.works_for_stream(*it) && is_offered(it));
    all.filter(stands_there).collect()
}

/// The contract of a function; none where no path of it makes a call of CUDA, or knows a stream of the caller's.
pub fn contract_of(program: &Program, id: FunctionId, named: Option<&BTreeSet<FileId>>) -> Option<Contract> {
    let tracing = trace::trace_entry(program, id, Effort::OF_PROMISE);
    let mut deeds = Deeds::default();
    let mut calls = false;
    for trace in tracing.traces.iter().filter(|it| !it.has_waits()) {
        calls |= super::event_refs(trace).any(|it| it.call(trace).is_some());
        deeds.add(program, trace);
    }
    if deeds.streams.is_empty() || !calls && deeds.unseen.is_empty() {
        return None;
    }
    let function = program.function(id);
    let is_named = |it: &FunctionId| named.is_none_or(|files| files.contains(&it.file));
    let shown = program.declarations_of(id).find(is_named).unwrap_or(id);
    Some(Contract {
        function: function.path.join("::"),
        parameters: function.params.iter().map(|it| it.name.clone()).collect(),
        at: location(program, (shown.file, program.function(shown).name_span)),
        complete: !tracing.truncated && deeds.unseen.is_empty(),
        deeds,
    })
}

fn location(program: &Program, (file, span): (FileId, Span)) -> Location {
    Location {
        path: Arc::clone(&program.source(file).path),
        span,
    }
}

impl Deeds {
    /// What one more path comes to.
    fn add(&mut self, program: &Program, trace: &Trace) {
        let given = given(trace);
        let name = |stream: StreamId| trace.streams[stream.0 as usize].name.clone();
        self.streams.extend(trace.notes.promise.streams.iter().cloned());
        self.streams.extend(given.iter().map(|it| name(*it)));
        let begin = trace.notes.promise.begin;
        let own = |it: &EventRef| it.thread != ThreadId(0) || it.index >= begin;
        let mut works = Vec::new();
        // Who asks may do something else while it captures.
        let mut asks = false;
        for event in super::event_refs(trace).filter(own) {
            let Some(call) = event.call(trace) else { continue };
            if let Some(work) = call.work.as_ref().filter(|it| !it.kind.is_marker()) {
                if given.contains(&work.stream) {
                    works.push(event);
                    self.note_accesses(trace, work);
                } else {
                    self.elsewhere.insert(Elsewhere {
                        work: call.name.clone(),
                        stream: (work.stream != LEGACY).then(|| name(work.stream)),
                    });
                }
            }
            let Some(api) = call.api else { continue };
            asks |= api.operation == Operation::CaptureQuery;
            if let Some(relaxed) = refused(api).filter(|_| !asks) {
                self.refused.insert(Refused {
                    at: location(program, event.at(trace)),
                    call: call.name.clone(),
                    relaxed,
                });
            }
        }
        self.returns = self.returns.with(returns(trace, &works));
        let mut unseen: Vec<_> = trace.notes.opaque.iter().collect();
        unseen.retain(|it| given.iter().any(|given| it.streams.contains(given)));
        self.unseen.extend(unseen.into_iter().map(|it| it.name.clone()));
    }

    fn note_accesses(&mut self, trace: &Trace, work: &Work) {
        let memory = &trace.notes.promise.memory;
        let theirs = work
            .accesses
            .iter()
            .filter(|it| memory.contains(&it.location.base));
        for access in theirs.filter(|it| !it.what.is_empty()) {
            match access.mode {
                Mode::Write => self.writes.insert(access.what.clone()),
                Mode::Read => self.reads.insert(access.what.clone()),
                _ => false,
            };
        }
    }
}

/// The streams of the caller: what he hands in, and only where that is nothing what is kept in objects that he hands in.
fn given(trace: &Trace) -> BTreeSet<StreamId> {
    let those = |is_given: fn(&Stream) -> bool| -> BTreeSet<StreamId> {
        let streams = trace.streams.iter().enumerate().skip(1);
        let of_caller = streams.filter(|(_, it)| !it.created && is_given(it));
        of_caller.map(|(index, _)| StreamId(index as u32)).collect()
    };
    let handed = those(|it| it.handed_in.is_some());
    match handed.is_empty() && trace.notes.promise.streams.is_empty() {
        true => those(|it| it.kept),
        false => handed,
    }
}

/// What of some work is done when a path ends, as far as documents promise.
fn returns(trace: &Trace, works: &[EventRef]) -> Returns {
    if works.is_empty() {
        return Returns::NoWork;
    }
    let mut view = trace.clone();
    let site = Site {
        file: trace.entry.file,
        span: Span::default(),
        frames: Arc::from([]),
    };
    let end = EventRef {
        thread: ThreadId(0),
        index: view.threads[0].events.len() as u32,
    };
    view.threads[0].events.push(callers_work(LEGACY, &site));
    let order = Happens::new(&view, Trust::DOCUMENTED);
    let is_done = |it: &EventRef| order.ordered(Moment::Device(*it), Moment::Host(end));
    match works.iter().all(is_done) {
        true => Returns::WhenDone,
        false => Returns::AtOnce,
    }
}

/// Whether a capture refuses a call, and if so whether one in relaxed mode allows it.
fn refused(api: &api::Call) -> Option<bool> {
    match api.capture {
        api::Capture::Unsafe => Some(true),
        api::Capture::Prohibited | api::Capture::Legacy => Some(false),
        api::Capture::Legal | api::Capture::Captured => None,
    }
}
