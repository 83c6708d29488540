//! Graphs made node by node: what their nodes will do when the graph is launched.

use std::collections::BTreeMap;

use super::calls::Argument;
use super::cuda::{Invocation, handle_name};
use super::graph_order::{Graph, GraphNode, nothing};
use super::machine::Machine;
use super::memory::{Origin, Value};
use super::{
    Access, Base, Block, Extent, KernelUse, LEGACY, Load, Location, Mode, Step, Work, WorkKind, Write,
};
use crate::api::Role;

/// Kernel arguments looked at per node.
const MAX_ARGUMENTS: i64 = 32;

/// Dependencies looked at per node.
const MAX_DEPENDENCIES: i64 = 64;

/// What a call makes a node do.
pub(super) struct NodeContent {
    /// Its work, where known.
    pub(super) work: Option<Work>,
    /// The graph it consists of.
    pub(super) child: Option<u32>,
    /// It may be, or do, anything.
    pub(super) unknown: bool,
    /// It orders others with what is outside of the graph.
    pub(super) outside: bool,
}

impl Machine<'_> {
    /// `cudaGraphCreate`, `cudaGraphClone`.
    pub(super) fn create_graph(&mut self, call: &Invocation<'_>) {
        let graph = match call.arg(Role::Graph).map(|it| &it.value) {
            Some(Value::Graph(graph)) => self.copy_graph(*graph),
            Some(_) => self.new_graph(Graph {
                open: true,
                ..Graph::default()
            }),
            None => self.new_graph(Graph::default()),
        };
        self.fill_out(call, Value::Graph(graph));
        self.plain(call, None);
    }

    pub(super) fn new_graph(&mut self, graph: Graph) -> u32 {
        self.graphs.push(graph);
        self.graphs.len() as u32 - 1
    }

    /// Instantiating loads what the graph launches.
    pub(super) fn instantiate_graph(&mut self, call: &Invocation<'_>) {
        let graph = call.arg(Role::Graph).map(|it| it.value.clone());
        if let Some(Value::Graph(graph)) = &graph {
            let exec = self.new_exec(call, *graph);
            self.fill_out(call, exec);
            let kernels = self.kernels_of(*graph);
            self.load_kernels(kernels, call);
        }
        self.plain(call, None);
    }

    fn kernels_of(&self, graph: u32) -> Vec<KernelUse> {
        let nodes = self.flat_graph(graph).nodes.into_iter();
        nodes.filter_map(|it| it.work.kernel).collect()
    }

    /// A graph with what is inside its child graphs.
    pub(super) fn flat_graph(&self, graph: u32) -> Graph {
        let graph = self.graphs.get(graph as usize);
        graph.map_or_else(Graph::default, |it| it.flat(&self.graphs))
    }

    fn load_kernels(&mut self, kernels: Vec<KernelUse>, call: &Invocation<'_>) {
        for kernel in kernels {
            let load = Some(Load::Kernel(kernel));
            let name = call.name.to_owned();
            self.finish(name, Some(call.entry), None, Block::None, load, call.span);
        }
    }

    /// `cudaGraphAdd…Node`: the node's work waits in the graph. Adding a kernel loads it (measured: behind a resident
    /// kernel it puts the barrier, before one it preloads).
    pub(super) fn add_node(&mut self, call: &Invocation<'_>) {
        let handle = self.memory.fresh_object();
        self.fill_out(call, handle.clone());
        if let Some(Value::Graph(graph)) = call.arg(Role::Graph).map(|it| it.value.clone()) {
            if self.frees_unknown(call) {
                self.frees_anything(graph);
            }
            let content = self.node_content(call);
            let kernels = match content.child {
                Some(child) => self.kernels_of(child),
                None => content.work.iter().filter_map(|it| it.kernel.clone()).collect(),
            };
            self.load_kernels(kernels, call);
            let after = self.nodes_at(call.args.get(2), call.arg(Role::Count), graph);
            let made = (self.control.thread, self.position());
            let node = GraphNode {
                child: content.child,
                outside: content.outside,
                disabled: false,
                number: 0,
                after: after.clone().unwrap_or_default(),
                site: self.site(call.span),
                made,
                placed: made,
                work: content.work.unwrap_or_else(nothing),
            };
            self.note_host_memory(&node.work);
            if let Some(it) = self.graphs.get_mut(graph as usize) {
                it.open |= after.is_none() || content.unknown;
                let number = it.add(node);
                self.graph_nodes.insert(handle, (graph, number));
            }
        }
        self.plain(call, None);
    }

    /// The nodes an array holds; `None` when not all of them are known.
    pub(super) fn nodes_at(
        &self,
        array: Option<&Argument>,
        count: Option<&Argument>,
        graph: u32,
    ) -> Option<Vec<u32>> {
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

    /// What the arguments of a call say about a node.
    pub(super) fn node_content(&mut self, call: &Invocation<'_>) -> NodeContent {
        if let Some(child) = call.arg(Role::ChildGraph).map(|it| it.value.clone()) {
            let child = match child {
                Value::Graph(child) => Some(self.copy_graph(child)),
                _ => None,
            };
            return NodeContent {
                unknown: child.is_none(),
                child,
                work: None,
                outside: false,
            };
        }
        let work = self.node_work(call);
        let outside = call.arg(Role::Event).is_some() || call.name.contains("Semaphores");
        NodeContent {
            // Waits for events and semaphores can order nodes without an edge.
            unknown: outside && !call.name.contains("Record") || is_generic(call) && work.is_none(),
            outside: outside || is_generic(call) && work.is_none(),
            child: None,
            work,
        }
    }

    fn node_work(&mut self, call: &Invocation<'_>) -> Option<Work> {
        if call
            .arg(Role::Destination)
            .or_else(|| call.arg(Role::Symbol))
            .is_some()
        {
            return self.copy_arguments(call);
        }
        if let Some(Value::Pointer(freed)) = self.freed_by_node(call) {
            return Some(self.memory_node(freed, Mode::Free, call));
        }
        let params = self.node_parameters(call)?;
        if let Some(allocated) = self.allocated_by_node(&params, call) {
            return Some(self.memory_node(allocated, Mode::Allocate, call));
        }
        // The generic form keeps the parameters of each kind in a member of its own.
        let own = |name: &str| {
            if is_generic(call) {
                params.field(name)
            } else {
                params.clone()
            }
        };
        self.kernel_node(&own("kernel"), call)
            .or_else(|| self.memset_node(&own("memset"), call))
            .or_else(|| self.copy_node(&own("memcpy"), call))
            .or_else(|| self.host_node(&own("host"), call))
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
                Argument {
                    value,
                    place,
                    words,
                    moved: false,
                    ty: None,
                }
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
        let access = self.access(
            location.clone(),
            Extent::Some,
            Mode::Write,
            call.span,
            &member_words(call, "dst"),
        );
        Some(self.writing(WorkKind::Memset, location, value, vec![access], call))
    }

    fn copy_node(&mut self, params: &Location, call: &Invocation<'_>) -> Option<Work> {
        let target = |machine: &Self, own: &Location| {
            let pitched = machine.held(&own.field("dstPtr"), "ptr");
            let plain = || {
                machine
                    .held(own, "dstPtr")
                    .or_else(|| machine.held(own, "dstDevice"))
            };
            pitched.or_else(plain)
        };
        let nested = params.field("copyParams");
        let mut both = [params.clone(), nested].into_iter();
        let (own, target) = both.find_map(|it| target(self, &it).map(|target| (it, target)))?;
        let direction = match self.memory.get(&own.field("kind")) {
            Some(Value::Int(kind)) => Some(*kind),
            _ => None,
        };
        let location = self.pointee(&target)?;
        let mut accesses = Vec::new();
        for (side, mode) in [("src", Mode::Read), ("dst", Mode::Write)] {
            if let Some((Value::Pointer(place), _)) = self.side(&own, side) {
                let words = member_words(call, side);
                let access = self.access(place, Extent::Some, mode, call.span, &words);
                accesses.push(of_copy(access, direction));
            }
        }
        Some(self.writing(WorkKind::Copy, location, None, accesses, call))
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
        let direction = match call.arg(Role::Direction).map(|it| &it.value) {
            Some(Value::Int(direction)) => Some(*direction),
            _ => None,
        };
        let mut accesses = Vec::new();
        for (role, mode) in [(Role::Source, Mode::Read), (Role::Destination, Mode::Write)] {
            if let Some(argument) = call.arg(role).cloned() {
                let access = self.access_through(call, &argument, mode);
                accesses.extend(access.map(|it| of_copy(it, direction)));
            }
        }
        if let Some(argument) = call.arg(Role::Symbol).cloned()
            && let Some(place) = self.symbol(&argument)
        {
            let to_symbol = call.arg(Role::Source).is_some();
            let mode = if to_symbol { Mode::Write } else { Mode::Read };
            accesses.push(self.access(place, Extent::Some, mode, call.span, &argument.words));
        }
        Some(self.writing(WorkKind::Copy, location, value, accesses, call))
    }

    fn writing(
        &self,
        kind: WorkKind,
        location: Location,
        value: Option<i64>,
        accesses: Vec<Access>,
        call: &Invocation<'_>,
    ) -> Work {
        let write = Write {
            location,
            range: true,
            value,
            least: None,
            at: self.at(call.span),
            guess: false,
            after_wait: false,
            added: None,
        };
        Work {
            kind,
            stream: LEGACY,
            kernel: None,
            waits: Vec::new(),
            writes: vec![write],
            accesses,
        }
    }

    fn host_node(&mut self, params: &Location, call: &Invocation<'_>) -> Option<Work> {
        let callee = self.held(params, "fn")?;
        let data = Argument::unplaced(
            self.held(params, "userData").unwrap_or(Value::Int(0)),
            String::new(),
        );
        let (waits, writes, accesses) = self.deferred_effects(&callee, vec![data], None, call.span);
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
        let at = self.at(span);
        let mut writes = Vec::new();
        for (location, value) in changed {
            let value = match value {
                Some(Value::Int(value)) => Some(value),
                Some(Value::Unknown(_)) => None,
                _ => continue,
            };
            self.deferred_stores.insert(location.clone());
            if !self.device_visible(&location) && !self.is_shared(&location) && !self.is_guarded(&location) {
                writes.push(Write {
                    location,
                    range: false,
                    value,
                    least: None,
                    at,
                    guess: false,
                    after_wait: false,
                    added: None,
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
        stream: Option<super::StreamId>,
        span: crate::syntax::Span,
    ) -> (Vec<super::Wait>, Vec<Write>, Vec<super::access::Access>) {
        // What it is handed the host may look at before it has run.
        for argument in &args {
            if let Value::Pointer(place) = &argument.value {
                self.watched.insert(place.base);
            }
        }
        self.touched.clear();
        self.find_late_numbers(stream);
        let mark = self.memory.watch();
        let events = self.run_callback(callee, args, span);
        let (before, changed) = (self.memory.before_since(mark), self.memory.changed_since(mark));
        self.memory.unwatch();
        self.put_off_numbers(&before, &changed);
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
                super::Action::Touch(access) if held == 0 => accesses.push(*access),
                super::Action::Lock(_) => held += 1,
                super::Action::Unlock(_) => held = held.saturating_sub(1),
                super::Action::HostWait {
                    locations,
                    until,
                    what,
                    ..
                } => waits.push(super::Wait::plain(
                    super::Awaited::any_of(&locations, until),
                    at,
                    what,
                )),
                _ => {}
            }
        }
        (waits, writes, accesses)
    }
}

fn is_generic(call: &Invocation<'_>) -> bool {
    ["GraphAddNode", "GraphNodeSetParams", "GraphExecNodeSetParams"]
        .iter()
        .any(|it| call.name.ends_with(it))
}

/// A member of the parameters of a node in the user's words.
fn member_words(call: &Invocation<'_>, member: &str) -> String {
    let params = call.arg(Role::Parameters);
    params.map_or_else(String::new, |it| format!("{}.{member}", handle_name(&it.words)))
}

/// Of memory that was handed in nobody knows whether a copy uses it after the call.
fn of_copy(access: Access, direction: Option<i64>) -> Access {
    let host_side = matches!(
        (access.mode, direction),
        (Mode::Read, Some(1)) | (Mode::Write, Some(2)) | (_, None | Some(4))
    );
    Access {
        sure: !(host_side && matches!(access.location.base, Base::Outside(_))),
        ..access
    }
}
