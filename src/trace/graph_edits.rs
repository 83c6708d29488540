//! Graphs and executable graphs that change after their nodes were added: each change acts on one graph, never on its
//! copies.

use std::collections::BTreeSet;

use super::calls::Argument;
use super::capture::MadeGraph;
use super::cuda::Invocation;
use super::graph_order::{Graph, nothing};
use super::machine::Machine;
use super::memory::Value;
use super::{Base, Location};
use crate::api::Role;

impl Machine<'_> {
    /// A graph of its own with the same nodes.
    pub(super) fn copy_graph(&mut self, graph: u32) -> u32 {
        let Some(original) = self.graphs.get(graph as usize).cloned() else {
            return self.new_graph(Graph {
                open: true,
                ..Graph::default()
            });
        };
        let mut copy = Graph {
            of: Some(graph),
            fixed: None,
            used: false,
            destroyed: false,
            ..original
        };
        for node in &mut copy.nodes {
            node.child = node.child.map(|it| self.copy_graph(it));
        }
        if let Some(original) = self.graphs.get_mut(graph as usize) {
            original.used = true;
        }
        self.new_graph(copy)
    }

    /// `cudaGraphAddDependencies`: each node of the second array comes after its neighbour in the first;
    /// `cudaGraphRemoveDependencies`: no longer.
    pub(super) fn change_edges(&mut self, call: &Invocation<'_>, change: fn(&mut Graph, u32, u32)) {
        if let Some(Value::Graph(graph)) = call.arg(Role::Graph).map(|it| it.value.clone()) {
            let count = call.arg(Role::Count);
            let from = self.nodes_at(call.arg(Role::Source), count, graph);
            let to = self.nodes_at(call.arg(Role::Destination), count, graph);
            self.note_change(graph);
            if let Some(graph) = self.graphs.get_mut(graph as usize) {
                match (from, to) {
                    (Some(from), Some(to)) => {
                        from.into_iter()
                            .zip(to)
                            .for_each(|(from, to)| change(graph, from, to));
                    }
                    _ => graph.open = true,
                }
            }
        }
        self.plain(call, None);
    }

    /// `cudaGraphDestroyNode`.
    pub(super) fn destroy_node(&mut self, call: &Invocation<'_>) {
        match self.node_argument(call) {
            Some((graph, number)) => {
                self.note_change(graph);
                if let Some(graph) = self.graphs.get_mut(graph as usize) {
                    graph.remove(number);
                }
            }
            None => self.open_graphs(),
        }
        self.plain(call, None);
    }

    /// `cudaGraphNodeFindInClone`.
    pub(super) fn find_node(&mut self, call: &Invocation<'_>) {
        let found = self.memory.fresh();
        if let (Some((graph, number)), Some(Value::Graph(clone))) = (
            self.node_argument(call),
            call.arg(Role::Graph).map(|it| &it.value),
        ) && self.graphs.get(*clone as usize).and_then(|it| it.of) == Some(graph)
        {
            self.graph_nodes.insert(found.clone(), (*clone, number));
        }
        self.fill_out(call, found);
        self.plain(call, None);
    }

    /// `cudaGraphChildGraphNodeGetGraph`.
    pub(super) fn child_of_node(&mut self, call: &Invocation<'_>) {
        let child = self.node_argument(call).and_then(|(graph, number)| {
            let nodes = self.graphs.get(graph as usize)?.nodes.iter();
            nodes.into_iter().find(|it| it.number == number)?.child
        });
        let child = child.map_or_else(|| self.memory.fresh(), Value::Graph);
        self.fill_out(call, child);
        self.plain(call, None);
    }

    /// `cudaGraph…NodeSetParams`, `cudaGraphExec…NodeSetParams`, `cudaGraphNodeSetEnabled`.
    pub(super) fn update_node(&mut self, call: &Invocation<'_>) {
        let node = self.node_argument(call);
        match call.arg(Role::GraphExec).map(|it| it.value.clone()) {
            Some(Value::Graph(exec)) => {
                // An executable graph goes by the nodes of the graph it was made from.
                let of = self.graphs.get(exec as usize).and_then(|it| it.of);
                match node.filter(|it| Some(it.0) == of) {
                    Some((_, number)) => self.set_node(call, exec, number),
                    None => self.open_graph(exec),
                }
            }
            Some(_) => {}
            None => match node {
                Some((graph, number)) => self.set_node(call, graph, number),
                None => self.open_graphs(),
            },
        }
        self.plain(call, None);
    }

    fn set_node(&mut self, call: &Invocation<'_>, graph: u32, number: u32) {
        self.note_change(graph);
        let enabled = call.arg(Role::Value).map(|it| it.value.clone());
        if let Some(enabled) = enabled {
            let node = self
                .graphs
                .get_mut(graph as usize)
                .and_then(|it| it.node_mut(number));
            match (enabled, node) {
                (Value::Int(enabled), Some(node)) => node.disabled = enabled == 0,
                _ => self.open_graph(graph),
            }
            return;
        }
        let content = self.node_content(call);
        let (made, site) = ((self.control.thread, self.position()), self.site(call.span));
        let nothing_known = content.work.is_none() && content.child.is_none() && !content.outside;
        let unknown = content.unknown || nothing_known;
        if unknown {
            self.open_graph(graph);
        }
        if let Some(work) = &content.work {
            self.note_host_memory(work);
        }
        let node = self
            .graphs
            .get_mut(graph as usize)
            .and_then(|it| it.node_mut(number));
        if let Some(node) = node {
            node.work = content.work.unwrap_or_else(nothing);
            node.child = content.child;
            node.outside = content.outside;
            (node.made, node.placed, node.site) = (made, made, site);
        }
    }

    /// `cudaGraphExecUpdate`: the executable graph does what another graph of the same shape does.
    pub(super) fn update_exec(&mut self, call: &Invocation<'_>) {
        let unknown = self.memory.fresh();
        self.fill_out(call, unknown);
        self.forget_outputs(call);
        let graphs = [Role::GraphExec, Role::Graph].map(|it| call.arg(it).map(|it| it.value.clone()));
        match graphs {
            [Some(Value::Graph(exec)), Some(Value::Graph(from))] => {
                let copy = self.copy_graph(from);
                let copy = self.graphs.get(copy as usize).cloned().unwrap_or_default();
                if let Some(exec) = self.graphs.get_mut(exec as usize) {
                    exec.open |= copy.open;
                    exec.used = false;
                    if exec.is_shaped_like(&copy) {
                        for (old, new) in exec.nodes.iter_mut().zip(copy.nodes) {
                            old.work = new.work;
                            old.child = new.child;
                            (old.made, old.placed, old.site) = (new.made, new.placed, new.site);
                        }
                        exec.capture = copy.capture;
                    }
                }
            }
            [Some(Value::Graph(exec)), _] => self.open_graph(exec),
            _ => {}
        }
        self.plain(call, None);
    }

    /// `cudaGraphDestroy`, `cudaGraphExecDestroy`.
    pub(super) fn destroy_graph(&mut self, call: &Invocation<'_>) {
        let graph = call.arg(Role::Graph).or_else(|| call.arg(Role::GraphExec));
        if let Some(Value::Graph(graph)) = graph.map(|it| &it.value)
            && let Some(destroyed) = self.graphs.get_mut(*graph as usize)
        {
            destroyed.destroyed = true;
            let capture = destroyed.capture.filter(|_| !destroyed.handed);
            let is_alone = |capture| {
                self.graphs
                    .iter()
                    .filter(|it| it.capture == Some(capture))
                    .count()
                    == 1
            };
            if let Some(capture) = capture.filter(|it| is_alone(*it)) {
                self.trace.notes.captures.all[capture].discarded = true;
            }
        }
        self.plain(call, None);
    }

    fn node_argument(&self, call: &Invocation<'_>) -> Option<(u32, u32)> {
        let node = call.arg(Role::GraphNode)?;
        self.graph_nodes.get(&node.value).copied()
    }

    fn open_graph(&mut self, graph: u32) {
        self.note_change(graph);
        if let Some(graph) = self.graphs.get_mut(graph as usize) {
            graph.open = true;
        }
    }

    /// A node nobody knows is changed: it may belong to any graph.
    fn open_graphs(&mut self) {
        let execs: BTreeSet<u32> = self.capture.execs.keys().copied().collect();
        let graphs: Vec<u32> = (0..self.graphs.len() as u32).collect();
        for graph in graphs.into_iter().filter(|it| !execs.contains(it)) {
            self.open_graph(graph);
        }
    }

    /// A graph is no longer what was captured.
    fn note_change(&mut self, graph: u32) {
        let capture = self.graphs.get(graph as usize).and_then(|it| it.capture);
        if let Some(capture) = capture {
            self.trace.notes.captures.all[capture].replaced = true;
        }
    }

    // Graphs that are looked at.

    /// A graph is launched: that is what its nodes are judged by.
    pub(super) fn note_made(&mut self, graph: u32) {
        let now = (self.control.thread, self.position());
        let Some(made) = self.graphs.get_mut(graph as usize) else {
            return;
        };
        if made.used || made.open {
            return;
        }
        made.used = true;
        let fixed = made.fixed.unwrap_or(now);
        let capture = made.capture;
        let flat = self.flat_graph(graph);
        if flat.open {
            return;
        }
        if let Some(capture) = capture {
            self.trace.notes.captures.all[capture].replaced = true;
        }
        let nodes = flat.seen();
        self.trace.notes.captures.made.push(MadeGraph { nodes, fixed });
    }

    /// Graphs that nothing on this path instantiates or launches and somebody else can, from what outlives the path.
    pub(super) fn note_kept_graphs(&mut self, result: Value, this: Option<Location>) {
        if self.graphs.is_empty() || self.trace.budgets_hit > 0 || self.trace.threads.len() > 1 {
            return;
        }
        let kept = self.kept_values(result, this);
        let changeable: BTreeSet<u32> = kept
            .iter()
            .filter_map(|it| self.graph_nodes.get(it))
            .map(|it| it.0)
            .collect();
        for value in kept {
            if let Value::Graph(graph) = value {
                let is_alive = self.graphs.get(graph as usize).is_some_and(|it| !it.destroyed);
                let is_exec = self.capture.execs.contains_key(&graph);
                if is_alive && (is_exec || !changeable.contains(&graph)) {
                    self.note_made(graph);
                }
            }
        }
    }

    /// What can be reached from the result of an entry point, from its object and from memory it does not own.
    fn kept_values(&self, result: Value, this: Option<Location>) -> BTreeSet<Value> {
        let argument = |value: Value| Argument::unplaced(value, String::new());
        let roots = self.memory.snapshot();
        let outlives =
            |it: &Location| matches!(it.base, Base::Outside(_) | Base::Global(_) | Base::Static(..));
        let mut kept: BTreeSet<Value> = roots
            .iter()
            .filter(|it| outlives(it.0))
            .map(|it| it.1.clone())
            .collect();
        kept.insert(result);
        kept.extend(this.map(Value::Pointer));
        let arguments: Vec<Argument> = kept.iter().cloned().map(argument).collect();
        let known: Vec<Argument> = arguments
            .into_iter()
            .filter(|it| !matches!(it.value, Value::Graph(_)))
            .collect();
        let reached = self.reachable(&known).unwrap_or_default();
        let inside = roots.iter().filter(|it| reached.contains(&it.0.base));
        kept.extend(inside.map(|it| it.1.clone()));
        kept
    }
}
