//! What a capture does not bear: calls its mode forbids, and work on the legacy default stream.

use super::capture::{Answered, Asked, Capture, CaptureMode, Incident, IncidentKind};
use super::cuda::Invocation;
use super::machine::Machine;
use super::memory::Value;
use super::notes::Opaque;
use super::{LEGACY, Site, StreamId, StreamKind, Work};
use crate::api::{self, Operation, Role};
use crate::syntax::Span;

impl Machine<'_> {
    /// Work on the legacy default stream while this thread captures another one.
    pub(super) fn note_legacy(
        &mut self,
        work: &Work,
        entry: Option<&'static api::Call>,
        name: &str,
        span: Span,
    ) {
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
        let marker = work.kind.is_marker();
        if guessed && !self.on_default {
            return;
        }
        for (graph, index) in self.capture.open.clone() {
            let capture = &self.trace.notes.captures.all[index];
            let own = capture.begin.thread == self.control.thread && capture.device == self.control.device;
            let kind = self.trace.streams[capture.stream.0 as usize].kind;
            // An event recorded outside of a capture that does not care is no lost work.
            if own && (!marker || kind == StreamKind::Blocking) {
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
        let interaction = self.capture.modes.get(&self.control.thread).cloned();
        let interaction = CaptureMode::of(&interaction.unwrap_or(Value::Int(0)));
        if interaction != Some(CaptureMode::Global) {
            let at = (self.control.thread, self.position());
            self.trace.notes.captures.exempt.insert(at);
        }
        if self.capture.open.is_empty() {
            self.note_asked(call);
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
            // Containers and their like: no policy says where their memory comes from.
            Operation::ThrustAlgorithm if call.entry.args.first() != Some(&Role::Policy) => {
                let all = &self.trace.notes.captures.all;
                let mut incidents = all.iter().flat_map(|it| &it.incidents);
                // The end of what should not have been made there.
                let repeats = call.name.contains('~') && incidents.any(|it| it.name.starts_with("thrust::"));
                if strict && legality == Legality::Unsafe && !repeats {
                    self.unsafe_call(call);
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

    /// Somebody may have begun a capture before this path begins.
    fn note_asked(&mut self, call: &Invocation<'_>) {
        let stream = match call.entry.operation {
            Operation::StreamSynchronize | Operation::StreamQuery => Some(self.stream_argument(call)),
            Operation::DeviceSynchronize => None,
            _ => return,
        };
        let incident = Incident {
            site: self.site(call.span),
            name: call.name.to_owned(),
            kind: IncidentKind::Prohibited,
            decided: false,
            blurred: false,
        };
        if let Some((stream, asked)) = stream.and_then(|it| Some((it, self.answered_capture(it)?))) {
            self.trace.notes.captures.answered.push(Answered {
                stream,
                asked,
                incident: incident.clone(),
            });
        }
        let (thread, unknowns) = (self.control.thread, self.unknowns());
        self.capture.asked.push(Asked {
            stream,
            thread,
            incident,
            unknowns,
            choices: self.next_decision,
        });
    }

    /// Where a stream answered that it captures. What nobody sees and is handed nothing but values may have ended the path
    /// for it: an assertion.
    fn answered_capture(&self, stream: StreamId) -> Option<Site> {
        let answer = self.capture.answers.get(&stream).filter(|it| it.captures)?;
        let (asked, behind) = (&answer.site, &self.trace.notes.opaque[answer.unseen..]);
        let is_around = |it: &Site| {
            it.file == asked.file && it.span.start <= asked.span.start && asked.span.end <= it.span.end
        };
        let may_refuse = |it: &Opaque| {
            let values = !it.unbound && !it.knows_caller && !it.hands_out;
            values && !it.never_waits && !is_around(&it.site)
        };
        (!behind.iter().any(may_refuse)).then(|| asked.clone())
    }

    /// Open captures of this thread on the current device.
    fn own_captures(&self, wanted: impl Fn(&Capture) -> bool) -> Vec<u32> {
        let own = |index: &usize| {
            let capture = &self.trace.notes.captures.all[*index];
            capture.begin.thread == self.control.thread
                && capture.device == self.control.device
                && wanted(capture)
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
            let blocking = |it: &Capture| streams[it.stream.0 as usize] == StreamKind::Blocking;
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
        if !words.contains("par") {
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
}
