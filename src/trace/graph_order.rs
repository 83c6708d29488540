//! The order inside a graph: what one of its nodes waits for, another may only write once that one has ended.

use std::collections::{BTreeMap, BTreeSet};

use super::capture::Node;
use super::{Access, Site, ThreadId, Wait, Work, WorkKind, Write};

/// Child graphs inside each other.
const MAX_NESTING: u32 = 4;

/// What a graph does when it is launched.
#[derive(Clone, Default)]
pub(super) struct Graph {
    /// Its operations, in the order in which they are added.
    pub(super) nodes: Vec<GraphNode>,
    /// It has dependencies nobody here knows.
    pub(super) open: bool,
    /// The graph it is a copy of: the nodes of both have the same numbers.
    pub(super) of: Option<u32>,
    /// The capture that made it, or what it is a copy of.
    pub(super) capture: Option<usize>,
    /// Where it was instantiated.
    pub(super) fixed: Option<(ThreadId, u32)>,
    /// It is instantiated, or looked at, as it is now.
    pub(super) used: bool,
    /// It was given up.
    pub(super) destroyed: bool,
    /// Something that is not seen was given it.
    pub(super) handed: bool,
    /// Numbers given out, those of destroyed nodes too.
    pub(super) next: u32,
}

/// One operation of a graph.
#[derive(Clone)]
pub(super) struct GraphNode {
    /// What it does.
    pub(super) work: Work,
    /// The graph it consists of.
    pub(super) child: Option<u32>,
    /// It orders others with what is outside of the graph: an event, a semaphore.
    pub(super) outside: bool,
    /// It is switched off: it only orders.
    pub(super) disabled: bool,
    /// Which node of the graph it is.
    pub(super) number: u32,
    /// Nodes it directly comes after.
    pub(super) after: Vec<u32>,
    /// Where it is made.
    pub(super) site: Site,
    /// The call that makes it.
    pub(super) made: (ThreadId, u32),
    /// The call that puts it into this graph.
    pub(super) placed: (ThreadId, u32),
}

impl Graph {
    /// Everything its operations access.
    pub(super) fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.nodes.iter().flat_map(|it| &it.work.accesses)
    }

    /// Adds a node, and says which it is.
    pub(super) fn add(&mut self, node: GraphNode) -> u32 {
        let number = self.next;
        self.next += 1;
        self.used = false;
        self.nodes.push(GraphNode { number, ..node });
        number
    }

    /// A node that was not destroyed.
    pub(super) fn node_mut(&mut self, number: u32) -> Option<&mut GraphNode> {
        self.used = false;
        self.nodes.iter_mut().find(|it| it.number == number)
    }

    /// One node comes after another.
    pub(super) fn add_edge(&mut self, from: u32, to: u32) {
        if let Some(later) = self.node_mut(to) {
            later.after.push(from);
        }
    }

    /// One node no longer comes after another by an edge of its own.
    pub(super) fn remove_edge(&mut self, from: u32, to: u32) {
        if let Some(later) = self.node_mut(to) {
            later.after.retain(|it| *it != from);
        }
    }

    /// A node is gone, and with it all its edges.
    pub(super) fn remove(&mut self, number: u32) {
        self.used = false;
        self.nodes.retain(|it| it.number != number);
        for node in &mut self.nodes {
            node.after.retain(|it| *it != number);
        }
    }

    /// The same edges between as many nodes.
    pub(super) fn is_shaped_like(&self, other: &Graph) -> bool {
        let shape = |graph: &Graph| -> Vec<(Vec<usize>, bool)> {
            let place = |number: &u32| graph.nodes.iter().position(|it| it.number == *number);
            let node = |it: &GraphNode| {
                let mut after: Vec<usize> = it.after.iter().filter_map(place).collect();
                after.sort_unstable();
                (after, it.child.is_some())
            };
            graph.nodes.iter().map(node).collect()
        };
        shape(self) == shape(other)
    }

    /// The graph with its child graphs in the places of their nodes, each between a beginning and an end that do nothing.
    /// The nodes of the result have their positions as numbers.
    pub(super) fn flat(&self, all: &[Graph]) -> Graph {
        self.flat_to(all, MAX_NESTING)
    }

    fn flat_to(&self, all: &[Graph], depth: u32) -> Graph {
        let child = |it: &GraphNode| -> Option<Graph> {
            let graph = all.get(it.child? as usize)?;
            (depth > 0).then(|| graph.flat_to(all, depth - 1))
        };
        let children: Vec<Option<Graph>> = self.nodes.iter().map(child).collect();
        let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
        let mut count = 0;
        for (node, child) in self.nodes.iter().zip(&children) {
            count += child.as_ref().map_or(1, |it| it.nodes.len() as u32 + 2);
            ends.insert(node.number, count - 1);
        }
        let cut = |node: &GraphNode| node.child.is_some() && depth == 0;
        let mut flat = Graph {
            open: self.open || self.nodes.iter().any(cut),
            ..Graph::default()
        };
        for (node, child) in self.nodes.iter().zip(children) {
            let after: Vec<u32> = node.after.iter().filter_map(|it| ends.get(it).copied()).collect();
            let only_orders = |after: Vec<u32>| GraphNode {
                work: nothing(),
                child: None,
                outside: false,
                after,
                ..node.clone()
            };
            let Some(child) = child else {
                let work = if node.disabled {
                    nothing()
                } else {
                    node.work.clone()
                };
                flat.add(GraphNode {
                    work,
                    outside: node.outside,
                    ..only_orders(after)
                });
                continue;
            };
            flat.open |= child.open;
            let first = flat.add(only_orders(after));
            for inner in child.nodes {
                let after = inner.after.iter().map(|it| it + first + 1).chain([first]);
                flat.add(GraphNode {
                    after: after.collect(),
                    placed: node.placed,
                    ..inner
                });
            }
            flat.add(only_orders((first..flat.next).collect()));
        }
        flat
    }

    /// Its nodes as rules see them.
    pub(super) fn seen(&self) -> Vec<Node> {
        let node = |it: &GraphNode| Node {
            stream: it.work.stream,
            kind: it.work.kind,
            site: it.site.clone(),
            after: it.after.clone(),
            accesses: it.work.accesses.clone(),
            made: it.made,
            placed: it.placed,
        };
        self.nodes.iter().map(node).collect()
    }

    /// What a launch of the graph waits for and writes. A wait that another node ends is left out, unless all of those
    /// come only after it; what comes after a wait is written after it.
    pub(super) fn effects(&self) -> (Vec<Wait>, Vec<Write>) {
        let mut waits = Vec::new();
        let mut late: BTreeSet<usize> = BTreeSet::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let later = self.later_than(index);
            for wait in &node.work.waits {
                let ends = |it: &usize| self.nodes[*it].work.writes.iter().any(|it| wait.ended_by(it));
                let mut others = (0..self.nodes.len()).filter(|it| *it != index).filter(ends);
                if others.all(|it| !self.open && later.contains(&it)) {
                    waits.push(wait.clone());
                    late.extend(&later);
                }
            }
        }
        let writes = self.nodes.iter().enumerate().flat_map(|(index, node)| {
            let after_wait = late.contains(&index);
            let writes = node.work.writes.iter().cloned();
            writes.map(move |it| Write { after_wait, ..it })
        });
        (waits, writes.collect())
    }

    /// Operations that an event or a semaphore of the graph orders with something outside of it: all before and behind it.
    pub(super) fn ordered_outside(&self) -> BTreeSet<usize> {
        let outside: Vec<usize> = (0..self.nodes.len())
            .filter(|it| self.nodes[*it].outside)
            .collect();
        if self.open && !outside.is_empty() {
            return (0..self.nodes.len()).collect();
        }
        let behind = outside.iter().flat_map(|it| self.later_than(*it));
        let before = (0..self.nodes.len()).filter(|it| {
            let later = self.later_than(*it);
            outside.iter().any(|outside| later.contains(outside))
        });
        behind.chain(before).collect()
    }

    /// The operations that begin only when this one has ended.
    fn later_than(&self, index: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open: Vec<u32> = vec![self.nodes[index].number];
        while let Some(number) = open.pop() {
            for (other, node) in self.nodes.iter().enumerate() {
                if node.after.contains(&number) && found.insert(other) {
                    open.push(node.number);
                }
            }
        }
        found
    }
}

/// What a node does of which nothing is known, or that only orders others.
pub(super) fn nothing() -> Work {
    Work {
        kind: WorkKind::Other,
        stream: super::LEGACY,
        kernel: None,
        waits: Vec::new(),
        writes: Vec::new(),
        accesses: Vec::new(),
    }
}
