//! What a path shows beside its events: timed regions, passes of loops, unknown calls, pageable copies.
//!
//! A position is an index into the events of a thread: what was recorded before it happens before it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::callbacks::Callback;
use super::capture::Captures;
use super::launches::Launch;
use super::observe::Observation;
use super::{Base, Location, Site, Step, StreamId, ThreadId, Trace, Wait};
use crate::api;
use crate::program::{FileId, FunctionId};
use crate::syntax::Span;

/// Everything noted on one path.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Stretches of a thread that are timed, in the order in which their ends are found.
    pub regions: Vec<Region>,
    /// Passes of loops, in the order in which they end.
    pub passes: Vec<Pass>,
    /// How often the body of a loop runs in all, where that is known and more than was followed: by execution.
    pub trips: BTreeMap<u32, u64>,
    /// Calls of functions that are not in the project and not known to be harmless.
    pub opaque: Vec<Opaque>,
    /// Calls that lead to events and were not followed, or not to their end, by thread and position.
    pub lost: Vec<(ThreadId, u32)>,
    /// Names in lambdas that were made and never called.
    pub dormant: BTreeSet<String>,
    /// Where a condition nobody knows decides what happens, by thread and position.
    pub decisions: Vec<(ThreadId, u32)>,
    /// The first event before which a number was given up on.
    pub first_loss: Option<(ThreadId, u32)>,
    /// Stretches of a thread that do not happen where a condition nobody knows lets control leave before them: from one
    /// position to another.
    pub doubts: Vec<(ThreadId, u32, u32)>,
    /// Where something is printed, by thread and position.
    pub prints: Vec<(ThreadId, u32)>,
    /// Times that somebody gets to see, in order.
    pub shown: Vec<Shown>,
    /// Host functions handed to CUDA, in the order in which they are enqueued.
    pub callbacks: Vec<Callback>,
    /// Launches of kernels that wait, or that have a barrier over their grid.
    pub launches: Vec<Launch>,
    /// Waits of kernels that end by themselves if nobody ends them, by thread and position of the launch.
    pub stalls: Vec<Stall>,
    /// Asynchronous copies whose host side is pageable, by thread and position.
    pub pageable: BTreeMap<(ThreadId, u32), Pageable>,
    /// Pageable memory that a batch of copies was told to read when its stream gets there, by thread and position.
    pub deferred: BTreeSet<(ThreadId, u32, Base)>,
    /// Which communicator a collective is called on, or a rank joins, by thread and position: equal numbers are one for sure.
    pub communicators: BTreeMap<(ThreadId, u32), u32>,
    /// Ends of pageable memory that an asynchronous copy was enqueued from.
    pub source_ends: Vec<SourceEnd>,
    /// Stream captures, and launches of the graphs made by them.
    pub captures: Captures,
    /// What the caller of the entry point handed in.
    pub promise: Promise,
    /// Waits of condition variables that look at a condition when they are notified, by where they stand and what notifies them:
    /// what the condition reads.
    pub conditions: BTreeMap<((FileId, Span), Location), BTreeSet<Location>>,
    /// The path is one of a client nobody sees: what it calls.
    pub client: Option<String>,
    /// The streams that it hands over.
    pub client_streams: BTreeSet<StreamId>,
    /// What its calls do that know no stream, where others are handed one each time: events of the first thread.
    pub unordered_calls: Vec<Range<usize>>,
    /// Elements that such a client chooses, or may choose, by the numbers it hands over.
    pub asked_elements: BTreeSet<Step>,
    /// Calls of the function a test observes; always empty outside tests.
    pub observations: Vec<Observation>,
}

/// What the caller of an entry point hands in: its memory is ready for work in its streams, and is to be ready for more of
/// it afterwards.
#[derive(Clone, Debug, Default)]
pub struct Promise {
    /// Parameters that are streams, by their names.
    pub streams: Vec<String>,
    /// Streams among the fields of the object a method is called on.
    pub members: Vec<String>,
    /// How many events there were when the function began: its object was made before.
    pub begin: u32,
    /// What the caller's pointers lead to.
    pub memory: BTreeSet<Base>,
    /// What static and global variables lead to when the function ends, those of a single thread left out: it is the same at
    /// the next call.
    pub lasting: BTreeSet<Base>,
    /// What stands behind conditions on what may outlive the call, and changes that: it does not happen again.
    pub once: Vec<Once>,
    /// Events that somebody can wait for when the function has returned: they are no variables of its own.
    pub events: BTreeSet<super::EventId>,
    /// What the text of the function returns.
    pub returns: BTreeSet<Span>,
    /// Calls that get the default stream.
    pub forgotten: Vec<Forgotten>,
}

/// A stretch of a thread that changes what decided that it happens.
#[derive(Clone, Debug)]
pub struct Once {
    /// Thread.
    pub thread: ThreadId,
    /// Its first position, and the one behind it.
    pub events: (u32, u32),
    /// What it changes.
    pub by: BTreeSet<Base>,
}

/// A call in the text of the entry point of a function that takes a stream, and gets the default one.
#[derive(Clone, Debug)]
pub struct Forgotten {
    /// The call.
    pub site: (FileId, Span),
    /// The function.
    pub callee: FunctionId,
    /// What the call gets that the caller handed in, in the user's words.
    pub what: Option<String>,
    /// The function makes no use of its stream at all, and which one the call gets instead is not known.
    pub ignored: bool,
    /// Thread.
    pub thread: ThreadId,
    /// Position.
    pub position: u32,
}

/// A kernel's wait for somebody else that it gives up some time.
#[derive(Clone, Debug)]
pub struct Stall {
    /// Thread that launches.
    pub thread: ThreadId,
    /// Position of the launch among its events.
    pub position: u32,
    /// The wait.
    pub wait: Wait,
    /// A clock ends it, rather than a count of iterations.
    pub clock: bool,
}

/// A stretch of one thread between two readings whose difference is formed.
#[derive(Clone, Debug)]
pub struct Region {
    /// Thread that is timed.
    pub thread: ThreadId,
    /// How it is timed.
    pub clock: ClockKind,
    /// Where it begins.
    pub start: Mark,
    /// Where it ends.
    pub stop: Mark,
    /// Position in the thread at which the time is asked for: behind the end, where it is measured by events. `None` where
    /// the answer may be that it is not over yet.
    pub asked: Option<u32>,
}

/// A time that is printed, by itself or as a part of another number.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Thread that prints it.
    pub thread: ThreadId,
    /// Position.
    pub position: u32,
    /// The regions it is the sum of: indices into [`Notes::regions`], ascending.
    pub regions: Vec<u32>,
    /// The number is made of other times too: of a quotient, say.
    pub compared: bool,
    /// It may be another number as well: one of several was chosen, or the last of them is kept.
    pub chosen: bool,
    /// The text it is printed with.
    pub text: String,
}

/// How a region is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClockKind {
    /// By a clock of the host.
    Host,
    /// By two CUDA events; the marks are their records.
    Events,
}

/// One end of a region.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Position in the thread.
    pub position: u32,
    /// How many calls of functions nobody sees stand before it; among those at its position, the others come behind it.
    pub unseen: u32,
    /// Where the clock is read or the event recorded.
    pub site: Site,
}

/// One pass through the body of a loop.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Thread.
    pub thread: ThreadId,
    /// The loop statement.
    pub site: Site,
    /// The first position of the pass, and the one behind it.
    pub events: (u32, u32),
    /// Which execution of the loop: passes of one execution share it.
    pub execution: u32,
    /// How often the body runs, where every condition was known.
    pub known_trips: bool,
}

/// A call nobody knows.
#[derive(Clone, Debug)]
pub struct Opaque {
    /// Thread.
    pub thread: ThreadId,
    /// Position.
    pub position: u32,
    /// Name as written.
    pub name: String,
    /// It is handed a pointer or an object.
    pub hands_out: bool,
    /// Objects it can get at through what it is handed; `None` when that may be anything.
    pub reaches: Option<BTreeSet<Base>>,
    /// Streams it can get at that way.
    pub streams: BTreeSet<StreamId>,
    /// It is handed nothing, or a handle nobody knows: it may wait for anything.
    pub unbound: bool,
    /// It may know the caller's streams without being handed one: it is handed nothing, or an object or a handle the caller
    /// made, rather than numbers and what such an object leads to.
    pub knows_caller: bool,
    /// It is a function of the C or C++ library: none of them waits for a device.
    pub never_waits: bool,
    /// The call.
    pub site: Site,
}

impl Opaque {
    /// Whether it may wait for work of one of the caller's streams, of those it is handed, or on an object.
    pub fn may_wait_for_callers(&self, streams: &[StreamId], object: Base) -> bool {
        let of = |stream: &StreamId| self.may_wait_for(Some(*stream), Some(object));
        let knows = self.knows_caller || streams.iter().any(|stream| self.streams.contains(stream));
        knows && streams.iter().any(of)
    }

    /// It waits for no work of a device: a function of the standard library that is handed nothing to call, say.
    pub(super) fn is_prompt(&mut self) {
        self.never_waits = true;
        self.unbound = false;
        self.streams.clear();
        self.reaches = Some(BTreeSet::new());
    }

    /// A client wrote it: it waits for streams that it is handed, and knows none of those that the library keeps.
    pub(super) fn is_of_client(&mut self) {
        self.unbound = false;
        self.reaches = Some(BTreeSet::new());
    }

    /// Whether it asks for what its object says, by its name: without a wait.
    pub fn asks(&self) -> bool {
        api::library::asks(&self.name)
    }

    /// Whether it may wait for work of a stream that uses an object, or for other host threads: nobody knows what it does,
    /// and it can get at one of them.
    pub fn may_wait_for(&self, stream: Option<StreamId>, object: Option<Base>) -> bool {
        let reaches = || match (&self.reaches, object) {
            (None, _) => true,
            (Some(reaches), Some(object)) => reaches.contains(&object),
            (Some(_), None) => false,
        };
        let by_stream = || stream.is_some_and(|it| self.streams.contains(&it));
        self.unbound || by_stream() || reaches()
    }
}

/// The host side of a copy that the driver has to stage.
#[derive(Clone, Debug)]
pub struct Pageable {
    /// The buffer in the user's words.
    pub buffer: String,
    /// What it is.
    pub memory: HostMemory,
    /// Where it is allocated, where that is known.
    pub allocated: Option<(FileId, Span)>,
    /// A variable of its own rather than an array: a few bytes.
    pub scalar: bool,
    /// The copy writes it.
    pub filled: bool,
    /// A library makes the copy.
    pub by_library: bool,
}

/// The life of pageable memory ends that an asynchronous copy was enqueued from.
#[derive(Clone, Debug)]
pub struct SourceEnd {
    /// Thread of the copy, and of the end.
    pub thread: ThreadId,
    /// Position of the copy.
    pub copy: u32,
    /// The end.
    pub end: Mark,
    /// The memory in the user's words.
    pub buffer: String,
}

/// Kinds of pageable host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostMemory {
    /// `malloc`, `new`.
    Heap,
    /// A container of the standard library.
    Container,
    /// A variable or array of a function.
    Local,
    /// A global or static variable or array.
    Global,
}

impl Region {
    /// Where the two ends stand for a reader: in the innermost function that holds both of them.
    pub fn places(&self) -> ((FileId, Span), (FileId, Span)) {
        let (start, stop) = (self.start.site.path(), self.stop.site.path());
        let last = start.len().min(stop.len()) - 1;
        let shared = start.iter().zip(&stop).take_while(|(a, b)| a == b).count();
        (start[shared.min(last)], stop[shared.min(last)])
    }

    /// Whether a position lies in it.
    pub fn holds(&self, position: u32) -> bool {
        self.start.position <= position && position < self.stop.position
    }
}

impl Pass {
    /// Whether a position lies in it.
    pub fn holds(&self, position: u32) -> bool {
        self.events.0 <= position && position < self.events.1
    }
}

impl Trace {
    /// Where somebody gets to see the time of a region, alone or with others.
    pub fn shown<'a>(&'a self, region: &'a Region) -> impl Iterator<Item = &'a Shown> {
        self.shown_or_chosen(region).filter(|it| !it.chosen)
    }

    /// The same with those of which another one may be shown instead.
    pub fn shown_or_chosen<'a>(&'a self, region: &'a Region) -> impl Iterator<Item = &'a Shown> {
        let is_same = |other: &Region| {
            other.thread == region.thread
                && other.clock == region.clock
                && other.start.position == region.start.position
                && other.stop.position == region.stop.position
        };
        let regions = &self.notes.regions;
        self.notes.shown.iter().filter(move |shown| {
            let mut parts = shown.regions.iter().filter_map(|it| regions.get(*it as usize));
            parts.any(is_same)
        })
    }

    /// Whether a condition nobody knows may leave out what happens at one position, and not what happens at another.
    pub fn may_be_without(&self, thread: ThreadId, left_out: u32, other: u32) -> bool {
        let inside = |from: u32, to: u32, position: u32| from <= position && position < to;
        let mut doubts = self.notes.doubts.iter();
        doubts
            .any(|(of, from, to)| *of == thread && inside(*from, *to, left_out) && !inside(*from, *to, other))
    }

    /// Whether a condition nobody knows decides what happens in a region.
    pub fn is_decided_inside(&self, region: &Region) -> bool {
        let inside = |position: u32| region.start.position <= position && position <= region.stop.position;
        let mut decisions = self.notes.decisions.iter();
        decisions.any(|(thread, position)| *thread == region.thread && inside(*position))
    }

    /// Passes of loops that a region encloses completely and that a position lies in.
    pub fn passes_inside(&self, region: &Region, position: u32) -> impl Iterator<Item = &Pass> {
        self.notes.passes.iter().filter(move |pass| {
            pass.thread == region.thread
                && pass.holds(position)
                && region.start.position <= pass.events.0
                && pass.events.1 <= region.stop.position
        })
    }
}
