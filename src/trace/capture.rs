//! Stream capture: what each capture records, in which order, and what is done meanwhile that it may not bear.

use std::collections::{BTreeMap, BTreeSet};

use super::cuda::Invocation;
use super::executables::Exec;
use super::graph_order::{Graph, GraphNode};
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{Access, Base, EventId, LEGACY, Location, Mode, Site, StreamId, ThreadId, Work, WorkKind};
use crate::api::{self, Operation, Role};
use crate::program::FileId;
use crate::syntax::Span;

/// What one path shows of captures and of the graphs made by them.
#[derive(Clone, Debug, Default)]
pub struct Captures {
    /// Captures, in the order in which they begin.
    pub all: Vec<Capture>,
    /// Captures begun on the legacy default stream, which cannot be captured.
    pub refused: Vec<Spot>,
    /// Calls a capture may forbid that are made by a thread that is not in the global interaction mode.
    pub exempt: BTreeSet<(ThreadId, u32)>,
    /// Graphs made node by node.
    pub made: BTreeMap<u32, MadeGraph>,
    /// Launches of executable graphs, outside of captures.
    pub launches: Vec<GraphLaunch>,
    /// Launches of a graph whose allocations of the launch before are not freed.
    pub relaunches: Vec<Relaunch>,
    /// Launches of a graph that reads or writes host memory which is gone.
    pub stale: Vec<Stale>,
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
    pub device: i64,
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
    /// It is ended here, on a stream that only joined it.
    pub misplaced_end: Option<(StreamId, Spot)>,
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
}

/// A graph made node by node.
#[derive(Clone, Debug, Default)]
pub struct MadeGraph {
    /// Its nodes, in the order in which they are added.
    pub nodes: Vec<Node>,
    /// It has dependencies nobody here knows.
    pub open: bool,
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
}

/// What can go wrong during a capture.
#[derive(Clone, Debug)]
pub enum IncidentKind {
    /// A call no mode allows.
    Prohibited,
    /// A call this mode does not allow.
    Unsafe,
    /// Work on the legacy default stream, or a wait for it.
    Legacy,
    /// The capture waits for an event recorded outside of it, here.
    OutsideEvent(String, Site),
    /// The capture waits for an event recorded here, in the capture of another stream.
    OtherCapture(String, Site, StreamId),
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
    /// The launch.
    pub launch: Site,
    /// The captured operation.
    pub used: (FileId, Span),
    /// How it uses the memory.
    pub mode: Mode,
    /// Where the memory's life ends.
    pub ended: (FileId, Span),
    /// The memory in the user's words.
    pub what: String,
}

/// What the machine remembers of captures.
#[derive(Default)]
pub(super) struct State {
    /// Open captures by graph: indices into [`Captures::all`].
    open: BTreeMap<u32, usize>,
    /// What the capturing streams have recorded.
    streams: BTreeMap<StreamId, Recorded>,
    events: BTreeMap<EventId, (Option<u32>, Recorded, Site)>,
    modes: BTreeMap<ThreadId, Value>,
    /// The next record or wait is marked external.
    external: bool,
    pub(super) execs: BTreeMap<u32, Exec>,
    /// Host memory captured operations work on.
    host: BTreeSet<Base>,
    /// Memory handed on under another name when its variable ends.
    moved: BTreeSet<Base>,
    pub(super) dead: BTreeMap<Base, (FileId, Span)>,
}

/// How far a stream of a capture, or an event recorded in it, has come.
#[derive(Clone, Default)]
struct Recorded {
    /// All nodes behind it.
    seen: BTreeSet<u32>,
    /// The last of them.
    last: Vec<u32>,
    fork: Option<Site>,
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
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Int(0) => Some(CaptureMode::Global),
            Value::Int(1) => Some(CaptureMode::ThreadLocal),
            Value::Int(2) => Some(CaptureMode::Relaxed),
            _ => None,
        }
    }
}

impl Machine<'_> {
    pub(super) fn begin_capture(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        let spot = self.spot(call.span);
        self.plain(call, None);
        if stream == LEGACY {
            let written = call.arg(Role::Stream).map_or("", |it| it.words.trim());
            if matches!(
                written,
                "0" | "nullptr" | "NULL" | "cudaStreamLegacy" | "CU_STREAM_LEGACY"
            ) {
                self.trace.notes.captures.refused.push(spot);
            }
            return;
        }
        if let Some(graph) = self.capturing.get(&stream).copied() {
            // Something ended the earlier capture unseen.
            self.drop_capture(graph);
        }
        let graph = match call.arg(Role::Graph).map(|it| &it.value) {
            Some(Value::Graph(graph)) => {
                // Nodes it holds already are counted elsewhere.
                if let Some(graph) = self.graphs.get_mut(*graph as usize) {
                    graph.open = true;
                }
                *graph
            }
            _ => {
                self.graphs.push(Graph::default());
                self.graphs.len() as u32 - 1
            }
        };
        let mode = match call.arg(Role::Mode) {
            Some(it) => CaptureMode::of(&it.value),
            None => Some(CaptureMode::Global),
        };
        let captures = &mut self.trace.notes.captures.all;
        captures.push(Capture {
            stream,
            mode,
            device: self.device,
            begin: spot,
            end: None,
            nodes: Vec::new(),
            incidents: Vec::new(),
            unjoined: Vec::new(),
            open: false,
            misplaced_end: None,
        });
        self.capture.open.insert(graph, captures.len() - 1);
        self.capture.streams.insert(stream, Recorded::default());
        self.capturing.insert(stream, graph);
    }

    pub(super) fn end_capture(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        let spot = self.spot(call.span);
        self.plain(call, None);
        let Some(graph) = self.capturing.get(&stream).copied() else {
            return;
        };
        self.fill_out(call, Value::Graph(graph));
        let open = self.capture.open.get(&graph).copied();
        if let Some(index) = open {
            let unjoined = self.unjoined(graph, index);
            let made_here = |it: StreamId| self.trace.streams[it.0 as usize].created;
            let origin = self.trace.notes.captures.all[index].stream;
            let distinct = made_here(origin) && made_here(stream);
            let capture = &mut self.trace.notes.captures.all[index];
            if origin == stream {
                capture.unjoined = unjoined;
                capture.end = Some(spot);
            } else if distinct {
                capture.misplaced_end = Some((stream, spot));
            }
        }
        self.drop_capture(graph);
    }

    fn drop_capture(&mut self, graph: u32) {
        self.capture.open.remove(&graph);
        let ended = |it: &StreamId| self.capturing.get(it) == Some(&graph);
        let streams: Vec<StreamId> = self.capture.streams.keys().copied().filter(ended).collect();
        streams.iter().for_each(|it| {
            self.capture.streams.remove(it);
        });
        self.capturing.retain(|_, it| *it != graph);
    }

    fn unjoined(&self, graph: u32, index: usize) -> Vec<Unjoined> {
        let capture = &self.trace.notes.captures.all[index];
        let joined = self.capture.streams.get(&capture.stream);
        let mut found = Vec::new();
        for (stream, recorded) in &self.capture.streams {
            if self.capturing.get(stream) != Some(&graph) || *stream == capture.stream {
                continue;
            }
            let open = |node: &&u32| joined.is_none_or(|it| !it.seen.contains(*node));
            if let Some(node) = recorded.last.iter().find(open)
                && let (Some(fork), Some(node)) = (&recorded.fork, capture.nodes.get(*node as usize))
            {
                found.push(Unjoined {
                    stream: *stream,
                    fork: fork.clone(),
                    work: node.site.clone(),
                });
            }
        }
        found
    }

    pub(super) fn spot(&self, span: Span) -> Spot {
        Spot {
            thread: self.thread,
            position: self.position(),
            site: self.site(span),
        }
    }

    /// `cudaThreadExchangeStreamCaptureMode(&mode)`.
    pub(super) fn exchange_mode(&mut self, call: &Invocation<'_>) {
        if let Some(Value::Pointer(place)) = call.args.first().map(|it| it.value.clone()) {
            let new = self.memory.load(&place);
            let old = self
                .capture
                .modes
                .insert(self.thread, new)
                .unwrap_or(Value::Int(0));
            self.memory.set(place, old);
        }
        self.plain(call, None);
    }

    /// `cudaStreamIsCapturing` and its like: known of streams this path made.
    pub(super) fn query_capture(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        if let (true, Some(graph)) = (call.name.contains("Dependencies"), self.capturing.get(&stream)) {
            self.note_unknown_edge(*graph);
        }
        let known = self.trace.streams[stream.0 as usize].created;
        let value = match (self.capturing.contains_key(&stream), known) {
            (true, _) => Value::Int(1),
            (false, true) => Value::Int(0),
            (false, false) => self.memory.fresh(),
        };
        self.forget_outputs(call);
        self.fill_out(call, value);
        self.plain(call, None);
    }

    /// Whether the record or wait about to be enqueued is marked external.
    pub(super) fn note_external(&mut self, call: &Invocation<'_>) {
        let flags = call.arg(Role::Flags).map(|it| &it.value);
        self.capture.external = match flags {
            Some(Value::Int(flags)) => flags & 1 != 0,
            Some(_) => true,
            None => false,
        };
    }

    /// Takes work of a capturing stream into its graph; gives back work that runs now.
    pub(super) fn capture_work(
        &mut self,
        work: Work,
        entry: Option<&'static api::Call>,
        name: &str,
        span: Span,
    ) -> Option<Work> {
        let external = std::mem::take(&mut self.capture.external);
        let graph = self.capturing.get(&work.stream).copied();
        match (work.kind, graph) {
            (WorkKind::Record(event), Some(graph)) => {
                let recorded = self
                    .capture
                    .streams
                    .get(&work.stream)
                    .cloned()
                    .unwrap_or_default();
                let site = self.site(span);
                if external {
                    self.capture.events.remove(&event);
                } else {
                    self.capture.events.insert(event, (Some(graph), recorded, site));
                }
            }
            (WorkKind::WaitEvent(event), Some(graph)) if !external => {
                self.captured_wait(event, work.stream, graph, name, span);
            }
            (WorkKind::WaitEvent(_), Some(graph)) => self.note_unknown_edge(graph),
            (_, Some(graph)) => {
                let (number, after) = self.capture_node(&work, graph, span).unzip();
                self.graphs[graph as usize].nodes.push(GraphNode {
                    work,
                    number,
                    after: after.unwrap_or_default(),
                });
                return None;
            }
            (WorkKind::WaitEvent(event), None) => {
                if let Some((Some(graph), recorded, _)) = self.capture.events.get(&event)
                    && self.capture.open.contains_key(graph)
                {
                    let (graph, mut recorded) = (*graph, recorded.clone());
                    recorded.fork = Some(self.site(span));
                    self.capture.streams.insert(work.stream, recorded);
                    self.capturing.insert(work.stream, graph);
                    return None;
                }
                self.note_legacy(&work, entry, name, span);
                return Some(work);
            }
            (kind, None) => {
                if let WorkKind::Record(event) = kind {
                    let site = self.site(span);
                    self.capture
                        .events
                        .insert(event, (None, Recorded::default(), site));
                }
                self.note_legacy(&work, entry, name, span);
                return Some(work);
            }
        }
        None
    }

    fn captured_wait(&mut self, event: EventId, stream: StreamId, graph: u32, name: &str, span: Span) {
        let Some((recorded_in, recorded, site)) = self.capture.events.get(&event).cloned() else {
            self.note_unknown_edge(graph);
            return;
        };
        if recorded_in == Some(graph) {
            if let Some(own) = self.capture.streams.get_mut(&stream) {
                own.last.retain(|it| !recorded.seen.contains(it));
                own.last
                    .extend(recorded.last.iter().filter(|it| !own.seen.contains(it)));
                own.seen.extend(recorded.seen);
            }
            return;
        }
        let event = self.event_names.get(&event).cloned().unwrap_or_default();
        let kind = match recorded_in {
            None => IncidentKind::OutsideEvent(event, site),
            Some(other) => match self.capture.open.get(&other) {
                Some(other) => {
                    let origin = self.trace.notes.captures.all[*other].stream;
                    IncidentKind::OtherCapture(event, site, origin)
                }
                // What an event of a capture that has ended means is not documented.
                None => return,
            },
        };
        self.incident(graph, name, kind, span);
    }

    /// Notes a captured operation; returns its number and the nodes it comes after.
    fn capture_node(&mut self, work: &Work, graph: u32, span: Span) -> Option<(u32, Vec<u32>)> {
        let index = self.capture.open.get(&graph).copied()?;
        let site = self.site(span);
        let made = (self.thread, self.position());
        let own = self.capture.streams.entry(work.stream).or_default();
        let nodes = &mut self.trace.notes.captures.all[index].nodes;
        let node = nodes.len() as u32;
        let after = std::mem::replace(&mut own.last, vec![node]);
        nodes.push(Node {
            stream: work.stream,
            kind: work.kind,
            site,
            after: after.clone(),
            accesses: work.accesses.clone(),
            made,
        });
        own.seen.insert(node);
        let host = |it: &&Access| self.is_host_memory(work.kind, it.location.base);
        let host: Vec<Base> = work
            .accesses
            .iter()
            .filter(host)
            .map(|it| it.location.base)
            .collect();
        self.capture.host.extend(host);
        Some((node, after))
    }

    /// The capture waits for something nobody here knows, which may order anything in it.
    fn note_unknown_edge(&mut self, graph: u32) {
        self.graphs[graph as usize].open = true;
        if let Some(index) = self.capture.open.get(&graph) {
            self.trace.notes.captures.all[*index].open = true;
        }
    }

    fn is_host_memory(&self, kind: WorkKind, base: Base) -> bool {
        match base {
            Base::Local(_) => kind == WorkKind::Copy,
            Base::Allocation(_) => {
                matches!(self.memory.origin(base), Some(Origin::Heap | Origin::Pinned))
            }
            _ => false,
        }
    }

    fn incident(&mut self, graph: u32, name: &str, kind: IncidentKind, span: Span) {
        let site = self.site(span);
        let Some(index) = self.capture.open.get(&graph).copied() else {
            return;
        };
        let notes = &mut self.trace.notes;
        let capture = &mut notes.captures.all[index];
        let inside = |(thread, position): &(ThreadId, u32)| {
            *thread == capture.begin.thread && *position > capture.begin.position
        };
        let decided = notes.decisions.iter().any(inside);
        capture.incidents.push(Incident {
            site,
            name: name.to_owned(),
            kind,
            decided,
        });
    }

    /// Work on the legacy default stream while this thread captures another one.
    fn note_legacy(&mut self, work: &Work, entry: Option<&'static api::Call>, name: &str, span: Span) {
        if work.stream != LEGACY || self.capture.open.is_empty() {
            return;
        }
        // Which stream a library works on is known only where it is handed one.
        let guessed = entry.is_some_and(|it| {
            matches!(
                it.operation,
                Operation::LibraryCall | Operation::CollectiveCall | Operation::ThrustAlgorithm
            )
        });
        let marker = matches!(work.kind, WorkKind::Record(_) | WorkKind::WaitEvent(_));
        if guessed {
            return;
        }
        for (graph, index) in self.capture.open.clone() {
            let capture = &self.trace.notes.captures.all[index];
            let own = capture.begin.thread == self.thread && capture.device == self.device;
            let kind = self.trace.streams[capture.stream.0 as usize].kind;
            // An event recorded outside of a capture that does not care is no lost work.
            if own && (!marker || kind == super::StreamKind::Blocking) {
                self.incident(graph, name, IncidentKind::Legacy, span);
            }
        }
    }

    /// Whether a capture bears the call about to be made.
    pub(super) fn check_capture(&mut self, call: &Invocation<'_>) {
        use api::Capture as Legality;
        let legality = call.entry.capture;
        if !matches!(legality, Legality::Unsafe | Legality::Prohibited) {
            return;
        }
        let interaction = self.capture.modes.get(&self.thread).cloned();
        let interaction = CaptureMode::of(&interaction.unwrap_or(Value::Int(0)));
        if interaction != Some(CaptureMode::Global) {
            let at = (self.thread, self.position());
            self.trace.notes.captures.exempt.insert(at);
        }
        if self.capture.open.is_empty() {
            return;
        }
        let strict = matches!(interaction, Some(CaptureMode::Global | CaptureMode::ThreadLocal));
        match call.entry.operation {
            Operation::StreamSynchronize | Operation::StreamQuery => self.stream_asked(call, strict),
            Operation::EventSynchronize | Operation::EventQuery => {
                let event = self.event_argument(call);
                match self.capture.events.get(&event).cloned() {
                    Some((Some(graph), _, site)) if self.capture.open.contains_key(&graph) => {
                        let event = self.event_names.get(&event).cloned().unwrap_or_default();
                        self.incident(
                            graph,
                            call.name,
                            IncidentKind::CapturedEvent(event, site),
                            call.span,
                        );
                    }
                    _ if strict => self.unsafe_call(call),
                    _ => {}
                }
            }
            Operation::ThrustAlgorithm => self.thrust_asked(call, strict),
            _ if legality == Legality::Unsafe && !strict => {}
            _ if legality == Legality::Unsafe => self.unsafe_call(call),
            _ if call.entry.role_index(Role::Stream).is_some() => {
                let stream = self.stream_argument(call);
                if let Some(graph) = self.capturing.get(&stream).copied() {
                    self.incident(graph, call.name, IncidentKind::Prohibited, call.span);
                }
            }
            Operation::DeviceSynchronize => {
                for graph in self.own_captures(|_| true) {
                    self.incident(graph, call.name, IncidentKind::Prohibited, call.span);
                }
            }
            _ => {}
        }
    }

    /// Open captures of this thread on the current device.
    fn own_captures(&self, wanted: impl Fn(&Capture) -> bool) -> Vec<u32> {
        let own = |index: &usize| {
            let capture = &self.trace.notes.captures.all[*index];
            capture.begin.thread == self.thread && capture.device == self.device && wanted(capture)
        };
        let open = self.capture.open.iter();
        open.filter(|(_, index)| own(index))
            .map(|(graph, _)| *graph)
            .collect()
    }

    fn unsafe_call(&mut self, call: &Invocation<'_>) {
        let strict = |it: &Capture| matches!(it.mode, Some(CaptureMode::Global | CaptureMode::ThreadLocal));
        for graph in self.own_captures(strict) {
            self.incident(graph, call.name, IncidentKind::Unsafe, call.span);
        }
    }

    /// A capturing stream may never be asked; any other one may only in relaxed mode (measured).
    fn stream_asked(&mut self, call: &Invocation<'_>, strict: bool) {
        let stream = self.stream_argument(call);
        if let Some(graph) = self.capturing.get(&stream).copied() {
            self.incident(graph, call.name, IncidentKind::Prohibited, call.span);
        } else if stream == LEGACY {
            let streams: Vec<_> = self.trace.streams.iter().map(|it| it.kind).collect();
            let blocking = |it: &Capture| streams[it.stream.0 as usize] == super::StreamKind::Blocking;
            for graph in self.own_captures(blocking) {
                self.incident(graph, call.name, IncidentKind::Legacy, call.span);
            }
        } else if strict {
            self.unsafe_call(call);
        }
    }

    /// Thrust waits for the stream of its policy unless it is `par_nosync`, and takes temporary memory from
    /// `cudaMalloc` unless the policy has an allocator. Without a policy it may work on host memory.
    fn thrust_asked(&mut self, call: &Invocation<'_>, strict: bool) {
        let Some(policy) = call.args.first() else { return };
        let words = policy.words.clone();
        let (stream, no_sync) = (policy.value.clone(), words.contains("par_nosync"));
        if call.entry.args.first() != Some(&Role::Policy) || !words.contains("par") {
            return;
        }
        let graph = match stream {
            Value::Stream(stream) => self.capturing.get(&stream).copied(),
            _ => None,
        };
        let allocator = words.contains("par(") || words.contains("par_nosync(");
        match graph {
            Some(graph) if !no_sync => self.incident(graph, call.name, IncidentKind::Prohibited, call.span),
            _ if strict && !allocator && call.entry.capture == api::Capture::Unsafe => self.unsafe_call(call),
            _ => {}
        }
    }

    // Host memory.

    /// A variable of the innermost scope.
    pub(super) fn note_variable(&mut self, place: &Location) {
        if let Some(scope) = self.frame_mut().scopes.last_mut() {
            scope.variables.push(place.base);
        }
    }

    /// The life of host memory ends, after everything that used it.
    pub(super) fn host_memory_ends(&mut self, base: Base, span: Span) {
        if self.capture.host.contains(&base) && !self.capture.moved.contains(&base) {
            let at = (self.frame().file, span);
            self.capture.dead.entry(base).or_insert(at);
        }
    }

    /// A value leaves its variable, and what it owns with it.
    pub(super) fn host_memory_moves(&mut self, value: &Value) {
        if let Value::Pointer(place) | Value::Aggregate(place) = value {
            self.capture.moved.insert(place.base);
        }
    }
}
