//! Stream capture: what each capture records, in which order, and what is done meanwhile that it may not bear.

use std::collections::{BTreeMap, BTreeSet};

use super::executables::Exec;
use super::memory::Value;
use super::{Access, Base, DeviceId, EventId, Mode, Site, StreamId, ThreadId, WorkKind};
use crate::program::FileId;
use crate::syntax::Span;

/// What one path shows of captures and of the graphs made by them.
#[derive(Clone, Debug, Default)]
pub struct Captures {
    /// Captures, in the order in which they begin.
    pub all: Vec<Capture>,
    /// Captures begun on the legacy default stream, which cannot be captured.
    pub refused: Vec<Spot>,
    /// Captures that end here and were begun before this path begins.
    pub inherited: Vec<Inherited>,
    /// What is called while the caller captures: on the paths where a stream is asked, and answers that it does.
    pub answered: Vec<Answered>,
    /// Calls a capture may forbid that are made by a thread that is not in the global interaction mode.
    pub exempt: BTreeSet<(ThreadId, u32)>,
    /// Graphs as they are launched, or leave the path.
    pub made: Vec<MadeGraph>,
    /// Launches of executable graphs, outside of captures.
    pub launches: Vec<GraphLaunch>,
    /// Launches of a graph whose allocations of the launch before are not freed.
    pub relaunches: Vec<Relaunch>,
    /// Launches of a graph that reads or writes host memory which is gone.
    pub stale: Vec<Stale>,
    /// What nodes of graphs read of host memory when they are launched.
    pub fed: Vec<Fed>,
}

/// Host memory that a node of a graph reads when the graph is launched.
#[derive(Clone, Debug)]
pub struct Fed {
    /// The launch.
    pub launch: Spot,
    /// The call that makes the node: thread and position.
    pub made: (ThreadId, u32),
    /// What it reads.
    pub access: Access,
}

/// A place in the events of a thread: the index of the next event when something happens.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Thread.
    pub thread: ThreadId,
    /// Index.
    pub position: u32,
    /// Where in the source.
    pub site: Site,
}

/// One capture.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The stream it begins on.
    pub stream: StreamId,
    /// Its mode, where known.
    pub mode: Option<CaptureMode>,
    /// Device it is on.
    pub device: DeviceId,
    /// Where it begins.
    pub begin: Spot,
    /// Where it ends; `None` when the path does not show it.
    pub end: Option<Spot>,
    /// What it records.
    pub nodes: Vec<Node>,
    /// What is done meanwhile that breaks it or is not part of it.
    pub incidents: Vec<Incident>,
    /// Streams with work that is not joined at the end.
    pub unjoined: Vec<Unjoined>,
    /// It has dependencies nobody here knows.
    pub open: bool,
    /// Its graph was changed later, or launched, or there is none: what is launched counts.
    pub replaced: bool,
    /// Its graph is destroyed, and nothing was made of it before.
    pub discarded: bool,
    /// It is ended on another stream.
    pub misplaced_end: Option<Misplaced>,
    /// Where control went back with it still open, out of the functions it was begun in, innermost first.
    pub left: Vec<Spot>,
    /// How much was done that nobody knows when it began.
    pub unknowns: usize,
    /// How many unknown conditions were decided when it began.
    pub choices: usize,
}

/// The end of a capture on a stream that is not the one it began on.
#[derive(Clone, Debug)]
pub struct Misplaced {
    /// That stream, as it is called there.
    pub stream: String,
    /// Where.
    pub spot: Spot,
    /// The stream takes part in the capture; else it captures nothing.
    pub joined: bool,
}

/// A capture somebody else began.
#[derive(Clone, Debug)]
pub struct Inherited {
    /// The stream it ends on.
    pub stream: StreamId,
    /// Where it ends.
    pub end: Spot,
    /// What is called before that no capture bears.
    pub incidents: Vec<Incident>,
}

/// A call that a capture of the caller does not bear.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The stream that is asked.
    pub stream: StreamId,
    /// Where it is asked.
    pub asked: Site,
    /// The call.
    pub incident: Incident,
}

/// Modes of a capture, and of a thread's interaction with captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureMode {
    /// Unsafe calls of all threads are forbidden.
    Global,
    /// Those of the capturing thread are.
    ThreadLocal,
    /// None is.
    Relaxed,
}

/// One operation of a captured graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// The stream it was captured on.
    pub stream: StreamId,
    /// What it is.
    pub kind: WorkKind,
    /// Where it is captured.
    pub site: Site,
    /// Nodes it directly comes after.
    pub after: Vec<u32>,
    /// What it reads and writes.
    pub accesses: Vec<Access>,
    /// The call that makes it: thread and position.
    pub made: (ThreadId, u32),
    /// The call that puts it into this graph, which another graph may have brought along.
    pub placed: (ThreadId, u32),
}

/// A graph with all it has when it is instantiated, and what its nodes were told since.
#[derive(Clone, Debug)]
pub struct MadeGraph {
    /// Its nodes, in the order in which they are added; those of child graphs in the place of their node.
    pub nodes: Vec<Node>,
    /// From here on nobody adds dependencies: thread and position.
    pub fixed: (ThreadId, u32),
}

/// Something that happens while a stream captures.
#[derive(Clone, Debug)]
pub struct Incident {
    /// Where.
    pub site: Site,
    /// The call as written, or the kernel.
    pub name: String,
    /// What.
    pub kind: IncidentKind,
    /// A condition nobody knows, looked at since the capture began, may decide whether it happens.
    pub decided: bool,
    /// Something nobody knows was done since the capture began: it may have ended it.
    pub blurred: bool,
}

/// What can go wrong during a capture.
#[derive(Clone, Debug)]
pub enum IncidentKind {
    /// A call no mode allows.
    Prohibited,
    /// A call this mode does not allow.
    Unsafe,
    /// The stream is to begin another capture, which fails: this one goes on.
    Begun,
    /// Work on the legacy default stream, or a wait for it.
    Legacy,
    /// The legacy default stream waits for an event of the capture, and can join none.
    LegacyJoin,
    /// The capture waits for an event recorded outside of it, here.
    OutsideEvent(String, Site),
    /// The capture waits for an event recorded here, in the capture of another stream.
    OtherCapture(String, Site, StreamId),
    /// The capture waits for an event recorded here, in a capture that has ended.
    EndedCapture(String, Site),
    /// The host asks after an event that is part of the capture since here.
    CapturedEvent(String, Site),
}

/// A forked stream nobody joined.
#[derive(Clone, Debug)]
pub struct Unjoined {
    /// The stream.
    pub stream: StreamId,
    /// Where it joined the capture.
    pub fork: Site,
    /// Its last work.
    pub work: Site,
}

/// A launch of an executable graph.
#[derive(Clone, Debug)]
pub struct GraphLaunch {
    /// Which executable graph.
    pub exec: u32,
    /// Its name.
    pub name: String,
    /// The stream.
    pub stream: StreamId,
    /// Where.
    pub spot: Spot,
}

/// A launch that fails because of what the one before left allocated.
#[derive(Clone, Debug)]
pub struct Relaunch {
    /// The launch that fails.
    pub site: Site,
    /// The launch before.
    pub before: Site,
    /// The allocation.
    pub allocated: (FileId, Span),
    /// The memory in the user's words.
    pub what: String,
}

/// A launch that works on host memory whose life has ended.
#[derive(Clone, Debug)]
pub struct Stale {
    /// The launch; `None` where the memory ends before the capture does: whatever launches the graph comes later.
    pub launch: Option<Site>,
    /// The captured operation.
    pub used: (FileId, Span),
    /// How it uses the memory.
    pub mode: Mode,
    /// Where the memory's life ends.
    pub ended: (FileId, Span),
    /// The memory in the user's words.
    pub what: String,
}

/// What a stream that somebody else may capture answers on this path.
pub(super) struct Answer {
    /// It captures.
    pub(super) captures: bool,
    /// Where it is asked.
    pub(super) site: Site,
    /// How many calls nobody sees there were before.
    pub(super) unseen: usize,
}

/// What the machine remembers of captures.
#[derive(Default)]
pub(super) struct State {
    /// Open captures by graph: indices into [`Captures::all`].
    pub(super) open: BTreeMap<u32, usize>,
    /// How many nodes the graph held when its capture began.
    pub(super) bases: BTreeMap<u32, u32>,
    /// What the capturing streams have recorded.
    pub(super) streams: BTreeMap<StreamId, Recorded>,
    pub(super) events: BTreeMap<EventId, (Option<u32>, Recorded, Site)>,
    pub(super) modes: BTreeMap<ThreadId, Value>,
    /// Calls made while nothing is known to capture that no capture bears: on which stream, `None` for all of them.
    pub(super) asked: Vec<Asked>,
    /// Streams that somebody else may capture, and were asked.
    pub(super) answers: BTreeMap<StreamId, Answer>,
    /// How often something was done that nobody knows and that may begin or end a capture.
    pub(super) unknowns: usize,
    /// The next record or wait is marked external.
    pub(super) external: bool,
    pub(super) execs: BTreeMap<u32, Exec>,
    /// Host memory captured operations work on.
    pub(super) host: BTreeSet<Base>,
    /// Memory handed on under another name when its variable ends.
    pub(super) moved: BTreeSet<Base>,
    pub(super) unseen: super::unseen_joins::Unseen,
    pub(super) dead: BTreeMap<Base, Ended>,
}

/// A call no capture bears, made where none is known.
pub(super) struct Asked {
    pub(super) stream: Option<StreamId>,
    pub(super) thread: ThreadId,
    pub(super) incident: Incident,
    pub(super) unknowns: usize,
    pub(super) choices: usize,
}

/// How far a stream of a capture, or an event recorded in it, has come.
#[derive(Clone, Default)]
pub(super) struct Recorded {
    /// All nodes behind it.
    pub(super) seen: BTreeSet<u32>,
    /// The last of them.
    pub(super) last: Vec<u32>,
    pub(super) fork: Option<Site>,
}

/// The end of host memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) at: (FileId, Span),
    pub(super) thread: ThreadId,
    /// How many events the thread had by then.
    pub(super) position: u32,
}

impl State {
    /// Whether a captured operation works on this host memory.
    pub(super) fn uses_host_memory(&self, base: Base) -> bool {
        self.host.contains(&base)
    }

    /// Whether this memory was handed on under another name.
    pub(super) fn has_moved(&self, base: Base) -> bool {
        self.moved.contains(&base)
    }
}

impl CaptureMode {
    pub(super) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Int(0) => Some(CaptureMode::Global),
            Value::Int(1) => Some(CaptureMode::ThreadLocal),
            Value::Int(2) => Some(CaptureMode::Relaxed),
            _ => None,
        }
    }
}
