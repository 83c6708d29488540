//! Recording a capture: where it begins and ends, and what becomes a node of its graph.

use super::ahead::Priority;
use super::capture::{
    Answer, Asked, Capture, CaptureMode, Incident, IncidentKind, Inherited, Misplaced, Node, Recorded, Spot,
    Unjoined,
};
use super::cuda::{Invocation, handle_name};
use super::graph_order::{Graph, GraphNode};
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{Access, Base, EventId, LEGACY, StreamId, Work, WorkKind};
use crate::api::{self, Role};
use crate::syntax::Span;

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
            if self.trace.streams[stream.0 as usize].created {
                self.incident(graph, call.name, IncidentKind::Begun, call.span);
            }
            // What follows is what the program is for: a capture of its own.
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
            _ => self.new_graph(Graph {
                capture: Some(self.trace.notes.captures.all.len()),
                ..Graph::default()
            }),
        };
        let base = self.graphs.get(graph as usize).map_or(0, |it| it.next);
        let mode = match call.arg(Role::Mode) {
            Some(it) => CaptureMode::of(&it.value),
            None => Some(CaptureMode::Global),
        };
        let unknowns = self.unknowns();
        let captures = &mut self.trace.notes.captures.all;
        captures.push(Capture {
            stream,
            mode,
            device: self.control.device,
            begin: spot,
            end: None,
            nodes: Vec::new(),
            incidents: Vec::new(),
            unjoined: Vec::new(),
            open: false,
            replaced: false,
            discarded: false,
            misplaced_end: None,
            left: Vec::new(),
            unknowns,
            choices: self.next_decision,
        });
        self.capture.open.insert(graph, captures.len() - 1);
        self.capture.bases.insert(graph, base);
        self.capture.streams.insert(stream, Recorded::default());
        self.capturing.insert(stream, graph);
    }

    pub(super) fn end_capture(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        let spot = self.spot(call.span);
        self.plain(call, None);
        let Some(graph) = self.capturing.get(&stream).copied() else {
            if !self.ends_on_other_stream(stream, call, &spot) {
                self.note_inherited(stream, spot);
            }
            return;
        };
        self.fill_out(call, Value::Graph(graph));
        let open = self.capture.open.get(&graph).copied();
        if let Some(index) = open {
            let unjoined = self.unjoined(graph, index);
            let made_here = |it: StreamId| self.trace.streams[it.0 as usize].created;
            let origin = self.trace.notes.captures.all[index].stream;
            let distinct = made_here(origin) && made_here(stream);
            let name = stream_words(call);
            let capture = &mut self.trace.notes.captures.all[index];
            if origin == stream {
                capture.unjoined = unjoined;
                capture.end = Some(spot);
            } else if distinct {
                capture.misplaced_end = Some(Misplaced {
                    stream: name,
                    spot,
                    joined: true,
                });
            }
        }
        self.drop_capture(graph);
    }

    /// Whether the function that is executed began a capture, itself or in what it called, that is still open.
    pub(super) fn captures_here(&self, span: Span) -> bool {
        let all = &self.trace.notes.captures.all;
        let mut open = self.capture.open.values();
        let here = (!self.capture.open.is_empty()).then(|| self.site(span));
        here.is_some_and(|here| open.any(|it| all[*it].begin.site.frames.starts_with(&here.frames)))
    }

    /// Control goes back to a caller out of functions in which captures were begun.
    pub(super) fn leave_captures(&mut self, span: Span) {
        if self.capture.open.is_empty() {
            return;
        }
        let spot = self.spot(span);
        for index in self.capture.open.values() {
            let capture = &mut self.trace.notes.captures.all[*index];
            let begin = &capture.begin;
            if begin.thread == spot.thread && begin.site.frames.starts_with(&spot.site.frames) {
                capture.left.push(spot.clone());
            }
        }
    }

    /// A capture ends with an error that the program expects: so is whatever broke it.
    pub(super) fn spoil_capture(&mut self, call: &Invocation<'_>) {
        let stream = self.stream_argument(call);
        let spot = self.spot(call.span);
        let Some(graph) = self.capturing.get(&stream).copied() else {
            return;
        };
        if let Some(index) = self.capture.open.get(&graph).copied() {
            let capture = &mut self.trace.notes.captures.all[index];
            capture.end = Some(spot);
            capture.incidents.clear();
            // There is no graph, and what was captured is never done.
            capture.replaced = true;
        }
        self.drop_capture(graph);
    }

    /// A stream that captures nothing is asked to end the only capture there is, which goes on (measured).
    fn ends_on_other_stream(&mut self, stream: StreamId, call: &Invocation<'_>, spot: &Spot) -> bool {
        let made_here = |it: StreamId| self.trace.streams[it.0 as usize].created;
        let unknowns = self.unknowns();
        let mut open = self.capture.open.values();
        let (Some(index), None) = (open.next().copied(), open.next()) else {
            return false;
        };
        let capture = &self.trace.notes.captures.all[index];
        let certain = made_here(stream)
            && made_here(capture.stream)
            && stream != LEGACY
            && capture.unknowns == unknowns;
        if certain {
            self.trace.notes.captures.all[index].misplaced_end = Some(Misplaced {
                stream: stream_words(call),
                spot: spot.clone(),
                joined: false,
            });
        }
        certain
    }

    /// A capture ends whose begin this path does not show: unless something nobody knows began it, it was there before.
    fn note_inherited(&mut self, stream: StreamId, end: Spot) {
        let known = self.trace.streams[stream.0 as usize].created;
        let captures = &self.trace.notes.captures;
        let begun = captures.all.iter().any(|it| it.stream == stream);
        let ended = captures.inherited.iter().any(|it| it.stream == stream);
        let (unknowns, choices) = (self.unknowns(), self.next_decision);
        let certain = |it: &&Asked| {
            it.thread == end.thread
                && it.stream.is_none_or(|it| it == stream)
                && (it.unknowns, it.choices) == (unknowns, choices)
        };
        let asked = self.capture.asked.iter().filter(certain);
        let incidents: Vec<Incident> = asked.map(|it| it.incident.clone()).collect();
        // It may also be the end of another capture that is open, under another name.
        self.capture.unknowns += 1;
        if !(known || begun || ended) {
            self.trace.notes.captures.inherited.push(Inherited {
                stream,
                end,
                incidents,
            });
        }
    }

    /// How often something was done that nobody knows. Functions of the C and C++ library neither begin nor end a capture.
    pub(super) fn unknowns(&self) -> usize {
        let unseen = self
            .trace
            .notes
            .opaque
            .iter()
            .filter(|it| !it.never_waits)
            .count();
        self.capture.unknowns + unseen + self.trace.budgets_hit as usize
    }

    fn drop_capture(&mut self, graph: u32) {
        self.capture.open.remove(&graph);
        let ended = |it: &StreamId| self.capturing.get(it) == Some(&graph);
        let streams: Vec<StreamId> = self.capture.streams.keys().copied().filter(ended).collect();
        streams.iter().for_each(|it| {
            self.capture.streams.remove(it);
        });
        self.capturing.retain(|_, it| *it != graph);
        self.forget_unseen_joins();
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
            thread: self.control.thread,
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
                .insert(self.control.thread, new)
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
            (false, false) => Value::Int(self.is_captured_by_caller(stream, call.span).into()),
        };
        // The sequence has a number that no other one has; without one nothing is stored there.
        let sequence = call.args.get(2).map(|it| it.value.clone());
        let sequence = sequence.and_then(|it| self.pointee(&it));
        let before = sequence.as_ref().map(|it| self.memory.load(it));
        self.forget_outputs(call);
        if let (Some(place), Some(before)) = (sequence, before) {
            let number = match (self.capturing.get(&stream), value == Value::Int(0)) {
                (Some(graph), _) => Value::Int(i64::from(*graph) + 1),
                (None, true) => before,
                (None, false) => self.known_true(),
            };
            self.memory.set(place, number);
        }
        self.fill_out(call, value);
        self.plain(call, None);
    }

    /// Something that is not known but for not being zero.
    fn known_true(&mut self) -> Value {
        let value = self.memory.fresh();
        if let Value::Unknown(id) = value {
            self.truths.insert(id, true);
        }
        value
    }

    /// Whether the caller captures a stream this path did not make: both is looked at.
    fn is_captured_by_caller(&mut self, stream: StreamId, span: Span) -> bool {
        if let Some(known) = self.capture.answers.get(&stream) {
            return known.captures;
        }
        let Value::Unknown(question) = self.memory.fresh() else {
            return false;
        };
        self.note_decision();
        let captures = self.settle(question, false, Priority::First);
        let answer = Answer {
            captures,
            site: self.site(span),
            unseen: self.trace.notes.opaque.len(),
        };
        self.capture.answers.insert(stream, answer);
        captures
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
            (kind, Some(graph)) => {
                let outside = matches!(kind, WorkKind::WaitEvent(_));
                if outside {
                    self.note_unknown_edge(graph);
                }
                let base = self.capture.bases.get(&graph).copied().unwrap_or_default();
                let after = self.capture_node(&work, graph, span);
                let made = (self.control.thread, self.position());
                let node = GraphNode {
                    work,
                    child: None,
                    outside,
                    disabled: false,
                    number: 0,
                    after: after.iter().flatten().map(|it| it + base).collect(),
                    site: self.site(span),
                    made,
                    placed: made,
                };
                let into = &mut self.graphs[graph as usize];
                into.open |= after.is_none();
                into.add(node);
                return None;
            }
            (WorkKind::WaitEvent(event), None) => {
                if let Some((Some(graph), recorded, _)) = self.capture.events.get(&event)
                    && self.capture.open.contains_key(graph)
                {
                    let (graph, mut recorded) = (*graph, recorded.clone());
                    if work.stream == LEGACY {
                        self.incident(graph, name, IncidentKind::LegacyJoin, span);
                        return None;
                    }
                    recorded.fork = Some(self.site(span));
                    self.capture.streams.insert(work.stream, recorded);
                    self.capturing.insert(work.stream, graph);
                    return None;
                }
                self.note_unseen_wait(event, work.stream);
                self.note_legacy(&work, entry, name, span);
                return Some(work);
            }
            (kind, None) => {
                if let WorkKind::Record(event) = kind
                    && self.may_have_joined(work.stream)
                {
                    self.capture.events.remove(&event);
                } else if let WorkKind::Record(event) = kind {
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
                None => IncidentKind::EndedCapture(event, site),
            },
        };
        self.incident(graph, name, kind, span);
    }

    /// Notes a captured operation; returns the nodes it comes after.
    fn capture_node(&mut self, work: &Work, graph: u32, span: Span) -> Option<Vec<u32>> {
        let index = self.capture.open.get(&graph).copied()?;
        let site = self.site(span);
        let made = (self.control.thread, self.position());
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
            placed: made,
        });
        own.seen.insert(node);
        self.note_host_memory(work);
        Some(after)
    }

    /// Host memory a node of a graph works on.
    pub(super) fn note_host_memory(&mut self, work: &Work) {
        let host = |it: &&Access| self.is_host_memory(work.kind, it.location.base);
        let host: Vec<Base> = work
            .accesses
            .iter()
            .filter(host)
            .map(|it| it.location.base)
            .collect();
        self.capture.host.extend(host);
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
            Base::Local(_) | Base::Static(..) => matches!(kind, WorkKind::Copy | WorkKind::HostFunction),
            Base::Global(id) | Base::Instance(id, _) => {
                self.program.global(id).variable.space.is_none()
                    && matches!(kind, WorkKind::Copy | WorkKind::HostFunction)
            }
            Base::Allocation(_) => {
                matches!(self.memory.origin(base), Some(Origin::Heap | Origin::Pinned))
            }
            _ => false,
        }
    }

    pub(super) fn incident(&mut self, graph: u32, name: &str, kind: IncidentKind, span: Span) {
        let site = self.site(span);
        let Some(index) = self.capture.open.get(&graph).copied() else {
            return;
        };
        let unknowns = self.unknowns();
        let notes = &mut self.trace.notes;
        let capture = &mut notes.captures.all[index];
        let decided = self.next_decision != capture.choices;
        let blurred = unknowns != capture.unknowns;
        capture.incidents.push(Incident {
            site,
            name: name.to_owned(),
            kind,
            decided,
            blurred,
        });
    }
}

/// The stream argument as a person would say it.
fn stream_words(call: &Invocation<'_>) -> String {
    call.arg(Role::Stream)
        .map_or_else(String::new, |it| handle_name(&it.words))
}
