//! Graphs made node by node: what their nodes will do when the graph is launched.

use std::collections::BTreeMap;

use super::calls::Argument;
use super::capture::Node;
use super::cuda::{Invocation, handle_name};
use super::graph_order::Graph;
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{Access, Block, Extent, KernelUse, LEGACY, Load, Location, Mode, Step, Work, WorkKind, Write};
use crate::api::Role;
use crate::program::kernels::LoadKind;

/// Kernel arguments looked at per node.
const MAX_ARGUMENTS: i64 = 32;

/// Dependencies looked at per node.
const MAX_DEPENDENCIES: i64 = 64;

impl Machine<'_> {
    /// `cudaGraphCreate`, `cudaGraphClone`.
    pub(super) fn create_graph(&mut self, call: &Invocation<'_>) {
        let nodes = match call.arg(Role::Graph).map(|it| &it.value) {
            Some(Value::Graph(graph)) => self.graphs.get(*graph as usize).cloned().unwrap_or_default(),
            _ => Graph::default(),
        };
        self.graphs.push(nodes);
        self.fill_out(call, Value::Graph(self.graphs.len() as u32 - 1));
        self.plain(call, None);
    }

    /// Instantiating loads what the graph launches.
    pub(super) fn instantiate_graph(&mut self, call: &Invocation<'_>) {
        let graph = call.arg(Role::Graph).map(|it| it.value.clone());
        if let Some(Value::Graph(graph)) = &graph {
            let exec = self.new_exec(call, *graph);
            self.fill_out(call, exec);
            let kernels: Vec<_> = self.graphs.get(*graph as usize).map_or_else(Vec::new, |graph| {
                let nodes = graph.nodes.iter();
                nodes.filter_map(|it| it.work.kernel.clone()).collect()
            });
            self.load_kernels(kernels, call);
        }
        self.plain(call, None);
    }

    fn load_kernels(&mut self, kernels: Vec<KernelUse>, call: &Invocation<'_>) {
        for kernel in kernels {
            let load = Some(Load::Kernel(kernel));
            let name = call.name.to_owned();
            self.finish(name, Some(call.entry), None, Block::None, false, load, call.span);
        }
    }

    /// `cudaGraphAdd…Node`: the node's work waits in the graph. Adding a kernel loads it (measured: behind a resident
    /// kernel it puts the barrier, before one it preloads).
    pub(super) fn add_node(&mut self, call: &Invocation<'_>) {
        let node = self.memory.fresh();
        self.fill_out(call, node.clone());
        let graph = call.args.get(1).map(|it| it.value.clone());
        if let Some(Value::Graph(graph)) = graph {
            if self.frees_unknown(call) {
                self.frees_anything(graph);
            }
            let work = self.node_work(call);
            self.load_kernels(work.iter().filter_map(|it| it.kernel.clone()).collect(), call);
            self.note_node(call, graph, node, work);
        }
        self.plain(call, None);
    }

    /// Notes a node with what it comes after.
    fn note_node(&mut self, call: &Invocation<'_>, graph: u32, node: Value, work: Vec<Work>) {
        let known = self.nodes_at(call.args.get(2), call.arg(Role::Count), graph);
        let mut accesses: Vec<Access> = work.iter().flat_map(|it| it.accesses.clone()).collect();
        let words = call.arg(Role::Destination).map_or("", |it| it.words.as_str());
        let plain =
            |it: &&Work| it.accesses.is_empty() && matches!(it.kind, WorkKind::Copy | WorkKind::Memset);
        for write in work.iter().filter(plain).flat_map(|it| &it.writes) {
            let place = write.location.clone();
            accesses.push(self.access(place, Extent::Some, Mode::Write, call.span, words));
            if let Some(source) = call.arg(Role::Source) {
                accesses.extend(self.access_through(call, source, Mode::Read));
            }
        }
        // Events and semaphores can order nodes without an edge.
        let waits_outside = ["EventWait", "Semaphores"]
            .iter()
            .any(|it| call.name.contains(it))
            || is_generic(call) && work.is_empty();
        let made = Node {
            stream: LEGACY,
            kind: work.first().map_or(WorkKind::Other, |it| it.kind),
            site: self.site(call.span),
            after: known.clone().unwrap_or_default(),
            accesses,
            made: (self.thread, self.position()),
        };
        let nodes = self.trace.notes.captures.made.entry(graph).or_default();
        nodes.open |= known.is_none() || waits_outside;
        let after = made.after.clone();
        nodes.nodes.push(made);
        let index = nodes.nodes.len() as u32 - 1;
        let open = nodes.open;
        if let Some(graph) = self.graphs.get_mut(graph as usize) {
            graph.open |= open;
            graph.add(index, &after, work);
        }
        self.graph_nodes.insert(node, (graph, index));
    }

    /// `cudaGraphAddDependencies`: each node of the second array comes after its neighbour in the first.
    pub(super) fn add_edges(&mut self, call: &Invocation<'_>) {
        if let Some(Value::Graph(graph)) = call.arg(Role::Graph).map(|it| &it.value) {
            let count = call.arg(Role::Count);
            let from = self.nodes_at(call.arg(Role::Source), count, *graph);
            let to = self.nodes_at(call.arg(Role::Destination), count, *graph);
            let made = self.trace.notes.captures.made.entry(*graph).or_default();
            match (from, to) {
                (Some(from), Some(to)) => from.into_iter().zip(to).for_each(|(from, to)| {
                    made.nodes[to as usize].after.push(from);
                    if let Some(graph) = self.graphs.get_mut(*graph as usize) {
                        graph.add_edge(from, to);
                    }
                }),
                _ => {
                    made.open = true;
                    if let Some(graph) = self.graphs.get_mut(*graph as usize) {
                        graph.open = true;
                    }
                }
            }
        }
        self.plain(call, None);
    }

    /// The nodes an array holds; `None` when not all of them are known.
    fn nodes_at(&self, array: Option<&Argument>, count: Option<&Argument>, graph: u32) -> Option<Vec<u32>> {
        let count = match count.map(|it| &it.value) {
            Some(Value::Int(count)) if *count <= MAX_DEPENDENCIES => *count,
            _ => return None,
        };
        let array = match array.map(|it| &it.value) {
            _ if count == 0 => return Some(Vec::new()),
            Some(Value::Pointer(array)) => array,
            _ => return None,
        };
        let node = |index: i64| {
            let alone = (index == 0).then(|| self.memory.get(array)).flatten();
            let node = self.memory.get(&array.element(index)).or(alone)?;
            let (of, index) = self.graph_nodes.get(node)?;
            (*of == graph).then_some(*index)
        };
        (0..count).map(node).collect()
    }

    fn node_work(&mut self, call: &Invocation<'_>) -> Vec<Work> {
        if call.name.contains("ChildGraph") {
            return match call.args.last().map(|it| &it.value) {
                Some(Value::Graph(child)) => {
                    self.graphs.get(*child as usize).map_or_else(Vec::new, |child| {
                        let nodes = child.nodes.iter();
                        nodes.map(|it| it.work.clone()).collect()
                    })
                }
                _ => Vec::new(),
            };
        }
        if call.name.contains("MemcpyNode1D") || call.name.contains("MemcpyNodeToSymbol") {
            return self.copy_arguments(call).into_iter().collect();
        }
        if let Some(Value::Pointer(freed)) = self.freed_by_node(call) {
            return vec![self.memory_node(freed, Mode::Free, call)];
        }
        let Some(params) = self.node_parameters(call) else {
            return Vec::new();
        };
        if let Some(allocated) = self.allocated_by_node(&params, call) {
            return vec![self.memory_node(allocated, Mode::Allocate, call)];
        }
        // The generic form keeps the parameters of each kind in a member of its own.
        let own = |name: &str| {
            if is_generic(call) {
                params.field(name)
            } else {
                params.clone()
            }
        };
        let work = self
            .kernel_node(&own("kernel"), call)
            .or_else(|| self.memset_node(&own("memset"), call))
            .or_else(|| self.copy_node(&own("memcpy"), call))
            .or_else(|| self.host_node(&own("host"), call));
        work.into_iter().collect()
    }

    fn node_parameters(&mut self, call: &Invocation<'_>) -> Option<Location> {
        let params = call
            .arg(Role::LaunchConfig)
            .or_else(|| call.arg(Role::Parameters))?;
        self.pointee(&params.value.clone())
    }

    /// What a node frees: the argument of `cudaGraphAddMemFreeNode`, or the member `free` of the generic form.
    fn freed_by_node(&mut self, call: &Invocation<'_>) -> Option<Value> {
        if call.name.ends_with("GraphAddMemFreeNode") {
            return call.arg(Role::Pointer).map(|it| it.value.clone());
        }
        let params = self.node_parameters(call).filter(|_| is_generic(call))?;
        self.held(&params.field("free"), "dptr")
    }

    /// The node frees memory nobody knows.
    fn frees_unknown(&mut self, call: &Invocation<'_>) -> bool {
        let freed = self.freed_by_node(call);
        freed.is_some_and(|it| !matches!(it, Value::Pointer(_)))
    }

    /// The memory of an allocating node, whose address is handed out in its parameters.
    fn allocated_by_node(&mut self, params: &Location, call: &Invocation<'_>) -> Option<Location> {
        let own = if call.name.ends_with("GraphAddMemAllocNode") {
            params.clone()
        } else {
            let own = params.field("alloc");
            self.held(&own, "bytesize").filter(|_| is_generic(call))?;
            own
        };
        let memory = self.memory.allocate(Origin::Pool);
        if let Some(bytes) = self.held(&own, "bytesize") {
            self.sizes.insert(memory.base, bytes);
        }
        self.memory.set(own.field("dptr"), Value::Pointer(memory.clone()));
        Some(memory)
    }

    fn memory_node(&self, memory: Location, mode: Mode, call: &Invocation<'_>) -> Work {
        let words = |role: Role| call.arg(role).map(|it| handle_name(&it.words));
        let words = words(Role::Pointer).unwrap_or_else(|| {
            let params = words(Role::Parameters).unwrap_or_default();
            let member = if !is_generic(call) {
                ""
            } else if mode == Mode::Free {
                ".free"
            } else {
                ".alloc"
            };
            format!("{params}{member}.dptr")
        });
        Work {
            kind: WorkKind::Other,
            stream: LEGACY,
            kernel: None,
            waits: Vec::new(),
            writes: Vec::new(),
            accesses: vec![self.access(memory, Extent::Whole, mode, call.span, &words)],
        }
    }

    fn held(&self, params: &Location, field: &str) -> Option<Value> {
        let value = self.memory.get(&params.field(field)).cloned();
        value.filter(|it| *it != Value::Int(0))
    }

    fn kernel_node(&mut self, params: &Location, call: &Invocation<'_>) -> Option<Work> {
        let kernel = self.held(params, "func").or_else(|| self.held(params, "kern"))?;
        let Value::Function(function, instance) = &kernel else {
            return None;
        };
        let args = match self.held(params, "kernelParams") {
            Some(Value::Pointer(array)) => self.packed_arguments(&array, &kernel),
            _ => Vec::new(),
        };
        let (waits, writes, accesses) = self.kernel_effects(*function, instance, &args, call.span);
        Some(Work {
            kind: WorkKind::Kernel,
            stream: LEGACY,
            kernel: Some(self.kernel_use(&kernel, "")),
            waits,
            writes,
            accesses,
        })
    }

    /// The arguments behind a `void**`.
    pub(super) fn packed_arguments(&mut self, array: &Location, kernel: &Value) -> Vec<Argument> {
        let Value::Function(function, _) = kernel else {
            return Vec::new();
        };
        let params = &self.program.function(*function).params;
        let mut array = array.clone();
        if self.memory.get(&array).is_none() {
            array = array.step(Step::Element(0));
        }
        (0..params.len() as i64)
            .take_while(|index| *index < MAX_ARGUMENTS)
            .map(|index| {
                let place = match self.memory.get(&array.element(index)) {
                    Some(Value::Pointer(place)) => Some(place.clone()),
                    _ => None,
                };
                let value = match &place {
                    Some(place) => self.load(place),
                    None => self.memory.fresh(),
                };
                let words = params[index as usize].name.clone();
                Argument { value, place, words }
            })
            .collect()
    }

    fn memset_node(&mut self, params: &Location, call: &Invocation<'_>) -> Option<Work> {
        let target = self.held(params, "dst")?;
        self.memory.get(&params.field("value"))?;
        let location = self.pointee(&target)?;
        let value = match (
            self.memory.get(&params.field("value")),
            self.held(params, "elementSize"),
        ) {
            (Some(Value::Int(value)), Some(Value::Int(1))) => Some((value & 0xff).wrapping_mul(0x0101_0101)),
            (Some(Value::Int(value)), Some(Value::Int(4) | Value::Unknown(_))) => Some(*value),
            _ => None,
        };
        Some(self.writing(WorkKind::Memset, location, value, call))
    }

    fn copy_node(&mut self, params: &Location, call: &Invocation<'_>) -> Option<Work> {
        let nested = params.field("copyParams");
        let target = [params.clone(), nested].into_iter().find_map(|it| {
            self.held(&it, "dstPtr")
                .or_else(|| self.held(&it.field("dstPtr"), "ptr"))
                .or_else(|| self.held(&it, "dstDevice"))
        })?;
        let location = self.pointee(&target)?;
        Some(self.writing(WorkKind::Copy, location, None, call))
    }

    fn copy_arguments(&mut self, call: &Invocation<'_>) -> Option<Work> {
        let location = match call.arg(Role::Destination) {
            Some(it) => self.pointee(&it.value.clone()),
            None => call.arg(Role::Symbol).and_then(|it| self.symbol(it)),
        }?;
        let value = match call.arg(Role::Source).map(|it| it.value.clone()) {
            Some(Value::Pointer(source)) => match self.memory.get(&source) {
                Some(Value::Int(value)) => Some(*value),
                _ => None,
            },
            _ => None,
        };
        Some(self.writing(WorkKind::Copy, location, value, call))
    }

    fn writing(&self, kind: WorkKind, location: Location, value: Option<i64>, call: &Invocation<'_>) -> Work {
        let write = Write {
            location,
            range: true,
            value,
            at: (self.frame().file, call.span),
            guess: false,
            after_wait: false,
        };
        Work {
            kind,
            stream: LEGACY,
            kernel: None,
            waits: Vec::new(),
            writes: vec![write],
            accesses: Vec::new(),
        }
    }

    fn host_node(&mut self, params: &Location, call: &Invocation<'_>) -> Option<Work> {
        let callee = self.held(params, "fn")?;
        let data = Argument {
            value: self.held(params, "userData").unwrap_or(Value::Int(0)),
            place: None,
            words: String::new(),
        };
        let (waits, writes, accesses) = self.deferred_effects(&callee, vec![data], call.span);
        Some(Work {
            kind: WorkKind::HostFunction,
            stream: LEGACY,
            kernel: None,
            waits,
            writes,
            accesses,
        })
    }

    /// What a host function leaves changed in memory of the host: whoever waits there for it waits for the stream.
    fn deferred_writes(
        &mut self,
        changed: BTreeMap<Location, Option<Value>>,
        span: crate::syntax::Span,
    ) -> Vec<Write> {
        let at = (self.frame().file, span);
        let mut writes = Vec::new();
        for (location, value) in changed {
            let value = match value {
                Some(Value::Int(value)) => Some(value),
                Some(Value::Unknown(_)) => None,
                _ => continue,
            };
            self.deferred_stores.insert(location.clone());
            if !self.device_visible(&location) && !self.is_shared(&location) {
                writes.push(Write {
                    location,
                    range: false,
                    value,
                    at,
                    guess: false,
                    after_wait: false,
                });
            }
        }
        writes
    }

    /// What the driver's own thread does when it runs a host function.
    pub(super) fn deferred_effects(
        &mut self,
        callee: &Value,
        args: Vec<Argument>,
        span: crate::syntax::Span,
    ) -> (Vec<super::Wait>, Vec<Write>, Vec<super::access::Access>) {
        // What it is handed the host may look at before it has run.
        for argument in &args {
            if let Value::Pointer(place) = &argument.value {
                self.watched.insert(place.base);
            }
        }
        self.touched.clear();
        let mark = self.memory.watch();
        let events = self.run_callback(callee, args, span);
        let changed = self.memory.changed_since(mark);
        self.memory.unwatch();
        self.touched.clear();
        let (mut waits, mut writes, mut accesses) =
            (Vec::new(), self.deferred_writes(changed, span), Vec::new());
        let mut held = 0_u32;
        for event in events {
            let at = (event.site.file, event.site.span);
            match event.action {
                super::Action::Store(write) => {
                    self.deferred_stores.insert(write.location.clone());
                    writes.push(write);
                }
                // What a mutex guards is no matter of streams.
                super::Action::Touch(access) if held == 0 => accesses.push(access),
                super::Action::Lock(_) => held += 1,
                super::Action::Unlock(_) => held = held.saturating_sub(1),
                super::Action::HostWait {
                    locations,
                    until,
                    what,
                } => waits.push(super::Wait {
                    locations,
                    until,
                    load: LoadKind::Fresh,
                    width: 0,
                    times: 1,
                    last: false,
                    holds: Vec::new(),
                    at,
                    sure: true,
                    what,
                }),
                _ => {}
            }
        }
        (waits, writes, accesses)
    }
}

fn is_generic(call: &Invocation<'_>) -> bool {
    call.name.ends_with("GraphAddNode")
}
