//! Executable graphs: what their launches allocate and leave allocated, and the host memory they work on.

use std::collections::BTreeSet;

use super::calls::Argument;
use super::capture::{Ended, Fed, GraphLaunch, Relaunch, Spot, Stale};
use super::cuda::{Invocation, handle_name};
use super::machine::Machine;
use super::memory::Value;
use super::{Access, Action, Base, Event, Location, Mode, Site, StreamId, ThreadId, WorkKind};
use crate::api::{Operation, Role};
use crate::syntax::Span;

/// An executable graph.
#[derive(Clone, Default)]
pub(super) struct Exec {
    flags: Option<i64>,
    live: BTreeSet<Base>,
    launched: Option<Site>,
}

impl Machine<'_> {
    /// An executable graph is a copy of its graph.
    pub(super) fn new_exec(&mut self, call: &Invocation<'_>, graph: u32) -> Value {
        let fixed = (self.control.thread, self.position());
        let exec = self.copy_graph(graph);
        self.graphs[exec as usize].fixed = Some(fixed);
        let flags = match (call.arg(Role::Flags), call.arg(Role::Parameters)) {
            (Some(it), _) => Some(it.value.clone()),
            (None, None) => Some(Value::Int(0)),
            (
                None,
                Some(Argument {
                    value: Value::Pointer(params),
                    ..
                }),
            ) => self.memory.get(&params.field("flags")).cloned(),
            _ => None,
        };
        let flags = match flags {
            Some(Value::Int(flags)) => Some(flags),
            _ => None,
        };
        let state = Exec {
            flags,
            ..Exec::default()
        };
        self.capture.execs.insert(exec, state);
        Value::Graph(exec)
    }

    /// A graph is about to be launched.
    pub(super) fn note_launch(&mut self, call: &Invocation<'_>, exec: u32, stream: StreamId) {
        if self.capturing.contains_key(&stream) {
            return;
        }
        self.note_made(exec);
        let spot = self.spot(call.span);
        let accesses: Vec<Access> = self.flat_graph(exec).accesses().cloned().collect();
        self.note_relaunch(exec, &accesses, &spot.site);
        self.note_stale(&accesses, &spot);
        self.note_fed(exec, &spot);
        let name = call.arg(Role::GraphExec).map_or("", |it| it.words.as_str());
        self.trace.notes.captures.launches.push(GraphLaunch {
            exec,
            name: handle_name(name),
            stream,
            spot,
        });
    }

    fn note_relaunch(&mut self, exec: u32, accesses: &[Access], site: &Site) {
        let bases = |mode: Mode| -> BTreeSet<Base> {
            let of_mode = accesses.iter().filter(|it| it.mode == mode);
            of_mode.map(|it| it.location.base).collect()
        };
        let freed = bases(Mode::Free);
        let unfreed: BTreeSet<Base> = bases(Mode::Allocate).difference(&freed).copied().collect();
        self.captured_memory_freed(|base| freed.contains(base));
        let Some(state) = self.capture.execs.get_mut(&exec) else {
            return;
        };
        let kept = unfreed.iter().find(|it| state.live.contains(it));
        let allocation = accesses
            .iter()
            .find(|it| it.mode == Mode::Allocate && Some(&it.location.base) == kept);
        if let (Some(allocation), Some(before), Some(flags)) = (allocation, &state.launched, state.flags)
            && flags & 1 == 0
        {
            self.trace.notes.captures.relaunches.push(Relaunch {
                site: site.clone(),
                before: before.clone(),
                allocated: allocation.at,
                what: allocation.what.clone(),
            });
        }
        state.live = unfreed;
        state.launched = Some(site.clone());
    }

    /// Memory is freed: for good, or as part of a graph that is being captured.
    pub(super) fn note_freed(&mut self, call: &Invocation<'_>, freed: Option<&Value>) {
        let stream = self.stream_argument(call);
        let captured = match call.entry.operation {
            Operation::FreeAsync => self.capturing.get(&stream).copied(),
            _ => None,
        };
        match (captured, freed) {
            (None, Some(Value::Pointer(place))) => self.captured_memory_freed(|it| *it == place.base),
            (Some(_), Some(Value::Pointer(_))) | (_, Some(Value::Int(_)) | None) => {}
            (None, Some(_)) => self.captured_memory_freed(|_| true),
            (Some(graph), Some(_)) => self.frees_anything(graph),
        }
    }

    /// A graph frees memory nobody knows: it may be what it allocates.
    pub(super) fn frees_anything(&mut self, graph: u32) {
        let nodes = self.graphs.get_mut(graph as usize).map(|it| &mut it.nodes);
        for node in nodes.into_iter().flatten() {
            node.work.accesses.retain(|it| it.mode != Mode::Allocate);
        }
        self.captured_memory_freed(|_| true);
    }

    /// Memory of graphs is given back, or may be.
    pub(super) fn captured_memory_freed(&mut self, freed: impl Fn(&Base) -> bool) {
        for exec in self.capture.execs.values_mut() {
            exec.live.retain(|it| !freed(it));
        }
    }

    fn note_stale(&mut self, accesses: &[Access], spot: &Spot) {
        for access in accesses {
            let ended = self.capture.dead.get(&access.location.base);
            if let Some(ended) = ended.filter(|it| self.is_over(it, spot.thread)) {
                self.trace.notes.captures.stale.push(Stale {
                    launch: Some(spot.site.clone()),
                    used: access.at,
                    mode: access.mode,
                    ended: ended.at,
                    what: access.what.clone(),
                });
            }
        }
    }

    /// Whether memory had ended before a thread does what it does now. A thread is executed where it is joined: what its
    /// starter has given up between start and join was alive.
    fn is_over(&self, ended: &Ended, thread: ThreadId) -> bool {
        let starter = &self.trace.threads[ended.thread.0 as usize].events;
        let later = starter.get(ended.position as usize..).unwrap_or_default();
        let started = |it: &Event| matches!(&it.action, Action::Spawn(child) if *child == thread);
        thread == ThreadId(0) || thread == ended.thread || later.iter().any(started)
    }

    /// What the copies of a graph read of host memory.
    fn note_fed(&mut self, exec: u32, launch: &Spot) {
        for node in &self.flat_graph(exec).nodes {
            let copies = node.work.kind == WorkKind::Copy && !node.disabled;
            let host =
                |it: &&Access| it.mode == Mode::Read && self.capture.uses_host_memory(it.location.base);
            let reads: Vec<Access> = node
                .work
                .accesses
                .iter()
                .filter(|_| copies)
                .filter(host)
                .cloned()
                .collect();
            let fed = reads.into_iter().map(|access| Fed {
                launch: launch.clone(),
                made: node.made,
                access,
            });
            self.trace.notes.captures.fed.extend(fed);
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
        if self.capture.host.contains(&base) {
            let ended = Ended {
                at: self.at(span),
                thread: self.control.thread,
                position: self.position(),
            };
            self.capture.dead.entry(base).or_insert(ended);
            self.note_ends_in_capture(base, ended);
        }
    }

    /// Host memory ends while the graph that copies from or to it is still being captured.
    fn note_ends_in_capture(&mut self, base: Base, ended: Ended) {
        let nodes = self
            .capture
            .open
            .keys()
            .filter_map(|it| self.graphs.get(*it as usize));
        let copies = nodes
            .flat_map(|it| &it.nodes)
            .filter(|it| it.work.kind == WorkKind::Copy);
        let used = copies
            .flat_map(|it| &it.work.accesses)
            .find(|it| it.location.base == base);
        if let Some(access) = used.filter(|it| it.mode == Mode::Read) {
            let stale = Stale {
                launch: None,
                used: access.at,
                mode: access.mode,
                ended: ended.at,
                what: access.what.clone(),
            };
            self.trace.notes.captures.stale.push(stale);
        }
    }

    /// A value leaves its variable, and what it owns with it. What was allocated ends where it is freed, whoever knows its address.
    pub(super) fn host_memory_moves(&mut self, value: &Value) {
        if let Value::Pointer(place) | Value::Aggregate(place) = value
            && !matches!(place.base, super::Base::Allocation(_))
        {
            self.capture.moved.insert(place.base);
        }
    }
}
